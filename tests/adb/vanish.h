/* A phone behind the real adb that goes away in the middle of a call. */
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
    const char *answer;    /* words in the JSON of a whole answer */
    const char *act;       /* a command not to be run twice; NULL: none */
    const char *before;    /* on the phone, before all rounds; may be NULL */
    const char *after;     /* the same in the end */
    void (*prepare)(void); /* before each round; may be NULL */
    bool (*run)(void);     /* what is run if not the operation; may be NULL */
};

/* The server's port, the phone as adb calls it, where it logs commands. */
void vanish_start(int port, const char *serial, const char *log_path);
void vanish_stop(void);

struct sq_deadline vanish_soon(void);

/*
 * No deadline passes because the machine is busy, unless deadlines are what is
 * tested. Slow from the beginning.
 */
void vanish_slow_down(bool is_slow);

/* The device that is open, and where the error of a call goes. */
struct sq_android *vanish_phone(void);
struct sq_err *vanish_error(void);

/* The next call asks for everything again. */
void vanish_close_devices(void);

/* Give the phone these faults and no others, and connect to it anew. */
void vanish_change_phone(const char *faults, enum sq_adb_shell shell);

/* From now on connections are kept, as in a session. */
void vanish_keep_connections(void);

/* Run an operation on the phone. */
bool vanish_run(const char *name, const char *arguments);

/* What the operation devices does; a problem with Android is an error. */
bool vanish_list(void);

/* What a command says on the phone, past the relay. */
void vanish_say(const char *command, char *out, size_t size);

/* Run a call untouched; how many bytes of answers it takes. */
long vanish_begin(const struct vanish_call *call);

/*
 * Run it with the connection breaking after so many bytes, and check all that
 * must hold. False: it did not break, and the call succeeded.
 */
bool vanish_round(const struct vanish_call *call, long at,
                  enum adb_relay_way way);

/* The same with the phone's own link breaking; adb then connects anew. */
bool vanish_unplug(const struct vanish_call *call, long at);

/* Only the relay's part, for who checks the rest: nothing comes after that. */
void vanish_stall_at(long at);

/* What the phone has run since vanish_begin is what was sent. */
void vanish_end(const struct vanish_call *call);

#endif
