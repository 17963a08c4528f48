/* Shows a sheet of the pictures that a search has found. */
#include "app/commands/search_show.h"

#include "app/print_message.h"
#include "app/terminal/picture.h"
#include "json/reader.h"
#include "json/writer.h"
#include "tools/operations.h"

#define MAX_BYTES ((size_t)4 << 20)

/* Writes {"refs":[…]} with the references of the hits, oldest first. */
static bool
write_arguments(const struct sq_json *reply, struct sq_buf *out, size_t *count,
                struct sq_err *err) {
    struct sq_json_writer w;
    *count = 0;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "refs");
    sq_json_begin_array(&w);
    for (const struct sq_json *hit = sq_json_first(sq_json_get(reply, "hits"));
         hit; hit = sq_json_next(hit)) {
        sq_json_put_string(&w, sq_json_text_of(hit, "screenshotRef"));
        ++*count;
    }
    sq_json_end_array(&w);
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}

static bool
show_sheet(struct sq_host *host, struct sq_span arguments,
           struct sq_arena *arena, struct sq_opt_bool show,
           struct sq_err *err) {
    struct sq_result sheet = { 0 };
    const struct sq_json *parsed;
    bool ok = sq_json_parse(arguments, arena, &parsed, err)
           && sq_host_run(host, "contact_sheet", parsed, NULL, &sheet, err);
    for (int i = 0; ok && i < sheet.count; i++) {
        if (sheet.blocks[i].kind == SQ_BLOCK_IMAGE) {
            sq_terminal_show_picture(sheet.blocks[i].data.data,
                                     sheet.blocks[i].data.len, show);
        }
    }
    sq_result_finish(&sheet);
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
    struct sq_arena arena;
    struct sq_buf arguments;
    const struct sq_json *reply;
    size_t count = 0;
    sq_arena_init(&arena, MAX_BYTES);
    sq_buf_init(&arguments, MAX_BYTES);
    bool ok =
        sq_json_parse(sq_buf_span(&result->blocks[0].data), &arena, &reply, err)
        && write_arguments(reply, &arguments, &count, err)
        && (count == 0
            || show_sheet(host, sq_buf_span(&arguments), &arena, show, err));
    if (ok && count == 0) {
        sq_print_message("squint: no picture was shown: nothing was found");
    }
    sq_buf_finish(&arguments);
    sq_arena_finish(&arena);
    return ok;
}
