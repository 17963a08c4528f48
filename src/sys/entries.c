/* Opens files strictly inside a folder, and lists folders. */
#include "sys/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "sys/call.h"
#include "sys/path.h"
#include "util/mem.h"

#define FILE_FLAGS (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static bool
is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Opens a component. Returns -1 and sets errno, ELOOP for a link. */
static int
open_component(int folder, const char *name, int flags) {
    struct stat st;
    int fd = sq_call_openat(folder, name, flags, 0);
    if (fd < 0 && errno == ENOTDIR) {
        bool is_link =
            sq_call_lstatat(folder, name, &st) == 0 && S_ISLNK(st.st_mode);
        errno = is_link ? ELOOP : ENOTDIR;
    }
    return fd;
}

/* Opens one component after the other without following links. */
static int
open_beneath(int root, const char *path, int flags) {
    char name[SQ_PATH_SIZE];
    int folder = root;
    for (;;) {
        size_t len = strcspn(path, SQ_PATH_SLASHES);
        bool last = path[len] == '\0';
        int next = -1;
        size_t kept = len < sizeof(name) ? len : 0;
        memcpy(name, path, kept);
        name[kept] = '\0';
        errno = EINVAL;
        if (name[0] && !is_dots(name)) {
            next = open_component(folder, name, last ? flags : FOLDER_FLAGS);
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

int
sq_open_beneath(int root, const char *path) {
    return open_beneath(root, path, FILE_FLAGS);
}

int
sq_open_folder_beneath(int root, const char *path) {
    return open_beneath(root, path, FOLDER_FLAGS);
}

struct sq_entries {
    int folder;
    int error;
    DIR *list; /* NULL: not opened yet */
    size_t read;
};

bool
sq_entries_create(struct sq_entries **out, struct sq_err *err) {
    struct sq_entries *entries = sq_mem_zalloc(1, sizeof(*entries));
    if (!entries) {
        return sq_fail_nomem(err);
    }
    entries->folder = -1;
    *out = entries;
    return true;
}

void
sq_entries_start(struct sq_entries *entries, int folder) {
    if (entries->list) {
        sq_call_closedir(entries->list);
    }
    *entries = (struct sq_entries){ .folder = folder };
}

void
sq_entries_destroy(struct sq_entries *entries) {
    if (entries) {
        sq_entries_start(entries, -1);
        sq_mem_free(entries);
    }
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

/* Opens the list with a descriptor of its own, which it can close. */
static bool
open_list(struct sq_entries *entries) {
    int own = sq_call_openat(entries->folder, ".", O_RDONLY | O_CLOEXEC, 0);
    entries->list = own < 0 ? NULL : sq_call_fdopendir(own);
    entries->error = entries->list ? 0 : errno;
    if (own >= 0 && !entries->list) {
        sq_call_close(own);
    }
    return entries->list != NULL;
}

bool
sq_entries_next(struct sq_entries *entries, struct sq_entry *out) {
    struct dirent *entry;
    if (!entries->list && !open_list(entries)) {
        return false;
    }
    do {
        entry = sq_call_readdir(entries->list, entries->read++);
    } while (entry && is_dots(entry->d_name));
    if (!entry) {
        entries->error = errno;
        return false;
    }
    *out = (struct sq_entry){ { entry->d_name, strlen(entry->d_name) },
                              kind_of(entry->d_type) };
    return true;
}

int
sq_entries_error(const struct sq_entries *entries) {
    return entries->error;
}
#define MAX_VISITED 1000000

void
sq_folder_visit(int folder, sq_entry_visitor *visit, void *context) {
    struct sq_entries entries = { .folder = folder };
    struct sq_entry entry;
    for (int i = 0; i < MAX_VISITED && sq_entries_next(&entries, &entry); i++) {
        visit(context, folder, entry.name);
    }
    sq_entries_start(&entries, -1);
}
