/*
 * The steps of reading a line: its strip of grey pixels, the order in which
 * strips are read, repair of the words, and lines that were read before.
 */
#ifndef SQ_VISION_STRIP_H
#define SQ_VISION_STRIP_H

#include <stdbool.h>

#include "geom/rect.h"
#include "image/image.h"
#include "sys/deadline.h"
#include "util/buf.h"
#include "util/span.h"
#include "vision/reader.h"

/*
 * Converts the pixels of a line to what a recogniser reads best: dark text on
 * white, one channel, a fixed height. Polarity, theme and colour of the text
 * make no difference.
 */

/* What a line is read from. */
enum sq_line_kind {
    SQ_LINE_PLAIN,   /* the picture, by its background */
    SQ_LINE_UNCLEAR, /* the picture as well, but it need not be text */
    SQ_LINE_DARK,    /* the strokes that are darker than all around them */
    SQ_LINE_LIGHT,   /* or lighter */
};

/* A line as grey pixels. */
struct sq_strip {
    uint8_t *pixels; /* width bytes per row; 0 is black */
    int width;
    int height;
    /* Where it is in the picture. Pixel (x, y) of the strip without its border
       is at left + (x - border) / scale, and in the same way for y. */
    struct sq_rect source;
    double scale;
    int border;
    /* The columns with letters, and a few beside them: what is recognised.
       Wider margins are taken for quotes and dashes. */
    int first;
    int last; /* exclusive */
    /* Text is much lower than the strip, as beside an icon: the recogniser has
       to find it first. */
    bool is_mixed;
    bool is_unclear; /* of thin strokes, or of more than two colours: it need
                        not be text */
    /* Share of the pixels with the most common colour, in percent. Letters on a
       flat background have a high one, photographs a low one. */
    int background_percent;
    int ink_percent; /* share of the pixels in the colour of the letters */
    int black;       /* distance of the letters from it in colour, 1 to 255 */
};

/* Free with sq_strip_finish, also on failure. The box is inside the image. */
bool sq_strip_make(const struct sq_image *image, struct sq_rect box,
                   struct sq_strip *out, struct sq_err *err);

/* Returns the pixels of a picture from which a line of that kind is read. */
struct sq_rect sq_strip_reach(struct sq_rect box, enum sq_line_kind kind,
                              struct sq_size picture);

/* Makes the strip of a line of any kind. */
bool sq_strip_make_of(const struct sq_image *image, struct sq_rect box,
                      enum sq_line_kind kind, struct sq_strip *out,
                      struct sq_err *err);

/* Returns whether a strip may be text; parts of photographs are not. */
bool sq_strip_may_be_text(const struct sq_strip *strip);

/*
 * Finds out whether a box inside the image has letters that differ little from
 * their background: nearly all pixels have one of two colours. Noise has not.
 */
