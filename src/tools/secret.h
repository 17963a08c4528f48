/* Secrets of the user that are typed by name. Their values are not shown. */
#ifndef SQ_TOOLS_SECRET_H
#define SQ_TOOLS_SECRET_H

#include "sys/process.h"
#include "tool/tool.h"

#define SQ_MAX_SECRET_NAME 64

/* A value in memory. Start zeroed; always end with sq_secret_forget. */
struct sq_secret {
    struct sq_span value;
    struct sq_process_end end; /* owns it */
};

/*
 * Gets the value of a secret from the keyring or the file, by a process of its
 * own that ends then. From now on texts of replies and pictures that contain
 * the value hide it. Fails if no app may get it.
 */
bool sq_secret_fetch(struct sq_call *call, struct sq_span name,
                     struct sq_secret *out, struct sq_err *err);

/*
 * Fails with SQ_ERR_REFUSED unless the focused field hides its text and is in
 * an app or on a web site that may get the secret.
 */
bool sq_secret_check_field(struct sq_call *call, struct sq_span name,
                           struct sq_err *err);

/* Overwrites the value, also in the message of the error. */
void sq_secret_forget(struct sq_secret *secret, struct sq_err *err);

#endif
