/* app/scenes/molecules.c - molecules as scenes: XYZ files, also extended ones, PDB files by the
 * column layout of the wwPDB's format 3.30, and mmCIF files. Each atom becomes a sphere with its
 * element's radius and colour. What is left out is counted, by one path for all formats.
 */
#include "base/complain.h"
#include "base/value.h"

#include "scenes/scenes.h"

#include <ctype.h>
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

enum { ELEMENTS = sizeof elements / sizeof *elements };

/* What stands for no atom, such as the fourth site of a model of water. */
static const struct app_element dummy = {.symbol = "X"};

/* Returns the element of a symbol of n letters, in any case, even without a published radius. */
static const struct app_element *symbol_find(const char *symbol, size_t n)
{
    if (n == 1 && strchr("DdTt", *symbol) != NULL) /* deuterium and tritium */
        return elements;
    for (size_t i = 0; i < ELEMENTS; i++)
        if (strncasecmp(symbol, elements[i].symbol, n) == 0 && elements[i].symbol[n] == 0)
            return &elements[i];
    return NULL;
}

const struct app_element *app_element_find(const char *symbol)
{
    int number;
    const struct app_element *found = NULL;
    if (!app_parse_int(symbol, &number))
        found = strlen(symbol) <= 2 ? symbol_find(symbol, strlen(symbol)) : NULL;
    else if (number >= 1 && number <= ELEMENTS)
        found = &elements[number - 1];
    return found != NULL && found->radius > 0.0f ? found : NULL;
}

/* --- An atom's element --- */

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define ORGANIC "CHNOPSchnops"
#define AMINO_ACIDS                                                                                \
    " ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL MSE SEC "    \
    "PYL ASX GLX HID HIE HIP HSD HSE HSP CYX CYM ASH GLH LYN ARN TYM HISA HISB HISH HISD HISE "    \
    "HISP HIS1 HIS2 ARGN ASPH GLUH LYSH LYSN CYSH CYS1 CYS2 CYSX ACE NME NMA NAC NH2 "
#define NUCLEOTIDES " A C G T U I DA DC DG DT DU DI RA RC RG RU ADE CYT GUA THY URA "
#define WATERS " HOH WAT H2O DOD SOL SPC SPCE TIP TIP3 TIP4 TIP5 TP3 TP4 TP5 T3P T4P OPC SWM4 SWM6 "
/* Lone pairs, virtual sites, ghosts, and MOPAC's vectors of translation: no atom has such names. */
#define DUMMIES " X M EP LP MW XX DU VS BQ GH TV "

/* Returns true when the first n characters of a word are, in upper case, in a list. */
static bool is_listed(const char *list, const char *word, size_t n)
{
    char key[8] = " ";
    for (size_t i = 0; i < n && i < 5; i++)
        key[1 + i] = (char)toupper((unsigned char)word[i]);
    strcat(key, " ");
    return n > 0 && strstr(list, key) != NULL;
}

/* Returns the first letters of a name, and their number. */
static const char *letters_of(const char *name, size_t *n)
{
    const char *letters = name + strcspn(name, LETTERS);
    *n = strspn(letters, LETTERS);
    return letters;
}

static bool is_dummy(const char *letters, size_t n)
{
    return is_listed(DUMMIES, letters, n < 2 ? n : 2);
}

/* Returns true when the letters begin as symbols of two letters are written. */
static bool is_cased(const char *letters)
{
    return isupper((unsigned char)letters[0]) && islower((unsigned char)letters[1]);
}

/* Finds the element of a name such as O1, Fe2+, HG11 or CA. `pair`: its first two letters are a
 * symbol if there is such a one. Else names that begin with C, H, N, O, P or S are those of organic
 * atoms, but for the symbols that are far more common than such a name. */
static const struct app_element *element_of_name(const char *name, bool pair)
{
    size_t n;
    const char *letters = letters_of(name, &n), *tail = letters + n;
    const bool cased = is_cased(letters);
    if (n == 0 || n > 4 || (cased && islower((unsigned char)letters[2])))
        return NULL;
    if (is_dummy(letters, n) || name[0] == '@' || tail[0] == ':' || /* ghosts of Psi4 and ORCA */
        (tail[0] == '-' && isalpha((unsigned char)tail[1])))        /* and of Gaussian: O-Bq */
        return &dummy;
    const struct app_element *found = NULL;
    if (n > 1 && (pair || cased || strchr(ORGANIC, letters[0]) == NULL ||
                  is_listed(" CL CU NI PT SE SI ", letters, 2)))
        found = symbol_find(letters, 2);
    if (found != NULL || cased || (n > 1 && strchr(ORGANIC "BDFIbdfi", letters[0]) == NULL))
        return found;
    return symbol_find(letters, 1);
}

