#include "krn/error.h"

#include <stdlib.h>
#include <string.h>

/* The calls that must fail; read from the environment at the first query. */
static struct {
    bool known;
    char name[64]; /* "": none */
    long left;     /* calls until the one that fails; 0: every call fails */
} injection;

void krn_fail_calls(const char *which)
{
    injection.known = true;
    injection.name[0] = '\0';
    injection.left = 0;
    const size_t length = which ? strcspn(which, ":") : 0;
    if (length == 0 || length >= sizeof injection.name)
        return;
    memcpy(injection.name, which, length);
    injection.name[length] = '\0';
    if (which[length] == ':')
        injection.left = strtol(which + length + 1, NULL, 10);
}

bool krn_call_fails(const char *expression)
{
    if (!injection.known)
        krn_fail_calls(getenv("SPHERESCOPE_FAIL"));
    if (!injection.name[0])
        return false;
    const size_t length = strlen(injection.name);
    if (strncmp(expression, injection.name, length) != 0 || expression[length] != '(')
        return false;
    if (injection.left == 0)
        return true;
    if (--injection.left > 0)
        return false;
    injection.name[0] = '\0';
    return true;
}
