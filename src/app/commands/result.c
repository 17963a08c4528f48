/* Writes the pictures of an operation, and prints its reply. */
#include "app/commands/operation.h"

#include <limits.h>
#include <stdio.h>

#include "app/commands/picture_file.h"
#include "app/print_message.h"
#include "app/terminal/picture.h"
#include "image/pipeline/codec.h"
#include "tools/operations.h"
#include "tools/table.h"
#include "util/utf8.h"

#define MAX_ANSWER_BYTES ((size_t)64 << 20)
#define MAX_TABLE_BYTES ((size_t)64 << 20)

/* For operations that may return a picture. */
static const struct sq_arg picture_args[] = {
    { .name = "output",
      .letter = 'o',
      SQ_TEXT_FIELD(sq_output_args, output, 0),
      .placeholder = "FILE",
      .text = "" },
    SQ_BOOL(sq_output_args, show, "show",
            "show the picture on the terminal; --no-show: never",
            .is_three_way = true),
    SQ_BOOL(sq_output_args, json, "json",
            "print JSON, errors too; without -o with the picture in base64"),
    SQ_COLOR_ROW(sq_output_args),
    SQ_ARGS_END,
};
static const struct sq_arg text_args[] = {
    SQ_BOOL(sq_output_args, json, "json", "print JSON, errors too"),
    SQ_COLOR_ROW(sq_output_args),
    SQ_ARGS_END,
};

/* A search lists what it finds; app/commands/search_show shows it. */
static const struct sq_arg search_args[] = {
    SQ_BOOL(sq_output_args, show, "show",
            "also show the pictures as one sheet on the terminal"),
    SQ_BOOL(sq_output_args, json, "json", "print JSON, errors too"),
    SQ_COLOR_ROW(sq_output_args),
    SQ_ARGS_END,
};

const struct sq_arg *
sq_operation_output_args(const struct sq_tool *tool) {
    return tool == &sq_tool_search_screenshots                   ? search_args
         : tool->flags & SQ_TOOL_IMAGE || tool == &sq_tool_video ? picture_args
                                                                 : text_args;
}

const char *
sq_operation_output_text(const struct sq_tool *tool) {
    static const struct {
        const struct sq_tool *tool;
        const char *text;
    } special[] = {
        { &sq_tool_find,
          "write the screen there: .jpg, .webp or .png; none: no picture" },
        { &sq_tool_steps,
          "write the pictures of the steps there, and one of the end: .jpg, "
          ".webp or .png; none: the first under a new name, if a step took "
          "one" },
        { &sq_tool_video,
          "write the video there: .mp4; none: into the output folder" },
        { &sq_tool_visual_snapshot,
          "write the picture also there: .jpg, .webp or .png; none: into the "
          "output folder" },
    };
    for (size_t i = 0; i < SQ_COUNT(special); i++) {
        if (special[i].tool == tool) {
            return special[i].text;
        }
    }
    return sq_args_find(tool->args, SQ_SPAN("look"))
             ? "look as with --look, and write the picture there: .jpg, .webp "
               "or .png; none: --look writes it under a new name"
             : "write the picture there: .jpg, .webp or .png; none: under a "
               "new name";
}

/* Returns the picture for the file: the one for the user, or else the first. */
static const struct sq_block *
main_picture(const struct sq_result *result) {
    for (int i = 0; i < result->count; i++) {
        const struct sq_block *block = &result->blocks[i];
        if (block->kind == SQ_BLOCK_IMAGE && block->audience == SQ_FOR_USER) {
            return block;
        }
    }
    return sq_result_first(result, SQ_BLOCK_IMAGE);
}

/* One result on its way to the user. */
struct delivery {
    const struct sq_tool *tool;
    const struct sq_json *request;
    const struct sq_result *result;
    const struct sq_output_args *output;
    struct sq_arena arena;
    const struct sq_json *reply; /* NULL: it is not a JSON object */
    const struct sq_block *picture;
    char file[SQ_PATH_SIZE]; /* the picture was written there; empty: not */
    bool is_unwritten;       /* it could not be written, which was reported */
};

static bool
is_stdout(const struct delivery *d) {
    return sq_picture_file_is_stdout(d->output->output);
}

