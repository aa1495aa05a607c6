/* tests/support/seen.h - records the texts and shapes that a brush draws, and checks the layout of
 * any card: its texts are inside it and overlap no other text and no bar. */
#pragma once

#include "expect.h"

#include "hud/draw.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SEEN_CARDS = 32, SEEN_TEXTS = 1024, SEEN_SHAPES = 2048 };

struct seen {
    struct ren_rect cards[SEEN_CARDS], texts[SEEN_TEXTS], shapes[SEEN_SHAPES];
    char words[SEEN_TEXTS][160];
    int card_count, text_count, shape_count;
};

static void see_card(void *context, struct ren_rect rect)
{
    struct seen *seen = context;
    assert_true(seen->card_count < SEEN_CARDS);
    seen->cards[seen->card_count++] = rect;
}

static void see_text(void *context, struct ren_rect box, const char *text)
{
    struct seen *seen = context;
    assert_true(seen->text_count < SEEN_TEXTS);
    const char *brace = strchr(text, '{');
    assert_true(brace == NULL || !islower(brace[1])); /* a key hint that was not filled in */
    snprintf(seen->words[seen->text_count], sizeof seen->words[0], "%s", text);
    seen->texts[seen->text_count++] = box;
}

static void see_shape(void *context, struct ren_rect rect)
{
    struct seen *seen = context;
    assert_true(seen->shape_count < SEEN_SHAPES);
    seen->shapes[seen->shape_count++] = rect;
}

/* Starts a recording. */
static inline struct app_draw_witness seen_begin(struct seen *seen)
{
    memset(seen, 0, sizeof *seen);
    return (struct app_draw_witness){
        .text = see_text, .card = see_card, .shape = see_shape, .context = seen};
}

static inline bool inside(struct ren_rect a, struct ren_rect b, float slack)
{
    return a.x >= b.x - slack && a.y >= b.y - slack && a.x + a.w <= b.x + b.w + slack &&
           a.y + a.h <= b.y + b.h + slack;
}

static inline bool overlap(struct ren_rect a, struct ren_rect b, float slack)
{
    return a.x + slack < b.x + b.w && b.x + slack < a.x + a.w && a.y + slack < b.y + b.h &&
           b.y + slack < a.y + a.h;
}

/* Returns the number of texts that contain `part`. */
static inline int seen_count(const struct seen *seen, const char *part)
{
    int count = 0;
    for (int t = 0; t < seen->text_count; t++)
        count += strstr(seen->words[t], part) != NULL;
    return count;
}

/* Returns the number of texts that begin with `start`. */
static inline int seen_starts(const struct seen *seen, const char *start)
{
    int count = 0;
    for (int t = 0; t < seen->text_count; t++)
        count += strncmp(seen->words[t], start, strlen(start)) == 0;
    return count;
}

/* Returns the number of errors: texts that are outside of every card, too near to its edge, or on
 * another text or shape; with `whole`, also truncated texts, except names that come from elsewhere.
 * u is in pixels per unit. */
static inline int seen_wrong(const struct seen *seen, float u, bool whole, const char *name)
{
    int wrong = 0;
    assert_true(seen->card_count > 0 && seen->text_count > 0);
    for (int t = 0; t < seen->text_count; t++) {
        const char *word = seen->words[t];
        const size_t length = strlen(word);
        bool held = false;
        for (int c = 0; c < seen->card_count; c++) {
            struct ren_rect room = seen->cards[c];
            room.x += 4.0f * u;
            room.w -= 8.0f * u;
            room.h -= 2.0f * u;
            held = held || inside(seen->texts[t], room, 0.5f);
        }
        if (!held) {
            print_error("%s: \"%s\" is cut or outside\n", name, word);
            wrong++;
        }
        if (whole && length >= 3 && strcmp(word + length - 3, "…") == 0 &&
            strncmp(word, "on ", 3) != 0 && strcmp(word, "comparing…") != 0) {
            print_error("%s: \"%s\" is cut\n", name, word);
            wrong++;
        }
        for (int o = 0; o < t; o++)
            if (overlap(seen->texts[t], seen->texts[o], 0.8f * u)) {
                print_error("%s: \"%s\" on \"%s\"\n", name, word, seen->words[o]);
                wrong++;
            }
        for (int s = 0; s < seen->shape_count; s++)
            if (overlap(seen->texts[t], seen->shapes[s], 0.2f * u)) {
                print_error("%s: \"%s\" on a shape\n", name, word);
                wrong++;
                break;
            }
    }
    return wrong;
}