/* Finds the element of a symbol, an atomic number, or a label. */
static const struct app_element *element_of_label(const char *label, bool pair)
{
    int number;
    if (!app_parse_int(label, &number))
        return element_of_name(label, pair);
    return number == 0 ? &dummy : app_element_find(label);
}

/* Returns true for amino acids and nucleotides, also at an end of their chain, and for water. */
static bool is_standard(const char *residue)
{
    const size_t n = strlen(residue);
    return is_listed(AMINO_ACIDS NUCLEOTIDES WATERS, residue, n) ||
           (n == 4 && strchr("CNcn", residue[0]) != NULL &&
            is_listed(AMINO_ACIDS, residue + 1, 3)) ||
           (n > 1 && strchr("35Nn", residue[n - 1]) != NULL &&
            is_listed(NUCLEOTIDES, residue, n - 1));
}

/* Finds the element of an atom of a standard residue, whose name begins with its only letter.
 * `own` is what the file says itself, or NULL. */
static const struct app_element *element_in_standard(const char *name,
                                                     const struct app_element *own)
{
    size_t n;
    const char *letters = letters_of(name, &n);
    const int first = toupper((unsigned char)letters[0]),
              second = n > 1 ? toupper((unsigned char)letters[1]) : 0;
    if (own == &dummy || /* or else pseudo-atoms of NMR, CHARMM's M site, and Drude's particles */
        (own == NULL &&
         (is_dummy(letters, n) || first == 'M' || first == 'Q' || (first == 'O' && second == 'M') ||
          (first == 'D' && second != 0 && strchr("CNOPS", second) != NULL))))
        return &dummy;
    if (first == 'S' && (second == 'E' || (own != NULL && strcmp(own->symbol, "Se") == 0)))
        return symbol_find("Se", 2);
    return n > 0 && strchr("CDHNOPS", first) != NULL ? symbol_find(letters, 1) : own;
}

/* Finds the element of an atom of a molecular file: that of its residue's atoms, that of an ion,
 * which has its residue's name, what the file says itself, or what the name says. */
static const struct app_element *element_of(const char *name, const char *residue,
                                            const struct app_element *own, bool pair)
{
    static const char charmm[] = "SODNa POTK  CLACl CALCa CESCs LITLi RUBRb BARBa CADCd ";
    size_t n, same;
    const char *letters = letters_of(name, &n), *other = letters_of(residue, &same);
    if (strcasecmp(residue, "DUM") == 0) /* the membranes of OPM */
        return &dummy;
    if (own == NULL && n == same && n > 0 && strncasecmp(letters, other, n) == 0) {
        for (const char *ion = charmm; *ion != 0 && n == 3; ion += 6)
            if (strncasecmp(letters, ion, 3) == 0)
                return symbol_find(ion + 3, ion[4] == ' ' ? 1 : 2);
        own = symbol_find(letters, n);
    } else if (is_standard(residue)) {
        return element_in_standard(name, own);
    }
    return own != NULL ? own : element_of_name(name, pair);
}

/* --- An atom on its way into the scene --- */

/* What a file says of an atom. */
enum { X, Y, Z, RADIUS, R, G, B, SYMBOL, NUMBER, NAME, RESIDUE, PLACE, KEY };
/* The first four tell residues apart, whose names may be alike. */
enum { CHAIN = KEY, SERIAL, OTHER_SERIAL, INSERTION, MODEL, FRACTION, FIELDS, KEYS = MODEL - KEY };

/* What of a file is not in the scene. */
enum { DUMMY, UNKNOWN, ALTERNATE, BEYOND, FRAME, BLOCK, KINDS };

struct molecule {
    struct app_lines lines;
    struct app_sphere_list list;
    struct app_field field[FIELDS];         /* of the atom that is read */
    int column[FIELDS], columns;            /* where a table has them, from 1; 0: it lacks them */
    struct app_field residue[KEYS], letter; /* the first place of this residue; "": none yet */
    int left_out[KINDS];
    char label[40]; /* the first one that is unknown, or else a dummy's */
    size_t label_line;
    bool numbered, assembly;   /* what the note says was chosen */
    bool left, foreign;        /* see scan_pdb */
    size_t name;               /* where a PDB file's record has the atom's name */
    size_t at;                 /* in the line: where mmCIF's next word is sought */
    struct app_field word;     /* its newest word */
    bool bare;                 /* it is neither in quotation marks nor of several lines */
    struct app_field model[2]; /* the numbers of the first model and of the newest */
};

