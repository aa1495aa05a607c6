/* app/talk/read.c - reads talks from JSON files. */
#include "talk/talk.h"

#include "base/complain.h"
#include "base/files.h"
#include "base/json_read.h"
#include "claims/claims.h"
#include "command/mode.h"

#include "krn/duel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "spherescope-talk-1"

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

static enum krn_code read_member(struct app_json_reader *reader, const json_t *object,
                                 const char *key, bool required, size_t most, const char **text)
{
    const json_t *value = json_object_get(object, key);
    *text = "";
    if (value == NULL && !required)
        return KRN_OK;
    app_json_enter(reader, key, 0);
    const enum krn_code code = read_string(reader, value, most, strcmp(key, "notes") == 0, text);
    if (code == KRN_OK)
        app_json_leave(reader);
    return code;
}

static enum krn_code read_number(struct app_json_reader *reader, const json_t *object,
                                 const char *key, double low, double high, double *number)
{
    const json_t *value = json_object_get(object, key);
    app_json_enter(reader, key, 0);
    if (value == NULL)
        return app_json_fail(reader, "is missing");
    *number = json_number_value(value);
    if (!json_is_number(value) || !(*number >= low && *number <= high))
        return app_json_fail(reader, "must be a number from %g to %g", low, high);
    app_json_leave(reader);
    return KRN_OK;
}

/* ---- what a step sets ---- */

/* Returns the path of a file that lies in the talk's folder or below, from the working folder; NULL
 * when memory is full. */
static char *resolve(struct reading *reading, const char *path)
{
    const char *slash = strrchr(reading->file, '/');
    const int folder = slash != NULL ? (int)(slash - reading->file) + 1 : 0;
    const size_t size = (size_t)folder + strlen(path) + 1;
    char *made = malloc(size);
    if (made != NULL) {
        snprintf(made, size, "%.*s%s", folder, reading->file, path);
        reading->owner->paths[reading->owner->path_count++] = made;
    }
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
    return setting->given.text != NULL
               ? KRN_OK
               : KRN_FAIL(reader->error, KRN_NO_MEMORY, "No memory for the talk.");
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

static enum krn_code read_settings(struct reading *reading, const json_t *object,
                                   struct app_talk_step *step)
{
    struct app_json_reader *reader = &reading->reader;
    const json_t *set = json_object_get(object, "set");
    const char *key;
    json_t *value;
    if (set == NULL)
        return KRN_OK;
    app_json_enter(reader, "set", 0);
    const size_t count = json_object_size(set);
    if (!json_is_object(set) || count > APP_TALK_SETTINGS_MAX)
        return app_json_fail(reader, "must be an object of at most %d options",
                             APP_TALK_SETTINGS_MAX);
    step->settings = calloc(count + 1, sizeof *step->settings);
    if (step->settings == NULL)
        return KRN_FAIL(reader->error, KRN_NO_MEMORY, "No memory for the talk.");
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
    app_json_leave(reader);
    return KRN_OK;
}

static enum krn_code read_actions(struct app_json_reader *reader, const json_t *object,
                                  struct app_talk_step *step)
{
    const json_t *actions = json_object_get(object, "do");
    if (actions == NULL)
        return KRN_OK;
    app_json_enter(reader, "do", 0);
    const char *action = json_string_value(json_array_get(actions, 0));
    if (json_array_size(actions) != 1 || action == NULL || strcmp(action, "measure") != 0)
        return app_json_fail(reader, "must be [\"measure\"]");
    step->measures = true;
    app_json_leave(reader);
    return KRN_OK;
}

/* ---- questions ---- */

static enum krn_code read_claim(const struct app_json_reader *reader, const char *id,
                                struct app_talk_source *source)
{
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        if (strcmp(app_claim_entry_of((enum app_claim_id)i)->id, id) == 0) {
            source->claim = (enum app_claim_id)i;
            return KRN_OK;
        }
    }
    return app_json_fail(reader, "must be the id of a claim, such as constant-kernel");
}

