/*
 * Any text gives search terms that are folded sequences of words of limited
 * length, or an error that says what to do.
 */
#include <assert.h>
#include <string.h>

#include "archive/search/terms.h"
#include "fuzz/fuzz.h"
#include "util/utf8.h"

/* Folding a word that is folded already changes nothing. */
static void
check_term(struct sq_span term) {
    struct sq_buf again;
    struct sq_err err = { 0 };
    struct sq_span rest = term;
    struct sq_span part;
    assert(term.len > 0);
    while (sq_search_next_word(&rest, &part)) {
        assert(part.len <= SQ_SEARCH_WORD_BYTES);
    }
    assert(rest.len == 0);
    for (rest = term; sq_search_next_pair(&rest, &part);) {
        assert(part.len <= SQ_SEARCH_PAIR_BYTES);
    }
    assert(sq_utf8_valid_len(term) == term.len);
    assert(!memchr(term.ptr, '"', term.len) && !memchr(term.ptr, '*', term.len)
           && !memchr(term.ptr, ' ', term.len));
    sq_buf_init(&again, 4096);
    assert(sq_search_fold(term, &again, &err));
    struct sq_span folded = sq_buf_span(&again);
    assert(folded.len == term.len + 1
           && memcmp(folded.ptr, term.ptr, term.len) == 0);
    sq_buf_finish(&again);
}

/* Phrases have sequences, each as a word has. */
static void
check_query(const struct sq_search_terms *terms) {
    assert(terms->count <= SQ_SEARCH_MAX_TERMS);
    for (size_t i = 0; i < terms->count; i++) {
        struct sq_span rest = terms->items[i];
        struct sq_span sequence;
        assert(rest.len > 0 && rest.ptr[rest.len - 1] != ' ');
        assert(terms->exact & 1U << i || !memchr(rest.ptr, ' ', rest.len));
        while (sq_search_next_sequence(&rest, &sequence)) {
            check_term(sequence);
        }
        check_term(rest);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_arena arena;
    struct sq_search_terms terms;
    struct sq_search_query query;
    struct sq_err err = { 0 };
    const struct sq_span text = { (const char *)data, size };
    sq_arena_init(&arena, (size_t)1 << 20);
    if (size > SQ_SEARCH_TEXT_BYTES) {
        sq_arena_finish(&arena);
        return 0;
    }
    if (sq_search_query_read(text, &arena, &query, &err)) {
        check_query(&query.wanted);
        check_query(&query.unwanted);
    } else {
        assert(err.code == SQ_ERR_ARGUMENT && err.hint[0]);
    }
    err = (struct sq_err){ 0 };
    if (sq_search_terms_read(text, &arena, &terms, &err)) {
        assert(terms.count > 0 && terms.count <= SQ_SEARCH_MAX_TERMS);
        for (size_t i = 0; i < terms.count; i++) {
            check_term(terms.items[i]);
            for (size_t k = 0; k < i; k++) {
                assert(!sq_span_equal(terms.items[i], terms.items[k]));
            }
        }
    } else {
        assert(err.code == SQ_ERR_ARGUMENT && err.hint[0]);
    }
    sq_arena_finish(&arena);
    return 0;
}
