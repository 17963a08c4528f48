/*
 * Writes every finished call of a log to a journal. Each call is appended when
 * it ends, so a process that is killed loses only the calls that run.
 */
#ifndef SQ_JOURNAL_WRITER_H
#define SQ_JOURNAL_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/call_log.h"
#include "util/buf.h"
#include "util/err.h"

struct sq_journal_writer;

struct sq_journal_options {
    const char *path;    /* a new file, or a folder to create one in */
    size_t max_bytes;    /* of the file; 0: the default of 256 MB */
    const char *version; /* of this program */
    /* Prints one line when the journal cannot go on; may be NULL. */
    void (*print_message)(const char *message);
};

/*
 * Creates the file and starts to listen. Fails if it cannot be created or
 * exists. The log must outlive the writer.
 */
bool sq_journal_writer_create(const struct sq_journal_options *options,
                              struct sq_call_log *log,
                              struct sq_journal_writer **out,
                              struct sq_err *err);

/* Returns the path of the file. */
const char *sq_journal_writer_path(const struct sq_journal_writer *writer);

/* What was written so far. */
struct sq_journal_progress {
    uint64_t calls;
    size_t bytes;
    const char *ended; /* why nothing more is written; NULL: it goes on */
};

/* Any thread. The text lives as long as the writer. */
struct sq_journal_progress
sq_journal_writer_progress(const struct sq_journal_writer *writer);

/* Accepts NULL. */
void sq_journal_writer_destroy(struct sq_journal_writer *writer);

/*
 * Appends the lines of one call. last_picture is the number of the last picture
 * in the journal. Pure.
 */
bool sq_journal_put_call(const struct sq_logged_call *call,
                         uint64_t *last_picture, struct sq_buf *out,
                         struct sq_err *err);

#endif
