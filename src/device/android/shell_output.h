/* The output of a command on the device, and its shell v2 packet format. */
#ifndef SQ_DEVICE_ANDROID_SHELL_OUTPUT_H
#define SQ_DEVICE_ANDROID_SHELL_OUTPUT_H

#include "device/android/gunzip.h"
#include "device/android/protocol.h"
#include "image/pipeline/codec.h"
#include "sys/lock.h"

/* Initialised by sq_adb_output_init. */
struct sq_adb_output {
    struct sq_buf out;    /* stdout; without v2 also stderr */
    struct sq_buf errors; /* the start of stderr; empty without v2 */
    int status;           /* exit status; 0 if it cannot be known */
    /*
     * The output shows by itself whether it is complete, as a picture does.
     * Without v2 no end mark is added to binary-safe output then.
     */
    bool is_binary;
    /*
     * The command changes something. Without an answer it is unknown whether it
     * took effect.
     */
    bool is_action;
    /*
     * Decompresses stdout into out, with v2 only; NULL: stdout is not
     * compressed. Its state tells whether the stream was valid; one that was
     * not is no failure of reading.
     */
    struct sq_gunzip *gunzip;
    /* Receives out as it grows, with v2 only; may be NULL. */
    const struct sq_capture_observer *observer;
    /*
     * Returns the final size of out at most, judging by its first bytes; 0: not
     * known yet.
     */
    size_t (*measure)(const struct sq_buf *out);
    size_t expected_max; /* result of measure; 0: not known yet */
    int weight;          /* memory needed in the end per byte; 0: one */
    int wait_ms;         /* wait for memory at most; 0: to the deadline */
    size_t dropped;      /* bytes of stderr that were dropped */
    struct sq_quota_part memory; /* reserved memory; see memory.h */
};

/* This much of stderr is kept. */
#define SQ_ADB_MAX_ERRORS ((size_t)1 << 20)
/* This much more is read and dropped before SQ_ERR_LIMIT. */
#define SQ_ADB_MAX_DROPPED ((size_t)16 << 20)

/*
 * The mark separates the outputs of several commands in one exchange. At the
 * end, followed by the exit status, it shows that the output is complete, which
 * without v2 cannot be known otherwise.
 */
#define SQ_MARK "--squint--"
#define SQ_ADB_END_COMMAND ";echo " SQ_MARK "$?"

void sq_adb_output_init(struct sq_adb_output *output, size_t max_bytes);

/* Safe on a zeroed value. */
void sq_adb_output_finish(struct sq_adb_output *output);

/* Clears the output and frees its memory, for another attempt. */
void sq_adb_output_clear(struct sq_adb_output *output);

/*
 * Appends the contents of `shell,v2,raw:` packets up to the exit status. Fails
 * with SQ_ERR_TRUNCATED if the stream ends before that; *output keeps what was
 * read.
 */
bool sq_adb_read_shell(const struct sq_adb_source *source,
                       struct sq_adb_output *output, struct sq_err *err);

/*
 * Removes the output of SQ_ADB_END_COMMAND from output->out, searching from
 * start, and sets the exit status from it. Fails with SQ_ERR_TRUNCATED if it is
 * not at the very end.
 */
bool sq_adb_cut_end(struct sq_adb_output *output, size_t start,
                    struct sq_err *err);

#endif
