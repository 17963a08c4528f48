/* Runs an operation from the command line and writes its pictures. */
#include "app/commands/operation.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "app/commands/show.h"
#include "app/flags.h"
#include "app/operation_args.h"
#include "app/setup.h"
#include "app/print_message.h"
#include "config/describe.h"
#include "json/reader.h"
#include "json/writer.h"
#include "sys/file.h"
#include "sys/path.h"
#include "sys/terminal.h"
#include "tool/names.h"
#include "tools/run.h"
#include "tools/screen/output_folder.h"
#include "tools/table.h"

#define MAX_ARGUMENT_BYTES ((size_t)1 << 20)
#define MAX_ANSWER_BYTES ((size_t)64 << 20)
/* Quality of a picture that is converted only to match the file's extension. */
#define CONVERTED_QUALITY 90
#define MAX_BESIDE 10000 /* limit of N in name_beside */

/* How an answer is printed, and where its picture is written. */
struct output_args {
    const char *output; /* file for the picture; NULL: none */
    bool json;          /* complete JSON with pictures */
    bool table;         /* as a table for people */
};

const struct sq_arg sq_operation_output_args[] = {
    { .name = "output",
      .letter = 'o',
      SQ_TEXT_FIELD(output_args, output, 0),
      .placeholder = "FILE",
      .text = "write the picture there: .jpg, .webp or .png" },
    SQ_BOOL(output_args, json, "json",
            "print JSON, with the picture in base64"),
    SQ_BOOL(output_args, table, "table",
            "print for a person, as on a terminal"),
    SQ_ARGS_END,
};

static const struct sq_block *
first_picture(const struct sq_result *result) {
    for (int i = 0; i < result->count; i++) {
        if (result->blocks[i].kind == SQ_BLOCK_IMAGE) {
            return &result->blocks[i];
        }
    }
    return NULL;
}

/* Writes a non-empty object with the picture as one more member. */
static bool
write_whole(struct sq_span object, const struct sq_block *picture,
            struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    if (!sq_buf_append(out, object.ptr, object.len - 1, err)
        || !sq_buf_printf(out, err, ",\"base64\":")) {
        return false;
    }
    sq_json_writer_init(&w, out);
    sq_json_put_base64(&w, picture->data.data, picture->data.len);
    return sq_json_writer_done(&w, err) && sq_buf_append(out, "}\n", 2, err);
}

static bool
write_text(const struct sq_block *block, const struct sq_block *picture,
           const struct output_args *output, struct sq_buf *out,
           struct sq_err *err) {
    const struct sq_span text = sq_buf_span(&block->data);
    struct sq_arena arena;
    const struct sq_json *answer = NULL;
    sq_arena_init(&arena, MAX_ANSWER_BYTES);
    bool has_members = (output->json || output->table)
                    && sq_json_parse(text, &arena, &answer, NULL)
                    && sq_json_is(answer, SQ_JSON_OBJECT)
                    && sq_json_count(answer) > 0;
    bool ok;
    if (has_members && output->json && picture) {
        ok = write_whole(text, picture, out, err);
    } else if (has_members && !output->json) {
        ok = sq_show(answer, out, err);
    } else {
        ok = sq_buf_append(out, text.ptr, text.len, err)
          && sq_buf_append(out, "\n", 1, err);
    }
    sq_arena_finish(&arena);
    return ok;
}

/*
 * Writes the picture in the format of the file's extension, if that is known.
 */
