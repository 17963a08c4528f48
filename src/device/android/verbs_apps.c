/* Opens URLs, installs and removes apps, and changes their permissions. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/android/command.h"
#include "device/android/link.h"
#include "device/android/parse.h"
#include "device/android/state.h"
#include "sys/sockets.h"

#define ANDROID_11 30
#define ANDROID_13 33
#define MAX_ANSWER ((size_t)64 << 10)
#define COMMAND_SIZE 320
#define INSTALL "exec:cmd package install"

bool
sq_android_open_url(struct sq_device *device, const struct sq_hand *hand,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    enum sq_launch_outcome outcome;
    if (hand->package && !sq_android_check_package(hand->package, err)) {
        return false;
    }
    SQ_COMMAND(command, sq_android_of(device), deadline);
    sq_command_add(&command,
                   "am start -W -a android.intent.action.VIEW -d %.*q",
                   SQ_SPAN_ARGS(hand->text));
    if (hand->package) {
        sq_command_add(&command, " -p %q", hand->package);
    }
    if (sq_android_start_by(&command, "the URL", &outcome, err)
        || outcome != SQ_LAUNCH_NO_ACTIVITY) {
        return sq_launch_worked(outcome);
    }
    sq_fail(err, SQ_ERR_NOT_FOUND, "no app%s%s opens this URL",
            hand->package ? " " : "", hand->package ? hand->package : "");
    return sq_fail_hint(err, "Check its scheme and host. The operation @apps "
                             "lists what is installed.");
}

/* Runs "PROGRAM PACKAGE", which prints "Success" if it works. */
static bool
do_with_package(struct sq_device *device, const char *program,
                const char *package, const char *what,
                const struct sq_deadline *deadline, struct sq_err *err) {
    if (!sq_android_check_package(package, err)) {
        return false;
    }
    SQ_COMMAND(command, sq_android_of(device), deadline);
    sq_command_add(&command, "%s %q", program, package);
    bool ok = sq_command_say(&command, err);
    struct sq_span reply = sq_span_trim(command.reply);
    if (ok && !sq_span_starts_with(reply, "Success")) {
        ok = sq_span_find(reply, "Unknown package")
                  || sq_span_find(reply, "not installed")
                  || sq_span_is(reply, "Failed")
               ? sq_android_fail_package(package, err)
               : sq_fail_android(what, reply, err);
    }
    return ok;
}

bool
sq_android_uninstall(struct sq_device *device, const struct sq_hand *hand,
                     const struct sq_deadline *deadline, struct sq_err *err) {
    return do_with_package(device, "pm uninstall", hand->package,
                           "uninstall the app", deadline, err);
}

bool
sq_android_reset(struct sq_device *device, const struct sq_hand *hand,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    return do_with_package(device, "pm clear", hand->package,
                           "delete the data of the app", deadline, err);
}

/* Short names of permissions; before Android 13 some have another name. */
static const struct permission {
    const char *word;
    const char *name;
    const char *old_name; /* NULL: the same */
} permissions[] = {
    { "camera", "CAMERA", NULL },
    { "microphone", "RECORD_AUDIO", NULL },
    { "location", "ACCESS_FINE_LOCATION", NULL },
    { "contacts", "READ_CONTACTS", NULL },
    { "calendar", "READ_CALENDAR", NULL },
    { "phone", "READ_PHONE_STATE", NULL },
    { "sms", "READ_SMS", NULL },
    { "photos", "READ_MEDIA_IMAGES", "READ_EXTERNAL_STORAGE" },
    { "notifications", "POST_NOTIFICATIONS", NULL },
};

static bool
is_permission(struct sq_span name) {
    bool ok = sq_span_contains(name, '.') && name.ptr[0] != '-';
    for (size_t i = 0; i < name.len; i++) {
        char c = sq_ascii_lower(name.ptr[i]);
        ok = ok
          && ((c >= 'a' && c <= 'z') || sq_is_digit(c) || c == '.' || c == '_');
    }
    return ok;
}

