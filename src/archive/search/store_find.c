/* Finds pages by their words and parts of words. */
#include <stdio.h>
#include <string.h>

#include "archive/search/store_private.h"
#include "util/utf8.h"

/* At most this many words of the vocabulary stand for one term. */
#define MAX_WORDS 300
/* Characters; shorter parts are found by reading the vocabulary. */
#define MIN_PART 3
/* Of a term; the lines of a page show whether it has the others too. */
#define MAX_PAIRS 4
#define MAX_EXPRESSION ((size_t)4 << 20)
/* Pages of one hit: a screen of which other lines change. */
#define MAX_IN_ROW 200
#define MAX_SEEN ((size_t)4 << 20)

/* One search of the index. */
struct finder {
    struct sq_search_store *store;
    const struct sq_search_request *request;
    bool only_whole; /* not parts of words */
    struct sq_buf expression;
    struct sq_search_hit *hits;
    struct sq_search_found *found;
    struct sq_buf seen; /* the ids of pages that were found, latest first */
    size_t in_row;      /* pages of the last hit */
    size_t first;       /* hit of this pass */
};

/* Returns an operator, unless the expression or a part of it starts here. */
static const char *
unless_first(const struct sq_buf *out, const char *operator) {
    bool is_first = out->len == 0 || out->data[out->len - 1] == '(';
    return is_first ? "" : operator;
}

