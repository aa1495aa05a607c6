/* tests/support/comma_locale.h - a locale whose numbers have a decimal comma. */
#pragma once

#include "expect.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Builds a German locale in a new folder, in which setlocale looks from now on. */
static inline bool test_build_locale(char folder[64])
{
    char path[96];
    snprintf(folder, 64, "%s", "/tmp/comma_locale_XXXXXX");
    if (!mkdtemp(folder))
        return false;
    snprintf(path, sizeof path, "%s/de_DE.UTF-8", folder);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execlp("localedef", "localedef", "--quiet", "-i", "de_DE", "-f", "UTF-8", path,
               (char *)NULL);
        _exit(127);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && setenv("LOCPATH", folder, 1) == 0;
}

static inline void test_remove_locale(const char *folder)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execlp("rm", "rm", "-rf", "--", folder, (char *)NULL);
        _exit(127);
    }
    if (child > 0)
        (void)waitpid(child, NULL, 0);
    unsetenv("LOCPATH");
}

static inline bool test_has_comma(void)
{
    return strcmp(localeconv()->decimal_point, ",") == 0;
}

/* Sets a locale with a decimal comma, an installed one or one that localedef builds. Where there is
 * neither, says so and returns false; in continuous integration, which sets CI, ends the test.
 * setlocale(LC_ALL, "C") ends the locale. */
static inline bool test_comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8",
                                        "de_DE",       "da_DK.UTF-8", "pl_PL.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i]) && test_has_comma())
            return true;
    char folder[64] = "";
    const bool found = test_build_locale(folder) && setlocale(LC_ALL, names[0]) && test_has_comma();
    if (folder[0])
        test_remove_locale(folder); /* setlocale has read it */
    if (found)
        return true;
    setlocale(LC_ALL, "C");
    const char *ci = getenv("CI");
    if (ci && ci[0])
        fail_msg("no locale with a decimal comma can be built: install Debian's package locales");
    printf(
        "no locale with a decimal comma can be built (Debian's package locales): tried C alone\n");
    return false;
}
