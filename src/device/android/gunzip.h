/*
 * Decompresses a gzip stream as it arrives, with a limit for each step, so that
 * a small input cannot fill the memory. Checks the checksum and the length at
 * its end. No I/O.
 */
#ifndef SQ_DEVICE_ANDROID_GUNZIP_H
#define SQ_DEVICE_ANDROID_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"

struct sq_gunzip;

/* How far a stream is. */
enum sq_gunzip_state {
    SQ_GUNZIP_READING,
    SQ_GUNZIP_COMPLETE, /* the stream has ended, and its checksum is right */
    SQ_GUNZIP_INVALID,  /* not gzip, or corrupt; further input is dropped */
};

bool sq_gunzip_create(struct sq_gunzip **out, struct sq_err *err);

/* Accepts NULL. */
void sq_gunzip_destroy(struct sq_gunzip *gunzip);

/* Starts a new stream. */
void sq_gunzip_reset(struct sq_gunzip *gunzip);

enum sq_gunzip_state sq_gunzip_state(const struct sq_gunzip *gunzip);

#define SQ_GUNZIP_INPUT_BYTES ((size_t)64 << 10)

/*
 * Returns space for SQ_GUNZIP_INPUT_BYTES of input and SQ_GUNZIP_EXTRA_BYTES
 * that the caller may use itself. Only if all input is used up.
 */
#define SQ_GUNZIP_EXTRA_BYTES 16
uint8_t *sq_gunzip_space(struct sq_gunzip *gunzip);

/* Adds the first `count` bytes of that space to the input. */
void sq_gunzip_add(struct sq_gunzip *gunzip, size_t count);

/* Returns whether sq_gunzip_run can do more without further input. */
bool sq_gunzip_has_work(const struct sq_gunzip *gunzip);

/*
 * Appends at most `max_bytes` bytes of output, or one if that is 0. Fails only
 * if *out cannot hold them. Corrupt input is no failure here; it changes the
 * state.
 */
bool sq_gunzip_run(struct sq_gunzip *gunzip, struct sq_buf *out,
                   size_t max_bytes, struct sq_err *err);

#endif
