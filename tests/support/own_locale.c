/* A library that a test loads before the program: sets the locale of the environment, as a library
 * of the program may do at any time. */
#include <locale.h>

__attribute__((constructor)) static void set_locale(void)
{
    setlocale(LC_ALL, "");
}
