/* app/command/talk_actions.c - the change functions of the keys that give a talk. The session
 * applies what a step sets (talk/talk.h). */
#include "command/actions.h"

#include <stdio.h>
#include <string.h>

static void forget_guess(struct app_talk_view *talk)
{
    talk->choice = 0;
    memset(talk->typed, 0, sizeof talk->typed);
    talk->committed = talk->revealed = false;
}

/* Returns to a talk that was left, or to a screen that was blanked; false: neither was. */
static bool resume(struct app_talk_view *talk)
{
    const bool away = !talk->on || talk->blank;
    talk->on = true;
    talk->blank = false;
    return away;
}

APP_ACTION(app_change_talk)
{
    (void)facts;
    (void)argument;
    (void)reply;
    resume(&state->talk);
    state->requests |= APP_REQUEST_HOME;
    return APP_DONE;
}

APP_ACTION(app_change_talk_next)
{
    struct app_talk_view *talk = &state->talk;
    (void)facts;
    (void)argument;
    if (resume(talk))
        return APP_DONE;
    if (talk->asks != APP_ASKS_NOTHING && !talk->revealed) {
        talk->committed = talk->revealed = true;
        return APP_DONE;
    }
    if (talk->step + 1 >= talk->steps) {
        snprintf(reply->text, sizeof reply->text, "This is the talk's last step.");
        return APP_REFUSED;
    }
    talk->step++;
    forget_guess(talk);
    return APP_DONE;
}

APP_ACTION(app_change_talk_previous)
{
    struct app_talk_view *talk = &state->talk;
    (void)facts;
    (void)argument;
    if (resume(talk))
        return APP_DONE;
    if (talk->step == 0) {
        snprintf(reply->text, sizeof reply->text, "This is the talk's first step.");
        return APP_REFUSED;
    }
    talk->step--;
    forget_guess(talk);
    return APP_DONE;
}

APP_ACTION(app_change_talk_blank)
{
    (void)facts;
    (void)argument;
    (void)reply;
    state->talk.blank = !state->talk.blank;
    return APP_DONE;
}

/* Appends a character to the typed number; a number that was complete is replaced. */
static enum app_outcome type(struct app_talk_view *talk, char character, struct app_reply *reply)
{
    if (talk->committed) {
        memset(talk->typed, 0, sizeof talk->typed);
        talk->committed = false;
    }
    const size_t length = strlen(talk->typed);
    if (character == '.' && strchr(talk->typed, '.') != NULL) {
        snprintf(reply->text, sizeof reply->text, "The number has a point already.");
        return APP_REFUSED;
    }
    if (length + 1 == sizeof talk->typed) {
        snprintf(reply->text, sizeof reply->text, "A guess has at most %d characters.",
                 APP_TALK_TYPED_MAX - 1);
        return APP_REFUSED;
    }
    talk->typed[length] = character;
    return APP_DONE;
}

APP_ACTION(app_change_talk_guess)
{
    struct app_talk_view *talk = &state->talk;
    const size_t length = strlen(talk->typed);
    (void)facts;
    if (argument->step == APP_STEP_LESS) {
        if (length > 0)
            talk->typed[length - 1] = 0;
        talk->committed = false;
        talk->choice = 0;
        return APP_DONE;
    }
    const char character = argument->given.text[0];
    if (talk->asks == APP_ASKS_NUMBER)
        return type(talk, character, reply);
    const int choice = character - '0';
    if (choice < 1 || choice > talk->answers) {
        snprintf(reply->text, sizeof reply->text, "The answers are 1 to %d.", talk->answers);
        return APP_REFUSED;
    }
    talk->choice = choice;
    return APP_DONE;
}

APP_ACTION(app_change_talk_reveal)
{
    struct app_talk_view *talk = &state->talk;
    (void)facts;
    (void)argument;
    (void)reply;
    talk->committed = true;
    return APP_DONE;
}
