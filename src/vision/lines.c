/*
 * Finds lines in several passes: letters of usual size, then large ones, whose
 * edges are far apart, and then faint ones. Distances are relative to the
 * height of the letters, so the density does not matter.
 */
#include "vision/lines.h"

#include <limits.h>

#include "util/mem.h"
#include "util/minmax.h"
#include "vision/strip.h"

/* Least difference of a channel at an edge, of letters that hardly differ, and
   of half of the edges of a clear line. */
#define STRONG 48
#define FAINT 8
#define CLEAR 64

/* Pixels between edges of one letter. Halved maps are used for large ones. */
#define GAP 3
#define HALVED_GAP 6

/* A ring or frame has few blobs: its left and right side, or four corners. */
#define MAX_FRAME_BLOBS 4

/* Heights of strokes in full size, in percent of large letters: of those that
   tell that letters are large, and of those that matter. */
#define MIN_HIGH 58
#define MIN_STROKE 30
#define MIN_LARGE_WIDTH 11 /* of a large line, in tenths of its height */

/* Least share of edges in faint lines, in percent. Thin letters of 72 pixels
   have 8. */
#define MIN_EDGES 5

/* A line is known already if less than this part of its columns is new, or than
   this part of the height of its letters: an l is wider. */
#define NEW_PART 10
#define NEW_LETTER 5

/* Pixels around a clear line in which no faint one is looked for. */
#define ERASED_BESIDE 8
#define ERASED_ABOVE 3

/* A line while lines are chosen. */
struct line {
    struct sq_line_group group;
    int threshold;     /* of its edges */
    bool is_cut_above; /* by a split: another line follows directly */
    bool is_cut_below;
};

struct candidates {
    struct line *items;
    int count;
};

/*
 * Returns whether a group may be a ring or frame: it has two sides or four
 * corners, and is no letter or digit with holes, such as 8.
 */
static bool
is_hollow(const struct sq_line_group *group) {
    return group->letters <= MAX_FRAME_BLOBS && !sq_is_large_letter(group->box);
}

/* Returns whether the outer group is only a ring or frame around the inner. */
static bool
is_frame_of(const struct sq_line_group *outer,
            const struct sq_line_group *inner) {
    const struct sq_rect *o = &outer->box;
    const struct sq_rect *i = &inner->box;
    int64_t area = (int64_t)sq_rect_width(*o) * sq_rect_height(*o);
    return is_hollow(outer) && outer->edges * 8 < area && o->left < i->left
        && o->top < i->top && o->right > i->right && o->bottom > i->bottom
        && sq_rect_height(*i) * 4 >= sq_rect_height(*o)
        && sq_rect_height(*i) * 10 <= sq_rect_height(*o) * 8;
}

/* Returns whether the smaller box is mostly inside the other. */
static bool
overlap_mostly(struct sq_rect a, struct sq_rect b) {
    struct sq_rect common = sq_rect_common(a, b);
    if (sq_rect_is_empty(common)) {
        return false;
    }
    int64_t shared = (int64_t)sq_rect_width(common) * sq_rect_height(common);
    int64_t smaller = (int64_t)sq_rect_width(a) * sq_rect_height(a);
    int64_t other = (int64_t)sq_rect_width(b) * sq_rect_height(b);
    smaller = other < smaller ? other : smaller;
    return shared * 2 > smaller;
}

/*
 * Returns whether two groups are parts of one line of large letters: they are
 * in the same rows, with less than a space between them.
 */
static bool
are_beside(const struct sq_line_group *a, const struct sq_line_group *b) {
    struct sq_rect both = sq_rect_join(a->box, b->box);
    int letter = sq_min_int(a->letter_height, b->letter_height);
    int lower = sq_min_int(sq_rect_height(a->box), sq_rect_height(b->box));
    int higher = sq_max_int(sq_rect_height(a->box), sq_rect_height(b->box));
    int rows = sq_min_int(a->box.bottom, b->box.bottom)
             - sq_max_int(a->box.top, b->box.top);
    int gap = sq_max_int(a->box.left, b->box.left)
            - sq_min_int(a->box.right, b->box.right);
    return letter >= SQ_MIN_LARGE_LETTER && gap * 10 <= letter * 6
        && lower * 2 >= higher && rows * 10 >= lower * 7
        && sq_rect_height(both) * 10 <= higher * 13;
}

