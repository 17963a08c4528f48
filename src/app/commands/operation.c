/* Runs an operation from the command line. */
#include "app/commands/operation.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "app/commands/picture_file.h"
#include "app/install/install.h"
#include "app/interrupt.h"
#include "app/print_message.h"
#include "app/terminal/progress.h"
#include "page/width.h"
#include "sys/call.h"
#include "tools/offer.h"
#include "tools/operations.h"
#include "tools/reply.h"
#include "tools/table.h"

#define MAX_ARGUMENT_BYTES ((size_t)1 << 20)

/*
 * Adds the format that the file's extension implies, so that the operation
 * produces it. Fails if the flags request another format.
 */
static bool
add_format(const struct sq_arg *table, const char *file, struct sq_flags *flags,
           struct sq_err *err) {
    const struct sq_arg *arg = sq_args_find(table, SQ_SPAN("format"));
    const struct sq_flag *given = arg ? sq_flags_find(flags, "format") : NULL;
    const struct sq_picture_file_name name = {
        .file = file,
        .given = given ? given->value : NULL,
        .takes_format = arg != NULL,
    };
    const char *implied = NULL;
    if (file && !sq_picture_file_format(&name, &implied, err)) {
        return false;
    }
    return !implied || !arg || given
        || sq_flags_add(flags,
                        &(struct sq_flag){ .arg = arg, .value = implied }, err);
}

/* A file for the picture of an action implies that it looks. */
static bool
add_look(const struct sq_arg *table, const char *file, struct sq_flags *flags,
         struct sq_err *err) {
    const struct sq_arg *arg = sq_args_find(table, SQ_SPAN("look"));
    const struct sq_flag *given = arg ? sq_flags_find(flags, "look") : NULL;
    if (!file || !arg) {
        return true;
    }
    if (!given) {
        return sq_flags_add(flags, &(struct sq_flag){ .arg = arg }, err);
    }
    if (strcmp(sq_flag_text(given), "true") == 0) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "--no-look means that there is no picture for %s", file);
    return sq_fail_hint(err, "Leave -o or --no-look out.");
}

/* The user of find asks for a picture with -o, --show or --json only. */
static bool
add_tier(const struct sq_arg *table, const struct sq_output_args *output,
         struct sq_flags *flags, struct sq_err *err) {
    const struct sq_arg *arg = sq_args_find(table, SQ_SPAN("maxTier"));
    bool wants_picture = output->output || output->json || output->show.value;
    return !arg || wants_picture || sq_flags_find(flags, "maxTier")
        || sq_flags_add(flags,
                        &(struct sq_flag){ .arg = arg, .value = "shape" }, err);
}

/* Fails if the only picture of a screenshot is a file in the output folder. */
static bool
check_inline(const struct sq_tool *tool, const struct sq_flags *flags,
             const char *wanted, struct sq_err *err) {
    const struct sq_flag *shown = sq_flags_find(flags, "inline");
    bool is_hidden = shown && strcmp(sq_flag_text(shown), "false") == 0;
    if (tool != &sq_tool_screenshot
        || (!is_hidden && !sq_flags_find(flags, "localPath"))) {
        return true;
    }
    const char *option = is_hidden ? "--no-inline" : "--local-path";
    sq_fail(err, SQ_ERR_ARGUMENT, "%s means that there is no picture for %s",
            option, wanted);
    return sq_fail_hint(err, "Leave %s or %s out.", option, wanted);
}

/* Fails if the picture can neither be written nor shown as requested. */
static bool
check_output(const struct sq_tool *tool, const struct sq_flags *flags,
             const struct sq_output_args *output, struct sq_err *err) {
    const char *file = output->output;
    bool show = output->show.given && output->show.value;
    const char *instead = output->json                    ? "--json"
                        : sq_picture_file_is_stdout(file) ? "-o -"
                                                          : NULL;
    if (!sq_picture_file_check_stdout(file, output->json, err)) {
        return false;
    }
    if (show && instead) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--show has no effect with %s", instead);
        return sq_fail_hint(err, "Leave one of them out.");
    }
    return (!file && !show)
        || check_inline(tool, flags, file ? file : "--show", err);
}

