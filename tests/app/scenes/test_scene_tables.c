/* Scenes from CSV, XYZ and PDB files: where their spheres lie, and every way in which they can be
 * wrong. */
#include "base/files.h"
#include "scene_texts.h"
#include "scenes/scenes.h"

#include "krn/light.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASSETS TEST_SOURCE_DIR "/assets/scenes/"
#define HEAD "x,y,z,r,red,green,blue\n"
/* An atom of a PDB file: its name, alternative place and residue, and its coordinates. */
#define ATOM(name, place, residue, xyz) "ATOM      1 " name place "ALA A" residue "    " xyz "\n"

static void refuse(const char *text, const char *name, const char *words)
{
    refuse_bytes(text, strlen(text), name, words);
    assert_non_null(strstr(error.text, ", line "));
}

static void check_near(float a, double b)
{
    if (!(fabs((double)a - b) <= 1e-3))
        fail_msg("%g is not %g", (double)a, b);
}

/* Checks that every sphere lies within the frame and one touches it, and that both views show the
 * scene about its middle. */
static void check_framed(const struct krn_scene *scene)
{
    double farthest = 0.0, low[3] = {0}, high[3] = {0};
    for (int i = 0; i < scene->count; i++) {
        const struct krn_sphere *s = &scene->spheres[i];
        const double at[3] = {(double)s->x, (double)s->y, (double)s->z}, r = (double)s->radius;
        farthest = fmax(farthest, sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]) + r);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], at[k] - r);
            high[k] = fmax(high[k], at[k] + r);
        }
    }
    check_near((float)farthest, APP_FRAME_RADIUS);
    for (int k = 0; k < 3; k++)
        check_near((float)(low[k] + high[k]), 0.0);
    check_near(krn_bounds_of(scene).extent, APP_FRAME_RADIUS);
    check_near(krn_bounds_of(scene).centre, 0.0);
}

TEST(test_csv)
{
    /* Two spheres whose box is from 9 to 13 and of height and depth 2: 2 units are 480. */
    TEST_SCENE scene = parse(HEAD "10,5,7,1,1,0,0.5\n12,5,7,1,0,1,0\n", "a.csv");
    assert_int_equal(scene.count, 2);
    check_framed(&scene);
    const struct krn_sphere *s = scene.spheres;
    check_near(s[0].x, -240);
    check_near(s[0].radius, 240);
    check_near(s[1].x, 240);
    check_near(s[1].y, 0);
    assert_true(s[0].r == 1 && s[0].g == 0 && s[0].b == 0.5f && s[1].g == 1);
    assert_true(scene.mirrors[0] == 0);

    TEST_SCENE second =
        parse("\xef\xbb\xbf\"Blue\",\"mirror\",\"X\",\"y\",\"z\",\"r\",\"red\",\"green\"\r\n"
              "1, 0.5, 1, 2, 3, 4, 0, 0.25\r\n\r\n",
              "FROM.EXCEL.CSV");
    assert_int_equal(second.count, 1);
    check_near(second.spheres->radius, APP_FRAME_RADIUS);
    assert_true(second.spheres->b == 1 && second.spheres->g == 0.25f && second.mirrors[0] == 0.5f);

    TEST_SCENE third =
        parse("0,0,0,1,1,0,0,1", "a.csv"); /* without names, and without a line end */
    assert_true(third.count == 1 && third.mirrors[0] == 1);
}