static bool
name_permission(struct sq_span name, int api, char out[COMMAND_SIZE],
                struct sq_err *err) {
    char all[SQ_ERR_HINT_SIZE - 90] = "";
    for (size_t i = 0; i < SQ_COUNT(permissions); i++) {
        const struct permission *row = &permissions[i];
        size_t used = strlen(all);
        if (sq_span_is(name, row->word)) {
            bool is_old = api < ANDROID_13 && row->old_name;
            snprintf(out, COMMAND_SIZE, "android.permission.%s",
                     is_old ? row->old_name : row->name);
            return true;
        }
        snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "",
                 row->word);
    }
    if (is_permission(name)) {
        snprintf(out, COMMAND_SIZE, "%.*s",
                 (int)(name.len < COMMAND_SIZE ? name.len : 0), name.ptr);
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "no permission is called \"%.*s\"",
            (int)(name.len < 60 ? name.len : 60), name.len ? name.ptr : "");
    return sq_fail_hint(
        err, "Use one of: %s; or a full name: android.permission.CAMERA.", all);
}

/*
 * The commands of a change; the second one of "reset" forgets what the user
 * chose. They print nothing, so "pm path" shows before that pm answers.
 */
#define CHANGE(words) "pm path %q && pm " words " %q %q"
static const char *const changes[][2] = {
    [SQ_PERMISSION_GRANT] = { CHANGE("grant"), NULL },
    [SQ_PERMISSION_REVOKE] = { CHANGE("revoke"), NULL },
    [SQ_PERMISSION_RESET] = { CHANGE("revoke"),
                              CHANGE("clear-permission-flags") " user-set "
                                                               "user-fixed" },
};

static bool
change_one(struct sq_android *android, const char *change, const char *package,
           const char *name, const struct sq_deadline *deadline,
           struct sq_err *err) {
    SQ_COMMAND(command, android, deadline);
    sq_command_add(&command, change, package, package, name);
    bool ok = sq_command_say(&command, err);
    struct sq_span reply = command.reply;
    bool is_missing = command.output.status == 1 && reply.len == 0;
    if (ok
        && (command.output.status != 0 || sq_span_find(reply, "Exception")
            || !sq_span_find(reply, "package:"))) {
        ok = is_missing || sq_span_find(reply, "Unknown package")
               ? sq_android_fail_package(package, err)
               : sq_fail_android("change the permission", reply, err);
    }
    return ok;
}

/* Before Android 13 notifications are not a permission. */
static bool
set_notifications(struct sq_android *android, const struct sq_hand *hand,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const words[] = { "allow", "ignore", "default" };
    SQ_COMMAND(command, android, deadline);
    sq_command_add(&command,
                   "appops get %q POST_NOTIFICATION&&"
                   "appops set %q POST_NOTIFICATION %s",
                   hand->package, hand->package, words[hand->choice]);
    return sq_command_confirm(&command, "change the permission", "", err);
}

bool
sq_android_permission(struct sq_device *device, const struct sq_hand *hand,
                      const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    const char *const *change = changes[hand->choice];
    char name[COMMAND_SIZE];
    int api;
    if (!sq_android_check_package(hand->package, err)
        || !sq_android_api(android, &api, deadline, err)
        || !name_permission(hand->text, api, name, err)
        || (change[1]
            && !sq_android_need_api(android, ANDROID_11,
                                    "resetting a permission", deadline, err))) {
        return false;
    }
    if (api < ANDROID_13 && sq_span_is(hand->text, "notifications")) {
        return set_notifications(android, hand, deadline, err);
    }
    return change_one(android, change[0], hand->package, name, deadline, err)
        && (!change[1]
            || change_one(android, change[1], hand->package, name, deadline,
                          err));
}

/* Runs a command that reads a file, and appends what it prints. */
static bool
stream(struct sq_android *android, const char *command,
       const struct sq_hand_file *file, struct sq_buf *answer,
       const struct sq_deadline *deadline, struct sq_err *err) {
    int fd = -1;
    bool ok = sq_adb_open(&android->link, command, &fd, deadline, err)
           && (!file
               || sq_socket_write(fd, file->bytes.ptr, file->bytes.len,
                                  deadline, err));
    size_t got = 1;
    while (ok && got > 0) {
        uint8_t *space;
        ok = sq_buf_reserve(answer, 4096, &space, err)
          && sq_socket_read_some(fd, space, 4096, &got, deadline, err);
        if (ok) {
            sq_buf_commit(answer, got);
        }
    }
    if (!ok && fd >= 0) {
        sq_adb_explain_run(&android->link, true, deadline, err);
    } else if (ok && answer->len == 0
               && !sq_adb_is_attached(&android->link, deadline)) {
        sq_fail(err, SQ_ERR_TRUNCATED, "it did not answer");
        ok = sq_adb_explain_run(&android->link, true, deadline, err);
    }
    sq_socket_close(fd);
    return ok;
}

