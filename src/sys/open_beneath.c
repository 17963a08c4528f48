/* Opens files inside a folder with openat2, or else step by step. */
#include "sys/open_beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>

#include "sys/call.h"
#include "sys/path.h"

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
