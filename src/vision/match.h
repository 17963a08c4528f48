/* Finds a phrase in the words that were read, allowing for reading errors. */
#ifndef SQ_VISION_MATCH_H
#define SQ_VISION_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "util/span.h"
#include "vision/reader.h"

#define SQ_FOLD_MAX 2

/*
 * Writes the lower-case base letters of a character: A and ä become a, ß
 * becomes ss. White space becomes nothing; typographic quotes and dashes become
 * those of ASCII. Returns the number of code points written, 0 to SQ_FOLD_MAX.
 */
int sq_fold(uint32_t code, uint32_t out[SQ_FOLD_MAX]);

/* Returns whether a character separates words. */
bool sq_fold_is_space(uint32_t code);

/* Returns whether two folded characters look alike: 0 and o, 1 and l. */
bool sq_fold_look_alike(uint32_t a, uint32_t b);

/*
 * Returns whether recognisers confuse two folded characters even in words that
 * they read with confidence. Fewer do than look alike.
 */
bool sq_fold_are_confused(uint32_t a, uint32_t b);

/* Returns whether two folded characters look like a third: rn like m. */
bool sq_fold_pair_looks_like(uint32_t first, uint32_t second, uint32_t one);

/*
 * Folded characters of a text, the spaces between them, and which of them form
 * one word or one number. A number is a unit: "1,204.50" does not contain
 * "204", and "-5" is not "5".
 */

/* What is between a character and the one before it. */
enum sq_joint {
    SQ_JOINT_NONE,   /* the same word */
    SQ_JOINT_NARROW, /* a space was read where the gap is narrower than one */
    SQ_JOINT_SPACE,
    SQ_JOINT_LINE, /* the end of a line */
};

/* What a character means for the number beside it. */
enum sq_role {
    SQ_ROLE_PLAIN,
    SQ_ROLE_SEPARATOR, /* between two digits: 1,204 */
    SQ_ROLE_SIGN,      /* before or after a number: -5, $5, 5% */
};

/* What two neighbours are part of. */
enum sq_unit {
    SQ_UNIT_NONE,
    SQ_UNIT_WORD,   /* two letters, or a letter and a digit */
    SQ_UNIT_SIGN,   /* a number and its sign */
    SQ_UNIT_NUMBER, /* digits and separators */
};

struct sq_glyphs {
    uint32_t *codes;
    uint8_t *joints; /* enum sq_joint: before each character */
    uint8_t *roles;  /* enum sq_role */
    int count;
};

/* Sets all roles from codes and joints. */
void sq_glyphs_set_roles(struct sq_glyphs *glyphs);

/* Returns what characters at - 1 and at are part of. */
enum sq_unit sq_glyphs_unit(const struct sq_glyphs *glyphs, int at);

bool sq_glyph_is_digit(uint32_t code);

/* Returns whether it is neither a letter nor a digit of any script. */
bool sq_glyph_is_symbol(uint32_t code);

/*
 * Rows: lines beside each other with no more than a space between them. They
 * are one line to the eye, divided where the background changes.
 */

/* Returns the next line of the same row; -1: none. */
int sq_row_right(const struct sq_text *text, int line);

/* Return the first or last line of a row. */
int sq_row_first(const struct sq_text *text, int line);
int sq_row_last(const struct sq_text *text, int line);

/* Returns whether a line is in the same row as another, or right of it. */
bool sq_row_has(const struct sq_text *text, int line, int other);

/* Returns the first line of the row that continues a row, given its first line;
   -1: none. */
int sq_row_below(const struct sq_text *text, int first);

/* Returns the line after one, on the way to the last line of a phrase: in its
   row, or the first one of the last line's row. */
int sq_row_next(const struct sq_text *text, int line, int last_line);

/*
 * Finds a phrase in recognised text. Ignores case and diacritics, and tolerates
 * what recognisers get wrong: characters that look alike everywhere, and a few
 * others in words that were read with little confidence. Numbers are units:
 * digits, separators and signs must be equal. The phrase may continue on the
 * next line of the same block where it has a space or a hyphen.
 */

