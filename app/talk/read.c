/* app/talk/read.c - finds and reads talks, which are JSON files. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "talk/talk.h"

#include "base/json_read.h"
#include "command/options.h"
#include "krn/memory.h"
#include "spec/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "spherescope-talk-1"

enum { MEMBERS_MAX = 9 }; /* of an object */

static const struct app_json_bounds bounds = {
    .bytes = APP_TALK_BYTES_MAX,
    .depth = APP_TALK_DEPTH_MAX,
    .values = APP_TALK_VALUES_MAX,
};

/* What the texts and paths of a talk lie in. */
struct owner {
    json_t *root;
    char *paths[APP_TALK_STEPS_MAX * 2]; /* of scene files, from the working folder */
    size_t path_count;
};

struct reading {
    struct app_json_reader reader;
    const char *file;                                /* the talk's */
    char source[APP_PATH_MAX + 2 * APP_TALK_ID_MAX]; /* the file, and the step that is read */
    struct owner *owner;
    struct app_talk *talk;
};

/* Reads the string at the reader's position; lines: it may have line ends. */
static enum krn_code read_string(const struct app_json_reader *reader, const json_t *value,
                                 size_t most, bool lines, const char **text)
{
    const char *string = json_string_value(value);
    if (value == NULL)
        return app_json_fail(reader, "is missing");
    if (string == NULL || string[0] == 0 || strlen(string) > most ||
        strlen(string) != json_string_length(value) || !app_is_printable(string, lines))
        return app_json_fail(reader, "must be a text of 1 to %zu bytes%s", most,
                             lines ? "" : " in one line");
    *text = string;
    return KRN_OK;
}

/* A member of an object of the file, and where it goes. */
struct member {
    const char *key;
    enum { TEXT, NUMBER, PART, PARTS, KNOWN } kind; /* KNOWN: read beforehand */
    size_t offset;         /* of what is read, in the struct of the object */
    bool required;         /* an optional text that is missing is "" */
    bool lines;            /* a TEXT may have line ends */
    double least, most;    /* a NUMBER, and the bytes of a TEXT or elements of PARTS */
    const char *parts;     /* what PARTS are called in messages */
    size_t size, count_at; /* of an element of PARTS; the offset of their number, an int */
    /* Reads a PART, or each of PARTS. value: NULL where a required one is missing. */
    enum krn_code (*read)(struct reading *reading, const json_t *value, void *into);
};

static enum krn_code read_parts(struct reading *reading, const json_t *array,
                                const struct member *member, char *whole)
{
    const size_t count = json_array_size(array);
    int *read = (void *)(whole + member->count_at);
    if ((double)count < member->least || (double)count > member->most)
        return app_json_fail(&reading->reader, "must be an array of %g to %g %s", member->least,
                             member->most, member->parts);
    *read = (int)count; /* also on failure: what the parts own is freed */
    for (size_t i = 0; i < count; i++) {
        app_json_enter(&reading->reader, NULL, i);
        const enum krn_code code = member->read(reading, json_array_get(array, i),
                                                whole + member->offset + i * member->size);
        if (code != KRN_OK)
            return code;
        app_json_leave(&reading->reader);
    }
    return KRN_OK;
}

static enum krn_code read_number(const struct app_json_reader *reader, const json_t *value,
                                 double least, double most, double *number)
{
    if (value == NULL)
        return app_json_fail(reader, "is missing");
    *number = json_number_value(value);
    if (!json_is_number(value) || !(*number >= least && *number <= most))
        return app_json_fail(reader, "must be a number from %g to %g", least, most);
    return KRN_OK;
}

static enum krn_code read_member(struct reading *reading, const json_t *object,
                                 const struct member *member, char *whole)
{
    const json_t *value = json_object_get(object, member->key);
    void *into = whole + member->offset;
    const char **text = into;
    enum krn_code code = KRN_OK;
    if (member->kind == TEXT)
        *text = "";
    if (member->kind == KNOWN || (value == NULL && !member->required))
        return KRN_OK;
    app_json_enter(&reading->reader, member->key, 0);
    if (member->kind == TEXT)
        code = read_string(&reading->reader, value, (size_t)member->most, member->lines, text);
    else if (member->kind == NUMBER)
        code = read_number(&reading->reader, value, member->least, member->most, into);
    else if (member->kind == PART)
        code = member->read(reading, value, into);
    else
        code = read_parts(reading, value, member, whole);
    if (code == KRN_OK)
        app_json_leave(&reading->reader);
    return code;
}

