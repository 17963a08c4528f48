/* Finds pages by their words and parts of words. */
#include <stdlib.h>
#include <string.h>

#include "archive/search/terms.h"
#include "archive/search/store_private.h"
#include "util/minmax.h"

/* Pages of one hit: a screen of which other lines change. */
#define MAX_IN_ROW 200
/* Lines remembered as having no term; the pages of a screen repeat theirs. */
#define KNOWN_LINES 1024
#define MAX_SEEN ((size_t)4 << 20)

/* One search of the index. */
struct finder {
    struct sq_search_store *store;
    const struct sq_search_request *request;
    struct sq_search_terms terms; /* as they are compared at this rank */
    struct sq_search_expression expression;
    int statement; /* that finds pages */
    struct sq_search_hit *hits;
    struct sq_search_found *found;
    struct sq_buf seen; /* the ids of pages that were found */
    size_t seen_before; /* those of better ranks, sorted */
    size_t in_row;      /* pages of the last hit */
    size_t first;       /* hit of this rank */
    /* Of the page before that has all terms; many pages repeat its lines. */
    struct sq_search_excerpt last;
    uint32_t without_term[KNOWN_LINES]; /* their ids */
    int64_t page;                       /* that PAGES_DOWN is at; 0: none */
    struct sq_buf app;                  /* its activity */
    bool is_next; /* it comes right before the last hit, of the same activity */
};

/* Tries a line, unless it is known to have no term. */
static bool
read_line(struct finder *f, const struct sq_search_line *line,
          struct sq_search_excerpt *excerpt, struct sq_err *err) {
    struct sq_search_store *store = f->store;
    uint32_t *without = &f->without_term[line->id % KNOWN_LINES];
    bool has_row;
    if (*without == line->id) {
        return true;
    }
    if (!sq_sql_begin(store, LINE_READ, &has_row, err, "i",
                      (int64_t)line->id)) {
        return false;
    }
    bool ok = !has_row
           || sq_search_excerpt_try(sq_sql_bytes(store, LINE_READ, 0), line,
                                    &f->terms, excerpt, err);
    sq_sql_end(store, LINE_READ);
    if (ok && has_row && f->terms.count > 0 && excerpt->tried == 0) {
        *without = line->id;
    }
    return ok;
}

static void
copy_name(struct sq_span text, char out[SQ_NAME_SIZE]) {
    size_t len = text.len < SQ_NAME_SIZE - 1 ? text.len : SQ_NAME_SIZE - 1;
    memcpy(out, text.ptr, len);
    out[len] = '\0';
}

/* Compares the activity of a page with that of the page read before. */
static bool
note_app(struct finder *f, struct sq_span app, struct sq_err *err) {
    struct sq_span name = { 0 };
    sq_span_take_line(&app, &name); /* its title follows */
    if (sq_span_equal(sq_buf_span(&f->app), name)) {
        return true;
    }
    f->is_next = false;
    sq_buf_clear(&f->app);
    return sq_buf_append(&f->app, name.ptr, name.len, err);
}

/*
 * Reads a page; its line ids and places go to `lines`. Pages that are found
 * are often neighbours, so the statement goes on from the page read before.
 */
static bool
read_page(struct finder *f, int64_t id, struct sq_search_hit *hit,
          struct sq_buf *lines, struct sq_err *err) {
    struct sq_search_store *store = f->store;
    bool has_row = false;
    f->is_next = f->page != 0 && f->found->count > f->first
              && f->hits[f->found->count - 1].page == f->page;
    bool ok = f->page == 0 || sq_sql_next(store, PAGES_DOWN, &has_row, err);
    if (ok && !(has_row && sq_sql_int(store, PAGES_DOWN, 0) == id)) {
        f->is_next = false;
        sq_sql_end(store, PAGES_DOWN);
        ok = sq_sql_begin(store, PAGES_DOWN, &has_row, err, "i", id);
    }
    f->page = ok && has_row ? sq_sql_int(store, PAGES_DOWN, 0) : 0;
    if (!ok || f->page != id) {
        return ok;
    }
    struct sq_span places = sq_sql_bytes(store, PAGES_DOWN, 3);
    hit->size = (struct sq_size){ (int)sq_sql_int(store, PAGES_DOWN, 1),
                                  (int)sq_sql_int(store, PAGES_DOWN, 2) };
    return note_app(f, sq_sql_bytes(store, PAGES_DOWN, 4), err)
        && sq_buf_append(lines, places.ptr, places.len, err);
}