/* Returns true when the atom is in the place that its residue's first letter names, or has no
 * other. Counts it, if not. */
static bool is_first_place(struct molecule *molecule)
{
    const struct app_field *place = &molecule->field[PLACE];
    bool same = true;
    for (int i = 0; i < KEYS; i++)
        same = same && strcmp(molecule->residue[i].text, molecule->field[CHAIN + i].text) == 0;
    if (!same || molecule->letter.text[0] == 0)
        molecule->letter = *place;
    memcpy(molecule->residue, molecule->field + CHAIN, sizeof molecule->residue);
    const bool first = place->text[0] == 0 || strcmp(place->text, molecule->letter.text) == 0;
    molecule->left_out[ALTERNATE] += !first;
    return first;
}

/* Adds the atom to the list, or counts it as left out. `label` is what its element was found by. */
static enum krn_code add_atom(struct molecule *molecule, const struct app_element *element,
                              const char *label)
{
    static const char *const names[] = {"x", "y", "z", "radius", "red", "green", "blue"};
    const bool known = element != NULL && element->radius > 0.0f;
    if (!known && (molecule->column[RADIUS] == 0 || molecule->column[R] == 0)) {
        if (molecule->label_line == 0 || (element != &dummy && molecule->left_out[UNKNOWN] == 0)) {
            app_format(molecule->label, sizeof molecule->label, "%s", label);
            molecule->label_line = molecule->lines.number;
        }
        molecule->left_out[element == &dummy ? DUMMY : UNKNOWN]++;
        return KRN_OK;
    }
    const struct app_element *own = known ? element : &dummy;
    double number, value[SYMBOL] = {0.0, 0.0, 0.0, (double)own->radius};
    value[R] = (double)own->red;
    value[G] = (double)own->green;
    value[B] = (double)own->blue;
    for (int i = X; i <= B; i++) {
        if (i > Z && molecule->column[i] == 0)
            continue;
        const enum krn_code code = app_lines_number(
            &molecule->lines, &molecule->field[i], names[i], i > Z ? 0.0 : -APP_LENGTH_MAX,
            i > RADIUS ? APP_COLOUR_MAX : APP_LENGTH_MAX, &number);
        if (code != KRN_OK)
            return code;
        value[i] = i == RADIUS && !(number > 0.0) ? value[i] : number; /* 0: the element's */
    }
    const struct app_ball ball = {
        value[X],        value[Y], value[Z], value[RADIUS], (float)value[R], (float)value[G],
        (float)value[B], 0.0f,     0};
    if (ball.radius < APP_LENGTH_MIN)
        return app_lines_fail(&molecule->lines, "the radius must be at least %g, not \"%s\"",
                              APP_LENGTH_MIN, molecule->field[RADIUS].text);
    return app_sphere_list_add(&molecule->list, &molecule->lines, &ball);
}

/* Says what was chosen and what was left out. */
static void write_note(const struct molecule *molecule, bool scaled, struct app_scene_note *note)
{
    static const char kinds[] = /* each with what follows its plural */
        "dummy atom\0\0atom\0 of no known element or radius\0atom\0 in alternate places\0"
        "line\0 beyond the stated atoms\0further frame\0\0"
        "further data block\0";
    char *const text = note->text;
    app_format(text, sizeof note->text, "%s%s%s", scaled ? "Colours are read as 0 to 255. " : "",
               molecule->numbered ? "The first column is read as atomic numbers. " : "",
               molecule->assembly ? "All models are drawn, as one assembly. " : "");
    const char *before = "Left out: ", *next = kinds;
    for (int kind = 0; kind < KINDS; kind++) {
        const int count = kind == FRAME && molecule->assembly ? 0 : molecule->left_out[kind];
        const size_t used = strlen(text);
        const char *name = next, *tail = name + strlen(name) + 1;
        next = tail + strlen(tail) + 1;
        if (count == 0)
            continue;
        app_format(text + used, sizeof note->text - used, "%s%d %s%s%s%s%.12s%s", before, count,
                   name, count > 1 ? "s" : "", tail, kind == UNKNOWN ? " (\"" : "",
                   kind == UNKNOWN ? molecule->label : "", kind == UNKNOWN ? "\")" : "");
        before = ", ";
    }
    const size_t used = strlen(text);
    if (used > 0) /* the last sentence has no end, or a blank behind it */
        app_format(text + used - (before[0] != ','), 2, before[0] == ',' ? "." : "");
    app_make_printable(text);
}

