/* Writes JSON objects that are lines. */
#ifndef SQ_APP_JSON_LINE_H
#define SQ_APP_JSON_LINE_H

#include "json/writer.h"

/* Begins an object that is all of a line. */
static inline void
sq_json_begin_line(struct sq_json_writer *w, struct sq_buf *out) {
    sq_json_writer_init(w, out);
    sq_json_begin_object(w);
}

/* Ends the object and the line. */
static inline bool
sq_json_end_line(struct sq_json_writer *w, struct sq_err *err) {
    sq_json_end_object(w);
    return sq_json_writer_done(w, err) && sq_buf_append(w->out, "\n", 1, err);
}

#endif
