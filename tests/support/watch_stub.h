/* An ActivityWatch server for tests, on a thread and a free port. */
#ifndef SQ_TEST_WATCH_STUB_H
#define SQ_TEST_WATCH_STUB_H

#include <pthread.h>
#include <stdatomic.h>

/* How the length of an answer is encoded. */
enum t_watch_how {
    T_WATCH_LENGTH,
    T_WATCH_CLOSE,
    T_WATCH_DRIP, /* byte by byte */
    T_WATCH_HOWS,
};

enum t_watch_trouble {
    T_WATCH_FINE,
    T_WATCH_NO_BUCKET,
    T_WATCH_STATUS_500,
    T_WATCH_NOT_HTTP,
    T_WATCH_NOT_JSON,
    T_WATCH_CUT,
    T_WATCH_ENDLESS,
    T_WATCH_SILENT,
};

struct t_watch_stub {
    int port;
    enum t_watch_how how;
    _Atomic int trouble; /* enum t_watch_trouble */
    _Atomic int many;    /* how many events of the day to serve; 0: three */
    _Atomic int requests;
    int listener;
    _Atomic int stopping;
    pthread_t thread;
};

/* Serves buckets and events of 2026-01-01 until stopped. */
void t_watch_stub_start(struct t_watch_stub *stub, enum t_watch_how how);
void t_watch_stub_stop(struct t_watch_stub *stub);

#endif
