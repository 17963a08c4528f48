/* Which files the index knows, and which of each day. */
#include <sodium.h>
#include <string.h>

#include "archive/search/store_private.h"

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
    if (!sq_sql_begin(store->sql, DAY_READ, &has_row, err, "i", day)) {
        return false;
    }
    out->is_known = has_row;
    if (has_row) {
        out->count = sq_sql_int(store->sql, DAY_READ, 0);
        out->digest = (uint64_t)sq_sql_int(store->sql, DAY_READ, 1);
    }
    sq_sql_end(store->sql, DAY_READ);
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
    struct sq_sql *sql = store->sql;
    bool has_row;
    *out = (struct sq_search_known){ 0 };
    if (!sq_sql_begin(sql, FILE_FIND, &has_row, err, "t", path)) {
        return false;
    }
    out->is_known = has_row;
    if (has_row) {
        struct sq_span digest = sq_sql_bytes(sql, FILE_FIND, 1);
        out->page = sq_sql_int(sql, FILE_FIND, 0);
        out->state.size = sq_sql_int(sql, FILE_FIND, 2);
        out->state.mtime_ns = sq_sql_int(sql, FILE_FIND, 3);
        out->has_app = sq_sql_int(sql, FILE_FIND, 5) > 0;
        out->missed = (int)sq_sql_int(sql, FILE_FIND, 6);
        if (digest.len == sizeof(out->digest)) {
            memcpy(&out->digest, digest.ptr, digest.len);
        }
    }
    sq_sql_end(sql, FILE_FIND);
    return true;
}

/* No longer counts the shot of a file; does nothing if it is not counted. */
static bool
uncount_file(struct sq_search_store *store, struct sq_span path,
             struct sq_err *err) {
    struct sq_shot shot;
    bool has_row;
    if (!sq_sql_begin(store->sql, FILE_FIND, &has_row, err, "t", path)) {
        return false;
    }
    struct sq_span bytes = sq_sql_bytes(store->sql, FILE_FIND, 4);
    bool is_counted =
        has_row && bytes.len == sizeof(shot)
        && sq_sql_int(store->sql, FILE_FIND, 0) != SQ_SEARCH_UNREADABLE
        && sq_sql_int(store->sql, FILE_FIND, 6) == 0;
    if (is_counted) {
        memcpy(&shot, bytes.ptr, sizeof(shot));
    }
    sq_sql_end(store->sql, FILE_FIND);
    return !is_counted || count_shot(store, &shot, -1, err);
}

bool
sq_search_put_file(struct sq_search_store *store,
                   const struct sq_search_file *file, int64_t page,
                   struct sq_err *err) {
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
sq_search_remove_file(struct sq_search_store *store, struct sq_span path,
                      struct sq_err *err) {
    return uncount_file(store, path, err)
        && SQ_SEARCH_DO(store, FILE_REMOVE, err, "t", path);
}

bool
sq_search_store_add_file(struct sq_search_store *store,
                         const struct sq_search_file *file, int64_t page,
                         struct sq_err *err) {
    if (!sq_sql_run(store->sql, "BEGIN IMMEDIATE", err)) {
        return false;
    }
    if (sq_search_put_file(store, file, page, err)
        && sq_sql_run(store->sql, "COMMIT", err)) {
        return true;
    }
    sq_sql_run(store->sql, "ROLLBACK", NULL);
    return false;
}
