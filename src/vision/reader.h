/* Reads the text of a picture with Tesseract, which runs in processes of its
 * own. */
#ifndef SQ_VISION_READER_H
#define SQ_VISION_READER_H

#include "geom/rect.h"
#include "image/image.h"
#include "sys/deadline.h"
#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * What a recogniser reports about one line: its words. The bytes come from a
 * process that reads untrusted pixels, so the parser checks everything.
 */

/* Limits of one line. */
#define SQ_MAX_WORD_BYTES 1000

struct sq_word {
    struct sq_span text; /* valid UTF-8 without white space; never empty */
    struct sq_rect box;
    int confidence; /* percent */
};

struct sq_words_of_line {
    struct sq_word *items;
    int count;
};

/* Appends one word. Its box is in pixels of the strip: 0 to 32767. */
bool sq_words_put(struct sq_buf *out, const struct sq_word *word,
                  struct sq_err *err);

/*
 * Parses what sq_words_put has written. Texts point into bytes; the array is
 * owned by the arena. Fails with SQ_ERR_FORMAT for anything else. Words that
 * are not valid UTF-8, or only white space or control characters, are dropped.
 */
bool sq_words_parse(struct sq_span bytes, struct sq_arena *arena,
                    struct sq_words_of_line *out, struct sq_err *err);

/*
 * Reads the text of a picture: finds lines, takes those it knows from a cache
 * and has worker processes recognise the others, several at a time.
 */
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

/* Starts a worker without waiting for it, unless the reader is in use. */
void sq_reader_begin(struct sq_reader *reader);

/* Starts a worker: shows whether text can be read. Fails as sq_reader_read. */
bool sq_reader_start(struct sq_reader *reader,
                     const struct sq_deadline *deadline, struct sq_err *err);

/* Writes the ids of running workers. Returns their number. For tests. */
int sq_reader_pids(const struct sq_reader *reader, int *pids, int most);

/*
 * Tesseract, loaded when it is needed. Reads pictures only in the worker
 * process: it is large, and the pixels are untrusted.
 */

#define SQ_OCR_DEFAULT_LANGUAGE "eng"

/* Pixels of a strip. */
#define SQ_OCR_MAX_STRIP ((size_t)4 << 20)
#define SQ_OCR_MAX_REPLY ((size_t)256 << 10)

/* A request: a strip of grey pixels, in the memory that comes with it. */
struct sq_ocr_request {
    int width;
    int height;
    int is_mixed; /* not 0: the letters do not fill its height */
};

/*
 * Answers requests until the other side closes; see sq_worker_serve. language
 * is the name of Tesseract's data file: eng, deu, chi_sim; or up to four of
 * them, eng+deu: of each line, the words of the language that is surest.
 */
bool sq_recogniser_serve(const char *language, struct sq_err *err);

/* Writes the version of Tesseract that squint was compiled with. */
#define SQ_RECOGNISER_VERSION_SIZE 64
void sq_recogniser_version(char out[SQ_RECOGNISER_VERSION_SIZE]);

/* Returns whether a text can name languages: [A-Za-z0-9_-]+, joined by "+". */
bool sq_recogniser_is_language(const char *names);

#endif