/* Appends OR "word", with * if it is only the start. */
static bool
put_word(struct sq_buf *out, const char *mark, struct sq_span word,
         bool is_start, struct sq_err *err) {
    return sq_buf_printf(out, err, "%s\"%s%.*s\"%s", unless_first(out, " OR "),
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

/* Appends the words that a statement finds and that have a text inside. */
static bool
put_found(struct finder *f, int statement, struct sq_span wanted,
          struct sq_span text, struct sq_err *err) {
    struct sq_sql *sql = f->store->sql;
    /* Short parts are in many words: several of them share the limit. */
    size_t most = statement == PART_SCAN ? MAX_WORDS / f->request->terms.count
                                         : MAX_WORDS;
    size_t count = 0;
    bool has_row;
    bool ok = sq_sql_begin(sql, statement, &has_row, err, "ti", wanted,
                           (int64_t)most);
    while (ok && has_row) {
        struct sq_span word = sq_sql_bytes(sql, statement, 0);
        bool is_start =
            word.len >= text.len && memcmp(word.ptr, text.ptr, text.len) == 0;
        count++;
        ok = ((is_start && statement != PAIR_FIND)
              || put_word(&f->expression, "", word, false, err))
          && sq_sql_next(sql, statement, &has_row, err);
    }
    sq_sql_end(sql, statement);
    f->found->is_partial = f->found->is_partial || count == most;
    return ok;
}

/* Appends the words that have a term inside, or the pairs. */
static bool
put_parts(struct finder *f, int statement, struct sq_span term,
          struct sq_err *err) {
    char quoted[SQ_SEARCH_PAIR_BYTES + 4];
    if (sq_utf8_count(term) < MIN_PART) {
        return put_found(f, PART_SCAN, term, term, err);
    }
    snprintf(quoted, sizeof(quoted), "\"%.*s\"", SQ_SPAN_ARGS(term));
    return put_found(f, statement, sq_span_of(quoted), term, err);
}

/* Appends what stands for a word or pair of a term. */
static bool
put_token(struct finder *f, struct sq_span token, bool is_pair,
          struct sq_err *err) {
    struct sq_buf *out = &f->expression;
    if (!sq_buf_printf(out, err, "%s(", unless_first(out, " AND "))) {
        return false;
    }
    bool ok = f->only_whole || is_pair ? put_word(out, "", token, false, err)
                                       : put_starts(f->store, token, out, err);
    return ok
        && (f->only_whole
            || put_parts(f, is_pair ? PAIR_FIND : PART_FIND, token, err))
        && sq_buf_append(out, ")", 1, err);
}

/* Appends OR and the pairs of a number in groups of three digits. */
static bool
put_groups(struct finder *f, struct sq_span groups, struct sq_err *err) {
    struct sq_buf *out = &f->expression;
    struct sq_span pair;
    bool ok = sq_buf_printf(out, err, " OR (");
    for (int i = 0; ok && i < MAX_PAIRS && sq_search_next_pair(&groups, &pair);
         i++) {
        ok = sq_buf_printf(out, err, "%s\"%.*s\"", unless_first(out, " AND "),
                           SQ_SPAN_ARGS(pair));
    }
    return ok && sq_buf_append(out, ")", 1, err);
}

/* Appends a word: also in groups, if it is a number. */
static bool
put_single(struct finder *f, struct sq_span word, struct sq_err *err) {
    char groups[SQ_SEARCH_GROUPED_BYTES];
    struct sq_buf *out = &f->expression;
    if (!sq_search_group(word, 0, groups)) {
        return put_token(f, word, false, err);
    }
    bool ok = sq_buf_printf(out, err, "%s(", unless_first(out, " AND "))
           && put_token(f, word, false, err);
    for (size_t i = 0; ok && i < SQ_SEARCH_GROUPINGS; i++) {
        size_t len = sq_search_group(word, i, groups);
        ok = put_groups(f, (struct sq_span){ groups, len }, err);
    }
    return ok && sq_buf_append(out, ")", 1, err);
}

/* Appends a term: one word, or the pairs of its words. */
static bool
put_term(struct finder *f, struct sq_span term, struct sq_err *err) {
    struct sq_span pair;
    bool ok = true;
    int count = 0;
    for (struct sq_span rest = term;
         ok && count < MAX_PAIRS && sq_search_next_pair(&rest, &pair);
         count++) {
        ok = put_token(f, pair, true, err);
    }
    return ok && (count > 0 || put_single(f, term, err));
}

/* Appends the words of an activity. */
static bool
put_app(struct finder *f, struct sq_span app, struct sq_err *err) {
    struct sq_span word;
    bool ok = true;
    while (ok && sq_search_next_word(&app, &word)) {
        ok = sq_buf_printf(&f->expression, err, " AND (")
          && put_word(&f->expression, APP_MARK, word, true, err)
          && sq_buf_append(&f->expression, ")", 1, err);
    }
    return ok;
}

/* Writes the expression: all terms, each as any of its words. */
static bool
write_expression(struct finder *f, struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < f->request->terms.count; i++) {
        ok = put_term(f, f->request->terms.items[i], err);
    }
    for (size_t i = 0; ok && i < f->request->apps.count; i++) {
        ok = put_app(f, f->request->apps.items[i], err);
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
          struct sq_buf *lines, struct sq_err *err) {
    struct sq_sql *sql = store->sql;
    bool has_row;
    if (!sq_sql_begin(sql, PAGE_READ, &has_row, err, "i", id)) {
        return false;
    }
    struct sq_span places = sq_sql_bytes(sql, PAGE_READ, 2);
    hit->size = (struct sq_size){ (int)sq_sql_int(sql, PAGE_READ, 0),
                                  (int)sq_sql_int(sql, PAGE_READ, 1) };
    bool ok = !has_row || sq_buf_append(lines, places.ptr, places.len, err);
    sq_sql_end(sql, PAGE_READ);
    return ok;
}

/* Chooses the snippet of a hit. *has_all: its lines have all terms. */
static bool
choose_snippet(struct sq_search_store *store, int64_t id,
               const struct sq_search_terms *terms, struct sq_search_hit *hit,
               bool *has_all, struct sq_err *err) {
    struct sq_buf lines;
    struct sq_search_excerpt excerpt = { 0 };
    sq_buf_init(&lines, MAX_PAGE_TEXT);
    bool ok = read_page(store, id, hit, &lines, err);
    struct sq_span places = sq_buf_span(&lines);
    for (size_t i = 0; ok && i < sq_search_line_count(places)
                       && !sq_search_excerpt_is_best(&excerpt, terms);
         i++) {
        const struct sq_search_line line = sq_search_line_at(places, i);
        ok = read_line(store, &line, terms, &excerpt, err);
    }
    *has_all = sq_search_excerpt_has_all(&excerpt, terms);
    hit->box = excerpt.box;
    memcpy(hit->snippet, excerpt.snippet, sizeof(hit->snippet));
    sq_buf_finish(&lines);
    return ok;
}

/* Reads the shot and the place of the current row. */
static struct sq_archive_pick
read_shot(struct sq_search_store *store, int statement) {
    struct sq_span shot = sq_sql_bytes(store->sql, statement, 3);
    struct sq_archive_pick pick = {
        .place = (sq_place)sq_sql_int(store->sql, statement, 4),
    };
    if (shot.len == sizeof(pick.shot)) {
        memcpy(&pick.shot, shot.ptr, shot.len);
    }
    return pick;
}

/* Returns what to do with the file of the current row. */
static enum sq_search_use
use_of(struct sq_search_store *store, int statement,
       const struct sq_search_request *request) {
    const struct sq_archive_pick pick = read_shot(store, statement);
    const struct sq_search_state state = {
        .size = sq_sql_int(store->sql, statement, 1),
        .mtime_ns = sq_sql_int(store->sql, statement, 2),
    };
    return request->use
             ? request->use(request->context, &pick,
                            sq_sql_bytes(store->sql, statement, 0), &state)
             : SQ_SEARCH_CURRENT;
}

/* The files of a page that are in the window. */
enum files {
    NO_FILE,
    ONLY_CHANGED, /* or deleted */
    CURRENT,      /* at least one */
};

/*
 * Steps to the first file of a page, in the order of the statement, that is in
 * the window and current. The caller ends the statement.
 */
static bool
find_file(struct sq_search_store *store, int statement, int64_t page,
          const struct sq_search_request *request, enum files *out,
          struct sq_err *err) {
    bool has_row;
    bool ok = sq_sql_begin(store->sql, statement, &has_row, err, "iii", page,
                           request->from_utc, request->to_utc);
    *out = NO_FILE;
    while (ok && has_row && *out != CURRENT) {
        enum sq_search_use use = use_of(store, statement, request);
        *out = use == SQ_SEARCH_CURRENT ? CURRENT
             : use == SQ_SEARCH_CHANGED ? ONLY_CHANGED
                                        : *out;
        ok = *out == CURRENT
          || sq_sql_next(store->sql, statement, &has_row, err);
    }
    return ok;
}

/* Reads the shot of the current row. */
static void
read_pick(struct sq_search_store *store, struct sq_archive_pick *out) {
    struct sq_sql *sql = store->sql;
    struct sq_span path = sq_sql_bytes(sql, FILE_FIRST, 0);
    struct sq_span folder;
    while (sq_span_take_until(&path, '/', &folder)) {
    }
    *out = read_shot(store, FILE_FIRST);
    copy_name(path, out->full);
    copy_name(sq_sql_bytes(sql, FILE_FIRST, 5), out->thumb);
}

/* Fills the pictures of a hit if the page has current ones. */
static bool
find_pictures(struct sq_search_store *store, int64_t page,
              const struct sq_search_request *request,
              struct sq_search_hit *hit, enum files *out, struct sq_err *err) {
    enum files last = NO_FILE;
    bool ok = find_file(store, FILE_FIRST, page, request, out, err);
    *hit = (struct sq_search_hit){ 0 };
    if (ok && *out == CURRENT) {
        read_pick(store, &hit->pick);
        hit->state =
            (struct sq_search_state){ sq_sql_int(store->sql, FILE_FIRST, 1),
                                      sq_sql_int(store->sql, FILE_FIRST, 2) };
        ok = find_file(store, FILE_LAST, page, request, &last, err);
        hit->last_utc = last == CURRENT ? read_shot(store, FILE_LAST).shot.utc
                                        : hit->pick.shot.utc;
    }
    sq_sql_end(store->sql, FILE_FIRST);
    sq_sql_end(store->sql, FILE_LAST);
    return ok;
}

/* Begins the search; pages of pictures in the window begin on its first day. */
static bool
begin(struct finder *f, bool *has_row, struct sq_err *err) {
    const struct sq_search_request *request = f->request;
    int64_t first = request->from_utc - request->from_utc % SQ_SEARCH_DAY_S;
    sq_buf_clear(&f->expression);
    return write_expression(f, err)
        && sq_sql_begin(f->store->sql, BODY_FIND, has_row, err, "tii",
                        sq_buf_span(&f->expression), first << PAGE_BITS,
                        request->to_utc << PAGE_BITS);
}

static bool
is_seen(const struct finder *f, int64_t page) {
    for (size_t i = 0; i < f->seen.len; i += sizeof(page)) {
        if (memcmp(f->seen.data + i, &page, sizeof(page)) == 0) {
            return true;
        }
    }
    return false;
}

/*
 * Returns in *out whether a page continues the last hit: it is the one before,
 * of the same day, monitor and activity, and shows the same line.
 */
static bool
continues(struct finder *f, const struct sq_search_hit *hit, bool *out,
          struct sq_err *err) {
    const struct sq_search_hit *last = &f->hits[f->found->count - 1];
    bool has_break = true;
    *out = false;
    if (f->found->count == f->first || f->in_row == MAX_IN_ROW
        || last->pick.shot.monitor != hit->pick.shot.monitor
        || (last->page >> PAGE_BITS) / SQ_SEARCH_DAY_S
               != (hit->page >> PAGE_BITS) / SQ_SEARCH_DAY_S
        || strcmp(last->snippet, hit->snippet) != 0) {
        return true;
    }
    bool ok =
        sq_sql_begin(f->store->sql, PAGE_BREAK, &has_break, err, "iii",
                     hit->page, last->page, (int64_t)hit->pick.shot.monitor);
    sq_sql_end(f->store->sql, PAGE_BREAK);
    *out = !has_break;
    return ok;
}

/* Adds a page to the hits, as one of its own or to the last one. */
static bool
add_hit(struct finder *f, struct sq_search_hit *hit, struct sq_err *err) {
    struct sq_search_found *found = f->found;
    bool is_next = false;
    if (!continues(f, hit, &is_next, err)) {
        return false;
    }
    if (!is_next && found->count == f->request->max) {
        found->has_more = true;
        return true;
    }
    if (is_next) {
        hit->last_utc = f->hits[found->count - 1].last_utc;
        f->hits[found->count - 1] = *hit;
    } else {
        f->hits[found->count++] = *hit;
    }
    f->in_row = is_next ? f->in_row + 1 : 1;
    return sq_buf_append(&f->seen, &hit->page, sizeof(hit->page), err);
}

/* Adds a page to the hits if it has all terms and a current picture. */
static bool
try_page(struct finder *f, int64_t page, struct sq_err *err) {
    struct sq_search_hit hit;
    enum files files = NO_FILE;
    bool has_all = false;
    bool ok = find_pictures(f->store, page, f->request, &hit, &files, err)
           && (files == NO_FILE
               || choose_snippet(f->store, page, &f->request->terms, &hit,
                                 &has_all, err));
    f->found->outdated += ok && has_all && files == ONLY_CHANGED;
    hit.page = page;
    hit.is_whole = f->only_whole;
    return ok && (!has_all || files != CURRENT || add_hit(f, &hit, err));
}

static bool
find_pages(struct finder *f, struct sq_err *err) {
    bool has_row = false;
    bool ok = begin(f, &has_row, err);
    f->found->outdated = 0; /* a search for parts finds all whole words too */
    f->first = f->found->count;
    while (ok && has_row && !f->found->has_more) {
        int64_t page = sq_sql_int(f->store->sql, BODY_FIND, 0);
        ok = (is_seen(f, page) || try_page(f, page, err))
          && sq_sql_next(f->store->sql, BODY_FIND, &has_row, err);
    }
    sq_sql_end(f->store->sql, BODY_FIND);
    return ok;
}

bool
sq_search_store_find(struct sq_search_store *store,
                     const struct sq_search_request *request,
                     struct sq_search_hit *hits, struct sq_search_found *found,
                     struct sq_err *err) {
    struct finder f = {
        .store = store,
        .request = request,
        .only_whole = true,
        .hits = hits,
        .found = found,
    };
    *found = (struct sq_search_found){ 0 };
    sq_buf_init(&f.expression, MAX_EXPRESSION);
    sq_buf_init(&f.seen, MAX_SEEN);
    bool ok = find_pages(&f, err);
    if (ok && !found->has_more) {
        f.only_whole = false;
        ok = find_pages(&f, err);
    }
    sq_buf_finish(&f.seen);
    sq_buf_finish(&f.expression);
    return ok;
}

bool
sq_search_store_has_apps(struct sq_search_store *store, bool *out,
                         struct sq_err *err) {
    static const char any_app[] = "\"" APP_MARK "\"*";
    *out = false;
    bool ok = sq_sql_begin(store->sql, BODY_FIND, out, err, "tii",
                           sq_span_of(any_app), (int64_t)0, INT64_MAX);
    sq_sql_end(store->sql, BODY_FIND);
    return ok;
}
