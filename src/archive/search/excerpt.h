/*
 * Chooses which line of a page a search shows, and which part of it. Lines are
 * read from a file, so the functions accept any bytes. Pure.
 */
#ifndef SQ_ARCHIVE_SEARCH_EXCERPT_H
#define SQ_ARCHIVE_SEARCH_EXCERPT_H

#include "archive/search/terms.h"
#include "geom/rect.h"

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
