/* Declarations shared by the files of this folder only. */
#ifndef SQ_INSPECTOR_PRIVATE_H
#define SQ_INSPECTOR_PRIVATE_H

#include "inspector/access.h"
#include "inspector/inspector.h"
#include "json/reader.h"
#include "json/writer.h"
#include "sys/deadline.h"
#include "sys/lock.h"

struct sq_inspector_viewers;

struct sq_inspector {
    struct sq_inspector_options options;
    struct sq_http_site site;
    struct sq_inspector_access access; /* used by the loop's thread only */
    struct sq_inspector_viewers *viewers;
};

/* A file of the page. */
struct sq_inspector_file {
    const char *path; /* below the prefix, such as "/main.js" */
    const char *type;
    const char *bytes;
    size_t size;
};

/* Generated from the folder page; ends with a row whose path is NULL. */
extern const struct sq_inspector_file sq_inspector_files[];

/* Decides what a request asks for; see struct sq_http_site. */
enum sq_http_site_step sq_inspector_route(void *context,
                                          const struct sq_http_head *head,
                                          bool has_token,
                                          struct sq_http_page *page);

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

sq_inspector_answer_fn sq_inspector_screen;    /* screen.c */
sq_inspector_answer_fn sq_inspector_elements;  /* elements.c */
sq_inspector_answer_fn sq_inspector_selectors; /* selectors.c */

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

/* Makes a writer hide what the text rules of redaction hide. */
void sq_inspector_mask(const struct sq_inspector *inspector,
                       struct sq_json_writer *w);

#endif
