/* Scenes from CSV, XYZ and PDB files: where their spheres lie, and every way in which they can be
 * wrong. */
#include "base/files.h"
#include "owned.h"
#include "scenes/scene_file.h"
#include "scenes/sphere_list.h"

#include "krn/light.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASSETS TEST_SOURCE_DIR "/assets/scenes/"
#define HEAD "x,y,z,r,red,green,blue\n"
/* An atom of a PDB file: its name, alternative place and residue, and its coordinates. */
#define ATOM(name, place, residue, xyz) "ATOM      1 " name place "ALA A" residue "    " xyz "\n"

static struct app_scene_note note; /* on the scene that was read last */

/* Parses a copy in memory of its exact size, so that a sanitizer reports reads past its end. */
static enum krn_code parse_bytes(const char *text, size_t length, const char *name,
                                 struct krn_scene *scene)
{
    TEST_FREED char *copy = test_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    memset(&error, 0, sizeof error);
    const enum krn_code code = app_scene_parse(copy, length, name, scene, &note, &error);
    return code;
}

static struct krn_scene parse(const char *text, const char *name)
{
    struct krn_scene scene = {.spheres = NULL};
    TEST_OK(parse_bytes(text, strlen(text), name, &scene));
    return scene;
}

/* Expects a refusal in one line that contains `words`, and an unchanged scene. */
static void refuse(const char *text, const char *name, const char *words)
{
    struct krn_scene scene = {.spheres = NULL, .count = -1};
    if (parse_bytes(text, strlen(text), name, &scene) != KRN_REFUSED)
        fail_msg("not refused: %.200s", text);
    assert_true(scene.spheres == NULL && scene.count == -1);
    if (strstr(error.text, words) == NULL || strstr(error.text, ", line ") == NULL ||
        strchr(error.text, '\n') != NULL || error.text[strlen(error.text) - 1] != '.')
        fail_msg("\"%s\" lacks \"%s\" or a line", error.text, words);
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
    struct krn_scene scene = parse(HEAD "10,5,7,1,1,0,0.5\n12,5,7,1,0,1,0\n", "a.csv");
    assert_int_equal(scene.count, 2);
    check_framed(&scene);
    const struct krn_sphere *s = scene.spheres;
    check_near(s[0].x, -240);
    check_near(s[0].radius, 240);
    check_near(s[1].x, 240);
    check_near(s[1].y, 0);
    assert_true(s[0].r == 1 && s[0].g == 0 && s[0].b == 0.5f && s[1].g == 1);
    assert_true(scene.mirrors[0] == 0);
    krn_scene_free(&scene);

    scene = parse("\xef\xbb\xbf\"Blue\",\"mirror\",\"X\",\"y\",\"z\",\"r\",\"red\",\"green\"\r\n"
                  "1, 0.5, 1, 2, 3, 4, 0, 0.25\r\n\r\n",
                  "FROM.EXCEL.CSV");
    assert_int_equal(scene.count, 1);
    check_near(scene.spheres->radius, APP_FRAME_RADIUS);
    assert_true(scene.spheres->b == 1 && scene.spheres->g == 0.25f && scene.mirrors[0] == 0.5f);
    krn_scene_free(&scene);

    scene = parse("0,0,0,1,1,0,0,1", "a.csv"); /* without names, and without a line end */
    assert_true(scene.count == 1 && scene.mirrors[0] == 1);
    krn_scene_free(&scene);
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
    struct krn_scene scene = {.spheres = NULL};
    TEST_OK(app_scene_read(ASSETS "caffeine.xyz", &scene, &note, &error));
    assert_int_equal(scene.count, 24);
    check_framed(&scene);
    /* The first atom is oxygen, the last one hydrogen: their radii have the ratio of Bondi's. */
    check_near(scene.spheres[0].radius / scene.spheres[23].radius, 1.52 / 1.20);
    assert_true(scene.spheres[0].r > scene.spheres[0].g && scene.spheres[23].g > 0.9f);
    krn_scene_free(&scene);

    /* Atomic numbers, isotopes, further columns, and a second step of a trajectory. */
    scene = parse(" 2 \r\n\r\n8 0 0 0 0.1\r\nd\t1 0 0\r\n2\nstep 2\nbroken", "a.xyz");
    assert_int_equal(scene.count, 2);
    check_near(scene.spheres[0].radius / scene.spheres[1].radius, 1.52 / 1.20);
    krn_scene_free(&scene);

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
    struct krn_scene scene = {.spheres = NULL};
    TEST_OK(app_scene_read(ASSETS "helix.pdb", &scene, &note, &error));
    assert_int_equal(scene.count, 150);
    check_framed(&scene);
    krn_scene_free(&scene);

    /* A second model, a second place of an atom and other records are left out; the element is that
     * of its columns, else that of the name; there, old files have the number of the line. */
    scene =
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
    assert_int_equal(scene.count, (int)(sizeof radii / sizeof *radii));
    for (int i = 0; i < scene.count; i++)
        check_near(scene.spheres[i].radius / scene.spheres[0].radius, radii[i] / radii[0]);
    krn_scene_free(&scene);

#define XYZ "   1.000   2.000   3.000"
    refuse("HEADER\nEND\n", "a.pdb", "line 2: the file has no atoms");
    refuse("\n" ATOM(" CA ", " ", "   1", "   1.000   2.000"), "a.pdb",
           "line 2: the atom's record ends before column 54");
    refuse(ATOM(" CA ", " ", "   1", "   1.000   2.000   3,000"), "a.pdb",
           "line 1: z must be a number");
    refuse(ATOM(" CA ", " ", "   1", "   1.000           3.000"), "a.pdb", "line 1: y is missing");
    refuse(ATOM(" XX ", " ", "   1", XYZ), "a.pdb", "line 1: \"XX\" is not an element");
    refuse(ATOM(" CA ", " ", "   1", XYZ "                      Xx"), "a.pdb",
           "line 1: \"Xx\" is not an element");
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
    const size_t rows = KRN_SPHERES_MAX + 1, length = rows * (sizeof row - 1);
    TEST_FREED char *text = test_alloc(length + 1);
    for (size_t i = 0; i < rows; i++)
        memcpy(text + i * (sizeof row - 1), row, sizeof row);
    refuse(text, "a.csv", "line 1000001: a scene holds at most 1000000 spheres");
    text[length - sizeof row + 1] = 0;
    TEST_SCENE scene = parse(text, "a.csv");
    assert_int_equal(scene.count, KRN_SPHERES_MAX);
    memset(text, ',', 1000);
    text[1000] = 0;
    refuse(text, "a.csv", "no spheres");
    memset(text, '7', length);
    refuse(text, "a.csv", "line 1");
    refuse(text, "a.xyz", "line 1: the number of atoms");
    refuse(text, "a.pdb", "no atoms");
}
