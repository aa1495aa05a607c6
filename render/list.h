/* list.h - the drawing list's lifetime, for renderer.c (inside render/ only). */
#ifndef REN_LIST_LIFETIME_H
#define REN_LIST_LIFETIME_H

#include "krn/error.h"

struct ren_glyphs;
struct ren_list;

/* Makes the renderer's only list and its GL objects; it draws text with `glyphs`. */
enum krn_code ren_list_new(struct ren_list **list, struct ren_glyphs *glyphs,
                           struct krn_error *error);
void ren_list_free(struct ren_list *list); /* NULL is fine */

#endif