/* Tables that people have: each is the same two spheres. */
TEST(test_tables)
{
#define TWO "0,0,0,1.5,0.9,0.2,0.1\n2.5,0,0,1,0.2,0.4,0.9\n"
#define SEMICOLONS "x;y;z;r;red;green;blue\n0;0;0;1,5;0,9;0,2;0,1\n2,5;0;0;1,0;0,2;0,4;0,9\n"
#define TABS "0\t0\t0\t1.5\t0.9\t0.2\t0.1\n2.5\t0\t0\t1\t0.2\t0.4\t0.9\n"
#define BLANKS "0 0 0 1.5 0.9 0.2 0.1\n  2.5  0 0 1 \t 0.2 0.4 0.9 \n"
#define TO_255 "Colours are read as 0 to 255."
    static const struct {
        const char *text, *note;
    } tables[] = {
        {HEAD TWO, ""},
        {TWO, ""},
        {SEMICOLONS, ""},
        {"sep=;\r\n" SEMICOLONS ";;;;;;\r\n", ""},
        {"x\ty\tz\tr\tred\tgreen\tblue\n" TABS, ""},
        {"x\ty\tz\tr\tred\tgreen\tblue\n0\t0\t0\t1,5\t0,9\t0,2\t0,1\n2,5\t0\t0\t1\t0,2\t0,4\t0,9",
         ""},
        {BLANKS, ""},
        {"# x y z r red green blue\n" BLANKS, ""},
        {"# made by hand\n#x y z r red green blue\n" TWO, ""},
        {"# z, y, x\n" HEAD "# between\n" TWO " # after\n", ""},
        {"x,y,z,r,red,green,blue\r0,0,0,1.5,.9,.2,.1\r2.5,0,0,1,.2,.4,.9\r", ""},
        {"\n,,,,,,\n" HEAD "\r\n0,0,0,1.5,0.9,0.2,0.1\n,,,,,,\n2.5,0,0,1,0.2,0.4,0.9,,\n \n\n", ""},
        {HEAD "+0,-0d0,0,+1.5,9D-01,0.2E0,.1\n25d-1,0,0,1,+.2,0.4,0.9\n", ""},
        /* an index: of pandas, and of R */
        {",x,y,z,r,red,green,blue\n0,0,0,0,1.5,0.9,0.2,0.1\n1,2.5,0,0,1,0.2,0.4,0.9\n", ""},
        {",0,1,2,3,4,5,6\n0,0,0,0,1.5,0.9,0.2,0.1\n1,2.5,0,0,1,0.2,0.4,0.9\n", ""},
        {"0,1,2,3,4,5,6\n" TWO, ""},
        {"x y z r red green blue\n1 0 0 0 1.5 0.9 0.2 0.1\n2 2.5 0 0 1 0.2 0.4 0.9\n", ""},
        {"\"x\" \"y\" \"z\" \"r\" \"red\" \"green\" \"blue\"\n\"a b\" 0 0 0 1.5 0.9 0.2 0.1\n"
         "\"7\" 2.5 0 0 1 0.2 0.4 0.9\n",
         ""},
        /* names, and columns that are not read */
        {"Blue,X (mm),y [mm],Z, Radius ,R,G\n.1,0,0,0,1.5,.9,.2\n.9,2.5,0,0,1,.2,.4\n", ""},
        {"id;red;green;blue;x;y;z;r\n7;.9;.2;.1;0;0;0;1.5\n9;.2;.4;.9;2.5;0;0;1\n",
         "1 column of the table is not read: id."},
        {"n,x,y,z,radius,red,green,blue,\"a;b, c\",d,\033e\n"
         "1,0,0,0,1.5,0.9,0.2,0.1,\"it's 5, or 6\",,\n1,2.5,0,0,1,.2,.4,.9,a;b,d,;;;;;;;;\n",
         "4 columns of the table are not read: n, a;b, c, d, and others."},
        {"b,x,y,z,radius,red,green,blue,r\n7,0,0,0,1.5,.9,.2,.1,7\n7,2.5,0,0,1,.2,.4,.9,7\n",
         "2 columns of the table are not read: r, b."},
        {HEAD "0,0,0,1.5,229.5,51,25.5\n2.5,0,0,1,51,102,229.5\n", TO_255},
        {"x,y,z,r,red,green,blue,\033\n0,0,0,1.5,229.5,51,25.5,\n2.5,0,0,1,51,102,229.5,\n",
         TO_255 " 1 column of the table is not read: ?."},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        TEST_SCENE scene = parse(tables[i].text, i % 2 ? "a.TXT" : "b.tsv.Gz");
        const double expected[][7] = {{-192, 0, 0, 288, 0.9, 0.2, 0.1},
                                      {288, 0, 0, 192, 0.2, 0.4, 0.9}};
        if (scene.count != 2)
            fail_msg("%d spheres: %s", scene.count, tables[i].text);
        for (int n = 0; n < 2; n++) {
            const struct krn_sphere *s = &scene.spheres[n];
            const float read[] = {s->x, s->y, s->z, s->radius, s->r, s->g, s->b};
            for (int k = 0; k < 7; k++)
                if (!(fabs((double)read[k] - expected[n][k]) <= 1e-3))
                    fail_msg("number %d of sphere %d is %g: %s", k, n, (double)read[k],
                             tables[i].text);
        }
        assert_string_equal(note.text, tables[i].note);
    }
}

