/*
 * The index of the texts of one root's pictures: an SQLite file that only its
 * owner can read. A page is the text of one picture, and of the pictures that
 * look the same right after it. For one thread at a time; several processes may
 * use the same file.
 */
#ifndef SQ_ARCHIVE_SEARCH_STORE_H
#define SQ_ARCHIVE_SEARCH_STORE_H

#include "archive/archive.h"
#include "archive/search/excerpt.h"
#include "archive/search/terms.h"
#include "archive/store/fingerprint.h"
#include "vision/reader.h"

struct sq_search_store;

/*
 * Opens the index of a file. With may_create, makes a missing one; otherwise
 * fails with SQ_ERR_NOT_FOUND. With may_create, replaces an index of another
 * version; without, such an index counts as missing. deadline must outlive the
 * store.
 */
bool sq_search_store_open(const char *path, bool may_create,
                          const struct sq_deadline *deadline,
                          struct sq_search_store **out, struct sq_err *err);

/* Accepts NULL. */
void sq_search_store_close(struct sq_search_store *store);

/* Removes the index and its side files. Succeeds if there is none. */
bool sq_search_store_delete(const char *path, struct sq_err *err);

/* What the index knows about a file of the root. */
struct sq_search_known {
    bool is_known;
    int64_t page;                      /* 0: the file has no text of its own */
    struct sq_image_fingerprint print; /* of the page */
};

/* path is relative to the root. */
bool sq_search_store_look_up(struct sq_search_store *store, struct sq_span path,
                             struct sq_search_known *out, struct sq_err *err);

/* A picture that was read. */
struct sq_search_page {
    const struct sq_archive_pick *pick;
    struct sq_span path;
    const struct sq_text *text;
    struct sq_size size;
    struct sq_span app; /* what was done then; empty: unknown */
    const struct sq_image_fingerprint *print;
};

/*
 * Adds a picture: all of it, or on failure nothing. *id is that of its page; 0
 * if it has no text.
 */
bool sq_search_store_add(struct sq_search_store *store,
                         const struct sq_search_page *page, int64_t *id,
                         struct sq_err *err);

/* Adds a picture that looks the same as that of a page. */
bool sq_search_store_add_alike(struct sq_search_store *store,
                               struct sq_span path, int64_t page, int64_t utc,
                               struct sq_err *err);

/*
 * Removes the texts of files that no longer exist, also from the file itself.
 */
bool sq_search_store_prune(struct sq_search_store *store,
                           bool (*exists)(void *context, struct sq_span path),
                           void *context, int64_t *removed, struct sq_err *err);

/* Merges the parts that many additions leave, which makes searches faster. */
bool sq_search_store_optimize(struct sq_search_store *store,
                              struct sq_err *err);

/*
 * Return and set the number of the rules of redaction with which the texts were
 * stored; 0: none.
 */
bool sq_search_store_rules(struct sq_search_store *store, int *out,
                           struct sq_err *err);
bool sq_search_store_set_rules(struct sq_search_store *store, int rules,
                               struct sq_err *err);

struct sq_search_size {
    int64_t pages;
    int64_t files;
    int64_t lines; /* different ones */
};
bool sq_search_store_size(struct sq_search_store *store,
                          struct sq_search_size *out, struct sq_err *err);

struct sq_search_request {
    struct sq_search_terms terms;
    struct sq_search_terms apps; /* words of the activity; may be empty */
    int64_t from_utc;
    int64_t to_utc; /* exclusive */
    size_t max;
    const struct sq_deadline *deadline;
};

/* One page that has all the words. */
struct sq_search_hit {
    struct sq_archive_pick pick; /* the root is set by the caller */
    int64_t last_utc;            /* of the last picture that looks the same */
    struct sq_size size;         /* of the picture */
    char snippet[SQ_SEARCH_SNIPPET_BYTES + 1]; /* untrusted */
    struct sq_rect box; /* of the words in the picture that the snippet shows */
};

/*
 * Finds pages, newest first. *count is at most request->max; *has_more tells
 * whether there are others.
 */
bool sq_search_store_find(struct sq_search_store *store,
                          const struct sq_search_request *request,
                          struct sq_search_hit *out, size_t *count,
                          bool *has_more, struct sq_err *err);

#endif
