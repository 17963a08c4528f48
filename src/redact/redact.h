/*
 * Hides parts of pictures before they leave the program. Every picture of a
 * screen passes sq_redact_picture: captures when they are taken, archived ones
 * when they are read.
 */
#ifndef SQ_REDACT_REDACT_H
#define SQ_REDACT_REDACT_H

#include "image/image.h"
#include "redact/rules.h"
#include "vision/reader.h"

struct sq_redactor {
    struct sq_redact_rules *rules;
    struct sq_reader *reader; /* of text in pictures; NULL without text rules */
    enum sq_redact_passwords passwords;
};

/*
 * Compiles the rules. reader may be NULL; then text rules fail with
 * SQ_ERR_ARGUMENT and a hint, because pictures could not be searched for them.
 * Both must outlive the redactor.
 */
bool sq_redactor_init(struct sq_redactor *redactor,
                      const struct sq_config *config, struct sq_reader *reader,
                      struct sq_err *err);

/* Fails because there are text rules but no reader. */
bool sq_redact_fail_without_reader(struct sq_err *err);

/* Safe on a zeroed value. */
void sq_redactor_finish(struct sq_redactor *redactor);

/* Returns whether every picture has to be examined. */
bool sq_redactor_is_active(const struct sq_redactor *redactor);

/* A text whose place in the picture is known. */
struct sq_redact_label {
    struct sq_span text;
    struct sq_rect box;
};

/* What is known about a picture. Boxes are in its pixels. */
struct sq_redact_facts {
    const struct sq_rect *boxes; /* to hide, such as password fields */
    size_t box_count;
    const struct sq_redact_label *labels;
    size_t label_count;
    struct sq_span app; /* in front; empty: not known */
};

/* One part of a picture that must be hidden. */
struct sq_redact_box {
    struct sq_rect painted;
    struct sq_rect secret; /* without the margin, in which others may be */
};

/* The parts of a picture that must be hidden. Start zeroed. */
struct sq_redact_boxes {
    struct sq_redact_box *items;
    size_t count;
    size_t capacity;
};

void sq_redact_boxes_finish(struct sq_redact_boxes *boxes);

/*
 * Returns the number of hidden places: a part that is mostly inside another
 * one, as text in the box of its element, is not counted.
 */
int sq_redact_count_places(const struct sq_redact_boxes *boxes);

/*
 * Finds what must be hidden in a picture. Fails if a rule cannot be applied:
 * the app is not known, or the text cannot be read.
 */
bool sq_redact_find_boxes(const struct sq_redactor *redactor,
                          const struct sq_image *image,
                          const struct sq_redact_facts *facts,
                          const struct sq_deadline *deadline,
                          struct sq_redact_boxes *out, struct sq_err *err);

/*
 * The value of each channel of a painted box. Not black: a black picture counts
 * as one of a display that is off.
 */
#define SQ_REDACT_SHADE 64

/* Paints the boxes with one opaque colour. They may reach out of the image. */
void sq_redact_paint(struct sq_image *image,
                     const struct sq_redact_boxes *boxes);

/*
 * A picture before parts of it were hidden: text is read in it, because letters
 * beside a painted box are misread. Only sq_redact_words_in takes it. Start
 * zeroed.
 */
struct sq_redact_original {
    struct sq_image image; /* no pixels: nothing was hidden */
    struct sq_redact_boxes boxes;
};

void sq_redact_original_finish(struct sq_redact_original *original);

/*
 * Replaces an encoded picture by one without what must be hidden, as a raw
 * frame. If nothing is hidden, the bytes stay as they are; otherwise *original
 * receives the picture as it was. On failure the picture must not be shown.
 */
bool sq_redact_picture(const struct sq_redactor *redactor,
                       const struct sq_redact_facts *facts,
                       const struct sq_deadline *deadline, struct sq_buf *bytes,
                       struct sq_redact_original *original, struct sq_err *err);

/* Writes an image as a raw frame, which image/codec reads. */
bool sq_redact_put_raw(const struct sq_image *image, struct sq_buf *out,
                       struct sq_err *err);

/*
 * Removes the words of a text that must not be stored: those that rules hide,
 * and all if the app is hidden or needed and not known. *count is the number of
 * hidden parts; it may be NULL.
 */
bool sq_redact_words(const struct sq_redactor *redactor, struct sq_size size,
                     struct sq_span app, struct sq_text *text, int *count,
                     struct sq_err *err);

/*
 * Removes the words that were read in a picture where parts of it are hidden,
 * and those that rules hide. What remains of a line on both sides of a hidden
 * part becomes two lines.
 */
bool sq_redact_words_in(const struct sq_redactor *redactor,
                        const struct sq_redact_original *original,
                        struct sq_text *text, struct sq_err *err);

/* Returns whether an area of one colour is nothing but painted boxes. */
bool sq_redact_is_painted(const struct sq_redact_boxes *boxes,
                          struct sq_rect area, const uint8_t rgb[3]);

/* One word of a text. */
struct sq_row_word {
    int line;  /* of the text */
    int index; /* in its line */
    int row;   /* number of its row */
    bool is_hidden;
};

/* All words, row by row and from left to right. Start zeroed. */
struct sq_row_words {
    struct sq_row_word *items;
    size_t count;
};

void sq_row_words_finish(struct sq_row_words *words);

/*
 * Finds the words of a picture that text rules hide. The pieces of a row are
 * examined together, also without spaces that a recogniser may have added
 * inside a number, a key or an address. Pure. Fails only if out of memory.
 */
bool sq_row_words_find(const struct sq_redact_rules *rules,
                       const struct sq_text *text, struct sq_row_words *out,
                       struct sq_err *err);

#endif