TEST(test_bad_tables)
{
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "no spheres"},
        {HEAD, "no spheres"},
        {"\n\n", "no spheres"},
        {"# 0,0,0,1,1,0,0\n", "no spheres"},
        {HEAD "0,0,0,1,1,0,0\n0,0,0,1,1,0\n", "line 3: blue is missing"},
        {HEAD "0,,0,1,1,0,0\n", "line 2: y is missing"},
        {HEAD "0,0,0,1,1,0,256\n", "line 2: blue must be a number from 0 to 255, not \"256\""},
        {HEAD "0,0,0,1,1,0,0\n0,0,0,1,0,1.02,0\n", "line 3: the greatest colour is 1.02;"},
        {HEAD "0,0,0,0,1,0,0\n", "line 2: r must be"},
        {HEAD "0,0,0,-1,1,0,0\n", "line 2: r must be"},
        {HEAD "0,0,nan,1,1,0,0\n", "line 2: z must be a number from -1e+12 to 1e+12, not \"nan\"."},
        {HEAD "0,-Inf,0,1,1,0,0\n", "line 2: y must be a number from -1e+12 to 1e+12, not \"-Inf"},
        {HEAD "+-1,0,0,1,1,0,0\n", "line 2: x must be"},
        {HEAD "++1,0,0,1,1,0,0\n", "line 2: x must be"},
        {HEAD "1d,0,0,1,1,0,0\n", "line 2: x must be"},
        {HEAD "\"1,234.5\",0,0,1,1,0,0\n",
         "not \"1,234.5\"; only a decimal point may separate its"},
        {HEAD "\"1,5\",0,0,1,1,0,0\n",
         "not \"1,5\"; only a decimal point may separate its digits."},
        {HEAD "1'000,0,0,1,1,0,0\n", "not \"1'000\"; only a decimal point"},
        {HEAD "1 000,0,0,1,1,0,0\n", "not \"1 000\"; only a decimal point"},
        {HEAD "1.000.000,0,0,1,1,0,0\n", "not \"1.000.000\"; only a decimal point"},
        {"0;0;0;1.234,5;1;0;0\n", "not \"1.234,5\"; only a decimal point"},
        {"0;0;0;1,5;1;0;0\n0;0;0;1.5;1;0;0\n",
         "line 2: \"1.5\" has a '.' before its decimals, and earlier"},
        {"0;0;0;1.5;1;0;0\n0;0;0;1,5;1;0;0\n",
         "line 2: \"1,5\" has a ',' before its decimals, and earlier"},
        {HEAD "0;0;0;1;1;0;0\n", "line 2: semicolons separate its cells, and commas those of the"},
        {HEAD "0\t0\t0\t1\t1\t0\t0\n", "line 2: tabs separate its cells, and commas those"},
        {"x y z r red green blue\n0,0,0,1,1,0,0\n",
         "line 2: commas separate its cells, and blanks"},
        {"x;y;z;r;red;green;blue\n0 0 0 1 1 0 0\n", "line 2: blanks separate its cells, and semi"},
        {HEAD "1e13,0,0,1,1,0,0\n", "line 2: x must be a number from -1e+12 to 1e+12"},
        {HEAD "0,0,0,1,1,0,0,0,0\n", "line 2: it has 9 cells in place of 7"},
        {"0,0,0,1,1,0,0,0,0\n", "line 1: it has 9 cells in place of 8"},
        {HEAD "1,0,0,1.5,1,0,0,0.5\n2.5,0,0,1.5,1,0,0,0.5\n",
         "line 3: it has 8 cells in place of 7"},
        {HEAD "0,0,0,1,1,0,\"0\n", "line 2: a quotation mark is not closed"},
        {HEAD "0,0,0,1,1,0,0\n1e6,0,0,1,1,0,0\n", "line 2: the sphere is too small"},
        {"x,y,z,r,red,green\n", "line 1: column blue is missing; commas, semicolons, tabs or"},
        {"x|y|z|r|red|green|blue\n", "line 1: column x is missing"},
        {"x,y,z,r,g,b,i\n", "line 1: column red is missing"},
        {"x,y,z,r,red,green,blue,X\n", "line 1: column x appears twice"},
        {"1.2345678901234567890123456789012345678e-05,0,0,1,1,1,1\n", "line 1"},
        {"{\"schema\": 1}\n", "column x is missing"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(bad[i].text, "a.csv", bad[i].words);
}

/* What is no UTF-8 text is named, in every format that is text; what has no known name, too. */
TEST(test_no_text)
{
    static const struct {
        const char *bytes;
        size_t count;
        const char *words;
    } texts[] = {
        {"\xff\xfex\0,\0", 6, " is UTF-16 text; save it as UTF-8."},
        {"\xfe\xff\0x\0,", 6, " is UTF-16 text; save it as UTF-8."},
        {"x\0,\0y\0", 6, " is UTF-16 text; save it as UTF-8."},
        {"\0x\0,\0y", 6, " is UTF-16 text; save it as UTF-8."},
        {"\xff\xfe\0\0x\0\0\0", 8, " is UTF-32 text; save it as UTF-8."},
        {"\0\0\xfe\xff\0\0\0x", 8, " is UTF-32 text; save it as UTF-8."},
        {"x\0\0\0", 4, " is UTF-32 text; save it as UTF-8."},
        {"\0\0\0x", 4, " is UTF-32 text; save it as UTF-8."},
        {"\0\0\0\0", 4, " is not text: its byte 0 is zero."},
        {"\x89PNG\r\n\x1a\n\0", 9, " is not text: its byte 8 is zero."},
        {HEAD "0,0,0,1\0x,1,0,0\n", sizeof HEAD + 15, " is not text: its byte 30 is zero."},
    };
    static const char *const names[] = {"a.json", "a.csv", "a.xyz", "a.pdb"};
    static const char *const unknown[] = {"a",     "a.jsonx", "csv",        ".gz",        "a.gz",
                                          "a.zip", "a.xyz.",  "a.json.bz2", "a.csv.gz.gz"};
    struct krn_scene scene = {.spheres = NULL};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            TEST_FAILS(parse_bytes(texts[i].bytes, texts[i].count, names[n], &scene), KRN_REFUSED,
                       texts[i].words);
    for (size_t n = 0; n < sizeof unknown / sizeof *unknown; n++) {
        TEST_FAILS(parse_bytes(TWO, strlen(TWO), unknown[n], &scene), KRN_REFUSED,
                   " is in no known format: scene files end in .json, .csv, ");
        assert_non_null(strstr(error.text, ".gz behind it"));
    }
}