/*
 * Writes a further picture beside the first file: the small one for a model, or
 * that of another step.
 */
static bool
write_beside(const struct delivery *d, const struct sq_block *picture,
             struct sq_err *err) {
    const char *kind = d->tool == &sq_tool_steps ? "" : ", smaller";
    char path[SQ_PATH_SIZE];
    if (is_stdout(d)) {
        sq_print_message("squint: another%s picture was not written: name a "
                         "file with -o FILE",
                         kind);
        return true;
    }
    if (!sq_picture_file_write_beside(picture, d->file, path, err)) {
        return false;
    }
    sq_print_message("squint: another%s picture was written to %s", kind, path);
    return true;
}

static bool
write_to_file(struct delivery *d, struct sq_err *err) {
    if (d->picture && !d->output->output && !d->output->json
        && !d->result->saved_path[0]) {
        return sq_picture_file_write_new(d->picture, sq_tool_verb(d->tool),
                                         d->file, err);
    }
    if (!d->output->output) {
        snprintf(d->file, sizeof(d->file), "%.*s", SQ_PATH_SIZE - 1,
                 d->result->saved_path);
        return true;
    }
    snprintf(d->file, sizeof(d->file), "%s", d->output->output);
    return sq_picture_file_write(d->picture, d->output->output, err);
}

/*
 * Writes the main picture. If that fails, find and actions still print their
 * reply, because it says what was found or done.
 */
static bool
write_main(struct delivery *d, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (write_to_file(d, &local_err)) {
        return true;
    }
    bool has_answer = d->tool == &sq_tool_find || d->tool->flags & SQ_TOOL_ACTS;
    if (!has_answer || d->output->json || is_stdout(d)
        || sq_is_fatal(local_err.code)) {
        return sq_fail_with(err, &local_err);
    }
    sq_print_error("squint", &local_err);
    d->file[0] = '\0';
    d->is_unwritten = true;
    return true;
}

/* With -o all pictures are written, otherwise only the main one. */
static bool
write_pictures(struct delivery *d, struct sq_err *err) {
    if (!d->picture) {
        snprintf(d->file, sizeof(d->file), "%.*s", SQ_PATH_SIZE - 1,
                 d->result->saved_path);
        return true;
    }
    bool ok = write_main(d, err);
    bool writes_all = d->output->output && !d->is_unwritten;
    for (int i = 0; ok && writes_all && i < d->result->count; i++) {
        const struct sq_block *block = &d->result->blocks[i];
        ok = block->kind != SQ_BLOCK_IMAGE || block == d->picture
          || write_beside(d, block, err);
    }
    return ok;
}

/* Writes the object with the file or the picture as one more member. */
static bool
write_json(const struct delivery *d, struct sq_span object, struct sq_buf *out,
           struct sq_err *err) {
    const struct sq_block *picture = d->picture;
    bool has_file = d->output->output && picture;
    struct sq_json_writer w;
    if (!picture || !d->reply || object.len < 3) {
        return sq_buf_append(out, object.ptr, object.len, err)
            && sq_buf_append(out, "\n", 1, err);
    }
    if (!sq_buf_append(out, object.ptr, object.len - 1, err)
        || !sq_buf_printf(out, err, has_file ? ",\"file\":" : ",\"base64\":")) {
        return false;
    }
    sq_json_writer_init(&w, out);
    if (has_file) {
        sq_json_put_clean(&w, sq_span_of(d->file));
    } else {
        sq_json_put_base64(&w, picture->data.data, picture->data.len);
    }
    return sq_json_writer_done(&w, err) && sq_buf_append(out, "}\n", 2, err);
}

