/* Finds pages by their words and parts of words. */
#include <stdio.h>
#include <string.h>

#include "archive/search/store_private.h"
#include "util/utf8.h"

/* At most this many words of the vocabulary stand for one term. */
#define MAX_WORDS 300
#define MIN_PART 3 /* characters; shorter ones are only found at the start */
#define MAX_EXPRESSION ((size_t)1 << 20)

/* Appends OR "word", with * if it is only the start. */
static bool
put_word(struct sq_buf *out, const char *mark, struct sq_span word,
         bool is_start, struct sq_err *err) {
    bool is_first = out->len == 0 || out->data[out->len - 1] == '(';
    return sq_buf_printf(out, err, "%s\"%s%.*s\"%s", is_first ? "" : " OR ",
                         mark, SQ_SPAN_ARGS(word), is_start ? "*" : "");
}

/* Appends the words of the vocabulary that start with a term; counts them. */
static bool
put_known_starts(struct sq_search_store *store, struct sq_span term,
                 struct sq_buf *out, size_t *count, struct sq_err *err) {
    char after[SQ_SEARCH_WORD_BYTES + 2];
    bool has_row;
    snprintf(after, sizeof(after), "%.*s\xff", SQ_SPAN_ARGS(term));
    bool ok = sq_sql_begin(store->sql, WORD_STARTS, &has_row, err, "tti", term,
                           sq_span_of(after), (int64_t)MAX_WORDS);
    while (ok && has_row) {
        ++*count;
        ok = put_word(out, "", sq_sql_bytes(store->sql, WORD_STARTS, 0), false,
                      err)
          && sq_sql_next(store->sql, WORD_STARTS, &has_row, err);
    }
    sq_sql_end(store->sql, WORD_STARTS);
    return ok;
}

/*
 * Appends the words that start with a term. Few words are faster than a search
 * for all that start so, which FTS5 has to merge first.
 */
static bool
put_starts(struct sq_search_store *store, struct sq_span term,
           struct sq_buf *out, struct sq_err *err) {
    struct sq_buf known;
    size_t count = 0;
    sq_buf_init(&known, MAX_EXPRESSION);
    bool ok = put_known_starts(store, term, &known, &count, err);
    if (ok) {
        ok = count == 0 || count == MAX_WORDS
               ? put_word(out, "", term, true, err)
               : sq_buf_append(out, known.data, known.len, err);
    }
    sq_buf_finish(&known);
    return ok;
}

/* Appends the words that have a term inside. */
static bool
put_parts(struct sq_search_store *store, struct sq_span term,
          struct sq_buf *out, struct sq_err *err) {
    char quoted[SQ_SEARCH_WORD_BYTES + 4];
    bool has_row;
    if (sq_utf8_count(term) < MIN_PART) {
        return true;
    }
    snprintf(quoted, sizeof(quoted), "\"%.*s\"", SQ_SPAN_ARGS(term));
    bool ok = sq_sql_begin(store->sql, PART_FIND, &has_row, err, "ti",
                           sq_span_of(quoted), (int64_t)MAX_WORDS);
    while (ok && has_row) {
        struct sq_span word = sq_sql_bytes(store->sql, PART_FIND, 0);
        bool is_start =
            word.len >= term.len && memcmp(word.ptr, term.ptr, term.len) == 0;
        ok = (is_start || put_word(out, "", word, false, err))
          && sq_sql_next(store->sql, PART_FIND, &has_row, err);
    }
    sq_sql_end(store->sql, PART_FIND);
    return ok;
}

/* Writes the expression: all terms, each as any of its words. */
static bool
write_expression(struct sq_search_store *store,
                 const struct sq_search_request *request, struct sq_buf *out,
                 struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < request->terms.count; i++) {
        struct sq_span term = request->terms.items[i];
        ok = sq_buf_printf(out, err, "%s(", i ? " AND " : "")
          && put_starts(store, term, out, err)
          && put_parts(store, term, out, err)
          && sq_buf_append(out, ")", 1, err);
    }
    for (size_t i = 0; ok && i < request->apps.count; i++) {
        ok = sq_buf_printf(out, err, " AND (")
          && put_word(out, APP_MARK, request->apps.items[i], true, err)
          && sq_buf_append(out, ")", 1, err);
    }
    return ok;
}

