/*
 * Any bytes are a journal, or refused with an error. What is read lies within
 * limits and in the order of the calls, equals itself, and can be exported.
 */
#include <assert.h>

#include "app/replay/export.h"
#include "fuzz/fuzz.h"
#include "journal/journal.h"

static void
export_all(const struct sq_journal *journal) {
    struct sq_replay_actions actions = { 0 };
    struct sq_arena arena;
    struct sq_buf out;
    sq_arena_init(&arena, (size_t)16 << 20);
    sq_buf_init(&out, (size_t)64 << 20);
    if (sq_replay_actions_list(journal, &arena, &actions, NULL)) {
        sq_export_sh(journal, &actions, &out, NULL);
        sq_buf_clear(&out);
        sq_export_maestro(journal, &actions, &out, NULL);
    }
    sq_buf_finish(&out);
    sq_arena_finish(&arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_err err = { 0 };
    struct sq_journal journal = { 0 };
    bool ok = sq_journal_parse((struct sq_span){ (const char *)data, size },
                               &journal, &err);
    assert(ok || (err.code != SQ_ERR_NONE && err.message[0]));
    for (size_t i = 0; i < journal.count; i++) {
        const struct sq_journal_call *call = &journal.calls[i];
        assert(call->tool.len > 0 && call->block_count <= SQ_MAX_BLOCKS);
        assert(!ok || i == 0 || journal.calls[i - 1].number <= call->number);
        assert(sq_journal_same_value(call->arguments, call->arguments));
    }
    if (ok) {
        export_all(&journal);
    }
    sq_journal_finish(&journal);
    return 0;
}
