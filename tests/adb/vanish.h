/* A phone on the real adb that disconnects in the middle of a call. */
#ifndef SQ_TEST_VANISH_H
#define SQ_TEST_VANISH_H

#include "device/android/state.h"
#include "support/adb_relay.h"

#define VANISH_WIDTH 64
#define VANISH_HEIGHT 128
#define VANISH_APP "com.squint.demo.login"

/* One call of a client. */
struct vanish_call {
    const char *name;      /* of the operation */
    const char *arguments; /* without the device's id */
    const char *answer;    /* text in the JSON of a complete answer */
    const char *act;       /* a command that must not run twice; NULL: none */
    const char *before;    /* run on the phone before all rounds; may be NULL */
    const char *after;     /* the same after all rounds */
    void (*prepare)(void); /* before each round; may be NULL */
    bool (*run)(void);     /* called instead of the operation; may be NULL */
};

/* The server's port, the phone's serial, the phone's log of commands. */
void vanish_start(int port, const char *serial, const char *log_path);
void vanish_stop(void);

struct sq_deadline vanish_deadline(void);

/*
 * Slows the clock down, so that deadlines do not expire because the machine is
 * busy. It is slow from the start; tests of deadlines switch this off.
 */
void vanish_slow_down(bool is_slow);

/* The open device, and the error of the last call. */
struct sq_android *vanish_phone(void);
struct sq_err *vanish_error(void);

/* The next call starts without cached state. */
void vanish_close_devices(void);

/* Give the phone these faults and no others, and connect to it again. */
void vanish_change_phone(const char *faults, enum sq_adb_shell shell);

/* From now on connections are kept, as in a session. */
void vanish_keep_connections(void);

/* Run an operation on the phone. */
bool vanish_run(const char *name, const char *arguments);

/* Like the operation devices, but a problem with Android is an error. */
bool vanish_list(void);

/* The output of a command on the phone, without the relay. */
void vanish_shell_output(const char *command, char *out, size_t size);

/* Run a call without a break; returns the bytes of its answers. */
long vanish_begin(const struct vanish_call *call);

/*
 * Run the call with the connection breaking after `at` bytes, and check all
 * that must hold. Returns false if it did not break and the call succeeded.
 */
bool vanish_round(const struct vanish_call *call, long at,
                  enum adb_relay_way way);

/* The same with the phone's own link breaking; adb then connects again. */
bool vanish_unplug(const struct vanish_call *call, long at);

/* Let the relay pass on nothing after `at` bytes; the caller checks. */
void vanish_stall_at(long at);

/* Check that the phone has run what was sent since vanish_begin. */
void vanish_end(const struct vanish_call *call);

#endif
