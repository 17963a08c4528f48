/*
 * Finds labels on maps and pictures: thin strokes that are darker, or lighter,
 * than all that is around them, whatever that is. Closing fills what is thinner
 * than a square; the difference has the strokes alone, dark on white.
 */
#include "vision/lines.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/minmax.h"
#include "vision/strip.h"

#define CHANNELS 3
#define WHITE 255

/* The side of the square: strokes are thinner. It is that of spread(). */
#define SIDE 13
#define PAD (SIDE - 1)

/* Differences up to this are no strokes: edges of roads and areas. */
#define NOISE 56
#define LEAST 16 /* beyond that, for a stroke */
#define GAIN 2

/* Least share of a label in the colours of letters and background, in percent.
 */
#define CLEAN_LABEL 84

/* A background is mixed if at least this share of a box is in areas of one
   colour each, but at most the other share of those in the same colour, in
   percent. */
#define MIN_FLAT 20
#define MAX_SAME_COLOUR 90
#define COLOURS 4096 /* 4 bits per channel */
#define FLAT_REACH 4 /* an area goes on for these pixels above or below */

/* Lines with a mixed background that a map has at least, and their share of all
   lines in percent. Of drawn pages without a map, one of chips had most: 8 of
   39. */
#define MIN_MAP_LINES 10
#define MIN_MAP_PERCENT 33

/* An edge of a button is beyond its text by this part of its height. */
#define EDGE_INSET 6

/* Larger areas are not searched for labels. */
#define MAX_AREA ((int64_t)24 << 20)

/* A line is at the place of a label with this share of it, in percent; and a
   part of it with the smaller share. */
#define MIN_SAME 60
#define MIN_PART 30

/* Least contrast of a label, after NOISE. */
#define MIN_CONTRAST 40

/* Grey values of an area with PAD pixels around it. */
struct field {
    uint8_t *values;
    size_t width;
    size_t count;
};

static uint8_t
luminance(const uint8_t *pixel) {
    return (uint8_t)((pixel[0] * 77 + pixel[1] * 151 + pixel[2] * 28) >> 8);
}

/* Reads an area; beyond the picture its edge repeats. Light labels become
   dark. */
static bool
read_field(const struct sq_image *image, struct sq_rect area, bool is_light,
           struct field *out, struct sq_err *err) {
    int width = sq_rect_width(area) + 2 * PAD;
    int height = sq_rect_height(area) + 2 * PAD;
    *out =
        (struct field){ NULL, (size_t)width, (size_t)width * (size_t)height };
    out->values = sq_mem_alloc(out->count, 1);
    if (!out->values) {
        return sq_fail_nomem(err);
    }
    uint8_t flip = is_light ? 255 : 0;
    uint8_t *to = out->values;
    for (int y = area.top - PAD; y < area.bottom + PAD; y++) {
        const uint8_t *row = sq_image_row(
            image, sq_max_int(0, sq_min_int(image->height - 1, y)));
        for (int x = area.left - PAD; x < area.right + PAD; x++) {
            int at = sq_max_int(0, sq_min_int(image->width - 1, x));
            *to++ = luminance(row + (size_t)at * SQ_PIXEL_BYTES) ^ flip;
        }
    }
    return true;
}

static void
raise(uint8_t *values, size_t count, size_t step) {
    for (size_t i = 0; i + step < count; i++) {
        values[i] = values[i] > values[i + step] ? values[i] : values[i + step];
    }
}

/* Replaces each value by the largest of the SIDE values from it on. */
static void
spread(const struct field *field, size_t step) {
    raise(field->values, field->count, step);
    raise(field->values, field->count, 2 * step);
    raise(field->values, field->count, 4 * step);
    raise(field->values, field->count, 5 * step);
}

/* Fills what is dark and thinner than the square. The result is PAD pixels
   further left and above. */
static void
close_field(const struct field *field) {
    for (int i = 0; i < 2; i++) {
        spread(field, 1);
        spread(field, field->width);
        for (size_t k = 0; k < field->count; k++) {
            field->values[k] ^= 255;
        }
    }
}

