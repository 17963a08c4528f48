/*
 * An index of texts for tests: pages are made of strings, and searches answer
 * with names of files.
 */
#ifndef SQ_TEST_TEXT_INDEX_H
#define SQ_TEST_TEXT_INDEX_H

#include "archive/search/store.h"

extern struct text_index {
    struct sq_search_store *store;
    struct sq_deadline deadline;
    char path[600];
    int64_t like;        /* of added pages */
    int missed;          /* lines of added pages */
    const char *changed; /* files that have changed or do not exist: "b.jpg
                            c.jpg" */
    const char *hidden;  /* files that must not be found */
    /* The result of the latest search. */
    struct sq_search_hit hits[5];
    struct sq_search_found found;
} text_index;

/* Opens an index in a new scratch folder; stop removes both. */
void text_index_start(void);
void text_index_stop(void);

/* Adds a picture of that second; lines are separated by "|". */
int64_t text_index_add(uint32_t utc, const char *name, const char *lines,
                       const char *app);

/* Adds a picture that is equal to that of a page. */
void text_index_add_alike(uint32_t utc, const char *name, int64_t page);

/* Searches, and returns the names of the hits: "b.jpg a.jpg". */
const char *text_index_find(const char *text, const char *app, uint32_t from,
                            uint32_t to);

/* Searches all pages for texts: T_FINDS({ "voic", "b.jpg a.jpg" }, ...). */
#define T_FINDS(...)                                                           \
    text_index_expect((const char *const[][2]){ __VA_ARGS__, { NULL } })

void text_index_expect(const char *const (*rows)[2]);

#endif