/* When an argument changes nothing that a person sees. */
enum useless_when {
    ALWAYS, /* it is for a client of squint mcp */
    WITHOUT_JSON,
    WITHOUT, /* the other argument */
    BESIDE,  /* the other argument */
};

static const struct useless {
    const char *operation;
    const char *argument;
    enum useless_when when;
    const char *value; /* NULL: any */
    const char *other; /* argument or group */
    const char *hint;  /* NULL: made */
} useless[] = {
    { "list_screenshots", "links", ALWAYS, NULL, NULL, NULL },
    { "get_screenshot", "full", ALWAYS, "link", NULL, NULL },
    { "video", "record", ALWAYS, NULL, NULL,
      "Give how long it takes: squint video 10s -o x.mp4. Ctrl-C ends it." },
    { "screenshot", "appName", WITHOUT_JSON, NULL, NULL, NULL },
    { "screenshot", "screenName", WITHOUT_JSON, NULL, NULL, NULL },
    { "screenshot", "state", WITHOUT_JSON, NULL, NULL, NULL },
    { "screenshot", "enableCoordinateCaching", WITHOUT_JSON, NULL, NULL, NULL },
    { "wait", "stableMs", BESIDE, NULL, "text",
      "Leave it out, or wait without a text until the screen is at rest." },
    { "wait", "stableMs", BESIDE, NULL, "selector",
      "Leave it out, or wait without a selector until the screen is at "
      "rest." },
    { "crop_screenshot", "coordinateUnits", WITHOUT, NULL, "x",
      "Leave it out, or name the part with --region X,Y,W,H." },
    { "save_screenshot", "coordinateUnits", WITHOUT, NULL, "cropX",
      "Leave it out, or name the part with --region X,Y,W,H." },
};

