/*
 * The stored lines of a page are refused, or give a snippet that is valid text
 * and a box in the picture. The first byte is the length of a query, which
 * follows; the second that of the places of lines; the rest are words.
 */
#include <assert.h>
#include <string.h>

#include "archive/search/terms.h"
#include "fuzz/fuzz.h"
#include "util/utf8.h"

static void
check_excerpt(const struct sq_search_excerpt *excerpt,
              const struct sq_search_terms *terms) {
    struct sq_span snippet = sq_span_of(excerpt->snippet);
    assert(snippet.len <= SQ_SEARCH_SNIPPET_BYTES);
    assert(sq_utf8_valid_len(snippet) == snippet.len);
    assert(excerpt->matched <= terms->count);
    assert(terms->count == 0 || (excerpt->matched > 0) == (snippet.len > 0));
    assert(excerpt->matched == 0 || !sq_rect_is_empty(excerpt->box));
}

static void
check_lines(struct sq_span places, struct sq_span words,
            const struct sq_search_terms *terms) {
    struct sq_search_excerpt excerpt = { 0 };
    for (size_t i = 0; i < sq_search_line_count(places); i++) {
        const struct sq_search_line line = sq_search_line_at(places, i);
        size_t matched = excerpt.matched;
        struct sq_err err = { 0 };
        if (sq_search_excerpt_try(words, &line, terms, &excerpt, &err)) {
            assert(excerpt.matched >= matched);
            check_excerpt(&excerpt, terms);
        } else {
            assert(err.code == SQ_ERR_FORMAT);
        }
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_arena arena;
    struct sq_search_query terms;
    struct sq_err err = { 0 };
    size_t query = size ? data[0] % 32 : 0;
    size_t places = size > 1 ? data[1] % 64 : 0;
    if (size < 2 + query + places) {
        return 0;
    }
    const char *text = (const char *)data + 2;
    sq_arena_init(&arena, (size_t)1 << 20);
    if (sq_search_query_read((struct sq_span){ text, query }, &arena, &terms,
                             &err)) {
        terms.wanted.misread = data[0] / 32 % 3;
        check_lines((struct sq_span){ text + query, places },
                    (struct sq_span){ text + query + places,
                                      size - 2 - query - places },
                    &terms.wanted);
    }
    sq_arena_finish(&arena);
    return 0;
}