/* Reads the molecule of a text by `read`. `none` says what a file lacks that has no atoms. */
static enum krn_code read_molecule(struct molecule *molecule,
                                   enum krn_code (*read)(struct molecule *molecule),
                                   const char *none, struct krn_scene *scene,
                                   struct app_scene_note *note)
{
    bool scaled = false;
    enum krn_code code = read(molecule);
    if (code == KRN_OK && molecule->list.count == 0 && molecule->label_line == 0)
        code = app_lines_fail(&molecule->lines, "the file has no atoms: %s", none);
    molecule->lines.number = molecule->label_line;
    if (code == KRN_OK && molecule->list.count == 0)
        code = app_lines_fail(&molecule->lines,
                              "\"%s\" is not an element with a known radius, nor is any other atom",
                              molecule->label);
    if (code == KRN_OK && molecule->column[R] > 0)
        code = app_sphere_list_scale_colours(&molecule->list, &molecule->lines, &scaled);
    KRN_THEN(code, app_sphere_list_frame(&molecule->list, &molecule->lines, scene));
    if (code == KRN_OK)
        write_note(molecule, scaled, note);
    app_sphere_list_free(&molecule->list);
    return code;
}

/* Keeps a value of a table's row in the field that its column has. */
static void keep(struct molecule *molecule, int column, const struct app_field *value)
{
    for (int i = 0; i < FIELDS; i++)
        if (molecule->column[i] == column)
            molecule->field[i] = *value;
}

/* --- XYZ --- */

/* Finds the value of Properties= in the comment, outside other values. Returns false when there is
 * none. */
static bool find_properties(const struct app_lines *lines, size_t *begin, size_t *end)
{
    static const char key[] = "properties";
    const char *line = lines->line;
    const size_t length = lines->length, n = sizeof key - 1;
    char mark = 0; /* that ends the quotation that we are in */
    for (size_t at = 0; at + n < length; at++) {
        const bool starts = at == 0 || strchr(" \t=", line[at - 1]) != NULL;
        if (mark == 0 && starts && strchr("\"'", line[at]) != NULL)
            mark = line[at];
        else if (line[at] == mark)
            mark = 0;
        const bool quoted = mark != 0 && at > 0 && line[at - 1] == mark && line[at + n] == mark;
        size_t to = at + n + quoted;
        if (!(quoted || (mark == 0 && starts)) || strncasecmp(line + at, key, n) != 0)
            continue;
        to += app_lines_blanks(lines, to);
        if (to == length || line[to++] != '=')
            continue;
        *begin = *end = to + app_lines_blanks(lines, to);
        const char first[] = {*begin < length ? line[*begin] : 0, 0};
        const char *stop = first[0] == '"' || first[0] == '\'' ? first : " \t";
        *begin = *end += stop == first;
        while (*end < length && strchr(stop, line[*end]) == NULL)
            ++*end;
        return true;
    }
    return false;
}

/* Follows a statement such as species:S:1:pos:R:3. Returns false when that is impossible. */
static bool read_statement(struct molecule *molecule, size_t at, size_t end)
{
    static const struct {
        const char *name, *types;
        int field, width;
    } known[] = {
        {"species", "SIsi", SYMBOL, 1}, {"Z", "Ii", NUMBER, 1},       {"pos", "RIri", X, 3},
        {"radius", "RIri", RADIUS, 1},  {"radii", "RIri", RADIUS, 1}, {"color", "RIri", R, 3},
        {"colour", "RIri", R, 3},
    };
    char text[1024], name[40], type;
    int used = 0, width;
    snprintf(text, sizeof text, "%.*s", (int)(end - at), molecule->lines.line + at);
    for (const char *next = text; *next != 0; next += used) {
        if (end - at >= sizeof text ||
            sscanf(next, "%39[^:]:%c:%4d%n", name, &type, &width, &used) != 3 || width < 1 ||
            strchr("RISLrisl", type) == NULL || strchr(":", next[used]) == NULL)
            return false;
        used += next[used] == ':';
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            const bool same =
                strcasecmp(name, known[i].name) == 0 && strchr(known[i].types, type) != NULL;
            if (same && width != known[i].width)
                return false;
            for (int k = 0; k < width && same; k++)
                molecule->column[known[i].field + k] = molecule->columns + k + 1;
        }
        molecule->columns += width;
    }
    return molecule->column[X] > 0 && molecule->column[SYMBOL] + molecule->column[NUMBER] > 0;
}

/* Reads the fields of a line, and finds its element. `names`: the labels are names of atoms. */
static const struct app_element *read_row(struct molecule *molecule, bool names)
{
    size_t at = 0;
    memset(molecule->field, 0, sizeof molecule->field);
    for (int i = 1; i <= molecule->columns && at < molecule->lines.length; i++) {
        const struct app_field word = app_lines_word(&molecule->lines, &at);
        keep(molecule, i, &word);
    }
    const struct app_element *found = element_of_label(molecule->field[SYMBOL].text, !names);
    return found != NULL ? found : element_of_label(molecule->field[NUMBER].text, true);
}

