#include "hud/spotlight/spoken.h"

#include "base/numbers.h"
#include "base/value.h"
#include "claims/claims.h"
#include "command/keys.h"
#include "hud/pages/grid.h"
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

void app_spoken_mode(struct krn_mode mode, char *storage, char *kernel, size_t size)
{
    snprintf(storage, size, "%s", krn_storage_name(mode.storage));
    for (char *at = storage; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    if (krn_kernel_has_pixels(mode.kernel))
        snprintf(kernel, size, "%s kernel, K %d", krn_kernel_name(mode.kernel),
                 mode.pixels_per_thread);
    else
        snprintf(kernel, size, "%s kernel", krn_kernel_name(mode.kernel));
}

/* The number on screen: the median of n times in ms, and its interval. */
struct shown_median {
    size_t n; /* 0: there is none */
    double ms;
    struct krn_interval interval;
};

/* Returns the recorded median where a record is played, else this machine's; in a duel side A's. */
static struct shown_median median_of(const struct app_hud *hud)
{
    const struct app_state *state = hud->state;
    const struct app_recorded_mode *recorded = &hud->shown.modes[0];
    if (hud->play)
        return (struct shown_median){
            recorded->valid ? recorded->ms.n : 0,
            recorded->ms.median,
            {recorded->median.has_interval, recorded->median.low, recorded->median.high}};
    const struct app_duel *duel = state->duel.on ? app_engine_duel(hud->engine) : NULL;
    const struct krn_series *series =
        duel ? &duel->sides[0] : app_engine_series(hud->engine, state->backend, state->mode);
    const struct krn_summary summary = krn_series_summary(series);
    return (struct shown_median){summary.n, summary.median,
                                 krn_interval_widen(krn_series_interval(series), hud->tick_ms)};
}

/* Writes the median on screen, with its interval and its number of samples. */
static void write_median(const struct app_hud *hud, struct app_spoken *spoken)
{
    const struct shown_median shown = median_of(hud);
    const struct app_number median = app_number_time(shown.n ? shown.ms : -1.0);
    snprintf(spoken->now, sizeof spoken->now, "%s%s%s", median.value, shown.n ? " " : "",
             shown.n ? median.unit : "");
    spoken->trust = hud->trust;
    if (shown.n > 0 && shown.interval.valid)
        snprintf(
            spoken->interval, sizeof spoken->interval, "%s n %zu",
            app_number_time_interval(shown.interval.low, shown.interval.high, shown.ms, shown.ms)
                .text,
            shown.n);
}

/* Returns what is to be said below the number: why there is none, or the first reason to doubt. */
static const char *remark_of(const struct app_hud *hud, unsigned trust)
{
    return hud->play && !hud->shown.modes[0].valid ? hud->shown.modes[0].missing
                                                   : app_trust_first(trust);
}

void app_spoken_kernel(const struct app_hud *hud, struct app_spoken *spoken)
{
    char storage[32], kernel[32];
    const struct app_state *state = hud->state;
    memset(spoken, 0, sizeof *spoken);
    app_spoken_mode(state->mode, storage, kernel, sizeof storage);
    snprintf(spoken->source, sizeof spoken->source,
             "%s %s, spheres read from:", state->duel.on ? "Side A: the" : "The", kernel);
    snprintf(spoken->brief, sizeof spoken->brief, "The %s, from:", kernel);
    snprintf(spoken->sentence, sizeof spoken->sentence, "%s memory: %d sphere%s, %d×%d pixels",
             storage, state->recipe.count, state->recipe.count == 1 ? "" : "s", state->width,
             state->height);
    if (hud->play)
        snprintf(spoken->device, sizeof spoken->device, "%s, recorded:", hud->recorded->name);
    else
        snprintf(spoken->device, sizeof spoken->device, "This %s, this run:", hud->device->name);
    write_median(hud, spoken);
    snprintf(spoken->remark, sizeof spoken->remark, "%s", remark_of(hud, hud->trust));
}

void app_spoken_story(const struct app_hud *hud, struct app_spoken *spoken)
{
    const struct app_story_view *story = hud->story;
    char storage[32], kernel[32];
    memset(spoken, 0, sizeof *spoken);
    app_spoken_mode(hud->state->mode, storage, kernel, sizeof storage);
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
             "%s, %d sphere%s, %s:", hud->play ? "Recorded" : "On screen", hud->state->recipe.count,
             hud->state->recipe.count == 1 ? "" : "s", storage);
    write_median(hud, spoken);
    if (story)
        spoken->trust |= story->trust;
    snprintf(spoken->remark, sizeof spoken->remark, "%s", remark_of(hud, spoken->trust));
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