static bool
write_picture(const struct sq_block *picture, const char *file,
              struct sq_err *err) {
    struct sq_picture_opts opts = { 0 };
    struct sq_picture_info info;
    const struct sq_buf *bytes = &picture->data;
    if (!sq_output_file_format(sq_span_of(file), &opts.format)
        || strcmp(sq_format_mime(opts.format), picture->mime_type) == 0) {
        return sq_file_write(file, bytes->data, bytes->len, err);
    }
    opts.quality = opts.format == SQ_FORMAT_PNG ? 0 : CONVERTED_QUALITY;
    struct sq_buf converted;
    sq_buf_init(&converted, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_picture_make(bytes->data, bytes->len, &opts,
                              &sq_limits_default, &converted, &info, err)
           && sq_file_write(file, converted.data, converted.len, err);
    sq_buf_finish(&converted);
    return ok;
}

/* Reports that a picture was not written, or that there was none. */
static void
tell_picture(const struct sq_result *result, const struct output_args *output,
             bool written) {
    if (output->output && !written) {
        sq_print_message("squint: there was no picture to write to %s",
                         output->output);
    } else if (!output->output && !output->json && first_picture(result)
               && !result->saved_path[0]) {
        sq_print_message(
            "squint: the picture was not written: name a file for it with "
            "-o FILE");
    }
}

/* Returns the picture for -o: the one for the user, or else the first. */
static const struct sq_block *
main_picture(const struct sq_result *result) {
    for (int i = 0; i < result->count; i++) {
        const struct sq_block *block = &result->blocks[i];
        if (block->kind == SQ_BLOCK_IMAGE && block->audience == SQ_FOR_USER) {
            return block;
        }
    }
    return first_picture(result);
}

/* Writes "shot-2.jpg" for "shot.jpg", or the next free number. */
static bool
name_beside(const char *file, char out[SQ_PATH_SIZE], struct sq_err *err) {
    const char *slash = strrchr(file, '/');
    const char *dot = strrchr(slash ? slash : file, '.');
    const char *base = slash ? slash + 1 : file;
    int stem = dot && dot > base ? (int)(dot - file) : (int)strlen(file);
    for (int n = 2; n < MAX_BESIDE; n++) {
        char path[SQ_PATH_SIZE];
        bool exists;
        int len = snprintf(path, sizeof(path), "%.*s-%d%s", stem, file, n,
                           file + stem);
        if (len >= SQ_PATH_SIZE) {
            return sq_fail(err, SQ_ERR_ARGUMENT,
                           "the name of the file is too "
                           "long");
        }
        if (!sq_path_resolve(path, out, &exists, err)) {
            return false;
        }
        if (!exists) {
            return true;
        }
    }
    return sq_fail(err, SQ_ERR_IO, "there are too many files beside %s", file);
}

/* Writes a second picture beside the first file. */
static bool
write_beside(const struct sq_block *picture, const char *file,
             struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    if (strcmp(file, "-") == 0) {
        sq_print_message(
            "squint: another, smaller picture was not written: name a file "
            "with -o FILE");
        return true;
    }
    if (!name_beside(file, path, err) || !write_picture(picture, path, err)) {
        return false;
    }
    sq_print_message("squint: another, smaller picture was written to %s",
                     path);
    return true;
}

static bool
write_blocks(const struct sq_result *result, const struct output_args *output,
             struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    bool written = false;
    for (int i = 0; ok && i < result->count; i++) {
        const struct sq_block *block = &result->blocks[i];
        if (block->kind == SQ_BLOCK_TEXT) {
            ok = write_text(block, first_picture(result), output, out, err);
        } else if (block->kind == SQ_BLOCK_IMAGE && output->output) {
            bool is_main = block == main_picture(result);
            ok = is_main ? write_picture(block, output->output, err)
                         : write_beside(block, output->output, err);
            written = ok;
        }
    }
    if (ok) {
        tell_picture(result, output, written);
    }
    return ok;
}

/*
 * Adds the format that the file's extension implies, so that the operation
 * produces it. Fails if the flags request another format.
 */
static bool
add_format(const struct sq_arg *table, const char *file, struct sq_flags *flags,
           struct sq_err *err) {
    const struct sq_arg *arg = sq_args_find(table, SQ_SPAN("format"));
    enum sq_format format;
    if (!file || !arg || sq_flags_find(flags, "localPath")
        || !sq_output_file_format(sq_span_of(file), &format)) {
        return true;
    }
    const char *implied = sq_format_name(format);
    const struct sq_flag *given = sq_flags_find(flags, "format");
    if (!given) {
        return sq_flags_add(
            flags, &(struct sq_flag){ .arg = arg, .value = implied }, err);
    }
    if (strcasecmp(given->value, "auto") == 0
        || strcasecmp(given->value, implied) == 0) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "the format %s and the extension of %s contradict each other",
            given->value, file);
    return sq_fail_hint(err, "Leave --format out, or give the file another "
                             "name.");
}

