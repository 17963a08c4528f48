/* Searches the calls that are kept, and saves some of them. */
#include <inttypes.h>
#include <stdio.h>

#include "inspector/private.h"
#include "journal/journal.h"
#include "tools/reply.h"

#define MAX_FOUND 10000
#define MAX_JOURNAL_BYTES ((size_t)48 << 20)
#define MAX_ASSERT_BYTES ((size_t)64 << 10)
#define GONE_WAIT_MS 5000
#define NS_PER_MS 1000000

/* Compares without the case of ASCII. */
static bool
contains(struct sq_span text, struct sq_span words) {
    for (size_t i = 0; i + words.len <= text.len; i++) {
        size_t same = 0;
        while (same < words.len
               && sq_ascii_lower(text.ptr[i + same])
                      == sq_ascii_lower(words.ptr[same])) {
            same++;
        }
        if (same == words.len) {
            return true;
        }
    }
    return false;
}

/* Returns whether a text of the answer has the words. */
static bool
has_text(const struct sq_logged_call *call, struct sq_span words) {
    for (int i = 0; i < call->block_count; i++) {
        const struct sq_logged_block *block = &call->blocks[i];
        if ((block->kind == SQ_BLOCK_TEXT
             || block->kind == SQ_BLOCK_RESOURCE_TEXT)
            && contains(block->data, words)) {
            return true;
        }
    }
    return false;
}

bool
sq_inspector_search_calls(const struct sq_inspector_request *request,
                          struct sq_json_writer *w, struct sq_err *err) {
    struct sq_call_log *calls = request->inspector->options.calls;
    struct sq_call_log_state state = sq_call_log_state(calls);
    struct sq_span words = sq_json_text_of(request->arguments, "text");
    if (words.len == 0) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "there is no text to look for");
    }
    sq_json_begin_array_of(w, "sequences");
    for (uint64_t i = state.first_sequence; i > 0 && i <= state.last_sequence;
         i++) {
        const struct sq_logged_call *call = sq_call_log_get(calls, i);
        if (call && has_text(call, words)) {
            sq_json_put_int(w, (int64_t)i);
        }
        if (call) {
            sq_logged_call_release(call);
        }
    }
    sq_json_end_array(w);
    return true;
}

/* A journal that is made of calls in memory. */
struct making {
    const struct sq_inspector_request *request;
    struct sq_buf journal;
    uint64_t last_picture;
};

/*
 * Adds what the person wants to be true after a call, as the call that checks
 * it: find, or wait until the text is gone.
 */
static bool
put_assertion(struct making *making, const struct sq_logged_call *after,
              const struct sq_json *asserted, struct sq_err *err) {
    struct sq_span text = sq_json_text_of(asserted, "text");
    bool is_here = sq_span_is(sq_json_text_of(asserted, "kind"), "here");
    struct sq_json_writer w;
    SQ_BUF(arguments, MAX_ASSERT_BYTES);
    sq_json_open(&w, &arguments);
    sq_put_text(&w, "operation", is_here ? "find" : "wait");
    if (is_here) {
        sq_json_begin_object_of(&w, "selector");
        sq_json_put_string(sq_json_at(&w, "text"), text);
        sq_json_end_object(&w);
    } else {
        sq_json_put_string(sq_json_at(&w, "text"), text);
        sq_put_text(&w, "until", "gone");
        sq_put_int(&w, "timeoutMs", GONE_WAIT_MS);
    }
    if (!sq_json_close(&w, err)) {
        return false;
    }
    const struct sq_logged_block block = {
        .kind = SQ_BLOCK_TEXT,
        .data = is_here ? SQ_SPAN("{\"count\":1}") : SQ_SPAN("{}"),
    };
    const struct sq_logged_call check = {
        .sequence = after->sequence,
        .state = SQ_CALL_SUCCEEDED,
        .client = after->client,
        .client_name = SQ_SPAN("you"),
        .tool = SQ_SPAN("ui"),
        .operation = is_here ? SQ_SPAN("find") : SQ_SPAN("wait"),
        .arguments = sq_buf_span(&arguments),
        .started_wall_ns = after->started_wall_ns,
        .device_ns = -1,
        .blocks = &block,
        .block_count = 1,
    };
    return sq_journal_put_call(&check, &making->last_picture, &making->journal,
                               err);
}

/* Adds a call and what is asserted after it. */
static bool
put_call(struct making *making, uint64_t sequence, struct sq_err *err) {
    const struct sq_inspector_request *request = making->request;
    const struct sq_logged_call *call =
        sq_call_log_get(request->inspector->options.calls, sequence);
    if (!call || call->is_light || call->total_ns < 0) {
        bool is_running = call && !call->is_light;
        if (call) {
            sq_logged_call_release(call);
        }
        return sq_fail(err, SQ_ERR_NOT_FOUND, "call %" PRIu64 " %s", sequence,
                       is_running ? "is not answered yet"
                                  : "is no longer in memory");
    }
    bool ok =
        sq_journal_put_call(call, &making->last_picture, &making->journal, err);
    for (const struct sq_json *at =
             sq_json_first(sq_json_get(request->arguments, "asserts"));
         ok && at; at = sq_json_next(at)) {
        ok = (uint64_t)sq_json_int_of(at, "after") != sequence
          || put_assertion(making, call, at, err);
    }
    sq_logged_call_release(call);
    return ok;
}

static bool
make_journal(struct making *making, struct sq_err *err) {
    const struct sq_inspector *inspector = making->request->inspector;
    const struct sq_json *chosen =
        sq_json_get(making->request->arguments, "sequences");
    int count = 0;
    bool ok = sq_buf_printf(
        &making->journal, err,
        "{\"journal\":%d,\"version\":\"%.40s\",\"started\":%" PRId64 "}\n",
        SQ_JOURNAL_FORMAT, inspector->options.version, inspector->started_ms);
    for (const struct sq_json *at = sq_json_first(chosen); ok && at;
         at = sq_json_next(at)) {
        int64_t number;
        ok = ++count <= MAX_FOUND && sq_json_int(at, &number) && number > 0
               ? put_call(making, (uint64_t)number, err)
               : sq_fail(err, SQ_ERR_ARGUMENT, "these are no numbers of calls");
    }
    return ok;
}

bool
sq_inspector_export_calls(const struct sq_inspector_request *request,
                          struct sq_json_writer *w, struct sq_err *err) {
    const struct sq_inspector_player *player =
        &request->inspector->options.player;
    struct sq_span form = sq_json_text_of(request->arguments, "form");
    struct making making = { .request = request };
    SQ_BUF(script, MAX_JOURNAL_BYTES);
    sq_buf_init(&making.journal, MAX_JOURNAL_BYTES);
    bool is_journal = sq_span_is(form, "journal");
    bool ok = make_journal(&making, err)
           && (is_journal
               || player->export(sq_buf_span(&making.journal), form, &script,
                                 err));
    if (ok) {
        sq_json_put_string(sq_json_at(w, "script"),
                           sq_buf_span(is_journal ? &making.journal : &script));
    }
    sq_buf_finish(&making.journal);
    return ok;
}
