/* Finds lines of text in a picture by the edges of their letters. */
#ifndef SQ_VISION_LINES_H
#define SQ_VISION_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "geom/rect.h"
#include "image/image.h"
#include "image/pipeline/cpu.h"

/*
 * Marks the pixels of a row where the colour changes from left to right. The
 * strokes of letters have many such edges; underlines and flat areas have none.
 */

/* Returns how many 64-bit words hold one bit per pixel of a row. */
static inline size_t
sq_edge_words(int width) {
    return ((size_t)width + 63) / 64;
}

#define SQ_EDGE_LEVELS 3 /* together, at most */

/* Edges of at least some difference. */
struct sq_edge_level {
    int threshold;  /* least difference of a channel, 1 to 255 */
    uint64_t *bits; /* sq_edge_words(width) words per row */
};

/*
 * Sets bit x % 64 of bits[x / 64] of a level if a channel of the pixels x - 1,
 * x and x + 1 differs by its threshold or more. Colour channels count
 * separately, so that text is seen which differs from its background only in
 * hue. Bits after the last pixel are 0. pixels are RGBX. Several levels cost
 * little more than one.
 */
void sq_edges_row(const uint8_t *pixels, int width,
                  const struct sq_edge_level *levels, int count);

/* Start zeroed; free with sq_edge_map_finish. */
struct sq_edge_map {
    uint64_t *bits; /* sq_edge_words(width) words per row */
    int width;
    int height;
};

static inline uint64_t *
sq_edge_map_row(const struct sq_edge_map *map, int y) {
    return map->bits + (size_t)y * sq_edge_words(map->width);
}

/*
 * Marks the edges of an area inside the picture: one map for each of up to
 * SQ_EDGE_LEVELS thresholds. Finish all, also on failure.
 */
bool sq_edge_maps_init(struct sq_edge_map *maps, const int *thresholds,
                       int count, const struct sq_image *image,
                       struct sq_rect area, struct sq_err *err);

/* Returns the number of edges in a box inside the map. */
int sq_edge_map_count(const struct sq_edge_map *map, struct sq_rect box);

/* Removes the edges in a box inside the map. */
void sq_edge_map_erase(struct sq_edge_map *map, struct sq_rect box);

/* Makes a map in which each bit stands for 2x2 bits and is set if one is. */
bool sq_edge_map_halve(const struct sq_edge_map *in, struct sq_edge_map *out,
                       struct sq_err *err);

/* Safe on a zeroed value. */
void sq_edge_map_finish(struct sq_edge_map *map);

struct sq_blob {
    struct sq_rect box;
    int edges; /* number of its pixels that are edges */
};

struct sq_blobs {
    struct sq_blob *items;
    int count;
    int capacity;
};

struct sq_blob_options {
    int gap;        /* edges of a row with at most this many pixels between them
                       belong together */
    int max_height; /* higher blobs are dropped: pictures and frames */
};

/*
 * Finds all blobs of a map, in order of their last row. Boxes are in pixels of
 * the map. Free with sq_blobs_finish, also on failure.
 */
bool sq_blobs_find(const struct sq_edge_map *map,
                   const struct sq_blob_options *options, struct sq_blobs *out,
                   struct sq_err *err);

/* Safe on a zeroed value. */
void sq_blobs_finish(struct sq_blobs *blobs);

/*
 * Finds lines of text in a picture of a screen. Uses only the pixels: light or
 * dark, any colours, at any density.
 */

/* Heights in pixels of the edges of a line; a font is about 1.4 as large. */
#define SQ_MIN_LINE_HEIGHT 5
#define SQ_MAX_LINE_HEIGHT 160

/* Beyond this number, further lines are dropped. */
#define SQ_MAX_LINES 4000

struct sq_lines {
    struct sq_rect *boxes; /* in reading order; may overlap a little */
    uint8_t *kinds;        /* enum sq_line_kind; NULL after sq_lines_find */
    int count;
};

/*
 * Finds the lines in an area inside the picture. May also find icons and parts
 * of photographs. Free with sq_lines_finish, also on failure.
 */
bool sq_lines_find(const struct sq_image *image, struct sq_rect area,
                   struct sq_lines *out, struct sq_err *err);

/*
 * Finds the same lines and says what each is read from. On a map, labels take
 * the place of lines: text whose background has several colours.
 */
bool sq_labels_find(const struct sq_image *image, struct sq_rect area,
                    struct sq_lines *out, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_lines_finish(struct sq_lines *lines);

/*
 * Groups edges into lines: blobs of similar height whose rows overlap and whose
 * distance is at most about their height belong to one line.
 */

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

#define SQ_MAX_SPLITS 12

/*
 * Splits a box at rows with few edges between rows with many. Writes at most
 * SQ_MAX_SPLITS boxes, top to bottom, and returns their number: 1 with the same
 * box if there is nothing to split. The box is inside the image and at most
 * SQ_MAX_LINE_HEIGHT high. bits holds sq_edge_words() of the box's width.
 */
int sq_split_rows(const struct sq_image *image, struct sq_rect box,
                  int threshold, uint64_t *bits,
                  struct sq_rect out[SQ_MAX_SPLITS]);

#define SQ_MAX_LINE_PARTS 64

/* The parts of a line. */
struct sq_line_parts {
    struct sq_rect boxes[SQ_MAX_LINE_PARTS]; /* from left to right */
    int count;                               /* 0: the line is not divided */
    bool is_whole; /* one panel has all of it; a part has its new ends */
    bool is_frame; /* it has no letters, only parts of frames */
};

/*
 * Divides a line where its background changes, by the pixels around it in the
 * area, which is inside the image. Where nothing in it is whole, as of an F of
 * which only the stem was found, it may be a large letter: it is looked
 * together more with more around it. Anything else is a part of a frame.
 */
bool sq_line_divide(const struct sq_image *image, struct sq_rect line,
                    int letter_height, struct sq_rect area,
                    struct sq_line_parts *out, struct sq_err *err);

/* Joins the boxes of signs, such as + and #, with those of numbers that follow
   without a space. Returns the number of boxes that remain. */
int sq_line_boxes_join_signs(struct sq_rect *boxes, int count);

/* Drops boxes that are inside others: halves of signs beside numbers. Returns
   how many are left. */
int sq_line_boxes_drop_inner(struct sq_rect *boxes, int count);

/* Returns the box of a line, which has margins, without what is of another
   line. own and other are the boxes of their letters. */
struct sq_rect sq_line_box_cut(struct sq_rect box, struct sq_rect own,
                               struct sq_rect other);

/* Sorts into reading order: from top to bottom, those beside each other from
   left to right. */
void sq_line_boxes_sort(struct sq_rect *boxes, int count);

#define SQ_MAX_AREAS 64

struct sq_area {
    struct sq_rect box;
    bool is_round;  /* it fills its box like a disc */
    uint8_t rgb[3]; /* its mean colour */
};

struct sq_areas {
    struct sq_area items[SQ_MAX_AREAS]; /* from top to bottom */
    int count;
};

/* Finds areas with sides of 32 pixels to half of the picture. */
bool sq_areas_find(const struct sq_image *image, struct sq_areas *out,
                   struct sq_err *err);

#endif
