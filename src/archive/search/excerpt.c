/* Chooses the line of a page that a search shows. */
#include "archive/search/excerpt.h"

#include <stdio.h>
#include <string.h>

#include "util/utf8.h"
#include "vision/words.h"

#define LINE_ARENA ((size_t)1 << 20)
#define MAX_LINE_TEXT ((size_t)4 << 20)

struct sq_search_line
sq_search_line_at(struct sq_span lines, size_t index) {
    struct sq_search_line line;
    memcpy(&line, lines.ptr + index * sizeof(line), sizeof(line));
    return line;
}

size_t
sq_search_line_count(struct sq_span lines) {
    return lines.len / sizeof(struct sq_search_line);
}

/* Sets a bit for each term that the word has. */
static unsigned
terms_of(struct sq_span text, const struct sq_search_terms *terms,
         struct sq_buf *folded, bool *ok, struct sq_err *err) {
    unsigned found = 0;
    struct sq_span rest;
    struct sq_span word;
    sq_buf_clear(folded);
    *ok = sq_search_fold(text, folded, err);
    rest = sq_buf_span(folded);
    while (*ok && sq_search_next_word(&rest, &word)) {
        for (size_t i = 0; i < terms->count; i++) {
            if (sq_search_has_part(word, terms->items[i])) {
                found |= 1u << i;
            }
        }
    }
    return found;
}

static void
add_box(struct sq_rect *all, struct sq_rect box, bool is_first) {
    if (is_first) {
        *all = box;
        return;
    }
    all->left = box.left < all->left ? box.left : all->left;
    all->top = box.top < all->top ? box.top : all->top;
    all->right = box.right > all->right ? box.right : all->right;
    all->bottom = box.bottom > all->bottom ? box.bottom : all->bottom;
}

/* Writes the words around the first that matches. */
static void
write_snippet(const struct sq_words_of_line *words, int first,
              char out[SQ_SEARCH_SNIPPET_BYTES + 1]) {
    size_t before = 0;
    int from = first;
    while (from > 0
           && before + words->items[from - 1].text.len + 1
                  < SQ_SEARCH_SNIPPET_BYTES / 2) {
        before += words->items[--from].text.len + 1;
    }
    size_t used = 0;
    for (int i = from; i < words->count; i++) {
        struct sq_span text = sq_utf8_shorten(
            words->items[i].text, SQ_SEARCH_SNIPPET_BYTES - used - (i > from));
        if (text.len < words->items[i].text.len && i > from) {
            break;
        }
        used +=
            (size_t)snprintf(out + used, SQ_SEARCH_SNIPPET_BYTES + 1 - used,
                             "%s%.*s", i > from ? " " : "", SQ_SPAN_ARGS(text));
        if (used + 1 >= SQ_SEARCH_SNIPPET_BYTES) {
            break;
        }
    }
}

/* Takes the line as excerpt if it has more of the terms than the last. */
static bool
try_line(const struct sq_words_of_line *words,
         const struct sq_search_line *line, const struct sq_search_terms *terms,
         struct sq_search_excerpt *excerpt, struct sq_err *err) {
    struct sq_buf folded;
    struct sq_rect box = { 0 };
    unsigned all = 0;
    int first = -1;
    bool ok = true;
    sq_buf_init(&folded, MAX_LINE_TEXT);
    for (int i = 0; ok && i < words->count; i++) {
        const struct sq_word *word = &words->items[i];
        unsigned found = terms_of(word->text, terms, &folded, &ok, err);
        if (found) {
            add_box(&box, word->box, first < 0);
            first = first < 0 ? i : first;
            all |= found;
        }
    }
    sq_buf_finish(&folded);
    size_t matched = (size_t)__builtin_popcount(all);
    if (ok && matched > excerpt->matched) {
        excerpt->matched = matched;
        excerpt->box =
            (struct sq_rect){ box.left + line->x, box.top + line->y,
                              box.right + line->x, box.bottom + line->y };
        write_snippet(words, first, excerpt->snippet);
    }
    return ok;
}

bool
sq_search_excerpt_try(struct sq_span words, const struct sq_search_line *line,
                      const struct sq_search_terms *terms,
                      struct sq_search_excerpt *excerpt, struct sq_err *err) {
    struct sq_arena arena;
    struct sq_words_of_line parsed;
    sq_arena_init(&arena, LINE_ARENA);
    bool ok = sq_words_parse(words, &arena, &parsed, err)
           && try_line(&parsed, line, terms, excerpt, err);
    sq_arena_finish(&arena);
    return ok;
}
