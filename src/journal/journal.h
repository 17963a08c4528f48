/*
 * Reads a journal: the recorded calls of a server, as lines of JSON. The first
 * line is the header, then come pictures and the calls that contain them. Pure.
 *
 *   {"journal":1,"version":"1.2.0","started":1763285591000}
 *   {"picture":1,"mimeType":"image/jpeg","data":"/9j/4AAQ..."}
 *   {"call":1,"client":1,"clientName":"agent","tool":"ui","operation":
 *    "screenshot","arguments":{...},"content":[{"type":"image","picture":1},
 *    {"type":"text","text":"{...}"}],...}
 */
#ifndef SQ_JOURNAL_JOURNAL_H
#define SQ_JOURNAL_JOURNAL_H

#include "tool/call_log.h"

#define SQ_JOURNAL_FORMAT 1
#define SQ_JOURNAL_MAX_BYTES ((size_t)1 << 30)
#define SQ_JOURNAL_MAX_CALLS 100000

/* One block of an answer. */
struct sq_journal_block {
    enum sq_block_kind kind;
    enum sq_audience audience;
    struct sq_span mime_type; /* may be empty */
    struct sq_span text;      /* of a text */
    struct sq_span base64;    /* of a picture; empty: not recorded */
    struct sq_span uri;       /* of a link */
    struct sq_span name;      /* of a link */
};

struct sq_journal_call {
    int line;
    uint64_t number;
    uint64_t client;
    struct sq_span tool;
    struct sq_span operation;
    const struct sq_json *arguments; /* an object */
    bool acts;
    bool has_secrets; /* typed texts of the arguments are "[secret N]" */
    const struct sq_journal_block *blocks;
    size_t block_count;
    const struct sq_json
        *reply;           /* the first text, if it is JSON; may be NULL */
    struct sq_span error; /* "ELEMENT_NOT_FOUND"; empty: it succeeded */
    struct sq_span message;
    struct sq_span hint;
    const struct sq_json *details; /* of the error; may be NULL */
};

struct sq_journal {
    struct sq_arena arena;  /* owns everything but the text of the file */
    struct sq_span version; /* of the program that wrote it */
    struct sq_journal_call *calls;
    size_t count;
    bool is_incomplete; /* the writer was ended in the middle of a line */
    bool is_full;       /* the writer stopped at its limit */
};

/*
 * Parses the text of a file, which must outlive the journal. An incomplete last
 * line is ignored. Errors name the line. Zero *out before; the caller finishes
 * it, also after a failure.
 */
bool sq_journal_parse(struct sq_span text, struct sq_journal *out,
                      struct sq_err *err);

/*
 * Returns whether a value equals a recorded one. Members may have any order. A
 * recorded text that is "[secret N]" or "[redacted]" equals every text. given
 * may be NULL.
 */
bool sq_journal_same_value(const struct sq_json *recorded,
                           const struct sq_json *given);

/* Safe on a zeroed value. */
void sq_journal_finish(struct sq_journal *journal);

/*
 * Writes every finished call of a log to a journal. Each call is appended when
 * it ends, so a process that is killed loses only the calls that run.
 */
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
