/* Reads which lines of text appeared and disappeared between two captures. */
#ifndef SQ_TOOLS_SCREEN_TEXT_CHANGE_H
#define SQ_TOOLS_SCREEN_TEXT_CHANGE_H

#include "device/device.h"
#include "device/tree.h"
#include "image/image.h"
#include "image/pipeline/rows.h"
#include "tool/tool.h"
#include "tools/screen/word_change.h"
#include "vision/reader.h"

/* Where a text field of the screen is, and what it contains. */
struct sq_field {
    struct sq_dev_rect bounds;
    struct sq_span text; /* empty for passwords */
    bool is_secret;
};

/* The fields of one state of the screen; in the call's arena. */
struct sq_fields {
    bool is_known; /* false: the elements could not be read */
    struct sq_field *items;
    size_t count;
};

/* Finds the fields of a tree; *out stays unknown if out of memory. */
bool sq_fields_of(const struct sq_tree *tree, struct sq_arena *arena,
                  struct sq_fields *out, struct sq_err *err);

/* One of the two pictures, and what is known about it. */
struct sq_state_picture {
    const struct sq_image *image;
    const struct sq_screen *screen;
    const struct sq_fields *fields;
};

/* Two pictures of equal size, and where they differ. */
struct sq_two_pictures {
    struct sq_state_picture before;
    struct sq_state_picture after;
    struct sq_eye_areas where;
};

/*
 * Compares the lines of text that touch what differs. Nothing is read unless
 * the text fields of both pictures are known: those of passwords are left out,
 * and the text of others is taken from the elements. What rules of redaction
 * hide in a picture is left out too. With only_cheap nothing is read if much
 * differs. *out stays as it is if text is not read, or not in time.
 */
void sq_text_change_read(struct sq_call *call,
                         const struct sq_two_pictures *pictures,
                         bool only_cheap, const struct sq_deadline *limit,
                         struct sq_word_change *out);

/*
 * Adds the lines that only one of two states has, before and after, if one of
 * their words differs where the pictures do. A word that was read with little
 * confidence is told as "…"; two lines that may differ only there are taken for
 * the same. Fails only if out of memory.
 */
bool sq_text_change_compare(struct sq_call *call, const struct sq_text texts[2],
                            const struct sq_fields *fields[2],
                            const struct sq_eye_areas *where,
                            struct sq_word_change *words);

#endif
