/* feed.c - feeds a fuzz target the files of folders, where the build has no libFuzzer.
 *
 * feed FOLDER...: each file as it is; those whose names begin with "good" also cut at every byte.
 * These must be accepted whole. JSON that lacks more than blanks at its end must be refused with a
 * line. Packed JSON must be refused, and a PNG file when what is read from it lies behind the cut.
 * A table may end after any of its lines.
 */
#include "input.h"

#include <dirent.h>

enum { FILE_BYTES_MAX = 1 << 20 };

static uint8_t bytes[FILE_BYTES_MAX];

static size_t read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    input_check(file != NULL, path);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    input_check(feof(file) != 0, "a file of the corpus is too long");
    fclose(file);
    return size;
}

/* Returns what a target has to say about the first `length` bytes of a good file. */
static enum input_demand demand_of(size_t length, size_t size)
{
    if (bytes[0] == 0x89 || bytes[0] == 0x1f) /* PNG, gzip */
        return INPUT_REFUSED;
    while (size > 0 && (bytes[size - 1] == ' ' || bytes[size - 1] == '\n'))
        size--;
    if (bytes[0] != '{' || length >= size)
        return INPUT_ANYTHING;
    return length > 0 ? INPUT_LINE : INPUT_REFUSED; /* nothing is an empty file */
}

/* Feeds the first `length` bytes of a file. */
static void feed_bytes(size_t length, enum input_demand demand)
{
    input_feed.demand = demand;
    input_feed.lines = 1;
    input_feed.answers = 0;
    for (size_t i = 0; i < length; i++)
        input_feed.lines += bytes[i] == '\n';
    LLVMFuzzerTestOneInput(bytes, length);
    input_check(demand == INPUT_ANYTHING || input_feed.answers > 0, "an answer to every input");
}

/* Returns the number of inputs. */
static size_t feed_folder(const char *folder)
{
    char path[1024];
    size_t inputs = 0;
    DIR *stream = opendir(folder);
    input_check(stream != NULL, folder);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        const size_t size = read_file(path);
        const bool cut = strncmp(entry->d_name, "good", strlen("good")) == 0;
        feed_bytes(size, cut ? INPUT_ACCEPTED : INPUT_ANYTHING);
        for (size_t length = 0; cut && length < size; length++, inputs++)
            feed_bytes(length, demand_of(length, size));
        inputs++;
    }
    closedir(stream);
    return inputs;
}

int main(int argc, char *argv[])
{
    size_t inputs = 0;
    for (int i = 1; i < argc; i++)
        inputs += feed_folder(argv[i]);
    printf("%zu inputs\n", inputs);
    return inputs > 0 ? 0 : 1;
}
