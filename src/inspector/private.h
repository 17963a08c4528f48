/* Declarations shared by the files of this folder only. */
#ifndef SQ_INSPECTOR_PRIVATE_H
#define SQ_INSPECTOR_PRIVATE_H

#include <stdatomic.h>

#include "inspector/inspector.h"

#define SQ_INSPECTOR_MAX_VIEWERS 6
#define SQ_INSPECTOR_VIEWER_SIZE 40 /* of its name */

/* What one page has: screen.c. */
struct sq_inspector_viewer {
    char name[SQ_INSPECTOR_VIEWER_SIZE]; /* chosen by the page; empty: unused */
    bool is_busy;
    int64_t used_ns;
    int64_t captured_ns;
    int took_ms;
    int interval_ms;
    int64_t sequence; /* number of the picture */
    char device[SQ_DEVICE_ID_SIZE];
    struct sq_image image;
};

struct sq_inspector {
    struct sq_inspector_options options;
    struct sq_http_site site;
    struct sq_inspector_access access; /* used by the loop's thread only */
    int64_t started_ms;                /* since 1970 */
    atomic_int tree_ms; /* that reading the elements took last time */
    char id[17]; /* of this process; in another one calls count from 1 again */

    struct sq_lock *viewers_lock; /* guards which of them are busy */
    struct sq_inspector_viewer viewers[SQ_INSPECTOR_MAX_VIEWERS];

    struct sq_lock *journal_lock;
    struct sq_journal_writer *journal; /* NULL: nothing is recorded */

    struct sq_call_listener listener;
    struct sq_lock *news_lock;
    uint64_t news; /* counts changes; see sq_inspector_tell */
};

/* A file of the page. */
struct sq_inspector_file {
    const char *path; /* below the prefix, such as "/main.js" */
    const char *type;
    const unsigned char *bytes;
    size_t size;
};

/* Generated from the folder page; ends with a row whose path is NULL. */
extern const struct sq_inspector_file sq_inspector_files[];

/* Runs a request of the page; see struct sq_http_site. */
void sq_inspector_run(void *context, const struct sq_http_site_call *call);

/* One request of the page. */
struct sq_inspector_request {
    struct sq_inspector *inspector;
    const struct sq_json *arguments; /* an object */
    struct sq_arena *arena;
    struct sq_deadline deadline;
    const struct sq_http_site_call *call;
};

/*
 * A request whose answer is the members of one JSON object. It writes them, or
 * fails.
 */
typedef bool sq_inspector_answer_fn(const struct sq_inspector_request *request,
                                    struct sq_json_writer *w,
                                    struct sq_err *err);

sq_inspector_answer_fn sq_inspector_screen;         /* screen.c */
sq_inspector_answer_fn sq_inspector_elements;       /* elements.c */
sq_inspector_answer_fn sq_inspector_element;        /* elements.c */
sq_inspector_answer_fn sq_inspector_call;           /* calls.c */
sq_inspector_answer_fn sq_inspector_set_gate;       /* calls.c */
sq_inspector_answer_fn sq_inspector_set_recording;  /* recorder.c */
sq_inspector_answer_fn sq_inspector_journals;       /* recorder.c */
sq_inspector_answer_fn sq_inspector_delete_journal; /* recorder.c */
sq_inspector_answer_fn sq_inspector_journal;        /* recorder.c */
sq_inspector_answer_fn sq_inspector_export;         /* recorder.c */
sq_inspector_answer_fn sq_inspector_search_calls;   /* trace.c */
sq_inspector_answer_fn sq_inspector_export_calls;   /* trace.c */

/* Writes the member "error". */
void sq_inspector_put_error(struct sq_json_writer *w, const struct sq_err *err);

/* Sends the calls of all clients as events until the page goes: calls.c. */
void sq_inspector_follow_calls(struct sq_inspector_request *request);

/* Plays a journal and sends what happens as events: recorder.c. */
void sq_inspector_replay(struct sq_inspector_request *request);

/*
 * Begins an event, a JSON object. Returns NULL without memory; otherwise send
 * it with sq_inspector_send_event.
 */
struct sq_mcp_message *sq_inspector_begin_event(struct sq_json_writer *w);

/* Sends an event. Returns false if the page has gone or there is no memory. */
bool sq_inspector_send_event(const struct sq_inspector_request *request,
                             struct sq_mcp_message *message,
                             struct sq_json_writer *w);

/*
 * Counts a change of a call, the gate or the recording, and wakes the threads
 * of all pages.
 */
void sq_inspector_tell(struct sq_inspector *inspector);

/*
 * Estimates the contrast of the text in a part of a picture: 1 to 21; 0 if the
 * part has one colour only: elements.c.
 */
double sq_inspector_contrast(const struct sq_image *image,
                             struct sq_region part);

/*
 * Opens the device of a request, "device", or the one that a call without a
 * name would use. End with sq_devices_release.
 */
bool sq_inspector_open_device(const struct sq_inspector_request *request,
                              struct sq_device **out, struct sq_err *err);

/*
 * Waits while agents use devices, and for a moment afterwards, if looking costs
 * that much; but not much longer than since the last look.
 */
bool sq_inspector_give_way(const struct sq_inspector_request *request,
                           int cost_ms, int64_t since_ns, struct sq_err *err);

/*
 * Captures the screen without what must be hidden. *out is initialised; the
 * caller finishes it.
 */
bool sq_inspector_capture(const struct sq_inspector_request *request,
                          struct sq_device *device, struct sq_capture *out,
                          struct sq_err *err);

/* Makes a writer hide what the text rules of redaction hide. */
void sq_inspector_mask(const struct sq_inspector *inspector,
                       struct sq_json_writer *w);

/* Writes the member "recording": null, or the journal that is being written. */
void sq_inspector_put_recording(struct sq_json_writer *w,
                                const struct sq_inspector *inspector);

#define SQ_INSPECTOR_MAX_PARTS 32

/*
 * Writes rectangles that cover all changed tiles, inside a picture of that
 * size. If there would be too many, writes one that covers all. Returns their
 * number.
 */
size_t sq_inspector_parts(const struct sq_diff *diff, struct sq_size size,
                          struct sq_region out[SQ_INSPECTOR_MAX_PARTS]);

#endif
