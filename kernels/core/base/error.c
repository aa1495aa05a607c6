#include "krn/error.h"

#include <stdarg.h>
#include <stdio.h>

enum krn_code krn_error_set(struct krn_error *error, enum krn_code code, const char *file, int line,
                            const char *expression, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        snprintf(error->expression, sizeof error->expression, "%s", expression);
        error->code = code;
        error->file = file;
        error->line = line;
    }
    return code;
}
