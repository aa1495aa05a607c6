/* app/command/spotlight/steps.c - the change and show functions of the pages of panels and of the
 * spotlight.
 */
#include "command/actions.h"

#include "base/value.h"

#include <stdio.h>
#include <string.h>

static enum app_outcome refuse(struct app_reply *reply, const char *why)
{
    snprintf(reply->text, sizeof reply->text, "%s", why);
    return APP_REFUSED;
}

/* Splits "NAME/PART"; the part is 1 where none is given. */
static bool split(const char *text, char *name, size_t size, int *part)
{
    const size_t length = strcspn(text, "/");
    *part = 1;
    if (length >= size || (text[length] != 0 && (!app_parse_int(text + length + 1, part) ||
                                                 *part < 1 || *part > APP_PARTS_MAX)))
        return false;
    memcpy(name, text, length);
    name[length] = 0;
    return true;
}

bool app_page_parse(const char *text, enum app_panels_page *page, int *part)
{
    char name[48];
    int number;
    if (!split(text, name, sizeof name, &number))
        return false;
    for (int i = 0; i < APP_PAGE_COUNT; i++) {
        if (strcmp(name, app_page_name((enum app_panels_page)i)) != 0)
            continue;
        *page = (enum app_panels_page)i;
        *part = number;
        return true;
    }
    return false;
}

bool app_subject_parse(const char *text, enum app_subject *subject, int *part)
{
    char name[48];
    int number;
    if (!split(text, name, sizeof name, &number) || app_subject_find(name) == APP_SUBJECT_COUNT)
        return false;
    *subject = app_subject_find(name);
    *part = number;
    return true;
}

/* Goes through the parts of the subject on screen, and on to the next or the previous subject. */
static enum app_outcome step_subject(struct app_state *state, const struct app_facts *facts,
                                     int step, struct app_reply *reply)
{
    const enum app_subject now =
        state->subject == APP_SUBJECT_PAGE ? facts->subject : state->subject;
    const int parts = facts->subject_parts > 1 ? facts->subject_parts : 1;
    const int part = (state->subject_part < parts ? state->subject_part : parts) + step;
    const bool same = part >= 1 && part <= parts;
    state->subject = same ? now : app_subject_step(now, step);
    state->subject_part = same ? part : 1;
    if (same)
        snprintf(reply->text, sizeof reply->text, "Spotlight: %s %d/%d",
                 app_subject_name(state->subject), part, parts);
    else
        snprintf(reply->text, sizeof reply->text, "Spotlight: %s",
                 app_subject_name(state->subject));
    return APP_DONE;
}

/* Goes through the parts of a page, and on to the next page after the last one; in the spotlight,
 * through its subjects. */
APP_ACTION(app_change_page)
{
    if (argument->step == APP_STEP_SET) {
        state->subject = APP_SUBJECT_PAGE;
        return app_page_parse(argument->given.text, &state->page, &state->part)
                   ? APP_DONE
                   : refuse(reply, "There is no such page.");
    }
    if (state->spotlight != APP_SPOTLIGHT_OFF)
        return step_subject(state, facts, 1, reply);
    if (state->panels == APP_PANELS_OFF)
        return refuse(reply, "The panels are off; {panels} shows them.");
    if (facts->no_room)
        return refuse(reply, "The window is too small for the panels.");
    const bool more = state->part < facts->page_parts;
    state->part = more ? state->part + 1 : 1;
    if (!more)
        state->page = (enum app_panels_page)((state->page + 1) % APP_PAGE_COUNT);
    /* The next spotlight begins with this page. */
    state->subject = APP_SUBJECT_PAGE;
    state->subject_part = 1;
    return APP_DONE;
}

void app_show_page(const struct app_state *state, char *text, size_t size)
{
    const char *name = app_page_name(state->page);
    if (state->part > 1)
        snprintf(text, size, "%s/%d", name, state->part);
    else
        snprintf(text, size, "%s", name);
}

APP_ACTION(app_change_spotlight)
{
    (void)facts;
    state->spotlight = (enum app_spotlight)(
        argument->step == APP_STEP_SET ? argument->given.choice
                                       : ((int)state->spotlight + 1) % APP_SPOTLIGHT_COUNT);
    if (state->spotlight == APP_SPOTLIGHT_WHOLE && app_state_shows_heat(state))
        snprintf(reply->text, sizeof reply->text,
                 "Spotlight: whole, over the heat map; {spotlight} ends it");
    return APP_DONE;
}

APP_ACTION(app_change_subject)
{
    if (argument->step == APP_STEP_SET)
        return app_subject_parse(argument->given.text, &state->subject, &state->subject_part)
                   ? APP_DONE
                   : refuse(reply, "There is no such subject.");
    if (state->spotlight == APP_SPOTLIGHT_OFF)
        return refuse(reply, "The spotlight is off; {spotlight} turns it on.");
    return step_subject(state, facts, -1, reply);
}

void app_show_subject(const struct app_state *state, char *text, size_t size)
{
    const char *name = app_subject_name(state->subject);
    if (state->subject_part > 1)
        snprintf(text, size, "%s/%d", name, state->subject_part);
    else
        snprintf(text, size, "%s", name);
}
