/* picture.h - the picture's lifetime, for renderer.c (inside render/ only). */
#ifndef REN_PICTURE_H
#define REN_PICTURE_H

#include "krn/error.h"

struct ren_picture;

enum krn_code ren_picture_new(struct ren_picture **picture, struct krn_error *error);
void ren_picture_free(struct ren_picture *picture); /* NULL is fine */

#endif