/* Returns whether an argument, or a member of that group, is given. */
static bool
is_given(const struct sq_flags *flags, const char *name) {
    for (int i = 0; i < flags->count; i++) {
        const struct sq_flag *flag = &flags->items[i];
        const struct sq_arg *arg = flag->group ? flag->group : flag->arg;
        if (strcmp(arg->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool
is_useless(const struct useless *row, const struct sq_flags *flags, bool json) {
    switch (row->when) {
    case ALWAYS:
        return true;
    case WITHOUT_JSON:
        return !json;
    case WITHOUT:
        return !is_given(flags, row->other);
    case BESIDE:
        return is_given(flags, row->other);
    }
    return false;
}

static bool
fail_useless(const struct useless *row, const struct sq_flag *flag,
             struct sq_err *err) {
    static const char *const where[] = {
        [ALWAYS] = "on the command line",
        [WITHOUT_JSON] = "without --json",
        [WITHOUT] = "without a part",
        [BESIDE] = "while waiting for an element",
    };
    char name[SQ_FLAG_FULL_SIZE];
    sq_flag_full_name(flag->group, flag->arg, name);
    sq_fail(err, SQ_ERR_ARGUMENT, "%s%s%s has no effect %s", name,
            row->value ? " " : "", row->value ? row->value : "",
            where[row->when]);
    return sq_fail_hint(err, "%s",
                        row->hint                   ? row->hint
                        : row->when == WITHOUT_JSON ? "Leave it out, or add "
                                                      "--json."
                                                    : "Leave it out.");
}

/* Fails if an option would have no effect on what is printed. */
static bool
check_useful(const struct sq_tool *tool, const struct sq_flags *flags,
             bool json, struct sq_err *err) {
    for (size_t i = 0; i < SQ_COUNT(useless); i++) {
        const struct useless *row = &useless[i];
        const struct sq_flag *flag = sq_flags_find(flags, row->argument);
        if (strcmp(tool->name, row->operation) == 0 && flag
            && (!row->value || strcmp(sq_flag_text(flag), row->value) == 0)
            && is_useless(row, flags, json)) {
            return fail_useless(row, flag, err);
        }
    }
    return true;
}

/* A command line, converted. */
struct request {
    struct sq_arena arena; /* owns the arguments */
    const struct sq_json *arguments;
    struct sq_output_args output;
};

/*
 * Makes the files of install-app names beneath "/": a person who has named no
 * folder may install any file.
 */
static bool
resolve_files(const struct sq_config *config, struct sq_flags *flags,
              struct sq_arena *arena, struct sq_err *err) {
    const char *root = config->tools.install_from;
    char path[PATH_MAX];
    bool ok = true;
    for (int i = 0; ok && i < flags->count; i++) {
        struct sq_flag *flag = &flags->items[i];
        if (root && strcmp(root, "/") == 0
            && strcmp(flag->arg->name, "paths") == 0
            && sq_call_realpath(sq_flag_text(flag), path)) {
            flag->value = sq_arena_strdup(arena, sq_span_of(path + 1), err);
            ok = flag->value != NULL;
        }
    }
    return ok;
}

/* Makes the file of -o the one that video writes. */
static bool
move_video(struct sq_config *config, const struct sq_arg *table,
           struct sq_flags *flags, struct request *request,
           struct sq_err *err) {
    const char *file = request->output.output;
    const struct sq_arg *arg = sq_args_find(table, SQ_SPAN("localPath"));
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (!file) {
        return true;
    }
    request->output.output = NULL;
    config->output.directory =
        slash ? sq_arena_strdup(
            &request->arena,
            (struct sq_span){ file, (size_t)(slash - file) + (slash == file) },
            err)
              : ".";
    return config->output.directory
        && sq_flags_add(flags,
                        &(struct sq_flag){ .arg = arg,
                                           .value = slash ? slash + 1 : file },
                        err);
}

/* Converts the command line to JSON arguments and the output options. */
static bool
read_request(struct sq_config *config, const struct sq_operation_args *args,
             int argc, char **argv, struct request *out, struct sq_err *err) {
    const struct sq_arg *table = args->table;
    struct sq_output_args *output = &out->output;
    struct sq_flags flags;
    SQ_BUF(text, MAX_ARGUMENT_BYTES);
    bool ok =
        sq_operation_args_parse(args, argc, argv, &out->arena, &flags, err)
        && sq_flags_take(&flags, sq_operation_output_args(args->tool), output,
                         err)
        && resolve_files(config, &flags, &out->arena, err)
        && (args->tool != &sq_tool_video
            || move_video(config, table, &flags, out, err))
        && check_useful(args->tool, &flags, output->json, err)
        && check_output(args->tool, &flags, output, err)
        && add_format(table, output->output, &flags, err)
        && add_look(table, output->output, &flags, err)
        && (args->tool != &sq_tool_find || add_tier(table, output, &flags, err))
        && sq_flags_write(&flags, table, &text, err);
    const char *copy =
        ok ? sq_arena_strdup(&out->arena, sq_buf_span(&text), err) : NULL;
    return copy
        && sq_json_parse((struct sq_span){ copy, text.len }, &out->arena,
                         &out->arguments, err);
}

/*
 * Errors that refer to the state of a session, and the hints to give instead.
 */
static const struct {
    enum sq_err_code code;
    const char *argument;
    const char *instead;
} remembered[] = {
    { SQ_ERR_UNKNOWN_SCREENSHOT, "screenshotId",
      "The latest 16 pictures of a day are remembered. Leave it out: x and y "
      "are then those of the latest one, or of the device with "
      "--device-space." },
    { SQ_ERR_STALE_ELEMENT, "elementIndex",
      "Lists are remembered in a session of squint mcp only. Use a selector, "
      "such as --selector.text Login, or x and y of the element." },
};

/* The line of progress of an operation. */
struct drawing {
    struct sq_progress line;
    bool counts_ms;
};

static void
draw_progress(void *context, const char *what, double done, double total) {
    struct drawing *drawing = context;
    char text[SQ_PROGRESS_TEXT_SIZE];
    if (drawing->counts_ms) {
        snprintf(text, sizeof(text), "%.100s: %.0f of %.0f s", what,
                 done / 1000, total / 1000);
        sq_progress_show(&drawing->line, text);
    } else {
        sq_progress_report(&drawing->line, what, done, total);
    }
}

/* Runs the operation while Ctrl-C cancels it and its progress is drawn. */
static bool
run_watched(const struct sq_setup *setup, const struct sq_tool *tool,
            const struct request *request, struct sq_result *result,
            struct sq_err *err) {
    struct sq_interrupt *interrupt = NULL;
    struct drawing drawing = { .counts_ms = tool->people.counts_ms };
    if (!sq_interrupt_create(&interrupt, err)) {
        return false;
    }
    sq_progress_start(&drawing.line);
    const struct sq_host_watch watch = {
        .cancel = sq_interrupt_cancel(interrupt),
        .report = draw_progress,
        .context = &drawing,
        .needs_picture = request->output.output != NULL,
    };
    bool ok = sq_host_run(setup->host, tool->name, request->arguments, &watch,
                          result, err);
    sq_progress_clear(&drawing.line);
    if (!ok && sq_cancel_is_set(watch.cancel)) {
        sq_fail(err, SQ_ERR_CANCELLED, "interrupted%s",
                tool->flags & SQ_TOOL_ACTS ? "; the action may have been done"
                                           : "");
    }
    sq_interrupt_destroy(interrupt);
    return ok;
}

/*
 * Adds to the hint of squint uninstall cursor: it means an app, but cursor is
 * also a client of squint install. Returns false.
 */
static bool
mention_client(const struct sq_tool *tool, const struct sq_json *arguments,
               struct sq_err *err) {
    struct sq_span app = sq_json_text_of(arguments, "packageName");
    const struct sq_install_client *client = NULL;
    const struct sq_err before = *err;
    for (size_t i = 0; (client = sq_install_client_at(i)); i++) {
        if (tool == &sq_tool_uninstall && sq_span_is(app, client->name)) {
            char hint[2 * SQ_ERR_HINT_SIZE];
            snprintf(hint, sizeof(hint),
                     "squint install %s --uninstall removes squint from %s. %s",
                     client->name, client->name, before.hint);
            return sq_fail_hint(err, "%s", hint); /* its marks count */
        }
    }
    return false;
}

/*
 * Tells how to write a point if a label such as "200,500" was not found: squint
 * tap 200 500. Returns false.
 */
static bool
mention_point(const struct sq_tool *tool, const struct sq_json *arguments,
              struct sq_err *err) {
    const struct sq_json *selector = sq_json_get(arguments, "selector");
    struct sq_span rest = sq_json_text_of(selector, "text");
    int64_t x;
    int64_t y;
    bool is_point = sq_span_take_int64(&rest, &x)
                 && sq_span_take_prefix(&rest, ",")
                 && sq_span_to_int64(sq_span_trim(rest), &y);
    bool takes_point = tool->words && strncmp(tool->words, "x y ", 4) == 0;
    if (err->code != SQ_ERR_ELEMENT_NOT_FOUND || !is_point || !takes_point) {
        return false;
    }
    return sq_fail_hint(err,
                        "This is the label of an element. For a point, write "
                        "squint %s %" PRId64 " %" PRId64 ".",
                        sq_tool_verb(tool), x, y);
}

/*
 * Runs the operation. Error hints must not refer to the state of an earlier
 * process.
 */
static bool
run(const struct sq_setup *setup, const struct sq_tool *tool,
    const struct request *request, struct sq_result *result,
    struct sq_err *err) {
    if (run_watched(setup, tool, request, result, err)) {
        return true;
    }
    for (size_t i = 0; i < SQ_COUNT(remembered); i++) {
        if (err->code == remembered[i].code
            && sq_json_get(request->arguments, remembered[i].argument)) {
            return sq_fail_hint(err, "%s", remembered[i].instead);
        }
    }
    return mention_client(tool, request->arguments, err)
        || mention_point(tool, request->arguments, err);
}

/* Writes the arguments of a screenshot of the same device for the file. */
static bool
write_screenshot_arguments(const struct request *request, struct sq_buf *out,
                           struct sq_err *err) {
    const struct sq_picture_file_name name = { .file = request->output.output,
                                               .takes_format = true };
    struct sq_span device = sq_json_text_of(request->arguments, "deviceId");
    const char *format = NULL;
    struct sq_json_writer w;
    if (!sq_picture_file_format(&name, &format, err)) {
        return false;
    }
    sq_json_open(&w, out);
    if (device.len > 0) {
        sq_json_put_string(sq_json_at(&w, "deviceId"), device);
    }
    if (format) {
        sq_put_text(&w, "format", format);
    }
    return sq_json_close(&w, err);
}

/* Adds the pictures of a screenshot to a result. */
static bool
take_screenshot(const struct sq_setup *setup, struct request *request,
                struct sq_span text, struct sq_result *result,
                struct sq_err *err) {
    SQ_FREED(sq_result_finish) struct sq_result shot = { 0 };
    const struct sq_json *arguments;
    bool ok = sq_json_parse(text, &request->arena, &arguments, err)
           && sq_host_run(setup->host, sq_tool_screenshot.name, arguments, NULL,
                          &shot, err);
    for (int i = 0; ok && i < shot.count; i++) {
        const struct sq_block *from = &shot.blocks[i];
        struct sq_block *to;
        if (from->kind != SQ_BLOCK_IMAGE) {
            continue;
        }
        ok = sq_result_add(result, from->kind, from->data.len, &to, err)
          && sq_buf_append(&to->data, from->data.data, from->data.len, err);
        if (ok) {
            to->mime_type = from->mime_type;
            to->audience = from->audience;
        }
    }
    return ok;
}

/* find takes a picture only if nothing matches; a file needs one anyway. */
static bool
add_picture(const struct sq_setup *setup, const struct sq_tool *tool,
            struct request *request, struct sq_result *result,
            struct sq_err *err) {
    if (tool != &sq_tool_find || !request->output.output
        || sq_result_first(result, SQ_BLOCK_IMAGE)) {
        return true;
    }
    SQ_BUF(text, MAX_ARGUMENT_BYTES);
    bool ok = write_screenshot_arguments(request, &text, err);
    const char *copy =
        ok ? sq_arena_strdup(&request->arena, sq_buf_span(&text), err) : NULL;
    return copy
        && take_screenshot(setup, request, sq_span_of(copy), result, err);
}

/* After a failure out has only the details of the error. */
static void
write_details(const struct sq_answered *answered,
              const struct sq_output_args *output, struct sq_buf *out) {
    const struct sq_buf *details = &answered->result->details;
    sq_buf_clear(out);
    if (!output->json) {
        sq_result_write_details(answered, out);
    } else if (details->len > 0) {
        (void)sq_buf_append(out, details->data, details->len, NULL);
    }
}

bool
sq_operation_run(const struct sq_tool *tool, int argc, char **argv,
                 struct sq_buf *out, enum sq_status *status,
                 struct sq_err *err) {
    struct sq_operation_args args;
    struct sq_setup setup = { 0 };
    struct sq_result result = { 0 };
    struct request request = { 0 };
    if (!sq_operation_args_init(&args, tool, err)) {
        return false;
    }
    sq_arena_init(&request.arena, MAX_ARGUMENT_BYTES * 2);
    const struct sq_accepted accepted = { args.table, sq_tool_uses(tool),
                                          tool->flags };
    bool ok = sq_setup_init(&setup, &accepted, &argc, argv, err)
           && (!(tool->flags & (SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_NUMBERS))
               || sq_host_keep_state(setup.host, err))
           && read_request(&setup.config, &args, argc, argv, &request, err);
    if (tool == &sq_tool_steps && !request.output.json) {
        sq_print_for(SQ_FOR_JSON);
    }
    ok = ok && run(&setup, tool, &request, &result, err)
      && add_picture(&setup, tool, &request, &result, err);
    const struct sq_answered answered = { tool, request.arguments, &result };
    ok = ok && sq_result_write(&answered, &request.output, out, status, err)
      && sq_search_show(setup.host, tool, &result, request.output.show, err);
    if (!ok) {
        write_details(&answered, &request.output, out);
    }
    sq_result_finish(&result);
    sq_arena_finish(&request.arena);
    sq_setup_finish(&setup);
    return ok;
}
