/* app/places/folders.h - the user's folders: of pictures, and of settings. */
#ifndef APP_FOLDERS_H
#define APP_FOLDERS_H

#include "base/limits.h"

#include <stdbool.h>
#include <stddef.h>

/* Finds the folder for screenshots: XDG_PICTURES_DIR from the user's user-dirs.dirs, else
 * $HOME/Pictures. Creates the folder if it is missing. Falls back to "." when neither is writable
 * or HOME is not set. */
void app_pictures_folder(char folder[APP_PATH_MAX]);

/* Writes the path of a file in the user's folder of settings: $XDG_CONFIG_HOME, else
 * $HOME/.config. A relative path in a variable does not count. Returns false when neither is set or
 * the path is too long. */
bool app_config_path(const char *name, char path[APP_PATH_MAX]);

/* Writes where a file is, the user's own folder as "~": "in ~/Pictures: a.png". */
void app_describe_place(const char *path, char *text, size_t size);

#endif
