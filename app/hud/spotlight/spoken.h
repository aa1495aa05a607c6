/* app/hud/spotlight/spoken.h - the spotlight: one subject, large enough for the last row. First in
 * words: who claims what, when and on which GPU, and what this device says; then drawn.
 */
#ifndef APP_SPOKEN_H
#define APP_SPOKEN_H

#include "claims/claims.h"
#include "hud/contents.h"
#include "hud/draw.h"
#include "hud/spotlight/place.h"

struct app_spoken {
    /* "J. Sanders and E. Kandrot, CUDA by Example, 6.3, 2010, on a GTX 280:", and the same without
     * the title */
    char source[256], brief[256];
    char sentence[160];
    char device[160];   /* "This NVIDIA H200, this run:" */
    char now[64];       /* the number, "0.827×"; "–": none */
    char interval[128]; /* "[0.825, 0.830]", or "" */
    char remark[256];   /* the second number, or the reason why there is no number; or "" */
    bool judged;        /* `verdict` is one of a claim */
    enum app_verdict verdict;
    unsigned trust; /* enum app_trust_reason bits */
};

/* Writes "J. Sanders and E. Kandrot, CUDA by Example, 6.3, 2010"; without the title: "J. Sanders
 * and E. Kandrot, 2010". */
void app_spoken_source(enum app_text text, bool title, char *out, size_t size);

/* Fill the words of a claim, of a topic (those of its first claim, or of its headline number), of
 * the kernel time on screen, of the story plot, and of the frame anatomy. */
void app_spoken_claim(const struct app_panels_view *view, int claim, struct app_spoken *spoken);
void app_spoken_topic(const struct app_panels_view *view, int topic, struct app_spoken *spoken);
void app_spoken_kernel(const struct app_hud *hud, struct app_spoken *spoken);
void app_spoken_story(const struct app_hud *hud, struct app_spoken *spoken);
void app_spoken_anatomy(const struct app_hud *hud, struct app_spoken *spoken);

/* The number that the last row reads, in units: at least 8 % of the frame's height. */
enum { APP_BLOCK_NUMBER = 34 };

/* Draws who says what, and below it number and verdict, in as few lines as the width allows;
 * returns the height in pixels. draw false: measures only. */
float app_block_flat(const struct app_brush *brush, struct ren_rect area,
                     const struct app_spoken *spoken, bool draw);

/* Draws the same in letters as large as `area` allows. */
void app_block_tall(const struct app_brush *brush, struct ren_rect area,
                    const struct app_spoken *spoken);

/* Draws the verdict with its sign in `size` units, or smaller where it would be wider than `room`
 * pixels, and on its left the mark of numbers with reasons to doubt them; right-aligned. Returns
 * the width in pixels. */
float app_block_verdict(const struct app_brush *brush, float size, float right, float y, float room,
                        enum app_verdict verdict, unsigned trust);

/* Draws the spotlight's subject into its place; on the whole screen, also storage and time in one
 * line at the lower edge. Every text has at least 3 % of the shorter side of the frame, the number
 * 8
 * %; in a frame that is wider than high, that is its height. */
void app_spotlight_draw(const struct app_brush *brush, const struct app_spotlight_place *place,
                        const struct app_hud *hud);

#endif
