/*
 * watch: shows what a device shows, live on the terminal or in a file that is
 * replaced.
 */
#include "app/commands/command.h"

#include <stdio.h>

#include "app/commands/picture_file.h"
#include "app/commands/repeated_capture.h"
#include "json/writer.h"
#include "app/terminal/picture.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "tools/reply.h"
#include "tools/screen/output_folder.h"

#define NS_PER_MS 1000000
#define LEAST_EVERY_MS 50
#define MAX_LINE_BYTES ((size_t)64 << 10)

struct watch_args {
    const char *output;
    const char *every;
    const char *device;
    int count;
    bool json;
};

static const struct sq_arg watch_options[] = {
    SQ_TEXT(watch_args, output, "output", 0,
            "replace this file instead: .jpg, .webp or .png; none: draw on "
            "the terminal",
            .letter = 'o', .placeholder = "FILE"),
    SQ_TEXT(watch_args, every, "every", 0,
            "interval between captures: 200ms, 2s, 1m", .placeholder = "TIME",
            .initial = "500ms"),
    SQ_TEXT(watch_args, device, "device", 0,
            "device to watch; see squint devices", .letter = 's',
            .placeholder = "ID", .initial = "the only one"),
    SQ_INT(watch_args, count, "count", 1, 1000000000,
           "stop after N captures; none: at Ctrl-C"),
    SQ_BOOL(watch_args, json, "json",
            "with -o, print JSON: a line for each picture or error, and one at "
            "the end"),
    SQ_ARGS_END,
};

/* The state of the command. */
struct watch {
    const struct watch_args *args;
    struct sq_repeated_capture captures;
    struct sq_picture_opts opts;
    struct sq_live_view view; /* not open with -o */
    struct sq_buf shown;      /* the picture that was shown or written last */
    struct sq_err last_err;   /* of the last capture */
    long captures_made;
    long pictures;
    int took_ms; /* by the last capture */
};

/* Draws "demo: 3 pictures in 12 captures, ...; Ctrl-C ends". */
static void
draw_status(void *context, int64_t left_ns) {
    (void)left_ns;
    struct watch *watch = context;
    const char *id = watch->captures.id;
    char text[SQ_PROGRESS_TEXT_SIZE];
    if (watch->last_err.code != SQ_ERR_NONE) {
        snprintf(text, sizeof(text), "%.180s; trying again; Ctrl-C ends",
                 watch->last_err.message);
    } else {
        snprintf(
            text, sizeof(text),
            "%s: %ld picture%s in %ld capture%s, the last took %d ms; Ctrl-C "
            "ends",
            id, watch->pictures, watch->pictures == 1 ? "" : "s",
            watch->captures_made, watch->captures_made == 1 ? "" : "s",
            watch->took_ms);
    }
    sq_progress_show(&watch->captures.line, text);
}

/* Shows a picture that differs from the last one. */
static bool
show(struct watch *watch, const struct sq_buf *picture,
     const struct sq_picture_info *info, struct sq_err *err) {
    watch->pictures++;
    if (!watch->args->output) {
        return sq_live_view_draw(&watch->view, sq_buf_span(picture), err);
    }
    sq_progress_clear(&watch->captures.line);
    if (!sq_file_write(watch->args->output, picture->data, picture->len, err)) {
        return false;
    }
    struct sq_json_writer w;
    SQ_BUF(answer, MAX_LINE_BYTES);
    SQ_BUF(line, MAX_LINE_BYTES);
    sq_json_open(&w, &answer);
    sq_json_put_clean_member(&w, "file", sq_span_of(watch->args->output));
    sq_put_size(&w, "image", info->image);
    sq_put_int(&w, "sizeBytes", (int64_t)info->bytes);
    return sq_command_end_answer(&w, watch->args->json,
                                 "Wrote {file:file}: {image.width}x"
                                 "{image.height} pixels, {sizeBytes:KB}\n",
                                 &(struct sq_page){ .out = &line }, err)
        && sq_file_write("-", line.data, line.len, err);
}

static bool
must_show(const struct watch *watch, const struct sq_buf *picture) {
    bool is_same = watch->pictures > 0 && picture->len == watch->shown.len
                && memcmp(picture->data, watch->shown.data, picture->len) == 0;
    return !is_same
        || (watch->view.is_open && sq_live_view_is_outdated(&watch->view));
}

/* Captures and encodes the screen. */
static bool
make_picture(struct watch *watch, struct sq_buf *out,
             struct sq_picture_info *info, struct sq_err *err) {
    SQ_FREED(sq_capture_finish) struct sq_capture capture = { 0 };
    return sq_repeated_capture_take(&watch->captures, &capture, err)
        && sq_picture_make(capture.bytes.data, capture.bytes.len, &watch->opts,
                           &sq_limits_default, out, info, err);
}

/*
 * Prints an error of the device, unless it is the same as that of the last
 * look. A live view shows it in the status.
 */
