/* Error codes, and the value that carries an error to the caller. */
#ifndef SQ_UTIL_ERR_H
#define SQ_UTIL_ERR_H

#include <stdbool.h>
#include <stddef.h>

enum sq_err_code {
    SQ_ERR_NONE = 0,
    SQ_ERR_NOMEM,       /* an allocation failed */
    SQ_ERR_EXISTS,      /* a file has that name, and is not replaced */
    SQ_ERR_ARGUMENT,    /* the caller passed an invalid argument */
    SQ_ERR_FORMAT,      /* input is malformed */
    SQ_ERR_TRUNCATED,   /* input ends too early */
    SQ_ERR_LIMIT,       /* a size limit was exceeded */
    SQ_ERR_UNSUPPORTED, /* valid, but not supported */
    SQ_ERR_NOT_FOUND,   /* no such object */
    SQ_ERR_IO,          /* a system call failed */
    SQ_ERR_TIMEOUT,     /* the deadline has passed */
    SQ_ERR_CANCELLED,   /* the caller cancelled the operation */
    SQ_ERR_EXHAUSTED,   /* the process has no more of a system resource */

    SQ_ERR_INVALID_OPERATION,  /* unknown operation, or not allowed here */
    SQ_ERR_NO_DEVICES,         /* no device is connected */
    SQ_ERR_MULTIPLE_DEVICES,   /* several devices, and the caller named none */
    SQ_ERR_DEVICE_NOT_FOUND,   /* no device with that name */
    SQ_ERR_DEVICE_OFFLINE,     /* the device is known but does not respond */
    SQ_ERR_PACKAGE_NOT_FOUND,  /* no such app on the device */
    SQ_ERR_SCREENSHOT_FAILED,  /* the device returned no picture */
    SQ_ERR_SECURE_SCREEN,      /* the device does not allow a capture */
    SQ_ERR_ELEMENT_NOT_FOUND,  /* no element on the screen matches */
    SQ_ERR_AMBIGUOUS_MATCH,    /* several elements match equally well */
    SQ_ERR_AMBIGUOUS_FRAME,    /* unclear which picture a point refers to */
    SQ_ERR_STALE_ELEMENT,      /* the element list is out of date */
    SQ_ERR_STALE_SCREENSHOT,   /* the screen was rotated or resized since */
    SQ_ERR_UNKNOWN_SCREENSHOT, /* no picture with that id is stored */
    SQ_ERR_HELD,               /* a person paused the call for too long */
    SQ_ERR_REFUSED,            /* a person, or the configuration, refused it */
    SQ_ERR_CODES,
};

#define SQ_ERR_MESSAGE_SIZE 320
#define SQ_ERR_HINT_SIZE 640

/* Zero-initialise it, or use sq_err_clear. Owns no memory. */
struct sq_err {
    enum sq_err_code code;
    int cause;   /* subcode, defined by the module that failed; 0: none */
    bool quotes; /* the message quotes a device or another program */
    char hint[SQ_ERR_HINT_SIZE];       /* what to do next; may be empty */
    char message[SQ_ERR_MESSAGE_SIZE]; /* what happened */
};

/*
 * Makes an error empty. Faster than zeroing it, because most of its bytes are
 * not written.
 */
static inline void
sq_err_clear(struct sq_err *err) {
    err->code = SQ_ERR_NONE;
    err->cause = 0;
    err->quotes = false;
    err->hint[0] = '\0';
    err->message[0] = '\0';
}

/*
 * Who reads messages: a client of the protocol, or a person who types commands.
 * `name` writes how a person names an argument or an operation: maxDimension as
 * --max-dimension, is_off: inline as --no-inline; it returns false if the name
 * stays as it is, with its value. Set before threads start; NULL: a client
 * reads them.
 */
typedef bool sq_name_for_person(const char *name, size_t len, bool is_off,
                                char *out, size_t size);
void sq_set_reader(sq_name_for_person *name);
bool sq_reader_is_person(void);

/* The text for the one who reads it. */
#define SQ_SAY(client, person) (sq_reader_is_person() ? (person) : (client))

/*
 * The formats of the functions below mark the names of arguments and tools with
 * '$': "$maxDimension" is maxDimension for a client, --max-dimension for a
 * person, and "$inline: false" is --no-inline. "${window|period}" has the words
 * for a client, and those for a person. Only formats have marks, so that text
 * of a device or a client cannot have one.
 */

/* Resolves the marks of a constant text that is not a format. */
#define SQ_MARKED_SIZE 1024 /* the end of a longer text is cut off */
const char *sq_marked(const char *text, char out[SQ_MARKED_SIZE])
    __attribute__((format_arg(1)));

/*
 * Records an error and returns false, so that a failing function can end with
 * `return sq_fail(err, SQ_ERR_..., "format", ...)`. err may be NULL.
 */
#define sq_fail(...) sq_err_false(sq_err_set(__VA_ARGS__))

/* Like sq_fail, for a message that quotes a device or another program. */
#define sq_fail_quoting(err, ...)                                              \
    sq_err_false(sq_err_set((err), __VA_ARGS__) || sq_err_set_quotes(err))

/* Adds advice for the user to the recorded error. Returns false. */
#define sq_fail_hint(...) sq_err_false(sq_err_set_hint(__VA_ARGS__))

/* Records an SQ_ERR_ARGUMENT with a hint. Returns false. */
#define sq_fail_argument(err, message, hint)                                   \
    sq_err_false(sq_err_set((err), SQ_ERR_ARGUMENT, message)                   \
                 || sq_err_set_hint((err), hint))

/* Sets the cause of the recorded error. Returns false. */
#define sq_fail_cause(err, cause) sq_err_false(sq_err_set_cause(err, cause))

/* Puts "context: " before the recorded message. Returns false. */
#define sq_fail_in(...) sq_err_false(sq_err_set_context(__VA_ARGS__))

/* Records a copy of another error. Returns false. */
#define sq_fail_with(err, other) sq_err_false(sq_err_copy(err, other))

/* Records SQ_ERR_NOMEM. Returns false. */
#define sq_fail_nomem(err) sq_fail((err), SQ_ERR_NOMEM, "out of memory")

/* Used by the macros above. They return false. */
bool sq_err_set(struct sq_err *err, enum sq_err_code code, const char *format,
                ...) __attribute__((format(printf, 3, 4)));
bool sq_err_set_quotes(struct sq_err *err);
bool sq_err_set_hint(struct sq_err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool sq_err_set_cause(struct sq_err *err, int cause);
bool sq_err_copy(struct sq_err *err, const struct sq_err *other);
bool sq_err_set_context(struct sq_err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Returns whether an error ends the whole call: no other attempt can succeed
 * after a lack of memory or a cancellation.
 */
static inline bool
sq_is_fatal(enum sq_err_code code) {
    return code == SQ_ERR_NOMEM || code == SQ_ERR_CANCELLED;
}

/* Always returns false. Inline, so that the compiler can see this. */
static inline bool
sq_err_false(bool ignored) {
    return ignored && false;
}

/* Returns the stable lower-case name of a code, for logs and JSON. */
const char *sq_err_name(enum sq_err_code code);

#endif
