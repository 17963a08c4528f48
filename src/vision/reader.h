/*
 * Reads the text of a picture: finds lines, takes those it knows from a cache
 * and has worker processes recognise the others, several at a time.
 */
#ifndef SQ_VISION_READER_H
#define SQ_VISION_READER_H

#include "geom/rect.h"
#include "image/image.h"
#include "sys/deadline.h"
#include "util/arena.h"
#include "vision/words.h"

struct sq_reader_options {
    const char *program;  /* absolute path of squint; copied */
    const char *language; /* see sq_recogniser_serve; copied */
    int max_workers;      /* 0: one per processor */
};

struct sq_reader;

/* Starts no process. */
bool sq_reader_create(const struct sq_reader_options *options,
                      struct sq_reader **out, struct sq_err *err);

/* Ends the workers. Accepts NULL. No thread may be reading. */
void sq_reader_destroy(struct sq_reader *reader);

struct sq_text_line {
    struct sq_rect box;
    struct sq_words_of_line words; /* boxes in pixels of the picture */
    bool is_read; /* false: it was not needed, or not readable */
};

/* Start zeroed; free with sq_text_finish. */
struct sq_text {
    struct sq_arena arena;
    struct sq_text_line *lines; /* in reading order */
    int count;
    int recognised; /* lines that a worker read */
    int known;      /* lines that were in the cache */
    int unreadable; /* lines for which the worker failed twice */
};

void sq_text_finish(struct sq_text *text);

/* What to read. Both functions may be NULL. */
struct sq_read_plan {
    struct sq_rect area; /* inside the picture; words outside it are dropped */
    /* Lines that look like this text are read first. Empty: top to bottom. */
    struct sq_span looks_like;
    /* Returns whether a line has to be read: is it wide enough? */
    bool (*wants)(const void *context, struct sq_rect box);
    /* Returns whether reading can stop. Called after each line. */
    bool (*is_enough)(const void *context, const struct sq_text *text);
    const void *context;
};

/*
 * Reads the text. Several threads may call this; they take turns. Fails with
 * SQ_ERR_UNSUPPORTED and a hint if Tesseract or its data is not installed, or
 * if the system cannot confine a process.
 */
bool sq_reader_read(struct sq_reader *reader, const struct sq_image *image,
                    const struct sq_read_plan *plan,
                    const struct sq_deadline *deadline, struct sq_text *out,
                    struct sq_err *err);

/*
 * Starts a worker, which shows whether text can be read. Fails as
 * sq_reader_read does.
 */
bool sq_reader_start(struct sq_reader *reader,
                     const struct sq_deadline *deadline, struct sq_err *err);

/* Writes the ids of running workers. Returns their number. For tests. */
int sq_reader_pids(const struct sq_reader *reader, int *pids, int most);

#endif