/*
 * Merges the second line into the first if they overlap, or if both are parts
 * of one line and that is asked for.
 */
static bool
merge_lines(struct line *line, const struct line *other, bool with_beside) {
    struct sq_rect both = sq_rect_join(line->group.box, other->group.box);
    if ((!overlap_mostly(line->group.box, other->group.box)
         && !(with_beside && are_beside(&line->group, &other->group)))
        || sq_rect_height(both) > SQ_MAX_LINE_HEIGHT) {
        return false;
    }
    line->group.box = both;
    line->group.letter_height =
        sq_max_int(line->group.letter_height, other->group.letter_height);
    line->threshold = sq_min_int(line->threshold, other->threshold);
    return true;
}

static void
merge_all(struct candidates *lines, bool with_beside) {
    for (int i = 0; i < lines->count; i++) {
        for (int k = i + 1; k < lines->count; k++) {
            if (merge_lines(&lines->items[i], &lines->items[k], with_beside)) {
                lines->items[k] = lines->items[--lines->count];
                k = i; /* it has grown: compare with all again */
            }
        }
    }
}

/*
 * Returns how many columns of a box are in lines of about the same rows: in all
 * of them, or in the one with most.
 */
static int
known_columns(const struct candidates *lines, int count, struct sq_rect box,
              bool in_one) {
    int columns = 0;
    for (int i = 0; i < count; i++) {
        struct sq_rect common = sq_rect_common(box, lines->items[i].group.box);
        if (!sq_rect_is_empty(common)
            && sq_rect_height(common) * 100 >= sq_rect_height(box) * 60) {
            columns = in_one ? sq_max_int(columns, sq_rect_width(common))
                             : columns + sq_rect_width(common);
        }
    }
    return columns;
}

/* Blobs in full size that may be strokes of large letters, by left side. */
struct strokes {
    struct sq_rect *boxes;
    int count;
};

/* Copies the blobs, which are sorted by their left side. */
static bool
start_strokes(struct strokes *strokes, const struct sq_blobs *blobs,
              struct sq_err *err) {
    strokes->boxes =
        sq_mem_alloc((size_t)blobs->count + 1, sizeof(*strokes->boxes));
    if (!strokes->boxes) {
        return sq_fail_nomem(err);
    }
    for (int i = 0; i < blobs->count; i++) {
        struct sq_rect box = blobs->items[i].box;
        if (sq_rect_height(box) * 100 >= SQ_MIN_LARGE_LETTER * MIN_STROKE) {
            strokes->boxes[strokes->count++] = box;
        }
    }
    return true;
}

