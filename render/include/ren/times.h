/* ren/times.h - how long OpenGL drew the parts of a frame, by its timer queries.
 *
 * Between ren_times_begin and ren_times_end, marks are queued among the drawing commands. Nothing
 * waits for them: ren_times_poll returns their differences some frames later.
 *
 * A software renderer draws a frame tile by tile, all commands of a tile together, and stamps a
 * mark in each; the commands before a mark are therefore flushed there, while frames are timed.
 *
 * Errors of OpenGL are reported by ren_check. Thread safety: as ren/context.h.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ren_renderer;

enum ren_mark {
    REN_MARK_UPLOAD_BEGIN, /* the picture's pixels on their way to its texture; not with interop */
    REN_MARK_UPLOAD_END,
    REN_MARK_PICTURE_BEGIN, /* clearing the frame and drawing the picture */
    REN_MARK_PICTURE_END,
    REN_MARK_OVERLAY_BEGIN, /* drawing cards, panels and text */
    REN_MARK_OVERLAY_END,
    REN_MARKS
};

struct ren_frame_times {
    uint64_t frame;                           /* of ren_times_begin */
    double upload_ms, picture_ms, overlay_ms; /* between its two marks; 0: they are missing */
};

/* Returns "" when frames can be timed, else why not, a sentence. */
const char *ren_times_missing(struct ren_renderer *renderer);

/* Starts to time frame number `frame`; false: frames cannot be timed. A frame that is not polled is
 * dropped when eight newer ones wait. */
bool ren_times_begin(struct ren_renderer *renderer, uint64_t frame);

/* Queues a mark; does nothing outside of a timed frame. A begin that was marked already stays, an
 * end moves. */
void ren_times_mark(struct ren_renderer *renderer, enum ren_mark mark);

void ren_times_end(struct ren_renderer *renderer);

/* Removes the times of the oldest frame that was drawn. Returns false when there are none. Does not
 * block. */
bool ren_times_poll(struct ren_renderer *renderer, struct ren_frame_times *times);
