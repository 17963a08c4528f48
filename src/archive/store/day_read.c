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

/* What is read of a folder: its items, an array to sort them, and the names of
 * those that are literal; then the parts of its block, in their order. */
enum { ITEMS, SPARE, NAMES, SHOTS, INNER, TEXT, BUFS };

struct sq_day_reader {
    const struct sq_zone *zone;
    struct sq_entries *entries;
    struct sq_buf bufs[BUFS];
    uint32_t unparsed;
    int folder;    /* folder being read */
    uint8_t first; /* the strategy that matched last */
};

bool
sq_day_reader_create(const struct sq_zone *zone, struct sq_day_reader **out,
                     struct sq_err *err) {
    static const size_t most[BUFS] = {
        [ITEMS] = MAX_ITEMS * sizeof(struct item),
        [SPARE] = MAX_ITEMS * sizeof(struct item),
        [NAMES] = MAX_NAME_BYTES,
        [INNER] = MAX_INNER * sizeof(sq_place),
        [SHOTS] = MAX_ITEMS * sizeof(struct sq_shot),
        [TEXT] = 2 * MAX_NAME_BYTES,
    };
    struct sq_day_reader *reader = sq_mem_zalloc(1, sizeof(*reader));
    if (!reader) {
        return sq_fail_nomem(err);
    }
    reader->zone = zone;
    for (int i = 0; i < BUFS; i++) {
        sq_buf_init(&reader->bufs[i], most[i]);
    }
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
        for (int i = 0; i < BUFS; i++) {
            sq_buf_finish(&reader->bufs[i]);
        }
        sq_mem_free(reader);
    }
}

/* Empties a buffer, and frees a large one. */
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
    struct item item = { .name = (uint32_t)reader->bufs[NAMES].len };
    if (!sq_name_parse(name, reader->zone, &reader->first, &item.shot)
        && !parse_counted(reader, name, &item.shot)) {
        enum sq_shot_ending ending;
        reader->unparsed += sq_name_ending(name, &ending);
        return true;
    }
    return (!(item.shot.flags & SQ_SHOT_LITERAL)
            || sq_buf_append(&reader->bufs[NAMES], name.ptr, name.len + 1, err))
        && sq_buf_append(&reader->bufs[ITEMS], &item, sizeof(item), err);
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
        return sq_buf_append(&reader->bufs[INNER], &inner, sizeof(inner), err);
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

/* Appends the name of an item, or "" for NULL, with its NUL. */
static bool
put_name(struct sq_day_reader *reader, const struct item *item,
         struct sq_err *err) {
    char buffer[SQ_NAME_SIZE] = "";
    const char *name = buffer;
    if (item && item->shot.flags & SQ_SHOT_LITERAL) {
        name = (const char *)reader->bufs[NAMES].data + item->name;
    } else if (item) {
        sq_name_format(&item->shot, item->shot.flags & SQ_SHOT_THUMB, buffer);
    }
    return sq_buf_append(&reader->bufs[TEXT], name, strlen(name) + 1, err);
}

/* Packs a shot of one item, or of a picture and its thumbnail. */
static bool
put_shot(struct sq_day_reader *reader, const struct item *item,
         const struct item *thumb, bool is_literal, struct sq_err *err) {
    struct sq_shot shot = item->shot;
    shot.flags |= thumb ? SQ_SHOT_THUMB : 0;
    if (is_literal) {
        bool is_thumb = item->shot.flags & SQ_SHOT_THUMB;
        shot.flags |= SQ_SHOT_LITERAL;
        shot.seq = (uint32_t)reader->bufs[TEXT].len;
        if (!put_name(reader, is_thumb ? NULL : item, err)
            || !put_name(reader, is_thumb ? item : thumb, err)) {
            return false;
        }
    }
    return sq_buf_append(&reader->bufs[SHOTS], &shot, sizeof(shot), err);
}

/* Packs the shots of one second and monitor that are literal or that are not.
 * Clears *has_others if these are all. */
