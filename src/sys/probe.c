/* Finds programs, and checks whether files and folders can be used. */
#include "sys/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sys/call.h"
#include "util/span.h"

bool
sq_probe_is_no_file(const char *path) {
    struct stat st;
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0
        || (sq_call_fstatat(AT_FDCWD, path, &st) == 0 && !S_ISREG(st.st_mode));
}

enum sq_probe_state
sq_probe_file(const char *path) {
    struct stat st;
    if (sq_call_fstatat(AT_FDCWD, path, &st) != 0) {
        return errno == ENOENT || errno == ENOTDIR ? SQ_PROBE_MISSING
                                                   : SQ_PROBE_UNREADABLE;
    }
    bool is_file = S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode);
    return is_file && sq_call_access(path, R_OK) == 0 ? SQ_PROBE_READABLE
                                                      : SQ_PROBE_UNREADABLE;
}

bool
sq_probe_is_program(const char *path) {
    struct stat st;
    return sq_call_fstatat(AT_FDCWD, path, &st) == 0 && S_ISREG(st.st_mode)
        && sq_call_access(path, X_OK) == 0;
}

bool
sq_probe_program(const char *name, char out[SQ_PATH_SIZE]) {
    const char *path = getenv("PATH");
    struct sq_span rest = sq_span_of(path ? path : "");
    struct sq_span folder;
    bool is_last = false;
    while (!is_last) {
        char file[SQ_PATH_SIZE];
        if (!sq_span_take_until(&rest, ':', &folder)) {
            folder = rest;
            is_last = true;
        }
        int len =
            snprintf(file, sizeof(file), "%.*s/%s", SQ_SPAN_ARGS(folder), name);
        /* An empty entry means the working folder, which is not trusted. */
        if (folder.len && (size_t)len < sizeof(file)
            && sq_probe_is_program(file)) {
            memcpy(out, file, (size_t)len + 1);
            return true;
        }
    }
    return false;
}

/* Removes the last component of a path; false if there is no parent. */
static bool
to_parent(char *path) {
    if (strcmp(path, ".") == 0 || strcmp(path, "/") == 0) {
        return false;
    }
    char *slash = strrchr(path, '/');
    if (!slash) {
        snprintf(path, 2, ".");
    } else {
        slash[slash == path] = '\0';
    }
    return true;
}

/* Returns whether no component is a link; links in "/" are allowed. */
static bool
has_no_link(const char *path) {
    char folder[SQ_PATH_SIZE];
    struct stat st;
    snprintf(folder, sizeof(folder), "%s", path);
    do {
        if (strrchr(folder, '/') != folder
            && sq_call_lstatat(AT_FDCWD, folder, &st) == 0
            && S_ISLNK(st.st_mode)) {
            return false;
        }
    } while (to_parent(folder));
    return true;
}

bool
sq_probe_folder(const char *path) {
    char folder[SQ_PATH_SIZE];
    struct stat st;
    if (!path[0] || strlen(path) >= sizeof(folder)) {
        return false;
    }
    snprintf(folder, sizeof(folder), "%s", path);
    while (sq_call_fstatat(AT_FDCWD, folder, &st) != 0) {
        if (errno != ENOENT || !to_parent(folder)) {
            return false;
        }
    }
    return S_ISDIR(st.st_mode) && sq_call_access(folder, W_OK | X_OK) == 0
        && has_no_link(folder);
}