/* Of the phrase, in bytes. */
#define SQ_MAX_PHRASE_BYTES 256

/* Matches have at least this score. */
#define SQ_MATCH_SCORE 0.8

/* Words with at least this confidence are taken as read, in percent; and words
   with digits. A number with less is never an equal match. */
#define SQ_SURE_CONFIDENCE 75
#define SQ_SURE_NUMBER 80

struct sq_phrase {
    struct sq_glyphs glyphs; /* without spaces */
    int words;
    int shortest;     /* characters of its shortest word */
    bool has_letters; /* or digits: it is not only signs */
    bool has_digits;
    bool is_number; /* one word of digits only */
    /* Set by the caller: */
    bool is_strict;      /* every word is taken as read, as before an action;
                            a number without its sign is another number, and
                            one that is not sure is none */
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
    bool is_doubtful;        /* it has digits that are not sure */
    struct sq_rect box;      /* of its part in the row of `line`: a place to
                                tap */
    struct sq_rect next_box; /* of its part in the row below; empty: none */
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

/* Returns in *out whether a text contains the phrase; every word is sure. */
bool sq_phrase_is_in(const struct sq_phrase *phrase, struct sq_span text,
                     bool *out, struct sq_err *err);

/*
 * Returns whether a line of that size could hold the phrase: narrow lines need
 * not be read. A phrase may be continued on the next line or in another colour,
 * so only its shortest word has to fit.
 */
bool sq_phrase_may_fit(const struct sq_phrase *phrase, struct sq_rect box);

/*
 * A search for a phrase in a picture: which lines have to be read, in which
 * order, and when enough was found.
 */
struct sq_text_search {
    struct sq_phrase phrase;
    struct sq_span text;
    int enough; /* equal matches after which reading stops; 0: it does not */
};

/* Prepares a search. The text outlives it; fails like sq_phrase_init. */
bool sq_text_search_init(struct sq_text_search *search, struct sq_span text,
                         int enough, struct sq_arena *arena,
                         struct sq_err *err);

/* Returns the plan to read for a search; the caller sets the area. */
struct sq_read_plan sq_text_search_plan(const struct sq_text_search *search);

/*
 * Returns whether two texts are the same. Case, accents and spaces do not
 * count, and characters that recognisers confuse are equal: 0 and O, 1 and l,
 * rn and m. All other signs count: -5 is not 5, and 12 is not 12.5.
 */
bool sq_same_text(struct sq_span a, struct sq_span b);

/* Costs of an edit, in tenths. */
#define SQ_COST_EDIT 10
#define SQ_COST_PAIR 4

/* Not the same text: more than any phrase costs. */
#define SQ_COST_BLOCKED 100000

/* A phrase, and folded characters of a text. */
struct sq_comparison {
    const struct sq_phrase *phrase;
    struct sq_glyphs text;
    bool *is_sure;   /* of each character of the text: it is taken as read */
    bool is_similar; /* look for similar text, instead of the same */
};

/* Returns the cost of reading character i of the phrase as that of the text. */
int sq_cost_of_exchange(const struct sq_comparison *c, int i, int at);

/* Returns the cost of a character of the text that the phrase has not. */
int sq_cost_of_insert(const struct sq_comparison *c, int at);

/* Returns the cost if character i of the phrase is missing before a place. */
int sq_cost_of_drop(const struct sq_comparison *c, int i, int at);

/*
 * Returns the cost of the space, or lack of it, before a character of the text
 * that stands for character i of the phrase.
 */
int sq_cost_of_joint(const struct sq_comparison *c, int i, int at);

/* Returns whether characters i - 1 and i of the phrase may be read as one. */
bool sq_may_be_one(const struct sq_comparison *c, int i, int at);

/* Returns whether characters at - 1 and at of the text may be one. */
bool sq_may_be_two(const struct sq_comparison *c, int i, int at);

/* Returns whether a match may start or end before a character of the text. */
bool sq_may_part(const struct sq_comparison *c, int at);

#endif
