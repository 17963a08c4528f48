/* What went wrong, said once, where it is known. */
#ifndef SQ_UTIL_ERR_H
#define SQ_UTIL_ERR_H

#include <stdbool.h>

enum sq_err_code {
    SQ_ERR_NONE = 0,
    SQ_ERR_NOMEM,       /* an allocation failed */
    SQ_ERR_ARGUMENT,    /* the caller's words are off */
    SQ_ERR_FORMAT,      /* foreign bytes are not what they claim to be */
    SQ_ERR_TRUNCATED,   /* foreign bytes end too early */
    SQ_ERR_LIMIT,       /* larger than we are willing to handle */
    SQ_ERR_UNSUPPORTED, /* understood, but not something we do */
    SQ_ERR_NOT_FOUND,   /* the thing named is not there */
    SQ_ERR_IO,          /* the operating system refused */
    SQ_ERR_TIMEOUT,     /* it took longer than it may */
    SQ_ERR_CANCELLED,   /* whoever asked no longer wants it */
    SQ_ERR_EXHAUSTED,   /* the system gives this process no more of it */

    SQ_ERR_INVALID_OPERATION,  /* no such operation, or not allowed here */
    SQ_ERR_NO_DEVICES,         /* nothing to look at */
    SQ_ERR_MULTIPLE_DEVICES,   /* several, and none was named */
    SQ_ERR_DEVICE_NOT_FOUND,   /* none of that name */
    SQ_ERR_DEVICE_OFFLINE,     /* there, but it does not answer */
    SQ_ERR_PACKAGE_NOT_FOUND,  /* no such app on the device */
    SQ_ERR_SCREENSHOT_FAILED,  /* the device gave no picture */
    SQ_ERR_SECURE_SCREEN,      /* the device refuses to show it */
    SQ_ERR_ELEMENT_NOT_FOUND,  /* nothing on the screen matches */
    SQ_ERR_AMBIGUOUS_MATCH,    /* several elements match equally well */
    SQ_ERR_AMBIGUOUS_FRAME,    /* which picture the point is in is unclear */
    SQ_ERR_STALE_ELEMENT,      /* the element list is no longer true */
    SQ_ERR_STALE_SCREENSHOT,   /* the screen has turned or changed its size */
    SQ_ERR_UNKNOWN_SCREENSHOT, /* no picture of that id is remembered */
    SQ_ERR_CODES,
};

#define SQ_ERR_MESSAGE_SIZE 320
#define SQ_ERR_HINT_SIZE 240

/* A value: zero-initialise it. Holds no memory. */
struct sq_err {
    enum sq_err_code code;
    char message[SQ_ERR_MESSAGE_SIZE]; /* what happened */
    char hint[SQ_ERR_HINT_SIZE];       /* what to do next; may be empty */
    bool quotes; /* the message contains words of a device or a program */
    int cause;   /* more exactly than the code, as the area of the code that
                    failed defines it; 0: not said */
};

/*
 * Record an error and return false, so that a failing function can end with
 * `return sq_fail(err, SQ_ERR_..., "format", ...)`. err may be NULL.
 */
#define sq_fail(...) sq_err_said(sq_err_set(__VA_ARGS__))

/* The same for a message that quotes a device or another program. */
#define sq_fail_quoting(...) sq_err_said(sq_err_set_quoting(__VA_ARGS__))

/* Add what to do next to the error already recorded. Returns false. */
#define sq_fail_hint(...) sq_err_said(sq_err_set_hint(__VA_ARGS__))

/* Say the cause of the error already recorded. Returns false. */
#define sq_fail_cause(err, cause) sq_err_said(sq_err_set_cause(err, cause))

/* Put "context: " before the message already recorded. Returns false. */
#define sq_fail_in(...) sq_err_said(sq_err_set_context(__VA_ARGS__))

/* Record that memory ran out. Returns false. */
#define sq_fail_nomem(err) sq_fail((err), SQ_ERR_NOMEM, "out of memory")

/* Behind the macros above; they return false too. */
bool sq_err_set(struct sq_err *err, enum sq_err_code code, const char *format,
                ...) __attribute__((format(printf, 3, 4)));
bool sq_err_set_quoting(struct sq_err *err, enum sq_err_code code,
                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool sq_err_set_hint(struct sq_err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool sq_err_set_cause(struct sq_err *err, int cause);
bool sq_err_set_context(struct sq_err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Lets the compiler see that a failure is false, and so what follows it. */
static inline bool
sq_err_said(bool ignored) {
    return ignored && false;
}

/* The stable lower-case name of a code, for logs and JSON. */
const char *sq_err_name(enum sq_err_code code);

#endif