static bool
write_people(struct delivery *d, struct sq_buf *out, struct sq_err *err) {
    struct sq_span line;
    SQ_BUF(aside, MAX_TABLE_BYTES);
    struct sq_people people = {
        .page = { .out = out, .paper = sq_paper_of_output(d->output->color) },
        .aside = &aside,
        .arena = &d->arena,
        .reply = d->reply,
        .request = d->request,
        .file = d->file[0] ? d->file : NULL,
    };
    SQ_FREED(sq_buf_finish) struct sq_buf saved = { 0 };
    const struct sq_buf *written = d->picture ? &d->picture->data : NULL;
    /* A file may be larger, or have another format, than what is shown. */
    if (d->file[0] && !is_stdout(d) && sq_command_read(d->file, &saved, NULL)) {
        written = &saved;
    }
    if (written) {
        people.bytes = written->len;
        (void)sq_codec_size(written->data, people.bytes, &people.size, NULL);
    }
    bool ok = sq_people_show(d->tool, &people, err);
    struct sq_span rest = sq_buf_span(&aside);
    while (ok && sq_span_take_line(&rest, &line)) {
        sq_print_message("%.*s", SQ_SPAN_ARGS(line));
    }
    return ok;
}

/* With -o - the picture has standard output to itself. */
static bool
write_reply(struct delivery *d, struct sq_buf *out, struct sq_err *err) {
    const struct sq_block *block = sq_result_first(d->result, SQ_BLOCK_TEXT);
    if (!block || (is_stdout(d) && d->picture)) {
        return true;
    }
    struct sq_span text = sq_buf_span(&block->data);
    if (d->output->json) {
        return write_json(d, text, out, err);
    }
    return d->reply ? write_people(d, out, err)
                    : sq_plain_append(text, true, out, err)
                          && sq_buf_append(out, "\n", 1, err);
}

/* Explains a picture of the whole screen where one of a change was expected. */
static void
report_unchanged(const struct delivery *d) {
    if (sq_json_is(sq_json_get(d->reply, "changed"), SQ_JSON_NULL)) {
        sq_print_message("squint: nothing changed: %s shows the whole screen",
                         is_stdout(d) ? "the picture" : d->output->output);
    }
}

static bool
is_positive(const struct delivery *d) {
    return sq_people_is_done(
        d->tool,
        &(struct sq_people){ .request = d->request, .reply = d->reply });
}

/* Returns the exit status, and reports a picture that is missing. */
static enum sq_status
status_of(const struct delivery *d) {
    bool is_done = is_positive(d);
    if (d->is_unwritten) {
        /* The user did not ask find for a picture. */
        is_done = is_done && d->tool == &sq_tool_find && !d->output->output;
    } else if (d->output->output && d->picture) {
        report_unchanged(d);
    } else if (d->output->output) {
        sq_print_message("squint: there was no picture to write to %s",
                         d->output->output);
        is_done = false;
    }
    return is_done ? SQ_STATUS_OK : SQ_STATUS_FAILED;
}

/* Returns why there is no picture to show. */
static const char *
reason_for_no_picture(const struct delivery *d) {
    bool can_look = sq_args_find(d->tool->args, SQ_SPAN("look")) != NULL;
    if (can_look && !sq_json_bool_of(d->request, "look")) {
        return "an action takes one only with --look";
    }
    if (sq_json_is(sq_json_get(d->reply, "changed"), SQ_JSON_NULL)) {
        return "nothing changed";
    }
    return d->tool == &sq_tool_find && is_positive(d)
             ? "find takes one only if nothing matches, or with -o FILE"
             : "there is none";
}

/* Shows the picture above the text, on a terminal that can. */
static void
show_picture(const struct delivery *d) {
    bool is_asked = d->output->show.given && d->output->show.value
                 && d->tool->flags & SQ_TOOL_IMAGE;
    if (!d->picture && is_asked) {
        sq_print_message("squint: no picture was shown: %s",
                         reason_for_no_picture(d));
    }
    if (d->picture && !d->output->json && !is_stdout(d)) {
        sq_terminal_show_picture(d->picture->data.data, d->picture->data.len,
                                 d->output->show);
    }
}

/* A reply that is not a JSON object is printed as it is. */
static bool
parse_reply(struct delivery *d, struct sq_err *err) {
    const struct sq_block *block = sq_result_first(d->result, SQ_BLOCK_TEXT);
    const struct sq_json *reply = NULL;
    struct sq_err local_err = { 0 };
    if (block
        && !sq_json_parse(sq_buf_span(&block->data), &d->arena, &reply,
                          &local_err)
        && local_err.code == SQ_ERR_NOMEM) {
        return sq_fail_with(err, &local_err);
    }
    d->reply = sq_json_is(reply, SQ_JSON_OBJECT) ? reply : NULL;
    return true;
}

