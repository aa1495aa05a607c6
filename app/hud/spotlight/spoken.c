#include "hud/spotlight/spoken.h"

#include "base/numbers.h"
#include "base/value.h"
#include "claims/claims.h"
#include "command/keys.h"
#include "hud/pages/grid.h"
#include "hud/parts.h"
#include "topics/topic.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void app_spoken_source(enum app_text text, bool title, char *out, size_t size)
{
    const struct app_text_entry *entry = app_text_of(text);
    char author[64];
    snprintf(author, sizeof author, "%s", entry->author);
    author[0] = (char)toupper((unsigned char)author[0]);
    /* Two authors are joined by a comma in the table. */
    const char *comma = strstr(author, ", ");
    const int first = comma ? (int)(comma - author) : (int)strlen(author);
    const bool dated = isdigit((unsigned char)entry->published[0]);
    snprintf(out, size, "%.*s%s%s%s%s%s%s", first, author, comma ? " and " : "",
             comma ? comma + 2 : "", title ? ", " : "", title ? entry->title : "",
             dated ? ", " : "", dated ? entry->published : "");
}

/* Writes "J. Sanders and E. Kandrot, 2010, on a GTX 280:". */
static void write_source(enum app_text text, const char *device, bool title, char *out, size_t size)
{
    char source[192];
    app_spoken_source(text, title, source, sizeof source);
    /* "any GPU" and "other GPUs" are in the sentence already. */
    const bool named = strncmp(device, "any ", 4) != 0 && strncmp(device, "other ", 6) != 0;
    snprintf(out, size, "%s%s%s:", source, named ? ", on a " : "", named ? device : "");
}

/* Writes "This NVIDIA H200, this run:": the numbers are of one process and say nothing about other
 * runs. */
static void write_device(const struct app_panels_view *view, unsigned trust, char *out, size_t size)
{
    const char *name = view && view->probes.device ? view->probes.device->name : "device";
    const bool recorded = trust & APP_TRUST_BIT(APP_TRUST_RECORDED);
    snprintf(out, size, "%s%s, %s:", recorded ? "" : "This ", name,
             recorded ? "recorded" : "this run");
}

void app_spoken_claim(const struct app_panels_view *view, int claim, struct app_spoken *spoken)
{
    const struct app_claim_entry *entry = app_claim_entry_of((enum app_claim_id)claim);
    memset(spoken, 0, sizeof *spoken);
    write_source(entry->text, entry->device, true, spoken->source, sizeof spoken->source);
    write_source(entry->text, entry->device, false, spoken->brief, sizeof spoken->brief);
    snprintf(spoken->sentence, sizeof spoken->sentence, "%s", entry->says);
    snprintf(spoken->now, sizeof spoken->now, "–");
    spoken->judged = true;
    spoken->verdict = APP_VERDICT_NOT_MEASURED;
    write_device(view, 0, spoken->device, sizeof spoken->device);
    if (view == NULL || view->claims == NULL)
        return;
    const struct app_claim *row = &view->claims[claim];
    const unsigned trust = row->now.estimate.trust;
    spoken->verdict = row->now.verdict;
    spoken->trust = trust;
    write_device(view, trust, spoken->device, sizeof spoken->device);
    if (row->now.verdict != APP_VERDICT_NOT_MEASURED || row->hidden) {
        snprintf(spoken->now, sizeof spoken->now, "%s", row->now.text);
        snprintf(spoken->interval, sizeof spoken->interval, "%s", row->now.interval);
    }
    if (row->hidden) {
        snprintf(spoken->remark, sizeof spoken->remark, "%s", row->note);
        snprintf(spoken->device, sizeof spoken->device,
                 "%s:", view->probes.device ? view->probes.device->name : "This device");
        spoken->judged = false;
        return;
    }
    const char *reason = app_trust_first(trust);
    const char *said = row->beside[0] ? row->beside : "";
    if (row->now.verdict == APP_VERDICT_NOT_MEASURED)
        said = row->note[0] ? row->note : "no sample yet: {measure} measures it";
    char text[256];
    snprintf(text, sizeof text, "%s%s%s", said, said[0] && reason[0] ? ", " : "", reason);
    app_key_hints(text, spoken->remark, sizeof spoken->remark);
}

void app_spoken_topic(const struct app_panels_view *view, int topic, struct app_spoken *spoken)
{
    static const char *const what[] = {
#define WHAT(id, name, what) what,
        KRN_TOPICS(WHAT)
#undef WHAT
    };
    const int claim = app_claim_of_topic((enum krn_topic)topic);
    if (claim >= 0) {
        app_spoken_claim(view, claim, spoken);
        return;
    }
    memset(spoken, 0, sizeof *spoken);
    snprintf(spoken->source, sizeof spoken->source, "No text claims a number for this:");
    snprintf(spoken->brief, sizeof spoken->brief, "%s", spoken->source);
    app_format(spoken->sentence, sizeof spoken->sentence, "%s.", what[topic]);
    spoken->sentence[0] = (char)toupper((unsigned char)spoken->sentence[0]);
    snprintf(spoken->now, sizeof spoken->now, "–");
    write_device(view, 0, spoken->device, sizeof spoken->device);
    if (view == NULL)
        return;
    const struct app_page_headline headline = app_page_headline(view, (enum krn_topic)topic);
    const struct app_estimate *number = &headline.said.estimate;
    if (!number->valid || app_trust_no_verdict(number->trust)) {
        snprintf(spoken->remark, sizeof spoken->remark, "%s",
                 number->valid ? app_verdict_word(headline.said.verdict)
                               : app_panel_not_yet(view).text);
        return;
    }
    write_device(view, number->trust, spoken->device, sizeof spoken->device);
    spoken->trust = number->trust;
    snprintf(spoken->now, sizeof spoken->now, "%s", headline.said.text);
    snprintf(spoken->interval, sizeof spoken->interval, "%s", headline.said.interval);
    snprintf(spoken->remark, sizeof spoken->remark, "%s", headline.caption);
}

