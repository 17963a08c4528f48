/*
 * Installs and removes apps, and keeps their permissions. An APK of the demo
 * phone is a file that begins like a ZIP archive and has a line "package=NAME".
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "demo/adbd/program.h"

#define ZIP_START "PK\x03\x04"
#define SESSION 1729
#define NAME_SIZE SQ_ADBD_STORE_NAME_SIZE

static bool
set_state(struct sq_adbd_call *call, const char *name, const char *value,
          struct sq_err *err) {
    struct sq_err local_err = { 0 };
    return sq_adbd_store_set(&call->phone->state, name, value, &local_err)
        || local_err.code != SQ_ERR_NOMEM || sq_fail_nomem(err);
}

static const char *
last_word(const struct sq_adbd_call *call) {
    return call->argc > 2 ? call->argv[call->argc - 1] : "";
}

bool
sq_adbd_has_app(const struct sq_adbd_phone *phone, const char *package) {
    char name[NAME_SIZE];
    snprintf(name, sizeof(name), "app %.80s", package);
    return sq_adbd_phone_app(sq_span_of(package)) < SQ_APPS
        || sq_adbd_store_get(&phone->state, name);
}

size_t
sq_adbd_input_wanted(struct sq_span script) {
    struct sq_span word;
    uint64_t number = 0;
    bool next = false;
    if ((!sq_span_starts_with(script, "cmd package install ")
         && !sq_span_starts_with(script, "cmd package install-write "))) {
        return 0;
    }
    while (sq_span_take_until(&script, ' ', &word) || script.len > 0) {
        word = word.len > 0 ? word : script;
        if (next && sq_span_to_uint64(word, &number)) {
            return (size_t)number;
        }
        if (word.ptr == script.ptr) {
            break;
        }
        next = sq_span_is(word, "-S");
        word = (struct sq_span){ 0 };
    }
    return 0;
}

/* Reads the name of the app in an APK; an empty span if there is none. */
static struct sq_span
package_in(struct sq_span apk) {
    struct sq_span line;
    while (sq_span_take_line(&apk, &line)) {
        if (sq_span_take_prefix(&line, "package=")) {
            return line;
        }
    }
    return (struct sq_span){ 0 };
}

static bool
install(struct sq_adbd_call *call, struct sq_err *err) {
    struct sq_span package = package_in(call->input);
    char name[NAME_SIZE];
    if (!sq_span_starts_with(call->input, ZIP_START) || package.len == 0) {
        return sq_adbd_print_error(
            call, 1, err,
            "Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse "
            "/data/app/vmdl1729.tmp/base.apk]\n");
    }
    if (sq_span_is(package, "com.example.old")) {
        return sq_adbd_print_error(call, 1, err,
                                   "Failure [INSTALL_FAILED_VERSION_DOWNGRADE: "
                                   "Downgrade detected]\n");
    }
    snprintf(name, sizeof(name), "app %.*s",
             (int)(package.len < 80 ? package.len : 80), package.ptr);
    return set_state(call, name, "1", err)
        && sq_adbd_print(call, err, "Success\n");
}

static bool
create(struct sq_adbd_call *call, struct sq_err *err) {
    sq_adbd_store_remove(&call->phone->state, "split");
    return sq_adbd_print(call, err, "Success: created install session [%d]\n",
                         SESSION);
}

/* Only the base APK names the app; the other splits follow it. */
static bool
write_split(struct sq_adbd_call *call, struct sq_err *err) {
    struct sq_span package = package_in(call->input);
    char name[NAME_SIZE];
    snprintf(name, sizeof(name), "%.*s",
             (int)(package.len < 80 ? package.len : 80),
             package.len ? package.ptr : "");
    return (package.len == 0 || set_state(call, "split", name, err))
        && sq_adbd_print(call, err, "Success: streamed %zu bytes\n",
                         call->input.len);
}

static bool
commit(struct sq_adbd_call *call, struct sq_err *err) {
    const char *package = sq_adbd_store_get(&call->phone->state, "split");
    char name[NAME_SIZE];
    if (!package) {
        return sq_adbd_print_error(call, 1, err,
                                   "Failure [INSTALL_FAILED_INVALID_APK: "
                                   "Missing base]\n");
    }
    snprintf(name, sizeof(name), "app %.80s", package);
    return set_state(call, name, "1", err)
        && sq_adbd_print(call, err, "Success\n");
}

static bool
abandon(struct sq_adbd_call *call, struct sq_err *err) {
    sq_adbd_store_remove(&call->phone->state, "split");
    return sq_adbd_print(call, err, "Success\n");
}

static bool
uninstall(struct sq_adbd_call *call, struct sq_err *err) {
    const char *package = last_word(call);
    char name[NAME_SIZE];
    snprintf(name, sizeof(name), "app %.80s", package);
    if (!sq_adbd_has_app(call->phone, package)) {
        return sq_adbd_print_error(call, 1, err,
                                   "Failure [not installed for 0]\n");
    }
    if (!sq_adbd_store_get(&call->phone->state, name)) {
        return sq_adbd_print_error(call, 1, err,
                                   "Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
    }
    sq_adbd_store_remove(&call->phone->state, name);
    return sq_adbd_print(call, err, "Success\n");
}

static const struct {
    const char *name;
    sq_adbd_program_fn run;
} commands[] = {
    { "install", install },           { "install-create", create },
    { "install-write", write_split }, { "install-commit", commit },
    { "install-abandon", abandon },   { "uninstall", uninstall },
};

bool
sq_adbd_run_install(struct sq_adbd_call *call, struct sq_err *err) {
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (sq_adbd_arg_is(call, 1, commands[i].name)) {
            return commands[i].run(call, err);
        }
    }
    return true;
}

static bool
print_exception(struct sq_adbd_call *call, const char *what, const char *name,
                struct sq_err *err) {
    return sq_adbd_print_error(
        call, 255, err, "\nException occurred while executing '%s':\n%s%s\n",
        call->argv[1], what, name);
}

/* pm grant, revoke and clear-permission-flags PACKAGE PERMISSION. */
bool
sq_adbd_run_permission(struct sq_adbd_call *call, struct sq_err *err) {
    const char *package = sq_adbd_arg(call, 2);
    const char *permission = sq_adbd_arg(call, 3);
    char name[NAME_SIZE];
    if (!package || !permission) {
        return sq_adbd_print_error(call, 255, err,
                                   "Error: no permission specified\n");
    }
    if (!sq_adbd_has_app(call->phone, package)) {
        return print_exception(call,
                               "java.lang.IllegalArgumentException: Unknown "
                               "package: ",
                               package, err);
    }
    if (strncmp(permission, "android.permission.", 19) != 0) {
        return print_exception(
            call, "java.lang.IllegalArgumentException: Unknown permission: ",
            permission, err);
    }
    if (strstr(permission, "READ_SMS")) {
        return print_exception(call,
                               "java.lang.SecurityException: Package has not "
                               "requested permission ",
                               permission, err);
    }
    snprintf(name, sizeof(name), "permission %.40s %.40s", package,
             permission + 19);
    return set_state(call, name, call->argv[1], err);
}
