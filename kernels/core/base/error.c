/* Writes errors with a decimal point in every locale, and keeps the flag of cancelled work. */
#include "krn/error.h"

#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* A full memory has one cure, whatever it was for: adds it to a text that gives none. */
static void add_cure(char *text, size_t bytes)
{
    const size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '.' && strchr(text, ':') == NULL)
        snprintf(text + length - 1, bytes - length + 1, ": close other programs, or ask for less.");
}

/* Formats with a decimal point, whatever the locale of the program. Without memory for a locale,
 * the thread keeps its own. */
static void format_text(char *text, size_t bytes, const char *format, va_list arguments)
{
    const locale_t numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    const locale_t previous = numbers != (locale_t)0 ? uselocale(numbers) : (locale_t)0;
    vsnprintf(text, bytes, format, arguments);
    if (numbers == (locale_t)0)
        return;
    uselocale(previous);
    freelocale(numbers);
}

enum krn_code krn_error_set(struct krn_error *error, enum krn_code code, const char *file, int line,
                            const char *expression, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        format_text(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        if (code == KRN_NO_MEMORY)
            add_cure(error->text, sizeof error->text);
        snprintf(error->expression, sizeof error->expression, "%s", expression);
        error->code = code;
        error->file = file;
        error->line = line;
    }
    return code;
}

const char *krn_write_cure(int reason)
{
    switch (reason) {
    case ENOENT:
        return "make its folder first, or name another";
    case EACCES:
    case EPERM:
    case EROFS:
        return "name a folder that you may write to";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return "make room, or name another place";
    case EMFILE:
    case ENFILE:
        return "raise the limit of open files (ulimit -n)";
    case ENAMETOOLONG:
        return "choose a shorter one";
    case ENOMEM:
        return "close other programs";
    default:
        return "name another file";
    }
}

bool krn_on_wsl(void)
{
    struct utsname system; /* "5.15.90.1-microsoft-standard-WSL2", "4.4.0-19041-Microsoft" */
    return getenv("WSL_DISTRO_NAME") != NULL ||
           (uname(&system) == 0 && strstr(system.release, "icrosoft") != NULL);
}

static atomic_bool cancelled;

void krn_cancel(void)
{
    atomic_store(&cancelled, true);
}

bool krn_cancelled(void)
{
    return atomic_load_explicit(&cancelled, memory_order_relaxed);
}

void krn_cancel_end(void)
{
    atomic_store(&cancelled, false);
}
