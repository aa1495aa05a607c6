/* Scene files: the scenes that they define, and every way in which they can be wrong. */
#include "no_overrides.h"

#include "base/files.h"
#include "scene_texts.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <zlib.h>

#define HEAD "{\"schema\": \"spherescope-scene-1\", \"spheres\": ["
#define SPHERE(center, radius, color)                                                              \
    "{\"center\": " center ", \"radius\": " radius ", \"color\": " color "}"
#define GOOD SPHERE("[1, 2, 3]", "4", "[0, 0.5, 1]")
#define TAIL "]}"
/* A sphere with a share of mirror. */
#define MIRROR(share)                                                                              \
    "{\"center\": [1, 2, 3], \"radius\": 4, \"color\": [1, 1, 1], \"mirror\": " share "}"

/* The corpus of the fuzz targets has more, cut at every byte. */
static void refuse(const char *text, const char *words)
{
    refuse_bytes(text, strlen(text), "some.json", words);
}

TEST(test_a_good_scene)
{
    TEST_SCENE scene =
        parse(HEAD GOOD ",\n" SPHERE("[-1e6, 0.5, 1E6]", "0.01", "[1, 1, 1]") TAIL "\n", "a.json");
    assert_int_equal(scene.count, 2);
    const struct krn_sphere *s = &scene.spheres[0];
    assert_true(s->x == 1 && s->y == 2 && s->z == 3 && s->radius == 4);
    assert_true(s->r == 0 && s->g == 0.5f && s->b == 1);
    assert_true(scene.spheres[1].x == -1e6f && scene.spheres[1].radius == 0.01f);
    TEST_SCENE other = parse("\r\n\t {\"name\": \"\xc3\xa9 \\u00e9\", \"spheres\": [" GOOD
                             "], \"schema\": \"spherescope-scene-1\"}",
                             "a.json");
    assert_int_equal(other.count, 1);
}

TEST(test_shipped_scenes)
{
    const char *folder = TEST_SOURCE_DIR "/assets/scenes";
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[APP_PATH_MAX];
        TEST_SCENE scene = {.spheres = NULL};
        if (strstr(entry->d_name, ".json") == NULL)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        TEST_OK(app_scene_read(path, &scene, &note, &error));
        assert_true(scene.count >= 3);
        count++;
    }
    closedir(directory);
    assert_true(count >= 3);
}

TEST(test_mirrors)
{
    const float expected[] = {0.0f, 0.25f, 0.0f, 1.0f};
    TEST_SCENE scene =
        parse(HEAD GOOD "," MIRROR("0.25") "," MIRROR("0") "," MIRROR("1") TAIL, "a.json");
    assert_int_equal(scene.count, 4);
    assert_memory_equal(scene.mirrors, expected, sizeof expected);
}

TEST(test_syntax)
{
    refuse("", "line 1");
    refuse(" \n\t\n", "empty");
    refuse("spheres", "line 1");
    refuse("{\n\n,", "line 3");
    refuse(HEAD GOOD TAIL "x", "line 1");
    refuse(HEAD GOOD TAIL "\n\n{}", "line 3");
    refuse(HEAD GOOD ",]}", "line 1");
    refuse("\x89PNG\r\n\x1a\n", "line 1");
    refuse(HEAD "\n{\"center\": [1, 2, \"\x01\"]}]}", "line 2");
    refuse("{\"schema\": \"spherescope-scene-1\",\n\"schema\": \"spherescope-scene-1\"}", "line 2");
    refuse(HEAD "\n{\"radius\": 1,\n\"radius\": 1}]}", "line 3");
}

TEST(test_the_outermost_object)
{
    refuse("[]", "must be an object");
    refuse("{}", "schema must be");
    refuse("{\"schema\": 1}", "schema must be");
    refuse("{\"schema\": \"spherescope-scene-2\"}", "spherescope-scene-1");
    refuse("{\"schema\": \"spherescope-scene-1\"}", "spheres is missing");
    refuse("{\"schema\": \"spherescope-scene-1\", \"spheres\": {}}", "spheres must be an array");
    refuse("{\"schema\": \"spherescope-scene-1\", \"spheres\": null}", "spheres must be an array");
    refuse(HEAD TAIL, "1 to 1000000");
    refuse(HEAD GOOD "], \"ball\": 1}", "unknown member \"ball\"");
    refuse(HEAD GOOD "], \"na\\nme\": 1}", "unknown member");
    refuse(HEAD GOOD "],\n\"name\": 4}", "some.json: name must be a string.");
}

