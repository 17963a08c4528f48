/* Writes the index of texts: files, pages and lines; removes old ones. */
#include "archive/search/store.h"

#include <sodium.h>
#include <string.h>

#include "archive/search/store_private.h"
#include "util/mem.h"

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

bool
sq_search_store_day(struct sq_search_store *store, int64_t day,
                    struct sq_search_day *out, struct sq_err *err) {
    bool has_row;
    *out = (struct sq_search_day){ 0 };
    if (!sq_sql_begin(store, DAY_READ, &has_row, err, "i", day)) {
        return false;
    }
    out->is_known = has_row;
    if (has_row) {
        out->count = sq_sql_int(store, DAY_READ, 0);
        out->digest = (uint64_t)sq_sql_int(store, DAY_READ, 1);
    }
    sq_sql_end(store, DAY_READ);
    return true;
}

/* Counts a shot for its day (step 1), no longer (-1), or only the day (0). */
static bool
count_shot(struct sq_search_store *store, const struct sq_shot *shot, int step,
           struct sq_err *err) {
    struct sq_search_day day;
    int64_t number = shot->utc / SQ_SEARCH_DAY_S;
    if (!sq_search_store_day(store, number, &day, err)) {
        return false;
    }
    uint64_t digest = sq_search_digest(shot);
    day.count += step;
    day.digest += digest * (uint64_t)step;
    return SQ_SEARCH_DO(store, DAY_SET, err, "iii", number, day.count,
                        (int64_t)day.digest);
}

bool
sq_search_store_look_up(struct sq_search_store *store, struct sq_span path,
                        struct sq_search_known *out, struct sq_err *err) {
    bool has_row;
    *out = (struct sq_search_known){ 0 };
    if (!sq_sql_begin(store, FILE_FIND, &has_row, err, "t", path)) {
        return false;
    }
    out->is_known = has_row;
    if (has_row) {
        struct sq_span digest = sq_sql_bytes(store, FILE_FIND, 1);
        out->page = sq_sql_int(store, FILE_FIND, 0);
        out->state.size = sq_sql_int(store, FILE_FIND, 2);
        out->state.mtime_ns = sq_sql_int(store, FILE_FIND, 3);
        out->has_app = sq_sql_int(store, FILE_FIND, 5) > 0;
        out->missed = (int)sq_sql_int(store, FILE_FIND, 6);
        if (digest.len == sizeof(out->digest)) {
            memcpy(&out->digest, digest.ptr, digest.len);
        }
    }
    sq_sql_end(store, FILE_FIND);
    return true;
}

/* No longer counts the shot of a file; does nothing if it is not counted. */
static bool
uncount_file(struct sq_search_store *store, struct sq_span path,
             struct sq_err *err) {
    struct sq_shot shot;
    bool has_row;
    if (!sq_sql_begin(store, FILE_FIND, &has_row, err, "t", path)) {
        return false;
    }
    struct sq_span bytes = sq_sql_bytes(store, FILE_FIND, 4);
    bool is_counted = has_row && bytes.len == sizeof(shot)
                   && sq_sql_int(store, FILE_FIND, 0) != SQ_SEARCH_UNREADABLE
                   && sq_sql_int(store, FILE_FIND, 6) == 0;
    if (is_counted) {
        memcpy(&shot, bytes.ptr, sizeof(shot));
    }
    sq_sql_end(store, FILE_FIND);
    return !is_counted || count_shot(store, &shot, -1, err);
}

/* Adds a file or replaces it; counts it for its day. In a transaction. */
static bool
put_file(struct sq_search_store *store, const struct sq_search_file *file,
         int64_t page, struct sq_err *err) {
    const struct sq_shot *shot = &file->pick->shot;
    const struct sq_span bytes = { (const char *)shot, sizeof(*shot) };
    const struct sq_span digest = { (const char *)&file->digest,
                                    sizeof(file->digest) };
    return uncount_file(store, file->path, err)
        && SQ_SEARCH_DO(store, FILE_ADD, err, "tiiiibitbi", file->path, page,
                        (int64_t)shot->utc, file->state.size,
                        file->state.mtime_ns, bytes, (int64_t)file->pick->place,
                        sq_span_of(file->pick->thumb), digest,
                        (int64_t)file->missed)
        && count_shot(store, shot,
                      page != SQ_SEARCH_UNREADABLE && file->missed == 0, err);
}

