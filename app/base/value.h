/* app/base/value.h - the kinds of value that options take and states have, their texts and their
 * description.
 *
 * Numbers have a decimal point (app_locale_begin). The whole text must be a value: blanks, trailing
 * characters, NaN and infinity are errors. Every function is thread safe.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    APP_PATH_MAX = 1024,     /* bytes of a file name, including the terminating zero */
    APP_NOTICE_MAX = 320,    /* bytes of a message on screen or stderr, including the zero */
    APP_SCENE_NOTE_MAX = 240 /* bytes of a note on a scene file, including the zero */
};

enum app_value_kind {
    APP_VALUE_NONE,    /* no value at all */
    APP_VALUE_SWITCH,  /* on or off */
    APP_VALUE_CHOICE,  /* one of `choices` */
    APP_VALUE_NAMES,   /* `word`, or different `choices` separated by commas */
    APP_VALUE_INTEGER, /* low..high, or `word` */
    APP_VALUE_SEED,    /* any unsigned 64-bit integer */
    APP_VALUE_REAL,    /* low..high, or `word` */
    APP_VALUE_SINGLE,  /* low..high, of which a float is kept */
    APP_VALUE_RANGE,   /* A:B with low <= A <= B <= high */
    APP_VALUE_SPANS,   /* NAME=A..B: one of `spans`, or different ones separated by commas */
    APP_VALUE_SIZE,    /* WxH, both integers in low..high */
    APP_VALUE_PATH,    /* a file name that ends in `suffix`, if that is set; or `word` */
    APP_VALUE_TEXT     /* any text that `check` accepts */
};

/* What the program does with the file that a value names. */
enum app_file_use {
    APP_FILE_NONE,    /* the value names no file */
    APP_FILE_READ,    /* reads it */
    APP_FILE_WRITTEN, /* writes it, or replaces it */
    APP_FOLDER_FILLED /* writes new files into this folder */
};

enum { APP_SPANS_MAX = 2 };

/* A range of integers that a value of kind SPANS may name: NAME=A..B, low <= A <= B <= high. */
struct app_span_kind {
    const char *name;
    int low, high;
};

/* A range of integers as given. */
struct app_span {
    bool on;       /* false: not given */
    int low, high; /* low <= high */
};

/* The kind of a value and its range. */
struct app_value {
    enum app_value_kind kind;
    const char *metavar;               /* "N"; NULL: derived from the kind and the choices */
    const char *const *choices;        /* a list that ends with NULL */
    bool numbers;                      /* CHOICE: the choices are numbers and kept as such */
    const struct app_span_kind *spans; /* SPANS: at most APP_SPANS_MAX, and one without a name */
    const char *word;                  /* a word that replaces the value ("fit"), or NULL */
    const char *suffix;                /* ".png", or NULL */
    const char *unit;                  /* "seconds", or NULL */
    bool (*check)(const char *text);   /* TEXT */
    const char *takes, *example;       /* PART, TEXT: a description, and a valid text */
    const char *const *offered;        /* PART, PATH, TEXT: some valid texts, for completions */
    bool list;                         /* PATH: takes every argument up to the next option */
    enum app_file_use file;            /* PATH: never APP_FILE_NONE; TEXT: may name a file */
    double low, high;                  /* CHOICE: low is the number of the first choice */
};

/* A parsed value. Only the fields of its kind are set; the others are zero. */
struct app_given {
    bool word;                            /* the text was the value's word */
    bool on;                              /* NONE (always true), SWITCH */
    int choice;                           /* CHOICE, PART: index */
    int integer;                          /* INTEGER; PART: the part */
    uint64_t seed;                        /* SEED */
    double real;                          /* REAL, SINGLE */
    double low, high;                     /* RANGE */
    struct app_span spans[APP_SPANS_MAX]; /* SPANS: by the index of their kind */
    int width, height;                    /* SIZE */
    const char *text;                     /* NAMES, PATH, TEXT: the caller's text, not a copy */
    char *const *rest;                    /* PATH with list: the arguments after the first */
    int rest_count;
};

/* Parses text. Returns false, and leaves *given unchanged, when text is not a value of this kind or
 * out of its range. */
bool app_value_parse(const struct app_value *value, const char *text, struct app_given *given);

/* Returns true when the text is one or more names joined by commas, none of them empty. Every
 * argument of a list is such a text. */
bool app_value_is_joined(const char *text);

/* Returns true when *given is a value of this kind and in its range. */
bool app_value_allows(const struct app_value *value, const struct app_given *given);

/* Returns the number of choices; 0 for kinds without choices. */
int app_value_choices(const struct app_value *value);

/* Formats a value as app_value_parse takes it; "" for a number or choice that is out of range, for
 * spans of which none is on, and for a list. A switch that is off is "off". */
void app_value_text(const struct app_value *value, const struct app_given *given, char *text,
                    size_t size);

/* Describes the valid values in words: "an integer from 1 to 1000000", "on or off". */
void app_value_describe(const struct app_value *value, char *text, size_t size);

/* Names the value as help shows it after the flag: "N", "on|off", "A:B"; "" for no value. */
void app_value_metavar(const struct app_value *value, char *text, size_t size);

/* Formats the range for help: "1..1000000"; "" when the metavar already tells it. */
void app_value_limits(const struct app_value *value, char *text, size_t size);

/* Parse a whole text as a number. Return false when it is not a number or does not fit the type. */
bool app_parse_int(const char *text, int *number);
bool app_parse_uint64(const char *text, uint64_t *number);
bool app_parse_real(const char *text, double *number);

/* Makes this thread format and parse numbers with a decimal point, whatever locale a library sets
 * for the process. The first call of every thread that does either. */
void app_locale_begin(void);

/* Formats like snprintf, for texts that may well be cut. */
__attribute__((format(printf, 3, 4))) void app_format(char *text, size_t size, const char *format,
                                                      ...);

/* A short text as a value, such as one argument of a call. */
struct app_phrase {
    char text[160];
};

/* Returns what app_format writes. */
__attribute__((format(printf, 1, 2))) struct app_phrase app_phrase(const char *format, ...);

/* Appends an entry to the list in a text, behind a separator unless it is the first; cuts what does
 * not fit. */
__attribute__((format(printf, 4, 5))) void
app_append(char *text, size_t size, const char *separator, const char *format, ...);

/* Writes a text between the tags of HTML or SVG, with references for &, < and >. */
void app_write_markup(FILE *out, const char *text);
