/* app/hud/spotlight/spoken.h - a subject of the spotlight in words: who claims what, when and on
 * which GPU, and what this device says.
 */
#ifndef APP_SPOKEN_H
#define APP_SPOKEN_H

#include "claims/claim.h"
#include "hud/contents.h"

struct app_spoken {
    /* "J. Sanders and E. Kandrot, CUDA by Example, 6.3, 2010, on a GTX 280:", and the same without
     * the title */
    char source[256], brief[256];
    char sentence[160];
    char device[160];  /* "This NVIDIA H200, this run:" */
    char now[48];      /* the number, "0.827×"; "–": none */
    char interval[96]; /* "[0.825, 0.830]", or "" */
    char remark[256];  /* the second number, or the reason why there is no number; or "" */
    bool judged;       /* `verdict` is one of a claim */
    enum app_claim_verdict verdict;
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

/* Writes "CONSTANT", and "book kernel" or "strip kernel K=8". */
void app_spoken_mode(struct krn_mode mode, char *storage, char *kernel, size_t size);

#endif
