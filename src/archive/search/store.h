/*
 * The index of the texts of one root's pictures: an SQLite file that only its
 * owner can read. A page is the text of one picture, and of the pictures right
 * after it that have the same text. For one thread at a time; several processes
 * may use the same file.
 */
#ifndef SQ_ARCHIVE_SEARCH_STORE_H
#define SQ_ARCHIVE_SEARCH_STORE_H

#include "archive/archive.h"
#include "archive/search/terms.h"
#include "vision/reader.h"

struct sq_search_store;

/* Pictures with the same text share a page if they are of the same day (UTC).
 */
#define SQ_SEARCH_DAY_S 86400

/*
 * Opens the index of a file. With may_create, makes a missing one; otherwise
 * fails with SQ_ERR_NOT_FOUND. With may_create, replaces an index of another
 * version; without, such an index counts as missing. deadline must outlive the
 * store. Fails with SQ_ERR_FORMAT and a hint if the file is damaged.
 */
bool sq_search_store_open(const char *path, bool may_create,
                          const struct sq_deadline *deadline,
                          struct sq_search_store **out, struct sq_err *err);

/* Reads all of the index. Fails with SQ_ERR_FORMAT if it is damaged. */
bool sq_search_store_check(struct sq_search_store *store, struct sq_err *err);

/* Accepts NULL. */
void sq_search_store_close(struct sq_search_store *store);

/* Removes the index and its side files. Succeeds if there is none. */
bool sq_search_store_delete(const char *path, struct sq_err *err);

/* By which a changed file is noticed. */
struct sq_search_state {
    int64_t size;
    int64_t mtime_ns;
};

/* Of the bytes of a file: no two different files with an equal one are known.
 */
struct sq_search_digest {
    uint8_t bytes[16];
};

struct sq_search_digest sq_search_digest_of(const struct sq_buf *bytes);

bool sq_search_digest_equal(const struct sq_search_digest *a,
                            const struct sq_search_digest *b);

/* A picture of the root. */
struct sq_search_file {
    const struct sq_archive_pick *pick;
    struct sq_span path; /* relative to the root */
    struct sq_search_state state;
    struct sq_search_digest digest; /* not used if it is unreadable */
    int missed;                     /* lines that could not be read */
};

/* In place of the id of a page. */
#define SQ_SEARCH_UNREADABLE (-1)

/* What the index knows about a file of the root. */
struct sq_search_known {
    bool is_known;
    int64_t page;                   /* its text, or unreadable */
    struct sq_search_state state;   /* when it was read */
    struct sq_search_digest digest; /* then */
    int missed;                     /* lines that could not be read */
    bool has_app;                   /* the page has an activity, and the line
                                       of its title, which may be empty */
};

/* path is relative to the root. */
bool sq_search_store_look_up(struct sq_search_store *store, struct sq_span path,
                             struct sq_search_known *out, struct sq_err *err);

/* A picture that was read. */
struct sq_search_page {
    struct sq_search_file file;
    const struct sq_text *text;
    struct sq_size size;
    struct sq_span app; /* what was done then: its name, a newline and its
                           title; empty: unknown */
    int64_t like; /* a page of the same day (UTC) and activity, which is used if
                     its text is the same; not above 0: none */
};

/*
 * Adds a picture: all of it, or on failure nothing. *id is that of its page,
 * which may have no text. What was known about the file before is replaced; the
 * page that it had is removed by sq_search_store_prune.
 */
bool sq_search_store_add(struct sq_search_store *store,
                         const struct sq_search_page *page, int64_t *id,
                         struct sq_err *err);

/*
 * Adds a picture that is equal to one of a page of the same day (UTC), or with
 * SQ_SEARCH_UNREADABLE one that could not be read.
 */
bool sq_search_store_add_file(struct sq_search_store *store,
                              const struct sq_search_file *file, int64_t page,
                              struct sq_err *err);

/*
 * Adds the activity of a picture whose page lacks it: gives the file a copy of
 * that page with the activity; *id is the copy's. The other pictures of the
 * page keep it, which sq_search_store_prune removes after the last one.
 */
