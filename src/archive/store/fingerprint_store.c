/* Stores fingerprints in memory and in a cache file. */
#include "archive/store/root.h"

#include <fcntl.h>
#include <libdeflate.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "archive/store/fingerprint.h"
#include "image/pipeline/picture.h"
#include "sys/call.h"
#include "sys/file.h"
#include "util/limits.h"
#include "util/minmax.h"

#define MAGIC "squint\x1a\x02"
#define MAGIC_BYTES 8
#define BYTE_ORDER_MARK 0x01020304
#define FINGERPRINT_VERSION                                                    \
    1 /* raise it if sq_image_fingerprint_make changes */

struct head {
    char magic[MAGIC_BYTES];
    uint32_t order; /* byte order mark */
    uint32_t version;
    uint64_t owner;
    uint32_t record_bytes;
    uint32_t crc; /* of all fields before it */
};

_Static_assert(sizeof(struct head) == 32, "as the file");

/* The record in the file, in native byte order. */
struct record {
    struct sq_file_state state;
    uint64_t hash;
    struct sq_luma_grid grid;
    uint32_t is_known; /* 0: the picture cannot be read */
    uint32_t crc;      /* of all fields before it */
};

_Static_assert(sizeof(struct record) == 192, "as the file");

struct slot {
    struct sq_file_slot slot;
    struct sq_image_fingerprint fingerprint;
};

#define MAX_FILE_BYTES                                                         \
    (sizeof(struct head) + SQ_FINGERPRINT_STORE_MAX * sizeof(struct record) + 1)

static uint32_t
crc_of_head(const struct head *head) {
    return libdeflate_crc32(0, head, offsetof(struct head, crc));
}

static uint32_t
crc_of_record(const struct record *record) {
    return libdeflate_crc32(0, record, offsetof(struct record, crc));
}

void
sq_image_fingerprint_store_finish(struct sq_image_fingerprint_store *store) {
    sq_file_table_finish(&store->table);
    *store = (struct sq_image_fingerprint_store){ 0 };
}

bool
sq_image_fingerprint_store_find(const struct sq_image_fingerprint_store *store,
                                const struct sq_file_state *state,
                                struct sq_image_fingerprint *out) {
    const struct slot *slot =
        (const struct slot *)sq_file_table_find(&store->table, state);
    if (slot) {
        *out = slot->fingerprint;
    }
    return slot != NULL;
}

static bool
put(struct sq_image_fingerprint_store *store, const struct sq_file_state *state,
    const struct sq_image_fingerprint *fingerprint, struct sq_err *err) {
    struct slot *slot = (struct slot *)sq_file_table_put(
        &store->table, sizeof(*slot), SQ_FINGERPRINT_STORE_MAX, state);
    if (!slot) {
        return sq_fail_nomem(err);
    }
    slot->fingerprint = *fingerprint;
    return true;
}

bool
sq_image_fingerprint_store_put(struct sq_image_fingerprint_store *store,
                               const struct sq_file_state *state,
                               const struct sq_image_fingerprint *fingerprint,
                               struct sq_err *err) {
    bool ok = put(store, state, fingerprint, err);
    store->unsaved += ok;
    return ok;
}

bool
sq_image_fingerprint_store_parse(struct sq_image_fingerprint_store *store,
                                 uint64_t owner, const uint8_t *bytes,
                                 size_t len, struct sq_err *err) {
    struct head head;
    struct record record;
    if (len < sizeof(head)) {
        return true;
    }
    memcpy(&head, bytes, sizeof(head));
    if (memcmp(head.magic, MAGIC, MAGIC_BYTES) != 0
        || head.order != BYTE_ORDER_MARK || head.version != FINGERPRINT_VERSION
        || head.record_bytes != sizeof(record) || head.owner != owner
        || head.crc != crc_of_head(&head)) {
        return true;
    }
    bool ok = true;
    for (size_t at = sizeof(head); ok && len - at >= sizeof(record);
         at += sizeof(record)) {
        memcpy(&record, bytes + at, sizeof(record));
        if (record.is_known <= 1 && record.crc == crc_of_record(&record)) {
            const struct sq_image_fingerprint fingerprint = { record.hash,
                                                              record.grid,
                                                              record.is_known };
            ok = put(store, &record.state, &fingerprint, err);
        }
    }
    return ok;
}