bool sq_box_is_faint_text(const struct sq_image *image, struct sq_rect box,
                          bool *is_text, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_strip_finish(struct sq_strip *strip);

/*
 * Writes how far the colour of each pixel of a box is from the background: the
 * greatest difference of a channel. The background of a pixel is interpolated
 * between the first and last rows of the box, which have few letters.
 */
bool sq_gradient_distances(const struct sq_image *image, struct sq_rect box,
                           uint8_t *out, struct sq_err *err);

/*
 * Estimates without recognition whether a line contains a text: compares the
 * outlines of its words with those of the text in the built-in font. Used to
 * choose which lines are read first; the answer is only a guess.
 */

/* Distance of a line that has no part as wide as the text. */
#define SQ_SHAPE_FAR 1000.0

struct sq_text_shape;

/* Draws the text as it is, capitalised, and in capitals. Destroy it. */
bool sq_text_shape_create(struct sq_span text, struct sq_text_shape **out,
                          struct sq_err *err);

/* Accepts NULL. */
void sq_text_shape_destroy(struct sq_text_shape *shape);

/*
 * Returns how much the most similar part of a line differs from the text: 0
 * (equal) to SQ_SHAPE_FAR. Parts begin and end at gaps between letters.
 */
double sq_text_shape_distance(struct sq_text_shape *shape,
                              const struct sq_strip *line);

/* When a line is recognised. */
struct sq_read_turn {
    int line;
    struct sq_rect box;
    enum sq_line_kind kind;
    double distance; /* from the wanted text; 0: not compared */
};

/* Sorts turns so that lines that look like the text are first. */
bool sq_read_order(const struct sq_image *image, struct sq_span text,
                   const struct sq_deadline *deadline,
                   struct sq_read_turn *turns, int count, struct sq_err *err);

/*
 * Returns whether a line may be equal to one that was found, because it looks
 * nearly as much like the text.
 */
bool sq_read_turn_may_equal(const struct sq_read_turn *turn,
                            const struct sq_read_turn *found);

/*
 * Returns whether a box of a strip has nothing but at least three solid bars of
 * the same width on one base line, each higher than the one before.
 */
bool sq_box_has_bars(const struct sq_strip *strip, struct sq_rect box);

/* Removes what was read in strokes that are no text: it has little confidence.
 */
void sq_words_keep_sure(struct sq_words_of_line *words);

/* Returns whether a word, in pixels of the strip, is a number that must be
   wrong: the sign before it was not read, or a percentage has a letter. */
bool sq_word_is_odd_number(const struct sq_strip *strip,
                           const struct sq_word *word);

/*
 * Appends the words of a reply (see reader.h) with boxes in pixels of the
 * picture, relative to the line's top left corner. Words that the recogniser
 * separated at an underscore are joined. Short ones at the ends of the line
 * that it is not sure of are left out: they are icons.
 */
bool sq_repair_words(const struct sq_strip *strip, struct sq_span reply,
                     struct sq_buf *out, struct sq_err *err);

/*
 * Text of a region of a picture. Lines are read as a whole, because a word that
 * is cut off at the edge of the region would be read as another word.
 */

/* Returns the part of a picture with all of every line in the region. */
struct sq_rect sq_region_of_lines(struct sq_rect region, struct sq_size size);

/*
 * Removes the words of a line that are not in the region: those whose middle is
 * outside, or less than 60 percent of their width inside. If any is removed,
 * the box of the line becomes that of the others.
 */
void sq_region_keep_words(struct sq_rect region, struct sq_text_line *line);

/*
 * Caches the words of a line by its pixels, so that a line that is unchanged or
 * was only scrolled is not recognised again.
 */
struct sq_line_key {
    uint64_t hash[2];
    int width;
    int height;
};

struct sq_line_cache;

/* Keeps at most `lines` lines; the one that was used least recently goes. */
bool sq_line_cache_create(int lines, struct sq_line_cache **out,
                          struct sq_err *err);

/* Accepts NULL. */
void sq_line_cache_destroy(struct sq_line_cache *cache);

/*
 * Computes the key of a box inside the image. Its position has no influence.
 * Keys of different processes differ, so that no picture can be made whose
 * lines have equal keys.
 */
struct sq_line_key sq_line_cache_key(const struct sq_line_cache *cache,
                                     const struct sq_image *image,
                                     struct sq_rect box);

/* Returns whether the line is known, and its bytes until the next put. */
bool sq_line_cache_get(struct sq_line_cache *cache,
                       const struct sq_line_key *key, struct sq_span *bytes);

/* Remembers a copy of the bytes. Without memory the line is not remembered. */
void sq_line_cache_put(struct sq_line_cache *cache,
                       const struct sq_line_key *key, struct sq_span bytes);

/*
 * Remembers where the lines of the latest pictures are, by a hash of all their
 * pixels: the lines of a picture that was read before need not be found again.
 */

#define SQ_CACHED_PICTURES 8

struct sq_picture_line {
    struct sq_rect box; /* in pixels of the picture */
    struct sq_line_key key;
    uint8_t kind; /* enum sq_line_kind */
};

/* The lines in an area of a picture. */
struct sq_picture_lines {
    struct sq_line_key key; /* of the area */
    struct sq_rect area;
    struct sq_picture_line *lines; /* in reading order */
    int count;
};

/* Start zeroed; free with sq_picture_cache_finish. */
struct sq_picture_cache {
    struct sq_picture_lines *frames[SQ_CACHED_PICTURES]; /* NULL: free */
    int next; /* the one that is replaced */
};

/* Returns the frame with this key and area, or NULL. Valid until the next put.
 */
const struct sq_picture_lines *
sq_picture_cache_get(const struct sq_picture_cache *cache,
                     const struct sq_line_key *key, struct sq_rect area);

/* Creates a frame of uninitialised lines, to destroy or give to a cache. */
bool sq_picture_lines_create(int lines, struct sq_picture_lines **out,
                             struct sq_err *err);

/* Remembers a frame in place of the oldest one; owns it from now on. */
void sq_picture_cache_put(struct sq_picture_cache *cache,
                          struct sq_picture_lines *frame);

void sq_picture_cache_finish(struct sq_picture_cache *cache);

#endif
