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

static bool
fail_open(enum sq_launch_outcome outcome, const struct sq_hand *hand,
          struct sq_span reply, struct sq_err *err) {
    if (outcome != SQ_LAUNCH_NO_ACTIVITY) {
        return sq_launch_fail(outcome, "the URL", reply, err);
    }
    sq_fail(err, SQ_ERR_NOT_FOUND, "no app%s%s opens this URL",
            hand->package ? " " : "", hand->package ? hand->package : "");
    return sq_fail_hint(err, "Check its scheme and host. The operation @apps "
                             "lists what is installed.");
}

bool
sq_android_open_url(struct sq_device *device, const struct sq_hand *hand,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_command command;
    struct sq_adb_output output;
    if (hand->package && !sq_android_check_package(hand->package, err)) {
        return false;
    }
    sq_command_begin(&command, "am start -W -a android.intent.action.VIEW -d");
    sq_command_word(&command, hand->text);
    if (hand->package) {
        sq_command_add(&command, "-p");
        sq_command_word(&command, sq_span_of(hand->package));
    }
    bool ok =
        sq_command_say(&command, sq_android_of(device), &output, deadline, err);
    struct sq_span reply = sq_buf_span(&output.out);
    enum sq_launch_outcome outcome = sq_launch_read(reply);
    ok = ok
      && (sq_launch_worked(outcome) || fail_open(outcome, hand, reply, err));
    sq_adb_output_finish(&output);
    return ok;
}

/* Runs "PROGRAM PACKAGE", which prints "Success" if it works. */
static bool
do_with_package(struct sq_device *device, const char *program,
                const char *package, const char *what,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_command command;
    struct sq_adb_output output;
    if (!sq_android_check_package(package, err)) {
        return false;
    }
    sq_command_begin(&command, program);
    sq_command_word(&command, sq_span_of(package));
    bool ok =
        sq_command_say(&command, sq_android_of(device), &output, deadline, err);
    struct sq_span reply = sq_buf_span(&output.out);
    if (ok && !sq_span_starts_with(sq_span_trim(reply), "Success")) {
        ok = sq_reply_contains(reply, "Unknown package")
                  || sq_reply_contains(reply, "not installed")
                  || sq_span_is(sq_span_trim(reply), "Failed")
               ? sq_android_fail_package(package, err)
               : sq_fail_android(what, reply, err);
    }
    sq_adb_output_finish(&output);
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
#define PERMISSIONS (sizeof(permissions) / sizeof(permissions[0]))

static bool
is_permission(struct sq_span name) {
    bool ok = sq_span_contains(name, '.') && name.ptr[0] != '-';
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        ok = ok
          && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9') || c == '.' || c == '_');
    }
    return ok;
}

static bool
fail_permission(struct sq_span name, struct sq_err *err) {
    char all[SQ_ERR_HINT_SIZE - 90] = "";
    for (size_t i = 0; i < PERMISSIONS; i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "",
                 permissions[i].word);
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "no permission is called \"%.*s\"",
            (int)(name.len < 60 ? name.len : 60), name.len ? name.ptr : "");
    return sq_fail_hint(
        err, "Use one of: %s; or a full name: android.permission.CAMERA.", all);
}

/* Writes the full name of a permission on this version. */
static bool
name_permission(struct sq_span name, int api, char out[COMMAND_SIZE],
                struct sq_err *err) {
    for (size_t i = 0; i < PERMISSIONS; i++) {
        const struct permission *row = &permissions[i];
        if (sq_span_is(name, row->word)) {
            bool is_old = api < ANDROID_13 && row->old_name;
            snprintf(out, COMMAND_SIZE, "android.permission.%s",
                     is_old ? row->old_name : row->name);
            return true;
        }
    }
    snprintf(out, COMMAND_SIZE, "%.*s",
             (int)(name.len < COMMAND_SIZE ? name.len : 0), name.ptr);
    return is_permission(name) || fail_permission(name, err);
}

/* The commands of a change; "reset" also forgets what the user chose. */
static const struct change {
    const char *start;
    const char *then; /* NULL: nothing */
    const char *end;
} changes[] = {
    [SQ_PERMISSION_GRANT] = { "pm grant", NULL, "" },
    [SQ_PERMISSION_REVOKE] = { "pm revoke", NULL, "" },
    [SQ_PERMISSION_RESET] = { "pm revoke", "pm clear-permission-flags",
                              "user-set user-fixed" },
};

/* A change prints nothing, so "pm path" shows before it that pm answers. */
static void
begin_change(struct sq_command *command, const char *program,
             const char *package, const char *name) {
    sq_command_begin(command, "pm path");
    sq_command_word(command, sq_span_of(package));
    sq_command_add(command, "&&");
    sq_command_add(command, program);
    sq_command_word(command, sq_span_of(package));
    sq_command_word(command, sq_span_of(name));
}

/* Runs a command that changes a permission of an app. */
static bool
change_one(struct sq_android *android, struct sq_command *command,
           const char *package, const struct sq_deadline *deadline,
           struct sq_err *err) {
    struct sq_adb_output output;
    bool ok = sq_command_say(command, android, &output, deadline, err);
    struct sq_span reply = sq_buf_span(&output.out);
    bool is_missing = output.status == 1 && reply.len == 0;
    if (ok
        && (output.status != 0 || sq_reply_contains(reply, "Exception")
            || !sq_reply_contains(reply, "package:"))) {
        ok = is_missing || sq_reply_contains(reply, "Unknown package")
               ? sq_android_fail_package(package, err)
               : sq_fail_android("change the permission", reply, err);
    }
    sq_adb_output_finish(&output);
    return ok;
}

