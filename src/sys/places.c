/* Where the program, other programs and the user's folders are. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/call.h"
#include "sys/path.h"
#include "sys/zone.h"
#include "util/span.h"

#if defined(__APPLE__)
#include <mach-o/dyld.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

#ifdef _WIN32
#define LIST_SEPARATOR ';'
#define PROGRAM_SUFFIX ".exe" /* scripts are no programs: no shell is used */
#define SHORTEST_ROOT 2       /* a folder without a drive is not trusted */
#define LOGINS NULL
#else
#define LIST_SEPARATOR ':'
#define PROGRAM_SUFFIX ""
#define SHORTEST_ROOT 0
#define LOGINS "/run/user"
#endif

/* The folder of a variable, or `below` that of another one. */
static const struct {
    const char *variable;
    const char *other;
    const char *below;
} folders[] = {
#ifdef _WIN32
    [SQ_USER_HOME] = { "USERPROFILE", "USERPROFILE", "" },
    [SQ_USER_CONFIG] = { "XDG_CONFIG_HOME", "APPDATA", "" },
    [SQ_USER_CACHE] = { "XDG_CACHE_HOME", "LOCALAPPDATA", "/cache" },
    [SQ_USER_DATA] = { "XDG_DATA_HOME", "LOCALAPPDATA", "" },
    [SQ_USER_STATE] = { "XDG_STATE_HOME", "LOCALAPPDATA", "/state" },
#else
    [SQ_USER_HOME] = { "HOME", "HOME", "" },
    [SQ_USER_CONFIG] = { "XDG_CONFIG_HOME", "HOME", "/.config" },
    [SQ_USER_CACHE] = { "XDG_CACHE_HOME", "HOME", "/.cache" },
    [SQ_USER_DATA] = { "XDG_DATA_HOME", "HOME", "/.local/share" },
    [SQ_USER_STATE] = { "XDG_STATE_HOME", "HOME", "/.local/state" },
#endif
    [SQ_USER_RUNTIME] = { "XDG_RUNTIME_DIR", NULL, "" },
};

bool
sq_path_is_macos(void) {
#if defined(__APPLE__)
    return true;
#else
    return false;
#endif
}

const char *
sq_path_base(const char *path) {
    const char *base = path + sq_path_root_length(path);
    for (const char *c = base; *c; c++) {
        base = strchr(SQ_PATH_SLASHES, *c) ? c + 1 : base;
    }
    return base;
}

bool
sq_probe_program_in(struct sq_span folder, const char *name,
                    char out[SQ_PATH_SIZE]) {
    char file[SQ_PATH_SIZE];
    int len = snprintf(file, sizeof(file), "%.*s/%s" PROGRAM_SUFFIX,
                       SQ_SPAN_ARGS(folder), name);
    if ((size_t)len >= sizeof(file)
        || (int)sq_path_root_length(file) < SHORTEST_ROOT
        || !sq_probe_is_program(file)) {
        return false;
    }
    memcpy(out, file, (size_t)len + 1);
    return true;
}

bool
sq_probe_program(const char *name, char out[SQ_PATH_SIZE]) {
    const char *path = getenv("PATH");
    struct sq_span rest = sq_span_of(path ? path : "");
    struct sq_span folder;
    bool is_last = false;
    while (!is_last) {
        if (!sq_span_take_until(&rest, LIST_SEPARATOR, &folder)) {
            folder = rest;
            is_last = true;
        }
        /* An empty entry means the working folder, which is not trusted. */
        if (folder.len && sq_probe_program_in(folder, name, out)) {
            return true;
        }
    }
    return false;
}

extern char **environ;

bool
sq_environment_name_at(size_t index, struct sq_span *out) {
    size_t i = 0;
    while (i < index && environ && environ[i]) {
        i++;
    }
    if (!environ || !environ[i]) {
        return false;
    }
    struct sq_span rest = sq_span_of(environ[i]);
    if (!sq_span_take_until(&rest, '=', out)) {
        *out = rest;
    }
    return true;
}

/* Returns the absolute path in an environment variable, or NULL. */
static const char *
absolute_path(const char *variable) {
    const char *value = variable ? getenv(variable) : NULL;
    return value && sq_path_root_length(value) > 0 ? value : NULL;
}

bool
sq_user_path(enum sq_user_folder folder, const char *name,
             char out[SQ_PATH_SIZE]) {
    char path[SQ_PATH_SIZE];
    char user[24];
    const char *below = "";
    const char *found;
    if (folder == SQ_USER_LOGIN) {
        snprintf(user, sizeof(user), "/%lu", (unsigned long)sq_call_user());
        found = absolute_path("XDG_RUNTIME_DIR") ? NULL : LOGINS;
        below = user;
    } else {
        found = absolute_path(folders[folder].variable);
        if (!found) {
            found = absolute_path(folders[folder].other);
            below = folders[folder].below;
        }
    }
    int len = found
                ? snprintf(path, sizeof(path), "%s%s/%s", found, below, name)
                : -1;
    if (len < 0 || len >= SQ_PATH_SIZE) {
        return false;
    }
    for (int i = 0; i <= len; i++) {
        out[i] = path[i] && strchr(SQ_PATH_SLASHES, path[i]) ? '/' : path[i];
    }
    return true;
}

const char *
sq_user_variable(enum sq_user_folder folder) {
    return folders[folder].other;
}

#ifndef _WIN32
/* Returns the path that the program was started with, or NULL. */
#if defined(__APPLE__)
static const char *
start_path(char buffer[SQ_PATH_SIZE]) {
    uint32_t size = SQ_PATH_SIZE;
    return _NSGetExecutablePath(buffer, &size) == 0 ? buffer : NULL;
}
#elif defined(__linux__)
static const char *
start_path(char buffer[SQ_PATH_SIZE]) {
    (void)buffer;
    /* The kernel's copy, made before main could change argv[0]. */
    return (const char *)(uintptr_t)getauxval(AT_EXECFN);
}
#else
static const char *
start_path(char buffer[SQ_PATH_SIZE]) {
    (void)buffer;
    return NULL;
}
#endif

bool
sq_path_program(char out[SQ_PATH_SIZE], struct sq_err *err) {
    char buffer[SQ_PATH_SIZE];
    /* Without /proc, use the path that the program was started with. */
    if (sq_path_resolve_existing("/proc/self/exe", out)) {
        return true;
    }
    const char *name = start_path(buffer);
    if (name && sq_path_resolve_existing(name, out)) {
        return true;
    }
    return sq_fail(err, SQ_ERR_NOT_FOUND,
                   "cannot find the path of this program");
}

size_t
sq_path_root_length(const char *path) {
    return path[0] == '/';
}

const char *
sq_path_temporary(void) {
    const char *parent = absolute_path("TMPDIR");
    return parent ? parent : "/tmp";
}

bool
sq_registry_text(const char *key, const char *name, char out[SQ_PATH_SIZE]) {
    (void)key, (void)name, (void)out;
    return false;
}

/* The zone is in /etc/localtime. */
bool
sq_zone_system_rule(char out[SQ_ZONE_RULE_SIZE]) {
    (void)out;
    return false;
}
#endif