/* Reads the members of an object in the order of the list, which ends with a key of NULL, and
 * refuses an object that has others. */
static enum krn_code read_members(struct reading *reading, const json_t *object,
                                  const struct member *members, void *whole)
{
    const char *known[MEMBERS_MAX + 1] = {NULL};
    for (int i = 0; members[i].key != NULL; i++)
        known[i] = members[i].key;
    enum krn_code code = app_json_check_members(&reading->reader, object, known);
    for (int i = 0; code == KRN_OK && members[i].key != NULL; i++)
        code = read_member(reading, object, &members[i], whole);
    return code;
}

/* ---- what a step sets ---- */

/* Returns the path of a file that lies in the talk's folder or below, from the working folder. */
static char *resolve(struct reading *reading, const char *path)
{
    const char *slash = strrchr(reading->file, '/');
    const int folder = slash != NULL ? (int)(slash - reading->file) + 1 : 0;
    const size_t size = (size_t)folder + strlen(path) + 1;
    char *made = krn_alloc(size, 1);
    snprintf(made, size, "%.*s%s", folder, reading->file, path);
    reading->owner->paths[reading->owner->path_count++] = made;
    return made;
}

/* Returns true when the path leads out of its folder. */
static bool leaves_folder(const char *path)
{
    if (path[0] == '/')
        return true;
    for (const char *at = path; at != NULL; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == 0))
            return true;
    }
    return false;
}

static enum krn_code read_path(struct reading *reading, struct app_talk_setting *setting)
{
    const struct app_json_reader *reader = &reading->reader;
    const size_t most = sizeof reading->owner->paths / sizeof *reading->owner->paths;
    if (leaves_folder(setting->text))
        return app_json_fail(reader, "must be a path below the talk's folder");
    if (reading->owner->path_count == most)
        return app_json_fail(reader, "is one file too many: a talk names %zu at most", most);
    setting->given.text = resolve(reading, setting->text);
    return KRN_OK;
}

/* Parses a setting's text as its option does. An option without a value takes on or off. */
static bool parse_setting(struct app_talk_setting *setting)
{
    if (setting->entry->value.kind != APP_VALUE_NONE)
        return app_value_parse(&setting->entry->value, setting->text, &setting->given);
    setting->given.on = strcmp(setting->text, "on") == 0;
    return setting->given.on || strcmp(setting->text, "off") == 0;
}

/* Returns the entry of an option of the state; NULL when the option is not one. */
static const struct app_command_entry *find_option(const char *key)
{
    char flag[64];
    snprintf(flag, sizeof flag, "--%s", key);
    const struct app_command_entry *entry = strlen(key) < 60 ? app_command_by_flag(flag) : NULL;
    return entry != NULL && entry->place != APP_PLACE_RUN ? entry : NULL;
}

static enum krn_code read_setting(struct reading *reading, const char *key, const json_t *value,
                                  struct app_talk_setting *setting)
{
    const struct app_json_reader *reader = &reading->reader;
    setting->entry = find_option(key);
    if (setting->entry == NULL)
        return app_json_fail(reader, "is not an option that a step can set");
    enum krn_code code = read_string(reader, value, APP_PATH_MAX - 1, false, &setting->text);
    if (code != KRN_OK)
        return code;
    if (!parse_setting(setting)) {
        char takes[160];
        app_value_describe(&setting->entry->value, takes, sizeof takes);
        return app_json_fail(reader, "takes %s",
                             setting->entry->value.kind == APP_VALUE_NONE ? "on or off" : takes);
    }
    if (setting->entry->value.kind == APP_VALUE_PATH && !setting->given.word)
        code = read_path(reading, setting);
    return code;
}

static int by_entry(const void *a, const void *b)
{
    const struct app_talk_setting *first = a, *second = b;
    return first->entry < second->entry ? -1 : first->entry > second->entry;
}

