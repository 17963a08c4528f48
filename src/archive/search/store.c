/* Writes the index of texts. */
#include "archive/search/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "archive/search/store_private.h"
#include "sys/call.h"
#include "sys/path.h"
#include "util/mem.h"
#include "vision/reader.h"

/* Increase it if the tables or their contents change. */
#define VERSION 5

/* Of the activity and its title, which are two lines. */
#define APP_NAME "substr(app, 1, instr(app || char(10), char(10)) - 1)"

static const char schema[] =
    "PRAGMA secure_delete = 1;"
    "PRAGMA journal_mode = WAL;"
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS page(id INTEGER PRIMARY KEY, width INTEGER, "
    "height INTEGER, app TEXT, lines BLOB, monitor INTEGER);"
    "CREATE TABLE IF NOT EXISTS file(path TEXT PRIMARY KEY, page INTEGER, utc "
    "INTEGER, size INTEGER, mtime INTEGER, shot BLOB, place INTEGER, thumb "
    "TEXT, digest BLOB, missed INTEGER) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS file_page ON file(page, utc);"
    "CREATE TABLE IF NOT EXISTS day(id INTEGER PRIMARY KEY, count INTEGER, "
    "digest INTEGER);"
    "CREATE TABLE IF NOT EXISTS line(id INTEGER PRIMARY KEY, hash INTEGER, "
    "words BLOB);"
    "CREATE INDEX IF NOT EXISTS line_hash ON line(hash);"
    "CREATE TABLE IF NOT EXISTS word(id INTEGER PRIMARY KEY, text TEXT "
    "UNIQUE);"
    "CREATE VIRTUAL TABLE IF NOT EXISTS body USING fts5(text, content='', "
    "detail=none, tokenize='ascii', prefix='2 3');"
    "CREATE VIRTUAL TABLE IF NOT EXISTS part USING fts5(text, content='word', "
    "content_rowid='id', tokenize='trigram');"
    "CREATE TABLE IF NOT EXISTS pair(id INTEGER PRIMARY KEY, text TEXT "
    "UNIQUE);"
    "CREATE VIRTUAL TABLE IF NOT EXISTS pair_part USING fts5(text, "
    "content='pair', content_rowid='id', tokenize='trigram');"
    "PRAGMA user_version = 5;"
    "COMMIT;";

static const struct sq_sql_text statements[STATEMENTS] = {
    [FILE_FIND] = { "SELECT file.page, file.digest, file.size, file.mtime, "
                    "file.shot, instr(page.app, char(10)), file.missed FROM "
                    "file LEFT "
                    "JOIN page ON "
                    "page.id = file.page WHERE file.path = ?1" },
    [FILE_ADD] = { "INSERT OR REPLACE INTO file(path, page, utc, size, mtime, "
                   "shot, place, thumb, digest, missed) VALUES(?1, ?2, ?3, "
                   "?4, ?5, ?6, ?7, ?8, ?9, ?10)" },
    [FILE_ALL] = { "SELECT path FROM file WHERE path > ?1 ORDER BY path LIMIT "
                   "1000" },
    [FILE_REMOVE] = { "DELETE FROM file WHERE path = ?1" },
    [FILE_FIRST] = { "SELECT path, size, mtime, shot, place, thumb FROM file "
                     "WHERE page = ?1 AND utc >= ?2 AND utc < ?3 ORDER BY "
                     "utc" },
    [FILE_LAST] = { "SELECT path, size, mtime, shot, place FROM file WHERE "
                    "page = ?1 AND utc >= ?2 AND utc < ?3 ORDER BY utc DESC" },
    [DAY_READ] = { "SELECT count, digest FROM day WHERE id = ?1" },
    [DAY_SET] = { "INSERT OR REPLACE INTO day(id, count, digest) VALUES(?1, "
                  "?2, ?3)" },
    [PAGE_LAST] = { "SELECT max(id) FROM page WHERE id >= ?1 AND id < ?2" },
    [PAGE_ADD] = { "INSERT INTO page(id, width, height, app, lines, monitor) "
                   "VALUES(?1, ?2, ?3, ?4, ?5, ?6)" },
    [PAGE_COPY] = { "INSERT INTO page(id, width, height, app, lines, monitor) "
                    "SELECT ?1, width, height, ?2, lines, monitor FROM page "
                    "WHERE id = ?3" },
    [PAGE_BREAK] = { "SELECT id FROM page WHERE id >= ?1 AND id < ?2 AND "
                     "monitor = ?3 AND (id > ?1 OR " APP_NAME
                     " IS NOT (SELECT " APP_NAME
                     " FROM page WHERE id = ?2)) ORDER BY id" },
    [PAGE_ORPHANS] = { "SELECT id, lines, app FROM page WHERE NOT EXISTS("
                       "SELECT 1 FROM file WHERE file.page = page.id) LIMIT "
                       "1" },
    [PAGE_LINES] = { "SELECT id, lines FROM page WHERE id > ?1 ORDER BY id "
                     "LIMIT 1000" },
    [PAGE_REMOVE] = { "DELETE FROM page WHERE id = ?1" },
    [PAGE_READ] = { "SELECT width, height, lines FROM page WHERE id = ?1" },
    [PAGES_DOWN] = { "SELECT id, width, height, lines, app FROM page WHERE id "
                     "<= ?1 ORDER BY id DESC" },
    [PAGE_ALL] = { "SELECT id FROM page WHERE id >= ?2 AND id < ?3 AND ?1 = '' "
                   "ORDER BY id DESC" },
    [LINE_FIND] = { "SELECT id, words FROM line WHERE hash = ?1" },
    [LINE_ADD] = { "INSERT INTO line(hash, words) VALUES(?1, ?2)" },
    [LINE_READ] = { "SELECT words FROM line WHERE id = ?1" },
    [LINE_ALL] = { "SELECT id, words FROM line WHERE id > ?1 ORDER BY id LIMIT "
                   "1" },
    [LINE_REMOVE] = { "DELETE FROM line WHERE id = ?1" },
    [BODY_ADD] = { "INSERT INTO body(rowid, text) VALUES(?1, ?2)" },
    [BODY_REMOVE] = { "INSERT INTO body(body, rowid, text) VALUES('delete', "
                      "?1, ?2)" },
    [BODY_FIND] = { "SELECT rowid FROM body WHERE body MATCH ?1 AND rowid >= "
                    "?2 AND rowid < ?3 ORDER BY rowid DESC" },
    [WORD_ADD] = { "INSERT OR IGNORE INTO word(text) VALUES(?1)" },
    [WORD_STARTS] = { "SELECT text FROM word WHERE text >= ?1 AND text < ?2 "
                      "LIMIT ?3" },
    [PART_ADD] = { "INSERT INTO part(rowid, text) VALUES(?1, ?2)" },
    [PART_FIND] = { "SELECT text FROM part WHERE part MATCH ?1 LIMIT ?2" },
    [PART_SCAN] = { "SELECT text FROM word WHERE instr(text, ?1) > 1 LIMIT "
                    "?2" },
    [PAIR_ADD] = { "INSERT OR IGNORE INTO pair(text) VALUES(?1)" },
    [PAIR_PART_ADD] = { "INSERT INTO pair_part(rowid, text) VALUES(?1, ?2)" },
    [PAIR_FIND] = { "SELECT text FROM pair_part WHERE pair_part MATCH ?1 LIMIT "
                    "?2" },
    [RULES_READ] = { "PRAGMA application_id" },
    [VERSION_READ] = { "PRAGMA user_version" },
    [QUICK_CHECK] = { "PRAGMA quick_check(1)" },
};

/* Makes the tables, in place of those of another version. */
static bool
prepare(struct sq_search_store *store, const struct sq_sql_options *options,
        struct sq_err *err) {
    bool has_row = false;
    if (!sq_sql_begin(store->sql, VERSION_READ, &has_row, err, "")) {
        return false;
    }
    int64_t version = has_row ? sq_sql_int(store->sql, VERSION_READ, 0) : 0;
    sq_sql_end(store->sql, VERSION_READ);
    if (version == VERSION) {
        return true;
    }
    if (!options->may_create) {
        return sq_fail(err, SQ_ERR_NOT_FOUND, "there is no index of texts");
    }
    if (version != 0) {
        sq_sql_close(store->sql);
        store->sql = NULL;
    }
    return (version == 0
            || (sq_search_store_delete(options->path, err)
                && sq_sql_open(options, &store->sql, err)))
        && sq_sql_run(store->sql, schema, err);
}

bool
sq_search_store_open(const char *path, bool may_create,
                     const struct sq_deadline *deadline,
                     struct sq_search_store **out, struct sq_err *err) {
    const struct sq_sql_options options = {
        .path = path,
        .may_create = may_create,
        .statements = statements,
        .count = STATEMENTS,
        .deadline = deadline,
    };
    struct sq_search_store *store = sq_mem_zalloc(1, sizeof(*store));
    if (!store) {
        return sq_fail_nomem(err);
    }
    if (!sq_sql_open(&options, &store->sql, err)
        || !prepare(store, &options, err)
        || (may_create
            && !sq_sql_run(store->sql,
                           "PRAGMA secure_delete = 1;"
                           "PRAGMA synchronous = NORMAL",
                           err))) {
        sq_search_store_close(store);
        return false;
    }
    *out = store;
    return true;
}

void
sq_search_store_close(struct sq_search_store *store) {
    if (store) {
        sq_sql_close(store->sql);
        sq_mem_free(store);
    }
}

bool
sq_search_store_delete(const char *path, struct sq_err *err) {
    static const char *const endings[] = { "-wal", "-shm", "" };
    char name[SQ_PATH_SIZE + 8];
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        snprintf(name, sizeof(name), "%s%s", path, endings[i]);
        if (sq_call_unlinkat(AT_FDCWD, name) < 0 && errno != ENOENT) {
            return sq_errno_fail(err, "remove the index of texts");
        }
    }
    return true;
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

/* Returns the id of an equal line in *id; 0: there is none. */
static bool
find_line(struct sq_search_store *store, int64_t hash, struct sq_span words,
          int64_t *id, struct sq_err *err) {
    bool has_row;
    bool ok = sq_sql_begin(store->sql, LINE_FIND, &has_row, err, "i", hash);
    *id = 0;
    while (ok && has_row && !*id) {
        if (sq_span_equal(sq_sql_bytes(store->sql, LINE_FIND, 1), words)) {
            *id = sq_sql_int(store->sql, LINE_FIND, 0);
        } else {
            ok = sq_sql_next(store->sql, LINE_FIND, &has_row, err);
        }
    }
    sq_sql_end(store->sql, LINE_FIND);
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
    *id = sq_sql_last_id(store->sql);
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
    if (!sq_sql_begin(store->sql, PAGE_LAST, &has_row, err, "ii", first, end)) {
        return false;
    }
    int64_t last = sq_sql_int(store->sql, PAGE_LAST, 0);
    sq_sql_end(store->sql, PAGE_LAST);
    *id = last ? last + 1 : first;
    return *id < end
        || sq_fail(err, SQ_ERR_LIMIT, "too many screenshots of one second");
}

static bool
insert_page(struct sq_search_store *store, const struct sq_search_page *page,
            int64_t id, struct sq_span lines, struct sq_err *err) {
    struct sq_buf words;
    sq_buf_init(&words, MAX_PAGE_TEXT);
    bool ok =
        SQ_SEARCH_DO(store, PAGE_ADD, err, "iiitbi", id,
                     (int64_t)page->size.width, (int64_t)page->size.height,
                     page->app, lines, (int64_t)page->file.pick->shot.monitor)
        && sq_search_page_words(store, lines, page->app, &words, err)
        && SQ_SEARCH_DO(store, BODY_ADD, err, "it", id, sq_buf_span(&words));
    sq_buf_finish(&words);
    return ok;
}

/* Returns in *out whether a page has the same lines at the same places. */
static bool
has_lines(struct sq_search_store *store, const struct sq_search_page *page,
          struct sq_span lines, bool *out, struct sq_err *err) {
    bool has_row = false;
    *out = false;
    if (page->like <= 0) {
        return true;
    }
    bool ok =
        sq_sql_begin(store->sql, PAGE_READ, &has_row, err, "i", page->like);
    *out = ok && has_row
        && sq_sql_int(store->sql, PAGE_READ, 0) == page->size.width
        && sq_sql_int(store->sql, PAGE_READ, 1) == page->size.height
        && sq_span_equal(sq_sql_bytes(store->sql, PAGE_READ, 2), lines);
    sq_sql_end(store->sql, PAGE_READ);
    return ok;
}

static bool
choose_page(struct sq_search_store *store, const struct sq_search_page *page,
            struct sq_span lines, int64_t *id, struct sq_err *err) {
    bool is_same;
    if (!has_lines(store, page, lines, &is_same, err)) {
        return false;
    }
    if (is_same) {
        *id = page->like;
        return true;
    }
    return choose_id(store, page->file.pick->shot.utc, id, err)
        && insert_page(store, page, *id, lines, err);
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
    if (!sq_sql_run(store->sql, "BEGIN IMMEDIATE", err)) {
        return false;
    }
    if (add_page(store, page, id, err)
        && sq_sql_run(store->sql, "COMMIT", err)) {
        return true;
    }
    sq_sql_run(store->sql, "ROLLBACK", NULL);
    return false;
}

/* Adds the words of a page to those that are searched. */
static bool
index_page(struct sq_search_store *store, int64_t id, struct sq_span app,
           struct sq_err *err) {
    bool has_row;
    struct sq_buf words;
    if (!sq_sql_begin(store->sql, PAGE_READ, &has_row, err, "i", id)) {
        return false;
    }
    sq_buf_init(&words, MAX_PAGE_TEXT);
    bool ok =
        has_row ? sq_search_page_words(
            store, sq_sql_bytes(store->sql, PAGE_READ, 2), app, &words, err)
                : sq_sql_fail_damaged(err);
    sq_sql_end(store->sql, PAGE_READ);
    ok =
        ok && SQ_SEARCH_DO(store, BODY_ADD, err, "it", id, sq_buf_span(&words));
    sq_buf_finish(&words);
    return ok;
}

bool
sq_search_store_add_app(struct sq_search_store *store,
                        const struct sq_search_file *file, int64_t page,
                        struct sq_span app, int64_t *id, struct sq_err *err) {
    if (!sq_sql_run(store->sql, "BEGIN IMMEDIATE", err)) {
        return false;
    }
    if (choose_id(store, file->pick->shot.utc, id, err)
        && SQ_SEARCH_DO(store, PAGE_COPY, err, "iti", *id, app, page)
        && index_page(store, *id, app, err)
        && sq_search_put_file(store, file, *id, err)
        && sq_sql_run(store->sql, "COMMIT", err)) {
        return true;
    }
    sq_sql_run(store->sql, "ROLLBACK", NULL);
    return false;
}

bool
sq_search_store_rules(struct sq_search_store *store, int *out,
                      struct sq_err *err) {
    bool has_row;
    bool ok = sq_sql_begin(store->sql, RULES_READ, &has_row, err, "");
    *out = ok ? (int)sq_sql_int(store->sql, RULES_READ, 0) : 0;
    sq_sql_end(store->sql, RULES_READ);
    return ok;
}

bool
sq_search_store_set_rules(struct sq_search_store *store, int rules,
                          struct sq_err *err) {
    char text[64];
    snprintf(text, sizeof(text), "PRAGMA application_id = %d", rules);
    return sq_sql_run(store->sql, text, err);
}

bool
sq_search_store_check(struct sq_search_store *store, struct sq_err *err) {
    bool has_row;
    if (!sq_sql_begin(store->sql, QUICK_CHECK, &has_row, err, "")) {
        return false;
    }
    bool ok =
        has_row && sq_span_is(sq_sql_bytes(store->sql, QUICK_CHECK, 0), "ok");
    sq_sql_end(store->sql, QUICK_CHECK);
    return ok ? sq_sql_run(store->sql,
                           "INSERT INTO body(body) VALUES('integrity-check')",
                           err)
              : sq_sql_fail_damaged(err);
}
