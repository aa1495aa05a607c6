/* The folders of pictures and settings, and how a place is told. */
#include "files.h"
#include "folder.h"

#include "command/options.h"

#include <sys/stat.h>

static void assert_pictures(const char *expected)
{
    char found[APP_PATH_MAX];
    app_pictures_folder(found);
    assert_string_equal(found, expected);
}

TEST_WITH(test_pictures_folder, make_folder, remove_folder)
{
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    assert_pictures(".");
    setenv("HOME", "", 1);
    assert_pictures(".");
    setenv("HOME", "relative", 1);
    assert_pictures(".");
    setenv("HOME", "/proc/nowhere", 1);
    assert_pictures(".");

    setenv("HOME", folder, 1);
    assert_pictures(in("Pictures")); /* created */
    assert_int_equal(rmdir(in("Pictures")), 0);
    test_file_put_text(in("Pictures"), "a file in its place");
    assert_pictures(".");
    assert_int_equal(unlink(in("Pictures")), 0);

    assert_int_equal(mkdir(in(".config"), 0700), 0);
    test_file_put_text(
        in(".config/user-dirs.dirs"),
        "# comment\nXDG_DESKTOP_DIR=\"$HOME/Desktop\"\n\nXDG_PICTURES_DIR=\"$HOME/My "
        "\\\"Pix\\\"\"\n");
    assert_pictures(in("My \"Pix\""));
    static const char *const useless[] = {"XDG_PICTURES_DIR=\"relative\"\n",
                                          "XDG_PICTURES_DIR=$HOME/x\n",
                                          "XDG_PICTURES_DIR=\"$HOME/unfinished\n",
                                          "XDG_PICTURES_DIR=",
                                          "\xff\xfe\n\n",
                                          "XDG_PICTURES_DIR=\"/proc/nowhere\"\n"};
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++) {
        test_file_put_text(in(".config/user-dirs.dirs"), useless[i]);
        assert_pictures(in("Pictures"));
    }

    assert_int_equal(mkdir(in("own"), 0700), 0);
    char line[2 * APP_PATH_MAX];
    snprintf(line, sizeof line, "  XDG_PICTURES_DIR=\"%s\"\n", in("absolute"));
    test_file_put_text(in("own/user-dirs.dirs"), line);
    setenv("XDG_CONFIG_HOME", in("own"), 1);
    assert_pictures(in("absolute"));
    setenv("XDG_CONFIG_HOME", "relative", 1);
    assert_pictures(in("Pictures"));

    char deep[3 * APP_PATH_MAX];
    memset(deep, '/', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    setenv("HOME", deep, 1);
    assert_pictures(".");
}

/* A place is told with its folder, the user's own as "~". */
TEST_WITH(test_place, make_folder, remove_folder)
{
    static const struct {
        const char *home, *path, *place;
    } cases[] = {
        {"/user/me", "/user/me/Pictures/a.png", "in ~/Pictures: a.png"},
        {"/user/me", "/user/me/a.png", "in ~: a.png"},
        {"/user/me", "/user/meg/a.png", "in /user/meg: a.png"},
        {"/user/me", "/tmp/x/a.png", "in /tmp/x: a.png"},
        {"/", "/tmp/a.png", "in /tmp: a.png"},
        {"/user/me", "/a.png", "in /: a.png"},
        {"/user/me", "a.png", "in .: a.png"},
    };
    char *home = getenv("HOME"), before[512];
    snprintf(before, sizeof before, "%s", home ? home : "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char place[128];
        assert_int_equal(setenv("HOME", cases[i].home, 1), 0);
        app_describe_place(cases[i].path, place, sizeof place);
        assert_string_equal(place, cases[i].place);
    }
    if (home)
        setenv("HOME", before, 1);
    else
        unsetenv("HOME");
}

/* A pipe without a writer in the place of the file of folders holds nobody up, and an endless file
 * takes no memory. */
TEST_WITH(test_no_regular_file, make_folder, remove_folder)
{
    setenv("HOME", folder, 1);
    unsetenv("XDG_CONFIG_HOME");
    assert_int_equal(mkdir(in(".config"), 0700), 0);
    assert_int_equal(mkfifo(in(".config/user-dirs.dirs"), 0600), 0);
    assert_pictures(in("Pictures"));
    assert_int_equal(unlink(in(".config/user-dirs.dirs")), 0);
    assert_int_equal(symlink("/dev/zero", in(".config/user-dirs.dirs")), 0);
    assert_pictures(in("Pictures"));
}

int main(void)
{
    alarm(60);
    return tests_run(NULL, NULL);
}
