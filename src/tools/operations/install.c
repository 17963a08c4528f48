/* install: installs an app from files of a folder that the person allows. */
#include <stdio.h>

#include "config/config.h"
#include "sys/folder.h"
#include "sys/path.h"
#include "tools/device/verb.h"
#include "tools/operations.h"

#define MAX_FILES 16
#define MAX_APK_BYTES ((size_t)256 << 20)

struct install_args {
    struct sq_opt_texts paths;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_LIST(install_args, paths, "paths", SQ_FOLDER_NAME_SIZE - 1, "",
            .max = MAX_FILES, .required = true, .is_printable = true,
            .is_rare = true, .placeholder = "FILE",
            .help = "APK files, or one .app folder, in the folder of "
                    "tools.installFrom"),
    SQ_RECEIPT_ROWS(install_args),
    SQ_ARGS_END,
};

bool
sq_install_check(const struct sq_config *config, struct sq_err *err) {
    if (config->tools.install_from) {
        return true;
    }
    sq_fail(err, SQ_ERR_INVALID_OPERATION,
            "installing and uninstalling apps is not allowed");
    return sq_fail_hint(
        err, "${Ask the person to name|Name} the folder of the apps with "
             "--install-from or tools.installFrom if this is wanted.");
}

/* Reads the files; `bytes` belong to the caller. */
static bool
read_files(int folder, const struct install_args *args,
           struct sq_buf bytes[MAX_FILES], struct sq_hand_file files[MAX_FILES],
           struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < args->paths.count; i++) {
        struct sq_span name = args->paths.items[i];
        ok = sq_folder_read(folder, name, MAX_APK_BYTES, &bytes[i], err)
          || sq_fail_in(err, "reading it from tools.installFrom");
        files[i] = (struct sq_hand_file){ name, sq_buf_span(&bytes[i]) };
        if (ok && bytes[i].len == 0) {
            ok = sq_fail(err, SQ_ERR_ARGUMENT, "%.*s is empty",
                         SQ_SPAN_ARGS(name));
        }
    }
    return ok;
}

static bool
is_app_folder(int folder, const char *name) {
    int app = sq_span_ends_with(sq_span_of(name), ".app")
                ? sq_open_folder_beneath(folder, name)
                : -1;
    if (app >= 0) {
        sq_folder_close(app);
    }
    return app >= 0;
}

/* Returns whether it is a file in the folder, not a link that leaves it. */
static bool
is_app_file(int folder, const char *name) {
    SQ_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    return sq_folder_read(folder, sq_span_of(name), MAX_APK_BYTES, &bytes,
                          NULL);
}

/* For devices whose apps are folders; `path` ends in the name of the app. */
static bool
run_with_app(struct sq_call *call, const struct install_args *args, int folder,
             const char *path, struct sq_verb *verb, struct sq_err *err) {
    bool takes_files = call->device->ops->hand->installs_files;
    const char *name = path + strlen(path) - args->paths.items[0].len;
    if (args->paths.count != 1
        || !(is_app_folder(folder, name)
             || (takes_files && is_app_file(folder, name)))) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "paths is not one app of tools.installFrom");
        return sq_fail_hint(err,
                            "Give the name of one %sfolder in it that "
                            "ends in .app.",
                            takes_files ? "file in it, or of one " : "");
    }
    verb->hand.text = sq_span_of(path);
    return sq_verb_run(call, verb, SQ_ACT_OPTIONS(args), err);
}

static bool
run_with_folder(struct sq_call *call, const struct install_args *args,
                int folder, struct sq_verb *verb, struct sq_err *err) {
    struct sq_buf bytes[MAX_FILES] = { 0 };
    struct sq_hand_file files[MAX_FILES];
    verb->hand.files = files;
    verb->hand.file_count = args->paths.count;
    bool ok = read_files(folder, args, bytes, files, err)
           && sq_verb_run(call, verb, SQ_ACT_OPTIONS(args), err);
    for (size_t i = 0; i < MAX_FILES; i++) {
        sq_buf_finish(&bytes[i]);
    }
    return ok;
}

static bool
install_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct install_args *args = raw_args;
    const char *root = call->config->tools.install_from;
    char path[SQ_PATH_SIZE + SQ_FOLDER_NAME_SIZE];
    int folder;
    if (args->paths.count == 0 || args->paths.count > MAX_FILES) {
        sq_fail(err, SQ_ERR_ARGUMENT, "paths has %zu files", args->paths.count);
        return sq_fail_hint(err, "Give 1 to %d files.", MAX_FILES);
    }
    if (!sq_install_check(call->config, err)
        || !sq_device_can(call->device, SQ_HAND_INSTALL, err)
        || !sq_folder_open_real(root, false, &folder, err)) {
        return false;
    }
    /* A person who has named no folder may install any file: "/". */
    bool is_any = strcmp(root, "/") == 0;
    snprintf(path, sizeof(path), "%s/%.*s", is_any ? "" : root,
             SQ_SPAN_ARGS(args->paths.items[0]));
    struct sq_verb verb = { .is_off_screen = true,
                            .hand = { .verb = SQ_HAND_INSTALL },
                            .name = "installed",
                            .value = path + (is_any ? 0 : strlen(root) + 1) };
    bool ok = call->device->ops->hand->installs_folders
                ? run_with_app(call, args, folder, path, &verb, err)
                : run_with_folder(call, args, folder, &verb, err);
    sq_folder_close(folder);
    return ok;
}

const struct sq_tool sq_tool_install = {
    .name = "install",
    .verb = "install-app",
    .title = "Install an app",
    .text = "Install an app from files, if allowed.",
    .manual =
        "Installs an APK, or all parts of a split app, from the folder that "
        "the person has set as `tools.installFrom`; without it this is "
        "refused. `paths` are names inside that folder, at most 16, 256 MB "
        "each. An installed app is updated and keeps its data. Android 7 and "
        "newer; on simulators `paths` is one `.app` folder, built for "
        "simulators.",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_BY_INSTALL_FOLDER | SQ_TOOL_ACTION,
    SQ_ARGS(table, install_args),
    .words = "paths",
    .timeout_ms = 300000,
    .people = { .examples = { "install-app app.apk" },
                .line = "Installed {installed}" },
    .uses = SQ_USES_ACTS | SQ_USE_INSTALLS,
    .synonyms = "install install-app install-apk",
    .example = "\"paths\": [\"app.apk\"]",
    .run = install_run,
};