/* Returns true when the labels of the next lines are names of atoms in place of symbols: one of
 * them, such as CB or OH2, is no symbol. Then CA is carbon. */
static bool has_names(struct molecule ahead, int count)
{
    bool names = false;
    for (int i = 0; i < count && !names && app_lines_next(&ahead.lines); i++) {
        size_t n;
        read_row(&ahead, false);
        const char *letters = letters_of(ahead.field[SYMBOL].text, &n);
        names = n > 1 && !is_cased(letters) && strchr(ORGANIC, letters[0]) != NULL &&
                (n > 2 || symbol_find(letters, n) == NULL);
    }
    return names;
}

/* Counts what follows the atoms: lines, and further steps of a trajectory. */
static void count_rest(struct molecule *molecule)
{
    struct app_lines *lines = &molecule->lines;
    while (app_lines_next(lines)) {
        size_t at = 0;
        int count;
        const struct app_field first = app_lines_word(lines, &at);
        const bool alone = app_lines_word(lines, &at).text[0] == 0;
        if (alone && app_parse_int(first.text, &count) && count >= 0) {
            molecule->left_out[FRAME]++;
            while (count-- >= 0 && app_lines_next(lines))
                continue;
        } else {
            molecule->left_out[BEYOND] += first.text[0] != 0 && molecule->left_out[FRAME] == 0;
        }
    }
}

/* Reads the number of atoms, a line of comment, which may state the columns, and the atoms. */
static enum krn_code read_xyz(struct molecule *molecule)
{
    struct app_lines *const lines = &molecule->lines;
    int count = 0, symbol;
    size_t at = 0, end = 0;
    if (!app_lines_next(lines))
        return app_lines_fail(lines, "the number of atoms is missing");
    const struct app_field number = app_lines_word(lines, &at);
    if (!app_parse_int(number.text, &count) || count < KRN_SPHERES_MIN || count > KRN_LARGE_SPHERES)
        return app_lines_fail(lines, "the number of atoms must be from %d to %d, not \"%s\"",
                              KRN_SPHERES_MIN, KRN_LARGE_SPHERES, number.text);
    if (app_lines_word(lines, &at).text[0] != 0)
        return app_lines_fail(lines, "the first line must hold only the number of atoms");
    if (!app_lines_next(lines))
        return app_lines_fail(lines, "the comment line is missing");
    const bool stated = find_properties(lines, &at, &end);
    if (stated && !read_statement(molecule, at, end))
        return app_lines_fail(lines,
                              "Properties=%.*s%s cannot be followed: names with type and width are "
                              "needed, among them pos:R:3, and species:S:1 or Z:I:1",
                              end - at < 80 ? (int)(end - at) : 80, lines->line + at,
                              end - at > 80 ? "..." : "");
    static const int plain[] = {SYMBOL, X, Y, Z};
    for (int i = 0; i < 4 && !stated; i++)
        molecule->column[plain[i]] = molecule->columns = i + 1;
    const bool names = has_names(*molecule, count);
    enum krn_code code = KRN_OK;
    for (int i = 0; i < count && code == KRN_OK; i++) {
        if (!app_lines_next(lines))
            return app_lines_fail(lines, "the file ends after %d of %d atoms", i, count);
        const struct app_element *element = read_row(molecule, names);
        const char *label = molecule->field[molecule->column[SYMBOL] > 0 ? SYMBOL : NUMBER].text;
        if (label[0] == 0)
            return app_lines_fail(lines, "the atom's symbol is missing");
        for (int k = X; k <= Z && !stated && !isalpha((unsigned char)label[0]); k++)
            if (isalpha((unsigned char)molecule->field[k].text[0]))
                return app_lines_fail(lines, "the columns must be symbol, x, y and z, unless "
                                             "Properties= in line 2 states others");
        molecule->numbered |= !stated && app_parse_int(label, &symbol);
        code = add_atom(molecule, element, label);
    }
    count_rest(molecule);
    return code;
}

enum krn_code app_scene_read_xyz(const char *text, size_t length, const char *source,
                                 struct krn_scene *scene, struct app_scene_note *note,
                                 struct krn_error *error)
{
    struct molecule molecule = {.lines = app_lines_begin(text, length, source, error)};
    return read_molecule(&molecule, read_xyz, "", scene, note);
}

/* --- PDB --- */

/* The places of an atom's record, from the first byte to the one behind the last. A residue's name
 * has three letters by the format, and four in many files; its identity is chain, number and
 * insertion code. A charge follows the element. */