bool
sq_search_store_add_file(struct sq_search_store *store,
                         const struct sq_search_file *file, int64_t page,
                         struct sq_err *err) {
    return sq_sql_run(store, SQ_SQL_BEGIN, err)
        && sq_sql_commit(store, put_file(store, file, page, err), err);
}

#define MAX_PATHS ((size_t)1 << 20)
#define MAX_LINE_ID ((size_t)1 << 28) /* one bit each: 64 MB */

/* The files of one batch; their paths end with NUL. */
struct batch {
    struct sq_buf paths;
    size_t count;
};

/* Reads the paths after the last one of the batch. */
static bool
next_batch(struct sq_search_store *store, struct batch *batch,
           struct sq_buf *last, struct sq_err *err) {
    bool has_row;
    sq_buf_clear(&batch->paths);
    batch->count = 0;
    bool ok =
        sq_sql_begin(store, FILE_ALL, &has_row, err, "t", sq_buf_span(last));
    while (ok && has_row) {
        struct sq_span path = sq_sql_bytes(store, FILE_ALL, 0);
        batch->count++;
        ok = sq_buf_append(&batch->paths, path.ptr, path.len, err)
          && sq_buf_append(&batch->paths, "", 1, err)
          && sq_sql_next(store, FILE_ALL, &has_row, err);
    }
    sq_sql_end(store, FILE_ALL);
    return ok;
}

struct check {
    bool (*exists)(void *context, struct sq_span path);
    void *context;
    int64_t removed;
};

static bool
remove_missing(struct sq_search_store *store, const struct batch *batch,
               struct sq_buf *last, struct check *check, struct sq_err *err) {
    struct sq_span rest = sq_buf_span(&batch->paths);
    struct sq_span path;
    bool ok = true;
    while (ok && sq_span_take_until(&rest, '\0', &path)) {
        sq_buf_clear(last);
        ok = sq_buf_append(last, path.ptr, path.len, err);
        if (ok && !check->exists(check->context, path)) {
            ok = uncount_file(store, path, err)
              && SQ_SEARCH_DO(store, FILE_REMOVE, err, "t", path);
            check->removed++;
        }
    }
    return ok;
}

static bool
prune_files(struct sq_search_store *store, struct check *check,
            struct sq_err *err) {
    struct batch batch = { .count = 1 };
    bool ok = true;
    sq_buf_init(&batch.paths, MAX_PATHS);
    SQ_BUF(last, MAX_PATHS);
    while (ok && batch.count > 0) {
        ok = next_batch(store, &batch, &last, err)
          && remove_missing(store, &batch, &last, check, err);
    }
    sq_buf_finish(&batch.paths);
    return ok;
}

/* Removes one page that no file has; *found: there was one. */
static bool
prune_page(struct sq_search_store *store, bool *found, struct sq_err *err) {
    int64_t id = 0;
    SQ_BUF(words, MAX_PAGE_TEXT);
    bool ok = sq_sql_begin(store, PAGE_ORPHANS, found, err, "");
    if (ok && *found) {
        id = sq_sql_int(store, PAGE_ORPHANS, 0);
        ok = sq_search_page_words(store, sq_sql_bytes(store, PAGE_ORPHANS, 1),
                                  sq_sql_bytes(store, PAGE_ORPHANS, 2), &words,
                                  err);
    }
    sq_sql_end(store, PAGE_ORPHANS);
    if (ok && *found) {
        ok =
            SQ_SEARCH_DO(store, BODY_REMOVE, err, "it", id, sq_buf_span(&words))
            && SQ_SEARCH_DO(store, PAGE_REMOVE, err, "i", id);
    }
    return ok;
}

/* One bit per line that a page has. */
struct used_lines {
    uint8_t *bits;
    size_t count;
};

static bool
mark_lines(struct sq_span lines, struct used_lines *used, struct sq_err *err) {
    for (size_t i = 0; i < sq_search_line_count(lines); i++) {
        size_t id = sq_search_line_at(lines, i).id;
        if (id > MAX_LINE_ID) {
            return sq_sql_fail_damaged(err);
        }
        if (id >= used->count) {
            size_t bytes = (id / 8 + 1) * 2;
            uint8_t *bits = sq_mem_resize(used->bits, bytes);
            if (!bits) {
                return sq_fail_nomem(err);
            }
            memset(bits + used->count / 8, 0, bytes - used->count / 8);
            used->bits = bits;
            used->count = bytes * 8;
        }
        used->bits[id / 8] |= (uint8_t)(1u << id % 8);
    }
    return true;
}

