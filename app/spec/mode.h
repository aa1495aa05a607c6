/* app/spec/mode.h - the text form of a mode, KERNEL/STORAGE[/K].
 *
 * Options, tables and records all use it, a duel of two backends with BACKEND: before it.
 */
#pragma once

#include "krn/device.h"

#include <stdbool.h>
#include <stddef.h>

enum { APP_MODE_TEXT_MAX = 48 };

/* Formats a mode: "book/global"; with pixels per thread, unless it is 1: "strip/constant/8". */
void app_mode_text(struct krn_mode mode, char *text, size_t size);

/* Parses the first `length` bytes of text. Returns false when they name no mode that exists: every
 * mode from here has an index. */
bool app_mode_parse(const char *text, size_t length, struct krn_mode *mode);

/* A side of a duel. */
struct app_duel_side {
    enum krn_backend_id backend;
    struct krn_mode mode;
};

bool app_duel_side_equal(struct app_duel_side a, struct app_duel_side b);

/* Formats a side's mode; named, as in a duel of two backends: "gl:book/constant". */
void app_duel_side_text(struct app_duel_side side, bool named, char *text, size_t size);

/* Parses two modes, "A,B". backends: those that stand before the modes, as in
 * "cuda:book/global,gl:book/global", -1: none; NULL where none may. */
bool app_modes_parse(const char *text, struct krn_mode modes[2], int backends[2]);

/* Returns true when one of the patterns, separated by commas, names the mode. A pattern is
 * KERNEL/STORAGE[/K], where * stands for any kernel, storage or K; without K it is 1. "" chooses
 * every mode. */
bool app_mode_chosen(const char *patterns, struct krn_mode mode);

/* Returns the view whose modes a run with these patterns measures: `view`, unless they choose modes
 * of another view alone. */
enum krn_view_kind app_mode_patterns_view(const char *patterns, enum krn_view_kind view);

/* Return the first mode of a view, which takes any number of spheres, and the number of its modes.
 */
struct krn_mode app_mode_first(enum krn_view_kind view);
int app_mode_count(enum krn_view_kind view);

/* Returns true when one pattern names modes of the one view alone, and another one of the other. */
bool app_mode_patterns_mix(const char *patterns);

/* Returns false when a pattern is empty or names no mode. */
bool app_mode_patterns_check(const char *patterns);

/* Returns true when a pattern names modes of the kernel of --kernel-file alone. */
bool app_mode_patterns_mine(const char *patterns);
