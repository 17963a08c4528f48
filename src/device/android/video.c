/*
 * Records the screen with Android's screenrecord. The connection on which it
 * runs is kept: when it ends, the recording has ended and its file is complete.
 */
#include <stdio.h>

#include "device/android/command.h"
#include "device/android/state.h"

/* A number that no other file of ours has. */
#define VIDEO_FILE 1000000
#define PART_BYTES ((size_t)1 << 20)
#define COMMAND_SIZE 200
#define STOP_MS 10000
#define START_MS 2000

/* A program that cannot record ends immediately, with a message. */
static bool
check_started(struct sq_android *android, const struct sq_deadline *deadline,
              struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_within(deadline, START_MS);
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    int64_t process = 0;
    bool ok = sq_android_run(android, "sleep 0.3;pidof -s screenrecord",
                             &output, deadline, err);
    struct sq_span text = sq_span_trim(sq_buf_span(&output.out));
    if (ok && !sq_span_to_int64(text, &process)) {
        SQ_COMMAND(ended, android, &limit);
        sq_adb_collect(&android->link, &android->recording, &ended.output,
                       &limit, NULL);
        ended.reply = sq_buf_span(&ended.output.out);
        ok = sq_command_fail(&ended, "record a video", err);
    }
    if (!ok) {
        sq_adb_abandon(&android->recording);
    }
    return ok;
}

bool
sq_android_record(struct sq_device *device, const struct sq_hand *hand,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    char path[SQ_ANDROID_PATH_SIZE];
    char command[COMMAND_SIZE];
    if (android->recording.is_open) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION, "a video is being recorded");
        return sq_fail_hint(err, "Stop it first.");
    }
    if (android->link.shell != SQ_ADB_SHELL_V2) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "recording needs Android 7 or newer");
        return sq_fail_hint(err, "Nothing was done. Use a device with a newer "
                                 "version of Android.");
    }
    sq_adb_abandon(&android->video); /* nothing of it was asked for any more */
    sq_android_file_path(android, VIDEO_FILE, path);
    snprintf(command, sizeof(command),
             "exec screenrecord --time-limit %d %s.mp4", hand->number, path);
    return sq_adb_start(&android->link, sq_span_of(command),
                        &android->recording, deadline, err)
        && check_started(android, deadline, err);
}

/* Ends the program whose file is ours, waits for it and requests the file. */
static bool
request_file(struct sq_android *android, const char *path,
             const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_COMMAND(command, android, deadline);
    /* The brackets keep the pattern from matching its own command line. */
    sq_command_add(&command, "pkill -2 -f 'screenrecor[d].*'%q", path);
    /* Fails if the recording has already ended by its limit. */
    if (!sq_command_run(&command, err)) {
        return false;
    }
    const struct sq_deadline limit = sq_deadline_within(deadline, STOP_MS);
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output reply = { 0 };
    sq_adb_output_init(&reply, SQ_ANDROID_MAX_OUTPUT);
    android->video_bytes = 0;
    return sq_adb_collect(&android->link, &android->recording, &reply, &limit,
                          err)
        && sq_buf_append(&reply.out, reply.errors.data, reply.errors.len, err)
        && (sq_adb_start_pull(&android->link, path, SQ_MAX_VIDEO_BYTES,
                              &android->video, deadline, NULL)
            || sq_fail_android("record a video", sq_buf_span(&reply.out), err));
}

static bool
copy_part(struct sq_android *android, struct sq_reading *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output file = { 0 };
    sq_adb_output_init(&file, PART_BYTES + SQ_ANDROID_MAX_OUTPUT);
    bool ok = sq_adb_pull_part(&android->link, &android->video, PART_BYTES,
                               &file, deadline, err);
    android->video_bytes += (int)file.out.len;
    if (ok && android->video_bytes == 0) {
        ok = sq_fail_android("record a video", SQ_SPAN(""), err);
    }
    out->text = sq_buf_span(&file.out);
    out->has_text = ok;
    out->has_more = android->video.is_open;
    return ok && sq_arena_keep(&out->arena, &out->text, err);
}

bool
sq_android_read_video(struct sq_device *device,
                      const struct sq_reading_request *request,
                      struct sq_reading *out,
                      const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    char base[SQ_ANDROID_PATH_SIZE];
    char path[SQ_ANDROID_PATH_SIZE + 8];
    if (request->number == 0 && !android->recording.is_open) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION, "no video is being recorded");
        return sq_fail_hint(err, "Start one first: record is start.");
    }
    if (request->number > 0
        && (!android->video.is_open
            || android->video_bytes != request->number)) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION,
                "the video was lost, because another one was recorded");
        return sq_fail_hint(err, "Record it again.");
    }
    sq_android_file_path(android, VIDEO_FILE, base);
    snprintf(path, sizeof(path), "%s.mp4", base);
    bool ok =
        (request->number > 0 || request_file(android, path, deadline, err))
        && copy_part(android, out, deadline, err);
    sq_adb_abandon(&android->recording);
    if (!ok) {
        sq_adb_abandon(&android->video);
    }
    if (request->number == 0) {
        /* It is open, so the rest can still be copied. */
        const struct sq_deadline grace = sq_deadline_in(2000, NULL);
        SQ_COMMAND(command, android, &grace);
        sq_command_add(&command, "rm -f %q", path);
        sq_command_run(&command, NULL);
    }
    return ok;
}
