#include "base/complain.h"

#include <stdio.h>

void app_complain(const char *text)
{
    fprintf(stderr, "spherescope: %s\n", text);
}
