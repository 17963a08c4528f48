/*
 * From the words of a request to the past shots chosen for it, each of them
 * checked to be whole if the disk is fast: what lists and contact sheets share.
 */
#ifndef SQ_TOOLS_SHOT_QUERY_H
#define SQ_TOOLS_SHOT_QUERY_H

#include "archive/sampling.h"
#include "archive/library.h"
#include "archive/state.h"
#include "tool/tool.h"
#include "tools/available.h"

#define SQ_SHOT_QUERY_MAX 100 /* shots in one answer */

struct sq_shot_query_ask {
    struct sq_span start; /* without either date, all shots are only counted */
    struct sq_span end;
    struct sq_span root; /* empty: all */
    int monitor;         /* or SQ_ARCHIVE_ANY */
    enum sq_sampling sampling;
    int interval_s; /* as in sq_choose_ask */
    size_t max_count;
    /*
     * Empty: a choice spread over the window. "start", or where the page
     * before ended: all of them, in their order, page by page.
     */
    struct sq_span cursor;
};

struct sq_shot_query_shot {
    struct sq_archive_pick pick;
    struct sq_span activity; /* what was done then; empty: unknown */
    int width;               /* of the whole picture; 0: unknown */
    int height;
};

#define SQ_CURSOR_SIZE 48

/* A value: start zeroed, finish always. */
struct sq_shot_query {
    struct sq_window window;
    int root; /* the only one asked for, or SQ_ARCHIVE_ANY */
    char note[SQ_WINDOW_NOTE_SIZE]; /* how the dates were read */
    struct sq_archive_listing listing;
    size_t total;                  /* shots in the window, or at all */
    struct sq_available available; /* where the window is empty, or unsaid */
    struct sq_segments segments;
    struct sq_choice choice;
    struct sq_shot_query_shot *shots; /* in the call's arena */
    size_t count;
    bool is_limited; /* more would have been chosen without max_count */
    unsigned unusable[SQ_ARCHIVE_FAULTS]; /* left out or replaced, by why */
    struct sq_archive_compared compared;  /* pictures, if they had to be */
    unsigned unchecked;            /* shots whose files were not looked at */
    char next[SQ_CURSOR_SIZE];     /* the cursor of the next page */
    struct sq_archive_state state; /* after it */
};

/* Nothing that is wrong with folders or files fails it: it is counted. */
bool sq_shot_query_make(struct sq_call *call,
                        const struct sq_shot_query_ask *ask,
                        struct sq_shot_query *out, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_shot_query_finish(struct sq_shot_query *survey);

/* The member "activity", as long as a list can afford; nothing if unknown. */
void sq_shot_query_put_activity(const struct sq_shot_query_shot *shot,
                                struct sq_json_writer *w);

/* At most so many bytes of an activity, cut at the end of a character. */
#define SQ_ACTIVITY_BYTES 64
struct sq_span sq_shot_query_activity(const struct sq_shot_query_shot *shot);

/* window, sampling, truncation, coverage and diagnostics of the answer. */
void sq_shot_query_put(const struct sq_shot_query *survey,
                       const struct sq_call *call, struct sq_json_writer *w);

#endif
