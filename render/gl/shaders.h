/* gl/shaders.h - the files of shaders/, embedded by the build as strings. */
#ifndef REN_SHADERS_H
#define REN_SHADERS_H

extern const char ren_shader_overlay_vert[];
extern const char ren_shader_overlay_frag[];
extern const char ren_shader_picture_vert[];
extern const char ren_shader_picture_frag[];
extern const char ren_shader_halve_frag[];
extern const char ren_shader_shrink_frag[];

#endif