static enum krn_code read_settings(struct reading *reading, const json_t *set, void *into)
{
    struct app_json_reader *reader = &reading->reader;
    struct app_talk_step *step = into;
    const char *key;
    json_t *value;
    const size_t count = json_object_size(set);
    if (!json_is_object(set) || count > APP_TALK_SETTINGS_MAX)
        return app_json_fail(reader, "must be an object of at most %d options",
                             APP_TALK_SETTINGS_MAX);
    step->settings = krn_alloc(count, sizeof *step->settings);
    json_object_foreach((json_t *)set, key, value)
    {
        app_json_enter(reader, key, 0);
        const enum krn_code code =
            read_setting(reading, key, value, &step->settings[step->setting_count]);
        if (code != KRN_OK)
            return code;
        step->setting_count++;
        app_json_leave(reader);
    }
    qsort(step->settings, (size_t)step->setting_count, sizeof *step->settings, by_entry);
    return KRN_OK;
}

static enum krn_code read_actions(struct reading *reading, const json_t *actions, void *into)
{
    const char *action = json_string_value(json_array_get(actions, 0));
    bool *measures = into;
    *measures = json_array_size(actions) == 1 && action != NULL && strcmp(action, "measure") == 0;
    return *measures ? KRN_OK : app_json_fail(&reading->reader, "must be [\"measure\"]");
}

/* ---- questions ---- */

static bool find_claim(const char *id, enum app_claim_id *claim)
{
    int i = 0;
    while (i < APP_CLAIM_COUNT && strcmp(app_claim_entry_of((enum app_claim_id)i)->id, id) != 0)
        i++;
    *claim = (enum app_claim_id)i;
    return i < APP_CLAIM_COUNT;
}

static enum krn_code read_source(struct reading *reading, const json_t *measured, void *into)
{
    static const char *const keys[] = {"claim", "ratio", "time"};
    struct app_json_reader *reader = &reading->reader;
    struct app_talk_source *source = into;
    const char *text = "";
    int kind = 0;
    while (kind < 3 && json_object_get(measured, keys[kind]) == NULL)
        kind++;
    if (json_object_size(measured) != 1 || kind == 3)
        return app_json_fail(reader, "must be an object with claim, ratio or time");
    source->kind = (enum app_talk_source_kind)kind;
    app_json_enter(reader, keys[kind], 0);
    const enum krn_code code = read_string(reader, json_object_get(measured, keys[kind]),
                                           2 * APP_MODE_TEXT_MAX, false, &text);
    if (code != KRN_OK)
        return code;
    if (source->kind == APP_SOURCE_CLAIM && !find_claim(text, &source->claim))
        return app_json_fail(reader, "must be the id of a claim, such as constant-kernel");
    if (source->kind == APP_SOURCE_RATIO && !app_modes_parse(text, source->modes, NULL))
        return app_json_fail(reader, "must be two modes KERNEL/STORAGE[/K], joined by a comma");
    if (source->kind == APP_SOURCE_TIME && !app_mode_parse(text, strlen(text), &source->modes[0]))
        return app_json_fail(reader, "must be a mode KERNEL/STORAGE[/K]");
    app_json_leave(reader);
    return KRN_OK;
}

static enum krn_code read_verdict(struct reading *reading, const json_t *value, void *into)
{
    enum app_verdict *verdict = into;
    *verdict = app_verdict_of_word(json_string_value(value));
    return *verdict == APP_VERDICT_NONE
               ? app_json_fail(&reading->reader, "must be a verdict, such as HOLDS or FASTER")
               : KRN_OK;
}

#define ANSWER(member) offsetof(struct app_talk_answer, member)
static const struct member answer_members[] = {
    {"text", TEXT, ANSWER(text), .required = true, .most = APP_TALK_ANSWER_MAX},
    {"from", NUMBER, ANSWER(from), .least = -1e12, .most = 1e12},
    {"to", NUMBER, ANSWER(to), .least = -1e12, .most = 1e12},
    {"verdict", PART, ANSWER(verdict), .read = read_verdict},
    {.key = NULL}};

