/* Reads the entries of a folder into a sorted memory block. */
#include <stdlib.h>
#include <string.h>

#include "archive/store/root.h"
#include "sys/call.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "util/buf.h"
#include "util/mem.h"

#define MAX_ITEMS ((size_t)16 << 20) /* pictures in one folder */
#define MAX_NAME_BYTES ((size_t)256 << 20)
#define MAX_INNER ((size_t)1 << 20)
#define KEEP_BYTES ((size_t)1 << 20) /* of buffers kept between folders */
#define CHECK_EVERY 4096 /* entries between checks of the deadline */

#define DIGIT_BITS 11
#define DIGITS 3 /* radix digits of DIGIT_BITS in 32 bits */

struct item {
    struct sq_shot shot;
    uint32_t name; /* offset of its stored name, if literal */
};

struct sq_day_reader {
    const struct sq_zone *zone;
    struct sq_entries *entries;
    struct sq_buf items;
    struct sq_buf spare; /* second array for sorting */
    struct sq_buf names;
    struct sq_buf inner;
    uint32_t unparsed;
    int folder;    /* folder being read */
    uint8_t first; /* the strategy that matched last */
};

bool
sq_day_reader_create(const struct sq_zone *zone, struct sq_day_reader **out,
                     struct sq_err *err) {
    struct sq_day_reader *reader = sq_mem_zalloc(1, sizeof(*reader));
    if (!reader) {
        return sq_fail_nomem(err);
    }
    reader->zone = zone;
    sq_buf_init(&reader->items, MAX_ITEMS * sizeof(struct item));
    sq_buf_init(&reader->spare, MAX_ITEMS * sizeof(struct item));
    sq_buf_init(&reader->names, MAX_NAME_BYTES);
    sq_buf_init(&reader->inner, MAX_INNER * sizeof(sq_place));
    if (!sq_entries_create(&reader->entries, err)) {
        sq_day_reader_destroy(reader);
        return false;
    }
    *out = reader;
    return true;
}

void
sq_day_reader_destroy(struct sq_day_reader *reader) {
    if (reader) {
        sq_entries_destroy(reader->entries);
        sq_buf_finish(&reader->items);
        sq_buf_finish(&reader->spare);
        sq_buf_finish(&reader->names);
        sq_buf_finish(&reader->inner);
        sq_mem_free(reader);
    }
}

static void
clear_buf(struct sq_buf *buf) {
    size_t max = buf->max;
    if (buf->cap > KEEP_BYTES) {
        sq_buf_finish(buf);
        sq_buf_init(buf, max);
    }
    sq_buf_clear(buf);
}

/* Parses a name that has only a counter; the mtime of the file is its time. */
static bool
parse_counted(const struct sq_day_reader *reader, struct sq_span name,
              struct sq_shot *out) {
    struct stat st;
    return sq_name_is_counted(name)
        && sq_call_lstatat(reader->folder, name.ptr, &st) == 0
        && S_ISREG(st.st_mode)
        && sq_name_parse_counted(name, st.st_mtim.tv_sec, reader->zone, out);
}

static bool
add_file(struct sq_day_reader *reader, struct sq_span name,
         struct sq_err *err) {
    struct item item = { .name = (uint32_t)reader->names.len };
    if (!sq_name_parse(name, reader->zone, &reader->first, &item.shot)
        && !parse_counted(reader, name, &item.shot)) {
        enum sq_shot_ending ending;
        reader->unparsed += sq_name_ending(name, &ending);
        return true;
    }
    return (!(item.shot.flags & SQ_SHOT_LITERAL)
            || sq_buf_append(&reader->names, name.ptr, name.len + 1, err))
        && sq_buf_append(&reader->items, &item, sizeof(item), err);
}

static bool
add_entry(struct sq_day_reader *reader, sq_place place,
          const struct sq_entry *entry, struct sq_err *err) {
    sq_place inner;
    if (entry->kind == SQ_ENTRY_OTHER) {
        return true;
    }
    if (entry->kind != SQ_ENTRY_FILE
        && sq_layout_enter(place, entry->name, &inner)) {
        return sq_buf_append(&reader->inner, &inner, sizeof(inner), err);
    }
    return entry->kind == SQ_ENTRY_FOLDER || add_file(reader, entry->name, err);
}

static bool
add_entries(struct sq_day_reader *reader, int folder, sq_place place,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_entry entry;
    uint32_t count = 0;
    sq_entries_start(reader->entries, folder);
    while (sq_entries_next(reader->entries, &entry)) {
        if (!add_entry(reader, place, &entry, err)
            || (++count % CHECK_EVERY == 0
                && !sq_deadline_check(deadline, err))) {
            return false;
        }
    }
    int number = sq_entries_error(reader->entries);
    return number == 0 || sq_file_fail("a folder", false, number, err);
}

