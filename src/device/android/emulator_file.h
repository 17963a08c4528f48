/*
 * Reads the file in which a running emulator describes itself. No I/O.
 */
#ifndef SQ_DEVICE_ANDROID_EMULATOR_FILE_H
#define SQ_DEVICE_ANDROID_EMULATOR_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/span.h"

#define SQ_EMULATOR_TOKEN_SIZE 512

/* Zero: the file does not have the value. */
struct sq_emulator_file {
    int serial_port; /* of the serial number "emulator-5554" */
    int adb_port;    /* where adb connects to it */
    int grpc_port;
    char token[SQ_EMULATOR_TOKEN_SIZE]; /* empty: none is needed */
    bool has_tls;                       /* the gRPC server uses TLS */
    bool needs_signing;                 /* it accepts only signed tokens */
};

/* Takes the number of the process from a file name such as "pid_1234.ini". */
bool sq_emulator_file_pid(struct sq_span name, int64_t *pid);

/* Reads the file: lines of "key=value". Others are ignored. */
void sq_emulator_file_read(struct sq_span text, struct sq_emulator_file *out);

/*
 * Returns whether the file describes the device with this serial number:
 * "emulator-5554" or, if it was connected by its address, "127.0.0.1:5555".
 */
bool sq_emulator_file_is(const struct sq_emulator_file *file,
                         const char *serial);

/* Returns whether a serial number can be that of an emulator on this machine.
 */
bool sq_emulator_is_serial(const char *serial);

#endif
