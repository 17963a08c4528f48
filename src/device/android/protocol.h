/*
 * Encodes and decodes the adb server's protocol: requests, answers and streams.
 * Independent of the transport.
 */
#ifndef SQ_DEVICE_ANDROID_PROTOCOL_H
#define SQ_DEVICE_ANDROID_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* A source of bytes. */
struct sq_adb_source {
    /* Reads exactly len bytes. Fails with SQ_ERR_TRUNCATED at the end. */
    bool (*read)(void *context, void *into, size_t len, struct sq_err *err);
    /* Reads at least one byte. *got is 0 at the end of the stream. */
    bool (*read_some)(void *context, void *into, size_t capacity, size_t *got,
                      struct sq_err *err);
    void *context;
    /*
     * Checks before up to `capacity` bytes are added to an output without
     * reading, as decompression does. May be NULL.
     */
    bool (*admit)(void *context, size_t capacity, struct sq_err *err);
};

#define SQ_ADB_MAX_REQUEST 65535

/* Parses one to eight hexadecimal digits. */
bool sq_adb_parse_hex(struct sq_span digits, unsigned *out);

/*
 * Appends a request: its length in four digits, then its text. Fails with
 * SQ_ERR_LIMIT if the length does not fit four digits.
 */
bool sq_adb_put_request(struct sq_buf *out, struct sq_span request,
                        struct sq_err *err);

/*
 * Reads the status of a request. A refusal is an error with the server's
 * reason: SQ_ERR_DEVICE_NOT_FOUND or SQ_ERR_DEVICE_OFFLINE if it is about the
 * device, SQ_ERR_UNSUPPORTED if the request is not known, else SQ_ERR_IO.
 */
bool sq_adb_read_status(const struct sq_adb_source *source, struct sq_err *err);

/* Appends a text that is preceded by its length in four digits. */
bool sq_adb_read_text(const struct sq_adb_source *source, struct sq_buf *out,
                      struct sq_err *err);

/* Appends everything up to the end of the stream. */
bool sq_adb_read_rest(const struct sq_adb_source *source, struct sq_buf *out,
                      struct sq_err *err);

/*
 * Removes the carriage return that a terminal inserted before every line feed,
 * in the bytes from `start` on.
 */
void sq_adb_undo_terminal(struct sq_buf *bytes, size_t start);

/* Requests of the `sync:` service about a file. */
enum sq_adb_sync {
    SQ_ADB_STAT,
    SQ_ADB_RECV,
};

#define SQ_ADB_MAX_PATH 1024

/* Appends a sync request. Fails with SQ_ERR_LIMIT if the path is too long. */
bool sq_adb_put_sync(struct sq_buf *out, enum sq_adb_sync request,
                     struct sq_span path, struct sq_err *err);

/* All zero: there is no such file. */
struct sq_adb_stat {
    uint32_t mode;
    uint32_t size;
    uint32_t modified_s; /* since 1970 */
};

/* Reads the answer to SQ_ADB_STAT. */
bool sq_adb_read_stat(const struct sq_adb_source *source,
                      struct sq_adb_stat *out, struct sq_err *err);

/*
 * Appends the file sent in answer to SQ_ADB_RECV, until there are at least
 * `part` more bytes, or sets *ended. Fails with SQ_ERR_NOT_FOUND if there is no
 * such file, else with SQ_ERR_IO. *out is unchanged on failure.
 */
bool sq_adb_read_file(const struct sq_adb_source *source, size_t part,
                      struct sq_buf *out, bool *ended, struct sq_err *err);

#endif
