/*
 * A program that exchanges messages with us until one of both ends. Its
 * descriptors 3 and 4 are one socket, whose other end is ours: when this
 * process ends in any way, the program sees the end of its input.
 */
#ifndef SQ_SYS_CHANNEL_H
#define SQ_SYS_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

struct sq_channel;

/*
 * Starts a program. argv[0] is an absolute path; NULL ends it. Standard input
 * and output are /dev/null; the beginning of standard error is kept.
 */
bool sq_channel_start(const char *const *argv, struct sq_channel **out,
                      struct sq_err *err);

/*
 * Makes a channel of a connected socket, which it owns, also after a failure.
 * The program at its other end, whose name is for messages, goes on when the
 * channel is destroyed.
 */
bool sq_channel_adopt(int socket, const char *name, struct sq_channel **out,
                      struct sq_err *err);

/* Kills the program that was started, and its process group. */
void sq_channel_end(struct sq_channel *channel);

/* The same, and frees the channel. Accepts NULL. */
void sq_channel_destroy(struct sq_channel *channel);

/* Sends all bytes. Fails with SQ_ERR_DEVICE_OFFLINE if the program has ended.
 */
bool sq_channel_send(struct sq_channel *channel, struct sq_span bytes,
                     const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Waits until bytes arrive and appends them. Fails with SQ_ERR_DEVICE_OFFLINE
 * if the program has closed the channel, and with SQ_ERR_LIMIT if the buffer is
 * full.
 */
bool sq_channel_receive(struct sq_channel *channel, struct sq_buf *into,
                        const struct sq_deadline *deadline, struct sq_err *err);

/* Appends what has arrived, without waiting. *got: whether that was anything.
 */
bool sq_channel_take(struct sq_channel *channel, struct sq_buf *into, bool *got,
                     struct sq_err *err);

/* Waits until the program ends by itself. Returns whether it did. */
bool sq_channel_await_end(struct sq_channel *channel,
                          const struct sq_deadline *deadline);

/* Returns our end, to be passed to another process of squint. */
int sq_channel_socket(const struct sq_channel *channel);

#define SQ_CHANNEL_ERRORS_SIZE 200

/* Writes the last line of standard error that is not empty. */
void sq_channel_errors(struct sq_channel *channel,
                       char out[SQ_CHANNEL_ERRORS_SIZE]);

#endif
