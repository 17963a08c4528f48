/*
 * Finds archived screenshots by the text in them. The text is in an index that
 * sq_search_build makes; without one nothing is found and nothing is opened.
 */
#ifndef SQ_ARCHIVE_SEARCH_SEARCH_H
#define SQ_ARCHIVE_SEARCH_SEARCH_H

#include "archive/library.h"
#include "archive/search/store.h"
#include "redact/redact.h"

#define SQ_SEARCH_MAX_HITS 100

struct sq_search_result {
    struct sq_search_hit *hits; /* newest first; in the given arena */
    size_t count;
    bool has_more;
    unsigned searched;  /* roots with an index */
    unsigned unindexed; /* roots without one */
    unsigned forbidden; /* roots whose permission is not full */
    unsigned outdated;  /* roots whose index was made with other rules */
};

/*
 * Searches all roots whose permission is full: text is content of the full
 * picture. With rules of redaction, an index that was made with others is not
 * searched: it may hold what must be hidden now. redactor may be NULL.
 */
bool sq_search_find(struct sq_archive *archive,
                    const struct sq_redactor *redactor,
                    const struct sq_search_request *request,
                    struct sq_arena *arena, struct sq_search_result *out,
                    struct sq_err *err);

struct sq_search_progress {
    size_t done; /* pictures */
    size_t all;
    size_t read;  /* of done: were read */
    size_t alike; /* of done: look like the one before */
    int64_t lines_read;
    int64_t lines_known;
};

struct sq_search_build_request {
    const struct sq_library *past;
    struct sq_reader *reader;
    struct sq_archive_window window;
    const struct sq_redactor *redactor; /* hides words; NULL: none */
    const struct sq_deadline *deadline;
    /* Called after each picture; may be NULL. */
    void (*report)(void *context, const struct sq_search_progress *progress);
    void *context;
};

struct sq_search_built {
    struct sq_search_progress progress;
    size_t known;      /* were in the index before */
    size_t unreadable; /* files that cannot be used now */
    size_t small;      /* shots of which only a thumbnail exists */
    int64_t removed;   /* files that no longer exist */
    unsigned forbidden;
    bool is_cancelled; /* what was read until then is in the index */
};

/*
 * Reads the pictures that the index does not have, by day, latest day first.
 * Each picture is stored when it is read, so that the next call goes on where
 * this one ended. If the window has no limits, also removes what no longer
 * exists. An index that was made with other rules of redaction is made again.
 * Succeeds with is_cancelled if it is cancelled or reaches its deadline.
 */
bool sq_search_build(const struct sq_search_build_request *request,
                     struct sq_search_built *out, struct sq_err *err);

/* Removes the indexes of all roots. *removed is how many there were. */
bool sq_search_delete(struct sq_archive *archive,
                      const struct sq_deadline *deadline, unsigned *removed,
                      struct sq_err *err);

/*
 * Writes the path of the index of a root's texts. Returns false without an
 * error if there is no folder for it, or the root cannot be opened.
 */
bool sq_search_path(struct sq_archive *archive, size_t root,
                    const struct sq_deadline *deadline, char out[SQ_PATH_SIZE],
                    struct sq_err *err);

#endif