static enum krn_code read_source(struct app_json_reader *reader, const json_t *question,
                                 struct app_talk_source *source)
{
    static const char *const keys[] = {"claim", "ratio", "time"};
    const json_t *measured = json_object_get(question, "measured");
    const char *text = "";
    enum krn_code code = KRN_OK;
    int kind = 0;
    app_json_enter(reader, "measured", 0);
    while (kind < 3 && json_object_get(measured, keys[kind]) == NULL)
        kind++;
    if (json_object_size(measured) != 1 || kind == 3)
        return app_json_fail(reader, "must be an object with claim, ratio or time");
    source->kind = (enum app_talk_source_kind)kind;
    app_json_enter(reader, keys[kind], 0);
    code = read_string(reader, json_object_get(measured, keys[kind]), 2 * APP_MODE_TEXT_MAX, false,
                       &text);
    if (code == KRN_OK && source->kind == APP_SOURCE_CLAIM)
        code = read_claim(reader, text, source);
    else if (code == KRN_OK && source->kind == APP_SOURCE_RATIO &&
             !app_modes_parse(text, &source->modes[0], &source->modes[1]))
        code = app_json_fail(reader, "must be two modes KERNEL/STORAGE[/K], joined by a comma");
    else if (code == KRN_OK && source->kind == APP_SOURCE_TIME &&
             !app_mode_parse(text, strlen(text), &source->modes[0]))
        code = app_json_fail(reader, "must be a mode KERNEL/STORAGE[/K]");
    if (code != KRN_OK)
        return code;
    app_json_leave(reader);
    app_json_leave(reader);
    return KRN_OK;
}

static enum krn_code read_bound(struct app_json_reader *reader, const json_t *object,
                                const char *key, double *bound, bool *given)
{
    if (json_object_get(object, key) == NULL)
        return KRN_OK;
    *given = true;
    return read_number(reader, object, key, -1e12, 1e12, bound);
}

/* Returns true for the verdicts of claims and of comparisons. */
static bool is_verdict(const char *text)
{
    for (int i = 0; i < APP_CLAIM_VERDICTS; i++)
        if (strcmp(app_claim_verdict_name((enum app_claim_verdict)i), text) == 0)
            return true;
    for (int i = 0; i < KRN_RATIO_VERDICTS; i++)
        if (strcmp(krn_ratio_verdict_name((enum krn_ratio_verdict)i), text) == 0)
            return true;
    return false;
}

static enum krn_code read_answer(struct app_json_reader *reader, const json_t *value,
                                 struct app_talk_answer *answer)
{
    static const char *const members[] = {"text", "from", "to", "verdict", NULL};
    if (!json_is_object(value))
        return app_json_fail(reader, "must be an object with a text");
    enum krn_code code = app_json_check_members(reader, value, members);
    answer->from = -INFINITY;
    answer->to = INFINITY;
    if (code == KRN_OK)
        code = read_member(reader, value, "text", true, APP_TALK_ANSWER_MAX, &answer->text);
    if (code == KRN_OK)
        code = read_bound(reader, value, "from", &answer->from, &answer->bounded);
    if (code == KRN_OK)
        code = read_bound(reader, value, "to", &answer->to, &answer->bounded);
    if (code == KRN_OK)
        code = read_member(reader, value, "verdict", false, APP_TALK_ANSWER_MAX, &answer->verdict);
    if (code == KRN_OK && answer->verdict[0] != 0 && !is_verdict(answer->verdict))
        code = app_json_fail(reader, "has a verdict that is none, such as HOLDS or FASTER");
    if (code == KRN_OK && answer->from >= answer->to)
        code = app_json_fail(reader, "has an empty range: from must be less than to");
    return code;
}

static enum krn_code read_answers(struct app_json_reader *reader, const json_t *object,
                                  struct app_talk_question *question)
{
    const json_t *answers = json_object_get(object, "answers");
    const size_t count = json_array_size(answers);
    app_json_enter(reader, "answers", 0);
    if (count < APP_TALK_ANSWERS_MIN || count > APP_TALK_ANSWERS_MAX)
        return app_json_fail(reader, "must be an array of %d to %d answers", APP_TALK_ANSWERS_MIN,
                             APP_TALK_ANSWERS_MAX);
    for (size_t i = 0; i < count; i++) {
        app_json_enter(reader, NULL, i);
        const enum krn_code code =
            read_answer(reader, json_array_get(answers, i), &question->answers[i]);
        if (code != KRN_OK)
            return code;
        app_json_leave(reader);
    }
    question->answer_count = (int)count;
    app_json_leave(reader);
    return KRN_OK;
}

static enum krn_code read_limits(struct app_json_reader *reader, const json_t *object,
                                 struct app_talk_question *question)
{
    enum krn_code code = read_number(reader, object, "lowest", -1e12, 1e12, &question->lowest);
    if (code == KRN_OK)
        code = read_number(reader, object, "highest", question->lowest, 1e12, &question->highest);
    return code;
}

