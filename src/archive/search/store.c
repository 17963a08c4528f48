/* Writes the index of texts: files, pages and lines; removes old ones. */
#include "archive/search/store.h"

#include <sodium.h>
#include <string.h>

#include "archive/search/store_private.h"
#include "util/mem.h"
#include "util/minmax.h"

struct sq_search_digest
sq_search_digest_of(const struct sq_buf *bytes) {
    struct sq_search_digest digest;
    crypto_generichash(digest.bytes, sizeof(digest.bytes), bytes->data,
                       bytes->len, NULL, 0);
    return digest;
}

bool
sq_search_digest_equal(const struct sq_search_digest *a,
                       const struct sq_search_digest *b) {
    return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

uint64_t
sq_search_digest(const struct sq_shot *shot) {
    struct sq_shot own = *shot;
    uint64_t halves[2];
    own.flags &= (uint8_t) ~(SQ_SHOT_FULL | SQ_SHOT_THUMB);
    if (own.flags & SQ_SHOT_LITERAL) {
        own.seq = 0; /* depends on the other names of the folder */
    }
    memcpy(halves, &own, sizeof(halves));
    uint64_t mixed = halves[0] * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 32 ^ halves[1]) * 0xbf58476d1ce4e5b9u;
    return mixed ^ mixed >> 29;
}

static struct sq_search_day
read_day(struct sq_search_store *store, int64_t day) {
    struct sq_search_day out = { 0 };
    struct sqlite3_stmt *row = sq_sql_begin(
        store, "SELECT count, digest FROM day WHERE id = ?1", "i", day);
    if (sq_sql_next(store, row)) {
        out = (struct sq_search_day){ true, sq_sql_int(row, 0),
                                      (uint64_t)sq_sql_int(row, 1) };
    }
    sq_sql_end(row);
    return out;
}

bool
sq_search_store_day(struct sq_search_store *store, int64_t day,
                    struct sq_search_day *out, struct sq_err *err) {
    *out = read_day(store, day);
    return sq_sql_report(store, err);
}

/* Counts a shot for its day (step 1), no longer (-1), or only the day (0). */
static bool
count_shot(struct sq_search_store *store, const struct sq_shot *shot,
           int step) {
    int64_t number = shot->utc / SQ_SEARCH_DAY_S;
    struct sq_search_day day = read_day(store, number);
    day.count += step;
    day.digest += sq_search_digest(shot) * (uint64_t)step;
    return SQ_SQL_DO(
        store,
        "INSERT OR REPLACE INTO day(id, count, digest) VALUES(?1, ?2, ?3)",
        "iii", number, day.count, (int64_t)day.digest);
}

/* What a row of a file has; *shot is that of a file that is counted. */
static bool
look_up(struct sq_search_store *store, struct sq_span path,
        struct sq_search_known *out, struct sq_shot *shot) {
    struct sqlite3_stmt *row = sq_sql_begin(
        store,
        "SELECT file.page, file.digest, file.size, file.mtime, file.shot, "
        "instr(page.app, char(10)), file.missed FROM file LEFT JOIN page ON "
        "page.id = file.page WHERE file.path = ?1",
        "t", path);
    *out = (struct sq_search_known){ .is_known = sq_sql_next(store, row) };
    bool is_counted = false;
    if (out->is_known) {
        struct sq_span digest = sq_sql_bytes(row, 1);
        struct sq_span bytes = sq_sql_bytes(row, 4);
        out->page = sq_sql_int(row, 0);
        out->state.size = sq_sql_int(row, 2);
        out->state.mtime_ns = sq_sql_int(row, 3);
        out->has_app = sq_sql_int(row, 5) > 0;
        out->missed = (int)sq_sql_int(row, 6);
        if (digest.len == sizeof(out->digest)) {
            memcpy(&out->digest, digest.ptr, digest.len);
        }
        is_counted = bytes.len == sizeof(*shot)
                  && out->page != SQ_SEARCH_UNREADABLE && out->missed == 0;
        memcpy(shot, bytes.ptr, is_counted ? sizeof(*shot) : 0);
    }
    sq_sql_end(row);
    return is_counted;
}

bool
sq_search_store_look_up(struct sq_search_store *store, struct sq_span path,
                        struct sq_search_known *out, struct sq_err *err) {
    struct sq_shot ignored;
    look_up(store, path, out, &ignored);
    return sq_sql_report(store, err);
}

