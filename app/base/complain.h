/* app/base/complain.h - messages on stderr, what they must not contain, and the progress of a long
 * run. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Returns true when a text may be printed and drawn as it is: UTF-8 without control characters
 * (also those above 127), line and paragraph separators, and marks that turn the direction of
 * writing. lines: line ends are allowed. */
bool app_is_printable(const char *text, bool lines);

/* Replaces by '?' what app_is_printable does not allow, in place. A terminal would execute control
 * characters that come from a file. */
void app_make_printable(char *text);

/* Prints the line "spherescope: TEXT" on stderr, made printable, in place of a line of progress. */
void app_complain(const char *text);

enum { APP_PROGRESS_MAX = 160 }; /* bytes of a line of progress, including the zero */

/* Where the progress of a run is shown. Zeroed, nowhere. */
struct app_progress {
    FILE *out;         /* a terminal, or a pipe to the process that shows it; NULL: nowhere */
    bool lines;        /* the pipe gets each text as a line; a terminal's one line is rewritten */
    bool log;          /* no terminal, and for nobody in particular: a line every ten seconds */
    double start_s;    /* when the run began, by app_clock_s */
    double expected_s; /* how long it will take; 0: not known */
    double shown_s;    /* when the newest text was shown */
    char text[APP_PROGRESS_MAX]; /* on a terminal, the newest text; "": none */
};

/* From now on, a terminal's line is rewritten once a second, so that its time goes on, and a log
 * gets its lines. One progress at a time; a pipe has none of it. */
void app_progress_begin(struct app_progress *progress);

/* Clears the line and ends what app_progress_begin began. Safe without it, and more than once. */
void app_progress_end(struct app_progress *progress);

/* Shows what is measured now and, on a terminal, the time so far and the expected one. Leaves out
 * texts that follow within a tenth of a second. progress may be NULL. */
void app_progress_show(struct app_progress *progress, const char *text);

/* Replaces the expected time of a run. */
void app_progress_expect(struct app_progress *progress, double seconds);

/* Clears the terminal's line. progress may be NULL. */
void app_progress_clear(struct app_progress *progress);