/* Draws the strokes of an area that are thin, dark on white. */
static bool
draw_strokes(const struct sq_image *image, struct sq_rect area, bool is_light,
             struct sq_image *out, struct sq_err *err) {
    struct field field;
    int width = sq_rect_width(area);
    int height = sq_rect_height(area);
    if (!sq_image_init(out, width, height, &sq_limits_default, err)) {
        return false;
    }
    if (!read_field(image, area, is_light, &field, err)) {
        sq_image_finish(out);
        return false;
    }
    uint8_t table[256];
    for (int i = 0; i < 256; i++) {
        int ink = i < NOISE + LEAST ? 0 : (i - NOISE) * GAIN;
        table[i] = (uint8_t)(255 - sq_min_int(255, ink));
    }
    uint8_t flip = is_light ? 255 : 0;
    close_field(&field);
    for (int y = 0; y < height; y++) {
        const uint8_t *closed = field.values + (size_t)y * field.width;
        const uint8_t *from = sq_image_row(image, area.top + y)
                            + (size_t)area.left * SQ_PIXEL_BYTES;
        uint8_t *to = sq_image_row(out, y);
        for (int x = 0; x < width; x++) {
            int own = luminance(from + (size_t)x * SQ_PIXEL_BYTES) ^ flip;
            uint8_t level = table[sq_max_int(0, closed[x] - own)];
            memset(to + (size_t)x * SQ_PIXEL_BYTES, level, CHANNELS);
            to[(size_t)x * SQ_PIXEL_BYTES + CHANNELS] = WHITE;
        }
    }
    sq_mem_free(field.values);
    return true;
}

struct sq_rect
sq_strip_reach(struct sq_rect box, enum sq_line_kind kind,
               struct sq_size picture) {
    const struct sq_rect all = { 0, 0, picture.width, picture.height };
    int more = kind >= SQ_LINE_DARK ? PAD : 0;
    return sq_rect_common((struct sq_rect){ box.left - more, box.top - more,
                                            box.right + more,
                                            box.bottom + more },
                          all);
}

bool
sq_strip_make_of(const struct sq_image *image, struct sq_rect box,
                 enum sq_line_kind kind, struct sq_strip *out,
                 struct sq_err *err) {
    SQ_FREED(sq_image_finish) struct sq_image picture = { 0 };
    const struct sq_rect all = { 0, 0, sq_rect_width(box),
                                 sq_rect_height(box) };
    if (kind <= SQ_LINE_UNCLEAR) {
        bool is_made = sq_strip_make(image, box, out, err);
        out->is_unclear = out->is_unclear || kind == SQ_LINE_UNCLEAR;
        return is_made;
    }
    *out = (struct sq_strip){ 0 };
    bool ok = draw_strokes(image, box, kind == SQ_LINE_LIGHT, &picture, err)
           && sq_strip_make(&picture, all, out, err);
    out->source = box;
    out->is_unclear = true;
    return ok;
}

/* A line of the picture, or a label. */
struct found {
    struct sq_rect box;
    enum sq_line_kind kind;
    bool is_mixed;     /* its background has several colours */
    bool has_contrast; /* of a label: it is dark on light, or light on dark */
    bool is_dropped;   /* another one is there */
};

struct search {
    const struct sq_image *image;
    struct sq_rect area;
    struct sq_image strokes[2]; /* the dark and the light ones; may be empty */
    struct found *items;
    int count;
};

static bool
is_label(const struct found *found) {
    return found->kind >= SQ_LINE_DARK;
}

static int64_t
size_of(struct sq_rect box) {
    return (int64_t)sq_rect_width(box) * sq_rect_height(box);
}

/* Returns how much of a box is in another one, in percent. */
static int
shared_percent(struct sq_rect box, struct sq_rect other) {
    struct sq_rect both = sq_rect_common(box, other);
    return sq_rect_is_empty(both) ? 0
                                  : (int)(size_of(both) * 100 / size_of(box));
}

static bool
has_stroke(const struct search *search, int x, int y) {
    size_t at = (size_t)(x - search->area.left) * SQ_PIXEL_BYTES;
    for (int i = 0; i < 2; i++) {
        const struct sq_image *strokes = &search->strokes[i];
        if (strokes->pixels
            && sq_image_row(strokes, y - search->area.top)[at] != WHITE) {
            return true;
        }
    }
    return false;
}

static bool
are_equal(const uint8_t *a, const uint8_t *b) {
    return memcmp(a, b, CHANNELS) == 0;
}

/* Returns whether a pixel is part of an area of one colour and of no stroke. */
static bool
is_flat(const struct search *search, int x, int y) {
    const struct sq_image *image = search->image;
    size_t at = (size_t)x * SQ_PIXEL_BYTES;
    int above = sq_max_int(y - FLAT_REACH, search->area.top);
    int below = sq_min_int(y + FLAT_REACH, search->area.bottom - 1);
    const uint8_t *p = sq_image_row(image, y) + at;
    return are_equal(p, p - SQ_PIXEL_BYTES) && are_equal(p, p + SQ_PIXEL_BYTES)
        && (are_equal(p, sq_image_row(image, above) + at)
            || are_equal(p, sq_image_row(image, below) + at))
        && !has_stroke(search, x, y);
}