/* No longer counts the shot of a file; does nothing if it is not counted. */
static bool
uncount_file(struct sq_search_store *store, struct sq_span path) {
    struct sq_search_known known;
    struct sq_shot shot;
    return look_up(store, path, &known, &shot) ? count_shot(store, &shot, -1)
                                               : sq_sql_ok(store);
}

/* Adds a file or replaces it; counts it for its day. In a transaction. */
static bool
put_file(struct sq_search_store *store, const struct sq_search_file *file,
         int64_t page) {
    const struct sq_shot *shot = &file->pick->shot;
    const struct sq_span bytes = { (const char *)shot, sizeof(*shot) };
    const struct sq_span digest = { (const char *)&file->digest,
                                    sizeof(file->digest) };
    return uncount_file(store, file->path)
        && SQ_SQL_DO(store,
                     "INSERT OR REPLACE INTO file(path, page, utc, size, "
                     "mtime, shot, place, thumb, digest, missed) VALUES(?1, "
                     "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                     "tiiiibitbi", file->path, page, (int64_t)shot->utc,
                     file->state.size, file->state.mtime_ns, bytes,
                     (int64_t)file->pick->place, sq_span_of(file->pick->thumb),
                     digest, (int64_t)file->missed)
        && count_shot(store, shot,
                      page != SQ_SEARCH_UNREADABLE && file->missed == 0);
}

bool
sq_search_store_add_file(struct sq_search_store *store,
                         const struct sq_search_file *file, int64_t page,
                         struct sq_err *err) {
    return sq_sql_commit(
        store, sq_sql_run(store, SQ_SQL_BEGIN) && put_file(store, file, page),
        err);
}

#define MAX_PATH ((size_t)1 << 20)
#define MAX_LINE_ID (INT64_C(1) << 28) /* one bit each: 32 MB */

/* Removes the files that do not exist; returns how many. */
static int64_t
prune_files(struct sq_search_store *store,
            bool (*exists)(void *context, struct sq_span path), void *context) {
    int64_t removed = 0;
    bool has_row = true;
    SQ_BUF(path, MAX_PATH);
    while (has_row && sq_sql_ok(store)) {
        struct sqlite3_stmt *row = sq_sql_begin(
            store,
            "SELECT path FROM file WHERE path > ?1 ORDER BY path LIMIT 1", "t",
            sq_buf_span(&path));
        has_row = sq_sql_next(store, row);
        if (has_row) {
            struct sq_span found = sq_sql_bytes(row, 0);
            sq_buf_clear(&path);
            sq_buf_append(&path, found.ptr, found.len, &store->err);
        }
        sq_sql_end(row);
        if (has_row && !exists(context, sq_buf_span(&path))) {
            uncount_file(store, sq_buf_span(&path));
            SQ_SQL_DO(store, "DELETE FROM file WHERE path = ?1", "t",
                      sq_buf_span(&path));
            removed++;
        }
    }
    return removed;
}

/* Removes one page that no file has; returns whether there was one. */
static bool
prune_page(struct sq_search_store *store) {
    int64_t id = 0;
    SQ_BUF(words, MAX_PAGE_TEXT);
    struct sqlite3_stmt *row = sq_sql_begin(
        store,
        "SELECT id, lines, app FROM page WHERE NOT EXISTS(SELECT 1 FROM file "
        "WHERE file.page = page.id) LIMIT 1",
        "");
    bool found = sq_sql_next(store, row);
    if (found) {
        id = sq_sql_int(row, 0);
        sq_search_page_words(store, sq_sql_bytes(row, 1), sq_sql_bytes(row, 2),
                             &words);
    }
    sq_sql_end(row);
    return found
        && SQ_SQL_DO(
               store,
               "INSERT INTO body(body, rowid, text) VALUES('delete', ?1, ?2)",
               "it", id, sq_buf_span(&words))
        && SQ_SQL_DO(store, "DELETE FROM page WHERE id = ?1", "i", id);
}

/* Sets the bits of the lines that pages have. */
static void
mark_lines(struct sq_search_store *store, uint8_t *bits, int64_t last) {
    struct sqlite3_stmt *row =
        sq_sql_begin(store, "SELECT lines FROM page", "");
    while (sq_sql_next(store, row)) {
        struct sq_span lines = sq_sql_bytes(row, 0);
        for (size_t i = 0; i < sq_search_line_count(lines); i++) {
            uint32_t id = sq_search_line_at(lines, i).id;
            if (id <= last) {
                bits[id / 8] |= (uint8_t)(1u << id % 8);
            }
        }
    }
}

