/* tests/support/files.h - helpers of tests that write files. */
#pragma once

#include "expect.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static inline void test_file_put(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static inline void test_file_put_text(const char *path, const char *text)
{
    test_file_put(path, text, strlen(text));
}

/* Returns the number of files in the folder, including hidden ones, which partial files may be. */
static inline int test_file_count(const char *folder)
{
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

/* Validates two records, or one and NULL, against the schema; returns the exit code of the
 * validator, 77 where there is none. */
static inline int test_validate(const char *record, const char *other)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execl("/usr/bin/python3", "python3", TEST_SOURCE_DIR "/tests/support/validate_record.py",
              TEST_SOURCE_DIR "/assets/results.schema.json", record, other, (char *)NULL);
        _exit(77);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}