static enum krn_code read_answer(struct reading *reading, const json_t *value, void *into)
{
    struct app_json_reader *reader = &reading->reader;
    struct app_talk_answer *answer = into;
    if (!json_is_object(value))
        return app_json_fail(reader, "must be an object with a text");
    answer->from = -INFINITY;
    answer->to = INFINITY;
    const enum krn_code code = read_members(reading, value, answer_members, answer);
    if (code != KRN_OK)
        return code;
    answer->bounded = isfinite(answer->from) || isfinite(answer->to);
    if (answer->from >= answer->to)
        return app_json_fail(reader, "has an empty range: from must be less than to");
    return KRN_OK;
}

/* Reads the upper limit of a number's range, the lower one being known. */
static enum krn_code read_highest(struct reading *reading, const json_t *value, void *into)
{
    struct app_talk_question *question = into;
    return read_number(&reading->reader, value, question->lowest, 1e12, &question->highest);
}

#define QUESTION(member) offsetof(struct app_talk_question, member)
static const struct member choice_members[] = {
    {"kind", .kind = KNOWN},
    {"text", TEXT, QUESTION(text), .required = true, .most = APP_TALK_CAPTION_MAX},
    {"unit", TEXT, QUESTION(unit), .most = APP_TALK_UNIT_MAX},
    {"answers", PARTS, QUESTION(answers), .required = true, .least = APP_TALK_ANSWERS_MIN,
     .most = APP_TALK_ANSWERS_MAX, .parts = "answers", .size = sizeof(struct app_talk_answer),
     .count_at = QUESTION(answer_count), .read = read_answer},
    {"measured", PART, QUESTION(source), .required = true, .read = read_source},
    {.key = NULL}};
static const struct member number_members[] = {
    {"kind", .kind = KNOWN},
    {"text", TEXT, QUESTION(text), .required = true, .most = APP_TALK_CAPTION_MAX},
    {"unit", TEXT, QUESTION(unit), .most = APP_TALK_UNIT_MAX},
    {"lowest", NUMBER, QUESTION(lowest), .required = true, .least = -1e12, .most = 1e12},
    {"highest", PART, .required = true, .read = read_highest},
    {"measured", PART, QUESTION(source), .required = true, .read = read_source},
    {.key = NULL}};

static enum krn_code read_question(struct reading *reading, const json_t *object, void *into)
{
    struct app_json_reader *reader = &reading->reader;
    struct app_talk_question *question = into;
    const char *kind = json_string_value(json_object_get(object, "kind"));
    const bool chooses = kind != NULL && strcmp(kind, "choice") == 0;
    if (!chooses && (kind == NULL || strcmp(kind, "number") != 0))
        return app_json_fail(reader, "must be an object whose kind is choice or number");
    question->asks = chooses ? APP_ASKS_CHOICE : APP_ASKS_NUMBER;
    const enum krn_code code =
        read_members(reading, object, chooses ? choice_members : number_members, question);
    if (code == KRN_OK && question->source.kind == APP_SOURCE_TIME &&
        app_talk_unit_ms(question->unit) == 0.0)
        return app_json_fail(reader, "asks for a time, so its unit must be ns, µs, ms or s");
    return code;
}

/* ---- steps ---- */

static enum krn_code read_line(struct reading *reading, const json_t *value, void *into)
{
    return read_string(&reading->reader, value, APP_TALK_BODY_MAX, false, into);
}

#define STEP(member) offsetof(struct app_talk_step, member)
static const struct member step_id = {"id", TEXT, STEP(id), .required = true,
                                      .most = APP_TALK_ID_MAX};
static const struct member step_members[] = {
    {"id", .kind = KNOWN},
    {"caption", TEXT, STEP(caption), .most = APP_TALK_CAPTION_MAX},
    {"body", PARTS, STEP(body), .least = 1, .most = APP_TALK_LINES_MAX, .parts = "texts",
     .size = sizeof(const char *), .count_at = STEP(body_count), .read = read_line},
    {"notes", TEXT, STEP(notes), .lines = true, .most = APP_TALK_NOTES_MAX},
    {"minutes", NUMBER, STEP(minutes), .required = true, .most = 240.0},
    {"set", PART, .read = read_settings},
    {"do", PART, STEP(measures), .read = read_actions},
    {"question", PART, STEP(question), .read = read_question},
    {"reveal", TEXT, STEP(reveal), .most = APP_TALK_CAPTION_MAX},
    {.key = NULL}};

