/* Creates, reads and removes files strictly inside one folder. */
#include "sys/folder.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sys/call.h"
#include "sys/entropy.h"
#include "sys/file.h"
#include "util/utf8.h"

#define PRUNE_NAME_SIZE 64

#define STEP_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static int
make_folders(const char *path, struct sq_made_folders *made) {
    size_t len = strlen(path);
    if (len >= sizeof(made->path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(made->path, path, len + 1);
    for (size_t i = 1; i <= len; i++) {
        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        made->path[i] = '\0';
        int result = sq_call_mkdirat(AT_FDCWD, made->path);
        made->path[i] = path[i];
        if (result < 0 && errno != EEXIST) {
            return -1;
        }
        if (result == 0 && made->outermost == 0) {
            made->outermost = i;
        }
    }
    return 0;
}

void
sq_folder_remove_made(const struct sq_made_folders *made) {
    char path[SQ_PATH_SIZE];
    memcpy(path, made->path, sizeof(path));
    for (size_t end = made->outermost ? strlen(path) : 0;
         end > 0 && end >= made->outermost; end--) {
        if (path[end] == '/' || path[end] == '\0') {
            path[end] = '\0';
            sq_call_rmdirat(AT_FDCWD, path);
        }
    }
}

bool
sq_folder_open_new(const char *path, int *out, struct sq_made_folders *made,
                   struct sq_err *err) {
    *made = (struct sq_made_folders){ 0 };
    int folder = sq_call_open_dir(path);
    if (folder < 0 && errno == ENOENT && make_folders(path, made) == 0) {
        folder = sq_call_open_dir(path);
    }
    if (folder < 0) {
        int number = errno;
        sq_folder_remove_made(made);
        return sq_file_fail(path, true, number, err);
    }
    *out = folder;
    return true;
}

bool
sq_folder_open(const char *path, int *out, struct sq_err *err) {
    struct sq_made_folders made;
    return sq_folder_open_new(path, out, &made, err);
}

static bool
is_link(int folder, const char *name) {
    struct stat st;
    return sq_call_lstatat(folder, name, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Opens a folder. Returns -1 and sets errno, ELOOP for a link. */
static int
open_without_links(int folder, const char *name, bool make) {
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
open_top(int root, const char *name, bool make) {
    char path[NAME_MAX + 2];
    int top = open_without_links(root, name, make);
    if (top >= 0 || errno != ELOOP) {
        return top;
    }
    snprintf(path, sizeof(path), "/%s", name);
    return sq_call_open_dir(path);
}

/* Opens a path without following links. Returns -1 and sets errno. */
static int
open_path_without_links(const char *path, bool make) {
    char name[NAME_MAX + 1];
    size_t root = sq_path_root_length(path);
    bool at_top = root > 0 && root < sizeof(name);
    snprintf(name, sizeof(name), "%.*s", at_top ? (int)root : 1,
             at_top ? path : ".");
    int folder = sq_call_open_dir(name);
    path += root;
    while (folder >= 0 && *(path += strspn(path, SQ_PATH_SLASHES))) {
        size_t len = strcspn(path, SQ_PATH_SLASHES);
        int next = -1;
        errno = ENAMETOOLONG;
        if (len < sizeof(name)) {
            memcpy(name, path, len);
            name[len] = '\0';
            next = at_top ? open_top(folder, name, make)
                          : open_without_links(folder, name, make);
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
    return sq_fail_hint(err, "Give the folder that the link points to.");
}

bool
sq_folder_open_real(const char *path, bool make, int *out, struct sq_err *err) {
    int folder = open_path_without_links(path, make);
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
                             "is created inside the output folder.");
}

static bool
has_invalid_bytes(struct sq_span text) {
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
take_component(struct sq_span *rest, struct sq_span *component) {
    if (rest->len == 0) {
        return false;
    }
    if (!sq_span_take_until(rest, '/', component)) {
        *component = *rest;
        *rest = (struct sq_span){ 0 };
    }
    return true;
}

bool
sq_folder_check_name(struct sq_span name, struct sq_err *err) {
    if (name.len == 0 || name.len >= SQ_FOLDER_NAME_SIZE) {
        return fail_name(name.len ? "is too long" : "is empty", err);
    }
    if (has_invalid_bytes(name)) {
        return fail_name(
            "has control characters or a backslash, or is not UTF-8", err);
    }
    if (name.ptr[0] == '/' || name.ptr[name.len - 1] == '/') {
        return fail_name("begins or ends with a slash", err);
    }
    struct sq_span rest = name;
    struct sq_span component;
    while (take_component(&rest, &component)) {
        if (component.len == 0 || component.ptr[0] == '.') {
            return fail_name("has a name that is empty or begins with a dot",
                             err);
        }
    }
    return true;
}

/* The folder of a name's last component. */
struct location {
    int folder; /* may be the root itself */
    int root;
    char name[SQ_FOLDER_NAME_SIZE];
    const char *base;
    size_t outermost; /* length of the outermost new folder's name; 0: none */
};

static void
close_parent(struct location *location) {
    if (location->folder != location->root) {
        sq_call_close(location->folder);
    }
}

static int
open_component(int folder, const char *component, bool make, bool *is_new) {
    int next = sq_call_openat(folder, component, STEP_FLAGS, 0);
    if (next < 0 && make && errno == ENOENT) {
        *is_new = sq_call_mkdirat(folder, component) == 0;
        if (*is_new || errno == EEXIST) {
            next = sq_call_openat(folder, component, STEP_FLAGS, 0);
        }
    }
    return next;
}

/*
 * Opens the folder of the last component. On success the caller calls
 * close_parent(). Sets location->outermost also on failure.
 */
static bool
open_parent(int root, struct sq_span name, bool make, struct location *location,
            struct sq_err *err) {
    *location = (struct location){ .folder = root, .root = root };
    if (!sq_folder_check_name(name, err)) {
        return false;
    }
    memcpy(location->name, name.ptr, name.len);
    location->base = location->name;
    char *slash;
    while ((slash = strchr(location->base, '/'))) {
        *slash = '\0';
        bool is_new = false;
        int next =
            open_component(location->folder, location->base, make, &is_new);
        int number = errno;
        close_parent(location);
        if (is_new && location->outermost == 0) {
            location->outermost = (size_t)(slash - location->name);
        }
        if (next < 0) {
            return sq_file_fail(location->base, make, number, err);
        }
        location->folder = next;
        location->base = slash + 1;
    }
    return true;
}

static bool
fail_exists(const char *base, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(base, true, name);
    sq_fail(err, SQ_ERR_EXISTS, "%s already exists", name);
    return sq_fail_hint(err, "Files are never overwritten; choose another "
                             "name.");
}

/* Removes the folders of a name from the innermost to the outermost one. */
static void
remove_folders(int folder, struct sq_span name, size_t outermost) {
    for (size_t end = outermost ? name.len - 1 : 0; end > 0 && end >= outermost;
         end--) {
        struct location location;
        if (name.ptr[end] == '/'
            && open_parent(folder, (struct sq_span){ name.ptr, end }, false,
                           &location, NULL)) {
            sq_call_rmdirat(location.folder, location.base);
            close_parent(&location);
        }
    }
}

bool
sq_folder_write_file(int folder, const char *base, const void *bytes,
                     size_t len, struct sq_err *err) {
    const struct sq_atomic_file file = { .bytes = bytes, .len = len };
    sigset_t saved;
    sq_call_hold_signals(&saved);
    int made = sq_atomic_file_make(folder, base, &file);
    int number = errno;
    sq_call_release_signals(&saved);
    return made == 0
        || (number == EEXIST ? fail_exists(base, err)
                             : sq_file_fail(base, true, number, err));
}

bool
sq_folder_write_new(int folder, struct sq_span name, const void *bytes,
                    size_t len, size_t *outermost, struct sq_err *err) {
    struct location location;
    bool ok = open_parent(folder, name, true, &location, err);
    if (ok) {
        ok = sq_folder_write_file(location.folder, location.base, bytes, len,
                                  err);
        close_parent(&location);
    }
    if (!ok) {
        remove_folders(folder, name, location.outermost);
        return false;
    }
    *outermost = location.outermost;
    return true;
}

bool
sq_folder_write(int folder, struct sq_span name, const void *bytes, size_t len,
                struct sq_err *err) {
    size_t outermost;
    return sq_folder_write_new(folder, name, bytes, len, &outermost, err);
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
    struct location location;
    if (!open_parent(folder, name, false, &location, err)) {
        return false;
    }
    /* Non-blocking, because the file may be a pipe; it is checked later. */
    SQ_FD fd =
        sq_call_openat(location.folder, location.base,
                       O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
    int number = errno;
    close_parent(&location);
    if (fd < 0) {
        return sq_file_fail(location.base, false, number, err);
    }
    struct sq_buf bytes;
    sq_buf_init(&bytes, max_bytes);
    if (!read_open(fd, location.base, &bytes, err)) {
        sq_buf_finish(&bytes);
        return false;
    }
    *out = bytes;
    return true;
}

void
sq_folder_remove(int folder, struct sq_span name) {
    struct location location;
    if (open_parent(folder, name, false, &location, NULL)) {
        sq_call_unlinkat(location.folder, location.base);
        close_parent(&location);
    }
}

void
sq_folder_remove_new(int folder, struct sq_span name, size_t outermost) {
    sq_folder_remove(folder, name);
    remove_folders(folder, name, outermost);
}

bool
sq_random_name(char out[SQ_RANDOM_NAME_SIZE], struct sq_err *err) {
    return sq_random_hex(out, SQ_RANDOM_NAME_SIZE) == 0
        || sq_file_fail("random numbers", false, errno, err);
}

/* Removes all but the newest files of a folder. */

#define NS_PER_S INT64_C(1000000000)

struct kept {
    char name[PRUNE_NAME_SIZE];
    int64_t time_ns; /* modification time */
};

/* The newest files so far. */
struct newest {
    bool (*is_ours)(struct sq_span name);
    const char *latest;
    struct kept files[SQ_PRUNE_KEEP];
    size_t count;
};

/* Adds a file. If the list is full, deletes the oldest file of all. */
static void
add_entry(void *context, int folder, struct sq_span name) {
    struct newest *newest = context;
    struct stat st;
    struct kept file;
    if (!newest->is_ours(name) || name.len >= sizeof(file.name)
        || sq_call_lstatat(folder, name.ptr, &st) < 0 || !S_ISREG(st.st_mode)) {
        return;
    }
    snprintf(file.name, sizeof(file.name), "%s", name.ptr);
    file.time_ns =
        sq_span_is(name, newest->latest)
            ? INT64_MAX
            : (int64_t)st.st_mtim.tv_sec * NS_PER_S + st.st_mtim.tv_nsec;
    if (newest->count < SQ_PRUNE_KEEP) {
        newest->files[newest->count++] = file;
        return;
    }
    struct kept *oldest = &newest->files[0];
    for (size_t i = 1; i < newest->count; i++) {
        struct kept *other = &newest->files[i];
        oldest = other->time_ns < oldest->time_ns ? other : oldest;
    }
    bool is_older = file.time_ns <= oldest->time_ns;
    sq_call_unlinkat(folder, is_older ? file.name : oldest->name);
    *oldest = is_older ? *oldest : file;
}

void
sq_prune(int folder, bool (*is_ours)(struct sq_span name), const char *latest) {
    struct newest newest = { .is_ours = is_ours, .latest = latest };
    sq_folder_visit(folder, add_entry, &newest);
}
