/* Runs an operation from the command line and writes its pictures. */
#include "app/commands/operation.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/commands/show.h"
#include "app/flags.h"
#include "app/setup.h"
#include "app/print_message.h"
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

/*
 * Removes "-o FILE" (also --output) from argv. Returns NULL if it is not there.
 */
static const char *
take_output(int *argc, char **argv) {
    for (int i = 0; i + 1 < *argc; i++) {
        if (strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--output") == 0) {
            const char *file = argv[i + 1];
            memmove(argv + i, argv + i + 2,
                    (size_t)(*argc - i - 2) * sizeof(*argv));
            *argc -= 2;
            return file;
        }
    }
    return NULL;
}

/* The output format of an answer. */
struct form {
    const char *output; /* file for the picture; NULL: none */
    bool json;          /* complete JSON with pictures */
    bool table;         /* as a table for people */
};

/* Removes a word from argv; returns whether it was there. */
static bool
take_word(int *argc, char **argv, const char *word) {
    for (int i = 0; i < *argc; i++) {
        if (strcmp(argv[i], word) == 0) {
            memmove(argv + i, argv + i + 1,
                    (size_t)(*argc - i - 1) * sizeof(*argv));
            (*argc)--;
            return true;
        }
    }
    return false;
}

static struct form
take_form(int *argc, char **argv) {
    struct form form = { .output = take_output(argc, argv) };
    form.json = take_word(argc, argv, "--json");
    form.table = take_word(argc, argv, "--table")
              || (!form.json && sq_is_terminal(STDOUT_FILENO));
    return form;
}

