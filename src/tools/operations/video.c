/* video: records the screen to a file. */
#include <stdio.h>

#include "redact/redact.h"
#include "sys/clock.h"
#include "tools/device/verb.h"
#include "tools/operations.h"
#include "tools/run.h"
#include "tools/screen/output_folder.h"
#include "util/minmax.h"

#define DEFAULT_SECONDS 60
#define MAX_SECONDS 180
#define PAUSE_MS 250

struct video_args {
    struct sq_opt_int record;
    struct sq_opt_int seconds;
    struct sq_opt_text local_path;
    SQ_RECEIPT_FIELDS;
};

enum {
    RECORD_START,
    RECORD_STOP,
};
static const char *const records[] = { "start", "stop", NULL };

static const struct sq_arg table[] = {
    SQ_CHOICE(video_args, record, "record", records, "",
              .help = "start, or stop and save; without it, both"),
    SQ_INT(video_args, seconds, "seconds", 1, MAX_SECONDS, "", .is_rare = true,
           .help = "longest duration; without record how long it takes",
           .initial = "60"),
    SQ_TEXT(video_args, local_path, "localPath", 255, "File name",
            .help = "name of the file in the output folder"),
    SQ_RECEIPT_ROWS(video_args),
    SQ_ARGS_END,
};

static bool
write_reply(struct sq_call *call, const struct sq_output_file *file,
            size_t bytes, struct sq_err *err) {
    struct sq_reply reply;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    sq_put_text(&reply.w, "path", file->path);
    sq_put_int(&reply.w, "sizeBytes", (int64_t)bytes);
    return sq_reply_end(call, &reply, err);
}

static bool
save(struct sq_call *call, const struct video_args *args,
     const struct sq_buf *video, struct sq_err *err) {
    const struct sq_output_file_name name = {
        .local_path = args->local_path.value,
        .extension = ".mp4",
    };
    struct sq_output_file file;
    if (!sq_output_file_write(call->config, &name, video, &file, err)) {
        return false;
    }
    bool ok = write_reply(call, &file, video->len, err);
    if (ok) {
        sq_output_file_keep(&file);
    } else {
        sq_output_file_remove(&file);
    }
    return ok;
}

/* Copies the video in parts, between which others may use the device. */
static bool
copy(struct sq_call *call, struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    bool more = true;
    while (ok && more) {
        const struct sq_reading_request request = { .verb = SQ_READ_VIDEO,
                                                    .number = (int)out->len };
        SQ_FREED(sq_reading_finish) struct sq_reading part = { 0 };
        ok = sq_device_read(call->device, &request, &part, &call->deadline, err)
          && sq_buf_append(out, part.text.ptr, part.text.len, err);
        more = part.has_more;
        ok = ok && (!more || sq_tools_take_turns(call, err));
    }
    return ok;
}

static bool
stop(struct sq_call *call, const struct video_args *args, struct sq_err *err) {
    SQ_BUF(video, SQ_MAX_VIDEO_BYTES);
    return copy(call, &video, err) && save(call, args, &video, err);
}

/* The device writes the video, so nothing in it can be hidden. */
static bool
check_rules(const struct sq_redactor *redactor, struct sq_err *err) {
    if (!redactor
        || (!sq_redactor_is_active(redactor)
            && redactor->passwords != SQ_REDACT_ALWAYS)) {
        return true;
    }
    sq_fail(err, SQ_ERR_INVALID_OPERATION,
            "videos are not recorded, because redact is set and a video cannot "
            "be redacted");
    return sq_fail_hint(err, "Take screenshots instead.");
}

/* Waits while the device records, and lets others use it. */
static bool
wait_until_recorded(struct sq_call *call, const struct sq_cancel *cancel,
                    int ms, struct sq_err *err) {
    const int64_t start_ns = sq_clock_monotonic_ns();
    int done_ms = 0;
    while (done_ms < ms && !(cancel && sq_cancel_is_set(cancel))) {
        if (call->progress) {
            call->progress(call, done_ms, ms, "Recording");
        }
        if (!sq_tools_pause(call, sq_min_int(PAUSE_MS, ms - done_ms), err)) {
            return false;
        }
        done_ms = (int)((sq_clock_monotonic_ns() - start_ns) / 1000000);
    }
    return true;
}

static bool
video_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct video_args *args = raw_args;
    struct sq_verb verb = {
        .is_off_screen = true,
        .hand = { .verb = SQ_HAND_RECORD,
                  .number = args->seconds.given ? args->seconds.value
                                                : DEFAULT_SECONDS },
        .name = "recording",
    };
    if (args->record.given && args->record.value == RECORD_STOP) {
        return stop(call, args, err);
    }
    if (!check_rules(call->redactor, err)) {
        return false;
    }
    if (args->record.given) {
        return sq_verb_run(call, &verb, SQ_ACT_OPTIONS(args), err);
    }
    /* Cancelling ends it early; what was recorded is saved. */
    const struct sq_cancel *cancel = call->deadline.cancel;
    call->deadline.cancel = NULL;
    return sq_device_can(call->device, verb.hand.verb, err)
        && sq_device_hand(call->device, &verb.hand, &call->deadline, err)
        && wait_until_recorded(call, cancel, verb.hand.number * 1000, err)
        && stop(call, args, err);
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    struct sq_span path = sq_json_text_of(people->reply, "path");
    return path.len > 0 ? sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                                         "Wrote %.*s\n", SQ_SPAN_ARGS(path))
                        : sq_people_put_action(people, "Recording", err);
}

const struct sq_tool sq_tool_video = {
    .name = "video",
    .title = "Record a video",
    .text = "Record the screen to a file.",
    .manual =
        "`record: \"start\"` begins, for at most `seconds` (60 if omitted, "
        "180 at most); `record: \"stop\"` ends it and writes an MP4 file "
        "without sound into the output folder; the answer has its path. A "
        "recording belongs to one server and ends with it. Without `record`, "
        "both: the call takes `seconds`. Android 7 and newer, and simulators; "
        "64 MB at most. On Android, apps that forbid screenshots are black. "
        "Not with rules of redaction.",
    .manual_example = "\"record\": \"start\", \"seconds\": 30",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_ACTION,
    SQ_ARGS(table, video_args),
    .words = "seconds?",
    .timeout_ms = (MAX_SECONDS + 60) * 1000,
    .people = { .examples = { "video 10", "video 10s -o shop.mp4" },
                .counts_ms = true,
                .show = show },
    .uses = SQ_USES_ACTS | SQ_USE_OUTPUT,
    .synonyms = "video record screen-record start-recording stop-recording "
                "record-video start-video",
    .example = "\"record\": \"start\"",
    .run = video_run,
};
