/* app/base/value.h - typed values as text: what an option takes, and whether a text is one.
 *
 * Numbers have a decimal point in every locale. A text is taken whole or not at all: no blanks,
 * no trailing characters, no NaN, no infinity.
 */
#ifndef APP_VALUE_H
#define APP_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum app_value_kind {
    APP_VALUE_NONE,    /* no value at all */
    APP_VALUE_SWITCH,  /* on or off */
    APP_VALUE_CHOICE,  /* one of `choices` */
    APP_VALUE_NAMES,   /* `word`, or a comma list of different ones of `choices` */
    APP_VALUE_INTEGER, /* low..high */
    APP_VALUE_SEED,    /* any unsigned 64-bit integer */
    APP_VALUE_REAL,    /* low..high, or `word` */
    APP_VALUE_RANGE,   /* A:B with low <= A <= B <= high */
    APP_VALUE_SPAN,    /* NAME=A..B, one of `choices`, integers low <= A <= B <= high */
    APP_VALUE_SIZE,    /* WxH, integers low..high each */
    APP_VALUE_PATH,    /* a file name; ends in `suffix` when there is one; or `word` */
    APP_VALUE_TEXT     /* whatever `check` takes */
};

/* What a value may be. */
struct app_value {
    enum app_value_kind kind;
    const char *metavar;             /* "N"; NULL: made from the kind and the choices */
    const char *const *choices;      /* ended by NULL */
    const char *word;                /* a word that stands for a value ("fit"), or NULL */
    const char *suffix;              /* ".png", or NULL */
    const char *unit;                /* "seconds", or NULL */
    bool (*check)(const char *text); /* TEXT */
    const char *takes, *example;     /* TEXT: what it is, for a sentence; one that is taken */
    bool list;                       /* PATH: all texts up to the next option */
    double low, high; /* CHOICE: low is the number that the first choice stands for */
};

/* A value that was given. Only what belongs to the kind is set; the rest is zero. */
struct app_given {
    bool word;         /* the spec's word was given */
    bool on;           /* NONE (always true), SWITCH */
    int choice;        /* CHOICE, SPAN: index */
    int integer;       /* INTEGER */
    uint64_t seed;     /* SEED */
    double real;       /* REAL */
    double low, high;  /* RANGE, SPAN */
    int width, height; /* SIZE */
    const char *text;  /* NAMES, PATH, TEXT: the text that was parsed, not a copy */
    char *const *rest; /* PATH with list: the texts behind it */
    int rest_count;
};

/* False when text is not such a value; *given is then untouched. */
bool app_value_parse(const struct app_value *value, const char *text, struct app_given *given);

/* True when *given is a value of this kind and in its range. */
bool app_value_allows(const struct app_value *value, const struct app_given *given);

/* How many choices there are; 0 for other kinds. */
int app_value_choices(const struct app_value *value);

/* What the value is, for a sentence: "an integer from 1 to 1000000", "on or off". */
void app_value_describe(const struct app_value *value, char *text, size_t size);

/* What stands behind the flag in help: "N", "on|off", "A:B"; "" for no value. */
void app_value_metavar(const struct app_value *value, char *text, size_t size);

/* The range for help: "1..1000000"; "" when the metavar says it all. */
void app_value_limits(const struct app_value *value, char *text, size_t size);

/* Whole text as a number; false when it is not one, or not in int, uint64_t or double. */
bool app_parse_int(const char *text, int *number);
bool app_parse_uint64(const char *text, uint64_t *number);
bool app_parse_real(const char *text, double *number);

/* printf with a decimal point in every locale. The text is cut, never overrun. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void app_format(char *text, size_t size, const char *format, ...);

#endif
