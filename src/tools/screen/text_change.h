/* Reads which lines of text appeared and disappeared between two captures. */
#ifndef SQ_TOOLS_SCREEN_TEXT_CHANGE_H
#define SQ_TOOLS_SCREEN_TEXT_CHANGE_H

#include "image/image.h"
#include "image/pipeline/rows.h"
#include "tool/tool.h"

#define SQ_MAX_CHANGED_LINES 10

/* The lines; texts are in the call's arena. A plain value. */
struct sq_text_change {
    bool is_known; /* false: not read */
    struct sq_span appeared[SQ_MAX_CHANGED_LINES];
    struct sq_span disappeared[SQ_MAX_CHANGED_LINES];
    int appeared_count;
    int disappeared_count;
};

/* Two pictures of equal size, and the rectangle in which they differ. */
struct sq_two_pictures {
    const struct sq_image *before;
    const struct sq_image *after;
    struct sq_region rect;
};

/*
 * Compares the lines of text that touch the rectangle. With only_cheap nothing
 * is read if the rectangle is large. *out stays unknown if text is not read, or
 * not in time.
 */
void sq_text_change_read(struct sq_call *call,
                         const struct sq_two_pictures *pictures,
                         bool only_cheap, struct sq_text_change *out);

/* Writes the member textChanged; nothing if it is not known. */
void sq_text_change_put(const struct sq_text_change *change,
                        struct sq_json_writer *w);

#endif
