/*
 * Transfers command output through temporary files on the device, for devices
 * whose shell sends text only.
 */
#include <stdio.h>

#include "device/android/state.h"

#define COMMAND_SIZE 400

void
sq_android_file_path(const struct sq_android *android, unsigned number,
                     char out[SQ_ANDROID_PATH_SIZE]) {
    snprintf(out, SQ_ANDROID_PATH_SIZE, "%s/squint-%.12s-%u.xml",
             android->files_on_sdcard ? "/sdcard" : "/data/local/tmp",
             android->file_name, number);
}

/* Reads the file, if there is one, and removes it in any case. */
static bool
pull_and_remove(struct sq_android *android, const char *path,
                struct sq_adb_output *out, const struct sq_deadline *deadline,
                struct sq_err *err) {
    char command[COMMAND_SIZE];
    struct sq_adb_output unused;
    struct sq_err local_err = { 0 };
    bool ok = sq_adb_pull(&android->link, path, out, deadline, &local_err);
    if (!ok && local_err.code != SQ_ERR_NOT_FOUND) {
        return sq_fail_with(err, &local_err);
    }
    snprintf(command, sizeof(command), "rm %s 2>/dev/null", path);
    ok = sq_android_run(android, command, &unused, deadline, err);
    sq_adb_output_finish(&unused);
    return ok;
}

bool
sq_android_run_to_file(struct sq_android *android, const char *command,
                       struct sq_adb_output *output,
                       const struct sq_deadline *deadline, struct sq_err *err) {
    char path[SQ_ANDROID_PATH_SIZE];
    char whole[COMMAND_SIZE];
    sq_android_file_path(android, 0, path);
    /* Remove an old file, which would be taken for this command's output. */
    snprintf(whole, sizeof(whole), "rm %s 2>/dev/null;%s %s", path, command,
             path);
    if (!sq_adb_run(&android->link, sq_span_of(whole), output, deadline, err)) {
        return false;
    }
    struct sq_buf messages = output->out;
    sq_buf_finish(&output->errors);
    output->errors = messages;
    sq_buf_init(&output->out, messages.max);
    output->expected_max = 0; /* was measured for the messages */
    return pull_and_remove(android, path, output, deadline, err);
}
