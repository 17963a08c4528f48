/* Reads and writes index files. */
#include "archive/store/root.h"

#include <fcntl.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "sys/call.h"
#include "sys/file.h"
#include "util/buf.h"
#include "util/mem.h"

#define MAX_FOLDERS (1U << 20)
#define MAX_FILE_BYTES ((size_t)1 << 30)
#define MAGIC "squint\x1a\x01"
#define MAGIC_BYTES 8

/* The header in native byte order; another order counts as a version. */
struct head {
    char magic[MAGIC_BYTES];
    uint32_t order; /* byte order mark */
    uint32_t count;
    struct sq_index_owner owner;
    uint32_t table_crc;
    uint32_t head_crc; /* of all fields before it */
    uint64_t zero[2];
};

#define BYTE_ORDER_MARK 0x01020304

_Static_assert(sizeof(struct head) == SQ_INDEX_HEAD_BYTES, "as the file");
_Static_assert(sizeof(struct sq_index_slot) == 32, "as the file");

static uint32_t
crc_of(const void *bytes, size_t len) {
    return libdeflate_crc32(0, bytes, len);
}

static uint32_t
crc_of_head(const struct head *head) {
    return crc_of(head, offsetof(struct head, head_crc));
}

uint64_t
sq_index_zone(const struct sq_zone *zone) {
    /*
     * Samples the offset every ten days, over all years that a shot can have.
     */
    uint64_t hash = 14695981039346656037U;
    for (int64_t utc = 0; zone && utc < UINT32_MAX; utc += 10 * 86400) {
        hash = (hash ^ (uint64_t)sq_zone_offset(zone, utc)) * 1099511628211U;
    }
    return hash;
}

bool
sq_index_check_head(const uint8_t head_bytes[SQ_INDEX_HEAD_BYTES],
                    uint64_t file_bytes, const struct sq_index_owner *owner,
                    uint32_t *count) {
    struct head head;
    memcpy(&head, head_bytes, sizeof(head));
    if (memcmp(head.magic, MAGIC, MAGIC_BYTES) != 0
        || head.order != BYTE_ORDER_MARK || head.count > MAX_FOLDERS
        || memcmp(&head.owner, owner, sizeof(*owner)) != 0
        || head.head_crc != crc_of_head(&head)
        || file_bytes
               < sizeof(head) + head.count * sizeof(struct sq_index_slot)) {
        return false;
    }
    *count = head.count;
    return true;
}

bool
sq_index_check_table(const uint8_t head_bytes[SQ_INDEX_HEAD_BYTES],
                     const struct sq_index_slot *slots, uint32_t count,
                     uint64_t file_bytes) {
    struct head head;
    memcpy(&head, head_bytes, sizeof(head));
    if (count > 0 && head.table_crc != crc_of(slots, count * sizeof(*slots))) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if ((i > 0 && slots[i - 1].place >= slots[i].place)
            || slots[i].offset > file_bytes
            || slots[i].bytes > file_bytes - slots[i].offset
            || slots[i].bytes < sizeof(struct sq_day)) {
            return false;
        }
    }
    return true;
}

/* Reads exactly count bytes, or returns false. */
static bool
read_at(int fd, void *into, size_t count, uint64_t offset) {
    size_t got;
    return sq_file_read_at(fd, into, count, offset, &got) == 0 && got == count;
}

static bool
is_our_file(int fd, uint64_t *bytes) {
    struct stat st;
    if (sq_call_fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        return false;
    }
    *bytes = (uint64_t)st.st_size;
    return true;
}

