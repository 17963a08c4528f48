/*
 * Groups edges into lines: blobs of similar height whose rows overlap and whose
 * distance is at most about their height belong to one line.
 */
#ifndef SQ_VISION_LINE_GROUPS_H
#define SQ_VISION_LINE_GROUPS_H

#include "vision/blobs.h"

/* Heights of letters that may consist of several blobs. */
#define SQ_MIN_LARGE_LETTER 24
#define SQ_MAX_LARGE_LETTER 100

/* A line that is still growing, or an entry that was merged into another. */
struct sq_line_group {
    struct sq_rect box;
    int top; /* of its letters, without dots and accents around them */
    int bottom;
    int parent;
    int letter_height; /* of its highest blob; 0: only dots and dashes */
    int letters;       /* blobs that are no dots and dashes */
    int edges;         /* pixels that are edges */
};

struct sq_line_groups {
    struct sq_line_group *items; /* one line each; parent is not used */
    int count;
};

/*
 * Groups blobs, whose boxes are inside the area, and sorts them by their left
 * side. Groups that have not the shape of a line are left out, and so are those
 * after the first SQ_MAX_LINES. Free with sq_line_groups_finish, also on
 * failure.
 */
bool sq_line_groups_find(struct sq_blobs *blobs, struct sq_rect area,
                         struct sq_line_groups *out, struct sq_err *err);

/* Returns whether a box can be that of one large letter or digit. */
bool sq_is_large_letter(struct sq_rect box);

/* Safe on a zeroed value. */
void sq_line_groups_finish(struct sq_line_groups *groups);

#endif