/*
 * Returns whether a box has several areas of one colour each around its
 * strokes, as a map has. A photograph has none, other pictures have one.
 */
static bool
has_mixed_background(const struct search *search, struct sq_rect box) {
    int counts[COLOURS] = { 0 };
    int flat = 0;
    int most = 0;
    int left = sq_max_int(box.left, search->area.left + 1);
    int right = sq_min_int(box.right, search->area.right - 1);
    for (int y = box.top; y < box.bottom; y++) {
        const uint8_t *row = sq_image_row(search->image, y);
        for (int x = left; x < right; x++) {
            if (is_flat(search, x, y)) {
                const uint8_t *p = row + (size_t)x * SQ_PIXEL_BYTES;
                int colour = p[0] >> 4 << 8 | p[1] >> 4 << 4 | p[2] >> 4;
                most = sq_max_int(most, ++counts[colour]);
                flat++;
            }
        }
    }
    return (int64_t)flat * 100 >= size_of(box) * MIN_FLAT
        && (int64_t)most * 100 < (int64_t)flat * MAX_SAME_COLOUR;
}

/* Returns whether a box is light between the strokes. */
static bool
has_light_background(const struct search *search, struct sq_rect box) {
    int64_t sum = 0;
    int count = 0;
    for (int y = box.top; y < box.bottom; y++) {
        const uint8_t *row = sq_image_row(search->image, y);
        for (int x = box.left; x < box.right; x++) {
            if (!has_stroke(search, x, y)) {
                sum += luminance(row + (size_t)x * SQ_PIXEL_BYTES);
                count++;
            }
        }
    }
    return sum > (int64_t)count * (WHITE / 2);
}

/* Returns whether many lines have a mixed background. */
static bool
is_map(struct search *search) {
    int mixed = 0;
    for (int i = 0; i < search->count; i++) {
        struct found *line = &search->items[i];
        line->is_mixed = has_mixed_background(search, line->box);
        mixed += line->is_mixed;
    }
    return mixed >= MIN_MAP_LINES
        && mixed * 100 >= search->count * MIN_MAP_PERCENT;
}

/* Returns how much of a label is in lines with backgrounds of one colour. */
static int
covered_percent(const struct search *search, const struct found *label) {
    int covered = 0;
    for (int i = 0; i < search->count; i++) {
        const struct found *other = &search->items[i];
        if (!is_label(other) && !other->is_mixed) {
            covered += shared_percent(label->box, other->box);
        }
    }
    return covered;
}

/* Finds what may be labels, darker or lighter than what is around them. */
static bool
find_candidates(struct search *search, enum sq_line_kind kind,
                struct sq_err *err) {
    SQ_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    const struct sq_image *strokes = &search->strokes[kind == SQ_LINE_LIGHT];
    const struct sq_rect whole = { 0, 0, strokes->width, strokes->height };
    struct sq_rect area = search->area;
    bool ok = sq_lines_find(strokes, whole, &lines, err);
    for (int i = 0; ok && i < lines.count; i++) {
        struct sq_strip strip;
        struct sq_rect box = lines.boxes[i];
        struct found label = {
            .box = { area.left + box.left, area.top + box.top,
                     area.left + box.right, area.top + box.bottom },
            .kind = kind,
        };
        ok = sq_strip_make(strokes, box, &strip, err);
        if (ok && sq_strip_may_be_text(&strip) && strip.black >= MIN_CONTRAST
            && strip.background_percent + strip.ink_percent >= CLEAN_LABEL
            && covered_percent(search, &label) < MIN_SAME) {
            bool is_light = has_light_background(search, label.box);
            label.has_contrast = is_light == (kind == SQ_LINE_DARK);
            search->items[search->count++] = label;
        }
        sq_strip_finish(&strip);
    }
    return ok;
}

/* Returns whether a label is none, but a part of the other one: what is between
   its letters, or the seam around them. */
static bool
is_part(const struct found *label, const struct found *other) {
    if (label->has_contrast != other->has_contrast) {
        return other->has_contrast
            && (shared_percent(label->box, other->box) >= MIN_SAME
                || shared_percent(other->box, label->box) >= MIN_SAME);
    }
    return shared_percent(label->box, other->box) >= MIN_SAME
        && size_of(other->box) >= size_of(label->box);
}