/* Returns in *out whether any line has an unwanted term. */
static bool
has_unwanted(const struct finder *f, struct sq_span places, bool *out,
             struct sq_err *err) {
    const struct sq_search_terms *terms = &f->request->query.unwanted;
    struct sq_search_store *store = f->store;
    bool ok = true;
    *out = false;
    for (size_t i = 0;
         terms->count > 0 && ok && !*out && i < sq_search_line_count(places);
         i++) {
        bool has_row;
        ok = sq_sql_begin(store, LINE_READ, &has_row, err, "i",
                          (int64_t)sq_search_line_at(places, i).id)
          && (!has_row
              || sq_search_excerpt_has_any(sq_sql_bytes(store, LINE_READ, 0),
                                           terms, out, err));
        sq_sql_end(store, LINE_READ);
    }
    return ok;
}

/* Chooses a hit's snippet. *has_all: all terms, and no unwanted one. */
static bool
choose_snippet(struct finder *f, int64_t id, struct sq_search_hit *hit,
               bool *has_all, struct sq_err *err) {
    const struct sq_search_terms *terms = &f->terms;
    struct sq_search_excerpt excerpt = f->last;
    bool is_unwanted = false;
    SQ_BUF(lines, MAX_PAGE_TEXT);
    bool ok = read_page(f, id, hit, &lines, err);
    struct sq_span places = sq_buf_span(&lines);
    ok = ok && has_unwanted(f, places, &is_unwanted, err);
    bool is_moved =
        excerpt.matched > 0 && sq_search_excerpt_move(&excerpt, terms, places);
    if (!is_moved) {
        excerpt = (struct sq_search_excerpt){ 0 };
    }
    for (size_t i = 0;
         ok && !is_unwanted && !is_moved && i < sq_search_line_count(places)
         && !sq_search_excerpt_is_best(&excerpt, terms);
         i++) {
        const struct sq_search_line line = sq_search_line_at(places, i);
        ok = read_line(f, &line, &excerpt, err);
    }
    *has_all = !is_unwanted && sq_search_excerpt_has_all(&excerpt, terms);
    if (*has_all) {
        f->last = excerpt;
    }
    hit->box = excerpt.box;
    memcpy(hit->snippet, excerpt.snippet, sizeof(hit->snippet));
    return ok;
}

/* Reads the shot and the place of the current row. */
static struct sq_archive_pick
read_shot(struct sq_search_store *store, int statement) {
    struct sq_span shot = sq_sql_bytes(store, statement, 3);
    struct sq_archive_pick pick = {
        .place = (sq_place)sq_sql_int(store, statement, 4),
    };
    if (shot.len == sizeof(pick.shot)) {
        memcpy(&pick.shot, shot.ptr, shot.len);
    }
    return pick;
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
    bool ok = sq_sql_begin(store, statement, &has_row, err, "iii", page,
                           request->from_utc, request->to_utc);
    *out = NO_FILE;
    while (ok && has_row && *out != CURRENT) {
        /* What to do with the file of the current row. */
        const struct sq_archive_pick pick = read_shot(store, statement);
        const struct sq_search_state state = {
            .size = sq_sql_int(store, statement, 1),
            .mtime_ns = sq_sql_int(store, statement, 2),
        };
        enum sq_search_use use =
            request->use
                ? request->use(request->context, &pick,
                               sq_sql_bytes(store, statement, 0), &state)
                : SQ_SEARCH_CURRENT;
        *out = use == SQ_SEARCH_CURRENT ? CURRENT
             : use == SQ_SEARCH_CHANGED ? ONLY_CHANGED
                                        : *out;
        ok = *out == CURRENT || sq_sql_next(store, statement, &has_row, err);
    }
    return ok;
}

/* Reads the shot of the current row. */
static void
read_pick(struct sq_search_store *store, struct sq_archive_pick *out) {
    struct sq_span path = sq_sql_bytes(store, FILE_FIRST, 0);
    struct sq_span folder;
    while (sq_span_take_until(&path, '/', &folder)) {
    }
    *out = read_shot(store, FILE_FIRST);
    copy_name(path, out->full);
    copy_name(sq_sql_bytes(store, FILE_FIRST, 5), out->thumb);
}

