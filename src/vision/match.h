/*
 * Finds a phrase in recognised text. Ignores case and diacritics, and tolerates
 * what recognisers get wrong: characters that look alike everywhere, and a few
 * others in words that were read with little confidence. Numbers are units:
 * digits, separators and signs must be equal. The phrase may continue on the
 * next line of the same block where it has a space or a hyphen.
 */
#ifndef SQ_VISION_MATCH_H
#define SQ_VISION_MATCH_H

#include "vision/glyphs.h"
#include "vision/reader.h"

/* Of the phrase, in bytes. */
#define SQ_MAX_PHRASE_BYTES 256

/* Matches have at least this score. */
#define SQ_MATCH_SCORE 0.8

/* Words with at least this confidence are taken as read, in percent. */
#define SQ_SURE_CONFIDENCE 75

struct sq_phrase {
    struct sq_glyphs glyphs; /* without spaces */
    int words;
    bool has_letters; /* or digits: it is not only signs */
    bool is_number;   /* one word of digits only */
    /* Set by the caller: */
    bool is_strict;      /* every word is taken as read, as before an action;
                            a number without its sign is another number */
    bool may_split_word; /* it may be a part of a word, but not of a number */
};

/*
 * Folds a phrase for comparison. Fails with SQ_ERR_ARGUMENT if nothing is left
 * of it. Owned by the arena.
 */
bool sq_phrase_init(struct sq_phrase *phrase, struct sq_span text,
                    struct sq_arena *arena, struct sq_err *err);

struct sq_text_match {
    int line;  /* index of the line in which it starts */
    int first; /* its first word in that line */
    int last_line;
    int last;                /* its last word, inclusive */
    double score;            /* 1: equal after folding; 0: nothing in common */
    int confidence;          /* least of its words, in percent */
    struct sq_rect box;      /* of its part in `line`: a place to tap */
    struct sq_rect next_box; /* of its part in last_line, if that is another
                                line; otherwise empty */
};

#define SQ_MAX_MATCHES 50

struct sq_text_matches {
    struct sq_text_match items[SQ_MAX_MATCHES];
    int count;
    struct sq_text_match nearest; /* if none: the best other text, which may
                                     have any score; score 0: none */
};

/*
 * Finds the places with the best scores, best first; equally good ones in
 * reading order. Places do not overlap.
 */
bool sq_match_find(const struct sq_text *text, const struct sq_phrase *phrase,
                   struct sq_text_matches *out, struct sq_err *err);

/* Does the same without looking for the nearest text. */
bool sq_match_find_only(const struct sq_text *text,
                        const struct sq_phrase *phrase,
                        struct sq_text_matches *out, struct sq_err *err);

/* Appends the words of a match, joined with spaces; they are whole. */
bool sq_match_append_words(const struct sq_text *text,
                           const struct sq_text_match *match,
                           struct sq_buf *out, struct sq_err *err);

/* Appends all words of the lines of a match. */
bool sq_match_append_lines(const struct sq_text *text,
                           const struct sq_text_match *match,
                           struct sq_buf *out, struct sq_err *err);

/*
 * Returns in *score how similar the best part of a text is to the phrase: 0 to
 * 1. Digits and words may differ.
 */
bool sq_phrase_score(const struct sq_phrase *phrase, struct sq_span text,
                     double *score, struct sq_err *err);

/* Returns in *out whether a text contains the phrase; every word is sure. */
bool sq_phrase_is_in(const struct sq_phrase *phrase, struct sq_span text,
                     bool *out, struct sq_err *err);

/*
 * Returns whether a line of that size could hold the phrase: narrow lines need
 * not be read. A phrase may be continued on the next line, so only a word of it
 * has to fit.
 */
bool sq_phrase_may_fit(const struct sq_phrase *phrase, struct sq_rect box);

#endif