/* Before Android 13 notifications are not a permission. */
static bool
set_notifications(struct sq_android *android, const struct sq_hand *hand,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const words[] = { "allow", "ignore", "default" };
    struct sq_command command;
    sq_command_begin(&command, "appops get");
    sq_command_word(&command, sq_span_of(hand->package));
    sq_command_add(&command, "POST_NOTIFICATION&&appops set");
    sq_command_word(&command, sq_span_of(hand->package));
    sq_command_add(&command, "POST_NOTIFICATION");
    sq_command_add(&command, words[hand->choice]);
    return sq_command_confirm(&command, android, "change the permission", "",
                              deadline, err);
}

bool
sq_android_permission(struct sq_device *device, const struct sq_hand *hand,
                      const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    const struct change *change = &changes[hand->choice];
    char name[COMMAND_SIZE];
    int api;
    if (!sq_android_check_package(hand->package, err)
        || !sq_android_api(android, &api, deadline, err)
        || !name_permission(hand->text, api, name, err)
        || (change->then
            && !sq_android_need_api(android, ANDROID_11,
                                    "resetting a permission", deadline, err))) {
        return false;
    }
    if (api < ANDROID_13 && sq_span_is(hand->text, "notifications")) {
        return set_notifications(android, hand, deadline, err);
    }
    struct sq_command command;
    begin_change(&command, change->start, hand->package, name);
    if (!change_one(android, &command, hand->package, deadline, err)) {
        return false;
    }
    if (!change->then) {
        return true;
    }
    begin_change(&command, change->then, hand->package, name);
    sq_command_add(&command, change->end);
    return change_one(android, &command, hand->package, deadline, err);
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

static bool
check_success(struct sq_span reply, struct sq_err *err) {
    if (sq_reply_contains(reply, "Success")) {
        return true;
    }
    sq_fail_android("install the app", reply, err);
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        if (sq_reply_contains(reply, reasons[i].code)) {
            return sq_fail_hint(err, "%s", reasons[i].hint);
        }
    }
    return sq_fail_hint(err, "The reason is in the parentheses.");
}

static bool
install_one(struct sq_android *android, const struct sq_hand_file *file,
            const struct sq_deadline *deadline, struct sq_err *err) {
    char command[COMMAND_SIZE];
    struct sq_buf reply;
    sq_buf_init(&reply, MAX_ANSWER);
    snprintf(command, sizeof(command), "exec:cmd package install -r -t -S %zu",
             file->bytes.len);
    bool ok = stream(android, command, file, &reply, deadline, err)
           && check_success(sq_buf_span(&reply), err);
    sq_buf_finish(&reply);
    return ok;
}

/* Reads "Success: created install session [123]". */
static bool
read_session(struct sq_span reply, int64_t *out) {
    struct sq_span before;
    return sq_span_take_until(&reply, '[', &before)
        && sq_span_take_int64(&reply, out) && *out > 0;
}

static bool
begin_session(struct sq_android *android, const struct sq_hand *hand,
              int64_t *session, const struct sq_deadline *deadline,
              struct sq_err *err) {
    char command[COMMAND_SIZE];
    struct sq_buf reply;
    size_t total = 0;
    for (size_t i = 0; i < hand->file_count; i++) {
        total += hand->files[i].bytes.len;
    }
    sq_buf_init(&reply, MAX_ANSWER);
    snprintf(command, sizeof(command),
             "exec:cmd package install-create -r -t -S %zu", total);
    bool ok = stream(android, command, NULL, &reply, deadline, err)
           && (read_session(sq_buf_span(&reply), session)
               || check_success(SQ_SPAN(""), err));
    sq_buf_finish(&reply);
    return ok;
}

/* Writes one split; on the device it is named by its number. */
static bool
write_split(struct sq_android *android, int64_t session, size_t number,
            const struct sq_hand_file *file, const struct sq_deadline *deadline,
            struct sq_err *err) {
    char command[COMMAND_SIZE];
    struct sq_buf reply;
    sq_buf_init(&reply, MAX_ANSWER);
    snprintf(command, sizeof(command),
             "exec:cmd package install-write -S %zu %" PRId64 " split%zu.apk -",
             file->bytes.len, session, number);
    bool ok = stream(android, command, file, &reply, deadline, err)
           && check_success(sq_buf_span(&reply), err);
    sq_buf_finish(&reply);
    return ok;
}

static bool
end_session(struct sq_android *android, const char *how, int64_t session,
            const struct sq_deadline *deadline, struct sq_err *err) {
    char command[COMMAND_SIZE];
    struct sq_buf reply;
    sq_buf_init(&reply, MAX_ANSWER);
    snprintf(command, sizeof(command), "exec:cmd package %s %" PRId64, how,
             session);
    bool ok = stream(android, command, NULL, &reply, deadline, err)
           && check_success(sq_buf_span(&reply), err);
    sq_buf_finish(&reply);
    return ok;
}

/* Abandons the session after a failure. */
static bool
install_splits(struct sq_android *android, const struct sq_hand *hand,
               const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline grace = sq_deadline_in(3000, NULL);
    int64_t session = 0;
    bool ok = begin_session(android, hand, &session, deadline, err);
    for (size_t i = 0; ok && i < hand->file_count; i++) {
        ok = write_split(android, session, i, &hand->files[i], deadline, err);
    }
    ok = ok && end_session(android, "install-commit", session, deadline, err);
    if (!ok && session > 0) {
        end_session(android, "install-abandon", session, &grace, NULL);
    }
    return ok;
}

bool
sq_android_install(struct sq_device *device, const struct sq_hand *hand,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    android->display_cache.at_ns = 0;
    sq_idle_forget(&android->idle);
    return hand->file_count == 1
             ? install_one(android, hand->files, deadline, err)
             : install_splits(android, hand, deadline, err);
}
