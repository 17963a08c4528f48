/*
 * Archives of past screenshots for tests: real pictures with real names below
 * the scratch folder, and many kinds of unusable files.
 */
#ifndef SQ_TEST_PAST_MAKER_H
#define SQ_TEST_PAST_MAKER_H

#include <stdbool.h>

#include "image/pipeline/picture.h"
#include "util/buf.h"

/*
 * Every picture is a board of four by four fields: red grows from left to
 * right, green from top to bottom. Blue is strong in full pictures and weak in
 * thumbnails, so that the source of a pixel is known. The look turns the board,
 * so that pictures can differ from each other.
 */
#define PAST_FIELDS 4

enum past_parts {
    PAST_BOTH, /* full picture and thumbnail */
    PAST_FULL_ONLY,
    PAST_THUMB_ONLY,
};

/* Zero means the default. */
struct past_shot {
    const char *folder; /* below the scratch folder; "a/" and the date */
    const char *time;   /* "2026-01-15_10-30-45" */
    const char *offset; /* "01-00", the default; "-05-00", "+02-00" */
    int width;          /* 640 */
    int height;         /* 400 */
    int seq;
    int monitor;
    int look;
    enum past_parts parts;
};

/* Write the files of a shot with ManicTime's names. */
void past_put(const struct past_shot *shot);

/* Write shots `step_s` seconds apart, starting at `first`; looks change. */
void past_put_series(const struct past_shot *first, int count, int step_s);

/* The path of one of its files, below the scratch folder; as of t_text. */
const char *past_path(const struct past_shot *shot, bool thumb);

/* Write one picture of any name; its extension selects the format. */
void past_put_picture(const char *path, int width, int height, int look);

/* What may be in place of a picture. */
enum past_trouble {
    PAST_EMPTY,     /* no bytes at all */
    PAST_GROWING,   /* the first half, written just now */
    PAST_CUT,       /* the first half, written long ago */
    PAST_GARBAGE,   /* something else */
    PAST_BROKEN,    /* valid start and end, garbage between */
    PAST_LINK,      /* a symbolic link to a good picture outside */
    PAST_PIPE,      /* a FIFO without a writer */
    PAST_DIRECTORY, /* a folder of that name */
};

/* Replace the file by one with this problem; both files of a shot. */
void past_damage(const char *path, enum past_trouble trouble);
void past_damage_both(const struct past_shot *shot, enum past_trouble trouble);

/*
 * Whether a pixel of an encoded picture shows that field of the board of a
 * thumbnail or of a full picture. Prints the pixel if not.
 */
struct past_field {
    int column;
    int row;
    int look;
    bool thumb;
};
bool past_shows(const struct sq_buf *picture, int x, int y,
                const struct past_field *field);

/* The size of an encoded picture; 0x0 if it cannot be read. */
struct sq_size past_size(const struct sq_buf *picture);

/* The format by its first bytes: "jpeg", "png", "?". */
const char *past_kind(const struct sq_buf *picture);

/* Read a file below the scratch folder. Starts the buffer. */
void past_read(const char *path, struct sq_buf *out);

#endif