/* Fills the pictures of a hit if the page has current ones. */
static bool
find_pictures(struct sq_search_store *store, int64_t page,
              const struct sq_search_request *request,
              struct sq_search_hit *hit, enum files *out, struct sq_err *err) {
    enum files last = NO_FILE;
    bool has_more = false;
    bool ok = find_file(store, FILE_FIRST, page, request, out, err);
    *hit = (struct sq_search_hit){ 0 };
    if (ok && *out == CURRENT) {
        read_pick(store, &hit->pick);
        hit->state =
            (struct sq_search_state){ sq_sql_int(store, FILE_FIRST, 1),
                                      sq_sql_int(store, FILE_FIRST, 2) };
        ok = sq_sql_next(store, FILE_FIRST, &has_more, err)
          && (!has_more
              || find_file(store, FILE_LAST, page, request, &last, err));
        hit->last_utc = last == CURRENT ? read_shot(store, FILE_LAST).shot.utc
                                        : hit->pick.shot.utc;
    }
    sq_sql_end(store, FILE_FIRST);
    sq_sql_end(store, FILE_LAST);
    return ok;
}

/* Begins the search; pages of pictures in the window begin on its first day. */
static bool
begin(struct finder *f, bool *has_row, struct sq_err *err) {
    const struct sq_search_request *request = f->request;
    int64_t first = request->from_utc - request->from_utc % SQ_SEARCH_DAY_S;
    if (!sq_search_write_expression(&f->expression, err)) {
        return false;
    }
    f->statement = f->expression.text.len > 0 ? BODY_FIND : PAGE_ALL;
    return sq_sql_begin(f->store, f->statement, has_row, err, "tii",
                        sq_buf_span(&f->expression.text), first << PAGE_BITS,
                        request->to_utc << PAGE_BITS);
}

static int
compare_pages(const void *a, const void *b) {
    int64_t one;
    int64_t two;
    memcpy(&one, a, sizeof(one));
    memcpy(&two, b, sizeof(two));
    return (one > two) - (one < two);
}

/* Returns whether a better rank has found a page; a rank finds each once. */
static bool
is_seen(const struct finder *f, int64_t page) {
    return f->seen_before > 0
        && bsearch(&page, f->seen.data, f->seen_before, sizeof(page),
                   compare_pages);
}

/*
 * Returns in *out whether a page is of another activity than a later one, or
 * others are between them. Those of which all files are hidden do not count.
 */
static bool
has_break(const struct finder *f, const struct sq_search_hit *hit,
          int64_t later, bool *out, struct sq_err *err) {
    struct sq_search_store *store = f->store;
    bool has_row;
    bool ok = sq_sql_begin(store, PAGE_BREAK, &has_row, err, "iii", hit->page,
                           later, (int64_t)hit->pick.shot.monitor);
    *out = false;
    while (ok && has_row && !*out) {
        int64_t page = sq_sql_int(store, PAGE_BREAK, 0);
        enum files files = CURRENT;
        ok = page == hit->page
          || find_file(f->store, FILE_FIRST, page, f->request, &files, err);
        sq_sql_end(store, FILE_FIRST);
        *out = files != NO_FILE;
        ok = ok && sq_sql_next(store, PAGE_BREAK, &has_row, err);
    }
    sq_sql_end(store, PAGE_BREAK);
    return ok;
}

/*
 * Returns in *out whether a page continues the last hit: it is the one before,
 * of the same day, monitor and activity, and shows the same line. If only the
 * activity was asked for, the line does not matter.
 */
