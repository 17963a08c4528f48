/* Finds the file of a running emulator on this machine. */
#include "device/android/emulator_find.h"

#include "sys/call.h"
#include "sys/entries.h"
#include "sys/folder.h"
#include "sys/open_beneath.h"
#include "sys/process.h"
#include "sys/user_dirs.h"
#include "util/buf.h"

#define FOLDER "avd" /* has a folder "running" */
#define MAX_FILE ((size_t)64 << 10)
#define MAX_FILES 200 /* of a folder; further ones are ignored */

/* A folder: below which of the user's, and its name there. */
struct place {
    bool (*path)(const char *name, char out[SQ_PATH_SIZE]);
    const char *name;
};

static const struct place places[] = {
    { sq_user_runtime_path, FOLDER },
    { sq_user_login_path, FOLDER },
    { sq_user_home_path, ".android/" FOLDER },
    { sq_user_home_path, "Library/Caches/TemporaryItems/" FOLDER },
};
#define PLACES (sizeof(places) / sizeof(places[0]))

/* Reads one file. Returns whether it describes the running device. */
static bool
read_file(int folder, struct sq_span name, const char *serial,
          struct sq_emulator_file *out) {
    struct sq_buf text = { 0 };
    int64_t pid;
    if (!sq_emulator_file_pid(name, &pid) || !sq_process_exists(pid)
        || !sq_folder_read(folder, name, MAX_FILE, &text, NULL)) {
        return false;
    }
    sq_emulator_file_read(sq_buf_span(&text), out);
    sq_buf_finish(&text);
    return sq_emulator_file_is(out, serial);
}

static bool
search_folder(struct sq_entries *entries, const char *path, const char *serial,
              struct sq_emulator_file *out) {
    struct sq_entry entry;
    bool found = false;
    int parent = sq_call_open_dir(path);
    int folder = parent < 0 ? -1 : sq_open_folder_beneath(parent, "running");
    if (parent >= 0) {
        sq_call_close(parent);
    }
    if (folder < 0) {
        return false;
    }
    sq_entries_start(entries, folder);
    for (int i = 0; i < MAX_FILES && !found && sq_entries_next(entries, &entry);
         i++) {
        found = read_file(folder, entry.name, serial, out);
    }
    sq_call_close(folder);
    return found;
}

static bool
search(const char *serial, struct sq_emulator_file *out, struct sq_err *err) {
    struct sq_entries *entries;
    char path[SQ_PATH_SIZE];
    bool found = false;
    if (!sq_entries_create(&entries, err)) {
        return false;
    }
    for (size_t i = 0; i < PLACES && !found; i++) {
        found = places[i].path(places[i].name, path)
             && search_folder(entries, path, serial, out);
    }
    sq_entries_destroy(entries);
    return found
        || sq_fail(err, SQ_ERR_NOT_FOUND,
                   "no running emulator on this machine is %s", serial);
}

bool
sq_emulator_find(const char *serial, struct sq_emulator_file *out,
                 struct sq_err *err) {
    struct sq_emulator_file file = { 0 };
    if (!sq_emulator_is_serial(serial)) {
        return sq_fail(err, SQ_ERR_NOT_FOUND, "%s is not an emulator", serial);
    }
    if (!search(serial, &file, err)) {
        return false;
    }
    if (file.grpc_port == 0) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the emulator was started without gRPC");
    }
    if (file.has_tls || file.needs_signing) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "the emulator's gRPC needs %s",
                       file.has_tls ? "TLS" : "signed tokens");
    }
    *out = file;
    return true;
}