static enum krn_code read_step(struct reading *reading, const json_t *value, void *into)
{
    struct app_json_reader *reader = &reading->reader;
    struct app_talk_step *step = into;
    snprintf(reading->source, sizeof reading->source, "%s", reading->file);
    if (!json_is_object(value))
        return app_json_fail(reader, "must be an object with an id");
    enum krn_code code = read_member(reading, value, &step_id, into);
    if (code != KRN_OK)
        return code;
    if (strspn(step->id, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(step->id))
        return app_json_fail(reader, "has an id that is not of a-z, 0-9 and -");
    for (const struct app_talk_step *earlier = reading->talk->steps; earlier < step; earlier++)
        if (strcmp(earlier->id, step->id) == 0)
            return app_json_fail(reader, "has the id of an earlier step, \"%s\"", step->id);
    /* Messages about the rest of the step name it. */
    snprintf(reading->source, sizeof reading->source, "%s, step %s", reading->file, step->id);
    code = read_members(reading, value, step_members, step);
    if (code == KRN_OK && step->reveal[0] != 0 && step->question.asks == APP_ASKS_NOTHING)
        return app_json_fail(reader, "has a reveal, but no question");
    return code;
}

#define TALK(member) offsetof(struct app_talk, member)
static const struct member talk_members[] = {
    {"schema", .kind = KNOWN},
    {"title", TEXT, TALK(title), .required = true, .most = APP_TALK_TITLE_MAX},
    {"author", TEXT, TALK(author), .most = APP_TALK_TITLE_MAX},
    {"minutes", NUMBER, TALK(minutes), .required = true, .most = 1440.0},
    {"steps", PARTS, TALK(steps), .required = true, .least = 1, .most = APP_TALK_STEPS_MAX,
     .parts = "steps", .size = sizeof(struct app_talk_step), .count_at = TALK(step_count),
     .read = read_step},
    {.key = NULL}};

static enum krn_code read_root(struct reading *reading, const json_t *root)
{
    struct app_json_reader *reader = &reading->reader;
    if (!json_is_object(root))
        return app_json_fail(reader, "must be an object with schema, title, minutes and steps");
    const char *schema = json_string_value(json_object_get(root, "schema"));
    app_json_enter(reader, "schema", 0);
    if (schema == NULL || strcmp(schema, SCHEMA) != 0)
        return app_json_fail(reader, "must be \"" SCHEMA "\"");
    app_json_leave(reader);
    return read_members(reading, root, talk_members, reading->talk);
}

enum krn_code app_talk_parse(const char *text, size_t length, const char *source,
                             struct app_talk **talk, struct krn_error *error)
{
    struct reading *reading = krn_alloc(1, sizeof *reading);
    struct app_talk *made = krn_alloc(1, sizeof *made);
    struct owner *owner = krn_alloc(1, sizeof *owner);
    snprintf(reading->source, sizeof reading->source, "%s", source);
    reading->file = source;
    reading->owner = owner;
    reading->talk = made;
    made->file = app_shorten(source);
    reading->reader = (struct app_json_reader){
        .text = text, .length = length, .source = reading->source, .error = error};
    made->owner = owner;
    enum krn_code code = app_json_load(&reading->reader, &bounds, &owner->root);
    KRN_THEN(code, read_root(reading, owner->root));
    free(reading);
    if (code == KRN_OK)
        *talk = made;
    else
        app_talk_free(made);
    return code;
}

void app_talk_free(struct app_talk *talk)
{
    if (talk == NULL)
        return;
    struct owner *owner = talk->owner;
    for (int i = 0; i < talk->step_count; i++)
        free(talk->steps[i].settings);
    if (owner != NULL) {
        for (size_t i = 0; i < owner->path_count; i++)
            free(owner->paths[i]);
        json_decref(owner->root);
    }
    free(owner);
    free(talk);
}

/* --- files --- */

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
    KRN_THEN(code, check_files(made, path, error));
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
