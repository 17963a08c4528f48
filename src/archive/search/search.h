/*
 * Finds archived screenshots by the text in them. The text is in an index that
 * sq_search_build makes; without one nothing is found and nothing is opened.
 */
#ifndef SQ_ARCHIVE_SEARCH_SEARCH_H
#define SQ_ARCHIVE_SEARCH_SEARCH_H

#include "archive/archive_private.h"
#include "archive/library.h"
#include "archive/search/store.h"
#include "redact/redact.h"

#define SQ_SEARCH_MAX_HITS 100

/* The pictures of a window whose text cannot be found. */
struct sq_search_unread {
    size_t pictures;   /* all of the window, without thumbnails alone */
    size_t unread;     /* not read yet, or changed since they were read */
    size_t unreadable; /* files that could not be used when they were read */
    size_t incomplete; /* of which lines could not be read */
    size_t small;      /* shots of which only a thumbnail exists */
    bool is_partial;   /* the folder is slow: there may be more */
};

struct sq_search_result {
    /* Whole words before parts, then newest first; in the given arena. */
    struct sq_search_hit *hits;
    size_t count;
    bool has_more;
    unsigned searched;  /* roots with an index */
    unsigned unindexed; /* roots without one */
    unsigned forbidden; /* roots whose permission is not full */
    unsigned outdated;  /* roots whose index was made with other rules */
    unsigned troubled;  /* roots whose folder cannot be read */
    int troubled_root;  /* the last of them */
    enum sq_archive_trouble trouble; /* of that one */
    size_t changed; /* hits left out: their files have changed or are gone */
    struct sq_search_unread unread;
    bool is_partial; /* not all words with a part of the text were searched */
    bool has_apps;   /* with request->apps: any picture has a known activity */
};

/*
 * Searches all roots whose permission is full: text is content of the full
 * picture. With rules of redaction, an index that was made with others is not
 * searched: it may hold what must be hidden now. redactor may be NULL. Finds
 * only pictures that are as they were when they were read.
 */
bool sq_search_find(struct sq_archive *archive,
                    const struct sq_redactor *redactor,
                    const struct sq_search_request *request,
                    struct sq_arena *arena, struct sq_search_result *out,
                    struct sq_err *err);

/* How much of a root can be searched. */
struct sq_search_coverage {
    bool is_permitted;               /* false: the others are not set */
    enum sq_archive_trouble trouble; /* of its folder */
    bool has_index;
    struct sq_search_unread unread;
};
bool sq_search_cover(struct sq_archive *archive, size_t root,
                     const struct sq_deadline *deadline,
                     struct sq_search_coverage *out, struct sq_err *err);

struct sq_search_progress {
    size_t done; /* pictures */
    size_t all;
    size_t read;    /* of done: were read */
    size_t alike;   /* of done: are equal to the one before */
    size_t changed; /* of done: had other contents when they were read before */
    int64_t lines_read;
    int64_t lines_known;
};

struct sq_search_build_request {
    const struct sq_library *past;
    struct sq_reader *reader;
    struct sq_archive_window window;
    const struct sq_redactor *redactor; /* hides words; NULL: none */
    const struct sq_deadline *deadline;
    bool repairs; /* checks all of the index first, and replaces a damaged one;
                     false: fails if damage is noticed */
    /* Called after each picture; may be NULL. */
    void (*report)(void *context, const struct sq_search_progress *progress);
    void *context;
};

struct sq_search_built {
    struct sq_search_progress progress;
    size_t known;       /* were in the index before */
    size_t named;       /* of these, how many got their activity now */
    size_t unreadable;  /* files that cannot be used now */
    size_t small;       /* shots of which only a thumbnail exists */
    int64_t removed;    /* files that no longer exist */
    unsigned folders;   /* roots whose pictures were looked at */
    unsigned forbidden; /* roots whose permission is not full */
    unsigned troubled;  /* roots whose folder cannot be read */
    int troubled_root;  /* the last of them */
    enum sq_archive_trouble trouble; /* of that one */
    unsigned rebuilt;  /* indexes that were damaged and are made again */
    bool is_cancelled; /* what was read until then is in the index */
};

/*
 * Reads the pictures that the index does not have, by day, latest day first.
 * Each picture is stored when it is read, so that the next call goes on where
 * this one ended. Pictures that were read before their activities were known
 * get them, without being read again. If the window has no limits, also removes
 * what no longer exists. An index that was made with other rules of redaction
 * is made again. Succeeds with is_cancelled if it is cancelled or reaches its
 * deadline.
 */
bool sq_search_build(const struct sq_search_build_request *request,
                     struct sq_search_built *out, struct sq_err *err);

/* Returns whether two states are of the same contents. */
bool sq_search_state_equal(const struct sq_search_state *a,
                           const struct sq_search_state *b);

/* Writes the state of a file as text, to compare it later. */
#define SQ_SEARCH_STATE_SIZE 48
void sq_search_state_write(const struct sq_search_state *state,
                           char out[SQ_SEARCH_STATE_SIZE]);

/*
 * Returns in *out whether the file of a hit exists and has another state than
 * that text. An empty text stands for any state.
 */
bool sq_search_has_changed(struct sq_archive *archive,
                           const struct sq_archive_pick *pick,
                           const char *state,
                           const struct sq_deadline *deadline, bool *out,
                           struct sq_err *err);

/* Returns "does not exist", "is not a folder", … */
const char *sq_search_trouble_text(enum sq_archive_trouble trouble);

/* Fails for a root whose folder cannot be read, with what to do about it. */
bool sq_search_fail_troubled(const struct sq_library *past, int root,
                             enum sq_archive_trouble trouble,
                             struct sq_err *err);

/* Removes the indexes of all roots. *removed is how many there were. */
bool sq_search_delete(struct sq_archive *archive,
                      const struct sq_deadline *deadline, unsigned *removed,
                      struct sq_err *err);

/*
 * Removes the texts of pictures that no longer exist from the index of a root,
 * if it has one. *removed is how many pictures these were.
 */
bool sq_search_forget_removed(struct sq_archive *archive, size_t root,
                              const struct sq_deadline *deadline,
                              int64_t *removed, struct sq_err *err);

/*
 * Writes the path of the index of a root's texts. Returns false without an
 * error if there is no folder for it, or the root cannot be opened.
 */
bool sq_search_path(struct sq_archive *archive, size_t root,
                    const struct sq_deadline *deadline, char out[SQ_PATH_SIZE],
                    struct sq_err *err);

/* Returns whether text of a picture with that permission may be read. */
static inline bool
sq_search_may_read(enum sq_archive_permission permission) {
    return sq_permission_allows(permission).max_side == SQ_ARCHIVE_ANY_SIDE;
}

/* The folder of a root, to which paths are relative. */
struct sq_search_folder {
    bool is_permitted; /* its texts may be read and searched */
    enum sq_archive_trouble trouble;
    int fd; /* -1: there is trouble */
};
bool sq_search_enter(struct sq_archive *archive, size_t root,
                     const struct sq_deadline *deadline,
                     struct sq_search_folder *out, struct sq_err *err);
void sq_search_leave(const struct sq_search_folder *folder);

/* Returns the state of a file now; false if it does not exist. */
bool sq_search_state_of(int folder, struct sq_span path,
                        struct sq_search_state *out);

#endif
