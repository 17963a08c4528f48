/* Lists a folder with getdents, or else readdir. */
#include "sys/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "sys/call.h"
#include "sys/path.h"
#include "util/mem.h"

/* Opens files inside a folder with openat2, or else step by step. */

#define FILE_FLAGS (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* Set if openat2 is missing, as in kernels before 5.6 and some sandboxes. */
static atomic_bool must_walk;

void
sq_walk_beneath(bool walk) {
    atomic_store(&must_walk, walk);
}

/* Returns whether a component is a name, not empty, "." or "..". */
static bool
is_name(const char *piece, size_t len) {
    return len > 0 && !(len == 1 && piece[0] == '.')
        && !(len == 2 && piece[0] == '.' && piece[1] == '.');
}

static int
fail(int number) {
    errno = number;
    return -1;
}

/* Opens one component after the other without following links. */
static int
open_stepwise(int root, const char *path, int flags) {
    char piece[SQ_PATH_SIZE];
    int folder = root;
    for (;;) {
        size_t len = strcspn(path, "/");
        bool last = path[len] == '\0';
        int next = -1;
        if (!is_name(path, len) || len >= sizeof(piece)) {
            errno = EINVAL;
        } else {
            memcpy(piece, path, len);
            piece[len] = '\0';
            next =
                sq_call_openat(folder, piece, last ? flags : FOLDER_FLAGS, 0);
        }
        int number = errno;
        if (folder != root) {
            sq_call_close(folder);
        }
        if (next < 0 || last) {
            errno = number;
            return next;
        }
        folder = next;
        path += len + 1;
    }
}

/* The kernel would accept "." and "..", but we refuse them. */
static bool
is_plain(const char *path) {
    for (;;) {
        size_t len = strcspn(path, "/");
        if (!is_name(path, len)) {
            return false;
        }
        if (path[len] == '\0') {
            return true;
        }
        path += len + 1;
    }
}

static int
open_beneath(int root, const char *path, int flags) {
    if (!is_plain(path)) {
        return fail(EINVAL);
    }
    if (!atomic_load(&must_walk)) {
        int fd = sq_call_open_beneath(root, path, flags);
        if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) {
            return fd;
        }
        /*
         * Sandboxes return EPERM for an unknown call, but so does a file: only
         * ENOSYS is remembered.
         */
        if (errno == ENOSYS) {
            atomic_store(&must_walk, true);
        }
    }
    return open_stepwise(root, path, flags);
}

int
sq_open_beneath(int root, const char *path) {
    return open_beneath(root, path, FILE_FLAGS);
}

int
sq_open_folder_beneath(int root, const char *path) {
    return open_beneath(root, path, FOLDER_FLAGS);
}

/* Reads a folder of 2,000 screenshots in two calls, and one for the end. */
#define BUFFER_BYTES ((size_t)128 << 10)

struct sq_entries {
    int folder;
    int error;
    DIR *library; /* if getdents is not available */
    bool asked;   /* getdents has returned entries */
    size_t at;
    size_t len;
    _Alignas(8) char bytes[BUFFER_BYTES];
};

/* The record format of getdents. */
struct record {
    uint64_t inode;
    int64_t offset;
    uint16_t len;
    uint8_t kind;
    char name[];
};

bool
sq_entries_create(struct sq_entries **out, struct sq_err *err) {
    struct sq_entries *entries = sq_mem_alloc(1, sizeof(*entries));
    if (!entries) {
        return sq_fail_nomem(err);
    }
    entries->library = NULL;
    sq_entries_start(entries, -1);
    *out = entries;
    return true;
}

static void
close_library(struct sq_entries *entries) {
    if (entries->library) {
        sq_call_closedir(entries->library);
        entries->library = NULL;
    }
}

void
sq_entries_destroy(struct sq_entries *entries) {
    if (entries) {
        close_library(entries);
        sq_mem_free(entries);
    }
}

void
sq_entries_start(struct sq_entries *entries, int folder) {
    close_library(entries);
    entries->folder = folder;
    entries->error = 0;
    entries->asked = false;
    entries->at = 0;
    entries->len = 0;
}

static bool
is_dots(const char *name) {
    return name[0] == '.'
        && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

static enum sq_entry_kind
kind_of(unsigned type) {
    switch (type) {
    case DT_REG:
        return SQ_ENTRY_FILE;
    case DT_DIR:
        return SQ_ENTRY_FOLDER;
    case DT_UNKNOWN:
        return SQ_ENTRY_UNKNOWN;
    default:
        return SQ_ENTRY_OTHER;
    }
}

static bool
fill(struct sq_entries *entries) {
    ssize_t got =
        sq_call_getdents(entries->folder, entries->bytes, BUFFER_BYTES);
    entries->error = got < 0 ? errno : 0;
    entries->at = 0;
    entries->len = got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* Reads through the C library, which needs a descriptor that it can close. */
static bool
next_of_library(struct sq_entries *entries, struct sq_entry *out) {
    if (!entries->library) {
        int own = sq_call_openat(entries->folder, ".", O_RDONLY | O_CLOEXEC, 0);
        entries->library = own < 0 ? NULL : sq_call_fdopendir(own);
        if (!entries->library) {
            entries->error = errno;
            if (own >= 0) {
                sq_call_close(own);
            }
            return false;
        }
    }
    struct dirent *entry;
    do {
        entry = sq_call_readdir(entries->library);
    } while (entry && is_dots(entry->d_name));
    if (!entry) {
        entries->error = errno;
        return false;
    }
    *out = (struct sq_entry){ { entry->d_name, strlen(entry->d_name) },
                              kind_of(entry->d_type) };
    return true;
}

bool
sq_entries_next(struct sq_entries *entries, struct sq_entry *out) {
    while (!entries->library) {
        if (entries->at == entries->len && !fill(entries)) {
            if (entries->error == ENOSYS && !entries->asked) {
                break;
            }
            return false;
        }
        entries->asked = true;
        const struct record *record =
            (const struct record *)(const void *)(entries->bytes + entries->at);
        entries->at += record->len;
        if (!is_dots(record->name)) {
            *out = (struct sq_entry){ { record->name, strlen(record->name) },
                                      kind_of(record->kind) };
            return true;
        }
    }
    entries->error = 0;
    return next_of_library(entries, out);
}

int
sq_entries_error(const struct sq_entries *entries) {
    return entries->error;
}
