/* Reads and writes of files, and the state that failed writes leave behind. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "files.h"
#include "folder.h"
#include "no_overrides.h"

#include "base/files.h"
#include "bench/program.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <zlib.h>

static void assert_holds(const char *path, const char *text)
{
    TEST_FREED char *bytes = NULL;
    size_t count = 0;
    TEST_OK(app_read_file(path, 1 << 20, &bytes, &count, &error));
    assert_int_equal(count, strlen(text));
    assert_string_equal(bytes, text);
}

static enum krn_code write_text(const char *path, const char *text)
{
    memset(&error, 0, sizeof error);
    return app_write_file(path, text, strlen(text), &error);
}

static void refuse_write(const char *path, const char *words)
{
    assert_int_equal(write_text(path, "new"), KRN_FAILED);
    if (strstr(error.text, words) == NULL || strchr(error.text, '\n') != NULL)
        fail_msg("\"%s\" lacks \"%s\"", error.text, words);
}

/* Fails unless a child process ends with 0. */
static void assert_ends_well(pid_t child)
{
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_WITH(test_written_whole, make_folder, remove_folder)
{
    struct stat status;
    const mode_t mask = umask(027);
    assert_int_equal(write_text(in("a"), "one\n"), KRN_OK);
    umask(mask);
    assert_holds(in("a"), "one\n");
    assert_int_equal(stat(in("a"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
    assert_int_equal(chmod(in("a"), 0604), 0);
    assert_int_equal(write_text(in("a"), "two, and longer\n"), KRN_OK);
    assert_holds(in("a"), "two, and longer\n");
    assert_int_equal(stat(in("a"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0604);
    assert_int_equal(write_text(in("a"), ""), KRN_OK);
    assert_holds(in("a"), "");
    assert_int_equal(symlink("a", in("link")), 0);
    assert_int_equal(write_text(in("link"), "through"), KRN_OK);
    assert_holds(in("a"), "through");
    assert_int_equal(lstat(in("link"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(test_file_count(folder), 2);
}

/* A new file never replaces an existing one of any kind, and a failure leaves nothing behind. */
TEST_WITH(test_new_files, make_folder, remove_folder)
{
    char path[2 * APP_PATH_MAX];
    TEST_OK(app_write_new_file(in("a"), "one", 3, &error));
    assert_holds(in("a"), "one");
    TEST_FAILS(app_write_new_file(in("a"), "two", 3, &error), KRN_REFUSED,
               "is there already and is not overwritten");
    assert_int_equal(symlink("nowhere", in("link")), 0);
    assert_int_equal(app_write_new_file(in("link"), "two", 3, &error), KRN_REFUSED);
    assert_int_equal(app_write_new_file(folder, "two", 3, &error), KRN_REFUSED);
    assert_int_equal(app_write_new_file(in("missing/a"), "two", 3, &error), KRN_FAILED);
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = 0;
    assert_int_equal(app_write_new_file(path, "two", 3, &error), KRN_FAILED);
    assert_holds(in("a"), "one");
    assert_int_equal(test_file_count(folder), 2);
}

TEST_WITH(test_what_cannot_be_written, make_folder, remove_folder)
{
    struct stat status;
    char path[2 * APP_PATH_MAX];
    refuse_write(in("missing/a"), "No such file or directory");
    refuse_write(folder, "Is a directory");
    refuse_write("/dev/full", "No space left");
    assert_int_equal(stat("/dev/full", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    refuse_write("/proc/spherescope.json", "cannot be written");
    refuse_write("", "cannot be written");
    assert_int_equal(symlink("nowhere", in("link")), 0);
    refuse_write(in("link"), "No such file or directory"); /* and the link stays */
    assert_int_equal(unlink(in("link")), 0);
    assert_int_equal(symlink("round", in("round")), 0);
    refuse_write(in("round"), "symbolic links");
    assert_int_equal(unlink(in("round")), 0);
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = 0;
    refuse_write(path, "name too long");
    assert_int_equal(write_text("/dev/null", "gone"), KRN_OK);
    assert_int_equal(mknod(in("socket"), S_IFSOCK | 0600, 0), 0);
    assert_int_equal(app_check_output(in("socket"), &error), KRN_FAILED);
    assert_int_equal(unlink(in("socket")), 0);

    test_file_put_text(in("old"), "old");
    assert_int_equal(chmod(in("old"), 0400), 0);
    assert_int_equal(chmod(folder, 0500), 0);
    test_override_permissions(false);
    refuse_write(in("new"), "Permission denied");
    refuse_write(in("old"), "Permission denied");
    test_override_permissions(true);
    assert_int_equal(chmod(folder, 0700), 0);
    assert_holds(in("old"), "old");
    assert_int_equal(test_file_count(folder), 1);
}

/* --- the C library, on a disk that fails --- */

static const char *failing; /* the name of the function that fails; NULL: none */
static int rename_reason = EIO;

static int fails(const char *call, int code)
{
    if (failing == NULL || strcmp(failing, call) != 0)
        return 0;
    errno = code;
    return -1;
}

int __real_fsync(int file);
int __wrap_fsync(int file);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

int __wrap_fsync(int file)
{
    return fails("fsync", EIO) != 0 ? -1 : __real_fsync(file);
}

int __wrap_rename(const char *from, const char *to)
{
    return fails("rename", rename_reason) != 0 ? -1 : __real_rename(from, to);
}

/* The old file stays, and no part of a new one. */
TEST_WITH(test_a_disk_that_fails, make_folder, remove_folder)
{
    static const char *const calls[] = {"fsync", "rename"};
    test_file_put_text(in("old"), "old");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        failing = calls[i];
        refuse_write(in("old"), "Input/output error");
        refuse_write(in("new"), "Input/output error");
        assert_int_equal(app_write_new_file(in("new"), "new", 3, &error), KRN_FAILED);
        assert_holds(in("old"), "old");
        assert_int_equal(test_file_count(folder), 1);
    }
    failing = NULL;
}

static ino_t inode_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_ino;
}

/* Something is mounted on the file, it is another's in a sticky folder, the file system knows no
 * renames, or the folder takes no files: the file is found good before the run and overwritten,
 * also without a place for temporary files. */
TEST_WITH(test_a_file_that_is_not_replaced, make_folder, remove_folder)
{
    static const int reasons[] = {EBUSY, EPERM, ENOSYS, 0};
    static const char *const spares[] = {"/nonexistent", ""};
    static const char longer[] = "a longer text than the old one";
    failing = "rename";
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        test_file_put_text(in("old"), "the old one");
        const ino_t inode = inode_of(in("old"));
        rename_reason = reasons[i];
        setenv("TMPDIR", spares[i % 2], 1);
        if (reasons[i] == 0) {
            assert_int_equal(chmod(folder, 0500), 0);
            test_override_permissions(false);
        }
        TEST_OK(app_check_output(in("old"), &error));
        assert_int_equal(write_text(in("old"), longer), KRN_OK);
        assert_holds(in("old"), longer);
        TEST_OK(app_save_output(in("old"), "new", 3, &error));
        assert_holds(in("old"), "new");
        assert_int_equal(inode_of(in("old")), inode);
        if (reasons[i] != 0) {
            assert_int_equal(write_text(in("new"), "new"), KRN_OK);
            assert_holds(in("new"), "new");
            assert_int_equal(unlink(in("new")), 0);
        }
        test_override_permissions(true);
        assert_int_equal(chmod(folder, 0700), 0);
        assert_int_equal(test_file_count(folder), 1);
    }
    failing = NULL;
    rename_reason = EIO;
    unsetenv("TMPDIR");
}

/* What cannot be made again is kept, and the sentence tells where. */
TEST_WITH(test_saved_all_the_same, make_folder, remove_folder)
{
    test_file_put_text(in("old"), "old");
    assert_int_equal(mkdir(in("spare"), 0700), 0);
    setenv("TMPDIR", in("spare"), 1);
    static const struct {
        const char *fails, *path, *kept; /* before the process's number */
    } cases[] = {{"rename", "old", "old.part-"},
                 {"rename", "new", "new.part-"},
                 {"", "gone/a.json", "spare/a.json.part-"},
                 {"", "old/a.json", "spare/a.json.part-"},
                 {"", "spare", "spare/spare.part-"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char kept[100];
        failing = cases[i].fails;
        snprintf(kept, sizeof kept, "%s%ld-0", cases[i].kept, (long)getpid());
        TEST_FAILS(app_save_output(in(cases[i].path), "record", 6, &error), KRN_FAILED,
                   "its content is in ");
        assert_non_null(strstr(error.text, in(kept)));
        assert_holds(in(kept), "record");
        assert_int_equal(unlink(in(kept)), 0);
    }
    assert_holds(in("old"), "old");
    failing = NULL;
    unsetenv("TMPDIR");
    assert_int_equal(rmdir(in("spare")), 0);
    assert_int_equal(test_file_count(folder), 1);
}

/* The names of descriptors: as the shell and /proc spell them, and through links. */
TEST_WITH(test_descriptors, make_folder, remove_folder)
{
    static const struct {
        const char *path;
        int descriptor;
    } cases[] = {{"-", 1},
                 {"/dev/stdout", 1},
                 {"/dev/stderr", 2},
                 {"/dev/fd/1", 1},
                 {"/dev/fd/33", 33},
                 {"/proc/self/fd/1", 1},
                 {"//dev/./../dev/stdout", 1},
                 {"/dev/null", -1},
                 {"/dev/fd/x", -1},
                 {"/dev/fd", -1},
                 {"stdout", -1},
                 {"", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (app_descriptor_of(cases[i].path) != cases[i].descriptor)
            fail_msg("%s: %d", cases[i].path, app_descriptor_of(cases[i].path));
    assert_int_equal(symlink("/dev/stdout", in("link")), 0);
    assert_int_equal(symlink("link", in("links")), 0);
    assert_int_equal(symlink("round", in("round")), 0);
    assert_int_equal(app_descriptor_of(in("links")), 1);
    assert_int_equal(app_descriptor_of(in("round")), -1);
    assert_true(app_same_file(in("links"), "-"));
    assert_true(app_same_file("/dev/fd/2", "/dev/stderr"));
    assert_false(app_same_file("/dev/null", "/dev/null"));
    assert_false(app_same_file("/dev/null", in("links")));
    refuse_write("/dev/fd/99", "File descriptor 99 cannot be written: Bad file descriptor");
    TEST_FAILS(app_check_output("/proc/self/fd/99", &error), KRN_FAILED, "File descriptor 99");

    /* What is redirected into a file goes where that is, and replaces nothing. */
    const int file = open(in("out"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    char path[32];
    assert_true(file >= 0);
    snprintf(path, sizeof path, "/dev/fd/%d", file);
    assert_int_equal(write(file, "before ", 7), 7);
    assert_int_equal(unlink(in("links")), 0);
    assert_int_equal(symlink(path, in("links")), 0);
    TEST_OK(app_check_output(in("links"), &error));
    assert_int_equal(write_text(in("links"), "record"), KRN_OK);
    assert_int_equal(write(file, " after", 6), 6);
    close(file);
    assert_holds(in("out"), "before record after");
    assert_int_equal(unlink(in("links")), 0);
    assert_int_equal(unlink(in("link")), 0);
    assert_int_equal(unlink(in("round")), 0);
    assert_int_equal(unlink(in("out")), 0);
}

TEST_WITH(test_reading, make_folder, remove_folder)
{
    char *bytes = NULL;
    size_t count = 0;
    test_file_put_text(in("five"), "12345");
    TEST_OK(app_read_file(in("five"), 5, &bytes, &count, &error));
    assert_int_equal(count, 5);
    assert_int_equal(bytes[5], 0);
    free(bytes);
    bytes = NULL;
    assert_int_equal(app_read_file(in("five"), 4, &bytes, &count, &error), KRN_REFUSED);
    assert_int_equal(app_read_file(folder, 4, &bytes, &count, &error), KRN_REFUSED);
    assert_int_equal(app_read_file(in("none"), 4, &bytes, &count, &error), KRN_FAILED);
    assert_int_equal(app_read_file("/dev/zero", 100000, &bytes, &count, &error), KRN_REFUSED);
    assert_null(bytes);
    TEST_OK(app_read_file("/proc/self/status", 1 << 20, &bytes, &count, &error));
    assert_true(count > 100 && strlen(bytes) == count);
    free(bytes);
}

/* Packs bytes as one gzip file, which follows those that are there. */
static void pack(const char *path, const char *bytes, size_t count)
{
    gzFile file = gzopen(path, "ab9");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, bytes, (unsigned)count), count);
    assert_int_equal(gzclose(file), Z_OK);
}

static enum krn_code read_packed(const char *path, size_t max_bytes, char **bytes, size_t *count)
{
    *bytes = NULL;
    const enum krn_code code = app_read_file(path, max_bytes, bytes, count, &error);
    assert_true((code == KRN_OK) == (*bytes != NULL));
    return code;
}

static void refuse_packed(const char *path, size_t max_bytes, const char *words)
{
    char *bytes;
    size_t count;
    assert_int_equal(read_packed(path, max_bytes, &bytes, &count), KRN_REFUSED);
    test_has(error.text, words);
}

/* Packed files are found by their first bytes, and their size is bounded before it is there. */
TEST_WITH(test_packed, make_folder, remove_folder)
{
    enum { BYTES = 1 << 20, FILES = 20 };
    char *bytes, *many = calloc(1, BYTES);
    size_t count;
    assert_non_null(many);
    pack(in("packed"), "12345", 5);
    pack(in("packed"), "678", 3);
    assert_int_equal(read_packed(in("packed"), 100, &bytes, &count), KRN_OK);
    assert_int_equal(count, 8);
    assert_string_equal(bytes, "12345678");
    free(bytes);
    pack(in("nothing"), "", 0);
    assert_int_equal(read_packed(in("nothing"), 100, &bytes, &count), KRN_OK);
    assert_true(count == 0 && bytes[0] == 0);
    free(bytes);
    test_file_put_text(in("plain"), "\x1f");
    assert_int_equal(read_packed(in("plain"), 100, &bytes, &count), KRN_OK);
    assert_string_equal(bytes, "\x1f");
    free(bytes);
    pack(in("bomb"), many, BYTES);
    assert_int_equal(read_packed(in("bomb"), BYTES, &bytes, &count), KRN_OK);
    assert_true(count == BYTES && memcmp(bytes, many, BYTES) == 0);
    free(bytes);
    refuse_packed(in("bomb"), BYTES - 1, "bomb is larger than the limit of 1048575 bytes when unp");
    for (int i = 1; i < FILES; i++)
        pack(in("bomb"), many, BYTES);
    refuse_packed(in("bomb"), 8 << 20, "is larger than the limit of 8 MiB when unpacked.");
    refuse_packed(in("bomb"), 1000, "is larger than the limit of 1000 bytes.");
    free(many);
}

/* A packed file is refused when it is cut or damaged at any byte; a header has bytes that say
 * nothing about the content. */
TEST_WITH(test_packed_and_broken, make_folder, remove_folder)
{
    enum { SIGNATURE = 2, HEADER = 10, PACKED_MAX = 1000 };
    char packed[PACKED_MAX], *bytes;
    size_t length, count;
    pack(in("whole"), "To be cut, and damaged, at any byte. ", 37);
    FILE *file = fopen(in("whole"), "rb");
    assert_non_null(file);
    length = fread(packed, 1, sizeof packed, file);
    fclose(file);
    for (size_t cut = SIGNATURE; cut < length; cut++) {
        test_file_put(in("cut"), packed, cut);
        char words[64];
        snprintf(words, sizeof words, "cut is cut: its packed data end at byte %zu.", cut);
        refuse_packed(in("cut"), 100, words);
    }
    for (size_t at = SIGNATURE; at < length; at++) {
        packed[at] ^= 0x55;
        test_file_put(in("damaged"), packed, length);
        packed[at] ^= 0x55;
        const enum krn_code code = read_packed(in("damaged"), 100, &bytes, &count);
        assert_true(code == KRN_REFUSED || (code == KRN_OK && at < HEADER && count == 37));
        free(bytes);
    }
    packed[length] = packed[length + 1] = 'x'; /* what follows is no packed file */
    test_file_put(in("damaged"), packed, length + 2);
    refuse_packed(in("damaged"), 100, " of its packed data.");
}

/* Returns the code of reading a file of the test's folder as a regular one, below another folder
 * unless that is NULL. */
static enum krn_code read_regular(const char *name, const char *below)
{
    TEST_FREED char *bytes = NULL;
    size_t count = 0;
    const enum krn_code code = app_read_regular(in(name), below, 8, &bytes, &count, &error);
    assert_true(code != KRN_OK || (count == 5 && strcmp(bytes, "abcde") == 0));
    return code;
}

/* Regular files alone, within a folder behind symbolic links, and no pipe holds the reader up. */
TEST_WITH(test_reading_regular_files, make_folder, remove_folder)
{
    TEST_FREED char *below = NULL;
    assert_int_equal(mkdir(in("below"), 0700), 0);
    assert_int_equal(mkdir(in("below2"), 0700), 0);
    test_file_put_text(in("five"), "abcde");
    test_file_put_text(in("below/five"), "abcde");
    test_file_put_text(in("below2/five"), "abcde");
    test_file_put_text(in("below/large"), "a limit of 8 bytes");
    assert_int_equal(symlink("five", in("below/near")), 0);
    assert_int_equal(symlink("../five", in("below/far")), 0);
    assert_int_equal(symlink("/dev/zero", in("below/zero")), 0);
    assert_int_equal(symlink("../below2", in("below/up")), 0);
    assert_int_equal(mkfifo(in("below/pipe"), 0600), 0);
    below = realpath(in("below"), NULL);
    assert_non_null(below);
    alarm(60);
    static const struct {
        const char *name;
        enum krn_code below, anywhere;
        const char *says; /* of the first code */
    } cases[] = {
        {"below/five", KRN_OK, KRN_OK, ""},
        {"below/near", KRN_OK, KRN_OK, ""},
        {"five", KRN_REFUSED, KRN_OK, "leads out of the folder"},
        {"below2/five", KRN_REFUSED, KRN_OK, "leads out of the folder"},
        {"below/../five", KRN_REFUSED, KRN_OK, "leads out of the folder"},
        {"below/far", KRN_REFUSED, KRN_OK, "leads out of the folder"},
        {"below/up/five", KRN_REFUSED, KRN_OK, "leads out of the folder"},
        {"below/zero", KRN_REFUSED, KRN_REFUSED, "leads out of the folder"},
        {"below/pipe", KRN_REFUSED, KRN_REFUSED, "is not a regular file."},
        {"below/large", KRN_REFUSED, KRN_REFUSED, "is larger than the limit of 8 bytes."},
        {"below/none", KRN_FAILED, KRN_FAILED, "No such file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const enum krn_code code = read_regular(cases[i].name, below);
        if (code != cases[i].below || (code != KRN_OK && !strstr(error.text, cases[i].says)))
            fail_msg("%s: %d, %s", cases[i].name, code, error.text);
        assert_int_equal(read_regular(cases[i].name, NULL), cases[i].anywhere);
    }
    alarm(0);
}

TEST_WITH(test_screenshot_names, make_folder, remove_folder)
{
    char path[APP_PATH_MAX], other[APP_PATH_MAX];
    setenv("TZ", "UTC0", 1);
    assert_int_equal(
        app_output_name(path, "/p", 1700000000, KRN_STORAGE_CONSTANT, 1, ".png", &error), KRN_OK);
    assert_string_equal(path, "/p/spherescope-20231114-221320-constant.png");
    TEST_OK(app_output_name(path, "/p", 1700000000, KRN_STORAGE_CONSTANT, 1, ".json", &error));
    assert_string_equal(path + strlen(path) - 14, "-constant.json");
    assert_int_equal(app_output_name(path, "/p", 1700000000, KRN_STORAGE_GLOBAL, 2, ".png", &error),
                     KRN_OK);
    assert_string_equal(path, "/p/spherescope-20231114-221320-global-2.png");
    for (int choice = 1; choice < 50; choice++) {
        app_output_name(path, ".", 0, KRN_STORAGE_SHARED, choice, ".png", &error);
        app_output_name(other, ".", 0, KRN_STORAGE_SHARED, choice + 1, ".png", &error);
        assert_string_not_equal(path, other);
    }
    char deep[APP_PATH_MAX];
    memset(deep, 'd', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    assert_int_equal(app_output_name(path, deep, 0, KRN_STORAGE_SHARED, 1, ".png", &error),
                     KRN_REFUSED);
}

TEST_WITH(test_shortened, make_folder, remove_folder)
{
    char text[300];
    memset(text, 'x', sizeof text - 1);
    memcpy(text + sizeof text - 5, "\n\x7f.c", 5);
    assert_string_equal(app_shorten("a\tb").text, "a?b");
    const struct app_short_path shown = app_shorten(text);
    assert_int_equal(strlen(shown.text), sizeof shown.text - 1);
    assert_memory_equal(shown.text, "...xx", 5);
    assert_string_equal(shown.text + sizeof shown.text - 5, "??.c");
}

/* A writer that waits for its reader still waits after the look, and the reader gets all of it. */
TEST_WITH(test_a_look_leaves_a_pipe_alone, make_folder, remove_folder)
{
    const char *path = in("pipe");
    const struct timespec pause = {0, 100000000};
    TEST_FREED char *bytes = NULL;
    size_t count = 0;
    assert_int_equal(mkfifo(path, 0600), 0);
    const pid_t writer = fork();
    if (writer == 0) {
        FILE *out = fopen(path, "w");
        _exit(out != NULL && fputs("text", out) >= 0 && fclose(out) == 0 ? 0 : 1);
    }
    assert_true(writer > 0);
    nanosleep(&pause, NULL);
    assert_false(app_file_begins(path, "text", 4));
    nanosleep(&pause, NULL);
    assert_int_equal(waitpid(writer, NULL, WNOHANG), 0);
    TEST_OK(app_read_file(path, 64, &bytes, &count, &error));
    assert_true(count == 4 && memcmp(bytes, "text", 4) == 0);
    assert_ends_well(writer);
}