/* Returns the index of the first stroke that is not left of a column. */
static int
first_stroke(const struct strokes *strokes, int column) {
    int from = 0;
    int to = strokes->count;
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (strokes->boxes[middle].left < column) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/*
 * Returns whether the strokes in a box are those of letters of this height.
 * Small text that vertical lines or narrow gaps have connected has none; a
 * word such as "ill" consists of nothing but vertical lines.
 */
static bool
has_letters(const struct strokes *strokes, struct sq_rect box, int height) {
    int bars = 0;
    int others = 0;
    int high = 0;
    for (int i = first_stroke(strokes, box.left);
         i < strokes->count && strokes->boxes[i].left < box.right; i++) {
        struct sq_rect stroke = strokes->boxes[i];
        if (stroke.top < box.top || stroke.bottom > box.bottom) {
            continue;
        }
        bool is_high = sq_rect_height(stroke) * 100 >= height * MIN_HIGH;
        if (is_high && sq_rect_height(stroke) >= 10 * sq_rect_width(stroke)) {
            bars++;
        } else if (is_high) {
            high++;
        } else {
            others += sq_rect_height(stroke) * 100 >= height * MIN_STROKE;
        }
    }
    return high >= 2 || (bars >= 3 && !others);
}

/* The search for the lines of an area, one pass after the other. */
struct search {
    const struct sq_image *image;
    struct sq_rect area;
    int threshold; /* of the pass */
    struct strokes strokes;
    struct candidates lines;
};

/* Adds an offset to the boxes of a map, whose pixels are `scale` wide. */
static void
to_picture(struct sq_blobs *blobs, int scale, struct sq_rect area) {
    for (int i = 0; i < blobs->count; i++) {
        struct sq_blob *blob = &blobs->items[i];
        struct sq_rect box = blob->box;
        blob->edges *= scale;
        blob->box = (struct sq_rect){
            area.left + box.left * scale,
            area.top + box.top * scale,
            sq_min_int(area.right, area.left + box.right * scale),
            sq_min_int(area.bottom, area.top + box.bottom * scale),
        };
    }
}

/* Returns whether a group of a halved map is one line of large letters. */
static bool
is_large_line(const struct search *s, const struct sq_line_group *group) {
    return group->letter_height >= SQ_MIN_LARGE_LETTER
        && sq_rect_width(group->box) * 10
               >= sq_rect_height(group->box) * MIN_LARGE_WIDTH
        && has_letters(&s->strokes, group->box, group->letter_height);
}

/*
 * Returns whether a group is a frame around another one, or around a line of
 * earlier passes. Those of this pass may be parts of its large letters.
 */
static bool
is_frame(const struct search *s, int known, const struct sq_line_groups *groups,
         int index) {
    const struct sq_line_group *group = &groups->items[index];
    for (int i = 0; i < groups->count; i++) {
        if (i != index && is_frame_of(group, &groups->items[i])) {
            return true;
        }
    }
    for (int i = 0; i < known; i++) {
        const struct line *line = &s->lines.items[i];
        if (line->threshold != s->threshold
            && is_frame_of(group, &line->group)) {
            return true;
        }
    }
    return false;
}

/*
 * Returns whether a group is part of earlier lines: of one of them if its map
 * is halved, because there are parts of large letters among them.
 */
static bool
is_known(const struct search *s, int known, const struct sq_line_group *group,
         bool is_halved) {
    int width = sq_rect_width(group->box);
    int rest = width - known_columns(&s->lines, known, group->box, is_halved);
    return is_halved ? rest * NEW_LETTER < group->letter_height
                     : rest * NEW_PART < width;
}

/*
 * Adds the pixels around the edges that belong to the text: an underscore has
 * no edge in its own row but at its ends, and lies below other letters.
 */
static struct sq_rect
with_margin(const struct line *line, struct sq_rect area) {
    int letter = line->group.letter_height;
    int margin = 1 + letter / 12;
    int above = line->is_cut_above ? 0 : margin;
    int below = line->is_cut_below ? 0 : 1 + letter / 4;
    struct sq_rect box = line->group.box;
    return (struct sq_rect){
        sq_max_int(area.left, box.left - margin),
        sq_max_int(area.top, box.top - above),
        sq_min_int(area.right, box.right + margin),
        sq_min_int(area.bottom, box.bottom + below),
    };
}

/*
 * Returns whether a group covers several earlier lines below each other, each
 * at least half as wide: then it is no line.
 */
static bool
covers_several(const struct search *s, int known,
               const struct sq_line_group *group) {
    int top = INT_MIN;    /* of the lowest */
    int bottom = INT_MAX; /* of the highest */
    for (int i = 0; i < known; i++) {
        struct sq_rect box = s->lines.items[i].group.box;
        if (sq_rect_width(box) * 2 >= sq_rect_width(group->box)
            && overlap_mostly(box, group->box)) {
            top = sq_max_int(top, box.top);
            bottom = sq_min_int(bottom, box.bottom);
        }
    }
    return top >= bottom;
}

/* Returns whether a faint group is too sparse: a few edges of a photograph, or
   the part of a rule between two others. */
static bool
is_sparse(const struct search *s, const struct sq_line_group *group) {
    int width = sq_rect_width(group->box);
    int height = sq_rect_height(group->box);
    return s->threshold == FAINT
        && ((int64_t)group->edges * 100 < (int64_t)width * height * MIN_EDGES
            || width * 2 < height);
}

/* Adds the groups of a pass that are new lines. */
static bool
add_lines(struct search *s, const struct sq_line_groups *groups, bool is_halved,
          struct sq_err *err) {
    int known = s->lines.count;
    bool ok = true;
    for (int i = 0; ok && i < groups->count && s->lines.count < SQ_MAX_LINES;
         i++) {
        const struct line line = {
            .group = groups->items[i],
            .threshold = s->threshold,
        };
        const struct sq_line_group *group = &groups->items[i];
        bool is_text = !is_sparse(s, group)
                    && !is_known(s, known, group, is_halved)
                    && (!is_halved || is_large_line(s, group))
                    && !is_frame(s, known, groups, i)
                    && !covers_several(s, known, group);
        if (is_text && s->threshold == FAINT) {
            ok = sq_box_is_faint_text(s->image, with_margin(&line, s->area),
                                      &is_text, err);
        }
        if (is_text) {
            s->lines.items[s->lines.count++] = line;
        }
    }
    return ok;
}

static bool
search_map(struct search *s, const struct sq_edge_map *map, int scale,
           struct sq_err *err) {
    const struct sq_blob_options options = {
        .gap = scale > 1 ? HALVED_GAP : GAP,
        .max_height = SQ_MAX_LINE_HEIGHT / scale,
    };
    SQ_FREED(sq_blobs_finish) struct sq_blobs blobs = { 0 };
    SQ_FREED(sq_line_groups_finish) struct sq_line_groups groups = { 0 };
    bool ok = sq_blobs_find(map, &options, &blobs, err);
    if (ok) {
        to_picture(&blobs, scale, s->area);
        ok = sq_line_groups_find(&blobs, s->area, &groups, err)
          && (scale > 1 || start_strokes(&s->strokes, &blobs, err));
    }
    if (ok) {
        ok = add_lines(s, &groups, scale > 1, err);
        merge_all(&s->lines, false);
    }
    return ok;
}

/* Returns the box of a line in pixels of its map, with a margin. */
static struct sq_rect
box_in_map(const struct search *s, struct sq_rect box) {
    return (struct sq_rect){
        sq_max_int(0, box.left - s->area.left - ERASED_BESIDE),
        sq_max_int(0, box.top - s->area.top - ERASED_ABOVE),
        sq_min_int(sq_rect_width(s->area),
                   box.right - s->area.left + ERASED_BESIDE),
        sq_min_int(sq_rect_height(s->area),
                   box.bottom - s->area.top + ERASED_ABOVE),
    };
}

/*
 * Removes the edges of clear lines from a map of faint ones: what they consist
 * of is known, and compression leaves noise around them.
 */
static void
erase_clear(const struct search *s, const struct sq_edge_map *strong,
            const struct sq_edge_map *clear, struct sq_edge_map *faint) {
    for (int i = 0; i < s->lines.count; i++) {
        struct sq_rect box = box_in_map(s, s->lines.items[i].group.box);
        if (sq_edge_map_count(clear, box) * 2
            >= sq_edge_map_count(strong, box)) {
            sq_edge_map_erase(faint, box);
        }
    }
}

/* Finds lines in a map, and large ones in one of half its size. */
static bool
search_sizes(struct search *s, const struct sq_edge_map *map, int threshold,
             struct sq_err *err) {
    SQ_FREED(sq_edge_map_finish) struct sq_edge_map halved = { 0 };
    s->threshold = threshold;
    bool ok = search_map(s, map, 1, err) && sq_edge_map_halve(map, &halved, err)
           && search_map(s, &halved, 2, err);
    sq_mem_free(s->strokes.boxes);
    s->strokes = (struct strokes){ 0 };
    return ok;
}

static bool
search(struct search *s, struct sq_err *err) {
    static const int thresholds[] = { STRONG, FAINT, CLEAR };
    struct sq_edge_map maps[3] = { { 0 } };
    bool ok = sq_edge_maps_init(maps, thresholds, 3, s->image, s->area, err)
           && search_sizes(s, &maps[0], STRONG, err);
    if (ok) {
        erase_clear(s, &maps[0], &maps[2], &maps[1]);
        ok = search_sizes(s, &maps[1], FAINT, err);
        merge_all(&s->lines, true);
    }
    for (int i = 0; i < 3; i++) {
        sq_edge_map_finish(&maps[i]);
    }
    return ok;
}

/* Replaces a line by the lines it is split into. */
static void
split_line(const struct sq_image *image, struct candidates *lines, int index,
           uint64_t *bits) {
    struct line whole = lines->items[index];
    struct sq_rect parts[SQ_MAX_SPLITS];
    int count =
        sq_split_rows(image, whole.group.box, whole.threshold, bits, parts);
    for (int i = 0; i < count && lines->count < SQ_MAX_LINES; i++) {
        struct line *into =
            i == 0 ? &lines->items[index] : &lines->items[lines->count++];
        *into = whole;
        into->group.box = parts[i];
        into->is_cut_above = i > 0;
        into->is_cut_below = i + 1 < count;
        into->group.letter_height =
            sq_min_int(whole.group.letter_height, sq_rect_height(parts[i]));
    }
}

static bool
split_lines(const struct sq_image *image, struct candidates *lines,
            struct sq_err *err) {
    uint64_t *bits = sq_mem_alloc(sq_edge_words(image->width), sizeof(*bits));
    if (!bits) {
        return sq_fail_nomem(err);
    }
    for (int i = lines->count - 1; i >= 0; i--) {
        split_line(image, lines, i, bits);
    }
    sq_mem_free(bits);
    return true;
}

/* Returns a line's box without the ends of the lines around it. */
static struct sq_rect
between_neighbours(const struct candidates *lines, int index,
                   struct sq_rect box) {
    for (int i = 0; i < lines->count; i++) {
        box = sq_line_box_cut(box, lines->items[index].group.box,
                              lines->items[i].group.box);
    }
    return box;
}

/*
 * Adds a part of a line. Where parts of two lines overlap, the larger is kept;
 * lines from `whole` boxes on are parts. Much narrower boxes are signs in it.
 */
static void
add_part(struct sq_lines *out, int whole, struct sq_rect box) {
    for (int i = 0; i < out->count; i++) {
        if (overlap_mostly(out->boxes[i], box)
            && sq_rect_width(out->boxes[i]) * 2 >= sq_rect_width(box)) {
            bool is_larger = i >= whole
                          && sq_rect_width(box) * sq_rect_height(box)
                                 > sq_rect_width(out->boxes[i])
                                       * sq_rect_height(out->boxes[i]);
            out->boxes[i] = is_larger ? box : out->boxes[i];
            return;
        }
    }
    if (out->count < SQ_MAX_LINES) {
        out->boxes[out->count++] = box;
    }
}

/* Divides the lines where their background changes. Faint ones are left whole:
   their letters differ too little from it. */
static bool
finish_lines(const struct candidates *lines, const struct sq_image *image,
             struct sq_rect area, struct sq_lines *out, struct sq_err *err) {
    struct sq_line_parts *parts =
        sq_mem_zalloc((size_t)lines->count + 1, sizeof(*parts));
    bool ok = parts != NULL;
    out->boxes = sq_mem_alloc(SQ_MAX_LINES, sizeof(*out->boxes));
    if (!ok || !out->boxes) {
        sq_mem_free(parts);
        return sq_fail_nomem(err);
    }
    for (int i = 0; ok && i < lines->count; i++) {
        const struct line *line = &lines->items[i];
        ok = line->threshold == FAINT
          || sq_line_divide(image, line->group.box, line->group.letter_height,
                            area, &parts[i], err);
        struct sq_rect box = with_margin(line, area);
        if (parts[i].count && parts[i].is_whole) {
            struct sq_rect part = parts[i].boxes[0];
            box = (struct sq_rect){
                sq_min_int(box.left, part.left),
                sq_max_int(box.top, part.top),
                sq_max_int(box.right, part.right),
                sq_min_int(box.bottom, part.bottom),
            };
            parts[i].count = 0;
        }
        if (!parts[i].count && !parts[i].is_frame) {
            out->boxes[out->count++] = between_neighbours(lines, i, box);
        }
    }
    out->count = sq_line_boxes_join_signs(out->boxes, out->count);
    int whole = out->count;
    for (int i = 0; ok && i < lines->count; i++) {
        for (int k = 0; k < parts[i].count; k++) {
            add_part(out, whole,
                     between_neighbours(lines, i, parts[i].boxes[k]));
        }
    }
    sq_mem_free(parts);
    out->count = sq_line_boxes_drop_inner(out->boxes, out->count);
    sq_line_boxes_sort(out->boxes, out->count);
    return ok;
}

bool
sq_lines_find(const struct sq_image *image, struct sq_rect area,
              struct sq_lines *out, struct sq_err *err) {
    struct search s = { .image = image, .area = area };
    *out = (struct sq_lines){ 0 };
    s.lines.items = sq_mem_alloc(SQ_MAX_LINES, sizeof(*s.lines.items));
    bool ok = (s.lines.items || sq_fail_nomem(err)) && search(&s, err)
           && split_lines(image, &s.lines, err)
           && finish_lines(&s.lines, image, area, out, err);
    sq_mem_free(s.lines.items);
    return ok;
}

void
sq_lines_finish(struct sq_lines *lines) {
    sq_mem_free(lines->boxes);
    sq_mem_free(lines->kinds);
    *lines = (struct sq_lines){ 0 };
}
