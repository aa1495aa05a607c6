/* app/talk/talk.h - talks: steps that set the state, show a caption and may ask a question.
 *
 * A talk is read from a JSON file (docs/talks.md, assets/talk.schema.json). The state of a step
 * depends on the start state and on the steps up to it alone, so going back gives the same state as
 * going forward. Except for reading files, every function is pure and thread safe.
 */
#pragma once

#include "base/complain.h"
#include "base/files.h"
#include "base/table.h"
#include "command/command.h"
#include "topics/claims.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    APP_TALK_BYTES_MAX = 1 << 20,
    APP_TALK_DEPTH_MAX = 6, /* talk, steps, step, question, answers, answer */
    APP_TALK_VALUES_MAX = 20000,
    APP_TALK_SETTINGS_MAX = 32, /* options that a step sets */
    APP_TALK_ID_MAX = 32,       /* bytes of texts, without the terminating zero */
    APP_TALK_TITLE_MAX = 80,
    APP_TALK_CAPTION_MAX = 120,
    APP_TALK_BODY_MAX = 120,
    APP_TALK_ANSWER_MAX = 48,
    APP_TALK_UNIT_MAX = 12,
    APP_TALK_NOTES_MAX = 2000,
    APP_TALK_LINES_MAX = 3, /* of body text */
    APP_TALK_ANSWERS_MIN = 2,
    APP_TALK_ANSWERS_MAX = 5
};

/* The measurement that answers a question. */
enum app_talk_source_kind { APP_SOURCE_CLAIM, APP_SOURCE_RATIO, APP_SOURCE_TIME };

struct app_talk_source {
    enum app_talk_source_kind kind;
    enum app_claim_id claim;  /* CLAIM: its number and its verdict */
    struct krn_mode modes[2]; /* RATIO: how many times as fast the first is as the second; TIME: the
                               * first one's kernel time in ms */
};

struct app_talk_answer {
    const char *text;
    enum app_verdict verdict; /* the answer is right when this is the verdict; NONE: not given */
    bool bounded;             /* the answer is right when the measured number lies in from..to */
    double from, to;          /* infinite where the file gives no bound */
};

struct app_talk_question {
    enum app_talk_asks asks; /* APP_ASKS_NOTHING: there is no question */
    const char *text;
    const char *unit;       /* "" for none */
    double lowest, highest; /* of a number that makes sense; both 0: not given */
    struct app_talk_answer answers[APP_TALK_ANSWERS_MAX];
    int answer_count;
    struct app_talk_source source;
};

/* An option that a step sets. */
struct app_talk_setting {
    const struct app_command_entry *entry;
    const char *text;       /* as in the file */
    struct app_given given; /* the parsed value; a path is relative to the working folder */
};

struct app_talk_step {
    const char *id, *caption, *notes, *reveal; /* "" for none */
    const char *body[APP_TALK_LINES_MAX];
    int body_count;
    double minutes;
    struct app_talk_setting *settings; /* in the order of the command table */
    int setting_count;
    bool measures; /* measures the panels, or the story plot, again */
    struct app_talk_question question;
};

struct app_talk {
    struct app_short_path file; /* for messages */
    char folder[APP_PATH_MAX];  /* its real path; "": unknown, as of a text that was only parsed */
    const char *title, *author; /* author: "" for none */
    double minutes;             /* planned for the whole talk */
    struct app_talk_step steps[APP_TALK_STEPS_MAX];
    int step_count;
    void *owner; /* keeps the texts; only reading knows it */
};

/* --- reading --- */

/* Parses a talk. source: the file's name, for messages, and the folder of its relative paths.
 * text[length] must be a zero byte. The caller releases *talk with app_talk_free. Errors:
 * KRN_REFUSED with one line that names file, step and what is wrong; KRN_NO_MEMORY. */
enum krn_code app_talk_parse(const char *text, size_t length, const char *source,
                             struct app_talk **talk, struct krn_error *error);
void app_talk_free(struct app_talk *talk); /* NULL is fine */

/* Reads the talk of --talk and checks that the states of all its steps are possible, and that the
 * files that it names are regular ones of its folder, also behind symbolic links. Errors: those
 * of app_talk_find, app_talk_parse and app_talk_state; KRN_FAILED: the file cannot be read. */
enum krn_code app_talk_read(const char *wanted, const struct app_state *start,
                            struct app_talk **talk, struct krn_error *error);

/* Returns the real path of the talk's folder, which a file that the talk names must not leave, and
 * NULL for a file that it does not name. For app_engine_confine. */
const char *app_talk_folder_of(const void *talk, const char *path);

/* --- giving --- */

/* Fills *state with that of a step: the start state, changed by what all steps up to this one set.
 * Errors: KRN_REFUSED, with the step and the reason; *state is then untouched. */
