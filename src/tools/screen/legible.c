#include "tools/screen/legible.h"

#include "image/pipeline/picture.h"
#include "tools/reply.h"
#include "util/minmax.h"
#include "vision/lines.h"

/*
 * Text is between these heights in the result, unless it is so in a picture of
 * the default size: docs/decisions/0038-legible-size.md has the measurements.
 */
#define LEAST_HEIGHT 9
#define MOST_HEIGHT 16
#define LEAST_SIDE 640 /* for what is no text */

#define SMALL_PERCENT 25 /* of the text may be smaller */
#define LEAST_TEXT 200   /* pixels of all lines; less may be icons */
#define HEIGHTS (SQ_MAX_LINE_HEIGHT + 1)

/* Edges of clear text; nothing depends on the faint one. */
#define CLEAR_EDGE 48
#define LETTER_GAP 3

/* Adds the widths of the lines of each height. Returns the sum. */
static int
count_text(const struct sq_line_groups *lines, int counts[HEIGHTS]) {
    int all = 0;
    for (int i = 0; i < lines->count; i++) {
        const struct sq_line_group *line = &lines->items[i];
        const int height = sq_min_int(line->bottom - line->top, HEIGHTS - 1);
        const int width = line->box.right - line->box.left;
        if (height >= SQ_MIN_LINE_HEIGHT && width >= 2 * height) {
            counts[height] += width;
            all += width;
        }
    }
    return all;
}

/* Returns the height that most of the text has at least; 0: there is none. */
static int
small_height(const struct sq_line_groups *lines) {
    int counts[HEIGHTS] = { 0 };
    const int all = count_text(lines, counts);
    int height = 0;
    if (all >= LEAST_TEXT) {
        for (int below = 0; below * 100 <= all * SMALL_PERCENT;) {
            below += counts[++height];
        }
    }
    return height;
}

/* Finds clear lines only, without dividing and joining them. */
static bool
find_height(const struct sq_image *image, int *out, struct sq_err *err) {
    static const int threshold = CLEAR_EDGE;
    const struct sq_rect all = { 0, 0, image->width, image->height };
    const struct sq_blob_options options = {
        .gap = LETTER_GAP,
        .max_height = SQ_MAX_LINE_HEIGHT,
    };
    SQ_FREED(sq_edge_map_finish) struct sq_edge_map map = { 0 };
    SQ_FREED(sq_blobs_finish) struct sq_blobs blobs = { 0 };
    SQ_FREED(sq_line_groups_finish) struct sq_line_groups lines = { 0 };
    bool ok = sq_edge_maps_init(&map, &threshold, 1, image, all, err)
           && sq_blobs_find(&map, &options, &blobs, err)
           && sq_line_groups_find(&blobs, all, &lines, err);
    *out = ok ? small_height(&lines) : 0;
    return ok;
}

static int
tokens_of(const struct sq_token_profile *profile, struct sq_size device,
          int side) {
    return sq_token_cost(profile, sq_scaled_size(device, side)).tokens;
}

bool
sq_legible_side(const struct sq_image *image,
                const struct sq_legible_limits *limits, int *out,
                struct sq_err *err) {
    const struct sq_token_profile *profile = limits->profile;
    const struct sq_size device = { image->width, image->height };
    const int longest = sq_size_long_side(device);
    const int usual = sq_min_int(limits->default_side, longest);
    const int budget =
        limits->budget_tokens
            ? limits->budget_tokens
            : sq_max_int(SQ_LEGIBLE_TOKENS, tokens_of(profile, device, usual));
    struct sq_size most;
    int height;
    if (!sq_token_fit(profile, device, budget, &most, err)
        || !find_height(image, &height, err)) {
        return false;
    }
    int side = usual;
    if (height) {
        side = sq_max_int(side, longest * LEAST_HEIGHT / height);
        side = sq_min_int(
            side, sq_max_int(longest * MOST_HEIGHT / height, LEAST_SIDE));
    }
    side = sq_min_int(side, SQ_REPLY_MAX_SIDE);
    if (side < usual
        && tokens_of(profile, device, usual)
               <= tokens_of(profile, device, side)) {
        side = usual; /* it costs the same */
    }
    *out = sq_min_int(side, sq_size_long_side(most));
    return true;
}
