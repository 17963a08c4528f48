/* Writes the index of texts. */
#include "archive/search/store.h"

#include <sodium.h>
#include <string.h>

#include "archive/search/store_private.h"

/* Writes the words of a line with boxes relative to the line. */
static bool
write_line(const struct sq_text_line *line, struct sq_buf *out,
           struct sq_err *err) {
    bool ok = true;
    sq_buf_clear(out);
    for (int i = 0; ok && i < line->words.count; i++) {
        struct sq_word word = line->words.items[i];
        word.box.left -= line->box.left;
        word.box.right -= line->box.left;
        word.box.top -= line->box.top;
        word.box.bottom -= line->box.top;
        ok = sq_words_put(out, &word, err);
    }
    return ok;
}

static int64_t
hash_of(struct sq_span bytes) {
    uint8_t hash[crypto_generichash_BYTES_MIN];
    int64_t number;
    crypto_generichash(hash, sizeof(hash), (const uint8_t *)bytes.ptr,
                       bytes.len, NULL, 0);
    memcpy(&number, hash, sizeof(number));
    return number;
}

/* Returns the id of an equal line in *id; 0: there is none. */
static bool
find_line(struct sq_search_store *store, int64_t hash, struct sq_span words,
          int64_t *id, struct sq_err *err) {
    bool has_row;
    bool ok = sq_sql_begin(store, LINE_FIND, &has_row, err, "i", hash);
    *id = 0;
    while (ok && has_row && !*id) {
        if (sq_span_equal(sq_sql_bytes(store, LINE_FIND, 1), words)) {
            *id = sq_sql_int(store, LINE_FIND, 0);
        } else {
            ok = sq_sql_next(store, LINE_FIND, &has_row, err);
        }
    }
    sq_sql_end(store, LINE_FIND);
    return ok;
}

static bool
add_line(struct sq_search_store *store, struct sq_span words, int64_t *id,
         struct sq_err *err) {
    int64_t hash = hash_of(words);
    if (!find_line(store, hash, words, id, err) || *id) {
        return *id != 0;
    }
    if (!SQ_SEARCH_DO(store, LINE_ADD, err, "ib", hash, words)) {
        return false;
    }
    *id = sq_sql_last_id(store);
    return sq_search_add_words(store, words, err);
}

static uint16_t
to_place(int value) {
    return (uint16_t)(value < 0 ? 0 : value > UINT16_MAX ? UINT16_MAX : value);
}

/* Adds the lines of a text; appends their ids and places to out. */
static bool
add_lines(struct sq_search_store *store, const struct sq_text *text,
          struct sq_buf *out, struct sq_err *err) {
    struct sq_buf words;
    bool ok = true;
    sq_buf_init(&words, MAX_PAGE_TEXT);
    for (int i = 0; ok && i < text->count; i++) {
        int64_t id = 0;
        const struct sq_text_line *line = &text->lines[i];
        ok = write_line(line, &words, err)
          && (words.len == 0 || add_line(store, sq_buf_span(&words), &id, err));
        if (ok && id) {
            const struct sq_search_line placed = {
                .id = (uint32_t)id,
                .x = to_place(line->box.left),
                .y = to_place(line->box.top),
            };
            ok = sq_buf_append(out, &placed, sizeof(placed), err);
        }
    }
    sq_buf_finish(&words);
    return ok;
}

/* Returns a free id for a page of that second. */
static bool
choose_id(struct sq_search_store *store, int64_t utc, int64_t *id,
          struct sq_err *err) {
    int64_t first = utc << PAGE_BITS | 1;
    int64_t end = (utc + 1) << PAGE_BITS;
    bool has_row;
    if (!sq_sql_begin(store, PAGE_LAST, &has_row, err, "ii", first, end)) {
        return false;
    }
    int64_t last = sq_sql_int(store, PAGE_LAST, 0);
    sq_sql_end(store, PAGE_LAST);
    *id = last ? last + 1 : first;
    return *id < end
        || sq_fail(err, SQ_ERR_LIMIT, "too many screenshots of one second");
}

/* Adds the words of a page to those that are searched. */
static bool
index_page(struct sq_search_store *store, int64_t id, struct sq_span lines,
           struct sq_span app, struct sq_err *err) {
    struct sq_buf words;
    sq_buf_init(&words, MAX_PAGE_TEXT);
    bool ok = sq_search_page_words(store, lines, app, &words, err)
           && SQ_SEARCH_DO(store, BODY_ADD, err, "it", id, sq_buf_span(&words));
    sq_buf_finish(&words);
    return ok;
}

/* Uses the page that the picture is like if it has the same lines at the same
 * places; otherwise adds one. */
static bool
choose_page(struct sq_search_store *store, const struct sq_search_page *page,
            struct sq_span lines, int64_t *id, struct sq_err *err) {
    bool has_row = false;
    *id = page->like;
    if (page->like > 0) {
        bool ok =
            sq_sql_begin(store, PAGE_READ, &has_row, err, "i", page->like);
        bool is_same = ok && has_row
                    && sq_sql_int(store, PAGE_READ, 0) == page->size.width
                    && sq_sql_int(store, PAGE_READ, 1) == page->size.height
                    && sq_span_equal(sq_sql_bytes(store, PAGE_READ, 2), lines);
        sq_sql_end(store, PAGE_READ);
        if (!ok || is_same) {
            return ok;
        }
    }
    return choose_id(store, page->file.pick->shot.utc, id, err)
        && SQ_SEARCH_DO(store, PAGE_ADD, err, "iiitbi", *id,
                        (int64_t)page->size.width, (int64_t)page->size.height,
                        page->app, lines,
                        (int64_t)page->file.pick->shot.monitor)
        && index_page(store, *id, lines, page->app, err);
}

static bool
add_page(struct sq_search_store *store, const struct sq_search_page *page,
         int64_t *id, struct sq_err *err) {
    struct sq_buf lines;
    sq_buf_init(&lines, MAX_PAGE_TEXT);
    bool ok = add_lines(store, page->text, &lines, err)
           && choose_page(store, page, sq_buf_span(&lines), id, err);
    sq_buf_finish(&lines);
    return ok && sq_search_put_file(store, &page->file, *id, err);
}

bool
sq_search_store_add(struct sq_search_store *store,
                    const struct sq_search_page *page, int64_t *id,
                    struct sq_err *err) {
    return sq_sql_run(store, SQ_SQL_BEGIN, err)
        && sq_sql_commit(store, add_page(store, page, id, err), err);
}

static bool
copy_page(struct sq_search_store *store, int64_t page, struct sq_span app,
          int64_t id, struct sq_err *err) {
    bool has_row;
    if (!SQ_SEARCH_DO(store, PAGE_COPY, err, "iti", id, app, page)
        || !sq_sql_begin(store, PAGE_READ, &has_row, err, "i", id)) {
        return false;
    }
    bool ok = has_row ? index_page(store, id, sq_sql_bytes(store, PAGE_READ, 2),
                                   app, err)
                      : sq_sql_fail_damaged(err);
    sq_sql_end(store, PAGE_READ);
    return ok;
}

bool
sq_search_store_add_app(struct sq_search_store *store,
                        const struct sq_search_file *file, int64_t page,
                        struct sq_span app, int64_t *id, struct sq_err *err) {
    if (!sq_sql_run(store, SQ_SQL_BEGIN, err)) {
        return false;
    }
    bool ok = choose_id(store, file->pick->shot.utc, id, err)
           && copy_page(store, page, app, *id, err)
           && sq_search_put_file(store, file, *id, err);
    return sq_sql_commit(store, ok, err);
}
