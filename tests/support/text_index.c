/* An index of texts that is filled and searched with strings. */
#include "support/text_index.h"

#include "support/scratch.h"
#include "support/test.h"

struct text_index text_index = { .changed = "", .hidden = "" };

void
text_index_start(void) {
    t_scratch_start();
    snprintf(text_index.path, sizeof(text_index.path), "%s",
             t_scratch_path("text.db"));
    text_index.deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    T_OK(sq_search_store_open(text_index.path, true, &text_index.deadline,
                              &text_index.store, &t_err));
}

void
text_index_stop(void) {
    sq_search_store_close(text_index.store);
    t_scratch_end();
}

int64_t
text_index_add(uint32_t utc, const char *name, const char *lines,
               const char *app) {
    static struct sq_word words[100];
    static struct sq_text_line text_lines[20];
    struct sq_text text = { .lines = text_lines };
    struct sq_archive_pick pick = { .shot = { .utc = utc } };
    struct sq_span rest = sq_span_of(lines);
    int used = 0;
    while (rest.len > 0) {
        struct sq_span line = rest;
        if (!sq_span_take_until(&rest, '|', &line)) {
            rest.len = 0;
        }
        struct sq_text_line *out = &text_lines[text.count];
        int top = 40 * text.count++;
        *out = (struct sq_text_line){ .box = { 10, top, 500, top + 20 },
                                      .words = { &words[used], 0 },
                                      .is_read = true };
        while (line.len > 0) {
            struct sq_span word = line;
            if (!sq_span_take_until(&line, ' ', &word)) {
                line.len = 0;
            }
            int left = 10 + 60 * out->words.count++;
            words[used++] = (struct sq_word){
                word, { left, top, left + 50, top + 20 }, 90
            };
        }
    }
    snprintf(pick.full, sizeof(pick.full), "%s", name);
    const struct sq_search_page page = {
        .file = { &pick,
                  sq_span_of(name),
                  { utc, 1 },
                  { { 0 } },
                  text_index.missed },
        .like = text_index.like,
        .text = &text,
        .size = { 1920, 1080 },
        .app = sq_span_of(app),
    };
    int64_t id = 0;
    T_OK(sq_search_store_add(text_index.store, &page, &id, &t_err));
    return id;
}

void
text_index_add_alike(uint32_t utc, const char *name, int64_t page) {
    const struct sq_archive_pick pick = { .shot = { .utc = utc } };
    const struct sq_search_file file = {
        &pick, sq_span_of(name), { utc, 1 }, { { 7 } }, 0
    };
    T_OK(sq_search_store_add_file(text_index.store, &file, page, &t_err));
}

static enum sq_search_use
use_of(void *context, const struct sq_archive_pick *pick, struct sq_span name,
       const struct sq_search_state *state) {
    char text[40];
    (void)context;
    snprintf(text, sizeof(text), "%.*s", SQ_SPAN_ARGS(name));
    T(state->size > 0 && state->mtime_ns == 1 && pick->shot.utc > 0);
    enum sq_search_use other = strstr(text_index.changed, text)
                                 ? SQ_SEARCH_CHANGED
                                 : SQ_SEARCH_CURRENT;
    return strstr(text_index.hidden, text) ? SQ_SEARCH_HIDDEN : other;
}

const char *
text_index_find(const char *text, const char *app, uint32_t from, uint32_t to) {
    static char names[200];
    struct sq_search_request request = {
        .from_utc = from, .to_utc = to, .max = 5, .use = use_of
    };
    T_ARENA(arena, 1 << 20);
    T_OK(
        sq_search_query_read(sq_span_of(text), &arena, &request.query, &t_err));
    if (app[0]) {
        T_OK(sq_search_terms_read(sq_span_of(app), &arena, &request.apps,
                                  &t_err));
    }
    T_OK(sq_search_store_find(text_index.store, &request, text_index.hits,
                              &text_index.found, &t_err));
    names[0] = '\0';
    for (size_t i = 0; i < text_index.found.count; i++) {
        size_t len = strlen(names);
        snprintf(names + len, sizeof(names) - len, "%s%s", i ? " " : "",
                 text_index.hits[i].pick.full);
    }
    return names;
}

void
text_index_expect(const char *const (*rows)[2]) {
    for (; (*rows)[0]; rows++) {
        const char *found = text_index_find((*rows)[0], "", 0, 9000);
        T_STR(t_text("%s: %s", (*rows)[0], found),
              t_text("%s: %s", (*rows)[0], (*rows)[1]));
    }
}
