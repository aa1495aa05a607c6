/* layer.h - a part of the frame that is kept in a texture while it stays as it is (inside render/
 * only).
 */
#ifndef REN_LAYER_H
#define REN_LAYER_H

#include "krn/error.h"

#include <stdbool.h>

struct ren_layer;
struct ren_renderer;

/* Whole pixels of the frame, from its top left corner. */
struct ren_layer_place {
    int x, y, w, h;
};

enum krn_code ren_layer_new(struct ren_layer **layer, struct krn_error *error);
void ren_layer_free(struct ren_layer *layer); /* NULL is fine */

/* Makes the texture as large as the place, clears it to opaque `rgb`, and directs drawing to it.
 * Returns false, with the frame still bound, when OpenGL gives no such texture. */
bool ren_layer_begin(struct ren_layer *layer, const struct ren_renderer *renderer,
                     struct ren_layer_place place, unsigned rgb);

/* Directs drawing to the frame again. */
void ren_layer_end(const struct ren_renderer *renderer);

/* Draws the texture at the place. */
void ren_layer_draw(const struct ren_layer *layer, struct ren_renderer *renderer,
                    struct ren_layer_place place);

#endif