static bool
put_group(struct sq_day_reader *reader, const struct item *items, size_t count,
          bool literals, bool *has_others, struct sq_err *err) {
    bool ok = true;
    *has_others = false;
    for (size_t i = 0; ok && i < count; i++) {
        const struct item *item = &items[i];
        bool pair = i + 1 < count && is_pair(&item->shot, &items[i + 1].shot);
        const struct item *thumb = pair ? item + 1 : NULL;
        /* Names that differ in more than ".thumbnail" cannot be rebuilt. */
        int differ = thumb ? item->shot.flags ^ thumb->shot.flags : 0;
        bool literal = item->shot.flags & SQ_SHOT_LITERAL
                    || differ & ~(SQ_SHOT_FULL | SQ_SHOT_THUMB);
        if (literal == literals) {
            ok = put_shot(reader, item, thumb, literal, err);
        } else {
            *has_others = true;
        }
        i += pair;
    }
    return ok;
}

/* Packs all shots; of one second and monitor, literal ones come last. */
static bool
put_all(struct sq_day_reader *reader, const struct item *items, size_t count,
        struct sq_err *err) {
    size_t start = 0;
    bool has_literals;
    bool ok = true;
    for (size_t i = 1; ok && i <= count; i++) {
        if (i < count && items[i].shot.utc == items[start].shot.utc
            && items[i].shot.monitor == items[start].shot.monitor) {
            continue;
        }
        ok = put_group(reader, items + start, i - start, false, &has_literals,
                       err)
          && (!has_literals
              || put_group(reader, items + start, i - start, true,
                           &has_literals, err));
        start = i;
    }
    return ok;
}

static int
compare_places(const void *left, const void *right) {
    return compare(*(const sq_place *)left, *(const sq_place *)right);
}

/* Makes a block of exact size of what was packed. */
static bool
make_day(struct sq_day_reader *reader, struct sq_day **out,
         struct sq_err *err) {
    const struct sq_buf *bufs = reader->bufs;
    size_t inner_count = bufs[INNER].len / sizeof(sq_place);
    struct sq_day *day = sq_mem_alloc(
        1, sizeof(*day) + bufs[SHOTS].len + bufs[INNER].len + bufs[TEXT].len);
    if (!day) {
        return sq_fail_nomem(err);
    }
    *day = (struct sq_day){
        .shot_count = (uint32_t)(bufs[SHOTS].len / sizeof(struct sq_shot)),
        .inner_count = (uint32_t)inner_count,
        .text_bytes = (uint32_t)bufs[TEXT].len,
        .unparsed = reader->unparsed,
    };
    if (inner_count > 0) {
        qsort(bufs[INNER].data, inner_count, sizeof(sq_place), compare_places);
    }
    char *at = (char *)day->shots;
    for (int i = SHOTS; i <= TEXT; i++) {
        if (bufs[i].len > 0) {
            memcpy(at, bufs[i].data, bufs[i].len);
            at += bufs[i].len;
        }
    }
    *out = day;
    return true;
}

/* Sorts the items of each second, which follow each other. */
static void
sort_seconds(struct item *items, size_t count) {
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
}

bool
sq_day_read(struct sq_day_reader *reader, int folder, sq_place place,
            const struct sq_deadline *deadline, struct sq_day **out,
            struct sq_err *err) {
    struct sq_buf *bufs = reader->bufs;
    uint8_t *space;
    for (int i = 0; i < BUFS; i++) {
        clear_buf(&bufs[i]);
    }
    reader->unparsed = 0;
    reader->folder = folder;
    if (!add_entries(reader, folder, place, deadline, err)
        || !sq_buf_reserve(&bufs[SPARE], bufs[ITEMS].len, &space, err)) {
        return false;
    }
    size_t count = bufs[ITEMS].len / sizeof(struct item);
    struct item *items = sort_by_time((struct item *)(void *)bufs[ITEMS].data,
                                      (struct item *)(void *)space, count);
    sort_seconds(items, count);
    return put_all(reader, items, count, err) && make_day(reader, out, err);
}