TEST(test_xyz)
{
    TEST_SCENE scene = {.spheres = NULL};
    TEST_OK(app_scene_read(ASSETS "caffeine.xyz", &scene, &note, &error));
    assert_int_equal(scene.count, 24);
    check_framed(&scene);
    /* The first atom is oxygen, the last one hydrogen: their radii have the ratio of Bondi's. */
    check_near(scene.spheres[0].radius / scene.spheres[23].radius, 1.52 / 1.20);
    assert_true(scene.spheres[0].r > scene.spheres[0].g && scene.spheres[23].g > 0.9f);

    /* Atomic numbers, isotopes, further columns, and a second step of a trajectory. */
    TEST_SCENE second = parse(" 2 \r\n\r\n8 0 0 0 0.1\r\nd\t1 0 0\r\n2\nstep 2\nbroken", "a.xyz");
    assert_int_equal(second.count, 2);
    check_near(second.spheres[0].radius / second.spheres[1].radius, 1.52 / 1.20);

    refuse("", "a.xyz", "line 1: the number of atoms is missing");
    refuse("two\n\n", "a.xyz", "line 1: the number of atoms must be from 1 to 1000000");
    refuse("1000001\n\n", "a.xyz", "line 1: the number of atoms must be");
    refuse("1 atom\n\n", "a.xyz", "line 1: the first line");
    refuse("1\n", "a.xyz", "comment line is missing");
    refuse("2\n\nC 0 0 0\n", "a.xyz", "line 3: the file ends after 1 of 2 atoms");
    refuse("1\n\nC 0 0\n", "a.xyz", "line 3: z is missing");
    refuse("1\n\nC 0 0 O\n", "a.xyz", "line 3: z must be a number");
    refuse("1\n\nQ 0 0 0\n", "a.xyz", "line 3: \"Q\" is not an element");
    refuse("1\n\nPo 0 0 0\n", "a.xyz", "line 3: \"Po\" is not an element with a known radius");
    refuse("1\n\n0 0 0 0\n", "a.xyz", "line 3: \"0\" is not an element");
    refuse("1\n\n\033[31mC 0 0 0\n", "a.xyz", "line 3: \"?[31mC\" is not an element");
}

TEST(test_pdb)
{
    TEST_SCENE scene = {.spheres = NULL};
    TEST_OK(app_scene_read(ASSETS "helix.pdb", &scene, &note, &error));
    assert_int_equal(scene.count, 150);
    check_framed(&scene);

    /* A second model, a second place of an atom and other records are left out; the element is that
     * of its columns, else that of the name; there, old files have the number of the line. */
    TEST_SCENE second =
        parse("HEADER    x\n"
              "HETATM    1 CL    CL A   1       0.000   0.000   0.000  1.00  0.00          ZN\n"
              "HETATM    1 CL    CL A   1       9.000   0.000   0.000\n"
              "ATOM      1  CA AALA A   2       0.000   9.000   0.000  0.50  0.00           C\n"
              "ATOM      1  CA BALA A   2       0.000   9.100   0.000  0.50  0.00           C\n"
              "ATOM      1  CB BALA A   3       0.000   9.000   9.000  0.50  0.00           C\n"
              "ATOM      1 HG11 VAL A   4       9.000   9.000   9.000\n"
              "ATOM      1 1HG1 VAL A   4       9.000   9.000   8.000\n"
              "ATOM      1  CA  ALA A   6       1.000   9.000   8.000  1.00  0.00      1CRN 396\n"
              "ATOM      1  CA ASER A   7       2.000   9.000   8.000  0.50  0.00           C\n"
              "ATOM      1  CA BTHR A   7       2.100   9.000   8.000  0.50  0.00           C\n"
              "ANISOU    1\n"
              "ENDMDL\n"
              "ATOM      1  CA  ALA A   5       broken\n",
              "pdb1abc.ENT");
    static const double radii[] = {1.39, 1.75, 1.70, 1.70, 1.20, 1.20, 1.70, 1.70};
    assert_int_equal(second.count, (int)(sizeof radii / sizeof *radii));
    for (int i = 0; i < second.count; i++)
        check_near(second.spheres[i].radius / second.spheres[0].radius, radii[i] / radii[0]);

#define XYZ "   1.000   2.000   3.000"
    refuse("HEADER\nEND\n", "a.pdb", "line 2: the file has no atoms");
    refuse("\n" ATOM(" CA ", " ", "   1", "   1.000   2.000"), "a.pdb",
           "line 2: the atom's record ends before column 54");
    refuse(ATOM(" CA ", " ", "   1", "   1.000   2.000   3,000"), "a.pdb",
           "line 1: z must be a number");
    refuse(ATOM(" CA ", " ", "   1", "   1.000           3.000"), "a.pdb", "line 1: y is missing");
    refuse(ATOM(" XX ", " ", "   1", XYZ), "a.pdb", "line 1: \"XX\" is not an element");
}

/* Parses a molecule, and checks the elements by radius and colour, and the note. */
static void check_atoms(const char *text, const char *name, const char *symbols, const char *noted)
{
    TEST_SCENE scene = parse(text, name);
    const struct app_element *first = NULL;
    int count = 0, used = 0;
    char symbol[8];
    for (; sscanf(symbols, "%7s%n", symbol, &used) == 1; symbols += used, count++) {
        const struct app_element *element = app_element_find(symbol);
        assert_true(element != NULL && count < scene.count);
        first = first == NULL ? element : first;
        const struct krn_sphere *s = &scene.spheres[count];
        if (!(s->r == element->red && s->g == element->green && s->b == element->blue))
            fail_msg("atom %d is no %s in: %.300s", count, symbol, text);
        check_near(s->radius / scene.spheres[0].radius,
                   (double)element->radius / (double)first->radius);
    }
    assert_int_equal(scene.count, count);
    assert_string_equal(note.text, noted);
}