/* A command line, converted. */
struct request {
    struct sq_arena arena; /* owns the arguments */
    const struct sq_json *arguments;
    struct output_args output;
};

/* Converts the command line to JSON arguments and the output options. */
static bool
read_request(const struct sq_operation_args *args, int argc, char **argv,
             struct request *out, struct sq_err *err) {
    const struct sq_arg *table = args->table;
    struct output_args *output = &out->output;
    struct sq_flags flags;
    struct sq_buf text;
    sq_buf_init(&text, MAX_ARGUMENT_BYTES);
    bool ok =
        sq_operation_args_parse(args, argc, argv, &out->arena, &flags, err)
        && sq_flags_take(&flags, sq_operation_output_args, output, err)
        && add_format(table, output->output, &flags, err)
        && sq_flags_write(&flags, table, &text, err);
    const char *copy =
        ok ? sq_arena_strdup(&out->arena, sq_buf_span(&text), err) : NULL;
    ok = copy
      && sq_json_parse((struct sq_span){ copy, text.len }, &out->arena,
                       &out->arguments, err);
    sq_buf_finish(&text);
    if (!output->json && sq_is_terminal(STDOUT_FILENO)) {
        output->table = true;
    }
    return ok;
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
      "Pictures are remembered in a session of squint mcp only. Leave it out: "
      "x and y are those of a picture of the default size, of one of "
      "--max-dimension, or of the device with --device-space." },
    { SQ_ERR_STALE_ELEMENT, "elementIndex",
      "Lists are remembered in a session of squint mcp only. Use a selector, "
      "such as --selector.text Login, or x and y of the element." },
};

/*
 * Runs the operation. Error hints must not refer to the state of an earlier
 * process.
 */
static bool
run(const struct sq_setup *setup, const struct sq_tool *tool,
    const struct sq_json *arguments, struct sq_result *result,
    struct sq_err *err) {
    if (sq_host_run(setup->host, tool->name, arguments, result, err)) {
        return true;
    }
    for (size_t i = 0; i < sizeof(remembered) / sizeof(remembered[0]); i++) {
        if (err->code == remembered[i].code
            && sq_json_get(arguments, remembered[i].argument)) {
            return sq_fail_hint(err, "%s", remembered[i].instead);
        }
    }
    return false;
}

bool
sq_operation_run(const struct sq_tool *tool, int argc, char **argv,
                 struct sq_buf *out, struct sq_err *err) {
    struct sq_operation_args args;
    struct sq_setup setup;
    struct sq_result result = { 0 };
    struct request request = { 0 };
    if (!sq_operation_args_init(&args, tool, sq_operation_output_args, err)) {
        return false;
    }
    sq_arena_init(&request.arena, MAX_ARGUMENT_BYTES * 2);
    bool ok = sq_setup_init_for(&setup, args.table, &argc, argv, err)
           && read_request(&args, argc, argv, &request, err)
           && run(&setup, tool, request.arguments, &result, err)
           && write_blocks(&result, &request.output, out, err);
    sq_result_finish(&result);
    sq_arena_finish(&request.arena);
    sq_setup_finish(&setup);
    return ok;
}

bool
sq_operation_help(const struct sq_tool *tool, struct sq_buf *out,
                  struct sq_err *err) {
    struct sq_operation_args args;
    return sq_operation_args_init(&args, tool, sq_operation_output_args, err)
        && sq_buf_printf(out, err, "Usage: squint %s ", sq_tool_verb(tool))
        && sq_operation_args_usage(&args, out, err)
        && sq_buf_printf(out, err, "\n\n%s\n\nOptions:\n", tool->text)
        && sq_flags_help(args.table, out, err)
        && sq_buf_printf(out, err, "\nConfiguration:\n")
        && sq_config_help(sq_flags_has, args.table, out, err);
}
