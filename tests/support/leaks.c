/* Leaks memory, so that a test can see that the leak sanitizer is at work. */
#include <stdlib.h>

static void *volatile kept;

int main(void)
{
    kept = malloc(1000);
    kept = NULL;
    return 0;
}
