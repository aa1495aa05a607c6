#include "krn/error.h"

#include <stdlib.h>
#include <string.h>

/* The calls that must fail; read from the environment at the first query. */
static struct {
    bool known;
    char name[64]; /* "": none */
    long left;     /* calls until the one that fails; 0: every call fails */
} failing;

void krn_fail_calls(const char *which)
{
    failing.known = true;
    failing.name[0] = '\0';
    failing.left = 0;
    const size_t length = which ? strcspn(which, ":") : 0;
    if (length == 0 || length >= sizeof failing.name)
        return;
    memcpy(failing.name, which, length);
    failing.name[length] = '\0';
    if (which[length] == ':')
        failing.left = strtol(which + length + 1, NULL, 10);
}

bool krn_call_fails(const char *expression)
{
    if (!failing.known)
        krn_fail_calls(getenv("SPHERESCOPE_FAIL"));
    if (!failing.name[0])
        return false;
    const size_t length = strlen(failing.name);
    if (strncmp(expression, failing.name, length) != 0 || expression[length] != '(')
        return false;
    if (failing.left == 0)
        return true;
    if (--failing.left > 0)
        return false;
    failing.name[0] = '\0';
    return true;
}
