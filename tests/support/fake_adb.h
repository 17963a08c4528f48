/*
 * An adb server in threads: it speaks the server's protocol on a free port,
 * answers a device's commands as the test says, and breaks connections at a
 * given byte.
 */
#ifndef SQ_TEST_FAKE_ADB_H
#define SQ_TEST_FAKE_ADB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "device/android/adb.h"
#include "device/device.h"

#define FAKE_ADB_SERIAL "emulator-5554"
#define FAKE_ADB_INFO (&(const struct sq_device_info){ .id = FAKE_ADB_SERIAL })
#define FAKE_ADB_ROOM ((size_t)1 << 20)

/* The default list of devices. */
#define FAKE_ADB_DEVICES                                                       \
    FAKE_ADB_SERIAL "          device product:sdk_phone model:Test_Phone "     \
                    "device:emu64x transport_id:1\n"

/* The output of a command on the device. */
struct fake_output {
    char out[FAKE_ADB_ROOM];
    size_t out_len;
    const void *bytes; /* further output, which is not copied; or NULL */
    size_t count;
    char errors[65536];
    int status;
    bool stalls; /* with shell v2: sends nothing after the bytes */
};

/* Appends text to standard output. */
void fake_print(struct fake_output *output, const char *text);

#define FAKE_ADB_MAX_LOG 64

/* All members may be set and read while no request is running. */
struct fake_adb {
    /* Answers a command; NULL: no output. Runs in the server's thread. */
    void (*command)(void *context, const char *command,
                    struct fake_output *output);
    void *context;
    const char *devices;      /* answer to host:devices-l */
    const char *devices_back; /* the same after reconnect-offline */
    const char *features;
    const char *features_refusal; /* error of the same; NULL: none */
    const char *refusal;          /* error of host:transport:; NULL: none */
    const char *address;          /* another serial of the device; NULL: none */
    const char *state; /* answer to get-state; "": not found; NULL: unknown */
    bool is_closed;    /* the device refuses every service */
    bool has_no_exec;  /* runs commands in a terminal only */
    /* Gives a file of the device; false: there is none. Like command. */
    bool (*file)(void *context, const char *path, struct fake_output *output);
    size_t file_size; /* the size that STAT reports; 0: the real one */
    size_t max_chunk; /* of a file; 0: 64 KiB */
    /* Answer to host:track-devices; may be set at any time. NULL: close. */
    _Atomic(const char *) tracked;
    _Atomic(const char *) tracked_raw; /* sent unchanged; NULL once sent */
    bool tracks_short;   /* does not support host:track-devices-l */
    size_t packet_bytes; /* of shell v2; 0: all in one */
    long cut_at;         /* bytes of a connection before it breaks; -1: none */
    int cut_connection;  /* index of the connection, from 0; -1: every one */
    const void *garbage; /* sent instead of any answer */
    size_t garbage_len;
    const void *sync_garbage; /* the same for requests of sync: */
    size_t sync_garbage_len;
    bool hangs;        /* answers nothing */
    bool device_hangs; /* the device answers nothing */

    int port;
    atomic_int connections;
    atomic_int unanswered; /* requests without an answer because it hangs */
    char log[FAKE_ADB_MAX_LOG][4096]; /* requests, without host:transport */
    int log_count;
    struct fake_adb_server *server;
};

/* Starts a server with one device, online, with shell v2. */
void fake_adb_start(struct fake_adb *fake);
void fake_adb_stop(struct fake_adb *fake);

/* Close every connection, like a server that ends. */
void fake_adb_close_connections(struct fake_adb *fake);

/* How many connections are open. */
int fake_adb_open(struct fake_adb *fake);

/* Clear the log, and count connections from 0 again. */
void fake_adb_clear_log(struct fake_adb *fake);

/* A client of it, to be freed by sq_adb_destroy. */
struct sq_adb *fake_adb_client(const struct fake_adb *fake);

/* Its device, to be freed by sq_device_destroy. */
struct sq_device *fake_adb_device(struct sq_adb *adb);

/* Whether a request of the log has these words in it. */
bool fake_adb_received(const struct fake_adb *fake, const char *words);

#endif
