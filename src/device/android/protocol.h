/*
 * The bytes of the adb server's protocol, whoever delivers them: requests and
 * their answers, and the streams that follow.
 */
#ifndef SQ_DEVICE_ANDROID_PROTOCOL_H
#define SQ_DEVICE_ANDROID_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* Where bytes come from. */
struct sq_adb_source {
    /* Exactly so many, or SQ_ERR_TRUNCATED where the other side ends. */
    bool (*read)(void *context, void *into, size_t len, struct sq_err *err);
    /* At least one; *got 0: the other side has ended. */
    bool (*read_some)(void *context, void *into, size_t room, size_t *got,
                      struct sq_err *err);
    void *context;
};

#define SQ_ADB_MAX_REQUEST 65535

/* One to eight hexadecimal digits, as the server writes numbers. */
bool sq_adb_parse_hex(struct sq_span digits, unsigned *out);

/*
 * Append a request: its length, four digits, and its text. SQ_ERR_LIMIT where
 * four digits are not enough.
 */
bool sq_adb_put_request(struct sq_buf *out, struct sq_span request,
                        struct sq_err *err);

/*
 * Read how a request was answered. A refusal is an error with the server's
 * reason: SQ_ERR_DEVICE_NOT_FOUND and SQ_ERR_DEVICE_OFFLINE where it is about
 * the device, SQ_ERR_UNSUPPORTED where the server or the device does not know
 * the request, else SQ_ERR_IO.
 */
bool sq_adb_read_status(const struct sq_adb_source *source, struct sq_err *err);

/* Append a text whose length, four digits, comes before it. */
bool sq_adb_read_text(const struct sq_adb_source *source, struct sq_buf *out,
                      struct sq_err *err);

/* Append everything up to the end. */
bool sq_adb_read_rest(const struct sq_adb_source *source, struct sq_buf *out,
                      struct sq_err *err);

/*
 * Undo what a terminal did to the bytes from `start` on: it put a carriage
 * return before every line feed.
 */
void sq_adb_undo_terminal(struct sq_buf *bytes, size_t start);

/* What `sync:` is asked about a file. */
enum sq_adb_sync {
    SQ_ADB_STAT,
    SQ_ADB_RECV,
};

#define SQ_ADB_MAX_PATH 1024

/* Append such a request. SQ_ERR_LIMIT where the path is too long. */
bool sq_adb_put_sync(struct sq_buf *out, enum sq_adb_sync request,
                     struct sq_span path, struct sq_err *err);

/* All zero: there is no such file. */
struct sq_adb_stat {
    uint32_t mode;
    uint32_t size;
    uint32_t modified_s; /* since 1970 */
};

/* Read the answer to SQ_ADB_STAT. */
bool sq_adb_read_stat(const struct sq_adb_source *source,
                      struct sq_adb_stat *out, struct sq_err *err);

/*
 * Append the file that answers SQ_ADB_RECV. A refusal is SQ_ERR_NOT_FOUND
 * where there is no such file, else SQ_ERR_IO. *out is unchanged on failure.
 */
bool sq_adb_read_file(const struct sq_adb_source *source, struct sq_buf *out,
                      struct sq_err *err);

#endif
