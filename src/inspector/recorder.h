/* Declarations of recorder.c: records calls for the page, keeps journals. */
#ifndef SQ_INSPECTOR_RECORDER_H
#define SQ_INSPECTOR_RECORDER_H

#include "json/writer.h"
#include "util/buf.h"
#include "util/err.h"

struct sq_inspector_recorder;
struct sq_inspector_request;

bool sq_inspector_recorder_create(struct sq_inspector_recorder **out,
                                  struct sq_err *err);

/* Ends the journal, if one is being written. Accepts NULL. */
void sq_inspector_recorder_destroy(struct sq_inspector_recorder *recorder);

/* Writes the member "recording": null, or the journal that is being written. */
void sq_inspector_put_recording(struct sq_json_writer *w,
                                struct sq_inspector_recorder *recorder);

/*
 * Reads the journal that a request names. *out must hold no memory before; the
 * caller finishes it, also after a failure.
 */
bool sq_inspector_read_journal(const struct sq_inspector_request *request,
                               struct sq_buf *out, struct sq_err *err);

#endif
