/* tests/support/processes.h - the medians of an H200's processes, as real noise for simulations. */
#pragma once

#include "expect.h"

#include "base/files.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MAX = 1000, COLUMNS_MAX = 400 };

#define TEST_TABLE TEST_SOURCE_DIR "/assets/runs/nvidia-h200-processes.csv"

static struct {
    size_t processes, columns;
    char names[COLUMNS_MAX][80];
    double tick_ms[COLUMNS_MAX];
    double medians[PROCESSES_MAX][COLUMNS_MAX]; /* ms */
} test_table;

/* Reads one line of numbers behind its first cell; returns false when it is not complete. */
static inline bool test_table_numbers(char *line, double *numbers)
{
    char *rest = line;
    strtok_r(rest, ",\n", &rest);
    for (size_t i = 0; i < test_table.columns; i++) {
        const char *cell = strtok_r(rest, ",\n", &rest);
        if (cell == NULL)
            return false;
        numbers[i] = strtod(cell, NULL);
    }
    return true;
}

/* Reads the table; returns false when there is none. */
static inline bool test_table_read(void)
{
    TEST_FREED char *text = NULL;
    size_t length = 0;
    if (app_read_file(TEST_TABLE, 16u << 20, &text, &length, &error) != KRN_OK)
        return false;
    char *rest = text, *line = strtok_r(rest, "\n", &rest), *names = line;
    assert_non_null(line);
    strtok_r(names, ",", &names);
    for (char *name; (name = strtok_r(names, ",", &names)) != NULL;) {
        assert_true(test_table.columns < COLUMNS_MAX);
        snprintf(test_table.names[test_table.columns++], sizeof test_table.names[0], "%.79s", name);
    }
    assert_non_null(line = strtok_r(rest, "\n", &rest));
    assert_true(strncmp(line, "tick_ms,", 8) == 0 && test_table_numbers(line, test_table.tick_ms));
    while ((line = strtok_r(rest, "\n", &rest)) != NULL) {
        assert_true(test_table.processes < PROCESSES_MAX);
        assert_true(test_table_numbers(line, test_table.medians[test_table.processes++]));
    }
    return true;
}

static inline size_t test_below(uint64_t *seed, size_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((*seed >> 33) % n);
}
