/* tests/support/mono_font.h - a font configuration with only monospaced fonts, in which texts are
 * as wide as they can get. */
#ifndef TEST_MONO_FONT_H
#define TEST_MONO_FONT_H

#include "offscreen.h"
#include "text/glyphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char mono_folder[] = "/tmp/spherescope-mono-XXXXXX";

/* Writes and selects a fontconfig configuration with only the files of the monospaced faces.
 * Without such files the renderer uses its built-in glyphs, which are as wide. Call it before the
 * renderer is opened. */
static inline void mono_font_force(void)
{
    static const char *const names[] = {"regular", "bold"};
    static const enum ren_face faces[] = {REN_FACE_MONO, REN_FACE_MONO_BOLD};
    static struct ren_font_file files[REN_FACE_COUNT];
    (void)ren_font_find(files);
    char path[128];
    if (!files[REN_FACE_MONO].path[0] || !mkdtemp(mono_folder)) {
        setenv("SPHERESCOPE_FONTS", "builtin", 1);
        return;
    }
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", mono_folder, names[i]);
        if (symlink(files[faces[i]].path, path) != 0)
            perror(path);
    }
    snprintf(path, sizeof path, "%s/fonts.conf", mono_folder);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fprintf(file,
            "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">"
            "<fontconfig><dir>%s</dir><cachedir>%s/cache</cachedir></fontconfig>\n",
            mono_folder, mono_folder);
    fclose(file);
    setenv("FONTCONFIG_FILE", path, 1);
}

/* Returns true when a narrow letter is as wide as a wide one. */
static inline bool mono_font_is(const struct ren_renderer *with)
{
    const float narrow = ren_text_width(with, REN_FACE_SANS, 100.0f, "iiii"),
                wide = ren_text_width(with, REN_FACE_SANS, 100.0f, "MMMM");
    return wide - narrow < 1.0f && narrow - wide < 1.0f;
}

/* Removes the configuration, which is not needed once the renderer is open. */
static inline void mono_font_remove(void)
{
    char command[160];
    if (strstr(mono_folder, "XXXXXX"))
        return;
    snprintf(command, sizeof command, "rm -r '%s'", mono_folder);
    if (system(command) != 0)
        fprintf(stderr, "%s stays\n", mono_folder);
}

/* The prefix of picture names: "mono_" or nothing. */
static const char *fonts = "";

/* Calls test_screen_open, with monospaced fonts only when the program's argument is "mono". */
static inline int mono_screen_open(int argc, char **argv)
{
    const bool mono = argc > 1 && strcmp(argv[1], "mono") == 0;
    if (mono)
        mono_font_force();
    fonts = mono ? "mono_" : "";
    const int unable = test_screen_open(-1);
    if (mono)
        mono_font_remove();
    return unable;
}

/* Tests that the screen has the requested font. */
TEST(test_fonts)
{
    if (fonts[0])
        assert_true(mono_font_is(renderer));
}

#endif
