/*
 * Converts text to what the search index compares: words in lower case, without
 * accents, of letters and digits only. Words with signs but no space between
 * them are one sequence: "1,204.50" has three words, and a mark in place of
 * each sign. Pure.
 */
#ifndef SQ_ARCHIVE_SEARCH_TERMS_H
#define SQ_ARCHIVE_SEARCH_TERMS_H

#include "geom/rect.h"
#include "util/arena.h"
#include "util/buf.h"
#include "util/span.h"
#include "vision/reader.h"

/* Longer words are cut. */
#define SQ_SEARCH_WORD_BYTES 64

/* A mark is one character of three bytes that no word has. */
#define SQ_SEARCH_MARK_BYTES 3
#define SQ_SEARCH_MAX_MARKS 4 /* between two words; more are dropped */

/* The most bytes of two words and the marks between them. */
#define SQ_SEARCH_PAIR_BYTES                                                   \
    (2 * SQ_SEARCH_WORD_BYTES + SQ_SEARCH_MAX_MARKS * SQ_SEARCH_MARK_BYTES)

/*
 * Appends each sequence and a space. Invalid UTF-8 separates sequences. A comma
 * and a point between digits have the same mark, because recognisers confuse
 * them; all other signs differ.
 */
bool sq_search_fold(struct sq_span text, struct sq_buf *out,
                    struct sq_err *err);

/*
 * Does so for the words of a line. Those that a recogniser has separated at a
 * sign without a visible space are one sequence. starts may be NULL; otherwise
 * it receives where in `out` the text of each word begins.
 */
bool sq_search_fold_line(const struct sq_words_of_line *words,
                         struct sq_buf *out, size_t *starts,
                         struct sq_err *err);

#define SQ_SEARCH_MAX_TERMS 12
#define SQ_SEARCH_TEXT_BYTES 256 /* of a query */

/* Which words stand for a term that a recogniser may have misread. */
enum sq_search_misread {
    SQ_SEARCH_AS_IT_IS,
    SQ_SEARCH_CONFUSED, /* one character that is easily confused: acmel */
    SQ_SEARCH_ONE_OFF,  /* any one character */
};

/* Sequences, which may be words, and phrases: sequences with spaces. */
struct sq_search_terms {
    struct sq_span items[SQ_SEARCH_MAX_TERMS];
    size_t count;
    unsigned exact; /* one bit per term that is no part of a word */
    enum sq_search_misread misread;
};

/*
 * Splits a query into distinct sequences, owned by the arena. Fails with
 * SQ_ERR_ARGUMENT if it has none, or more than SQ_SEARCH_MAX_TERMS.
 */
bool sq_search_terms_read(struct sq_span text, struct sq_arena *arena,
                          struct sq_search_terms *out, struct sq_err *err);

/* The words that a page must have, and those that it must not have. */
struct sq_search_query {
    struct sq_search_terms wanted;
    struct sq_search_terms unwanted; /* all of them exact */
};

/*
 * Reads a query: words as sq_search_terms_read does, "a phrase in quotes", and
 * -word or -"a phrase" for what must not be there. An empty query has no terms.
 * Fails with SQ_ERR_ARGUMENT as that function does.
 */
bool sq_search_query_read(struct sq_span text, struct sq_arena *arena,
                          struct sq_search_query *out, struct sq_err *err);

/* Takes the next sequence of folded text; false after the last. */
bool sq_search_next_sequence(struct sq_span *folded, struct sq_span *sequence);

/* Takes the next word of a sequence; false after the last. */
bool sq_search_next_word(struct sq_span *sequence, struct sq_span *word);

/*
 * Takes the next two neighbours of a sequence, with the marks between them;
 * false after the last. A single word has none.
 */
bool sq_search_next_pair(struct sq_span *sequence, struct sq_span *pair);