bool sq_search_store_add_app(struct sq_search_store *store,
                             const struct sq_search_file *file, int64_t page,
                             struct sq_span app, int64_t *id,
                             struct sq_err *err);

/*
 * Removes the texts of files that no longer exist or have other texts now, also
 * from the bytes of the index. exists may be NULL: then all files are kept.
 */
bool sq_search_store_prune(struct sq_search_store *store,
                           bool (*exists)(void *context, struct sq_span path),
                           void *context, int64_t *removed, struct sq_err *err);

/* Merges the parts that many additions leave, which makes searches faster. */
bool sq_search_store_optimize(struct sq_search_store *store,
                              struct sq_err *err);

/* Return and set the number of the redaction rules of the texts; 0: none. */
bool sq_search_store_rules(struct sq_search_store *store, int *out,
                           struct sq_err *err);
bool sq_search_store_set_rules(struct sq_search_store *store, int rules,
                               struct sq_err *err);

/* Which files of a day (UTC) are in the index, if all of them was read. */
struct sq_search_day {
    bool is_known; /* the index has or had files of this day */
    int64_t count;
    uint64_t digest; /* the sum of sq_search_digest of their shots */
};

/* Returns a number that is equal for equal names of full pictures. */
uint64_t sq_search_digest(const struct sq_shot *shot);

/* Returns which files of a day, counted from 1970, are in the index. */
bool sq_search_store_day(struct sq_search_store *store, int64_t day,
                         struct sq_search_day *out, struct sq_err *err);

/* Returns whether any page has words of an activity. */
bool sq_search_store_has_apps(struct sq_search_store *store, bool *out,
                              struct sq_err *err);

/* What is done with a file that has the words. */
enum sq_search_use {
    SQ_SEARCH_CURRENT, /* it may be a hit */
    SQ_SEARCH_CHANGED, /* or deleted: it is counted */
    SQ_SEARCH_HIDDEN,  /* as if it were not in the index */
};

struct sq_search_request {
    struct sq_search_query query; /* without terms: all pages */
    struct sq_search_terms apps;  /* words of the activity; may be empty */
    int64_t from_utc;
    int64_t to_utc; /* exclusive */
    size_t max;
    const struct sq_deadline *deadline;
    /*
     * Returns what to do with a file that had that state when it was read; of
     * *pick the place and the shot are known. NULL: it may be a hit.
     */
    enum sq_search_use (*use)(void *context, const struct sq_archive_pick *pick,
                              struct sq_span path,
                              const struct sq_search_state *state);
    void *context;
};

/* How well a page has the words; the best first. */
enum sq_search_rank {
    SQ_SEARCH_WHOLE,   /* all as they are */
    SQ_SEARCH_PART,    /* some as parts of words */
    SQ_SEARCH_MISREAD, /* some as words of which a character was confused */
    SQ_SEARCH_DISTANT, /* some as words of which any one character differs */
    SQ_SEARCH_RANKS,
};

/* Pages in a row with all words in the same line: their first picture. */
struct sq_search_hit {
    struct sq_archive_pick pick;  /* the root is set by the caller */
    struct sq_search_state state; /* of its file when it was read */
    int64_t last_utc;    /* of the last one in the window with the same text */
    struct sq_size size; /* of the picture */
    char snippet[SQ_SEARCH_SNIPPET_BYTES + 1]; /* untrusted */
    struct sq_rect box; /* of the words in the picture that the snippet shows */
    int64_t page;       /* the first of them */
    enum sq_search_rank rank;
};

struct sq_search_found {
    size_t count;
    bool has_more;
    size_t outdated; /* left out: their files have changed or do not exist */
    bool is_partial; /* too many words have a part of the text: not all of
                        them were searched */
};

/*
 * Finds pages by rank, each newest first. A term with signs or spaces inside
 * must be in one line. Pages of the last rank are searched only if there are no
 * others. Without words, pages in a row of one activity are a hit. hits has
 * room for request->max.
 */
bool sq_search_store_find(struct sq_search_store *store,
                          const struct sq_search_request *request,
                          struct sq_search_hit *hits,
                          struct sq_search_found *found, struct sq_err *err);

#endif