/* One pass of a radix sort by some bits of the time; stable. */
static void
distribute(const struct item *from, struct item *to, size_t count,
           unsigned shift, uint32_t *starts) {
    uint32_t sum = 0;
    for (size_t i = 0; i < (size_t)1 << DIGIT_BITS; i++) {
        uint32_t size = starts[i];
        starts[i] = sum;
        sum += size;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t digit = from[i].shot.utc >> shift & ((1U << DIGIT_BITS) - 1);
        to[starts[digit]++] = from[i];
    }
}

/*
 * Sorts by time with a radix sort, one pass per digit that differs. Names come
 * in the order of the file system's hashes, and a comparison sort would cost
 * more than parsing them. Returns the array with the result: items or spare.
 */
static struct item *
sort_by_time(struct item *items, struct item *spare, size_t count) {
    for (unsigned shift = 0; shift < 32; shift += DIGIT_BITS) {
        uint32_t sizes[1 << DIGIT_BITS] = { 0 };
        uint32_t digit = 0;
        for (size_t i = 0; i < count; i++) {
            digit = items[i].shot.utc >> shift & ((1U << DIGIT_BITS) - 1);
            sizes[digit]++;
        }
        if (count > 0 && sizes[digit] == count) {
            continue;
        }
        distribute(items, spare, count, shift, sizes);
        struct item *sorted = spare;
        spare = items;
        items = sorted;
    }
    return items;
}