static bool
read_line(struct sq_search_store *store, const struct sq_search_line *line,
          const struct sq_search_terms *terms,
          struct sq_search_excerpt *excerpt, struct sq_err *err) {
    bool has_row;
    if (!sq_sql_begin(store->sql, LINE_READ, &has_row, err, "i",
                      (int64_t)line->id)) {
        return false;
    }
    bool ok = !has_row
           || sq_search_excerpt_try(sq_sql_bytes(store->sql, LINE_READ, 0),
                                    line, terms, excerpt, err);
    sq_sql_end(store->sql, LINE_READ);
    return ok;
}

static void
copy_name(struct sq_span text, char out[SQ_NAME_SIZE]) {
    snprintf(out, SQ_NAME_SIZE, "%.*s", SQ_SPAN_ARGS(text));
}

/* Reads a page; its line ids and places go to `lines`. */
static bool
read_page(struct sq_search_store *store, int64_t id, struct sq_search_hit *hit,
          struct sq_buf *lines, bool *found, struct sq_err *err) {
    struct sq_sql *sql = store->sql;
    if (!sq_sql_begin(sql, PAGE_READ, found, err, "i", id)) {
        return false;
    }
    struct sq_span shot = sq_sql_bytes(sql, PAGE_READ, 0);
    struct sq_span places = sq_sql_bytes(sql, PAGE_READ, 7);
    *hit = (struct sq_search_hit){ 0 };
    *found = *found && shot.len == sizeof(hit->pick.shot);
    bool ok = true;
    if (*found) {
        memcpy(&hit->pick.shot, shot.ptr, shot.len);
        hit->pick.place = (sq_place)sq_sql_int(sql, PAGE_READ, 1);
        copy_name(sq_sql_bytes(sql, PAGE_READ, 2), hit->pick.full);
        copy_name(sq_sql_bytes(sql, PAGE_READ, 3), hit->pick.thumb);
        hit->last_utc = sq_sql_int(sql, PAGE_READ, 4);
        hit->size = (struct sq_size){ (int)sq_sql_int(sql, PAGE_READ, 5),
                                      (int)sq_sql_int(sql, PAGE_READ, 6) };
        sq_buf_clear(lines);
        ok = sq_buf_append(lines, places.ptr, places.len, err);
    }
    sq_sql_end(sql, PAGE_READ);
    return ok;
}

/* Fills a hit and chooses its snippet. */
static bool
describe(struct sq_search_store *store, int64_t id,
         const struct sq_search_terms *terms, struct sq_search_hit *hit,
         bool *found, struct sq_err *err) {
    struct sq_buf lines;
    struct sq_search_excerpt excerpt = { 0 };
    sq_buf_init(&lines, MAX_PAGE_TEXT);
    bool ok = read_page(store, id, hit, &lines, found, err);
    struct sq_span places = sq_buf_span(&lines);
    for (size_t i = 0; ok && *found && i < sq_search_line_count(places)
                       && excerpt.matched < terms->count;
         i++) {
        const struct sq_search_line line = sq_search_line_at(places, i);
        ok = read_line(store, &line, terms, &excerpt, err);
    }
    hit->box = excerpt.box;
    memcpy(hit->snippet, excerpt.snippet, sizeof(hit->snippet));
    sq_buf_finish(&lines);
    return ok;
}

bool
sq_search_store_find(struct sq_search_store *store,
                     const struct sq_search_request *request,
                     struct sq_search_hit *out, size_t *count, bool *has_more,
                     struct sq_err *err) {
    struct sq_buf expression;
    bool has_row = false;
    *count = 0;
    sq_buf_init(&expression, MAX_EXPRESSION);
    bool ok = write_expression(store, request, &expression, err)
           && sq_sql_begin(
                  store->sql, BODY_FIND, &has_row, err, "tiii",
                  sq_buf_span(&expression), request->from_utc << PAGE_BITS,
                  request->to_utc << PAGE_BITS, (int64_t)request->max + 1);
    while (ok && has_row && *count < request->max) {
        bool found;
        int64_t id = sq_sql_int(store->sql, BODY_FIND, 0);
        ok = describe(store, id, &request->terms, &out[*count], &found, err);
        *count += ok && found;
        ok = ok && sq_sql_next(store->sql, BODY_FIND, &has_row, err);
    }
    *has_more = ok && has_row;
    sq_sql_end(store->sql, BODY_FIND);
    sq_buf_finish(&expression);
    return ok;
}