TEST(test_the_spheres)
{
    static const struct {
        const char *sphere, *words;
    } wrong[] = {
        {"7", "spheres[1] must be an object"},
        {"[]", "spheres[1] must be an object"},
        {"null", "spheres[1] must be an object"},
        {"{}", "spheres[1].center is missing"},
        {SPHERE("[1, 2, 3]", "4", "[0, 0.5]"), "spheres[1].color must be an array of 3"},
        {SPHERE("[1, 2, 3, 4]", "4", "[0, 0, 0]"), "spheres[1].center must be an array of 3"},
        {SPHERE("1", "4", "[0, 0, 0]"), "spheres[1].center must be an array"},
        {SPHERE("[1, 2, null]", "4", "[0, 0, 0]"), "spheres[1].center[2] must be a number"},
        {SPHERE("[1, \"2\", 3]", "4", "[0, 0, 0]"), "spheres[1].center[1] must be a number"},
        {SPHERE("[1, 2, 3]", "true", "[0, 0, 0]"), "spheres[1].radius must be a number"},
        {SPHERE("[1, 2, 3]", "0", "[0, 0, 0]"), "spheres[1].radius must be a number from 0.01"},
        {SPHERE("[1, 2, 3]", "-1", "[0, 0, 0]"), "spheres[1].radius"},
        {SPHERE("[1, 2, 3]", "0.009", "[0, 0, 0]"), "spheres[1].radius"},
        {SPHERE("[1, 2, 3]", "100001", "[0, 0, 0]"), "spheres[1].radius"},
        {SPHERE("[1, 2, 3]", "1e308", "[0, 0, 0]"), "spheres[1].radius"},
        {SPHERE("[1, 2, 3]", "1e999", "[0, 0, 0]"), "line 2"},
        {SPHERE("[1, 2, 3]", "99999999999999999999999", "[0, 0, 0]"), "line 2"},
        {SPHERE("[1, 2, 3]", "NaN", "[0, 0, 0]"), "line 2"},
        {SPHERE("[1, 2, 3]", "Infinity", "[0, 0, 0]"), "line 2"},
        {SPHERE("[1000001, 2, 3]", "4", "[0, 0, 0]"), "spheres[1].center[0]"},
        {SPHERE("[1, 2, -1e7]", "4", "[0, 0, 0]"), "spheres[1].center[2]"},
        {SPHERE("[1, 2, 3]", "4", "[0, 1.01, 0]"),
         "spheres[1].color[1] must be a number from 0 to 1"},
        {SPHERE("[1, 2, 3]", "4", "[-0.1, 1, 0]"), "spheres[1].color[0]"},
        {MIRROR("1.01"), "spheres[1].mirror must be a number from 0 to 1"},
        {MIRROR("-0.01"), "spheres[1].mirror must be"},
        {MIRROR("true"), "spheres[1].mirror must be"},
        {MIRROR("null"), "spheres[1].mirror must be"},
        {MIRROR("[0.5]"), "spheres[1].mirror must be"},
        {"{\"center\": [1, 2, 3], \"color\": [1, 1, 1]}", "spheres[1].radius is missing"},
        {"{\"center\": [1, 2, 3], \"radius\": 1}", "spheres[1].color is missing"},
        {"{\"centre\": [1, 2, 3], \"radius\": 1}", "spheres[1] has an unknown member \"centre\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        snprintf(text, sizeof text, HEAD GOOD ",\n%s,\n" GOOD TAIL, wrong[i].sphere);
        refuse(text, wrong[i].words);
    }
}

/* Returns `count` copies of `piece` between `before` and `after`; the caller frees it. */
static char *repeat(const char *before, const char *piece, size_t count, const char *after)
{
    const size_t length = strlen(piece);
    char *text = test_alloc(strlen(before) + length * count + strlen(after) + 1);
    char *at = stpcpy(text, before);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, piece);
    stpcpy(at, after);
    return text;
}