bool
sq_index_open(const char *path, const struct sq_index_owner *owner,
              struct sq_index *out, struct sq_err *err) {
    struct sq_index index = { .fd = -1 };
    uint8_t head[SQ_INDEX_HEAD_BYTES];
    uint64_t file_bytes;
    index.fd = sq_call_openat(
        AT_FDCWD, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
    if (index.fd < 0 || !is_our_file(index.fd, &file_bytes)
        || !read_at(index.fd, head, sizeof(head), 0)
        || !sq_index_check_head(head, file_bytes, owner, &index.count)) {
        sq_index_close(&index);
        *out = index;
        return true;
    }
    size_t table = index.count * sizeof(*index.slots);
    index.slots = sq_mem_alloc(1, table + 1);
    if (!index.slots) {
        sq_index_close(&index);
        return sq_fail_nomem(err);
    }
    if (!read_at(index.fd, index.slots, table, sizeof(head))
        || !sq_index_check_table(head, index.slots, index.count, file_bytes)) {
        sq_index_close(&index);
    }
    *out = index;
    return true;
}

void
sq_index_close(struct sq_index *index) {
    if (index->fd >= 0) {
        sq_call_close(index->fd);
    }
    sq_mem_free(index->slots);
    *index = (struct sq_index){ .fd = -1 };
}

static int
compare_places(const void *a, const void *b) {
    sq_place one = ((const struct sq_index_slot *)a)->place;
    sq_place two = ((const struct sq_index_slot *)b)->place;
    return (one > two) - (one < two);
}

const struct sq_index_slot *
sq_index_find(const struct sq_index *index, sq_place place, uint64_t stamp) {
    const struct sq_index_slot wanted = { .place = place };
    const struct sq_index_slot *slot =
        index->count > 0 ? bsearch(&wanted, index->slots, index->count,
                                   sizeof(wanted), compare_places)
                         : NULL;
    return slot && slot->stamp == stamp ? slot : NULL;
}

bool
sq_index_read(const struct sq_index *index, const struct sq_index_slot *slot,
              struct sq_day **out) {
    struct sq_day *day = sq_mem_alloc(1, slot->bytes);
    if (!day) {
        return false;
    }
    if (!read_at(index->fd, day, slot->bytes, slot->offset)
        || crc_of(day, slot->bytes) != slot->crc
        || !sq_day_check(day, slot->bytes)) {
        sq_mem_free(day);
        return false;
    }
    *out = day;
    return true;
}

/* A folder to be written, from the cache or from the old index. */
struct source {
    const struct sq_day_cache_slot *fresh;
    const struct sq_index_slot *old;
};

/* Returns the next folder of both in order; the cached one is newer. */
static bool
next_source(const struct sq_day_cache *cache, const struct sq_index *old,
            size_t at[2], struct source *out) {
    while (at[0] < cache->count
           && (!cache->slots[at[0]].day || cache->slots[at[0]].racy)) {
        at[0]++;
    }
    *out = (struct source){ 0 };
    if (at[0] < cache->count) {
        out->fresh = &cache->slots[at[0]];
    }
    if (at[1] < old->count) {
        out->old = &old->slots[at[1]];
    }
    if (out->fresh && out->old && out->fresh->place < out->old->place) {
        out->old = NULL;
    }
    if (out->fresh && out->old && out->fresh->place > out->old->place) {
        out->fresh = NULL;
    }
    at[0] += out->fresh != NULL;
    at[1] += out->old != NULL;
    return out->fresh || out->old;
}

/* Appends a day; a damaged one of the old index becomes empty. */
static bool
put_day(const struct source *source, const struct sq_index *old,
        struct sq_buf *file, struct sq_index_slot *slot, struct sq_err *err) {
    static const struct sq_day empty_day = { 0 };
    static const uint8_t padding[8] = { 0 };
    const struct sq_day_cache_slot *fresh = source->fresh;
    struct sq_day *copy = NULL;
    bool is_read = fresh || sq_index_read(old, source->old, &copy);
    const struct sq_day *day = fresh ? fresh->day : copy ? copy : &empty_day;
    *slot = (struct sq_index_slot){
        .place = fresh ? fresh->place : source->old->place,
        .stamp = !is_read ? 0
               : fresh    ? fresh->stamp
                          : source->old->stamp,
        .bytes = (uint32_t)sq_day_bytes(day),
        .offset = file->len,
    };
    slot->crc = crc_of(day, slot->bytes);
    bool ok = sq_buf_append(file, day, slot->bytes, err)
           && sq_buf_append(file, padding, (8 - slot->bytes % 8) % 8, err);
    sq_mem_free(copy);
    return ok;
}

static bool
build(const struct sq_index_owner *owner, const struct sq_day_cache *cache,
      const struct sq_index *old, struct sq_buf *file, struct sq_err *err) {
    struct head head = { .order = BYTE_ORDER_MARK, .owner = *owner };
    struct source source;
    for (size_t at[2] = { 0 };
         head.count < MAX_FOLDERS && next_source(cache, old, at, &source);) {
        head.count++;
    }
    size_t table = head.count * sizeof(struct sq_index_slot);
    uint8_t *space;
    memcpy(head.magic, MAGIC, MAGIC_BYTES);
    if (!sq_buf_reserve(file, sizeof(head) + table, &space, err)) {
        return false;
    }
    sq_buf_commit(file, sizeof(head) + table);
    size_t at[2] = { 0 };
    for (uint32_t i = 0; i < head.count; i++) {
        struct sq_index_slot slot;
        if (!next_source(cache, old, at, &source)
            || !put_day(&source, old, file, &slot, err)) {
            return false;
        }
        memcpy(file->data + sizeof(head) + i * sizeof(slot), &slot,
               sizeof(slot));
    }
    head.table_crc = crc_of(file->data + sizeof(head), table);
    head.head_crc = crc_of_head(&head);
    memcpy(file->data, &head, sizeof(head));
    return true;
}

bool
sq_index_write(const char *path, const struct sq_index_owner *owner,
               const struct sq_day_cache *cache, const struct sq_index *old,
               struct sq_err *err) {
    SQ_BUF(file, MAX_FILE_BYTES);
    return build(owner, cache, old, &file, err)
        && sq_file_write_private(path, file.data, file.len, err);
}