/* Removes unused lines; adds the words of the others to the vocabulary. */
static void
sweep_lines(struct sq_search_store *store, const uint8_t *bits) {
    int64_t last = 0;
    bool has_row = true;
    while (has_row) {
        struct sqlite3_stmt *row = sq_sql_begin(
            store,
            "SELECT id, words FROM line WHERE id > ?1 ORDER BY id LIMIT 1", "i",
            last);
        has_row = sq_sql_next(store, row);
        if (has_row) {
            last = sq_sql_int(row, 0);
            has_row = bits[last / 8] & 1u << last % 8
                        ? sq_search_add_words(store, sq_sql_bytes(row, 1))
                        : SQ_SQL_DO(store, "DELETE FROM line WHERE id = ?1",
                                    "i", last);
        }
        sq_sql_end(row);
    }
}

static bool
optimize(struct sq_search_store *store) {
    return sq_sql_run(store,
                      "INSERT INTO body(body) VALUES('optimize');"
                      "INSERT INTO part(part) VALUES('optimize');"
                      "INSERT INTO pair_part(pair_part) VALUES('optimize')");
}

bool
sq_search_store_optimize(struct sq_search_store *store, struct sq_err *err) {
    optimize(store);
    return sq_sql_report(store, err);
}

static bool
prune_lines(struct sq_search_store *store) {
    struct sqlite3_stmt *row =
        sq_sql_begin(store, "SELECT max(id) FROM line", "");
    int64_t last = sq_sql_next(store, row) ? sq_sql_int(row, 0) : 0;
    sq_sql_end(row);
    if (last < 0 || last > MAX_LINE_ID) {
        return sq_sql_fail_damaged(store);
    }
    uint8_t *bits = sq_mem_zalloc((size_t)last / 8 + 1, 1);
    if (!bits) {
        return sq_fail_nomem(&store->err);
    }
    mark_lines(store, bits, last);
    if (sq_sql_ok(store)
        && sq_sql_run(store,
                      "DELETE FROM word;"
                      "DELETE FROM pair;"
                      "INSERT INTO part(part) VALUES('rebuild');"
                      "INSERT INTO pair_part(pair_part) VALUES('rebuild')")) {
        sweep_lines(store, bits);
    }
    sq_mem_free(bits);
    /* Merging removes the deleted words from the file. */
    return sq_sql_ok(store) && optimize(store);
}

bool
sq_search_store_prune(struct sq_search_store *store,
                      bool (*exists)(void *context, struct sq_span path),
                      void *context, int64_t *removed, struct sq_err *err) {
    int64_t files = 0;
    bool any_text = false;
    bool ok = sq_sql_run(store, SQ_SQL_BEGIN);
    if (ok && exists) {
        files = prune_files(store, exists, context);
    }
    while (ok && prune_page(store)) {
        any_text = true;
    }
    ok = sq_sql_ok(store) && (!any_text || prune_lines(store));
    if (!sq_sql_commit(store, ok, err)) {
        return false;
    }
    *removed = files;
    if (files > 0 || any_text) {
        sq_sql_run(store, "PRAGMA wal_checkpoint(TRUNCATE)");
    }
    return sq_sql_report(store, err);
}

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

/* Returns the id of a line, which is added if there is no equal one. */
static int64_t
add_line(struct sq_search_store *store, struct sq_span words) {
    int64_t hash = hash_of(words);
    int64_t id = 0;
    struct sqlite3_stmt *row = sq_sql_begin(
        store, "SELECT id, words FROM line WHERE hash = ?1", "i", hash);
    while (!id && sq_sql_next(store, row)) {
        id =
            sq_span_equal(sq_sql_bytes(row, 1), words) ? sq_sql_int(row, 0) : 0;
    }
    sq_sql_end(row);
    if (!id
        && SQ_SQL_DO(store, "INSERT INTO line(hash, words) VALUES(?1, ?2)",
                     "ib", hash, words)) {
        id = sq_sql_last_id(store);
        sq_search_add_words(store, words);
    }
    return id;
}

static uint16_t
to_place(int value) {
    return (uint16_t)sq_max_int(0, sq_min_int(value, UINT16_MAX));
}

/* Adds the lines of a text; appends their ids and places to out. */
static bool
add_lines(struct sq_search_store *store, const struct sq_text *text,
          struct sq_buf *out) {
    SQ_BUF(words, MAX_PAGE_TEXT);
    for (int i = 0; sq_sql_ok(store) && i < text->count; i++) {
        const struct sq_text_line *line = &text->lines[i];
        if (write_line(line, &words, &store->err) && words.len > 0) {
            const struct sq_search_line placed = {
                .id = (uint32_t)add_line(store, sq_buf_span(&words)),
                .x = to_place(line->box.left),
                .y = to_place(line->box.top),
            };
            sq_buf_append(out, &placed, sizeof(placed), &store->err);
        }
    }
    return sq_sql_ok(store);
}

