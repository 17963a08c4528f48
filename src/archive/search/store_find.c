/* Finds pages by their words and parts of words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/search/store_private.h"
#include "util/minmax.h"

/* Pages of one hit: a screen of which other lines change. */
#define MAX_IN_ROW 200
/* Lines remembered as having no term; the pages of a screen repeat theirs. */
#define KNOWN_LINES 1024
#define MAX_SEEN ((size_t)4 << 20)

/* Find pages: by an expression, or all. */
static const char body_find[] =
    "SELECT rowid FROM body WHERE body MATCH ?1 AND rowid >= ?2 AND rowid < ?3 "
    "ORDER BY rowid DESC";
static const char page_all[] = "SELECT id FROM page WHERE id >= ?2 AND id < ?3 "
                               "AND ?1 = '' ORDER BY id DESC";

/* One search of the index. */
struct finder {
    struct sq_search_store *store;
    const struct sq_search_request *request;
    struct sq_search_terms terms; /* as they are compared at this rank */
    struct sq_search_expression expression;
    struct sq_search_hit *hits;
    struct sq_search_found *found;
    struct sq_buf seen; /* the ids of pages that were found */
    size_t seen_before; /* those of better ranks, sorted */
    size_t in_row;      /* pages of the last hit */
    size_t first;       /* hit of this rank */
    /* Of the page before that has all terms; many pages repeat its lines. */
    struct sq_search_excerpt last;
    uint32_t without_term[KNOWN_LINES]; /* their ids */
    struct sqlite3_stmt *down;          /* reads pages, latest first */
    int64_t page;                       /* that it is at; 0: none */
    struct sq_buf app;                  /* its activity */
    bool is_next; /* it comes right before the last hit, of the same activity */
};

/* Tries a line, unless it is known to have no term. */
static void
read_line(struct finder *f, const struct sq_search_line *line,
          struct sq_search_excerpt *excerpt) {
    uint32_t *without = &f->without_term[line->id % KNOWN_LINES];
    if (*without == line->id) {
        return;
    }
    struct sqlite3_stmt *row = sq_search_read_line(f->store, line->id);
    if (sq_sql_next(f->store, row)
        && sq_search_excerpt_try(sq_sql_bytes(row, 0), line, &f->terms, excerpt,
                                 &f->store->err)
        && f->terms.count > 0 && excerpt->tried == 0) {
        *without = line->id;
    }
    sq_sql_end(row);
}

static void
copy_name(struct sq_span text, char out[SQ_NAME_SIZE]) {
    snprintf(out, SQ_NAME_SIZE, "%.*s", SQ_SPAN_ARGS(text));
}

/* Compares the activity of a page with that of the page read before. */
static void
note_app(struct finder *f, struct sq_span app) {
    struct sq_span name = { 0 };
    sq_span_take_line(&app, &name); /* its title follows */
    if (!sq_span_equal(sq_buf_span(&f->app), name)) {
        f->is_next = false;
        sq_buf_clear(&f->app);
        sq_buf_append(&f->app, name.ptr, name.len, &f->store->err);
    }
}

/*
 * Reads a page; its line ids and places go to `lines`. Pages that are found
 * are often neighbours, so the statement goes on from the page read before.
 */
static void
read_page(struct finder *f, int64_t id, struct sq_search_hit *hit,
          struct sq_buf *lines) {
    struct sq_search_store *store = f->store;
    f->is_next = f->page != 0 && f->found->count > f->first
              && f->hits[f->found->count - 1].page == f->page;
    bool has_row = f->page != 0 && sq_sql_next(store, f->down);
    if (!has_row || sq_sql_int(f->down, 0) != id) {
        f->is_next = false;
        sq_sql_end(f->down);
        f->down = sq_sql_begin(store,
                               "SELECT id, width, height, lines, app FROM page "
                               "WHERE id <= ?1 ORDER BY id DESC",
                               "i", id);
        has_row = sq_sql_next(store, f->down);
    }
    f->page = has_row ? sq_sql_int(f->down, 0) : 0;
    if (f->page == id) {
        struct sq_span places = sq_sql_bytes(f->down, 3);
        hit->size = (struct sq_size){ (int)sq_sql_int(f->down, 1),
                                      (int)sq_sql_int(f->down, 2) };
        note_app(f, sq_sql_bytes(f->down, 4));
        sq_buf_append(lines, places.ptr, places.len, &store->err);
    }
}

/* Returns whether any line has an unwanted term. */
static bool
has_unwanted(const struct finder *f, struct sq_span places) {
    const struct sq_search_terms *terms = &f->request->query.unwanted;
    bool found = false;
    for (size_t i = 0;
         terms->count > 0 && !found && i < sq_search_line_count(places); i++) {
        struct sqlite3_stmt *row =
            sq_search_read_line(f->store, sq_search_line_at(places, i).id);
        if (sq_sql_next(f->store, row)) {
            sq_search_excerpt_has_any(sq_sql_bytes(row, 0), terms, &found,
                                      &f->store->err);
        }
        sq_sql_end(row);
    }
    return found;
}

