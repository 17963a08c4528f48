/* Lists what a server needs, and gives up the rest. */
#include "app/confine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/print_message.h"
#include "archive/activity/http.h"
#include "archive/archive.h"
#include "archive/library.h"
#include "device/adb.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "sys/foreign.h"
#include "sys/path.h"
#include "sys/sandbox.h"
#include "sys/worker.h"
#include "tools/screen/output_folder.h"

#define MAX_PATHS (SQ_ARCHIVE_MAX_ROOTS + 48)
#define MAX_PORTS 2

struct needs {
    struct sq_arena arena;
    struct sq_sandbox_path paths[MAX_PATHS];
    size_t path_count;
    uint16_t ports[MAX_PORTS];
    size_t port_count;
    bool has_emulators; /* whose ports are known only when they run */
    bool failed;        /* no memory for a path */
};

/* Files of the system, and why a server reads them. */
static const struct {
    const char *path;
    bool may_write;
} system_paths[] = {
    { "/usr", false }, /* time zones; libraries that are opened late */
    { "/lib", false }, /* the same */
    { "/lib64", false },
    { "/etc/ld.so.cache", false },
    { "/etc/localtime", false }, /* the local time */
    { "/etc/zoneinfo", false },
    { "/etc/hosts", false }, /* an adb server that has a name */
    { "/etc/resolv.conf", false },
    { "/etc/nsswitch.conf", false },
    { "/etc/host.conf", false },
    { "/etc/gai.conf", false },
    { "/etc/os-release", false }, /* how to install adb here */
    { "/etc/ssl/certs", false },  /* https of WebDriver servers */
    { "/etc/ssl/openssl.cnf", false },
    { "/etc/pki/tls", false },
    { "/etc/pki/ca-trust", false },
    { "/etc/ca-certificates", false },
    { "/proc/self", false }, /* new files get their names through it */
    { "/sys/devices/system/cpu", false }, /* the number of processors */
    { "/dev/null", true },
    { "/dev/urandom", false },
};

static void
add(struct needs *needs, const char *path, bool may_write) {
    const char *copy =
        path && path[0] ? sq_arena_strdup(&needs->arena, sq_span_of(path), NULL)
                        : NULL;
    if (copy && needs->path_count < MAX_PATHS) {
        needs->paths[needs->path_count++] =
            (struct sq_sandbox_path){ .path = copy, .may_write = may_write };
    }
    needs->failed = needs->failed || (path && path[0] && !copy);
}

/* Adds a folder that files are written to. Only what exists can be allowed. */
static void
add_made(struct needs *needs, const char *path) {
    int folder;
    if (path && path[0] && sq_folder_open(path, &folder, NULL)) {
        sq_folder_close(folder);
        add(needs, path, true);
    }
}

/*
 * Adds a folder to read, or, if it is missing, the nearest one above it that
 * exists, unless the home of the user is in that.
 */
static void
add_past(struct needs *needs, const char *path) {
    char at[SQ_PATH_SIZE];
    char home[SQ_PATH_SIZE] = "/";
    snprintf(at, sizeof(at), "%s", path);
    sq_user_path(SQ_USER_HOME, "", home);
    while (!sq_path_is_folder(at)) {
        char *slash = strrchr(at, '/');
        if (!slash || slash == at) {
            return;
        }
        *slash = '\0';
    }
    if (strcmp(at, path) == 0 || strncmp(home, at, strlen(at)) != 0) {
        add(needs, at, false);
    }
}

/* Adds the folder of a file, which may be replaced or have others beside it. */
static void
add_parent(struct needs *needs, const char *file, bool may_remove) {
    char folder[SQ_PATH_SIZE];
    if (file && file[0]) {
        const char *slash = strrchr(file, '/');
        snprintf(folder, sizeof(folder), "%.*s",
                 slash ? (int)(slash - file) : 1, slash ? file : ".");
        add(needs, folder[0] ? folder : "/", false);
        needs->paths[needs->path_count - 1].may_remove = may_remove;
    }
}

/*
 * Adds the folder of the audit log, whose files are renamed when one is full.
 * Fails if the home of the user is in it: everything could be written then.
 */
static bool
add_audit(struct needs *needs, const char *file, struct sq_err *err) {
    char folder[SQ_PATH_SIZE];
    char home[SQ_PATH_SIZE] = "";
    bool exists;
    if (!file || !file[0]) {
        return true;
    }
    add_parent(needs, file, false);
    struct sq_sandbox_path *added = &needs->paths[needs->path_count - 1];
    added->may_write = true;
    if (!sq_user_path(SQ_USER_HOME, "", home)
        || !sq_path_resolve(added->path, folder, &exists, err)
        || !sq_path_resolve(home, home, &exists, err)) {
        return false;
    }
    size_t len = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    if (strncmp(home, folder, len) != 0
        || (home[len] != '/' && home[len] != '\0')) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "the audit log is in %.200s, and a confined server may write to "
            "its whole folder",
            folder);
    return sq_fail_hint(err, "Give it a folder of its own, such as "
                             "~/.local/state/squint/audit/audit.jsonl.");
}

