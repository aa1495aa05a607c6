/* app/window/session_files.c - writes screenshots, records and reports; records runs. */
#include "window/session.h"

#include "records/io.h"
#include "window/front.h"

#include "ren/png.h"

#include <stdlib.h>
#include <string.h>

void app_session_anatomy(const struct app_session *session, struct app_anatomy_view *view)
{
    *view = session->anatomy_view;
    view->frames = 0;
    if (session->anatomy)
        app_anatomy_sum_up(session->anatomy, view);
}

struct app_results app_session_record(struct app_session *session)
{
    struct app_anatomy_view anatomy;
    app_session_anatomy(session, &anatomy);
    const struct ren_blit_status blit = ren_picture_status(session->renderer);
    const struct app_session_record sources = {
        .environment = session->environment,
        .engine = session->engine,
        .state = &session->good,
        .screen = {ren_describe(session->renderer), session->context, &blit},
        .verify = (const struct app_verify *const *)session->verify,
        .display_waits = app_session_display_waits(session),
        .panels = session->good.look.panels != APP_PANELS_OFF ? session->panels : NULL,
        .story = session->story,
        .frames = &session->frames,
        .anatomy = &anatomy,
        .now_s = session->facts.now_s,
        .recorded = app_session_recorded(session),
        .measured = session->measured,
        .played = session->play ? &session->played.state : NULL,
        .cut_short = session->cut_short,
    };
    struct app_results results = app_report_session(&sources);
    if (session->class_run != NULL)
        app_report_add_class(&results, app_class_current(session->class_run, 0.0));
    app_results_sort(&results);
    return results;
}

static char *record_text(struct app_session *session, bool picture)
{
    struct app_results results = app_session_record(session);
    char *text = picture ? app_results_picture_text(&results) : app_results_text(&results);
    app_results_free(&results);
    return text;
}

/* Writes `what` to path, which no file has yet. */
typedef enum krn_code write_file(const void *what, const char *path, struct krn_error *error);

static enum krn_code write_picture(const void *what, const char *path, struct krn_error *error)
{
    return app_picture_write(path, what, false, error);
}

static enum krn_code write_text(const void *what, const char *path, struct krn_error *error)
{
    return app_write_new_file(path, what, strlen(what), error);
}

/* Writes to a new name in the pictures folder. The writer refuses to replace a file, even one that
 * another program has just made; then the next name is tried. */
static enum krn_code write_new(const struct app_session *session, const char *suffix,
                               write_file *write, const void *what, char path[APP_PATH_MAX],
                               struct krn_error *error)
{
    enum { CHOICES = 100 };
    char folder[APP_PATH_MAX];
    app_pictures_folder(folder);
    const time_t now = time(NULL);
    enum krn_code code = KRN_REFUSED;
    for (int choice = 1; choice <= CHOICES && code == KRN_REFUSED; choice++) {
        code = app_output_name(path, folder, now, session->good.spec.mode.storage, choice, suffix,
                               error);
        KRN_THEN(code, write(what, path, error));
    }
    return code;
}

/* Makes an empty file, which a process will replace. */
static enum krn_code write_nothing(const void *what, const char *path, struct krn_error *error)
{
    (void)what;
    return app_write_new_file(path, "", 0, error);
}

static void start_recording(struct app_session *session, double now_s)
{
    char path[APP_PATH_MAX];
    struct krn_error error;
    enum krn_code code = write_new(session, "-run.json", write_nothing, NULL, path, &error);
    KRN_THEN(code,
             app_recording_start(&session->recording, &session->good,
                                 app_engine_ordinal(session->engine, session->good.spec.backend),
                                 path, &error));
    if (code != KRN_OK)
        app_session_say(session, APP_TONE_WARNED, now_s, error.text);
}

/* Says how the recording goes, or how it has ended. */
static void tell(struct app_session *session, enum app_recording_state state, double now_s)
{
    const struct app_recording *recording = &session->recording;
    char text[APP_NOTICE_MAX], hint[APP_NOTICE_MAX];
    const char *slash = strrchr(recording->path, '/');
    const char *name = slash ? slash + 1 : recording->path;
    if (state == APP_RECORDING_RUNNING)
        snprintf(text, sizeof text, "%s: %.120s. {record} cancels.",
                 recording->cancelled ? "Cancelling" : "Recording a run", recording->line);
    else if (state == APP_RECORDING_DONE)
        snprintf(text, sizeof text, "Recorded %s; --play shows it", app_shorten(name).text);
    else
        snprintf(text, sizeof text, "No run recorded: %.160s",
                 recording->cancelled ? "cancelled" : recording->line);
    app_key_hints(text, hint, sizeof hint);
    app_session_say(session,
                    state == APP_RECORDING_FAILED && !recording->cancelled ? APP_TONE_WARNED
                                                                           : APP_TONE_SAID,
                    now_s, hint);
}