/* Writes the median on screen, with its interval and its number of samples, in a duel side A's;
 * below it why there is none, or the first reason to doubt it. */
static void write_median(const struct app_hud *hud, unsigned trust, struct app_spoken *spoken)
{
    const struct app_mode_time *now = &hud->now[0];
    const struct app_described said =
        app_describe(now->median, (struct app_form){.quantity = APP_QUANTITY_TIME});
    snprintf(spoken->now, sizeof spoken->now, "%s", said.text);
    spoken->trust = trust;
    if (said.interval[0])
        snprintf(spoken->interval, sizeof spoken->interval, "%s n %zu", said.interval, now->ms.n);
    snprintf(spoken->remark, sizeof spoken->remark, "%s",
             now->missing[0] ? now->missing : app_trust_first(trust));
}

void app_spoken_kernel(const struct app_hud *hud, struct app_spoken *spoken)
{
    char storage[32], kernel[32];
    const struct app_state *state = hud->state;
    memset(spoken, 0, sizeof *spoken);
    app_hud_name(state->mode, state->mode, storage, sizeof storage);
    app_hud_kernel(state->mode, NULL, kernel, sizeof kernel);
    snprintf(spoken->source, sizeof spoken->source,
             "%s %s, spheres read from:", state->duel.on ? "Side A: the" : "The", kernel);
    snprintf(spoken->brief, sizeof spoken->brief, "The %s, from:", kernel);
    snprintf(spoken->sentence, sizeof spoken->sentence, "%s memory: %d sphere%s, %d×%d pixels",
             storage, state->recipe.count, state->recipe.count == 1 ? "" : "s", state->width,
             state->height);
    if (hud->now[0].recorded)
        snprintf(spoken->device, sizeof spoken->device, "%s, recorded:", hud->recorded->name);
    else
        snprintf(spoken->device, sizeof spoken->device, "This %s, this run:", hud->device->name);
    write_median(hud, hud->trust, spoken);
}

void app_spoken_story(const struct app_hud *hud, struct app_spoken *spoken)
{
    const struct app_story_view *story = hud->story;
    char storage[32];
    memset(spoken, 0, sizeof *spoken);
    app_hud_name(hud->state->mode, hud->state->mode, storage, sizeof storage);
    const bool measured = story && story->least > 0;
    if (measured && story->done)
        snprintf(spoken->source, sizeof spoken->source, "Kernel time against spheres:");
    else
        app_format(spoken->source, sizeof spoken->source, "Kernel time against spheres, %.0f %%:",
                   story ? floor(100.0 * story->progress) : 0.0);
    snprintf(spoken->brief, sizeof spoken->brief, "%s", spoken->source);
    const bool says = measured && story->headline.count > 0 && !app_trust_no_verdict(story->trust);
    snprintf(spoken->sentence, sizeof spoken->sentence, "%s",
             says ? story->headline.text[0] : "Which storage is fastest depends on their number");
    snprintf(spoken->device, sizeof spoken->device,
             "%s, %d sphere%s, %s:", hud->now[0].recorded ? "Recorded" : "On screen",
             hud->state->recipe.count, hud->state->recipe.count == 1 ? "" : "s", storage);
    write_median(hud, hud->trust | (story ? story->trust : 0), spoken);
}

void app_spoken_anatomy(const struct app_hud *hud, struct app_spoken *spoken)
{
    const struct app_anatomy_view *view = hud->anatomy;
    const bool measured = view && view->frames > 0;
    memset(spoken, 0, sizeof *spoken);
    snprintf(spoken->source, sizeof spoken->source, "A frame on CPU and GPU, phase by phase:");
    snprintf(spoken->brief, sizeof spoken->brief, "%s", spoken->source);
    snprintf(spoken->now, sizeof spoken->now, "–");
    snprintf(spoken->device, sizeof spoken->device, "This %s, this run:", hud->device->name);
    if (!measured) {
        snprintf(spoken->sentence, sizeof spoken->sentence, "The first frames are being collected");
        return;
    }
    const struct app_number length = app_number_time(view->length_ms);
    const double fps = view->length_ms > 0.0 ? 1e3 / view->length_ms : -1.0;
    snprintf(spoken->sentence, sizeof spoken->sentence, "The frame is limited by: %s",
             view->limit ? view->limit : "n/a");
    snprintf(spoken->now, sizeof spoken->now, "%s %s", length.value, length.unit);
    snprintf(spoken->interval, sizeof spoken->interval, "%s fps", app_number_plain(fps, "").value);
}
