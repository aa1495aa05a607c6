/* app/topics/texts.h - the five published texts that the program re-measures. */
#ifndef APP_TEXTS_H
#define APP_TEXTS_H

/* In the order in which the pages of panels show them. */
enum app_text {
    APP_TEXT_METRICS,  /* M. Harris, How to Implement Performance Metrics in CUDA C/C++ */
    APP_TEXT_BOOK,     /* J. Sanders, E. Kandrot, CUDA by Example, 6.3 */
    APP_TEXT_SLIDES,   /* V. Volkov, Better Performance at Lower Occupancy */
    APP_TEXT_TUTORIAL, /* a tutorial on CUDA programming, part 5: memory access patterns */
    APP_TEXT_GUIDE,    /* NVIDIA, CUDA C++ Programming Guide */
    APP_TEXT_COUNT
};

struct app_text_entry {
    const char *id;      /* in records: "metrics" */
    const char *subject; /* the heading of its page: "Performance metrics" */
    const char *author;  /* "M. Harris" */
    const char *title;
    const char *published; /* the year, or "n.d.": no date is given */
};

/* Returns the description of a text; never NULL. */
const struct app_text_entry *app_text_of(enum app_text text);

#endif
