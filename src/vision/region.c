/* Extends a region to whole lines, and removes the words outside it. */
#include "vision/region.h"

#include "util/minmax.h"
#include "vision/lines.h"

#define MIN_INSIDE 60 /* of the width of a word, in percent */

struct sq_rect
sq_region_of_lines(struct sq_rect region, struct sq_size size) {
    /* Lines that are cut off at the edge of this part must not reach the
       region, so there is room for two of the largest. */
    const int margin = 2 * SQ_MAX_LINE_HEIGHT;
    return (struct sq_rect){
        0,
        sq_max_int(region.top, margin) - margin,
        size.width,
        region.bottom + sq_min_int(margin, size.height - region.bottom),
    };
}

static bool
is_inside(struct sq_rect region, struct sq_rect box) {
    const struct sq_rect common = sq_rect_common(region, box);
    return sq_rect_contains(region, box.left + sq_rect_width(box) / 2,
                            box.top + sq_rect_height(box) / 2)
        && (int64_t)sq_rect_width(common) * 100
               >= (int64_t)sq_rect_width(box) * MIN_INSIDE;
}

void
sq_region_keep_words(struct sq_rect region, struct sq_text_line *line) {
    struct sq_words_of_line *words = &line->words;
    struct sq_rect box = { 0, 0, 0, 0 };
    int kept = 0;
    for (int i = 0; i < words->count; i++) {
        const struct sq_word word = words->items[i];
        if (is_inside(region, word.box)) {
            box = kept ? sq_rect_join(box, word.box) : word.box;
            words->items[kept++] = word;
        }
    }
    if (kept && kept < words->count) {
        line->box = box;
    }
    words->count = kept;
}
