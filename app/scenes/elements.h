/* app/scenes/elements.h - the radii and colours in which chemists draw atoms. */
#ifndef APP_ELEMENTS_H
#define APP_ELEMENTS_H

#include <stdbool.h>

struct app_element {
    const char *symbol;
    float radius; /* van der Waals, in angstrom */
    float red, green, blue;
};

/* Returns the element with that symbol, in any case, or with that atomic number; D is hydrogen.
 * NULL: there is none, or no radius of it is published. */
const struct app_element *app_element_find(const char *symbol);

#endif