static bool
mark_all(struct sq_search_store *store, struct used_lines *used,
         struct sq_err *err) {
    int64_t last = 0;
    bool ok = true;
    for (bool any = true; ok && any;) {
        bool has_row;
        ok = sq_sql_begin(store, PAGE_LINES, &has_row, err, "i", last);
        any = ok && has_row;
        while (ok && has_row) {
            last = sq_sql_int(store, PAGE_LINES, 0);
            ok = mark_lines(sq_sql_bytes(store, PAGE_LINES, 1), used, err)
              && sq_sql_next(store, PAGE_LINES, &has_row, err);
        }
        sq_sql_end(store, PAGE_LINES);
    }
    return ok;
}

/* Removes unused lines; adds the words of the others to the vocabulary. */
static bool
sweep_lines(struct sq_search_store *store, const struct used_lines *used,
            struct sq_err *err) {
    int64_t last = 0;
    bool has_row = true;
    bool ok = true;
    while (ok) {
        ok = sq_sql_begin(store, LINE_ALL, &has_row, err, "i", last);
        if (!ok || !has_row) {
            break;
        }
        last = sq_sql_int(store, LINE_ALL, 0);
        size_t id = (size_t)last;
        if (id < used->count && used->bits[id / 8] & 1u << id % 8) {
            ok = sq_search_add_words(store, sq_sql_bytes(store, LINE_ALL, 1),
                                     err);
        } else {
            ok = SQ_SEARCH_DO(store, LINE_REMOVE, err, "i", last);
        }
        sq_sql_end(store, LINE_ALL);
    }
    sq_sql_end(store, LINE_ALL);
    return ok;
}

bool
sq_search_store_optimize(struct sq_search_store *store, struct sq_err *err) {
    return sq_sql_run(store,
                      "INSERT INTO body(body) VALUES('optimize');"
                      "INSERT INTO part(part) VALUES('optimize');"
                      "INSERT INTO pair_part(pair_part) VALUES('optimize')",
                      err);
}

static bool
prune_lines(struct sq_search_store *store, struct sq_err *err) {
    struct used_lines used = { 0 };
    bool ok = mark_all(store, &used, err)
           && sq_sql_run(store,
                         "DELETE FROM word;"
                         "DELETE FROM pair;"
                         "INSERT INTO part(part) VALUES('rebuild');"
                         "INSERT INTO pair_part(pair_part) VALUES('rebuild')",
                         err)
           && sweep_lines(store, &used, err)
           /* Merging removes the deleted words from the file. */
           && sq_search_store_optimize(store, err);
    sq_mem_free(used.bits);
    return ok;
}

static bool
prune(struct sq_search_store *store, struct check *check, bool *any_text,
      struct sq_err *err) {
    bool found = true;
    bool any = false;
    bool ok = !check->exists || prune_files(store, check, err);
    while (ok && found) {
        ok = prune_page(store, &found, err);
        any = any || (ok && found);
    }
    *any_text = any;
    return ok && (!any || prune_lines(store, err));
}

bool
sq_search_store_prune(struct sq_search_store *store,
                      bool (*exists)(void *context, struct sq_span path),
                      void *context, int64_t *removed, struct sq_err *err) {
    struct check check = { exists, context, 0 };
    bool any_text = false;
    if (!sq_sql_run(store, SQ_SQL_BEGIN, err)
        || !sq_sql_commit(store, prune(store, &check, &any_text, err), err)) {
        return false;
    }
    *removed = check.removed;
    return (check.removed == 0 && !any_text)
        || sq_sql_run(store, "PRAGMA wal_checkpoint(TRUNCATE)", err);
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
    bool ok = true;
    SQ_BUF(words, MAX_PAGE_TEXT);
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
    SQ_BUF(words, MAX_PAGE_TEXT);
    return sq_search_page_words(store, lines, app, &words, err)
        && SQ_SEARCH_DO(store, BODY_ADD, err, "it", id, sq_buf_span(&words));
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
    SQ_BUF(lines, MAX_PAGE_TEXT);
    bool ok = add_lines(store, page->text, &lines, err)
           && choose_page(store, page, sq_buf_span(&lines), id, err);
    return ok && put_file(store, &page->file, *id, err);
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
           && put_file(store, file, *id, err);
    return sq_sql_commit(store, ok, err);
}