/* Android's reasons, and what to do. */
static const struct reason {
    const char *code;
    const char *hint;
} reasons[] = {
    { "INSTALL_FAILED_UPDATE_INCOMPATIBLE",
      "The installed app has another signature: @uninstall it first." },
    { "INSTALL_FAILED_VERSION_DOWNGRADE",
      "A newer version is installed: @uninstall it first." },
    { "INSTALL_FAILED_INSUFFICIENT_STORAGE",
      "Free some storage of the device." },
    { "INSTALL_FAILED_NO_MATCHING_ABIS",
      "The app has no code for the processor of this device." },
    { "INSTALL_FAILED_OLDER_SDK", "The app needs a newer version of Android." },
    { "INSTALL_FAILED_USER_RESTRICTED",
      "Allow installing by USB in the developer options of the device." },
    { "INSTALL_FAILED_MISSING_SPLIT",
      "Give all APK files of the app, not only one." },
    { "INSTALL_PARSE_FAILED", "The file is not a valid APK." },
    { "INSTALL_FAILED_INVALID_APK", "The file is not a valid APK." },
};

/* Fails unless the reply says that an installation, or a step of it, worked. */
static bool
check_success(struct sq_span reply, struct sq_err *err) {
    if (sq_span_find(reply, "Success")) {
        return true;
    }
    sq_fail_android("install the app", reply, err);
    for (size_t i = 0; i < SQ_COUNT(reasons); i++) {
        if (sq_span_find(reply, reasons[i].code)) {
            return sq_fail_hint(err, "%s", reasons[i].hint);
        }
    }
    return sq_fail_hint(err, "The reason is in the parentheses.");
}

/*
 * Runs a step of an installation, which reads the file if it is given. *session
 * is set to the number in "Success: created install session [123]"; NULL: none
 * is expected.
 */
static bool
install_step(struct sq_android *android, const char *command,
             const struct sq_hand_file *file, int64_t *session,
             const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_BUF(reply, MAX_ANSWER);
    bool ok = stream(android, command, file, &reply, deadline, err);
    struct sq_span text = sq_buf_span(&reply);
    if (ok && session) {
        struct sq_span before;
        ok = (sq_span_take_until(&text, '[', &before)
              && sq_span_take_int64(&text, session) && *session > 0)
          || check_success(SQ_SPAN(""), err);
    } else if (ok) {
        ok = check_success(text, err);
    }
    return ok;
}

/* Installs an app of several files; abandons the session after a failure. */
static bool
install_splits(struct sq_android *android, const struct sq_hand *hand,
               const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline grace = sq_deadline_in(3000, NULL);
    char command[COMMAND_SIZE];
    int64_t session = 0;
    size_t total = 0;
    for (size_t i = 0; i < hand->file_count; i++) {
        total += hand->files[i].bytes.len;
    }
    snprintf(command, sizeof(command), INSTALL "-create -r -t -S %zu", total);
    bool ok = install_step(android, command, NULL, &session, deadline, err);
    for (size_t i = 0; ok && i < hand->file_count; i++) {
        /* On the device a split is named by its number. */
        snprintf(command, sizeof(command),
                 INSTALL "-write -S %zu %" PRId64 " split%zu.apk -",
                 hand->files[i].bytes.len, session, i);
        ok = install_step(android, command, &hand->files[i], NULL, deadline,
                          err);
    }
    snprintf(command, sizeof(command), INSTALL "-commit %" PRId64, session);
    ok = ok && install_step(android, command, NULL, NULL, deadline, err);
    if (!ok && session > 0) {
        snprintf(command, sizeof(command), INSTALL "-abandon %" PRId64,
                 session);
        install_step(android, command, NULL, NULL, &grace, NULL);
    }
    return ok;
}

bool
sq_android_install(struct sq_device *device, const struct sq_hand *hand,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    char command[COMMAND_SIZE];
    android->display_cache.at_ns = 0;
    sq_idle_forget(&android->idle);
    if (hand->file_count != 1) {
        return install_splits(android, hand, deadline, err);
    }
    snprintf(command, sizeof(command), INSTALL " -r -t -S %zu",
             hand->files[0].bytes.len);
    return install_step(android, command, hand->files, NULL, deadline, err);
}
