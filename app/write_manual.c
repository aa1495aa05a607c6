/* app/write_manual.c - a program of the build: writes the manual page and the completions of shells
 * into a folder. Usage: write_manual FOLDER DATE */
#include "command/command.h"

static const char *date = "";

static void write_page(FILE *out)
{
    app_manual_page(out, date);
}

/* The files, under the names by which man and the shells find them. */
static const struct {
    const char *name;
    void (*write)(FILE *out);
} files[] = {
    {"spherescope.1", write_page},
    {"spherescope", app_completion_bash},
    {"_spherescope", app_completion_zsh},
    {"spherescope.fish", app_completion_fish},
};

int main(int argc, char *argv[])
{
    if (argc != 3) {
        fputs("usage: write_manual FOLDER DATE\n", stderr);
        return 2;
    }
    date = argv[2];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", argv[1], files[i].name);
        FILE *out = fopen(path, "w");
        if (out != NULL)
            files[i].write(out);
        const int failed = out == NULL || ferror(out) != 0;
        if ((out != NULL && fclose(out) != 0) || failed) {
            perror(path);
            return 1;
        }
    }
    return 0;
}