static int
compare(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

/* Sorts a picture and its thumbnail next to each other, the picture first. */
static int
compare_items(const void *left, const void *right) {
    const struct sq_shot *a = &((const struct item *)left)->shot;
    const struct sq_shot *b = &((const struct item *)right)->shot;
    int order = compare(a->monitor, b->monitor);
    order = order ? order : compare(a->seq, b->seq);
    order = order ? order : compare(a->width, b->width);
    order = order ? order : compare(a->height, b->height);
    order = order ? order : a->quarters - b->quarters;
    order = order ? order : compare(a->strategy, b->strategy);
    order = order ? order
                  : compare(a->flags & SQ_SHOT_THUMB, b->flags & SQ_SHOT_THUMB);
    order = order
              ? order
              : compare(a->flags & SQ_SHOT_LITERAL, b->flags & SQ_SHOT_LITERAL);
    return order ? order
                 : compare(((const struct item *)left)->name,
                           ((const struct item *)right)->name);
}

/* Returns whether b, which follows a, is its thumbnail. */
static bool
is_pair(const struct sq_shot *a, const struct sq_shot *b) {
    return a->utc == b->utc && a->seq == b->seq && a->monitor == b->monitor
        && a->width == b->width && a->height == b->height
        && a->quarters == b->quarters && a->strategy == b->strategy
        && a->flags & SQ_SHOT_FULL && b->flags & SQ_SHOT_THUMB;
}

/* The output of packing. */
struct pack {
    const struct sq_day_reader *reader;
    struct sq_shot *shots;
    size_t count;
    char *text; /* NULL while only measuring */
    size_t text_len;
    bool skipped_literal; /* a literal was skipped, for the second pass */
};

static void
put_text(struct pack *pack, const char *text) {
    size_t size = strlen(text) + 1;
    if (pack->text) {
        memcpy(pack->text + pack->text_len, text, size);
    }
    pack->text_len += size;
}

static const char *
name_of(const struct pack *pack, const struct item *item,
        char buffer[SQ_NAME_SIZE]) {
    if (item->shot.flags & SQ_SHOT_LITERAL) {
        return (const char *)pack->reader->names.data + item->name;
    }
    sq_name_format(&item->shot, item->shot.flags & SQ_SHOT_THUMB, buffer);
    return buffer;
}

/* Stores the names of a literal shot; full or thumb may be NULL. */
static void
put_literal(struct pack *pack, const struct item *full,
            const struct item *thumb) {
    char buffer[SQ_NAME_SIZE];
    struct sq_shot shot = full ? full->shot : thumb->shot;
    shot.flags |= SQ_SHOT_LITERAL | (thumb ? SQ_SHOT_THUMB : 0);
    shot.seq = (uint32_t)pack->text_len;
    put_text(pack, full ? name_of(pack, full, buffer) : "");
    put_text(pack, thumb ? name_of(pack, thumb, buffer) : "");
    if (pack->text) {
        pack->shots[pack->count] = shot;
    }
    pack->count++;
}

/* Adds one shot of one or two items; returns true if it used both. */
static bool
put_item(struct pack *pack, const struct item *item, bool pair, bool literals) {
    const struct item *thumb = pair ? item + 1 : NULL;
    /* Names that differ in more than ".thumbnail" cannot be rebuilt. */
    int differ = thumb ? item->shot.flags ^ thumb->shot.flags : 0;
    bool literal = item->shot.flags & SQ_SHOT_LITERAL
                || differ & ~(SQ_SHOT_FULL | SQ_SHOT_THUMB);
    if (literal != literals) {
        pack->skipped_literal = pack->skipped_literal || literal;
        return pair;
    }
    if (literal) {
        bool is_thumb = item->shot.flags & SQ_SHOT_THUMB;
        put_literal(pack, is_thumb ? NULL : item, is_thumb ? item : thumb);
        return pair;
    }
    if (pack->text) {
        struct sq_shot shot = item->shot;
        shot.flags |= thumb ? SQ_SHOT_THUMB : 0;
        pack->shots[pack->count] = shot;
    }
    pack->count++;
    return pair;
}

/* Adds the shots of one second and monitor; literal ones come last. */
static void
put_group(struct pack *pack, const struct item *items, size_t count,
          bool literals) {
    for (size_t i = 0; i < count; i++) {
        bool pair =
            i + 1 < count && is_pair(&items[i].shot, &items[i + 1].shot);
        i += put_item(pack, &items[i], pair, literals);
    }
}

static void
put_all(struct pack *pack, const struct item *items, size_t count) {
    size_t start = 0;
    for (size_t i = 1; i <= count; i++) {
        if (i < count && items[i].shot.utc == items[start].shot.utc
            && items[i].shot.monitor == items[start].shot.monitor) {
            continue;
        }
        pack->skipped_literal = false;
        put_group(pack, items + start, i - start, false);
        if (pack->skipped_literal) {
            put_group(pack, items + start, i - start, true);
        }
        start = i;
    }
}

static int
compare_places(const void *left, const void *right) {
    return compare(*(const sq_place *)left, *(const sq_place *)right);
}

/* Packs sorted items into a block of exact size. */
static bool
make_day(struct sq_day_reader *reader, const struct item *items,
         struct sq_day **out, struct sq_err *err) {
    struct pack pack = { .reader = reader };
    size_t item_count = reader->items.len / sizeof(*items);
    size_t inner_count = reader->inner.len / sizeof(sq_place);
    put_all(&pack, items, item_count);
    size_t bytes = sizeof(struct sq_day) + pack.count * sizeof(struct sq_shot)
                 + reader->inner.len + pack.text_len;
    struct sq_day *day = sq_mem_alloc(1, bytes);
    if (!day) {
        return sq_fail_nomem(err);
    }
    *day = (struct sq_day){
        .shot_count = (uint32_t)pack.count,
        .inner_count = (uint32_t)inner_count,
        .text_bytes = (uint32_t)pack.text_len,
        .unparsed = reader->unparsed,
    };
    char *after_shots = (char *)(day->shots + pack.count);
    pack = (struct pack){ .reader = reader,
                          .shots = day->shots,
                          .text = after_shots + reader->inner.len };
    put_all(&pack, items, item_count);
    if (inner_count > 0) {
        qsort(reader->inner.data, inner_count, sizeof(sq_place),
              compare_places);
        memcpy(after_shots, reader->inner.data, reader->inner.len);
    }
    *out = day;
    return true;
}

bool
sq_day_read(struct sq_day_reader *reader, int folder, sq_place place,
            const struct sq_deadline *deadline, struct sq_day **out,
            struct sq_err *err) {
    clear_buf(&reader->items);
    clear_buf(&reader->spare);
    clear_buf(&reader->names);
    clear_buf(&reader->inner);
    reader->unparsed = 0;
    reader->folder = folder;
    uint8_t *space;
    if (!add_entries(reader, folder, place, deadline, err)
        || !sq_buf_reserve(&reader->spare, reader->items.len, &space, err)) {
        return false;
    }
    size_t count = reader->items.len / sizeof(struct item);
    struct item *items = (struct item *)(void *)reader->items.data;
    items = sort_by_time(items, (struct item *)(void *)space, count);
    /* Sorts the items of each second. */
    size_t start = 0;
    for (size_t i = 1; i <= count; i++) {
        if (i < count && items[i].shot.utc == items[start].shot.utc) {
            continue;
        }
        if (i - start == 2
            && compare_items(&items[start], &items[start + 1]) > 0) {
            struct item first = items[start];
            items[start] = items[start + 1];
            items[start + 1] = first;
        } else if (i - start > 2) {
            qsort(items + start, i - start, sizeof(*items), compare_items);
        }
        start = i;
    }
    return make_day(reader, items, out, err);
}
