/* Collects and merges activity segments. */
#include "archive/activity/segments.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/minmax.h"
#include "util/time_text.h"
#include "util/utf8.h"

#define US_PER_S INT64_C(1000000)

#define SLOTS ((size_t)65536) /* a power of two above SQ_MAX_LABELS */
#define MAX_LABEL_BYTES 200
#define TEXT_BYTES ((size_t)8 << 20)

static const char other[] = "(other)";

void
sq_segments_init(struct sq_segments *segments) {
    *segments = (struct sq_segments){ 0 };
    sq_arena_init(&segments->texts, TEXT_BYTES);
}

void
sq_segments_finish(struct sq_segments *segments) {
    sq_mem_free(segments->items);
    sq_mem_free(segments->labels);
    sq_mem_free(segments->slots);
    sq_arena_finish(&segments->texts);
    *segments = (struct sq_segments){ 0 };
}

/* FNV-1a. */
static uint32_t
hash_of(struct sq_span text) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < text.len; i++) {
        hash = (hash ^ (unsigned char)text.ptr[i]) * 16777619u;
    }
    return hash;
}

/* Returns the slot of the text in the table, or the free slot for it. */
static size_t
slot_of(const struct sq_segments *segments, struct sq_span text,
        uint32_t hash) {
    size_t slot = hash % SLOTS;
    while (segments->slots[slot]) {
        const struct sq_label *label =
            &segments->labels[segments->slots[slot] - 1];
        if (label->hash == hash && sq_span_equal(label->text, text)) {
            break;
        }
        slot = (slot + 1) % SLOTS;
    }
    return slot;
}

static bool
make_table(struct sq_segments *segments, struct sq_err *err) {
    if (!segments->slots) {
        segments->slots = sq_mem_zalloc(SLOTS, sizeof(*segments->slots));
    }
    if (!segments->labels) {
        segments->labels =
            sq_mem_alloc(SQ_MAX_LABELS, sizeof(*segments->labels));
    }
    return (segments->slots && segments->labels) || sq_fail_nomem(err);
}

/* Returns the number of a label; assigns one if it is new. */
static bool
intern(struct sq_segments *segments, struct sq_span text, uint32_t *out,
       struct sq_err *err) {
    if (!make_table(segments, err)) {
        return false;
    }
    text = sq_utf8_shorten(text, MAX_LABEL_BYTES);
    if (segments->label_count >= SQ_MAX_LABELS - 1
        && !segments->slots[slot_of(segments, text, hash_of(text))]) {
        text = sq_span_of(other);
    }
    uint32_t hash = hash_of(text);
    size_t slot = slot_of(segments, text, hash);
    if (!segments->slots[slot]) {
        char *copy = sq_arena_strdup(&segments->texts, text, err);
        if (!copy) {
            return false;
        }
        segments->labels[segments->label_count++] =
            (struct sq_label){ { copy, text.len }, hash, false };
        segments->slots[slot] = (uint32_t)segments->label_count;
    }
    *out = segments->slots[slot] - 1;
    return true;
}

static bool
grow(struct sq_segments *segments, struct sq_err *err) {
    if (segments->count == SQ_MAX_SEGMENTS) {
        sq_fail(err, SQ_ERR_LIMIT, "there are more than %d periods of activity",
                SQ_MAX_SEGMENTS);
        return sq_fail_hint(err, "Ask for a shorter time.");
    }
    return sq_mem_grow(&segments->items, &segments->capacity,
                       segments->count + 1, sizeof(*segments->items))
        || sq_fail_nomem(err);
}

bool
sq_moment_read(struct sq_span text, const struct sq_zone *zone,
               struct sq_moment *out) {
    struct sq_time_text time;
    *out = SQ_MOMENT_UNKNOWN;
    if (!sq_time_parse(text, &time, NULL)) {
        return false;
    }
    struct sq_zone_moment at = { .utc = time.wall_s - time.offset_s };
    at.latest = at.utc;
    if (zone && !time.has_offset) {
        at = sq_zone_from_wall(zone, time.wall_s);
    }
    int64_t fraction = time.nanos / 1000;
    *out = (struct sq_moment){ at.utc * US_PER_S + fraction,
                               at.latest * US_PER_S + fraction };
    return true;
}

/* Rounds down and up, also before 1970. */
static int64_t
floor_s(int64_t us) {
    return us / US_PER_S - (us % US_PER_S < 0);
}

static int64_t
ceil_s(int64_t us) {
    return us / US_PER_S + (us % US_PER_S > 0);
}

static bool
add(struct sq_segments *segments, int64_t start_utc, int64_t end_utc,
    struct sq_span label, struct sq_err *err) {
    const struct sq_segments_filter *filter = segments->filter;
    uint32_t number;
    if (end_utc <= start_utc) {
        return true;
    }
    if (!grow(segments, err) || !intern(segments, label, &number, err)) {
        return false;
    }
    struct sq_label *used = &segments->labels[number];
    used->covers =
        used->covers || (filter && filter->covers && filter->covers(label));
    segments->items[segments->count++] =
        (struct sq_segment){ start_utc, end_utc, number };
    segments->is_merged = false;
    return true;
}

bool
sq_segments_add(struct sq_segments *segments, int64_t start_utc,
                int64_t end_utc, struct sq_span label, struct sq_err *err) {
    const struct sq_window any = { INT64_MIN, INT64_MAX };
    const struct sq_moment start = { start_utc * US_PER_S,
                                     start_utc * US_PER_S };
    const struct sq_moment end = { end_utc * US_PER_S, end_utc * US_PER_S };
    return sq_segments_add_between(segments, &any, start, end, label, err);
}