/* A number that is wanted as digits may be on the screen in groups: 1,204. */
#define SQ_SEARCH_GROUPINGS 2 /* the signs: comma or point, and apostrophe */
#define SQ_SEARCH_GROUPED_BYTES                                                \
    (SQ_SEARCH_WORD_BYTES + SQ_SEARCH_WORD_BYTES / 3 * SQ_SEARCH_MARK_BYTES)

/*
 * Writes a word of at least four digits as a sequence of groups of three, with
 * the sign of that number between them. Returns its length; 0: it is another
 * word, or starts with 0.
 */
size_t sq_search_group(struct sq_span word, size_t grouping,
                       char out[SQ_SEARCH_GROUPED_BYTES]);

/*
 * Returns whether the groups that are at an offset of folded text are all of a
 * number, apart from decimals: not those of 21,204 or 1,204,000.
 */
bool sq_search_is_number(struct sq_span folded, size_t at, size_t len);

/* Returns whether a byte of a sequence belongs to a mark. */
bool sq_search_is_mark(const char *byte);

/* Shorter words have too many neighbours. In characters. */
#define SQ_SEARCH_MISREAD_MIN 4

/*
 * Returns whether a word may be a wanted one of which one character was
 * misread, or two were taken for one. Two different digits are different
 * numbers, and no misreading. Both are folded.
 */
bool sq_search_is_misread(struct sq_span wanted, struct sq_span word,
                          enum sq_search_misread how);

/* Returns whether a term is one word that is long enough. */
bool sq_search_may_be_misread(const struct sq_search_terms *terms,
                              size_t index);

#define SQ_SEARCH_SNIPPET_BYTES 160

/* A line of a page: its id and its place in the picture. */
struct sq_search_line {
    uint32_t id;
    uint16_t x;
    uint16_t y;
};

/* The best line of a page so far. Start zeroed. */
struct sq_search_excerpt {
    char snippet[SQ_SEARCH_SNIPPET_BYTES + 1]; /* untrusted */
    struct sq_rect box;         /* of the words that match, in the picture */
    size_t matched;             /* number of terms in the line */
    int fit;                    /* the sum of how well they match */
    size_t tried;               /* number of terms in the line tried last */
    unsigned found;             /* one bit per term that any line has */
    struct sq_search_line line; /* the best one */
    struct sq_search_line lines[SQ_SEARCH_MAX_TERMS]; /* that have each term */
};

/* Returns line `index` of the stored lines of a page. */
struct sq_search_line sq_search_line_at(struct sq_span lines, size_t index);

/* Returns the number of stored lines; ignores an incomplete one. */
size_t sq_search_line_count(struct sq_span lines);

/*
 * Takes a line as excerpt if it has more of the terms than the one so far, or
 * as many that match better: whole ones before parts. Without terms, takes the
 * first line. Fails with SQ_ERR_FORMAT if the stored words are damaged.
 */
bool sq_search_excerpt_try(struct sq_span words,
                           const struct sq_search_line *line,
                           const struct sq_search_terms *terms,
                           struct sq_search_excerpt *excerpt,
                           struct sq_err *err);

/*
 * Moves an excerpt to another page that has the same lines, at other places.
 * Returns false, and changes nothing, if that page lacks one of them.
 */
bool sq_search_excerpt_move(struct sq_search_excerpt *excerpt,
                            const struct sq_search_terms *terms,
                            struct sq_span lines);

/* Returns in *out whether a line has any of the terms. Fails as above. */
bool sq_search_excerpt_has_any(struct sq_span words,
                               const struct sq_search_terms *terms, bool *out,
                               struct sq_err *err);

/* Returns whether the lines so far have all terms. */
bool sq_search_excerpt_has_all(const struct sq_search_excerpt *excerpt,
                               const struct sq_search_terms *terms);

/* Returns whether no line can be better. */
bool sq_search_excerpt_is_best(const struct sq_search_excerpt *excerpt,
                               const struct sq_search_terms *terms);

#endif