static void
add_user_folders(struct needs *needs) {
    static const struct {
        enum sq_user_folder folder;
        const char *name;
        enum { OURS, THEIRS, EMULATORS } kind; /* ours: made, and written to */
    } folders[] = {
        { SQ_USER_STATE, "squint", OURS },
        { SQ_USER_CACHE, "squint", OURS },
        { SQ_USER_RUNTIME, "squint", OURS },
        { SQ_USER_DATA, "squint", THEIRS },
        { SQ_USER_DATA, "activitywatch/aw-server", THEIRS },
        { SQ_USER_HOME, "Library/Logs", THEIRS }, /* crashes of apps */
        /* Not the folder above: it has adb's key. */
        { SQ_USER_RUNTIME, "avd/running", EMULATORS },
        { SQ_USER_LOGIN, "avd/running", EMULATORS },
        { SQ_USER_HOME, ".android/avd/running", EMULATORS },
    };
    char path[SQ_PATH_SIZE];
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        if (!sq_user_path(folders[i].folder, folders[i].name, path)) {
            continue;
        }
        if (folders[i].kind == OURS) {
            add_made(needs, path);
        } else {
            add(needs, path, false);
            needs->has_emulators =
                needs->has_emulators
                || (folders[i].kind == EMULATORS && sq_path_is_folder(path));
        }
    }
}

/* Programs that squint starts exchange files with it there. */
static void
add_temporary_folder(struct needs *needs, const struct sq_config *config) {
    char xcrun[SQ_PATH_SIZE];
    const char *folder = getenv("TMPDIR");
    if (config->browser.enabled || sq_probe_program("xcrun", xcrun)) {
        add(needs, folder && folder[0] == '/' ? folder : "/tmp", true);
    }
}

static void
add_paths(struct needs *needs, const struct sq_setup *setup,
          const struct sq_server_files *files) {
    const struct sq_config *config = &setup->config;
    const struct sq_archive *archive = setup->host->library->archive;
    char output[SQ_PATH_SIZE];
    for (size_t i = 0; i < sizeof(system_paths) / sizeof(system_paths[0]);
         i++) {
        add(needs, system_paths[i].path, system_paths[i].may_write);
    }
    for (size_t i = 0; i < sq_archive_root_count(archive); i++) {
        add_past(needs, sq_archive_root_at(archive, i)->path);
    }
    add(needs, config->archive.manictime_directory, false);
    add_parent(needs, config->archive.activity_path, false);
    add(needs, config->tools.install_from, false);
    add(needs, config->browser.attach, false);
    add(needs, config->browser.upload, false);
    add_made(needs, config->archive.save_directory);
    add_made(needs, config->browser.downloads);
    if (!config->tools.read_only && sq_output_folder_make(config, output)) {
        add(needs, output, true);
    }
    add_parent(needs, files->token, false);
    add_parent(needs, files->socket, true);
    add_user_folders(needs);
    add_temporary_folder(needs, config);
#ifdef SQ_COVERAGE_FOLDER
    add(needs, SQ_COVERAGE_FOLDER, true);
#endif
}

static void
add_ports(struct needs *needs, const struct sq_setup *setup) {
    char text[SQ_ADB_PLACE_SIZE];
    struct sq_adb_address adb = { 0 };
    struct sq_http_url url;
    const struct sq_config *config = &setup->config;
    if (setup->host->adb) {
        sq_adb_show_address(setup->host->adb, text);
        if (sq_adb_address_parse(sq_span_of(text), &adb, NULL)) {
            needs->ports[needs->port_count++] = (uint16_t)adb.port;
        }
    }
    if (sq_http_url_parse(sq_span_of(config->archive.activity_watch_url), &url,
                          NULL)) {
        needs->ports[needs->port_count++] = (uint16_t)url.port;
    }
}

/* A server that starts programs by its helper has workers read for it. */
static bool
decode_outside(struct sq_err *err) {
    char program[SQ_PATH_SIZE];
    return !sq_sandbox_state().has_filter
        || (sq_worker_program(program, err)
            && sq_foreign_start(program, SQ_FOREIGN_TIMEOUT_MS, err));
}

bool
sq_confine(const struct sq_setup *setup, const struct sq_server_files *files,
           struct sq_err *err) {
    struct needs needs = { 0 };
    if (!setup->config.security.sandbox) {
        sq_print_message("squint: warning: not confined (--no-sandbox): this "
                         "server can use every file and program of yours");
        return true;
    }
#ifdef SQ_FAULTS
    /* For tests that run a server in their own process. */
    if (getenv("SQUINT_TEST_UNCONFINED")) {
        return true;
    }
#endif
    sq_arena_init(&needs.arena, (size_t)MAX_PATHS * SQ_PATH_SIZE);
    add_paths(&needs, setup, files);
    add_ports(&needs, setup);
    bool has_audit = add_audit(&needs, setup->config.audit.path, err);
    const struct sq_sandbox_plan plan = {
        .paths = needs.paths,
        .path_count = needs.path_count,
        .ports = needs.ports,
        .port_count = needs.port_count,
        .allows_any_port = needs.has_emulators
                        || setup->config.browser.attach != NULL
                        || setup->config.webdriver.endpoints.count > 0,
    };
    bool ok = needs.failed ? sq_fail_nomem(err)
                           : has_audit && sq_sandbox_enter(&plan, err);
    ok = ok && decode_outside(err);
    if (ok) {
        char text[SQ_SANDBOX_TEXT_SIZE];
        sq_sandbox_describe(sq_sandbox_state(), text);
        sq_log(&setup->config, SQ_LOG_INFO, "sandbox: %s", text);
    }
    sq_arena_finish(&needs.arena);
    return ok;
}