#define PLACE(x) "A   1      " x "   2.000   3.000"
#define ROW(kind, name, residue, tail) kind "    1 " name " " residue PLACE("-1.000") tail "\n"
#define OLD(name, residue) ROW("ATOM  ", name, residue, "")
#define HET(name, residue) ROW("HETATM", name, residue, "")
#define OWN(name, residue, own) ROW("HETATM", name, residue, "  1.00  0.00          " own)

TEST(test_elements_of_pdb)
{
    static const struct {
        const char *text, *symbols, *note;
    } files[] = {
        /* Names at the left of their columns: the residue tells what they are. */
        {OLD("N   ", "GLU ") OLD("CA  ", "GLU ") OLD("CD  ", "GLU ") OLD("HG2 ", "GLU ")
             OLD("HE  ", "ARG ") OLD("NE  ", "ARG ") OLD("CE1 ", "HSD ") OLD("ND1 ", "NHIE") OLD(
                 "SG  ", "CYX ") OLD("OXT ", "CALA") OLD("1HB ", "NALA") OLD("HO5'", "DA5 ")
                 OLD("P   ", "RU  ") OLD("CD  ", "LYN ") OLD("oh2 ", "TIP3") OLD("SE  ", "MSE "),
         "N C C H H N C N S O H H P C O Se", ""},
        /* In such a file, ligands and ions have names of the same kind. */
        {OLD("N   ", "ALA ") HET("CA  ", "LIG ") HET("CL1 ", "LIG ") HET("HO2 ", "LIG ")
             HET("NA  ", "HEM ") HET("FE  ", "HEM ") HET("PB  ", "ATP ") HET("CA  ", "CA  ") HET(
                 "NA+ ", "Na+ ") HET("ZN  ", "ZN2 ") HET("SOD ", "SOD ") HET("CLA ", "CLA ")
                 HET("POT ", "POT ") HET("K   ", "K   ") HET("MG  ", "MG  ") HET("CAA ", "DRG "),
         "N C Cl H N Fe P Ca Na Zn Na Cl K K Mg C", ""},
        /* Names in their columns. */
        {HET(" CA ", "LIG ") HET("CA  ", "LIG ") HET("FE  ", "HEM ") HET(" FE ", "HEM ")
             HET("HG11", "LIG ") HET("1HG1", "LIG ") HET("CL12", "LIG ") HET("C10A", "LIG ")
                 HET("HG  ", "MMC ") HET(" CL ", "LIG ") HET(" D1 ", "LIG ") HET("ZN  ", "LIG "),
         "C Ca Fe Fe H H Cl C Hg Cl H Zn", ""},
        /* The element's own columns, with charges; what contradicts the residue is none. */
        {OWN(" X1 ", "LIG ", "FE2+") OWN("NA  ", "LIG ", " N1+") OWN(" C1 ", "LIG ", "N1+ ")
             OWN("CA  ", "LIG ", " C  ") OWN(" D  ", "ALA ", " D  ") OWN(" SD ", "MSE ", "SE  ")
                 OWN(" C1 ", "LIG ", "RT  "),
         "Fe N N C H Se C", ""},
        {OWN(" CA ", "ALA ", "CL  ") OWN("CA  ", "CA  ", "CL  ") OWN(" C1 ", "LIG ", "CL  "),
         "C Ca C", ""},
        /* What stands for no atom, and what nobody knows. */
        {OLD(" O  ", "WAT ") OLD("EPW ", "WAT ") OLD("MW  ", "SOL ") OLD(" M  ", "HOH ")
             OLD("LP1 ", "TIP5") OLD("OM  ", "TIP4") OLD(" QB ", "ALA ") OLD("DOH2", "SWM4")
                 OLD("DCA ", "ALA ") HET(" N  ", "DUM ") OWN(" D1 ", "HOH ", "EP  ")
                     HET("Du1 ", "LIG "),
         "O", "Left out: 11 dummy atoms."},
        {OLD(" O  ", "WAT ") HET(" QQ ", "LIG ") HET("PO  ", "LIG "), "O",
         "Left out: 2 atoms of no known element or radius (\"QQ\")."},
        /* Numbers that are too long for their columns. */
        {"ATOM  100000  CA  GLY A   2       3.800  -1.250   2.500  1.00  0.00           C\n"
         "HETATM1000000 ZN    ZN A   2       3.800  -1.250   2.500  1.00  0.00          ZN\n"
         "ATOM  123456 CA    CA A   2       3.800  -1.250   2.500\n"
         "ATOM 1234567  O   HOH A10000       3.800  -1.250   2.500  1.00  0.00           O\n"
         "ATOM  A0000  CA  GLY A   2       3.800  -1.250   2.500\n",
         "C Zn Ca O C", ""},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        check_atoms(files[i].text, "a.pdb", files[i].symbols, files[i].note);
    refuse(OLD(" O  ", "WAT ") "ATOM      2  O   WAT A   1   10000.00012345.678   3.000\n", "a.pdb",
           "line 2: x, y and z are not in columns 31 to 54: a longer number has shifted them");
    refuse(OLD(" O  ", "WAT ") "ATOM      2  O   WAT A   1    9000.000   2.000-1234.567\n", "a.pdb",
           "line 2: x, y and z are not in columns");
    refuse("ATOM      1  O   WAT A   1   10000.000   2.000   3.000\n", "a.pdb",
           "line 1: x, y and z are not in columns");
    refuse(HET("MW  ", "SOL ") HET(" QQ ", "LIG ") HET("PO  ", "LIG "), "a.pdb",
           "line 2: \"QQ\" is not an element with a known radius, nor is any other atom");
    refuse(OLD("EPW ", "WAT "), "a.pdb", "line 1: \"EPW\" is not an element");
}

#define AT(name, x) "ATOM      1  " name "   ALA " PLACE(x) "\n"

TEST(test_frames_of_pdb)
{
    static const struct {
        const char *name, *text, *symbols, *note;
    } files[] = {
        {"a.pdb", AT("N", " 1.000") AT("C", " 1.000") "TER\nEND   \n\nREMARK END\n", "N C", ""},
        {"a.pdb", "END\n" AT("N", " 1.000") "END\nCRYST1\n" AT("C", "broken") "END\n" AT("C", ""),
         "N", "Left out: 2 further frames."},
        {"a.pdb", AT("N", " 1.000") "MODEL        2\n" AT("C", " 1.000") "ENDMDL\nEND\n", "N",
         "Left out: 1 further frame."},
        {"a.ent", "MODEL        1\n" AT("N", " 1.000") "MODEL        2\n" AT("C", " 1.000"), "N",
         "Left out: 1 further frame."},
        {"a.pdb1", "MODEL        1\n" AT("N", " 1.000") "ENDMDL\nMODEL 2\n" AT("C", " 1.000"),
         "N C", "All models are drawn, as one assembly."},
        {"a.PDB1",
         "EXPDTA    SOLUTION NMR\nMODEL        1\n" AT("N", " 1.000") "ENDMDL\nMODEL 2\n" AT(
             "C", " 1.000"),
         "N", "Left out: 1 further frame."},
        {"a.pdb1", AT("N", " 1.000") "END\n", "N", ""},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        check_atoms(files[i].text, files[i].name, files[i].symbols, files[i].note);
}

TEST(test_labels_and_frames_of_xyz)
{
    static const struct {
        const char *text, *symbols, *note;
    } files[] = {
        {"9\n\nO1 0 0 0\nH2 1 0 0\nFe2 2 0 0\nNa+ 3 0 0\nCl- 4 0 0\nC_3 5 0 0\nZn2+ 6 0 0\n"
         "CA1 7 0 0\nHE 8 0 0\n",
         "O H Fe Na Cl C Zn Ca He", ""},
        {"7\n\nN 0 0 0\nCA 1 0 0\nCB 2 0 0\nHE2 3 0 0\nOXT 4 0 0\nCL 5 0 0\nCa 6 0 0\n",
         "N C C H O Cl Ca", ""}, /* CB tells that these are names of atoms */
        {"9\n\nO 0 0 0\nX 0 0 0\nXx 0 0 0\nBq 0 0 0\nO-Bq 0 0 0\n@O 0 0 0\nO: 0 0 0\nGh 0 0 0\n"
         "Du1 0 0 0\n",
         "O", "Left out: 8 dummy atoms."},
        {"4\n\nO 0 0 0\nQq 0 0\nPo 0 0 0\nOxygen 0 0 0\n", "O",
         "Left out: 3 atoms of no known element or radius (\"Qq\")."},
        {"1\n\nO 0 0 0\nH 0 0 1\nH 0 1 0\n\nVEC1 1 0 0\n1\n\nN 0 0 0\nN 1 1 1\n1\n\nN 0 0 0\n", "O",
         "Left out: 3 lines beyond the stated atoms, 2 further frames."},
        {"2\n\n8 0 0 0\n1 0 0 1\n", "O H", "The first column is read as atomic numbers."},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        check_atoms(files[i].text, "a.xyz", files[i].symbols, files[i].note);
    refuse("1\n\n0 0 0 O\n", "a.xyz",
           "line 3: the columns must be symbol, x, y and z, unless Prop");
    refuse("2\n\nO 0 0 0\n \nH 0 0 0\n", "a.xyz", "line 4: the atom's symbol is missing");
    refuse("1\n\n1 O 0 0 0\n", "a.xyz", "line 3: the columns must be symbol");
}

TEST(test_properties_of_xyz)
{
#define STATED(statement, rows)                                                                    \
    "2\nLattice=\"9 0 0 0 9 0 0 0 9\" " statement " pbc=\"F F F\"\n" rows
    static const char *const same[] = {
        STATED("Properties=pos:R:3:species:S:1", "0 0 0 O\n2 0 0 H\n"),
        STATED("properties=Z:I:1:velo:R:3:pos:R:3", "8 5 5 5 0 0 0\n1 6 6 6 2 0 0\n"),
        STATED("\"PROPERTIES\" = 'species:S:1:charge:R:1:Pos:R:3:tag:L:1'",
               "O1 -.8 0 0 0 T\nH2 .4 2 0 0 F\n"),
        STATED("note=\"Properties=no\" it's=1 Properties=\"id:I:1:z:R:1:pos:R:3:species:S:1\"",
               "1 9 0 0 0 O\n2 9 2 0 0 H\n"),
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        check_atoms(same[i], "a.extxyz", "O H", "");
        TEST_SCENE scene = parse(same[i], "a.xyz"); /* 2 angstrom apart, whatever the columns */
        const struct krn_sphere *s = scene.spheres;
        check_near((s[1].x - s[0].x) / s[0].radius, 2.0 / 1.52);
        check_near(s[1].y, 0.0 + (double)s[0].y);
    }
    TEST_SCENE scene = parse(STATED("Properties=species:S:1:pos:R:3:radius:R:1:color:R:3",
                                    "O 0 0 0 3 255 0 0\nnothing 6 0 0 1 0 51 0\n"),
                             "a.xyz");
    assert_int_equal(scene.count, 2);
    check_near(scene.spheres[0].radius / scene.spheres[1].radius, 3.0);
    check_near(scene.spheres[0].r, 1.0);
    check_near(scene.spheres[1].g, 0.2);
    assert_string_equal(note.text, "Colours are read as 0 to 255.");
    TEST_SCENE other = parse(STATED("Properties=species:S:1:pos:R:3:radii:R:1:colour:R:3",
                                    "O 0 0 0 0 1 0 0\nX 6 0 0 1.52 0 1 0.2\n"),
                             "a.xyz");
    check_near(other.spheres[0].radius / other.spheres[1].radius, 1.0);
    check_near(other.spheres[1].b, 0.2);
    assert_string_equal(note.text, "");
    static const struct {
        const char *text, *words;
    } bad[] = {
        {STATED("Properties=species:S:1:velo:R:3", "O 0 0 0\nO 1 0 0\n"),
         "line 2: Properties=species:S:1:velo:R:3 cannot be followed"},
        {STATED("Properties=pos:R:3:mass:R:1", "0 0 0 1\n"), "pos:R:3:mass:R:1 cannot be"},
        {STATED("Properties=species:S:1:pos:R:2", "O 0 0\n"), "cannot be followed"},
        {STATED("Properties=species:S:1:pos:R:x", "O 0 0\n"), "cannot be followed"},
        {STATED("Properties=species:S:1:pos:R", "O 0 0\n"), "cannot be followed"},
        {STATED("Properties=species:S:0:pos:R:3", "O 0 0\n"), "cannot be followed"},
        {STATED("Properties=species:Q:1:pos:R:3", "O 0 0\n"), "cannot be followed"},
        {STATED("Properties=", "O 0 0 0\nO 1 0 0\n"), "cannot be followed"},
        {STATED("Properties=species:S:1:pos:R:3:x:R:2147483647:y:R:2147483647", "O 0 0 0\n"),
         "cannot be followed"},
        {STATED("Properties=species:S:1:pos:R:3:radius:R:1", "O 0 0 0\n"), "radius is missing"},
        {STATED("Properties=species:S:1:pos:R:3:radius:R:1", "O 0 0 0 -1\n"), "radius must be"},
        {STATED("Properties=species:S:1:pos:R:3:color:R:3", "O 0 0 0 1 1 1\nO 0 0 0 1 1 1.5\n"),
         "line 4: the greatest colour is 1.5"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(bad[i].text, "a.xyz", bad[i].words);
}

TEST(test_mmcif)
{
#define TAG(item) "_atom_site." item "\n"
#define HEADER "data_A\nloop_\n" TAG("type_symbol") TAG("Cartn_x") TAG("Cartn_y") TAG("Cartn_z")
    static const struct {
        const char *text, *symbols, *note;
    } files[] = {
        {"# one\ndata_A\n_entry.id A\n_a.text\n;\nloop_\n" TAG(
             "Cartn_x") ";\nLOOP_\n_b.c\n'it''s' \"a b\" ?\n"
                        "loop_\n" TAG("CARTN_Z") TAG("cartn_y") TAG("label_atom_id")
                            TAG("Type_Symbol")
                                TAG("Cartn_x") "0 0 'C A' C 1.5(2) # loop_\n\"1\"\n0 \"O5'\" "
                                               "O\n2\n0 0 . N1+ 1 0 0 'CA' CA 4\n#\n_c.d 1\n",
         "C O N Ca", ""},
        {HEADER TAG("label_alt_id") TAG("auth_seq_id")
             TAG("pdbx_PDB_model_num") "N 0 0 0 . 1 1\nC 1 0 0 A 1 1\nC 1 0 1 B 1 1\nS 1 0 1 B 2 "
                                       "1\nX 0 0 0 . 2 1\n"
                                       "Qq 0 0 0 . 2 1 N x 0 0 . 1 2\nN 9 0 0 . 1 3\nN 9 0 0 . 2 3",
         "N C S",
         "Left out: 1 dummy atom, 1 atom of no known element or radius (\"Qq\"), 1 atom in "
         "alternate places, 2 further frames."},
        {"data_A\nloop_\n" TAG("label_atom_id") TAG("label_comp_id") TAG("Cartn_x") TAG("Cartn_y")
             TAG("Cartn_z") "CA ALA 0 0 0\nCA CA 1 0 0\nFE HEM 1 0 0\nHE2 HIS 1 1 1\n",
         "C Ca Fe H", ""},
        {"data_none\n_a.b c\ndata_A\n" TAG("type_symbol") " ZN " TAG("Cartn_x") "1 " TAG(
             "Cartn_y") "2\n" TAG("Cartn_z") "3\ndata_B\n" HEADER "N 0 0 0\n",
         "Zn", "Left out: 2 further data blocks."},
        {"data_A\nloop_\n_atom_site_aniso_label\nC1\nloop_\n_atom_site_label\n_atom_site_Cartn_x\n"
         "_atom_site_Cartn_y\n_atom_site_Cartn_z\nFe1 0 0 0\nC12 1 1 1\n",
         "Fe C", ""},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        check_atoms(files[i].text, "a.cif", files[i].symbols, files[i].note);
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "no table _atom_site"},
        {"data_A\n_a.b\n;\n", "no table _atom_site"},
        {HEADER, "no atoms"},
        {HEADER "N 0 0\n", "the table _atom_site ends within a row"},
        {HEADER "N 0 ? 0\n", "line 7: y is missing"},
        {HEADER "N 0 a 0\n", "line 7: y must be a number"},
        {HEADER "Po 0 0 0\n", "line 7: \"Po\" is not an element"},
        {"loop_\n" TAG("type_symbol") TAG("Cartn_x") TAG("Cartn_y") "N 0 0\n",
         "lacks Cartn_x, Cartn_y, Cartn_z or type"},
        {"loop_\n" TAG("Cartn_x") TAG("Cartn_y") TAG("Cartn_z") "0 0 0\n",
         "lacks Cartn_x, Cartn_y, Cartn_z or type"},
        {"loop_\n_atom_site_label\n_atom_site_fract_x\nC1 0.5\n",
         "line 4: the atoms have fractional coordinates (fract_x)"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(bad[i].text, "a.mmcif", bad[i].words);
}

/* A file that is cut anywhere gives a refusal or the atoms before the cut. */
TEST(test_cut_at_every_byte)
{
    static const char *const paths[] = {ASSETS "caffeine.xyz", ASSETS "helix.pdb"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        TEST_FREED char *text = NULL;
        size_t length = 0;
        int most = 0, refusals = 0;
        TEST_OK(app_read_file(paths[i], 1 << 20, &text, &length, &error));
        for (size_t cut = 0; cut <= length; cut++) {
            TEST_SCENE scene = {.spheres = NULL};
            if (parse_bytes(text, cut, paths[i], &scene) != KRN_OK) {
                assert_non_null(strstr(error.text, ", line "));
                refusals++;
            }
            assert_true(scene.count == 0 || scene.count >= most);
            most = scene.count > most ? scene.count : most;
        }
        assert_true(refusals > 60 && most >= 24);
    }
}

/* The radii against a few of the published ones, and a colour for each of them. */
TEST(test_elements)
{
    static const struct {
        const char *symbol, *number;
        double radius;
    } published[] = {
        {"H", "1", 1.20},   {"C", "6", 1.70},   {"N", "7", 1.55},   {"O", "8", 1.52},
        {"Na", "11", 2.27}, {"P", "15", 1.80},  {"S", "16", 1.80},  {"Ca", "20", 2.62},
        {"Fe", "26", 2.44}, {"Zn", "30", 1.39}, {"Br", "35", 1.85}, {"I", "53", 1.98},
        {"Xe", "54", 2.16}, {"Au", "79", 1.66}, {"Pb", "82", 2.02}, {"U", "92", 1.86},
        {"Es", "99", 2.70},
    };
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const struct app_element *element = app_element_find(published[i].symbol);
        assert_non_null(element);
        assert_ptr_equal(element, app_element_find(published[i].number));
        check_near(element->radius, published[i].radius);
        assert_true(element->red + element->green + element->blue > 0.5f);
    }
    assert_ptr_equal(app_element_find("CL"), app_element_find("cl"));
    assert_null(app_element_find(""));
    assert_null(app_element_find("100"));
    assert_null(app_element_find("-1"));
}

/* Sizes that nobody means: many spheres, a long line. */
TEST(test_sizes)
{
    static const char row[] = "1,2,3,4,0,0,0\n";
    const size_t rows = KRN_LARGE_SPHERES + 1, length = rows * (sizeof row - 1);
    TEST_FREED char *text = test_alloc(length + 1);
    for (size_t i = 0; i < rows; i++)
        memcpy(text + i * (sizeof row - 1), row, sizeof row);
    refuse(text, "a.csv", "line 1000001: a scene holds at most 1000000 spheres");
    text[length - sizeof row + 1] = 0;
    TEST_SCENE scene = parse(text, "a.csv");
    assert_int_equal(scene.count, KRN_LARGE_SPHERES);
    memset(text, ',', 1000);
    text[1000] = 0;
    refuse(text, "a.csv", "no spheres");
    memset(text, '7', length);
    refuse(text, "a.csv", "line 1");
    refuse(text, "a.xyz", "line 1: the number of atoms");
    refuse(text, "a.pdb", "no atoms");
}
