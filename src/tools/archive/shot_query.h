/*
 * Chooses archived shots for a request and checks that their files are complete
 * if the disk is fast. Shared by lists and contact sheets.
 */
#ifndef SQ_TOOLS_ARCHIVE_SHOT_QUERY_H
#define SQ_TOOLS_ARCHIVE_SHOT_QUERY_H

#include "archive/library.h"
#include "archive/sampling/sampling.h"
#include "archive/search/search.h"
#include "archive/store/fingerprint.h"
#include "json/writer.h"
#include "tool/tool.h"

#define SQ_SHOT_QUERY_MAX 100 /* shots per reply */

/* A plain value; zeroed: nothing is known. */
struct sq_available {
    bool is_known;
    int64_t today; /* local days since 1970 */
    struct sq_archive_range range;
    uint32_t monitors[8]; /* one bit per monitor with shots in the window */
    const struct sq_archive_months *months; /* NULL: not counted */
};

/* Finds out what exists if a window is empty. */
bool sq_available_find(struct sq_call *call,
                       const struct sq_archive_window *window,
                       struct sq_available *out, struct sq_err *err);

/*
 * Counts the shots per month; out->months is in the call's arena. root and
 * monitor may be SQ_ARCHIVE_ANY.
 */
bool sq_available_count(struct sq_call *call, int root, int monitor,
                        struct sq_available *out, struct sq_err *err);

/* Returns whether other monitors have shots in the window. */
bool sq_available_elsewhere(const struct sq_available *available);

struct sq_shot_query_request {
    struct sq_span at;    /* a moment: the shots nearest to it, instead of a
                             window */
    struct sq_span start; /* without start and end, all shots are only
                             counted */
    struct sq_span end;
    struct sq_span root; /* empty: all */
    int monitor;         /* or SQ_ARCHIVE_ANY */
    enum sq_sampling sampling;
    bool prefers_looks; /* COVERAGE instead of ACTIVITY if no activity is
                           known and not all shots fit */
    int interval_s;     /* as in sq_choose_request */
    size_t max_count;
    /*
     * Empty: a selection spread over the window. "start", or the `next` of the
     * previous page: all shots in order, page by page.
     */
    struct sq_span cursor;
};

struct sq_shot_query_shot {
    struct sq_archive_pick pick;
    struct sq_span activity; /* activity at that time; empty: unknown */
    int width;               /* of the full picture; 0: unknown */
    int height;
};

#define SQ_CURSOR_SIZE 48

/* A plain value: zero it first and always finish it. */
struct sq_shot_query {
    struct sq_window window;
    int root;                       /* the requested root, or SQ_ARCHIVE_ANY */
    char note[SQ_WINDOW_NOTE_SIZE]; /* how the dates were interpreted */
    struct sq_archive_listing listing;
    size_t total;                  /* shots in the window, or in total */
    struct sq_available available; /* if the window is empty or not given */
    struct sq_segments segments;
    struct sq_choice choice;
    struct sq_shot_query_shot *shots; /* in the call's arena */
    size_t count;
    bool is_moment;                       /* the shots nearest to a moment */
    bool is_limited;                      /* max_count limited the selection */
    unsigned unusable[SQ_ARCHIVE_FAULTS]; /* skipped or replaced, by fault */
    struct sq_archive_compared compared;  /* compared pictures, if needed */
    unsigned unchecked;            /* shots whose files were not checked */
    char next[SQ_CURSOR_SIZE];     /* the cursor of the next page */
    struct sq_archive_state state; /* state after the query */
};

/* Runs a query. Problems with folders or files are counted, not fatal. */
bool sq_shot_query_make(struct sq_call *call,
                        const struct sq_shot_query_request *request,
                        struct sq_shot_query *out, struct sq_err *err);

/* Returns whether all shots were counted, because no window was given. */
bool sq_shot_query_is_counted(const struct sq_shot_query *query);

/* Safe on a zeroed value. */
void sq_shot_query_finish(struct sq_shot_query *query);

/* Writes the member "activity", shortened; nothing if unknown. */
void sq_shot_query_put_activity(const struct sq_shot_query_shot *shot,
                                struct sq_json_writer *w);

/* Activities are cut to this length. */
#define SQ_ACTIVITY_BYTES 64

/* Writes window, truncation and diagnostics; nothing about single shots. */
void sq_shot_query_put_summary(const struct sq_shot_query *query,
                               const struct sq_call *call,
                               struct sq_json_writer *w);

/*
 * Writes "time", the recorded time of each app in the window, longest first, or
 * "timeNote", why it is not known. Reads it into query->segments, which must be
 * empty.
 */
bool sq_time_by_app_put(struct sq_call *call, struct sq_shot_query *query,
                        struct sq_json_writer *w, struct sq_err *err);

/* Writes window, sampling, truncation, coverage and diagnostics. */
void sq_shot_query_put(const struct sq_shot_query *query,
                       const struct sq_call *call, struct sq_json_writer *w);

/*
 * Limit of compared shots: even a known fingerprint costs one stat of the file.
 */
#define SQ_COMPARE_MAX 20000

/* Which shots are compared: all, or an even sample of SQ_COMPARE_MAX. */
struct sq_compare_sample {
    struct sq_shots shots;
    const uint32_t *indexes; /* of each in the listing; in the call's arena */
};

bool sq_compare_sample(struct sq_call *call, const struct sq_shots *all,
                       struct sq_compare_sample *out, struct sq_err *err);

/* Fills query->segments with the scenes of the first monitor. */
bool sq_compare_scenes(struct sq_call *call, struct sq_shot_query *query,
                       struct sq_err *err);

/*
 * Returns in *out the fingerprints of the shots of a sample; the caller frees
 * them with sq_mem_free. *out is unchanged if there are none.
 */
bool sq_compare_all(struct sq_call *call, struct sq_shot_query *query,
                    const struct sq_compare_sample *sample,
                    struct sq_image_fingerprint **out, struct sq_err *err);

struct sq_text_search {
    struct sq_span text;  /* a query; empty: any text */
    struct sq_span start; /* dates as in a list; empty: any time */
    struct sq_span end;
    struct sq_span app; /* empty: any */
    size_t max;
};

/*
 * Searches the index. note says how the dates were read; it may be empty. Fails
 * with SQ_ERR_ARGUMENT if nothing limits the search,
 * with SQ_ERR_NOT_FOUND and a hint if no folder has an index, and with
 * SQ_ERR_INVALID_OPERATION if app is given and no activity is known. The result
 * lives in the call's arena.
 */
bool sq_text_search_run(struct sq_call *call,
                        const struct sq_text_search *search,
                        struct sq_search_result *out,
                        char note[SQ_WINDOW_NOTE_SIZE], struct sq_err *err);

/*
 * Writes how many pictures of the time were searched and how many are unread,
 * what else was not searched, as numbers, and note, which also says what to do.
 */
bool sq_text_search_put_notes(struct sq_call *call,
                              const struct sq_search_result *result,
                              struct sq_json_writer *w, struct sq_err *err);

#endif
