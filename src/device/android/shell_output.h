/* What a command on the device says: its streams apart, as shell v2 has them.
 */
#ifndef SQ_DEVICE_ANDROID_SHELL_OUTPUT_H
#define SQ_DEVICE_ANDROID_SHELL_OUTPUT_H

#include "device/android/protocol.h"
#include "image/incoming.h"
#include "sys/quota.h"

/* A value; see sq_adb_output_init. */
struct sq_adb_output {
    struct sq_buf out; /* its standard output; without v2 all it said */
    struct sq_buf
        errors; /* the first of its standard error; empty without v2 */
    int status; /* as it exited; 0 where that cannot be known */
    /*
     * The output tells by itself whether it is whole, as a picture does:
     * without v2, but byte for byte, nothing is said behind it.
     */
    bool is_binary;
    /* It changes something: without an answer nobody knows whether it did. */
    bool is_action;
    /* Sees out grow from nothing, with v2 only; NULL: nobody does. */
    const struct sq_capture_observer *observer;
    /* The most bytes out will have, by its first ones; 0: not known yet. */
    size_t (*measure)(const struct sq_buf *out);
    size_t most;  /* as measured; 0: not yet */
    int weight;   /* bytes of memory that a byte costs in the end; 0: one */
    int wait_ms;  /* for memory, and then SQ_ERR_LIMIT; 0: to the deadline */
    size_t spilt; /* bytes of standard error that were not kept */
    struct sq_quota_part memory; /* what it holds; see memory.h */
};

/* So much of its standard error is kept, ... */
#define SQ_ADB_MAX_ERRORS ((size_t)1 << 20)
/* ... and so much more is read and forgotten before it is SQ_ERR_LIMIT. */
#define SQ_ADB_MAX_SPILT ((size_t)16 << 20)

/*
 * Commands in one exchange are told apart by a mark. Behind the last one, with
 * the exit status, it stands for what only v2 tells: that this was all.
 */
#define SQ_MARK "--squint--"
#define SQ_ADB_END_COMMAND ";echo " SQ_MARK "$?"

void sq_adb_output_init(struct sq_adb_output *said, size_t max_bytes);

/* Safe on a zeroed value. */
void sq_adb_output_finish(struct sq_adb_output *said);

/* Forget all that was said, and give its memory back: for another try. */
void sq_adb_output_clear(struct sq_adb_output *said);

/*
 * Append what the packets of `shell,v2,raw:` hold, up to the exit status. A
 * stream that ends before is SQ_ERR_TRUNCATED. What had come by then stays in
 * *said.
 */
bool sq_adb_read_shell(const struct sq_adb_source *source,
                       struct sq_adb_output *said, struct sq_err *err);

/*
 * Cut what SQ_ADB_END_COMMAND has said off said->out, from start on, and take
 * the exit status from it. SQ_ERR_TRUNCATED where it is not at the very end.
 */
bool sq_adb_cut_end(struct sq_adb_output *said, size_t start,
                    struct sq_err *err);

#endif
