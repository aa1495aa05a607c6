/* app/talk/reveal.h - sets the room's guess against the measurement.
 *
 * Every function is pure and thread safe.
 */
#ifndef APP_TALK_REVEAL_H
#define APP_TALK_REVEAL_H

#include "talk/talk.h"

#include "krn/stats.h"

/* The number that answers a question. */
struct app_talk_measured {
    bool valid;              /* false: there is none yet, see `why` */
    bool has_value;          /* `value` can be compared with a guess */
    bool has_interval;       /* low and high are known */
    double value, low, high; /* times in ms */
    char number[48];         /* "0.83×"; "–": none */
    char interval[80];       /* "[0.82, 0.84]", or "" */
    const char *verdict;     /* "INVERTED", "FASTER"; "": none */
    unsigned trust;          /* enum app_trust_reason bits */
    char why[200];           /* why there is no number, a sentence */
};

/* Return the number of a claim's row; a ratio or, with a verdict of NULL, a time in ms; that of a
 * mode's kernel times, whose clock has the given tick in ms. */
struct app_talk_measured app_talk_measured_claim(const struct app_claim *claim);
struct app_talk_measured app_talk_measured_number(struct app_estimate n, const char *verdict);
struct app_talk_measured app_talk_measured_time(const struct krn_series *series, double tick_ms,
                                                unsigned trust);

/* Returns a number that is missing, with the reason. */
struct app_talk_measured app_talk_not_measured(const char *why);

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
    char comment[96];  /* "1.81 times too high"; "": none */
    bool out_of_range; /* the number lies outside of the question's range */
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
    const char *device; /* that was measured */
    /* The same of a recorded run, beside a machine without a GPU; the device is NULL: there is
     * none. */
    struct app_talk_measured recorded;
    const char *recorded_device;
};

/* Returns the number that a guess is compared with: the machine's, or else the recorded one. */
const struct app_talk_measured *app_talk_answer(const struct app_talk_shown *shown);

#endif
