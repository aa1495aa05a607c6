/* app/base/files.c - whole-file reads, and atomic writes. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "base/files.h"

#include "base/complain.h"
#include "base/process.h"
#include "base/value.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

struct app_short_path app_shorten(const char *path)
{
    struct app_short_path shown;
    const size_t length = strlen(path), longest = sizeof shown.text - 1;
    if (length <= longest)
        snprintf(shown.text, sizeof shown.text, "%s", path);
    else
        snprintf(shown.text, sizeof shown.text, "...%s", path + length - (longest - 3));
    app_make_printable(shown.text);
    return shown;
}

/* Characters of a file's name that the name of its temporary file repeats. */
enum { PART_NAME_MAX = 200 };

static enum krn_code fail_system(const char *verb, const char *path, struct krn_error *error)
{
    const int reason = errno;
    return KRN_FAIL(error, KRN_FAILED, "%s cannot be %s: %s.", app_shorten(path).text, verb,
                    strerror(reason));
}

/* Leaves errno as it is. */
static enum krn_code fail_write(const char *path, struct krn_error *error)
{
    const int reason = errno, descriptor = app_descriptor_of(path);
    char name[32];
    snprintf(name, sizeof name, "File descriptor %d", descriptor);
    if (descriptor == STDOUT_FILENO)
        KRN_FAIL(error, KRN_FAILED, "Standard output cannot be written: %s.", strerror(reason));
    else
        KRN_FAIL(error, KRN_FAILED, "%s cannot be written: %s; %s.",
                 descriptor < 0 ? app_shorten(path).text : name, strerror(reason),
                 krn_write_cure(reason));
    errno = reason;
    return KRN_FAILED;
}

/* The longest that a pipe which nobody reads delays the end of an interrupted run. */
static const int patience_ms = 300;

/* Writes all bytes. After an interrupt, waits for a slow reader of a pipe, but not for one that
 * reads nothing. On failure returns false and sets errno. */