static bool
continues(struct finder *f, const struct sq_search_hit *hit, bool *out,
          struct sq_err *err) {
    const struct sq_search_hit *last = &f->hits[f->found->count - 1];
    bool is_activity = f->terms.count == 0 && f->request->apps.count > 0;
    bool is_broken = true;
    *out = false;
    if (f->found->count == f->first || f->in_row == MAX_IN_ROW
        || last->pick.shot.monitor != hit->pick.shot.monitor
        || (last->page >> PAGE_BITS) / SQ_SEARCH_DAY_S
               != (hit->page >> PAGE_BITS) / SQ_SEARCH_DAY_S
        || (!is_activity && strcmp(last->snippet, hit->snippet) != 0)) {
        return true;
    }
    bool ok = f->is_next || has_break(f, hit, last->page, &is_broken, err);
    *out = ok && (f->is_next || !is_broken);
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
        /*
         * Joins a page with the hit that it continues. Its pictures are later
         * than the hit's if its own first one was removed from the index and
         * read again.
         */
        struct sq_search_hit *last = &f->hits[found->count - 1];
        int64_t last_utc = sq_max_int64(last->last_utc, hit->last_utc);
        if (hit->pick.shot.utc < last->pick.shot.utc) {
            *last = *hit;
        }
        last->page = hit->page;
        last->last_utc = last_utc;
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
    bool ok =
        find_pictures(f->store, page, f->request, &hit, &files, err)
        && (files == NO_FILE || choose_snippet(f, page, &hit, &has_all, err));
    f->found->outdated += ok && has_all && files == ONLY_CHANGED;
    hit.page = page;
    hit.rank = f->expression.rank;
    return ok && (!has_all || files != CURRENT || add_hit(f, &hit, err));
}

static bool
find_pages(struct finder *f, struct sq_err *err) {
    bool has_row = false;
    bool ok = begin(f, &has_row, err);
    f->found->outdated = 0; /* a rank finds all pages of better ones too */
    f->first = f->found->count;
    f->seen_before = f->seen.len / sizeof(int64_t);
    if (f->seen_before > 0) {
        qsort(f->seen.data, f->seen_before, sizeof(int64_t), compare_pages);
    }
    f->last = (struct sq_search_excerpt){ 0 };
    memset(f->without_term, 0, sizeof(f->without_term));
    while (ok && has_row && !f->found->has_more) {
        int64_t page = sq_sql_int(f->store, f->statement, 0);
        ok = (is_seen(f, page) || try_page(f, page, err))
          && sq_sql_next(f->store, f->statement, &has_row, err);
    }
    sq_sql_end(f->store, f->statement);
    sq_sql_end(f->store, PAGES_DOWN);
    f->page = 0;
    return ok;
}

/* Returns whether pages of a rank have to be searched. */
static bool
is_needed(const struct finder *f, enum sq_search_rank rank) {
    bool any = false;
    if (f->found->has_more || (rank > SQ_SEARCH_WHOLE && f->terms.count == 0)) {
        return false;
    }
    for (size_t i = 0; i < f->terms.count; i++) {
        any = any || sq_search_may_be_misread(&f->terms, i);
    }
    return rank < SQ_SEARCH_MISREAD
        || (any && (rank < SQ_SEARCH_DISTANT || f->found->count == 0));
}

bool
sq_search_store_find(struct sq_search_store *store,
                     const struct sq_search_request *request,
                     struct sq_search_hit *hits, struct sq_search_found *found,
                     struct sq_err *err) {
    static const enum sq_search_misread misread[SQ_SEARCH_RANKS] = {
        [SQ_SEARCH_MISREAD] = SQ_SEARCH_CONFUSED,
        [SQ_SEARCH_DISTANT] = SQ_SEARCH_ONE_OFF,
    };
    struct finder f = {
        .store = store,
        .request = request,
        .terms = request->query.wanted,
        .expression = { .store = store, .request = request },
        .hits = hits,
        .found = found,
    };
    bool ok = true;
    *found = (struct sq_search_found){ 0 };
    sq_buf_init(&f.expression.text, SQ_SEARCH_MAX_EXPRESSION);
    sq_buf_init(&f.seen, MAX_SEEN);
    sq_buf_init(&f.app, MAX_PAGE_TEXT);
    for (enum sq_search_rank rank = 0; ok && rank < SQ_SEARCH_RANKS; rank++) {
        if (is_needed(&f, rank)) {
            f.expression.rank = rank;
            f.terms.misread = misread[rank];
            ok = find_pages(&f, err);
        }
    }
    found->is_partial = f.expression.is_partial;
    sq_buf_finish(&f.app);
    sq_buf_finish(&f.seen);
    sq_buf_finish(&f.expression.text);
    return ok;
}

bool
sq_search_store_has_apps(struct sq_search_store *store, bool *out,
                         struct sq_err *err) {
    static const char any_app[] = "\"" APP_MARK "\"*";
    *out = false;
    bool ok = sq_sql_begin(store, BODY_FIND, out, err, "tii",
                           sq_span_of(any_app), (int64_t)0, INT64_MAX);
    sq_sql_end(store, BODY_FIND);
    return ok;
}
