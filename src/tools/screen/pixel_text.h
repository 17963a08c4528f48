/*
 * The text that was read on a screen, as people see it: which words belong
 * together, and which text is beside them. Pure: lines of words in.
 */
#ifndef SQ_TOOLS_SCREEN_PIXEL_TEXT_H
#define SQ_TOOLS_SCREEN_PIXEL_TEXT_H

#include "tools/elements/pixel_nodes.h"
#include "tools/elements/selector.h"
#include "tools/screen/screen_text.h"
#include "vision/match.h"

/* Words that follow each other: of a line or row, or of the end of a row and
   the start of another one. */
struct sq_part {
    int line;
    int first;
    int last_line; /* equals line if it is in one line */
    int last;      /* inclusive */
};

/* A text with its memory. */
struct sq_part_text {
    char bytes[2 * SQ_MAX_LABEL_BYTES];
    size_t len;
};

/* Joins the words of a part with spaces, in *space; a long text is cut. */
struct sq_span sq_part_write(const struct sq_text *text,
                             const struct sq_part *part,
                             struct sq_part_text *space);

/*
 * Returns where the part is, in pixels of the capture; of two rows, where it
 * is in the first one: a place to tap.
 */
struct sq_rect sq_part_box(const struct sq_text *text,
                           const struct sq_part *part);

/* Words of a line without a wide gap: what is listed as one element. */
struct sq_segment {
    struct sq_part part;
    struct sq_dev_rect bounds;
    /* SQ_NODE_READ, with SQ_SEEN_UNSURE if it may be an icon, and with
       SQ_NODE_DOUBTFUL; 0: no text. */
    unsigned kind;
    bool is_clear; /* it was read with confidence, apart from its digits */
};

/* All segments of the lines that were read; the array is in an arena. */
struct sq_segments {
    struct sq_segment *items;
    int count;
};

bool sq_segments_make(const struct sq_screen_text *screen,
                      struct sq_arena *arena, struct sq_segments *out,
                      struct sq_err *err);

/*
 * Returns whether a match is all that stands there, rather than a part of a
 * longer text: "Delete" in "Do not delete" is not. *line is what stands there.
 */
bool sq_match_is_whole(const struct sq_text *text,
                       const struct sq_text_match *match, struct sq_span wanted,
                       struct sq_part_text *line);

/*
 * Writes all text in the row of a place, from left to right: what tells equal
 * texts of a list apart.
 */
struct sq_span sq_row_write(const struct sq_text *text,
                            const struct sq_segments *segments,
                            struct sq_dev_rect place,
                            struct sq_part_text *space);

/*
 * Returns the text in an area if it contains exactly one, apart from what may
 * be an icon; otherwise NULL.
 */
const struct sq_segment *sq_only_text_in(const struct sq_segments *segments,
                                         struct sq_dev_rect area);

/* Returns whether the visit has found what it looks for. */
typedef bool sq_part_visitor(void *context, const struct sq_part *part);

/* Visits every part, of one row or two, that an element may be, until then. */
bool sq_parts_visit(const struct sq_text *text, sq_part_visitor *visit,
                    void *context);

#endif
