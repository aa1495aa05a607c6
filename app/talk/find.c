/* app/talk/find.c - finds and reads the talk that the command line names. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "talk/talk.h"

#include "base/files.h"
#include "places/folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

static bool find_shipped(const char *name, char path[APP_PATH_MAX])
{
    char file[APP_PATH_MAX];
    const int written = snprintf(file, sizeof file, "talks/%s.json", name);
    return written > 0 && written < (int)sizeof file && app_assets_find(file, path) &&
           is_file(path);
}

/* Finds the file of --talk: `wanted` itself when it is a file, else a talk of that name among the
 * shipped ones. Errors: KRN_FAILED. */
static enum krn_code talk_find(const char *wanted, char path[APP_PATH_MAX], struct krn_error *error)
{
    if (is_file(wanted)) {
        snprintf(path, APP_PATH_MAX, "%s", wanted);
        return KRN_OK;
    }
    if (strchr(wanted, '/') == NULL && find_shipped(wanted, path))
        return KRN_OK;
    return KRN_FAIL(error, KRN_FAILED, "There is no talk %s: no file has that name%s.",
                    app_shorten(wanted).text,
                    strchr(wanted, '/') != NULL ? "" : ", and no shipped talk has");
}

/* Returns the scene file that a setting names, or NULL. */
static const char *file_of(const struct app_talk_setting *setting)
{
    return setting->entry->value.kind == APP_VALUE_PATH && !setting->given.word
               ? setting->given.text
               : NULL;
}

const char *app_talk_folder_of(const void *given, const char *path)
{
    const struct app_talk *talk = given;
    for (int i = 0; i < talk->step_count; i++)
        for (int s = 0; s < talk->steps[i].setting_count; s++) {
            const char *file = file_of(&talk->steps[i].settings[s]);
            if (file != NULL && strcmp(file, path) == 0)
                return talk->folder;
        }
    return NULL;
}

/* Checks a file that a talk names. It may be missing, which the step that needs it says. */
static enum krn_code check_file(const char *folder, const char *file, struct krn_error *error)
{
    struct stat status;
    char *real = realpath(file, NULL);
    enum krn_code code = KRN_OK;
    if (real != NULL && !app_path_below(real, folder))
        code =
            KRN_FAIL(error, KRN_REFUSED, "%s leads out of the talk's folder; copy the file there.",
                     app_shorten(file).text);
    else if (real != NULL && (stat(real, &status) != 0 || !S_ISREG(status.st_mode)))
        code = KRN_FAIL(error, KRN_REFUSED, "%s is not a regular file; a talk names no others.",
                        app_shorten(file).text);
    free(real);
    return code;
}

/* Finds the real path of the talk's folder. */
static enum krn_code find_folder(struct app_talk *talk, const char *path, struct krn_error *error)
{
    char folder[APP_PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
             slash != NULL ? path : ".");
    char *real = realpath(folder, NULL);
    const bool found = real != NULL && strlen(real) < sizeof talk->folder;
    if (found)
        memcpy(talk->folder, real, strlen(real) + 1);
    free(real);
    return found ? KRN_OK
                 : KRN_FAIL(error, KRN_FAILED, "%s: its folder cannot be found.",
                            app_shorten(path).text);
}

/* Checks that the files that a talk names are regular ones in its folder or below, also behind
 * symbolic links: whoever opens a talk has named no others. They may change until a step opens
 * them, when they are checked again. */
static enum krn_code check_files(struct app_talk *talk, const char *path, struct krn_error *error)
{
    struct krn_error why;
    enum krn_code code = find_folder(talk, path, error);
    for (int i = 0; code == KRN_OK && i < talk->step_count; i++) {
        const struct app_talk_step *step = &talk->steps[i];
        for (int s = 0; code == KRN_OK && s < step->setting_count; s++) {
            const char *file = file_of(&step->settings[s]);
            code = file != NULL ? check_file(talk->folder, file, &why) : KRN_OK;
            if (code != KRN_OK)
                KRN_FAIL(error, code, "%s, step %s: %s", app_shorten(path).text, step->id,
                         why.text);
        }
    }
    return code;
}

enum krn_code app_talk_read(const char *wanted, const struct app_state *start,
                            struct app_talk **talk, struct krn_error *error)
{
    char path[APP_PATH_MAX], *text = NULL;
    size_t length = 0;
    struct krn_error why;
    struct app_talk *made = NULL;
    enum krn_code code = talk_find(wanted, path, error);
    if (code != KRN_OK)
        return code;
    if (app_read_file(path, APP_TALK_BYTES_MAX, &text, &length, error) != KRN_OK)
        return error->code = KRN_FAILED;
    code = app_talk_parse(text, length, path, &made, error);
    free(text);
    if (code == KRN_OK)
        code = check_files(made, path, error);
    struct app_state state;
    for (int i = 0; code == KRN_OK && i < made->step_count; i++) {
        code = app_talk_state(made, start, i, &state, &why);
        if (code != KRN_OK)
            KRN_FAIL(error, code, "%s, %s", app_shorten(path).text, why.text);
    }
    if (code == KRN_OK)
        *talk = made;
    else
        app_talk_free(made);
    return code;
}
