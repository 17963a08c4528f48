/*
 * What a recogniser reports about one line: its words. The bytes come from a
 * process that reads untrusted pixels, so the parser checks everything.
 */
#ifndef SQ_VISION_WORDS_H
#define SQ_VISION_WORDS_H

#include "geom/rect.h"
#include "util/arena.h"
#include "util/buf.h"
#include "util/span.h"

/* Limits of one line. */
#define SQ_MAX_LINE_WORDS 1000
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

#endif