static bool write_all(int file, const void *bytes, size_t count)
{
    const size_t step = PIPE_BUF; /* a pipe that is ready takes so much without blocking */
    const char *at = bytes;
    struct pollfd ready = {.fd = file, .events = POLLOUT};
    while (count > 0) {
        const bool interrupted = app_interrupted();
        const int polled = poll(&ready, 1, patience_ms);
        if (polled == 0 && interrupted) {
            errno = EINTR;
            return false;
        }
        const ssize_t n = polled > 0 ? write(file, at, count < step ? count : step) : 0;
        if (polled > 0 && n <= 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        count -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Opens a pipe or a device for writing. A pipe without a reader blocks until it has one, or until
 * the run is interrupted. */
static int open_reader(const char *path)
{
    const int flags = O_WRONLY | O_CLOEXEC;
    int file = -1;
    do
        file = open(path, app_interrupted() ? flags | O_NONBLOCK : flags);
    while (file < 0 && errno == EINTR);
    if (file >= 0)
        fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return file;
}

static enum krn_code write_directly(const struct app_output *output, const void *bytes,
                                    size_t count, struct krn_error *error)
{
    const bool given = output->descriptor >= 0;
    if (given)
        fflush(stdout);
    const int file = given ? output->descriptor : open_reader(output->path);
    if (file < 0)
        return fail_write(output->path, error);
    bool good = write_all(file, bytes, count);
    const int reason = errno;
    if (!given && close(file) != 0 && good)
        good = false;
    else
        errno = reason;
    return good ? KRN_OK : fail_write(output->path, error);
}

/* Copies the folder of a path, and returns the name in it. */
static const char *split(const char *path, char folder[APP_PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    snprintf(folder, APP_PATH_MAX, "%.*s", slash == NULL ? 1 : (int)(slash - path) + 1,
             slash == NULL ? "." : path);
    return slash == NULL ? path : slash + 1;
}

int app_descriptor_of(const char *path)
{
    enum { LINKS_MAX = 8 };
    char at[APP_PATH_MAX], folder[APP_PATH_MAX], target[APP_PATH_MAX];
    int descriptor = strcmp(path, "-") == 0 ? STDOUT_FILENO : -1;
    char *own = realpath("/proc/self/fd", NULL);
    snprintf(at, sizeof at, "%s", path);
    for (int links = 0; links < LINKS_MAX && own != NULL && descriptor < 0; links++) {
        const char *name = split(at, folder);
        char *real = realpath(folder, NULL);
        const bool found = real != NULL && strcmp(real, own) == 0;
        free(real);
        if (found && !app_parse_int(name, &descriptor))
            break;
        const ssize_t n = found ? 0 : readlink(at, target, sizeof target - 1);
        if (n <= 0)
            break;
        target[n] = 0;
        if (target[0] == '/')
            folder[0] = 0;
        if ((size_t)snprintf(at, sizeof at, "%s%s", folder, target) >= sizeof at)
            break;
    }
    free(own);
    return descriptor;
}

/* Flushes the directory entry of path to disk, so that the rename survives a crash. A folder that
 * cannot be opened is left to the kernel. */
static void sync_folder(const char *path)
{
    char folder[APP_PATH_MAX];
    (void)split(path, folder);
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
}

static void drop_part(struct app_output *output)
{
    if (output->part[0] == 0)
        return;
    unlink(output->part);
    app_interrupt_unguard(output->guard);
    output->part[0] = 0;
}

/* Creates the part beside the path or, as a spare, in the folder of temporary files. On failure
 * returns -1 and sets errno. */
static int open_part(struct app_output *output, bool spare)
{
    char folder[APP_PATH_MAX];
    const char *name = split(output->path, folder), *temporary = getenv("TMPDIR");
    const size_t length = strlen(name), longest = sizeof output->part;
    if (spare)
        snprintf(folder, sizeof folder, "%s/",
                 temporary != NULL && temporary[0] != 0 ? temporary : "/tmp");
    else if (name == output->path)
        folder[0] = 0;
    for (int i = 0; i < 100; i++) {
        /* The name of a file may be as long as the file system allows. */
        const int n = snprintf(output->part, longest, "%s%.*s.part-%ld-%d", folder, PART_NAME_MAX,
                               name, (long)getpid(), i);
        errno = ENAMETOOLONG; /* the final name would fail, so this one must */
        if (length > NAME_MAX || (size_t)n >= longest)
            break;
        /* It is noted before there is a file to be left behind. */
        output->guard = app_interrupt_guard(output->part);
        const int file = open(output->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0)
            return file;
        app_interrupt_unguard(output->guard);
        if (errno != EEXIST)
            break;
    }
    output->part[0] = 0;
    return -1;
}

/* Writes the bytes into an open part. On failure removes it, returns false and sets errno. */
static bool write_part(struct app_output *output, int file, const void *bytes, size_t count)
{
    if (file < 0)
        return false;
    bool good = write_all(file, bytes, count) && fsync(file) == 0;
    if (good && output->present)
        good = fchmod(file, output->old.st_mode & 07777) == 0 || errno == EPERM;
    int reason = errno;
    if (close(file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (!good)
        drop_part(output);
    errno = reason;
    return good;
}

/* Writes the bytes over the content of the path. A disk that has no room for them leaves the old
 * content. On failure returns false and sets errno. */
static bool overwrite(const struct app_output *output, const void *bytes, size_t count)
{
    /* With O_CREAT, Linux does not open another user's file in a sticky folder. */
    const int how = output->present ? 0 : O_CREAT | O_EXCL;
    const int file = open(output->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | how, 0666);
    if (file < 0)
        return false;
    const off_t before = output->present ? output->old.st_size : 0, after = (off_t)count;
    int reason = after > before ? posix_fallocate(file, before, after - before) : 0;
    if (reason != 0 && reason != EOPNOTSUPP)
        (void)!ftruncate(file, before);
    else if (write_all(file, bytes, count) && ftruncate(file, after) == 0 && fsync(file) == 0)
        reason = 0;
    else
        reason = errno;
    if (close(file) != 0 && reason == 0)
        reason = errno;
    if (reason != 0 && !output->present)
        unlink(output->path);
    errno = reason;
    return reason == 0;
}

/* Leaves a complete part where it is, and says so. */
static enum krn_code fail_kept(const struct app_output *output, int reason, struct krn_error *error)
{
    app_interrupt_unguard(output->guard);
    return KRN_FAIL(error, KRN_FAILED, "%s cannot be written: %s; its content is in %s.",
                    app_shorten(output->path).text, strerror(reason),
                    app_shorten(output->part).text);
}

/* Gives the path its content, which the part has if there is one. A file that cannot be replaced is
 * overwritten: something is mounted on it, it is another user's in a sticky folder, or its folder
 * takes no new files. reason: why there is no part beside the path; 0: there is. keeps: on failure,
 * the part is not removed. */
static enum krn_code publish(struct app_output *output, const void *bytes, size_t count, int reason,
                             bool keeps, struct krn_error *error)
{
    bool good = false;
    if (output->part[0] != 0 && reason != EIO) {
        good = rename(output->part, output->path) == 0;
        reason = good ? 0 : errno;
    }
    if (!good && reason != EIO) { /* a disk that fails may keep its old file */
        app_interrupt_unguard(output->guard);
        output->guard = -1;
        good = overwrite(output, bytes, count);
        reason = errno;
    }
    if (good) {
        drop_part(output);
        sync_folder(output->path);
        return KRN_OK;
    }
    if (keeps && output->part[0] != 0)
        return fail_kept(output, reason, error);
    drop_part(output);
    errno = reason;
    return fail_write(output->path, error);
}

/* Finds where the content of a path goes. */
static enum krn_code find_output(const char *path, struct app_output *output,
                                 struct krn_error *error)
{
    memset(output, 0, sizeof *output);
    output->guard = -1;
    if (strlen(path) >= APP_PATH_MAX) {
        errno = ENAMETOOLONG;
        return fail_write(path, error);
    }
    snprintf(output->path, sizeof output->path, "%s", path);
    output->descriptor = app_descriptor_of(path);
    output->direct = output->descriptor >= 0;
    if (output->direct) {
        const int flags = fcntl(output->descriptor, F_GETFL);
        if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
            return KRN_OK;
        errno = EBADF;
        return fail_write(path, error);
    }
    struct stat link;
    if (stat(path, &output->old) != 0) {
        /* A missing file is made. rename() would replace a link that leads nowhere. */
        if (errno != ENOENT || lstat(path, &link) == 0)
            return fail_write(path, error);
        return KRN_OK;
    }
    output->present = true;
    if (S_ISDIR(output->old.st_mode) || S_ISSOCK(output->old.st_mode)) {
        errno = S_ISDIR(output->old.st_mode) ? EISDIR : ENXIO; /* as writing would */
        return fail_write(path, error);
    }
    output->direct = !S_ISREG(output->old.st_mode);
    if (output->direct)
        return access(path, W_OK) == 0 ? KRN_OK : fail_write(path, error);
    const int file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0)
        return fail_write(path, error);
    close(file);
    char *real = realpath(path, NULL);
    const bool found = real != NULL && strlen(real) < APP_PATH_MAX;
    if (found)
        memcpy(output->path, real, strlen(real) + 1);
    free(real);
    return found ? KRN_OK : fail_write(path, error);
}

static enum krn_code write_output(const char *path, const void *bytes, size_t count, bool keeps,
                                  struct krn_error *error)
{
    struct app_output output;
    const enum krn_code code = find_output(path, &output, error);
    int reason = errno;
    if (code != KRN_OK)
        return keeps && write_part(&output, open_part(&output, true), bytes, count)
                   ? fail_kept(&output, reason, error)
                   : code;
    if (output.direct)
        return write_directly(&output, bytes, count, error);
    reason = 0;
    if (!write_part(&output, open_part(&output, false), bytes, count)) {
        reason = errno;
        (void)write_part(&output, open_part(&output, true), bytes, count);
    }
    return publish(&output, bytes, count, reason, keeps, error);
}

enum krn_code app_write_file(const char *path, const void *bytes, size_t count,
                             struct krn_error *error)
{
    return write_output(path, bytes, count, false, error);
}

enum krn_code app_save_output(const char *path, const void *bytes, size_t count,
                              struct krn_error *error)
{
    return write_output(path, bytes, count, true, error);
}

enum krn_code app_write_new_file(const char *path, const void *bytes, size_t count,
                                 struct krn_error *error)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST)
        return KRN_FAIL(error, KRN_REFUSED, "The file is there already and is not overwritten: %s",
                        app_shorten(path).text);
    if (file < 0)
        return fail_write(path, error);
    close(file);
    const int guard = app_interrupt_guard(path);
    const enum krn_code code = app_write_file(path, bytes, count, error);
    if (code != KRN_OK)
        unlink(path);
    app_interrupt_unguard(guard);
    return code;
}

enum krn_code app_check_output(const char *path, struct krn_error *error)
{
    struct app_output output;
    const enum krn_code code = find_output(path, &output, error);
    /* Where it cannot be replaced, a file that can be opened for writing is overwritten. */
    if (code != KRN_OK || output.direct || output.present)
        return code;
    const int file = open_part(&output, false);
    if (file < 0)
        return fail_write(path, error);
    close(file);
    drop_part(&output);
    return KRN_OK;
}

enum krn_code app_output_begin(struct app_output *output, const char *path, struct krn_error *error)
{
    const enum krn_code code = find_output(path, output, error);
    if (code != KRN_OK)
        return code;
    int file = open_part(output, false);
    const int reason = errno;
    if (file < 0 && output->present)
        file = open_part(output, true);
    errno = reason;
    if (file < 0)
        return fail_write(path, error);
    close(file);
    return KRN_OK;
}

enum krn_code app_output_end(struct app_output *output, struct krn_error *error)
{
    struct stat status;
    const int file = open(output->part, O_RDONLY | O_CLOEXEC);
    void *bytes = MAP_FAILED;
    if (file >= 0 && fsync(file) == 0 && fstat(file, &status) == 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (file >= 0)
        close(file);
    if (bytes == MAP_FAILED)
        return fail_write(output->path, error);
    const enum krn_code code = publish(output, bytes, (size_t)status.st_size, 0, true, error);
    munmap(bytes, (size_t)status.st_size);
    return code;
}

void app_output_drop(struct app_output *output)
{
    drop_part(output);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *stat_folder(const char *path, struct stat *status)
{
    char folder[APP_PATH_MAX];
    if (strlen(path) >= APP_PATH_MAX)
        return NULL;
    const char *name = split(path, folder);
    return stat(folder, status) == 0 ? name : NULL;
}

bool app_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    const int stream_a = app_descriptor_of(a), stream_b = app_descriptor_of(b);
    const bool has_a = (stream_a >= 0 ? fstat(stream_a, &of_a) : stat(a, &of_a)) == 0,
               has_b = (stream_b >= 0 ? fstat(stream_b, &of_b) : stat(b, &of_b)) == 0;
    if (stream_a >= 0 && stream_a == stream_b)
        return true;
    if (strcmp(a, b) == 0)
        return !has_a || !S_ISCHR(of_a.st_mode);
    if (has_a != has_b)
        return false;
    if (has_a)
        return is_same(&of_a, &of_b) && (S_ISREG(of_a.st_mode) || S_ISDIR(of_a.st_mode));
    const char *name_a = stat_folder(a, &of_a), *name_b = stat_folder(b, &of_b);
    return name_a != NULL && name_b != NULL && strcmp(name_a, name_b) == 0 && is_same(&of_a, &of_b);
}

void app_occupy_streams(void)
{
    int file = open("/dev/null", O_RDONLY);
    while (file >= 0 && file <= STDERR_FILENO)
        file = open("/dev/null", O_RDONLY);
    if (file > STDERR_FILENO)
        close(file);
}

/* Reads to the end of the file, or until *count exceeds max_bytes. On failure returns NULL and sets
 * errno. */
static char *read_all(int file, size_t max_bytes, size_t expected, size_t *count)
{
    size_t capacity = expected + 2, used = 0;
    char *bytes = malloc(capacity);
    while (bytes != NULL && used <= max_bytes) {
        if (used + 1 == capacity) {
            char *larger = realloc(bytes, capacity * 2);
            if (larger == NULL)
                break;
            bytes = larger;
            capacity *= 2;
        }
        const ssize_t n = read(file, bytes + used, capacity - 1 - used);
        if (n < 0 && errno == EINTR && !app_interrupted())
            continue;
        if (n < 0)
            break;
        if (n == 0 || used + (size_t)n > max_bytes) {
            *count = used + (size_t)n;
            bytes[used] = 0; /* the caller rejects a longer file without using its content */
            return bytes;
        }
        used += (size_t)n;
    }
    const int reason = bytes == NULL ? ENOMEM : errno;
    free(bytes);
    errno = reason;
    return NULL;
}

static enum krn_code fail_large(const char *path, size_t max_bytes, const char *how,
                                struct krn_error *error)
{
    const bool small = max_bytes < 1u << 20;
    return KRN_FAIL(error, KRN_REFUSED, "%s is larger than the limit of %zu %s%s.",
                    app_shorten(path).text, small ? max_bytes : max_bytes >> 20,
                    small ? "bytes" : "MiB", how);
}

static enum krn_code fail_folder(const char *path, struct krn_error *error)
{
    return KRN_FAIL(error, KRN_REFUSED, "%s is a folder, not a file.", app_shorten(path).text);
}

/* Replaces the bytes of a gzip file by what they unpack to; on failure frees them. */
static enum krn_code unpack(const char *path, size_t max_bytes, char **bytes, size_t *count,
                            struct krn_error *error)
{
    enum { GZIP_ONLY = MAX_WBITS + 16 };
    z_stream stream = {.next_in = (Bytef *)*bytes, .avail_in = (uInt)*count};
    char *text = NULL;
    size_t used = 0, room = 0;
    int status = inflateInit2(&stream, GZIP_ONLY);
    while (status == Z_OK && used <= max_bytes) {
        if (used == room) {
            room = room + *count < max_bytes / 2 ? 2 * (room + *count) : max_bytes + 1;
            char *grown = realloc(text, room + 1);
            if (grown == NULL) {
                status = Z_MEM_ERROR;
                break;
            }
            text = grown;
        }
        stream.next_out = (Bytef *)text + used;
        stream.avail_out = (uInt)(room - used);
        status = inflate(&stream, Z_NO_FLUSH);
        used = room - stream.avail_out;
        if (status == Z_STREAM_END && stream.avail_in > 0)
            status = inflateReset(&stream); /* one packed file may follow another */
    }
    const struct app_short_path shown = app_shorten(path);
    const size_t at = *count - stream.avail_in;
    enum krn_code code = KRN_OK;
    if (status == Z_MEM_ERROR)
        code = KRN_FAIL(error, KRN_NO_MEMORY, "No memory to unpack %s.", shown.text);
    else if (used > max_bytes)
        code = fail_large(path, max_bytes, " when unpacked", error);
    else if (status == Z_BUF_ERROR)
        code = KRN_FAIL(error, KRN_REFUSED, "%s is cut: its packed data end at byte %zu.",
                        shown.text, at);
    else if (status != Z_STREAM_END)
        code = KRN_FAIL(error, KRN_REFUSED, "%s is damaged: %s at byte %zu of its packed data.",
                        shown.text, stream.msg != NULL ? stream.msg : "zlib fails", at);
    (void)inflateEnd(&stream);
    free(*bytes);
    *bytes = NULL;
    if (code != KRN_OK) {
        free(text);
        return code;
    }
    text[used] = 0;
    *bytes = text;
    *count = used;
    return KRN_OK;
}

/* Reads an open file, which messages call `path`, closes it, and unpacks what gzip has packed. */
static enum krn_code read_open(int file, const char *path, size_t max_bytes, char **bytes,
                               size_t *count, struct krn_error *error)
{
    struct stat status;
    enum krn_code code = KRN_OK;
    char *read_bytes = NULL;
    size_t n = 0;
    if (fstat(file, &status) != 0) {
        code = fail_system("read", path, error);
    } else if (S_ISDIR(status.st_mode)) {
        code = fail_folder(path, error);
    } else if (S_ISREG(status.st_mode) && (uintmax_t)status.st_size > max_bytes) {
        code = fail_large(path, max_bytes, "", error);
    } else {
        const size_t expected = S_ISREG(status.st_mode) ? (size_t)status.st_size : 4096;
        read_bytes = read_all(file, max_bytes, expected, &n);
        if (read_bytes == NULL)
            code = errno == ENOMEM ? KRN_FAIL(error, KRN_NO_MEMORY, "No memory to read %s.",
                                              app_shorten(path).text)
                                   : fail_system("read", path, error);
        else if (n > max_bytes)
            code = fail_large(path, max_bytes, "", error);
    }
    close(file);
    if (code != KRN_OK) {
        free(read_bytes);
        return code;
    }
    *bytes = read_bytes;
    *count = n;
    return n >= 2 && memcmp(read_bytes, "\x1f\x8b", 2) == 0
               ? unpack(path, max_bytes, bytes, count, error)
               : KRN_OK;
}

enum krn_code app_text_begin(const char **text, size_t *length, const char *source,
                             struct krn_error *error)
{
    static const char mark[] = "\xef\xbb\xbf";
    const char *const zero = memchr(*text, 0, *length);
    char four[4] = {'x', 'x', 'x', 'x'};
    memcpy(four, *text, *length < sizeof four ? *length : sizeof four);
    const bool marked = memcmp(four, "\xff\xfe", 2) == 0 || memcmp(four, "\xfe\xff", 2) == 0;
    const bool pairs = (four[0] == 0) != (four[1] == 0) && (four[2] == 0) != (four[3] == 0);
    const bool fours = (four[0] == 0 && four[1] == 0) != (four[2] == 0 && four[3] == 0);
    if (marked || (zero != NULL && (pairs || fours)))
        return KRN_FAIL(error, KRN_REFUSED, "%s is UTF-%d text; save it as UTF-8.",
                        app_shorten(source).text, fours ? 32 : 16);
    if (zero != NULL)
        return KRN_FAIL(error, KRN_REFUSED, "%s is not text: its byte %zu is zero.",
                        app_shorten(source).text, (size_t)(zero - *text));
    if (*length >= 3 && memcmp(*text, mark, 3) == 0) {
        *text += 3;
        *length -= 3;
    }
    return KRN_OK;
}

enum krn_code app_read_file(const char *path, size_t max_bytes, char **bytes, size_t *count,
                            struct krn_error *error)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    return file < 0 ? fail_system("read", path, error)
                    : read_open(file, path, max_bytes, bytes, count, error);
}

bool app_path_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return length > 0 && strncmp(path, folder, length) == 0 &&
           (folder[length - 1] == '/' || path[length] == '/');
}

/* A pipe stays unopened: its writer would take the end of a look for the end of its reader. Sets
 * errno on failure; EISDIR: a folder, EINVAL: another kind of file. */
static int open_regular(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return -1;
    const int file =
        S_ISREG(status.st_mode) ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
    if (file < 0 && S_ISREG(status.st_mode))
        return -1;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode))
        return file;
    if (file >= 0)
        close(file);
    errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    return -1;
}

