/*
 * Any bytes are a journal, or refused with an error. What is read lies within
 * limits and in the order of the calls, equals itself, and can be exported.
 */
#include <assert.h>

#include "app/replay/replay.h"
#include "fuzz/fuzz.h"
#include "journal/journal.h"

static void
export_all(struct sq_span text) {
    struct sq_replay_script script = { 0 };
    struct sq_buf out;
    sq_buf_init(&out, (size_t)64 << 20);
    if (sq_replay_script_parse(text, &script, NULL)) {
        sq_export(SQ_EXPORT_SH, &script, &out, NULL);
        sq_buf_clear(&out);
        sq_export(SQ_EXPORT_MAESTRO, &script, &out, NULL);
    }
    sq_buf_finish(&out);
    sq_replay_script_finish(&script);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_err err = { 0 };
    struct sq_journal journal = { 0 };
    const struct sq_span text = { (const char *)data, size };
    bool ok = sq_journal_parse(text, &journal, &err);
    assert(ok || (err.code != SQ_ERR_NONE && err.message[0]));
    for (size_t i = 0; i < journal.count; i++) {
        const struct sq_journal_call *call = &journal.calls[i];
        assert(call->tool.len > 0 && call->block_count <= SQ_MAX_BLOCKS);
        assert(!ok || i == 0 || journal.calls[i - 1].number <= call->number);
        assert(sq_journal_same_value(call->arguments, call->arguments));
    }
    if (ok) {
        export_all(text);
    }
    sq_journal_finish(&journal);
    return 0;
}