enum { NUMBER_BEGIN = 6, NUMBER_WIDTH = 5, ATOM_NAME = 12, ALTERNATIVE = 16, RESIDUE_NAME = 17 };
enum { RESIDUE_ID = 21, RESIDUE_END = 27, ELEMENT = 76, ELEMENT_END = 80, SHIFT_MAX = 4 };
enum { XYZ = 30, XYZ_WIDTH = 8, XYZ_POINT = 4, XYZ_END = XYZ + 3 * XYZ_WIDTH };

static bool begins(const struct app_lines *lines, const char *word)
{
    const size_t n = strlen(word);
    return lines->length >= n && memcmp(lines->line, word, n) == 0;
}

static bool is_atom(const struct app_lines *lines)
{
    return begins(lines, "ATOM ") || begins(lines, "HETATM");
}

/* Returns true when the coordinates' decimal points lie `shift` columns to the right of where the
 * format wants them, and nothing else does. */
static bool is_shifted(const struct app_lines *lines, size_t shift)
{
    bool points = lines->length >= XYZ_END + shift;
    for (size_t k = 0; k < 3 && points; k++)
        points = lines->line[XYZ + k * XYZ_WIDTH + XYZ_POINT + shift] == '.' &&
                 lines->line[XYZ + shift - 1 - k] == ' ';
    return points;
}

/* Reads an atom's record. Numbers that are too long for their columns shift what follows: the
 * atom's number all of it, the residue's what is behind it. Errors: KRN_REFUSED. */
static enum krn_code read_record(struct molecule *molecule)
{
    const struct app_lines *lines = &molecule->lines;
    struct app_field *field = molecule->field;
    size_t digits = 0, shift = 0;
    if (lines->length < XYZ_END)
        return app_lines_fail(lines, "the atom's record ends before column %d", XYZ_END);
    while (isdigit((unsigned char)lines->line[NUMBER_BEGIN + digits]))
        digits++;
    while (shift <= SHIFT_MAX && !is_shifted(lines, shift))
        shift++;
    for (size_t at = XYZ; at <= XYZ_END && shift > SHIFT_MAX; at += XYZ_WIDTH)
        if (lines->line[at - 1] != ' ' && at < lines->length && lines->line[at] != ' ')
            return app_lines_fail(lines,
                                  "x, y and z are not in columns %d to %d: a longer number "
                                  "has shifted them, or runs into the next",
                                  XYZ + 1, XYZ_END);
    shift = shift > SHIFT_MAX ? 0 : shift;
    const size_t own =
        digits > NUMBER_WIDTH && digits <= NUMBER_WIDTH + shift ? digits - NUMBER_WIDTH : 0;
    molecule->name = ATOM_NAME + own;
    field[NAME] = app_lines_field(lines, ATOM_NAME + own, ALTERNATIVE + own);
    field[PLACE] = app_lines_field(lines, ALTERNATIVE + own, RESIDUE_NAME + own);
    field[RESIDUE] = app_lines_field(lines, RESIDUE_NAME + own, RESIDUE_ID + own);
    field[CHAIN] = app_lines_field(lines, RESIDUE_ID + own, RESIDUE_END + shift);
    field[SYMBOL] = app_lines_field(lines, ELEMENT + shift, ELEMENT_END + shift);
    for (size_t k = 0, at = XYZ + shift; k < 3; k++, at += XYZ_WIDTH)
        field[X + k] = app_lines_field(lines, at, at + XYZ_WIDTH);
    return KRN_OK;
}

/* Returns the element of its own columns, which may have a charge behind it; NULL: there is none.
 * Digits there are the number of the line, in files from before 1996. */
static const struct app_element *own_element(const struct molecule *molecule)
{
    const char *text = molecule->field[SYMBOL].text;
    const size_t n = strspn(text, LETTERS);
    if (n < 1 || n > 2 || text[n + strspn(text + n, " 0123456789+-")] != 0)
        return NULL;
    return is_dummy(text, n) ? &dummy : symbol_find(text, n);
}

/* Finds out what can be relied on in a file. `foreign`: the element's columns have something else,
 * since it contradicts an atom of a standard residue. `left`: names begin at the left of their
 * columns, such as "N   " and "CB  ", so that their place tells nothing. */