/*
 * Chooses a hit's snippet. Returns whether the page has all terms, and no
 * unwanted one.
 */
static bool
choose_snippet(struct finder *f, int64_t id, struct sq_search_hit *hit) {
    const struct sq_search_terms *terms = &f->terms;
    struct sq_search_excerpt excerpt = f->last;
    SQ_BUF(lines, MAX_PAGE_TEXT);
    read_page(f, id, hit, &lines);
    struct sq_span places = sq_buf_span(&lines);
    if (has_unwanted(f, places)) {
        return false;
    }
    if (excerpt.matched == 0
        || !sq_search_excerpt_move(&excerpt, terms, places)) {
        excerpt = (struct sq_search_excerpt){ 0 };
        for (size_t i = 0;
             sq_sql_ok(f->store) && i < sq_search_line_count(places)
             && !sq_search_excerpt_is_best(&excerpt, terms);
             i++) {
            const struct sq_search_line line = sq_search_line_at(places, i);
            read_line(f, &line, &excerpt);
        }
    }
    if (!sq_search_excerpt_has_all(&excerpt, terms)) {
        return false;
    }
    f->last = excerpt;
    hit->box = excerpt.box;
    memcpy(hit->snippet, excerpt.snippet, sizeof(hit->snippet));
    return true;
}

/* The columns of a file that read_file() and read_shot() read. */
#define FILE_COLUMNS "SELECT path, size, mtime, shot, place, thumb FROM file "
#define OF_PAGE "WHERE page = ?1 AND utc >= ?2 AND utc < ?3 ORDER BY utc"
static const char files_first[] = FILE_COLUMNS OF_PAGE;
static const char files_last[] = FILE_COLUMNS OF_PAGE " DESC";