/* Returns a free id for a page of that second. */
static bool
choose_id(struct sq_search_store *store, int64_t utc, int64_t *id) {
    int64_t first = utc << PAGE_BITS | 1;
    int64_t end = (utc + 1) << PAGE_BITS;
    struct sqlite3_stmt *row = sq_sql_begin(
        store, "SELECT max(id) FROM page WHERE id >= ?1 AND id < ?2", "ii",
        first, end);
    int64_t last = sq_sql_next(store, row) ? sq_sql_int(row, 0) : 0;
    sq_sql_end(row);
    *id = last ? last + 1 : first;
    return sq_sql_ok(store)
        && (*id < end
            || sq_fail(&store->err, SQ_ERR_LIMIT,
                       "too many screenshots of one second"));
}

/* Adds the words of a page to those that are searched. */
static bool
index_page(struct sq_search_store *store, int64_t id, struct sq_span lines,
           struct sq_span app) {
    SQ_BUF(words, MAX_PAGE_TEXT);
    return sq_search_page_words(store, lines, app, &words)
        && SQ_SQL_DO(store, "INSERT INTO body(rowid, text) VALUES(?1, ?2)",
                     "it", id, sq_buf_span(&words));
}

static struct sqlite3_stmt *
begin_page(struct sq_search_store *store, int64_t id) {
    return sq_sql_begin(
        store, "SELECT width, height, lines FROM page WHERE id = ?1", "i", id);
}

/* Uses the page that the picture is like if it has the same lines at the same
 * places; otherwise adds one. */
static bool
choose_page(struct sq_search_store *store, const struct sq_search_page *page,
            struct sq_span lines, int64_t *id) {
    const struct sq_shot *shot = &page->file.pick->shot;
    *id = page->like;
    if (page->like > 0) {
        struct sqlite3_stmt *row = begin_page(store, page->like);
        bool is_same = sq_sql_next(store, row)
                    && sq_sql_int(row, 0) == page->size.width
                    && sq_sql_int(row, 1) == page->size.height
                    && sq_span_equal(sq_sql_bytes(row, 2), lines);
        sq_sql_end(row);
        if (is_same) {
            return true;
        }
    }
    return choose_id(store, shot->utc, id)
        && SQ_SQL_DO(store,
                     "INSERT INTO page(id, width, height, app, lines, monitor) "
                     "VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                     "iiitbi", *id, (int64_t)page->size.width,
                     (int64_t)page->size.height, page->app, lines,
                     (int64_t)shot->monitor)
        && index_page(store, *id, lines, page->app);
}

bool
sq_search_store_add(struct sq_search_store *store,
                    const struct sq_search_page *page, int64_t *id,
                    struct sq_err *err) {
    SQ_BUF(lines, MAX_PAGE_TEXT);
    bool ok = sq_sql_run(store, SQ_SQL_BEGIN)
           && add_lines(store, page->text, &lines)
           && choose_page(store, page, sq_buf_span(&lines), id)
           && put_file(store, &page->file, *id);
    return sq_sql_commit(store, ok, err);
}

static bool
copy_page(struct sq_search_store *store, int64_t page, struct sq_span app,
          int64_t id) {
    if (!SQ_SQL_DO(store,
                   "INSERT INTO page(id, width, height, app, lines, monitor) "
                   "SELECT ?1, width, height, ?2, lines, monitor FROM page "
                   "WHERE id = ?3",
                   "iti", id, app, page)) {
        return false;
    }
    struct sqlite3_stmt *row = begin_page(store, id);
    bool ok = sq_sql_next(store, row)
                ? index_page(store, id, sq_sql_bytes(row, 2), app)
                : sq_sql_ok(store) && sq_sql_fail_damaged(store);
    sq_sql_end(row);
    return ok;
}

bool
sq_search_store_add_app(struct sq_search_store *store,
                        const struct sq_search_file *file, int64_t page,
                        struct sq_span app, int64_t *id, struct sq_err *err) {
    bool ok = sq_sql_run(store, SQ_SQL_BEGIN)
           && choose_id(store, file->pick->shot.utc, id)
           && copy_page(store, page, app, *id) && put_file(store, file, *id);
    return sq_sql_commit(store, ok, err);
}