static void scan_pdb(struct molecule *molecule)
{
    struct krn_error ignored;
    struct molecule all = {.lines = molecule->lines};
    all.lines.error = &ignored;
    while (app_lines_next(&all.lines)) {
        if (!is_atom(&all.lines) || read_record(&all) != KRN_OK)
            continue;
        const char *name = all.lines.line + all.name;
        molecule->left |= isalpha((unsigned char)name[0]) && name[3] == ' ' && !is_dummy(name, 2) &&
                          (!isalpha((unsigned char)name[1]) || symbol_find(name, 2) == NULL);
        const struct app_element *own = own_element(&all);
        molecule->foreign |= own != NULL && is_standard(all.field[RESIDUE].text) &&
                             element_in_standard(all.field[NAME].text, own) != own;
    }
}

/* Reads the atoms of the first frame, or of all models of a biological assembly. Frames begin with
 * MODEL, or end with ENDMDL or END. */
static enum krn_code read_pdb(struct molecule *molecule)
{
    struct app_lines *lines = &molecule->lines;
    enum krn_code code = KRN_OK;
    bool atoms = false, ended = false; /* the frame has some; it ends before the next one */
    scan_pdb(molecule);
    while (code == KRN_OK && app_lines_next(lines)) {
        if (begins(lines, "EXPDTA") && strstr(app_lines_field(lines, 10, 40).text, "NMR") != NULL)
            molecule->assembly = false; /* such an entry's models are not its parts */
        ended |= begins(lines, "MODEL ") || begins(lines, "ENDMDL") ||
                 (begins(lines, "END") && app_lines_field(lines, 3, 80).text[0] == 0);
        if (!is_atom(lines))
            continue;
        molecule->left_out[FRAME] += ended && atoms;
        atoms = true;
        ended = false;
        if (molecule->left_out[FRAME] > 0 && !molecule->assembly)
            continue;
        code = read_record(molecule);
        if (code != KRN_OK || !is_first_place(molecule))
            continue;
        const struct app_field *field = molecule->field;
        const char *name = lines->line + molecule->name;
        code = add_atom(molecule,
                        element_of(field[NAME].text, field[RESIDUE].text,
                                   molecule->foreign ? NULL : own_element(molecule),
                                   !molecule->left && name[0] != ' ' && name[3] == ' '),
                        field[NAME].text);
    }
    molecule->assembly &= molecule->left_out[FRAME] > 0;
    return code;
}

enum krn_code app_scene_read_pdb(const char *text, size_t length, const char *source,
                                 struct krn_scene *scene, struct app_scene_note *note,
                                 struct krn_error *error)
{
    struct molecule molecule = {.lines = app_lines_begin(text, length, source, error)};
    size_t n = strlen(source); /* a biological assembly has a name such as 1abc.pdb1.gz */
    n -= n > 3 && strcasecmp(source + n - 3, ".gz") == 0 ? 3 : 0;
    molecule.assembly = n > 5 && isdigit((unsigned char)source[n - 1]) &&
                        strncasecmp(source + n - 5, ".pdb", 4) == 0;
    return read_molecule(&molecule, read_pdb, "no ATOM or HETATM records", scene, note);
}

/* --- mmCIF --- */

#define CATEGORY "_atom_site"

/* Moves to the next word or value; "": a value that is unknown, does not apply, or has several
 * lines. Returns false at the end. */
static bool next_word(struct molecule *molecule)
{
    struct app_lines *lines = &molecule->lines;
    size_t *at = &molecule->at;
    for (*at += app_lines_blanks(lines, *at); *at >= lines->length || lines->line[*at] == '#';
         *at += app_lines_blanks(lines, *at)) {
        if (!app_lines_next(lines))
            return false;
        *at = 0;
        if (!begins(lines, ";"))
            continue;
        do
            if (!app_lines_next(lines))
                return false;
        while (!begins(lines, ";"));
        *at = 1;
        molecule->word.text[0] = 0;
        molecule->bare = false;
        return true;
    }
    const char mark = lines->line[*at];
    molecule->bare = mark != '"' && mark != '\'';
    const size_t quoted = !molecule->bare, begin = *at += quoted;
    while (*at < lines->length &&
           ((quoted && lines->line[*at] != mark) ||
            (*at + quoted < lines->length && app_lines_blanks(lines, *at + quoted) == 0)))
        ++*at;
    molecule->word = app_lines_field(lines, begin, *at);
    *at += quoted;
    if (molecule->bare && strchr(".?", molecule->word.text[0]) != NULL &&
        molecule->word.text[1] == 0)
        molecule->word.text[0] = 0;
    return true;
}

static bool is_word(const struct molecule *molecule, const char *word)
{
    return molecule->bare && strncasecmp(molecule->word.text, word, strlen(word)) == 0;
}