/* Reads the shot and the place of the current row. */
static struct sq_archive_pick
read_shot(struct sqlite3_stmt *row) {
    struct sq_span shot = sq_sql_bytes(row, 3);
    struct sq_archive_pick pick = { .place = (sq_place)sq_sql_int(row, 4) };
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

/* Begins to read the files of a page, in the order of the statement. */
static struct sqlite3_stmt *
begin_files(const struct finder *f, const char *statement, int64_t page) {
    return sq_sql_begin(f->store, statement, "iii", page, f->request->from_utc,
                        f->request->to_utc);
}

/* Steps to the first file that is in the window and current. */
static enum files
find_file(const struct finder *f, struct sqlite3_stmt *row) {
    const struct sq_search_request *request = f->request;
    enum files found = NO_FILE;
    while (found != CURRENT && sq_sql_next(f->store, row)) {
        const struct sq_archive_pick pick = read_shot(row);
        const struct sq_search_state state = { sq_sql_int(row, 1),
                                               sq_sql_int(row, 2) };
        enum sq_search_use use = request->use
                                   ? request->use(request->context, &pick,
                                                  sq_sql_bytes(row, 0), &state)
                                   : SQ_SEARCH_CURRENT;
        found = use == SQ_SEARCH_CURRENT ? CURRENT
              : use == SQ_SEARCH_CHANGED ? ONLY_CHANGED
                                         : found;
    }
    return found;
}

/* Fills the pictures of a hit if the page has current ones. */
static enum files
find_pictures(const struct finder *f, int64_t page, struct sq_search_hit *hit) {
    struct sqlite3_stmt *row = begin_files(f, files_first, page);
    enum files files = find_file(f, row);
    *hit = (struct sq_search_hit){ .page = page, .rank = f->expression.rank };
    if (files == CURRENT) {
        struct sq_span path = sq_sql_bytes(row, 0);
        struct sq_span folder;
        while (sq_span_take_until(&path, '/', &folder)) {
        }
        hit->pick = read_shot(row);
        copy_name(path, hit->pick.full);
        copy_name(sq_sql_bytes(row, 5), hit->pick.thumb);
        hit->state =
            (struct sq_search_state){ sq_sql_int(row, 1), sq_sql_int(row, 2) };
        hit->last_utc = hit->pick.shot.utc;
        if (sq_sql_next(f->store, row)) {
            struct sqlite3_stmt *last = begin_files(f, files_last, page);
            if (find_file(f, last) == CURRENT) {
                hit->last_utc = read_shot(last).shot.utc;
            }
            sq_sql_end(last);
        }
    }
    sq_sql_end(row);
    return files;
}

/* Begins the search; pages of pictures in the window begin on its first day. */
static struct sqlite3_stmt *
begin(struct finder *f) {
    const struct sq_search_request *request = f->request;
    int64_t first = request->from_utc - request->from_utc % SQ_SEARCH_DAY_S;
    if (!sq_search_write_expression(&f->expression)) {
        return NULL;
    }
    return sq_sql_begin(f->store,
                        f->expression.text.len > 0 ? body_find : page_all,
                        "tii", sq_buf_span(&f->expression.text),
                        first << PAGE_BITS, request->to_utc << PAGE_BITS);
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

/* Of the activity and its title, which are two lines. */
#define APP_NAME "substr(app, 1, instr(app || char(10), char(10)) - 1)"

/*
 * Returns whether a page is of another activity than a later one, or others are
 * between them. Those of which all files are hidden do not count.
 */
static bool
has_break(const struct finder *f, const struct sq_search_hit *hit,
          int64_t later) {
    struct sqlite3_stmt *row = sq_sql_begin(
        f->store,
        "SELECT id FROM page WHERE id >= ?1 AND id < ?2 AND monitor = ?3 AND "
        "(id > ?1 OR " APP_NAME " IS NOT (SELECT " APP_NAME
        " FROM page WHERE id = ?2)) ORDER BY id",
        "iii", hit->page, later, (int64_t)hit->pick.shot.monitor);
    bool found = false;
    while (!found && sq_sql_next(f->store, row)) {
        int64_t page = sq_sql_int(row, 0);
        struct sqlite3_stmt *file = NULL;
        found = page == hit->page;
        if (!found) {
            file = begin_files(f, files_first, page);
            found = find_file(f, file) != NO_FILE;
        }
        sq_sql_end(file);
    }
    sq_sql_end(row);
    return found;
}

/*
 * Returns whether a page continues the last hit: it is the one before, of the
 * same day, monitor and activity, and shows the same line. If only the activity
 * was asked for, the line does not matter.
 */
static bool
continues(const struct finder *f, const struct sq_search_hit *hit) {
    const struct sq_search_hit *last = &f->hits[f->found->count - 1];
    bool is_activity = f->terms.count == 0 && f->request->apps.count > 0;
    return f->found->count > f->first && f->in_row < MAX_IN_ROW
        && last->pick.shot.monitor == hit->pick.shot.monitor
        && (last->page >> PAGE_BITS) / SQ_SEARCH_DAY_S
               == (hit->page >> PAGE_BITS) / SQ_SEARCH_DAY_S
        && (is_activity || strcmp(last->snippet, hit->snippet) == 0)
        && (f->is_next || !has_break(f, hit, last->page));
}

/* Adds a page to the hits, as one of its own or to the last one. */
static void
add_hit(struct finder *f, struct sq_search_hit *hit) {
    struct sq_search_found *found = f->found;
    bool is_next = continues(f, hit);
    if (!is_next && found->count == f->request->max) {
        found->has_more = true;
        return;
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
    sq_buf_append(&f->seen, &hit->page, sizeof(hit->page), &f->store->err);
}

/* Adds a page to the hits if it has all terms and a current picture. */
static void
try_page(struct finder *f, int64_t page) {
    struct sq_search_hit hit;
    enum files files = find_pictures(f, page, &hit);
    bool has_all = files != NO_FILE && choose_snippet(f, page, &hit);
    f->found->outdated += has_all && files == ONLY_CHANGED;
    if (has_all && files == CURRENT && sq_sql_ok(f->store)) {
        add_hit(f, &hit);
    }
}

static void
find_pages(struct finder *f) {
    f->found->outdated = 0; /* a rank finds all pages of better ones too */
    f->first = f->found->count;
    f->seen_before = f->seen.len / sizeof(int64_t);
    if (f->seen_before > 0) {
        qsort(f->seen.data, f->seen_before, sizeof(int64_t), compare_pages);
    }
    f->last = (struct sq_search_excerpt){ 0 };
    memset(f->without_term, 0, sizeof(f->without_term));
    struct sqlite3_stmt *row = begin(f);
    while (!f->found->has_more && sq_sql_next(f->store, row)) {
        int64_t page = sq_sql_int(row, 0);
        if (!is_seen(f, page)) {
            try_page(f, page);
        }
    }
    sq_sql_end(row);
    sq_sql_end(f->down);
    f->page = 0;
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
    *found = (struct sq_search_found){ 0 };
    sq_buf_init(&f.expression.text, SQ_SEARCH_MAX_EXPRESSION);
    sq_buf_init(&f.seen, MAX_SEEN);
    sq_buf_init(&f.app, MAX_PAGE_TEXT);
    for (enum sq_search_rank rank = 0; rank < SQ_SEARCH_RANKS; rank++) {
        if (sq_sql_ok(store) && is_needed(&f, rank)) {
            f.expression.rank = rank;
            f.terms.misread = misread[rank];
            find_pages(&f);
        }
    }
    found->is_partial = f.expression.is_partial;
    sq_buf_finish(&f.app);
    sq_buf_finish(&f.seen);
    sq_buf_finish(&f.expression.text);
    return sq_sql_report(store, err);
}

bool
sq_search_store_has_apps(struct sq_search_store *store, bool *out,
                         struct sq_err *err) {
    struct sqlite3_stmt *row =
        sq_sql_begin(store, body_find, "tii", SQ_SPAN("\"" APP_MARK "\"*"),
                     (int64_t)0, INT64_MAX);
    *out = sq_sql_next(store, row);
    sq_sql_end(row);
    return sq_sql_report(store, err);
}
