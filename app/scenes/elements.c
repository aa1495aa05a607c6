/* app/scenes/elements.c - radii: A. Bondi, J. Phys. Chem. 68, 441 (1964); for elements that it
 * lacks, S. Alvarez, Dalton Trans. 42, 8617 (2013). Colours: those of the wooden models of R. B.
 * Corey and L. Pauling, Rev. Sci. Instrum. 24, 621 (1953), as W. L. Koltun extended them, US patent
 * 3170246 (1965); metals that they lack are pink, as in most programs.
 */
#include "scenes/elements.h"

#include "base/value.h"

#include <strings.h>

/* Carbon's black and hydrogen's white are greys, so that both show their shading. */
#define WHITE 0.93f, 0.93f, 0.93f
#define BLACK 0.33f, 0.33f, 0.35f
#define BLUE 0.2f, 0.35f, 0.95f
#define RED 0.92f, 0.1f, 0.08f
#define GREEN 0.15f, 0.8f, 0.2f
#define BROWN 0.6f, 0.16f, 0.08f
#define VIOLET 0.45f, 0.1f, 0.7f
#define CYAN 0.2f, 0.88f, 0.9f
#define ORANGE 0.98f, 0.55f, 0.1f
#define YELLOW 0.95f, 0.85f, 0.15f
#define BEIGE 0.95f, 0.72f, 0.55f
#define LILAC 0.55f, 0.3f, 0.95f
#define LEAF 0.1f, 0.5f, 0.15f
#define GREY 0.6f, 0.6f, 0.62f
#define RUST 0.85f, 0.42f, 0.1f
#define PINK 0.9f, 0.48f, 0.85f

/* Indexed by atomic number - 1. */
static const struct app_element elements[] = {
    {"H", 1.20f, WHITE},  {"He", 1.40f, CYAN},   {"Li", 1.82f, LILAC}, {"Be", 1.98f, LEAF},
    {"B", 1.91f, BEIGE},  {"C", 1.70f, BLACK},   {"N", 1.55f, BLUE},   {"O", 1.52f, RED},
    {"F", 1.47f, GREEN},  {"Ne", 1.54f, CYAN},   {"Na", 2.27f, LILAC}, {"Mg", 1.73f, LEAF},
    {"Al", 2.25f, GREY},  {"Si", 2.10f, BEIGE},  {"P", 1.80f, ORANGE}, {"S", 1.80f, YELLOW},
    {"Cl", 1.75f, GREEN}, {"Ar", 1.88f, CYAN},   {"K", 2.75f, LILAC},  {"Ca", 2.62f, LEAF},
    {"Sc", 2.58f, PINK},  {"Ti", 2.46f, GREY},   {"V", 2.42f, PINK},   {"Cr", 2.45f, PINK},
    {"Mn", 2.45f, PINK},  {"Fe", 2.44f, RUST},   {"Co", 2.40f, PINK},  {"Ni", 1.63f, PINK},
    {"Cu", 1.40f, PINK},  {"Zn", 1.39f, PINK},   {"Ga", 1.87f, PINK},  {"Ge", 2.29f, PINK},
    {"As", 1.85f, PINK},  {"Se", 1.90f, ORANGE}, {"Br", 1.85f, BROWN}, {"Kr", 2.02f, CYAN},
    {"Rb", 3.21f, LILAC}, {"Sr", 2.84f, LEAF},   {"Y", 2.75f, PINK},   {"Zr", 2.52f, PINK},
    {"Nb", 2.56f, PINK},  {"Mo", 2.45f, PINK},   {"Tc", 2.44f, PINK},  {"Ru", 2.46f, PINK},
    {"Rh", 2.44f, PINK},  {"Pd", 1.63f, PINK},   {"Ag", 1.72f, PINK},  {"Cd", 1.58f, PINK},
    {"In", 1.93f, PINK},  {"Sn", 2.17f, PINK},   {"Sb", 2.47f, PINK},  {"Te", 2.06f, PINK},
    {"I", 1.98f, VIOLET}, {"Xe", 2.16f, CYAN},   {"Cs", 3.48f, LILAC}, {"Ba", 3.03f, LEAF},
    {"La", 2.98f, PINK},  {"Ce", 2.88f, PINK},   {"Pr", 2.92f, PINK},  {"Nd", 2.95f, PINK},
    {"Pm", 0.0f, PINK},   {"Sm", 2.90f, PINK},   {"Eu", 2.87f, PINK},  {"Gd", 2.83f, PINK},
    {"Tb", 2.79f, PINK},  {"Dy", 2.87f, PINK},   {"Ho", 2.81f, PINK},  {"Er", 2.83f, PINK},
    {"Tm", 2.79f, PINK},  {"Yb", 2.80f, PINK},   {"Lu", 2.74f, PINK},  {"Hf", 2.63f, PINK},
    {"Ta", 2.53f, PINK},  {"W", 2.57f, PINK},    {"Re", 2.49f, PINK},  {"Os", 2.48f, PINK},
    {"Ir", 2.41f, PINK},  {"Pt", 1.75f, PINK},   {"Au", 1.66f, PINK},  {"Hg", 1.55f, PINK},
    {"Tl", 1.96f, PINK},  {"Pb", 2.02f, PINK},   {"Bi", 2.54f, PINK},  {"Po", 0.0f, PINK},
    {"At", 0.0f, VIOLET}, {"Rn", 0.0f, CYAN},    {"Fr", 0.0f, LILAC},  {"Ra", 0.0f, LEAF},
    {"Ac", 2.80f, PINK},  {"Th", 2.93f, PINK},   {"Pa", 2.88f, PINK},  {"U", 1.86f, PINK},
    {"Np", 2.82f, PINK},  {"Pu", 2.81f, PINK},   {"Am", 2.83f, PINK},  {"Cm", 3.05f, PINK},
    {"Bk", 3.40f, PINK},  {"Cf", 3.05f, PINK},   {"Es", 2.70f, PINK},
};

const struct app_element *app_element_find(const char *symbol)
{
    enum { ELEMENTS = sizeof elements / sizeof *elements };
    int number;
    const struct app_element *found = NULL;
    if (app_parse_int(symbol, &number))
        found = number >= 1 && number <= ELEMENTS ? &elements[number - 1] : NULL;
    else if (strcasecmp(symbol, "D") == 0) /* deuterium */
        found = &elements[0];
    for (int i = 0; i < ELEMENTS && found == NULL; i++)
        if (strcasecmp(symbol, elements[i].symbol) == 0)
            found = &elements[i];
    return found != NULL && found->radius > 0.0f ? found : NULL;
}