/* Reads the file; *out stays empty if we cannot have written it. */
static bool
read_own(int fd, struct sq_buf *out, struct sq_err *err) {
    struct stat st;
    uint8_t *space;
    if (sq_call_fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)
        || (uintmax_t)st.st_size >= MAX_FILE_BYTES) {
        return true;
    }
    size_t size = (size_t)st.st_size;
    if (!sq_buf_reserve(out, size, &space, err)) {
        return false;
    }
    size_t got;
    sq_file_read_at(fd, space, size, 0, &got);
    sq_buf_commit(out, got);
    return true;
}

bool
sq_image_fingerprint_store_load(struct sq_image_fingerprint_store *store,
                                const char *path, uint64_t owner,
                                struct sq_err *err) {
    if (store->is_loaded) {
        return true;
    }
    SQ_BUF(file, MAX_FILE_BYTES);
    int fd = sq_call_openat(AT_FDCWD, path,
                            O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
    bool ok = fd < 0
           || (read_own(fd, &file, err)
               && sq_image_fingerprint_store_parse(store, owner, file.data,
                                                   file.len, err));
    if (fd >= 0) {
        sq_call_close(fd);
    }
    store->is_loaded = ok;
    return ok;
}

bool
sq_image_fingerprint_store_save(struct sq_image_fingerprint_store *store,
                                const char *path, uint64_t owner,
                                struct sq_err *err) {
    struct head head = { .order = BYTE_ORDER_MARK,
                         .version = FINGERPRINT_VERSION,
                         .owner = owner,
                         .record_bytes = sizeof(struct record) };
    memcpy(head.magic, MAGIC, MAGIC_BYTES);
    head.crc = crc_of_head(&head);
    SQ_BUF(file, MAX_FILE_BYTES);
    bool ok = sq_buf_append(&file, &head, sizeof(head), err);
    for (size_t i = 0; ok && i < store->table.capacity; i++) {
        const struct slot *slot =
            (const struct slot *)sq_file_table_at(&store->table, i);
        struct record record = { slot->slot.state, slot->fingerprint.hash,
                                 slot->fingerprint.grid,
                                 slot->fingerprint.known, 0 };
        record.crc = crc_of_record(&record);
        ok = slot->slot.order == 0
          || sq_buf_append(&file, &record, sizeof(record), err);
    }
    ok = ok && sq_file_write_private(path, file.data, file.len, err);
    if (ok) {
        store->unsaved = 0;
    }
    return ok;
}

/* Fine enough for both the hash and the grid. */
#define MIN_WIDTH 64
#define MIN_HEIGHT 36

/* This mean difference in brightness (0 to 255) makes a different scene. */
#define SCENE_LEVELS 14
#define CELLS (SQ_LUMA_ROWS * SQ_LUMA_COLUMNS)
#define LIGHT_PER_BIT (SCENE_LEVELS * CELLS / SQ_FINGERPRINT_SCENE_BITS)
#define MAX_DISTANCE 64

bool
sq_image_fingerprint_make(const uint8_t *bytes, size_t count,
                          const struct sq_deadline *deadline,
                          struct sq_image_fingerprint *out,
                          struct sq_err *err) {
    const struct sq_size least = { MIN_WIDTH, MIN_HEIGHT };
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    bool ok = (!deadline || sq_deadline_check(deadline, err))
           && sq_picture_decode_coarse(bytes, count, least, &image, err);
    if (ok) {
        out->hash = sq_image_dhash(&image);
        sq_image_luma_grid(&image, &out->grid);
        out->known = true;
    }
    return ok;
}

int
sq_image_fingerprint_distance(const struct sq_image_fingerprint *a,
                              const struct sq_image_fingerprint *b) {
    int bits = sq_hash_distance(a->hash, b->hash);
    int sum = 0;
    for (size_t i = 0; i < sizeof(a->grid.cells); i++) {
        sum += abs((int)a->grid.cells[i] - (int)b->grid.cells[i]);
    }
    return sq_max_int(bits, sq_min_int(sum / LIGHT_PER_BIT, MAX_DISTANCE));
}

int
sq_image_fingerprint_cell_delta(const struct sq_image_fingerprint *a,
                                const struct sq_image_fingerprint *b) {
    int most = 0;
    for (size_t i = 0; i < sizeof(a->grid.cells); i++) {
        most = sq_max_int(most,
                          abs((int)a->grid.cells[i] - (int)b->grid.cells[i]));
    }
    return most;
}
