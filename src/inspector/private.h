/* Declarations shared by the files of this folder only. */
#ifndef SQ_INSPECTOR_PRIVATE_H
#define SQ_INSPECTOR_PRIVATE_H

#include <stdatomic.h>

#include "inspector/inspector.h"

struct sq_inspector_viewers;
struct sq_inspector_news;

struct sq_inspector {
    struct sq_inspector_options options;
    struct sq_http_site site;
    struct sq_inspector_access access; /* used by the loop's thread only */
    int64_t started_ms;                /* since 1970 */
    struct sq_inspector_viewers *viewers;
    struct sq_inspector_news *news;
    struct sq_inspector_recorder *recorder;
    atomic_int tree_ms; /* that reading the elements took last time */
    char id[17]; /* of this process; in another one calls count from 1 again */
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
sq_inspector_answer_fn sq_inspector_element;        /* selectors.c */
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
 * Wakes the threads of all pages when a call, the gate or the recording has
 * changed: calls.c.
 */
bool sq_inspector_news_create(struct sq_call_log *calls,
                              struct sq_call_gate *gate,
                              struct sq_inspector_news **out,
                              struct sq_err *err);
void sq_inspector_news_destroy(struct sq_inspector_news *news);

/* Counts one change and wakes the threads. */
void sq_inspector_news_tell(struct sq_inspector_news *news);

/*
 * Estimates the contrast of the text in a part of a picture: 1 to 21; 0 if the
 * part has one colour only: selectors.c.
 */
double sq_inspector_contrast(const struct sq_image *image,
                             struct sq_region part);

/* The pictures that pages have: screen.c. */
bool sq_inspector_viewers_create(struct sq_inspector_viewers **out,
                                 struct sq_err *err);
void sq_inspector_viewers_destroy(struct sq_inspector_viewers *viewers);

/*
 * Opens the device of a request, "device", or the one that a call without a
 * name would use. End with sq_devices_release.
 */
bool sq_inspector_open_device(const struct sq_inspector_request *request,
                              struct sq_device **out, struct sq_err *err);

/* A tree of elements that was read for a request. Zero it first. */
struct sq_inspector_tree {
    struct sq_device *device;
    struct sq_screen screen;
    struct sq_tree tree;
    char warning[SQ_ERR_MESSAGE_SIZE + SQ_ERR_HINT_SIZE]; /* may be empty */
};

/* Reads the tree and keeps the device until sq_inspector_tree_finish. */
bool sq_inspector_tree_read(const struct sq_inspector_request *request,
                            struct sq_inspector_tree *out, struct sq_err *err);
void sq_inspector_tree_finish(const struct sq_inspector_request *request,
                              struct sq_inspector_tree *read);

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

struct sq_inspector_recorder;

bool sq_inspector_recorder_create(struct sq_inspector_recorder **out,
                                  struct sq_err *err);

/* Ends the journal, if one is being written. Accepts NULL. */
void sq_inspector_recorder_destroy(struct sq_inspector_recorder *recorder);

/* Writes the member "recording": null, or the journal that is being written. */
void sq_inspector_put_recording(struct sq_json_writer *w,
                                struct sq_inspector_recorder *recorder);

#define SQ_INSPECTOR_MAX_PARTS 32

/*
 * Writes rectangles that cover all changed tiles, inside a picture of that
 * size. If there would be too many, writes one that covers all. Returns their
 * number.
 */
size_t sq_inspector_parts(const struct sq_diff *diff, struct sq_size size,
                          struct sq_region out[SQ_INSPECTOR_MAX_PARTS]);

#endif