TEST(test_sizes)
{
    static const struct {
        const char *before, *piece;
        size_t count;
        const char *after, *words;
    } texts[] = {
        {"\n", "[", 1000000, "", "line 2: brackets are nested too deeply"},
        {"", "{\"a\":", 1000000, "", "nested"},
        {"{\"name\": \"\\\\\", \"\\\"", "[", 1000000, "\": 0}", "schema"},
        {HEAD, "0,", 1000000, "0]}", "1 to 1000000"},
        {HEAD, "[],", 8000000, "0]}", "too many values"},
        {"{\"name\": \"", "a", 2000000, "\"}", "schema"},
        {HEAD "\n{\"center\": [", "9", 400, ", 0, 0]}]}", "line 2"},
        {"{\"", "b", 100000, "\": 1, \"schema\": \"spherescope-scene-1\"}", "unknown member"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        TEST_FREED char *text =
            repeat(texts[i].before, texts[i].piece, texts[i].count, texts[i].after);
        refuse(text, texts[i].words);
    }
    TEST_FREED char *text = repeat(HEAD, GOOD ",\n", 20000, GOOD TAIL);
    TEST_SCENE scene = parse(text, "a.json");
    assert_int_equal(scene.count, 20001);
}

static void refuse_file(const char *path, const char *words)
{
    struct krn_scene scene = {.spheres = NULL, .count = -1};
    memset(&error, 0, sizeof error);
    assert_int_not_equal(app_scene_read(path, &scene, &note, &error), KRN_OK);
    assert_true(scene.spheres == NULL && scene.count == -1);
    if (strstr(error.text, words) == NULL || strchr(error.text, '\n') != NULL)
        fail_msg("\"%s\" lacks \"%s\"", error.text, words);
}

TEST(test_files)
{
    static const char path[] = TEST_BINARY_DIR "/test_scene_file.json";
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    refuse_file(path, "is empty");
    assert_int_equal(ftruncate(file, ((off_t)1 << 30) + 1), 0); /* sparse: it occupies no space */
    refuse_file(path, "larger than the limit of 1024 MiB.");
    assert_int_equal(ftruncate(file, 0), 0);
    assert_int_equal(pwrite(file, HEAD GOOD TAIL, sizeof HEAD GOOD TAIL - 1, 0),
                     (ssize_t)sizeof HEAD GOOD TAIL - 1);
    TEST_SCENE scene = {.spheres = NULL};
    TEST_OK(app_scene_read(path, &scene, &note, &error));
    assert_int_equal(chmod(path, 0), 0);
    test_override_permissions(false);
    refuse_file(path, "Permission denied");
    test_override_permissions(true);
    close(file);
    unlink(path);
    refuse_file(path, "No such file");
    refuse_file(TEST_BINARY_DIR, "is a folder");
    refuse_file("", "No such file");
    refuse_file("/proc/self/mem", "is in no known format");
    refuse_file("/dev/null", "is empty");
}

/* A file that is packed is told by its bytes, its format by its name, in any case. */
TEST(test_packed)
{
    static const struct {
        const char *name;
        bool packed;
    } files[] = {{"packed.json.gz", true},
                 {"PACKED.JSON.GZ", true},
                 {"packed.json", true},
                 {"plain.Json.gZ", false},
                 {"\xef\xbb\xbf.json", false}};
    static const char text[] = "\xef\xbb\xbf" HEAD GOOD TAIL;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[APP_PATH_MAX];
        TEST_SCENE scene = {.spheres = NULL};
        snprintf(path, sizeof path, "%s/test_scene_%s", TEST_BINARY_DIR, files[i].name);
        gzFile file = gzopen(path, files[i].packed ? "wb" : "wbT");
        assert_non_null(file);
        assert_int_equal(gzwrite(file, text, sizeof text - 1), sizeof text - 1);
        assert_int_equal(gzclose(file), Z_OK);
        TEST_OK(app_scene_read(path, &scene, &note, &error));
        assert_int_equal(scene.count, 1);
        assert_int_equal(truncate(path, 30), 0);
        refuse_file(path,
                    files[i].packed ? " is cut: its packed data end at byte 30." : "line 1: ");
        unlink(path);
    }
}
