/* feed.c - feeds a fuzz target the files of folders, where the build has no libFuzzer.
 *
 * feed FOLDER...: each file as it is; those whose names begin with "good" also cut at every byte.
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
        for (size_t length = 0; cut && length < size; length++, inputs++)
            LLVMFuzzerTestOneInput(bytes, length);
        LLVMFuzzerTestOneInput(bytes, size);
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
