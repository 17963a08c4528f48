#include "app/operation.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/flags.h"
#include "app/setup.h"
#include "app/show.h"
#include "json/reader.h"
#include "json/writer.h"
#include "sys/file.h"
#include "sys/terminal.h"
#include "tool/names.h"
#include "tools/run.h"
#include "tools/table.h"

#define MAX_ARGUMENT_BYTES ((size_t)1 << 20)
#define MAX_ANSWER_BYTES ((size_t)64 << 20)

/* Take "-o FILE" (also --output) out of argv; NULL if it is not there. */
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

/* How an answer is printed. */
struct form {
    const char *output; /* the file of the picture; NULL: none */
    bool json;          /* all of it, pictures too */
    bool table;         /* for a person */
};

/* Take a word out of argv; whether it was there. */
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

static const struct sq_block *
first_picture(const struct sq_result *result) {
    for (int i = 0; i < result->count; i++) {
        if (result->blocks[i].kind == SQ_BLOCK_IMAGE) {
            return &result->blocks[i];
        }
    }
    return NULL;
}

/* An object that has members, with one more: the picture. */
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
    const struct sq_span text = { (const char *)block->data.data,
                                  block->data.len };
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
            ok = sq_file_write(output, block->data.data, block->data.len, err);
            written = ok;
        }
    }
    if (ok && output && !written) {
        fprintf(stderr, "squint: there was no picture to write to %s\n",
                output);
    }
    return ok;
}

/* The tables of an operation and of all operations, one behind the other. */
static bool
join_tables(const struct sq_tool *tool, struct sq_arg *out, size_t room) {
    size_t count = 0;
    const struct sq_arg *tables[] = { tool->args, sq_tool_common_args(tool) };
    for (int i = 0; i < 2; i++) {
        for (const struct sq_arg *arg = tables[i]; arg && arg->name; arg++) {
            if (count + 1 == room) {
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
        struct sq_span span = { (const char *)text.data, text.len };
        copy = sq_arena_strdup(arena, span, err);
    }
    ok = ok && copy
      && sq_json_parse((struct sq_span){ copy, text.len }, arena, out, err);
    sq_buf_finish(&text);
    return ok;
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
    bool ok = sq_setup_init_for(&setup, table, &argc, argv, err)
           && make_arguments(table, argc, argv, &arena, &arguments, err)
           && sq_host_run(setup.host, tool->name, arguments, &result, err)
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
                         "write the picture there")
        && sq_buf_printf(out, err, "  %-28s %s\n", "--json",
                         "print JSON, with the picture in base64")
        && sq_buf_printf(out, err, "  %-28s %s\n", "--table",
                         "print for a person, as on a terminal");
}
