/* tests/support/scene_texts.h - scenes from the texts of files, and texts that are refused. */
#pragma once

#include "owned.h"

#include "scenes/scenes.h"

static struct app_scene_note note; /* on the scene that was read last */

/* Parses a copy in memory of its exact size, so that a sanitizer reports reads past its end. */
static inline enum krn_code parse_bytes(const char *text, size_t length, const char *name,
                                        struct krn_scene *scene)
{
    TEST_FREED char *copy = test_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    memset(&error, 0, sizeof error);
    return app_scene_parse(copy, length, name, scene, &note, &error);
}

static inline struct krn_scene parse(const char *text, const char *name)
{
    struct krn_scene scene = {.spheres = NULL};
    TEST_OK(parse_bytes(text, strlen(text), name, &scene));
    return scene;
}

/* Expects a refusal in one sentence that begins with the file and contains `words`, and an
 * unchanged scene. */
static inline void refuse_bytes(const char *text, size_t length, const char *name,
                                const char *words)
{
    struct krn_scene scene = {.spheres = NULL, .count = -1};
    const enum krn_code code = parse_bytes(text, length, name, &scene);
    if (code != KRN_REFUSED)
        fail_msg("not refused (%d): %.200s", (int)code, text);
    assert_true(scene.spheres == NULL && scene.count == -1);
    if (strstr(error.text, words) == NULL || strstr(error.text, name) != error.text ||
        strchr(error.text, '\n') != NULL || error.text[strlen(error.text) - 1] != '.')
        fail_msg("\"%s\" lacks \"%s\", the file or a full stop", error.text, words);
}