static bool is_time(const char *unit)
{
    return strcmp(unit, "ns") == 0 || strcmp(unit, "µs") == 0 || strcmp(unit, "ms") == 0 ||
           strcmp(unit, "s") == 0;
}

static enum krn_code read_question(struct app_json_reader *reader, const json_t *step,
                                   struct app_talk_question *question)
{
    static const char *const choice[] = {"text", "kind", "unit", "answers", "measured", NULL};
    static const char *const number[] = {"text",    "kind",     "unit", "lowest",
                                         "highest", "measured", NULL};
    const json_t *object = json_object_get(step, "question");
    if (object == NULL)
        return KRN_OK;
    app_json_enter(reader, "question", 0);
    const char *kind = json_string_value(json_object_get(object, "kind"));
    const bool chooses = kind != NULL && strcmp(kind, "choice") == 0;
    if (!chooses && (kind == NULL || strcmp(kind, "number") != 0))
        return app_json_fail(reader, "must be an object whose kind is choice or number");
    question->asks = chooses ? APP_ASKS_CHOICE : APP_ASKS_NUMBER;
    enum krn_code code = app_json_check_members(reader, object, chooses ? choice : number);
    if (code == KRN_OK)
        code = read_member(reader, object, "text", true, APP_TALK_CAPTION_MAX, &question->text);
    if (code == KRN_OK)
        code = read_member(reader, object, "unit", false, APP_TALK_UNIT_MAX, &question->unit);
    if (code == KRN_OK)
        code = chooses ? read_answers(reader, object, question)
                       : read_limits(reader, object, question);
    if (code == KRN_OK)
        code = read_source(reader, object, &question->source);
    if (code == KRN_OK && question->source.kind == APP_SOURCE_TIME && !is_time(question->unit))
        code = app_json_fail(reader, "asks for a time, so its unit must be ns, µs, ms or s");
    if (code == KRN_OK)
        app_json_leave(reader);
    return code;
}

/* ---- steps ---- */

static enum krn_code read_body(struct app_json_reader *reader, const json_t *object,
                               struct app_talk_step *step)
{
    const json_t *body = json_object_get(object, "body");
    const size_t count = json_array_size(body);
    if (body == NULL)
        return KRN_OK;
    app_json_enter(reader, "body", 0);
    if (count < 1 || count > APP_TALK_LINES_MAX)
        return app_json_fail(reader, "must be an array of 1 to %d texts", APP_TALK_LINES_MAX);
    for (size_t i = 0; i < count; i++) {
        app_json_enter(reader, NULL, i);
        const enum krn_code code =
            read_string(reader, json_array_get(body, i), APP_TALK_BODY_MAX, false, &step->body[i]);
        if (code != KRN_OK)
            return code;
        app_json_leave(reader);
    }
    step->body_count = (int)count;
    app_json_leave(reader);
    return KRN_OK;
}