/* Returns the field of the atoms' category that a tag names, or FIELDS. */
static int field_of_tag(const struct molecule *molecule)
{
    static const char items[] = /* in the order of the fields */
        "Cartn_x\0Cartn_y\0Cartn_z\0-\0-\0-\0-\0type_symbol\0-\0label_atom_id\0label_comp_id\0"
        "label_alt_id\0label_asym_id\0label_seq_id\0auth_seq_id\0pdbx_PDB_ins_code\0"
        "pdbx_PDB_model_num\0fract_x";
    const char *item = molecule->word.text + sizeof CATEGORY;
    if (!is_word(molecule, CATEGORY ".") && !is_word(molecule, CATEGORY "_"))
        return FIELDS; /* '_' is in files of small molecules */
    if (strcasecmp(item, "label") == 0)
        return NAME;
    int field = 0;
    for (const char *at = items; field < FIELDS && strcasecmp(item, at) != 0; field++)
        at += strlen(at) + 1;
    return field;
}

/* Takes the atom whose fields were read, if it is in the first model. */
static enum krn_code take_site(struct molecule *molecule)
{
    struct app_field *field = molecule->field, *model = molecule->model;
    const struct app_lines *lines = &molecule->lines;
    const int *column = molecule->column;
    const bool whole = column[X] > 0 && column[Y] > 0 && column[Z] > 0;
    if (!whole || column[SYMBOL] + column[NAME] == 0)
        return app_lines_fail(lines, whole || column[FRACTION] == 0
                                         ? "the table " CATEGORY " lacks Cartn_x, Cartn_y, Cartn_z "
                                           "or type_symbol"
                                         : "the atoms have fractional coordinates (fract_x); "
                                           "Cartesian ones (Cartn_x) are needed");
    for (int i = X; i <= Z; i++)
        field[i].text[strcspn(field[i].text, "(")] = 0; /* the standard uncertainty */
    if (molecule->list.count == 0 && molecule->label_line == 0)
        model[0] = model[1] = field[MODEL];
    molecule->left_out[FRAME] += strcmp(model[1].text, field[MODEL].text) != 0;
    model[1] = field[MODEL];
    if (strcmp(model[0].text, field[MODEL].text) != 0 || !is_first_place(molecule))
        return KRN_OK;
    if (field[SYMBOL].text[0] != 0)
        return add_atom(molecule, element_of_label(field[SYMBOL].text, true), field[SYMBOL].text);
    return add_atom(molecule, element_of(field[NAME].text, field[RESIDUE].text, NULL, false),
                    field[NAME].text);
}

/* Reads the atoms of the first data block that has some: a table, or the items of a single one. */
static enum krn_code read_mmcif(struct molecule *molecule)
{
    int columns = 0, column = 0, item = FIELDS; /* of the table, of its row; of the single atom */
    bool heading = false, atoms = false, single = false;
    enum krn_code code = KRN_OK;
    while (code == KRN_OK && next_word(molecule)) {
        const bool tag = is_word(molecule, "_"), block = is_word(molecule, "data_");
        const int field = tag ? field_of_tag(molecule) : FIELDS;
        if (column != 0 && (tag || block || is_word(molecule, "loop_")))
            break;
        if (block && (single || molecule->list.count > 0 || molecule->label_line > 0)) {
            do
                molecule->left_out[BLOCK] += is_word(molecule, "data_");
            while (next_word(molecule));
        } else if (tag && heading) {
            columns++;
            if (field < FIELDS && !atoms) {
                memset(molecule->field, 0, sizeof molecule->field);
                memset(molecule->column, 0, sizeof molecule->column);
            }
            atoms |= field < FIELDS;
            if (field < FIELDS)
                molecule->column[field] = columns;
        } else if (tag || block || is_word(molecule, "loop_")) {
            heading = is_word(molecule, "loop_");
            columns = 0;
            atoms = false;
            item = field;
        } else if (atoms) {
            heading = false;
            keep(molecule, ++column, &molecule->word);
            column %= columns;
            code = column == 0 ? take_site(molecule) : KRN_OK;
        } else if (item < FIELDS) {
            molecule->field[item] = molecule->word;
            molecule->column[item] = 1;
            single = true;
            item = FIELDS;
        } else {
            heading = false;
        }
    }
    if (code == KRN_OK && column != 0)
        return app_lines_fail(&molecule->lines, "the table " CATEGORY " ends within a row");
    return code == KRN_OK && single ? take_site(molecule) : code;
}

enum krn_code app_scene_read_mmcif(const char *text, size_t length, const char *source,
                                   struct krn_scene *scene, struct app_scene_note *note,
                                   struct krn_error *error)
{
    struct molecule molecule = {.lines = app_lines_begin(text, length, source, error)};
    return read_molecule(&molecule, read_mmcif, "no table " CATEGORY, scene, note);
}