/* A command line without the output options. */
struct words {
    int argc;
    char **argv;
    const char *output;
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
           const struct form *form, struct sq_buf *out, struct sq_err *err) {
    const struct sq_span text = sq_buf_span(&block->data);
    struct sq_arena arena;
    const struct sq_json *answer = NULL;
    sq_arena_init(&arena, MAX_ANSWER_BYTES);
    bool has_members = (form->json || form->table)
                    && sq_json_parse(text, &arena, &answer, NULL)
                    && sq_json_is(answer, SQ_JSON_OBJECT)
                    && sq_json_count(answer) > 0;
    bool ok;
    if (has_members && form->json && picture) {
        ok = write_whole(text, picture, out, err);
    } else if (has_members && !form->json) {
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

/* Returns whether the operation itself has saved the picture to a file. */
static bool
names_file(const struct sq_result *result) {
    struct sq_arena arena;
    const struct sq_json *answer = NULL;
    bool found = false;
    sq_arena_init(&arena, MAX_ANSWER_BYTES);
    for (int i = 0; i < result->count && !found; i++) {
        const struct sq_buf *text = &result->blocks[i].data;
        const struct sq_span span = sq_buf_span(text);
        found = result->blocks[i].kind == SQ_BLOCK_TEXT
             && sq_json_parse(span, &arena, &answer, NULL)
             && (sq_json_get(answer, "screenshotPath")
                 || sq_json_get(sq_json_get(answer, "visualFallback"),
                                "screenshotPath"));
    }
    sq_arena_finish(&arena);
    return found;
}

/* Reports that a picture was not written, or that there was none. */
static void
tell_picture(const struct sq_result *result, const struct form *form,
             bool written) {
    if (form->output && !written) {
        sq_print_message("squint: there was no picture to write to %s",
                         form->output);
    } else if (!form->output && !form->json && first_picture(result)
               && !names_file(result)) {
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
write_blocks(const struct sq_result *result, const struct form *form,
             struct sq_buf *out, struct sq_err *err) {
    const char *output = form->output;
    bool ok = true;
    bool written = false;
    for (int i = 0; ok && i < result->count; i++) {
        const struct sq_block *block = &result->blocks[i];
        if (block->kind == SQ_BLOCK_TEXT) {
            ok = write_text(block, first_picture(result), form, out, err);
        } else if (block->kind == SQ_BLOCK_IMAGE && output) {
            bool is_main = block == main_picture(result);
            ok = is_main ? write_picture(block, output, err)
                         : write_beside(block, output, err);
            written = ok;
        }
    }
    if (ok) {
        tell_picture(result, form, written);
    }
    return ok;
}

/* Joins the tables of an operation and of all operations. */
static bool
join_tables(const struct sq_tool *tool, struct sq_arg *out, size_t capacity) {
    size_t count = 0;
    const struct sq_arg *tables[] = { tool->args, sq_tool_common_args(tool) };
    for (int i = 0; i < 2; i++) {
        for (const struct sq_arg *arg = tables[i]; arg && arg->name; arg++) {
            if (count + 1 == capacity) {
                return false;
            }
            out[count++] = *arg;
        }
    }
    out[count] = (struct sq_arg){ 0 };
    return true;
}

#define MAX_TABLE 64

static bool
make_arguments(const struct sq_arg *table, int argc, char **argv,
               struct sq_arena *arena, const struct sq_json **out,
               struct sq_err *err) {
    struct sq_buf text;
    sq_buf_init(&text, MAX_ARGUMENT_BYTES);
    bool ok = sq_flags_to_json(table, argc, argv, &text, err);
    const char *copy = NULL;
    if (ok) {
        struct sq_span span = sq_buf_span(&text);
        copy = sq_arena_strdup(arena, span, err);
    }
    ok = ok && copy
      && sq_json_parse((struct sq_span){ copy, text.len }, arena, out, err);
    sq_buf_finish(&text);
    return ok;
}

static bool
has_argument(const struct sq_tool *tool, const char *name) {
    for (const struct sq_arg *arg = tool->args; arg && arg->name; arg++) {
        if (strcmp(arg->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/*
 * Returns the format that the file's extension implies, so that the operation
 * produces it. NULL if it implies none. Fails if the arguments request another
 * format.
 */
static bool
wish_format(const struct sq_tool *tool, const struct sq_json *arguments,
            const char *output, const char **out, struct sq_err *err) {
    enum sq_format format;
    *out = NULL;
    if (!output || !has_argument(tool, "format")
        || sq_json_get(arguments, "localPath")
        || !sq_output_file_format(sq_span_of(output), &format)) {
        return true;
    }
    const char *wish = sq_format_name(format);
    const struct sq_json *given = sq_json_get(arguments, "format");
    struct sq_span word = sq_json_text_of(arguments, "format");
    if (!given) {
        *out = wish;
        return true;
    }
    if (sq_span_is(word, "auto") || sq_span_is(word, wish)) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "the format %.*s and the ending of %s contradict each other",
            SQ_SPAN_ARGS(word), output);
    return sq_fail_hint(err, "Leave --format out, or give the file another "
                             "name.");
}

/* Reads all arguments, with the format that -o implies. */
static bool
read_arguments(const struct sq_tool *tool, const struct sq_arg *table,
               const struct words *words, struct sq_arena *arena,
               const struct sq_json **out, struct sq_err *err) {
    const char *wish;
    char format[32];
    if (!make_arguments(table, words->argc, words->argv, arena, out, err)
        || !wish_format(tool, *out, words->output, &wish, err)) {
        return false;
    }
    if (!wish) {
        return true;
    }
    /* argv has space, because -o and its file were removed. */
    snprintf(format, sizeof(format), "format=%s", wish);
    words->argv[words->argc] = format;
    return make_arguments(table, words->argc + 1, words->argv, arena, out, err);
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
      "--max-image-dimension, or of the device with --device-space." },
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
    struct sq_arg table[MAX_TABLE];
    struct sq_setup setup;
    struct sq_arena arena;
    struct sq_result result = { 0 };
    if (!join_tables(tool, table, MAX_TABLE)) {
        return sq_fail(err, SQ_ERR_LIMIT, "too many arguments");
    }
    const struct sq_json *arguments = NULL;
    sq_arena_init(&arena, MAX_ARGUMENT_BYTES * 2);
    const struct form form = take_form(&argc, argv);
    struct words words = { argc, argv, form.output };
    bool ok = sq_setup_init_for(&setup, table, &words.argc, argv, err)
           && read_arguments(tool, table, &words, &arena, &arguments, err)
           && run(&setup, tool, arguments, &result, err)
           && write_blocks(&result, &form, out, err);
    sq_result_finish(&result);
    sq_arena_finish(&arena);
    sq_setup_finish(&setup);
    return ok;
}

bool
sq_operation_help(const struct sq_tool *tool, struct sq_buf *out,
                  struct sq_err *err) {
    return sq_buf_printf(out, err, "Usage: squint %s [options]\n\n%s\n\n",
                         sq_tool_verb(tool), tool->text)
        && sq_buf_printf(out, err, "Options:\n")
        && sq_flags_help(tool->args, "", out, err)
        && sq_flags_help(sq_tool_common_args(tool), "", out, err)
        && sq_buf_printf(out, err, "  %-28s %s\n", "-o FILE",
                         "write the picture there: .jpg, .webp or .png")
        && sq_buf_printf(out, err, "  %-28s %s\n", "--json",
                         "print JSON, with the picture in base64")
        && sq_buf_printf(out, err, "  %-28s %s\n", "--table",
                         "print for a person, as on a terminal");
}