enum krn_code app_read_regular(const char *path, const char *folder, size_t max_bytes, char **bytes,
                               size_t *count, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    char *real = realpath(path, NULL);
    int file = -1;
    if (real == NULL)
        code = fail_system("read", path, error);
    else if (folder != NULL && !app_path_below(real, folder))
        code = KRN_FAIL(error, KRN_REFUSED,
                        "%s leads out of the folder that it belongs to; copy the file there.",
                        app_shorten(path).text);
    else if ((file = open_regular(real)) < 0 && errno == EISDIR)
        code = fail_folder(path, error);
    else if (file < 0)
        code = errno != EINVAL ? fail_system("read", path, error)
                               : KRN_FAIL(error, KRN_REFUSED, "%s is not a regular file.",
                                          app_shorten(path).text);
    else
        code = read_open(file, path, max_bytes, bytes, count, error);
    free(real);
    return code;
}

bool app_file_begins(const char *path, const void *bytes, size_t count)
{
    char start[16];
    const int file = open_regular(path);
    const bool same = file >= 0 && count <= sizeof start &&
                      read(file, start, count) == (ssize_t)count &&
                      memcmp(start, bytes, count) == 0;
    if (file >= 0)
        close(file);
    return same;
}

uint64_t app_hash_on(uint64_t hash, const void *bytes, size_t count)
{
    for (const unsigned char *at = bytes, *end = at + count; at < end; at++)
        hash = (hash ^ *at) * 0x100000001b3u;
    return hash;
}
