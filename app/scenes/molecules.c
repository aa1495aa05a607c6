/* app/scenes/molecules.c - molecules as scenes: XYZ files, and PDB files by the column layout of
 * the wwPDB's format 3.30. Each atom becomes a sphere with its element's radius and colour.
 */
#include "base/value.h"

#include "scenes/sphere_list.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
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

/* Indexed by atomic number - 1. Radii: A. Bondi, J. Phys. Chem. 68, 441 (1964); for elements that
 * it lacks, S. Alvarez, Dalton Trans. 42, 8617 (2013). Colours: those of the wooden models of R. B.
 * Corey and L. Pauling, Rev. Sci. Instrum. 24, 621 (1953), as W. L. Koltun extended them, US patent
 * 3170246 (1965); metals that they lack are pink, as in most programs. */
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

static enum krn_code add_atom(struct app_sphere_list *list, const struct app_lines *lines,
                              const struct app_element *element, const struct app_field at[3])
{
    static const char *const names[3] = {"x", "y", "z"};
    double numbers[3];
    for (int i = 0; i < 3; i++) {
        const enum krn_code code =
            app_lines_number(lines, &at[i], names[i], -APP_LENGTH_MAX, APP_LENGTH_MAX, &numbers[i]);
        if (code != KRN_OK)
            return code;
    }
    const struct app_ball ball = {
        .x = numbers[0],
        .y = numbers[1],
        .z = numbers[2],
        .radius = (double)element->radius,
        .red = element->red,
        .green = element->green,
        .blue = element->blue,
    };
    return app_sphere_list_add(list, lines, &ball);
}

static enum krn_code refuse_element(const struct app_lines *lines, const char *symbol)
{
    return app_lines_fail(lines, "\"%s\" is not an element with a known radius", symbol);
}

/* --- XYZ --- */

/* Reads the number of atoms, a line of comment, and the atoms. What follows them, such as further
 * steps of a trajectory, is not read. */
static enum krn_code read_xyz(struct app_lines *lines, struct app_sphere_list *list)
{
    int count = 0;
    size_t at = 0;
    if (!app_lines_next(lines))
        return app_lines_fail(lines, "the number of atoms is missing");
    const struct app_field number = app_lines_word(lines, &at);
    if (!app_parse_int(number.text, &count) || count < KRN_SPHERES_MIN || count > KRN_SPHERES_MAX)
        return app_lines_fail(lines, "the number of atoms must be from %d to %d, not \"%s\"",
                              KRN_SPHERES_MIN, KRN_SPHERES_MAX, number.text);
    if (app_lines_word(lines, &at).text[0] != 0)
        return app_lines_fail(lines, "the first line must hold only the number of atoms");
    if (!app_lines_next(lines))
        return app_lines_fail(lines, "the comment line is missing");
    enum krn_code code = KRN_OK;
    for (int i = 0; i < count && code == KRN_OK; i++) {
        if (!app_lines_next(lines))
            return app_lines_fail(lines, "the file ends after %d of %d atoms", i, count);
        at = 0;
        const struct app_field symbol = app_lines_word(lines, &at);
        const struct app_element *element = app_element_find(symbol.text);
        struct app_field xyz[3];
        for (int k = 0; k < 3; k++)
            xyz[k] = app_lines_word(lines, &at);
        code = element != NULL ? add_atom(list, lines, element, xyz)
                               : refuse_element(lines, symbol.text);
    }
    return code;
}

enum krn_code app_scene_read_xyz(const char *text, size_t length, const char *source,
                                 struct krn_scene *scene, struct app_scene_note *note,
                                 struct krn_error *error)
{
    (void)note;
    struct app_lines lines = app_lines_begin(text, length, source, error);
    struct app_sphere_list list = {.balls = NULL};
    enum krn_code code = read_xyz(&lines, &list);
    if (code == KRN_OK)
        code = app_sphere_list_frame(&list, &lines, scene);
    app_sphere_list_free(&list);
    return code;
}

/* --- PDB --- */