enum krn_code app_talk_state(const struct app_talk *talk, const struct app_state *start, int step,
                             struct app_state *state, struct krn_error *error);

/* Follows a key press that has changed *state from `before`: enters the step that the key asks for,
 * and keeps in *start what a key has changed for the room, not for a step: full screen, vsync, the
 * theme and the HUD's size. Errors: as app_talk_state; *state then keeps its values but for the
 * place in the talk. */
enum krn_code app_talk_follow(const struct app_talk *talk, struct app_state *start,
                              const struct app_state *before, struct app_state *state,
                              struct krn_error *error);

/* Marks the claims whose answer the room must not see yet: a later step asks about them, or the
 * step on screen does and its answer is not revealed. */
void app_talk_hidden(const struct app_talk *talk, const struct app_talk_view *view,
                     bool hidden[APP_CLAIM_COUNT]);

/* Returns a unit of time in ms; 0 for a text that is none. */
double app_talk_unit_ms(const char *unit);

/* Writes a text of the talk, with the number of spheres on screen for "{count}". */
void app_talk_fill_in(const char *text, int count, char *out, size_t size);

/* Returns the planned minutes before a step. */
double app_talk_minutes_before(const struct app_talk *talk, int step);

/* Returns "constant-kernel", "ratio of book/constant to book/global" or "time of book/global". */
void app_talk_describe_source(const struct app_talk_source *source, char *text, size_t size);

/* --- walking through a talk before it is given --- */

/* Shows a step's state, as far as this machine can; *state is what is shown then. Errors: any,
 * when the machine cannot show it. */
typedef enum krn_code app_talk_show(void *context, struct app_state *state,
                                    struct krn_error *error);

/* Walks through all steps forwards, showing each, and then backwards, comparing their states.
 * Prints one line per step and the sum of minutes to `out`, and shows the step it is at, which may
 * take minutes, by `progress`, which may be NULL. A step fails when its state is refused,
 * cannot be shown, or differs on the way back; when it shows nothing: no caption, no question, no
 * page; and when no step up to it shows a mode that its question asks about. Errors: KRN_FAILED,
 * with the first step that fails and the reason. */
enum krn_code app_talk_check(const struct app_talk *talk, const struct app_state *start,
                             app_talk_show *show, void *context, struct app_progress *progress,
                             FILE *out, struct krn_error *error);

/* --- the room's guess against the measurement; pure and thread safe --- */

/* The number that answers a question. */
struct app_talk_measured {
    bool valid;                /* false: there is none yet, see `why` */
    struct app_described said; /* its estimate can be compared with a guess, if it is valid */
    char why[200];             /* why there is no number, a sentence */
};

/* Returns a number as an answer: valid if it has a value or is judged. why: the reason if not; "":
 * it is not measured yet. */
struct app_talk_measured app_talk_measured(struct app_described said, const char *why);

enum app_talk_outcome {
    APP_GUESS_NONE,  /* there was no guess, or nothing to compare it with */
    APP_GUESS_RIGHT, /* the answer is right, or the number within 10 % or within the interval */
    APP_GUESS_WRONG,
    APP_GUESS_OPEN /* the interval does not decide between two answers */
};

/* What the room guessed, and how it compares. */
struct app_talk_guess {
    char text[64]; /* "1.5×", "Slower"; "": there was none */
    enum app_talk_outcome outcome;
    char comment[96]; /* "1.81 times too high"; "": none */
};

struct app_talk_guess app_talk_judge(const struct app_talk_question *question,
                                     const struct app_talk_view *view,
                                     const struct app_talk_measured *measured);

/* Everything that the screen shows of a talk. */
struct app_talk_shown {
    const struct app_talk *talk;
    const struct app_talk_step *step;
    const struct app_talk_view *view;
    struct app_talk_measured measured; /* of the step's question */
    struct app_talk_guess guess;
    const struct app_claim *claim; /* that answers the question; NULL: none does */
    int spheres;                   /* that are on screen */
    const char *device;            /* that was measured */
    /* The same of a recorded run, beside a machine without a GPU; the device is NULL: there is
     * none. */
    struct app_talk_measured recorded;
    const char *recorded_device;
};

/* Makes a table, to be freed, of the steps with their questions, the room's guesses and what was
 * measured on `device`: of claims (APP_CLAIM_COUNT) whose answers the room may see. `start`: the
 * state that the steps change. */
struct app_table *app_talk_table(const struct app_talk *talk, const struct app_talk_view *view,
                                 const struct app_state *start, const struct app_claim *claims,
                                 const char *device);

/* Returns the number that a guess is compared with: that of a recorded GPU, where there is one, or
 * the machine's. */
const struct app_talk_measured *app_talk_answer(const struct app_talk_shown *shown);
