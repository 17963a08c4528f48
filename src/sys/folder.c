/* Creates, reads and removes files strictly inside one folder. */
#include "sys/folder.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sys/atomic_file.h"
#include "sys/call.h"
#include "sys/entropy.h"
#include "sys/file.h"
#include "util/utf8.h"

#define STEP_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* Creates every folder of a path that does not exist yet. */
static int
make_folders(const char *path) {
    char part[PATH_MAX];
    size_t len = strlen(path);
    if (len >= sizeof(part)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    for (size_t i = 1; i <= len; i++) {
        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        memcpy(part, path, i);
        part[i] = '\0';
        if (sq_call_mkdirat(AT_FDCWD, part) < 0 && errno != EEXIST) {
            return -1;
        }
    }
    return 0;
}

bool
sq_folder_open(const char *path, int *out, struct sq_err *err) {
    int folder = sq_call_open_dir(path);
    if (folder < 0 && errno == ENOENT && make_folders(path) == 0) {
        folder = sq_call_open_dir(path);
    }
    if (folder < 0) {
        return sq_file_fail(path, true, errno, err);
    }
    *out = folder;
    return true;
}

static bool
is_link(int folder, const char *name) {
    struct stat st;
    return sq_call_lstatat(folder, name, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Opens a folder. Returns -1 and sets errno, ELOOP for a link. */
static int
enter_real(int folder, const char *name, bool make) {
    int next = sq_call_enter_dir(folder, name);
    if (next < 0 && make && errno == ENOENT
        && (sq_call_mkdirat(folder, name) == 0 || errno == EEXIST)) {
        next = sq_call_enter_dir(folder, name);
    }
    int number = errno;
    if (next < 0 && is_link(folder, name)) {
        number = ELOOP;
    }
    errno = number;
    return next;
}

/*
 * Opens the first folder of an absolute path. A link in "/" is allowed, since
 * only root can create it.
 */
static int
enter_top(int root, const char *name, bool make) {
    char path[NAME_MAX + 2];
    int top = enter_real(root, name, make);
    if (top >= 0 || errno != ELOOP) {
        return top;
    }
    snprintf(path, sizeof(path), "/%s", name);
    return sq_call_open_dir(path);
}

/* Opens a path without following links. Returns -1 and sets errno. */
static int
walk_real(const char *path, bool make) {
    char name[NAME_MAX + 1];
    bool at_top = path[0] == '/';
    int folder = sq_call_open_dir(at_top ? "/" : ".");
    while (folder >= 0 && *(path += strspn(path, "/"))) {
        size_t len = strcspn(path, "/");
        int next = -1;
        errno = ENAMETOOLONG;
        if (len < sizeof(name)) {
            memcpy(name, path, len);
            name[len] = '\0';
            next = at_top ? enter_top(folder, name, make)
                          : enter_real(folder, name, make);
        }
        int number = errno;
        sq_call_close(folder);
        errno = number;
        folder = next;
        at_top = false;
        path += len;
    }
    return folder;
}

static bool
fail_link(const char *path, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(path, true, name);
    sq_fail(err, SQ_ERR_IO,
            "cannot write to %s: a folder of this path is a "
            "symbolic link",
            name);
    return sq_fail_hint(err, "Name the folder that the link leads to.");
}

bool
sq_folder_open_real(const char *path, bool make, int *out, struct sq_err *err) {
    int folder = walk_real(path, make);
    if (folder < 0) {
        return errno == ELOOP ? fail_link(path, err)
                              : sq_file_fail(path, make, errno, err);
    }
    *out = folder;
    return true;
}

void
sq_folder_hide_from_git(int folder) {
    static const char name[] = ".gitignore";
    const struct sq_atomic_file all = { .bytes = "*\n", .len = 2 };
    struct stat st;
    sigset_t saved;
    if (sq_call_lstatat(folder, name, &st) == 0) {
        return;
    }
    sq_call_hold_signals(&saved);
    sq_atomic_file_make(folder, name, &all);
    sq_call_release_signals(&saved);
}

void
sq_folder_close(int folder) {
    sq_call_close(folder);
}

static bool
fail_name(const char *why, struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "the path %s", why);
    return sq_fail_hint(err, "Give a relative path such as login/empty.png; it "
                             "is made inside the output folder.");
}

static bool
has_control(struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        uint8_t byte = (uint8_t)text.ptr[i];
        if (byte < 0x20 || byte == 0x7f || byte == '\\') {
            return true;
        }
    }
    return sq_utf8_valid_len(text) != text.len;
}

/* Takes the next component of a name; false if none is left. */
static bool
take_piece(struct sq_span *rest, struct sq_span *piece) {
    if (rest->len == 0) {
        return false;
    }
    if (!sq_span_take_until(rest, '/', piece)) {
        *piece = *rest;
        *rest = (struct sq_span){ 0 };
    }
    return true;
}

bool
sq_folder_check_name(struct sq_span name, struct sq_err *err) {
    if (name.len == 0 || name.len >= SQ_FOLDER_NAME_SIZE) {
        return fail_name(name.len ? "is too long" : "is empty", err);
    }
    if (has_control(name)) {
        return fail_name("has control characters, a backslash or is no UTF-8",
                         err);
    }
    if (name.ptr[0] == '/' || name.ptr[name.len - 1] == '/') {
        return fail_name("begins or ends with a slash", err);
    }
    struct sq_span rest = name;
    struct sq_span piece;
    while (take_piece(&rest, &piece)) {
        if (piece.len == 0 || piece.ptr[0] == '.') {
            return fail_name("has an empty piece or one that begins with a dot",
                             err);
        }
    }
    return true;
}

/* The folder of a name's last component. */
struct place {
    int folder; /* may be the root itself */
    int root;
    char name[SQ_FOLDER_NAME_SIZE];
    const char *base;
};

static void
leave(struct place *place) {
    if (place->folder != place->root) {
        sq_call_close(place->folder);
    }
}

static int
enter(int folder, const char *piece, bool make) {
    int next = sq_call_openat(folder, piece, STEP_FLAGS, 0);
    if (next < 0 && make && errno == ENOENT
        && (sq_call_mkdirat(folder, piece) == 0 || errno == EEXIST)) {
        next = sq_call_openat(folder, piece, STEP_FLAGS, 0);
    }
    return next;
}

/*
 * Opens the folder of the last component. On success the caller calls leave().
 */
static bool
walk(int root, struct sq_span name, bool make, struct place *place,
     struct sq_err *err) {
    if (!sq_folder_check_name(name, err)) {
        return false;
    }
    *place = (struct place){ .folder = root, .root = root };
    memcpy(place->name, name.ptr, name.len);
    place->base = place->name;
    char *slash;
    while ((slash = strchr(place->base, '/'))) {
        *slash = '\0';
        int next = enter(place->folder, place->base, make);
        int number = errno;
        leave(place);
        if (next < 0) {
            return sq_file_fail(place->base, make, number, err);
        }
        place->folder = next;
        place->base = slash + 1;
    }
    return true;
}

static bool
fail_exists(const char *base, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(base, true, name);
    sq_fail(err, SQ_ERR_ARGUMENT, "%s is there already", name);
    return sq_fail_hint(err, "Files are never overwritten; choose another "
                             "name.");
}

bool
sq_folder_write(int folder, struct sq_span name, const void *bytes, size_t len,
                struct sq_err *err) {
    struct place place;
    if (!walk(folder, name, true, &place, err)) {
        return false;
    }
    const struct sq_atomic_file file = { .bytes = bytes, .len = len };
    sigset_t saved;
    sq_call_hold_signals(&saved);
    int made = sq_atomic_file_make(place.folder, place.base, &file);
    int number = errno;
    sq_call_release_signals(&saved);
    leave(&place);
    return made == 0
        || (number == EEXIST ? fail_exists(place.base, err)
                             : sq_file_fail(place.base, true, number, err));
}

static bool
read_to_end(int fd, struct sq_buf *bytes, size_t size) {
    while (bytes->len < size) {
        uint8_t *space = bytes->data + bytes->len;
        ssize_t got = sq_call_read(fd, space, size - bytes->len);
        if (got <= 0) {
            errno = got < 0 ? errno : EIO;
            return false;
        }
        sq_buf_commit(bytes, (size_t)got);
    }
    return true;
}

static bool
read_open(int fd, const char *base, struct sq_buf *bytes, struct sq_err *err) {
    struct stat st;
    if (sq_call_fstat(fd, &st) < 0) {
        return sq_file_fail(base, false, errno, err);
    }
    if (!S_ISREG(st.st_mode)) {
        return sq_file_fail(base, false, EINVAL, err);
    }
    uint8_t *space;
    return sq_buf_reserve(bytes, (size_t)st.st_size, &space, err)
        && (read_to_end(fd, bytes, (size_t)st.st_size)
            || sq_file_fail(base, false, errno, err));
}

bool
sq_folder_read(int folder, struct sq_span name, size_t max_bytes,
               struct sq_buf *out, struct sq_err *err) {
    struct place place;
    if (!walk(folder, name, false, &place, err)) {
        return false;
    }
    /* Non-blocking, because the file may be a pipe; it is checked later. */
    int fd = sq_call_openat(place.folder, place.base,
                            O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
    int number = errno;
    leave(&place);
    if (fd < 0) {
        return sq_file_fail(place.base, false, number, err);
    }
    struct sq_buf bytes;
    sq_buf_init(&bytes, max_bytes);
    bool ok = read_open(fd, place.base, &bytes, err);
    sq_call_close(fd);
    if (!ok) {
        sq_buf_finish(&bytes);
        return false;
    }
    *out = bytes;
    return true;
}

void
sq_folder_remove(int folder, struct sq_span name) {
    struct place place;
    if (walk(folder, name, false, &place, NULL)) {
        sq_call_unlinkat(place.folder, place.base);
        leave(&place);
    }
}

bool
sq_random_name(char out[SQ_RANDOM_NAME_SIZE], struct sq_err *err) {
    static const char digits[] = "0123456789abcdef";
    uint8_t random[(SQ_RANDOM_NAME_SIZE - 1) / 2];
    if (sq_random_fill(random, sizeof(random)) < 0) {
        return sq_file_fail("random numbers", false, errno, err);
    }
    for (size_t i = 0; i < sizeof(random); i++) {
        out[2 * i] = digits[random[i] >> 4];
        out[2 * i + 1] = digits[random[i] & 15];
    }
    out[SQ_RANDOM_NAME_SIZE - 1] = '\0';
    return true;
}
