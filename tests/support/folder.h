/* tests/support/folder.h - a folder of its own for each test: setup and teardown for cmocka. */
#pragma once

#include "base/value.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[APP_PATH_MAX / 2]; /* each test has a new one */

/* Returns a path in the test's folder. Four paths may be in use at a time. */
static inline const char *in(const char *name)
{
    static char paths[4][APP_PATH_MAX];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, APP_PATH_MAX, "%s/%s", folder, name);
    return path;
}

static inline int make_folder(void **unused)
{
    (void)unused;
    snprintf(folder, sizeof folder, "%s/test_folder_XXXXXX", TEST_BINARY_DIR);
    return mkdtemp(folder) == NULL;
}

static inline void remove_tree(const char *path)
{
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char inner[2 * APP_PATH_MAX];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) >= (int)sizeof inner)
            continue;
        if (unlink(inner) != 0)
            remove_tree(inner);
    }
    if (directory != NULL)
        closedir(directory);
    rmdir(path);
}

static inline int remove_folder(void **unused)
{
    (void)unused;
    remove_tree(folder);
    return 0;
}