/* The places of an atom's record, from the first byte to the one behind the last. */
enum {
    NAME = 12,
    ALTERNATIVE = 16,
    RESIDUE = 21, /* its chain, number and insertion code; alternatives may differ in name */
    RESIDUE_END = 27,
    XYZ = 30,
    XYZ_WIDTH = 8,
    XYZ_END = XYZ + 3 * XYZ_WIDTH,
    ELEMENT = 76,
    ELEMENT_END = 78
};

static bool begins(const struct app_lines *lines, const char *word)
{
    const size_t n = strlen(word);
    return lines->length >= n && memcmp(lines->line, word, n) == 0;
}

/* Finds the element in its own columns or, in older files, in the atom's name: its symbol ends in
 * the name's second column; only hydrogens with names of four letters begin in the first. */
static const struct app_element *element_of(const struct app_lines *lines)
{
    const struct app_field own = app_lines_field(lines, ELEMENT, ELEMENT_END);
    if (isalpha((unsigned char)own.text[0]))
        return app_element_find(own.text);
    /* Digits there are the number of the line, in files from before 1996. */
    const char *name = lines->line + NAME;
    const char two[] = {name[0], name[1], 0}, one[] = {name[0], 0}, second[] = {name[1], 0};
    if (!isalpha((unsigned char)name[0]))
        return isalpha((unsigned char)name[1]) ? app_element_find(second) : NULL;
    const struct app_element *element = name[3] == ' ' ? app_element_find(two) : NULL;
    return element != NULL ? element : app_element_find(one);
}

/* Atoms of a residue may have alternative places, each with a letter. */
struct residue {
    char id[RESIDUE_END - RESIDUE];
    char letter; /* the first one of this residue; ' ': none yet */
};

/* Returns true when the atom is in the place that its residue's first letter names, or has no
 * other. */
static bool is_first_place(const struct app_lines *lines, struct residue *residue)
{
    const char letter = lines->line[ALTERNATIVE];
    if (memcmp(residue->id, lines->line + RESIDUE, sizeof residue->id) != 0) {
        memcpy(residue->id, lines->line + RESIDUE, sizeof residue->id);
        residue->letter = ' ';
    }
    if (residue->letter == ' ')
        residue->letter = letter;
    return letter == ' ' || letter == residue->letter;
}

/* Reads the atoms of the first model. */
static enum krn_code read_pdb(struct app_lines *lines, struct app_sphere_list *list)
{
    struct residue residue = {.letter = ' '};
    enum krn_code code = KRN_OK;
    while (code == KRN_OK && app_lines_next(lines) && !begins(lines, "ENDMDL")) {
        if (!begins(lines, "ATOM  ") && !begins(lines, "HETATM"))
            continue;
        if (lines->length < XYZ_END)
            return app_lines_fail(lines, "the atom's record ends before column %d", XYZ_END);
        if (!is_first_place(lines, &residue))
            continue;
        const struct app_element *element = element_of(lines);
        struct app_field xyz[3];
        for (size_t k = 0; k < 3; k++)
            xyz[k] = app_lines_field(lines, XYZ + k * XYZ_WIDTH, XYZ + (k + 1) * XYZ_WIDTH);
        const struct app_field own = app_lines_field(lines, ELEMENT, ELEMENT_END),
                               name = app_lines_field(lines, NAME, ALTERNATIVE);
        code =
            element != NULL
                ? add_atom(list, lines, element, xyz)
                : refuse_element(lines, isalpha((unsigned char)own.text[0]) ? own.text : name.text);
    }
    if (code == KRN_OK && list->count == 0)
        code = app_lines_fail(lines, "the file has no atoms: no ATOM or HETATM records");
    return code;
}

enum krn_code app_scene_read_pdb(const char *text, size_t length, const char *source,
                                 struct krn_scene *scene, struct app_scene_note *note,
                                 struct krn_error *error)
{
    (void)note;
    struct app_lines lines = app_lines_begin(text, length, source, error);
    struct app_sphere_list list = {.balls = NULL};
    enum krn_code code = read_pdb(&lines, &list);
    if (code == KRN_OK)
        code = app_sphere_list_frame(&list, &lines, scene);
    app_sphere_list_free(&list);
    return code;
}