bool
sq_result_write(const struct sq_answered *answered,
                const struct sq_output_args *output, struct sq_buf *out,
                enum sq_status *status, struct sq_err *err) {
    struct delivery d = {
        .tool = answered->tool,
        .request = answered->request,
        .result = answered->result,
        .output = output,
        .picture = main_picture(answered->result),
    };
    sq_arena_init(&d.arena, MAX_ANSWER_BYTES);
    bool ok = parse_reply(&d, err) && write_pictures(&d, err)
           && write_reply(&d, out, err);
    if (ok) {
        show_picture(&d);
        *status = status_of(&d);
    }
    sq_arena_finish(&d.arena);
    return ok;
}

/* Shows elements that were equally good, from the details of an error. */
static bool
show_alternatives(struct sq_people *people, struct sq_err *err) {
    int equal = sq_json_int_of(people->reply, "equal");
    return sq_people_put_found(people,
                               sq_json_get(people->reply, "alternatives"),
                               equal > 0 ? equal : INT_MAX, err);
}

void
sq_result_write_details(const struct sq_answered *answered,
                        struct sq_buf *out) {
    const struct sq_buf *details = &answered->result->details;
    SQ_ARENA(arena, MAX_TABLE_BYTES);
    struct sq_people people = { .page = { .out = out },
                                .arena = &arena,
                                .request = answered->request };
    struct sq_err ignored = { 0 };
    if (details->len > 0
        && sq_json_parse(sq_buf_span(details), &arena, &people.reply, &ignored)
        && !(answered->tool == &sq_tool_steps
                 ? sq_people_show_done_steps(&people, &ignored)
                 : show_alternatives(&people, &ignored))) {
        sq_buf_clear(out);
    }
}

#define MAX_SHEET_BYTES ((size_t)4 << 20)

/* Writes {"refs":[…]} with the references of the hits, oldest first. */
static bool
write_refs(const struct sq_json *reply, struct sq_buf *out, size_t *count,
           struct sq_err *err) {
    struct sq_json_writer w;
    *count = 0;
    sq_json_open(&w, out);
    sq_json_begin_array_of(&w, "refs");
    for (const struct sq_json *hit = sq_json_first(sq_json_get(reply, "hits"));
         hit; hit = sq_json_next(hit)) {
        sq_json_put_string(&w, sq_json_text_of(hit, "screenshotRef"));
        ++*count;
    }
    sq_json_end_array(&w);
    return sq_json_close(&w, err);
}

static bool
show_sheet(struct sq_host *host, struct sq_span arguments,
           struct sq_arena *arena, struct sq_opt_bool show,
           struct sq_err *err) {
    SQ_FREED(sq_result_finish) struct sq_result sheet = { 0 };
    const struct sq_json *parsed;
    bool ok = sq_json_parse(arguments, arena, &parsed, err)
           && sq_host_run(host, "contact_sheet", parsed, NULL, &sheet, err);
    for (int i = 0; ok && i < sheet.count; i++) {
        if (sheet.blocks[i].kind == SQ_BLOCK_IMAGE) {
            sq_terminal_show_picture(sheet.blocks[i].data.data,
                                     sheet.blocks[i].data.len, show);
        }
    }
    return ok;
}

bool
sq_search_show(struct sq_host *host, const struct sq_tool *tool,
               const struct sq_result *result, struct sq_opt_bool show,
               struct sq_err *err) {
    if (tool != &sq_tool_search_screenshots || !show.given || !show.value
        || result->count == 0) {
        return true;
    }
    const struct sq_json *reply;
    size_t count = 0;
    SQ_ARENA(arena, MAX_SHEET_BYTES);
    SQ_BUF(arguments, MAX_SHEET_BYTES);
    bool ok =
        sq_json_parse(sq_buf_span(&result->blocks[0].data), &arena, &reply, err)
        && write_refs(reply, &arguments, &count, err)
        && (count == 0
            || show_sheet(host, sq_buf_span(&arguments), &arena, show, err));
    if (ok && count == 0) {
        sq_print_message("squint: no picture was shown: nothing was found");
    }
    return ok;
}