static bool is_id(const char *id)
{
    const size_t length = strlen(id);
    return length > 0 && length <= APP_TALK_ID_MAX &&
           strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

/* Reads the step's id, which messages about the step name from then on. */
static enum krn_code read_id(struct reading *reading, const json_t *value,
                             const struct app_talk *talk, struct app_talk_step *step)
{
    struct app_json_reader *reader = &reading->reader;
    enum krn_code code = read_member(reader, value, "id", true, APP_TALK_ID_MAX, &step->id);
    if (code == KRN_OK && !is_id(step->id))
        code = app_json_fail(reader, "has an id that is not of a-z, 0-9 and -");
    for (int i = 0; code == KRN_OK && i < talk->step_count; i++)
        if (strcmp(talk->steps[i].id, step->id) == 0)
            code = app_json_fail(reader, "has the id of an earlier step, \"%s\"", step->id);
    if (code == KRN_OK)
        snprintf(reading->source, sizeof reading->source, "%s, step %s", reading->file, step->id);
    return code;
}

static enum krn_code read_step(struct reading *reading, const json_t *value,
                               const struct app_talk *talk, struct app_talk_step *step)
{
    static const char *const members[] = {"id",  "caption", "body",     "notes",  "minutes",
                                          "set", "do",      "question", "reveal", NULL};
    struct app_json_reader *reader = &reading->reader;
    if (!json_is_object(value))
        return app_json_fail(reader, "must be an object with an id");
    enum krn_code code = read_id(reading, value, talk, step);
    if (code == KRN_OK)
        code = app_json_check_members(reader, value, members);
    if (code == KRN_OK)
        code = read_member(reader, value, "caption", false, APP_TALK_CAPTION_MAX, &step->caption);
    if (code == KRN_OK)
        code = read_body(reader, value, step);
    if (code == KRN_OK)
        code = read_member(reader, value, "notes", false, APP_TALK_NOTES_MAX, &step->notes);
    if (code == KRN_OK)
        code = read_number(reader, value, "minutes", 0.0, 240.0, &step->minutes);
    if (code == KRN_OK)
        code = read_settings(reading, value, step);
    if (code == KRN_OK)
        code = read_actions(reader, value, step);
    if (code == KRN_OK)
        code = read_question(reader, value, &step->question);
    if (code == KRN_OK)
        code = read_member(reader, value, "reveal", false, APP_TALK_CAPTION_MAX, &step->reveal);
    if (code == KRN_OK && step->reveal[0] != 0 && step->question.asks == APP_ASKS_NOTHING)
        code = app_json_fail(reader, "has a reveal, but no question");
    return code;
}

static enum krn_code read_steps(struct reading *reading, const json_t *root, struct app_talk *talk)
{
    struct app_json_reader *reader = &reading->reader;
    const json_t *steps = json_object_get(root, "steps");
    const size_t count = json_array_size(steps);
    app_json_enter(reader, "steps", 0);
    if (count < 1 || count > APP_TALK_STEPS_MAX)
        return app_json_fail(reader, "must be an array of 1 to %d steps", APP_TALK_STEPS_MAX);
    talk->steps = calloc(count, sizeof *talk->steps);
    if (talk->steps == NULL)
        return KRN_FAIL(reader->error, KRN_NO_MEMORY, "No memory for the talk.");
    for (size_t i = 0; i < count; i++) {
        struct app_talk_step *step = &talk->steps[i];
        snprintf(reading->source, sizeof reading->source, "%s", reading->file);
        app_json_enter(reader, NULL, i);
        step->id = step->caption = step->notes = step->reveal = "";
        const enum krn_code code = read_step(reading, json_array_get(steps, i), talk, step);
        talk->step_count = (int)i + 1; /* also on failure: what the step owns is freed */
        if (code != KRN_OK)
            return code;
        app_json_leave(reader);
    }
    return KRN_OK;
}

static enum krn_code read_root(struct reading *reading, const json_t *root, struct app_talk *talk)
{
    static const char *const members[] = {"schema", "title", "author", "minutes", "steps", NULL};
    struct app_json_reader *reader = &reading->reader;
    if (!json_is_object(root))
        return app_json_fail(reader, "must be an object with schema, title, minutes and steps");
    const char *schema = json_string_value(json_object_get(root, "schema"));
    app_json_enter(reader, "schema", 0);
    if (schema == NULL || strcmp(schema, SCHEMA) != 0)
        return app_json_fail(reader, "must be \"" SCHEMA "\"");
    app_json_leave(reader);
    enum krn_code code = app_json_check_members(reader, root, members);
    if (code == KRN_OK)
        code = read_member(reader, root, "title", true, APP_TALK_TITLE_MAX, &talk->title);
    if (code == KRN_OK)
        code = read_member(reader, root, "author", false, APP_TALK_TITLE_MAX, &talk->author);
    if (code == KRN_OK)
        code = read_number(reader, root, "minutes", 0.0, 1440.0, &talk->minutes);
    return code == KRN_OK ? read_steps(reading, root, talk) : code;
}

enum krn_code app_talk_parse(const char *text, size_t length, const char *source,
                             struct app_talk **talk, struct krn_error *error)
{
    struct reading *reading = calloc(1, sizeof *reading);
    struct app_talk *made = calloc(1, sizeof *made);
    struct owner *owner = calloc(1, sizeof *owner);
    enum krn_code code = KRN_NO_MEMORY;
    if (reading != NULL && made != NULL && owner != NULL) {
        snprintf(reading->source, sizeof reading->source, "%s", source);
        reading->file = source;
        reading->owner = owner;
        made->file = app_shorten(source);
        reading->reader = (struct app_json_reader){
            .text = text, .length = length, .source = reading->source, .error = error};
        made->owner = owner;
        code = app_json_load(&reading->reader, &bounds, &owner->root);
        if (code == KRN_OK)
            code = read_root(reading, owner->root, made);
    } else {
        free(owner);
        KRN_FAIL(error, code, "No memory for the talk.");
    }
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
    free(talk->steps);
    free(talk);
}
