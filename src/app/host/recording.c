/* Answers tool calls from a journal, for tests of agents without a device. */
#include <inttypes.h>
#include <stdio.h>

#include "app/host/private.h"
#include "journal/journal.h"
#include "sys/file.h"
#include "tool/tool.h"
#include "tools/reply.h"
#include "util/base64.h"
#include "util/mem.h"

#define MAX_BLOCK_BYTES ((size_t)64 << 20)
#define MAX_DETAILS_BYTES ((size_t)8 << 20)

struct sq_recording {
    struct sq_buf text;
    struct sq_journal journal;
    struct sq_lock *lock; /* guards next */
    size_t next;          /* call that is expected */
};

void
sq_recording_close(struct sq_recording *recording) {
    if (recording) {
        sq_lock_destroy(recording->lock);
        sq_journal_finish(&recording->journal);
        sq_buf_finish(&recording->text);
        sq_mem_free(recording);
    }
}

bool
sq_host_answer_from(struct sq_host *host, const char *journal,
                    struct sq_err *err) {
    struct sq_recording *recording = sq_mem_zalloc(1, sizeof(*recording));
    if (!recording) {
        return sq_fail_nomem(err);
    }
    bool ok = sq_file_read(journal, SQ_JOURNAL_MAX_BYTES, &recording->text, err)
           && sq_journal_parse(sq_buf_span(&recording->text),
                               &recording->journal, err)
           && sq_lock_create(&recording->lock, err);
    if (!ok) {
        sq_recording_close(recording);
        return false;
    }
    host->recording = recording;
    return true;
}

static bool
fail_other(const struct sq_journal_call *call, struct sq_mcp_tool_result *out,
           struct sq_err *err) {
    /* Writes which call was expected, to be sent with the error. */
    struct sq_json_writer w;
    sq_buf_init(&out->content.details, MAX_DETAILS_BYTES);
    sq_json_open(&w, &out->content.details);
    sq_json_begin_object_of(&w, "expected");
    sq_put_int(&w, "call", (int64_t)call->number);
    sq_json_put_string(sq_json_at(&w, "name"), call->tool);
    sq_json_put_value(sq_json_at(&w, "arguments"), call->arguments);
    sq_json_end_object(&w);
    sq_json_end_object(&w);
    if (!sq_json_writer_done(&w, NULL)) {
        sq_buf_clear(&out->content.details);
    }
    sq_fail(err, SQ_ERR_INVALID_OPERATION,
            "this is not the recorded call: call %" PRIu64
            " of the journal is %.*s %.*s",
            call->number, SQ_SPAN_ARGS(call->tool),
            SQ_SPAN_ARGS(call->operation));
    return sq_fail_hint(err, "This server answers from a recording. Make the "
                             "call in details.expected, with the same "
                             "arguments.");
}

static bool
fail_ended(const struct sq_recording *recording, struct sq_err *err) {
    sq_fail(err, SQ_ERR_INVALID_OPERATION,
            "all %zu calls of the journal were answered; it has no more",
            recording->journal.count);
    return sq_fail_hint(err, "This server answers from a recording. Start it "
                             "again to play it from the beginning.");
}

/* Returns the type as a constant text; NULL if it is unknown. */
static const char *
constant_type(struct sq_span type) {
    static const char *const types[] = { "image/jpeg", "image/png",
                                         "image/webp", "application/json",
                                         "text/plain", "text/markdown" };
    for (size_t i = 0; i < SQ_COUNT(types); i++) {
        if (sq_span_is(type, types[i])) {
            return types[i];
        }
    }
    return NULL;
}

static bool
add_block(const struct sq_journal_block *recorded, struct sq_result *out,
          struct sq_err *err) {
    struct sq_block *block;
    if (recorded->kind == SQ_BLOCK_IMAGE && recorded->base64.len == 0) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the journal lacks a picture of this call");
    }
    if (!sq_result_add(out, recorded->kind, MAX_BLOCK_BYTES, &block, err)) {
        return false;
    }
    block->audience = recorded->audience;
    block->mime_type = constant_type(recorded->mime_type);
    snprintf(block->uri, sizeof(block->uri), "%.*s",
             SQ_SPAN_ARGS(recorded->uri));
    snprintf(block->name, sizeof(block->name), "%.*s",
             SQ_SPAN_ARGS(recorded->name));
    return recorded->kind == SQ_BLOCK_IMAGE
             ? sq_base64_decode(recorded->base64, &block->data, err)
             : sq_buf_append(&block->data, recorded->text.ptr,
                             recorded->text.len, err);
}

static enum sq_err_code
code_of(struct sq_span name) {
    int code = SQ_ERR_CODES - 1;
    while (code > SQ_ERR_NONE
           && !sq_span_is(name, sq_tool_error_name((enum sq_err_code)code))) {
        code--;
    }
    return code > SQ_ERR_NONE ? (enum sq_err_code)code : SQ_ERR_IO;
}

static bool
play(const struct sq_journal_call *call, struct sq_result *out,
     struct sq_err *err) {
    bool ok = true;
    if (call->error.len > 0) {
        if (call->details) {
            struct sq_json_writer w;
            sq_buf_init(&out->details, MAX_DETAILS_BYTES);
            sq_json_writer_init(&w, &out->details);
            sq_json_put_value(&w, call->details);
            if (!sq_json_writer_done(&w, err)) {
                return false;
            }
        }
        sq_fail(err, code_of(call->error), "%.*s", SQ_SPAN_ARGS(call->message));
        return sq_fail_hint(err, "%.*s", SQ_SPAN_ARGS(call->hint));
    }
    for (size_t i = 0; ok && i < call->block_count; i++) {
        ok = add_block(&call->blocks[i], out, err);
    }
    return ok;
}

bool
sq_recording_answer(struct sq_recording *recording,
                    const struct sq_mcp_tool *tool,
                    const struct sq_json *arguments,
                    struct sq_mcp_tool_result *out, struct sq_err *err) {
    const struct sq_journal *journal = &recording->journal;
    const struct sq_journal_call *call = NULL;
    sq_lock_lock(recording->lock);
    size_t at = recording->next;
    if (at < journal->count) {
        const struct sq_journal_call *next = &journal->calls[at];
        bool is_same = sq_span_is(next->tool, tool->name)
                    && (sq_journal_same_value(next->arguments, arguments)
                        || (!arguments && sq_json_count(next->arguments) == 0));
        call = is_same ? next : NULL;
        recording->next += is_same;
    }
    sq_lock_unlock(recording->lock);
    out->is_structured = tool->output_schema.len > 0;
    if (call) {
        return play(call, &out->content, err);
    }
    return at < journal->count ? fail_other(&journal->calls[at], out, err)
                               : fail_ended(recording, err);
}