static bool
is_part_of_any(const struct search *search, int index) {
    bool is = false;
    for (int i = 0; i < search->count; i++) {
        const struct found *other = &search->items[i];
        is = is
          || (i != index && is_label(other) && !other->is_dropped
              && is_part(&search->items[index], other));
    }
    return is;
}

/* Returns whether a label is at the place of a line, or of a part of it. */
static bool
has_label(const struct search *search, const struct found *line) {
    bool has = false;
    for (int i = 0; i < search->count; i++) {
        const struct found *label = &search->items[i];
        has = has
           || (is_label(label) && !label->is_dropped
               && (shared_percent(line->box, label->box) >= MIN_PART
                   || shared_percent(label->box, line->box) >= MIN_PART));
    }
    return has;
}

static void
choose_labels(struct search *search) {
    for (int i = 0; i < search->count; i++) {
        struct found *label = &search->items[i];
        label->is_dropped = is_label(label) && is_part_of_any(search, i);
    }
    for (int i = 0; i < search->count; i++) {
        struct found *line = &search->items[i];
        if (!is_label(line)) {
            line->is_dropped = has_label(search, line);
            line->kind = SQ_LINE_UNCLEAR;
        }
    }
}

/* Writes the lines that remain, in reading order. */
static void
write_lines(const struct search *search, struct sq_lines *out) {
    out->count = 0;
    for (int i = 0; i < search->count && out->count < SQ_MAX_LINES; i++) {
        if (!search->items[i].is_dropped) {
            out->boxes[out->count++] = search->items[i].box;
        }
    }
    sq_line_boxes_sort(out->boxes, out->count);
    for (int i = 0; i < out->count; i++) {
        for (int k = 0; k < search->count; k++) {
            const struct found *item = &search->items[k];
            if (!item->is_dropped
                && memcmp(&item->box, &out->boxes[i], sizeof(item->box)) == 0) {
                out->kinds[i] = (uint8_t)item->kind;
            }
        }
    }
}

/* Replaces lines of a map by its labels. */
static bool
find_labels(struct search *search, struct sq_lines *out, struct sq_err *err) {
    if (!draw_strokes(search->image, search->area, false, &search->strokes[0],
                      err)
        || !draw_strokes(search->image, search->area, true, &search->strokes[1],
                         err)) {
        return false;
    }
    if (!is_map(search)) { /* large letters were taken for areas */
        return true;
    }
    if (!find_candidates(search, SQ_LINE_DARK, err)
        || !find_candidates(search, SQ_LINE_LIGHT, err)) {
        return false;
    }
    choose_labels(search);
    write_lines(search, out);
    return true;
}

/*
 * Returns whether a box may be an edge of a button: not wide, and beside text
 * that is lower and ends within it above and below. A large number beside its
 * unit is such a box as well.
 */
static bool
may_be_edge(struct sq_rect box, struct sq_rect other) {
    int height = sq_rect_height(box);
    int inset = height / EDGE_INSET;
    return sq_rect_width(box) * 2 <= height * 3 && other.top >= box.top + inset
        && other.bottom <= box.bottom - inset
        && other.left - box.right <= height && box.left - other.right <= height;
}

static void
mark_edges(struct sq_lines *lines) {
    for (int i = 0; i < lines->count; i++) {
        for (int k = 0; k < lines->count; k++) {
            if (may_be_edge(lines->boxes[i], lines->boxes[k])) {
                lines->kinds[i] = SQ_LINE_UNCLEAR;
            }
        }
    }
}

bool
sq_labels_find(const struct sq_image *image, struct sq_rect area,
               struct sq_lines *out, struct sq_err *err) {
    struct search search = { .image = image, .area = area };
    if (!sq_lines_find(image, area, out, err)) {
        return false;
    }
    out->kinds = sq_mem_zalloc(SQ_MAX_LINES, 1);
    search.items = sq_mem_alloc((size_t)3 * SQ_MAX_LINES, /* of all kinds */
                                sizeof(*search.items));
    if (!out->kinds || !search.items) {
        sq_mem_free(search.items);
        return sq_fail_nomem(err);
    }
    mark_edges(out);
    for (int i = 0; i < out->count; i++) {
        search.items[search.count++] = (struct found){ .box = out->boxes[i] };
    }
    bool ok = true;
    if (size_of(area) <= MAX_AREA && is_map(&search)) {
        ok = find_labels(&search, out, err);
    }
    sq_image_finish(&search.strokes[0]);
    sq_image_finish(&search.strokes[1]);
    sq_mem_free(search.items);
    return ok;
}