static void
report_failure(struct watch *watch, const struct sq_err *why) {
    bool is_known = watch->last_err.code == why->code
                 && strcmp(watch->last_err.message, why->message) == 0;
    watch->last_err = *why;
    if (watch->view.is_open || is_known) {
        return;
    }
    sq_repeated_capture_report(&watch->captures, why);
}

/* Looks once. Fails only if the picture cannot be shown or written. */
static bool
look(void *context, struct sq_err *err) {
    struct watch *watch = context;
    struct sq_err local_err = { 0 };
    struct sq_picture_info info;
    struct sq_buf picture;
    int64_t start_ns = sq_clock_monotonic_ns();
    sq_buf_init(&picture, SQ_MAX_IMAGE_BYTES);
    bool ok = make_picture(watch, &picture, &info, &local_err);
    watch->captures_made++;
    watch->took_ms = (int)((sq_clock_monotonic_ns() - start_ns) / NS_PER_MS);
    if (!ok) {
        if (local_err.code != SQ_ERR_CANCELLED) {
            report_failure(watch, &local_err);
        }
        sq_buf_finish(&picture);
        return true;
    }
    watch->last_err = (struct sq_err){ 0 };
    ok = !must_show(watch, &picture) || show(watch, &picture, &info, err);
    sq_buf_finish(&watch->shown);
    watch->shown = picture;
    return ok;
}

/* Looks until a signal arrives, or often enough. The terminal is restored. */
static bool
watch_until_end(struct watch *watch, struct sq_err *err) {
    bool ok = (watch->args->output || sq_live_view_open(&watch->view, err))
           && sq_repeated_capture_run(&watch->captures, err);
    sq_live_view_close(&watch->view);
    if (!ok && err->code == SQ_ERR_UNSUPPORTED && !watch->args->output) {
        return sq_fail_hint(err, "Write a file that a viewer shows again when "
                                 "it changes: squint watch -o screen.png");
    }
    return ok;
}

static bool
put_end(const struct watch *watch, const struct sq_run *run,
        struct sq_err *err) {
    struct sq_json_writer w;
    SQ_BUF(answer, MAX_LINE_BYTES);
    sq_json_open(&w, &answer);
    sq_put_clean(&w, "device", sq_span_of(watch->captures.id));
    sq_put_int(&w, "pictures", watch->pictures);
    sq_put_int(&w, "captures", watch->captures_made);
    return sq_command_end_answer(&w, watch->args->json,
                                 "[device:{device}: ]{pictures} "
                                 "picture{pictures:s} in {captures} "
                                 "capture{captures:s}\n",
                                 run->page, err);
}

/* Chooses the format by the name of the file; PNG for the terminal. */
static bool
choose_format(const char *file, enum sq_format *out, struct sq_err *err) {
    const struct sq_picture_file_name name = { .file = file,
                                               .is_replaced = true };
    const char *implied;
    *out = SQ_FORMAT_PNG;
    return !file || sq_output_file_format(sq_span_of(file), out)
        || sq_picture_file_format(&name, &implied, err);
}

static bool
check_args(const struct watch_args *args, struct sq_err *err) {
    if (!args->json || args->output) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "--json needs -o FILE");
    return sq_fail_hint(err, "For example: squint watch --json -o screen.png");
}

static bool
watch(const struct sq_run *run, struct sq_err *err) {
    const struct sq_setup *setup = run->setup;
    const struct watch_args *args = run->args;
    struct watch watch = {
        .args = args,
        .captures = { .setup = setup,
                      .command = "squint watch",
                      .doing = "watching",
                      .wanted = args->device,
                      .json = args->json,
                      .count = args->count,
                      .step = look,
                      .show = draw_status,
                      .context = &watch },
        .opts = { .max_dimension = sq_reply_max_dimension(&setup->config) },
    };
    bool ok = check_args(args, err)
           && choose_format(args->output, &watch.opts.format, err)
           && sq_interval_parse(args->every ? args->every : "500ms",
                                LEAST_EVERY_MS, &watch.captures.every_ms, err)
           && watch_until_end(&watch, err) && put_end(&watch, run, err);
    *run->status = watch.pictures > 0 ? SQ_STATUS_OK : SQ_STATUS_FAILED;
    sq_buf_finish(&watch.shown);
    return ok;
}

static bool
watch_run(const struct sq_run *run, struct sq_err *err) {
    return sq_setup_check_text_rules(run->setup, sq_command_watch.uses, err)
        && sq_host_keep_state(run->setup->host, err) && watch(run, err);
}

const struct sq_command sq_command_watch = {
    .name = "watch",
    .heading = "Devices over time",
    .usage = "[options]",
    .summary = "show a device live, on the terminal or in a file",
    .options = watch_options,
    .uses = SQ_USE_DEVICES | SQ_USE_CAPTURES | SQ_USE_SIZES | SQ_USE_PICTURES
          | SQ_USE_TEXT_RULES,
    .prints_page = true,
    .run = watch_run,
};