void app_session_recording(struct app_session *session, double now_s)
{
    struct app_recording *recording = &session->recording;
    const unsigned bit = APP_REQUEST_RECORD;
    if (session->state.requests & bit) {
        session->state.requests &= ~bit;
        if (recording->state == APP_RECORDING_RUNNING)
            app_recording_cancel(recording);
        else
            start_recording(session, now_s);
    }
    if (recording->state == APP_RECORDING_NONE)
        return;
    const enum app_recording_state state = app_recording_poll(recording);
    tell(session, state, now_s);
    if (state != APP_RECORDING_RUNNING)
        recording->state = APP_RECORDING_NONE;
}

enum krn_code app_session_results(struct app_session *session, char path[APP_PATH_MAX],
                                  struct krn_error *error)
{
    char *record = record_text(session, false);
    const enum krn_code code = write_new(session, ".json", write_text, record, path, error);
    free(record);
    return code;
}

/* Reads the frame just drawn into a picture of its size; *rgba is to be freed. */
static enum krn_code read_frame(struct app_session *session, struct ren_png *picture,
                                unsigned char **rgba, struct krn_error *error)
{
    *rgba = malloc(4 * (size_t)picture->width * (size_t)picture->height);
    picture->rgba = *rgba;
    return *rgba ? ren_frame_read(session->renderer, *rgba, error)
                 : KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a screenshot.");
}

/* Halves a picture: each pixel becomes the mean of four. */
static void halve(struct ren_png *picture, unsigned char *rgba)
{
    const size_t from = 4 * (size_t)picture->width;
    picture->width /= 2;
    picture->height /= 2;
    const size_t to = 4 * (size_t)picture->width;
    for (size_t y = 0; y < (size_t)picture->height; y++)
        for (size_t x = 0; x < to; x++) {
            const unsigned char *at = rgba + 2 * y * from + x / 4 * 8 + x % 4;
            rgba[y * to + x] = (unsigned char)((at[0] + at[4] + at[from] + at[from + 4] + 2) / 4);
        }
}

enum krn_code app_session_png(struct app_session *session, const struct app_results *results,
                              int width, int height, struct app_web_page *page,
                              struct krn_error *error)
{
    const size_t most = APP_WEB_PAGE_MAX / 2 / 4 * 3; /* as base64, half of the page */
    char *record = app_results_brief_text(results);
    struct ren_png picture = {width, height, NULL, APP_RECORD_KEY, record};
    unsigned char *rgba;
    enum krn_code code = read_frame(session, &picture, &rgba, error);
    KRN_THEN(code, ren_png_encode(&picture, &page->png, &page->png_bytes, error));
    while (code == KRN_OK && page->png_bytes > most && picture.width > 1 && picture.height > 1) {
        free(page->png);
        page->png = NULL;
        halve(&picture, rgba);
        code = ren_png_encode(&picture, &page->png, &page->png_bytes, error);
    }
    free(rgba);
    free(record);
    return code;
}

enum krn_code app_session_page(struct app_session *session, const struct app_results *results,
                               int width, int height, struct app_web_page *page,
                               struct krn_error *error)
{
    const struct app_recorded *recorded = app_session_recorded(session);
    struct app_claim judged[APP_CLAIM_COUNT];
    *page = (struct app_web_page){
        .records = results, .count = 1, .band_percent = KRN_DUEL_BAND_PERCENT};
    if (session->play && recorded)
        page->records = app_recorded_records(recorded, &page->count);
    if (session->talk) {
        const struct app_recorded_view *view = recorded ? app_recorded_view(recorded) : NULL;
        if (!view)
            app_results_judge(results, NULL, page->band_percent, judged);
        page->talk = app_talk_table(session->talk, &session->state.talk, &session->talk_start,
                                    view ? view->panels.claims : judged,
                                    view ? view->name : results->device.name);
    }
    return width > 0 && height > 0 ? app_session_png(session, results, width, height, page, error)
                                   : KRN_OK;
}

enum krn_code app_session_save_page(struct app_session *session, int width, int height,
                                    char path[APP_PATH_MAX], struct krn_error *error)
{
    struct app_results results = app_session_record(session);
    struct app_web_page page;
    enum krn_code code = app_session_page(session, &results, width, height, &page, error);
    if (code == KRN_OK) {
        char *text = app_web_page_text(&page);
        code = write_new(session, ".html", write_text, text, path, error);
        free(text);
    }
    app_web_page_free(&page);
    app_results_free(&results);
    return code;
}

enum krn_code app_session_screenshot(struct app_session *session, int width, int height,
                                     char path[APP_PATH_MAX], struct krn_error *error)
{
    if (width <= 0 || height <= 0)
        return KRN_FAIL(error, KRN_REFUSED, "There is nothing on screen to keep.");
    char *record = record_text(session, true);
    struct ren_png picture = {width, height, NULL, APP_RECORD_KEY, record};
    unsigned char *rgba;
    enum krn_code code = read_frame(session, &picture, &rgba, error);
    if (code == KRN_OK)
        code = path[0] ? app_picture_write(path, &picture, true, error)
                       : write_new(session, ".png", write_picture, &picture, path, error);
    free(rgba);
    free(record);
    return code;
}