/* Returns the extent of an activity; one that takes no time, or ends before it
 * begins, may have been at any time between. */
static struct sq_extent
extent_of(struct sq_moment start, struct sq_moment end) {
    int64_t first = sq_min_int64(start.earliest_us, end.latest_us);
    int64_t last = sq_max_int64(start.earliest_us, end.latest_us);
    return (struct sq_extent){ first, last > first ? last : first + 1,
                               start.latest_us, end.earliest_us };
}

bool
sq_segments_add_between(struct sq_segments *segments,
                        const struct sq_window *window, struct sq_moment start,
                        struct sq_moment end, struct sq_span label,
                        struct sq_err *err) {
    const struct sq_segments_filter *filter = segments->filter;
    const struct sq_extent when = extent_of(start, end);
    int64_t first = floor_s(when.from_us);
    int64_t last = ceil_s(when.to_us);
    if (first >= window->to_utc || last <= window->from_utc) {
        return true;
    }
    if (filter && !filter->apply(filter->context, &when, &label, err)) {
        return false;
    }
    if (filter && !label.ptr) {
        return true;
    }
    if (filter && filter->covers && filter->covers(label)) {
        return add(segments, sq_max_int64(first, window->from_utc),
                   sq_min_int64(last, window->to_utc), label, err);
    }
    if (when.surely_from_us == INT64_MAX) {
        return true;
    }
    if (filter && filter->covers) {
        first = ceil_s(when.surely_from_us);
    }
    return add(segments, first, floor_s(when.surely_to_us), label, err);
}

/* Sorts by start; of equal starts the longest last, which is kept. */
static int
compare(const void *a, const void *b) {
    const struct sq_segment *one = a;
    const struct sq_segment *two = b;
    if (one->start_utc != two->start_utc) {
        return one->start_utc < two->start_utc ? -1 : 1;
    }
    if (one->end_utc != two->end_utc) {
        return one->end_utc < two->end_utc ? -1 : 1;
    }
    return (one->label > two->label) - (one->label < two->label);
}

/*
 * Adjusts the last of the kept segments and the next one if one of them covers
 * the other. Returns how many are kept; *next is empty if it is not needed.
 */
static size_t
cover(const struct sq_segments *segments, size_t kept, int64_t *covered_until,
      struct sq_segment *next) {
    struct sq_segment *items = segments->items;
    const struct sq_label *labels = segments->labels;
    if (!labels[next->label].covers) {
        next->start_utc = sq_max_int64(next->start_utc, *covered_until);
        next->end_utc = sq_max_int64(next->end_utc, next->start_utc);
        return kept;
    }
    *covered_until = sq_max_int64(*covered_until, next->end_utc);
    while (kept > 0 && !labels[items[kept - 1].label].covers
           && items[kept - 1].start_utc >= next->start_utc) {
        kept--;
    }
    struct sq_segment *last = kept ? &items[kept - 1] : NULL;
    if (last && labels[last->label].covers
        && next->start_utc <= last->end_utc) {
        last->end_utc = sq_max_int64(last->end_utc, next->end_utc);
        next->end_utc = next->start_utc;
    }
    return kept;
}

void
sq_segments_merge(struct sq_segments *segments) {
    struct sq_segment *items = segments->items;
    size_t kept = 0;
    int64_t covered_until = INT64_MIN;
    if (segments->is_merged || !segments->count) {
        return;
    }
    qsort(items, segments->count, sizeof(*items), compare);
    for (size_t i = 0; i < segments->count; i++) {
        kept = cover(segments, kept, &covered_until, &items[i]);
        if (items[i].end_utc <= items[i].start_utc) {
            continue;
        }
        struct sq_segment *last = kept ? &items[kept - 1] : NULL;
        bool is_next = last && items[i].label == last->label
                    && items[i].start_utc - last->end_utc <= SQ_SEGMENT_GAP_S;
        if (is_next) {
            last->end_utc = sq_max_int64(last->end_utc, items[i].end_utc);
            continue;
        }
        if (last) {
            last->end_utc = sq_min_int64(last->end_utc, items[i].start_utc);
        }
        /* Drop a segment that became empty because the next starts with it. */
        kept -= last && last->end_utc == last->start_utc;
        items[kept++] = items[i];
    }
    segments->count = kept;
    segments->is_merged = true;
}

void
sq_segments_trim(struct sq_segments *segments) {
    struct sq_label *labels = sq_mem_resize(
        segments->labels, (segments->label_count + 1) * sizeof(*labels));
    segments->labels = labels ? labels : segments->labels;
    sq_mem_free(segments->slots);
    segments->slots = NULL;
}

const struct sq_segment *
sq_segments_find(const struct sq_segments *segments, int64_t utc) {
    for (size_t i = 0; i < segments->count; i++) {
        const struct sq_segment *segment = &segments->items[i];
        if (utc >= segment->start_utc && utc < segment->end_utc) {
            return segment;
        }
    }
    return NULL;
}

struct sq_span
sq_segments_at(const struct sq_segments *segments, int64_t utc) {
    const struct sq_segment *segment = sq_segments_find(segments, utc);
    return segment ? sq_segments_label(segments, segment->label)
                   : (struct sq_span){ 0 };
}

struct sq_span
sq_segments_label(const struct sq_segments *segments, uint32_t label) {
    return label < segments->label_count ? segments->labels[label].text
                                         : (struct sq_span){ "", 0 };
}
