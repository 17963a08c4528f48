/*
 * Encodes and decodes the adb server's protocol: requests, answers and streams.
 * Independent of the transport.
 */
#ifndef SQ_DEVICE_ANDROID_LINK_H
#define SQ_DEVICE_ANDROID_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/android/adb.h"
#include "device/device.h"
#include "image/pipeline/codec.h"
#include "sys/deadline.h"
#include "sys/lock.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* A source of bytes. */
struct sq_adb_source {
    /* Reads exactly len bytes. Fails with SQ_ERR_TRUNCATED at the end. */
    bool (*read)(void *context, void *into, size_t len, struct sq_err *err);
    /* Reads at least one byte. *got is 0 at the end of the stream. */
    bool (*read_some)(void *context, void *into, size_t capacity, size_t *got,
                      struct sq_err *err);
    void *context;
    /*
     * Checks before up to `capacity` bytes are added to an output without
     * reading, as decompression does. May be NULL.
     */
    bool (*admit)(void *context, size_t capacity, struct sq_err *err);
};

#define SQ_ADB_MAX_REQUEST 65535

/* Parses one to eight hexadecimal digits. */
bool sq_adb_parse_hex(struct sq_span digits, unsigned *out);

/*
 * Appends a request: its length in four digits, then its text. Fails with
 * SQ_ERR_LIMIT if the length does not fit four digits.
 */
bool sq_adb_put_request(struct sq_buf *out, struct sq_span request,
                        struct sq_err *err);

/*
 * Reads the status of a request. A refusal is an error with the server's
 * reason: SQ_ERR_DEVICE_NOT_FOUND or SQ_ERR_DEVICE_OFFLINE if it is about the
 * device, SQ_ERR_UNSUPPORTED if the request is not known, else SQ_ERR_IO.
 */
bool sq_adb_read_status(const struct sq_adb_source *source, struct sq_err *err);

/* Appends a text that is preceded by its length in four digits. */
bool sq_adb_read_text(const struct sq_adb_source *source, struct sq_buf *out,
                      struct sq_err *err);

/* Appends everything up to the end of the stream. */
bool sq_adb_read_rest(const struct sq_adb_source *source, struct sq_buf *out,
                      struct sq_err *err);

/*
 * Removes the carriage return that a terminal inserted before every line feed,
 * in the bytes from `start` on.
 */
void sq_adb_undo_terminal(struct sq_buf *bytes, size_t start);

#define SQ_ADB_MAX_PATH 1024

/*
 * Appends a request of the `sync:` service about a file: "STAT" or "RECV".
 * Fails with SQ_ERR_LIMIT if the path is too long.
 */
bool sq_adb_put_sync(struct sq_buf *out, const char *request,
                     struct sq_span path, struct sq_err *err);

/* All zero: there is no such file. */
struct sq_adb_stat {
    uint32_t mode;
    uint32_t size;
    uint32_t modified_s; /* since 1970 */
};

/* Reads the answer to "STAT". */
bool sq_adb_read_stat(const struct sq_adb_source *source,
                      struct sq_adb_stat *out, struct sq_err *err);

/*
 * Appends the file sent in answer to "RECV", until there are at least
 * `part` more bytes, or sets *ended. Fails with SQ_ERR_NOT_FOUND if there is no
 * such file, else with SQ_ERR_IO. *out is unchanged on failure.
 */
bool sq_adb_read_file(const struct sq_adb_source *source, size_t part,
                      struct sq_buf *out, bool *ended, struct sq_err *err);

/*
 * Decompresses a gzip stream as it arrives, with a limit for each step, so that
 * a small input cannot fill the memory. Checks the checksum and the length at
 * its end. No I/O of its own; if sq_foreign_is_on when it is created, a
 * confined process does the work.
 */

struct sq_gunzip;

/* How far a stream is. */
enum sq_gunzip_state {
    SQ_GUNZIP_READING,
    SQ_GUNZIP_COMPLETE, /* the stream has ended, and its checksum is right */
    SQ_GUNZIP_INVALID,  /* not gzip, or corrupt; further input is dropped */
};

bool sq_gunzip_create(struct sq_gunzip **out, struct sq_err *err);

void sq_gunzip_destroy(struct sq_gunzip *gunzip);

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
 * if *out cannot hold them, or the process that does it failed. Corrupt input
 * is no failure here; it changes the state.
 */
bool sq_gunzip_run(struct sq_gunzip *gunzip, struct sq_buf *out,
                   size_t max_bytes, struct sq_err *err);

/* Answers one request of sq_gunzip_serve; see struct sq_worker_job. */
bool sq_gunzip_answer(void *context, struct sq_span request, uint8_t *memory,
                      size_t memory_bytes, struct sq_buf *reply,
                      struct sq_err *err);

/* The output of a command on the device, and its shell v2 packet format. */

/* Initialised by sq_adb_output_init. */
struct sq_adb_output {
    struct sq_buf out;    /* stdout; without v2 also stderr */
    struct sq_buf errors; /* the start of stderr; empty without v2 */
    int status;           /* exit status; 0 if it cannot be known */
    /*
     * The output shows by itself whether it is complete, as a picture does.
     * Without v2 no end mark is added to binary-safe output then.
     */
    bool is_binary;
    /*
     * The command changes something. Without an answer it is unknown whether it
     * took effect.
     */
    bool is_action;
    /*
     * Decompresses stdout into out, with v2 only; NULL: stdout is not
     * compressed. Its state tells whether the stream was valid; one that was
     * not is no failure of reading.
     */
    struct sq_gunzip *gunzip;
    /* Receives out as it grows, with v2 only; may be NULL. */
    const struct sq_capture_observer *observer;
    /*
     * Returns the final size of out at most, judging by its first bytes; 0: not
     * known yet.
     */
    size_t (*measure)(const struct sq_buf *out);
    size_t expected_max; /* result of measure; 0: not known yet */
    int weight;          /* memory needed in the end per byte; 0: one */
    int wait_ms;         /* wait for memory at most; 0: to the deadline */
    size_t dropped;      /* bytes of stderr that were dropped */
    struct sq_quota_part memory; /* reserved memory; see link.h */
};

/* This much of stderr is kept. */
#define SQ_ADB_MAX_ERRORS ((size_t)1 << 20)
/* This much more is read and dropped before SQ_ERR_LIMIT. */
#define SQ_ADB_MAX_DROPPED ((size_t)16 << 20)

/*
 * The mark separates the outputs of several commands in one exchange. At the
 * end, followed by the exit status, it shows that the output is complete, which
 * without v2 cannot be known otherwise.
 */
#define SQ_MARK "--squint--"
#define SQ_ADB_END_COMMAND ";echo " SQ_MARK "$?"

void sq_adb_output_init(struct sq_adb_output *output, size_t max_bytes);

void sq_adb_output_finish(struct sq_adb_output *output);

/* Clears the output and frees its memory, for another attempt. */
void sq_adb_output_clear(struct sq_adb_output *output);

/*
 * Appends the contents of `shell,v2,raw:` packets up to the exit status. Fails
 * with SQ_ERR_TRUNCATED if the stream ends before that; *output keeps what was
 * read.
 */
bool sq_adb_read_shell(const struct sq_adb_source *source,
                       struct sq_adb_output *output, struct sq_err *err);

/*
 * Removes the output of SQ_ADB_END_COMMAND from output->out, searching from
 * start, and sets the exit status from it. Fails with SQ_ERR_TRUNCATED if it is
 * not at the very end.
 */
bool sq_adb_cut_end(struct sq_adb_output *output, size_t start,
                    struct sq_err *err);

/*
 * Limits the memory used by answers of devices while they are read. A broken or
 * hostile phone may send without limit, and several may do so together.
 */

/* Shared by all devices; the first bytes of each answer are not counted. */
#define SQ_ADB_MEMORY ((size_t)40 << 20)
#define SQ_ADB_UNCOUNTED ((size_t)1 << 20)

bool sq_adb_memory_create(struct sq_quota **out, struct sq_err *err);

/*
 * Reserves memory before up to `capacity` more bytes of an answer are read.
 * Waits while other devices hold too much. Fails with SQ_ERR_LIMIT if the
 * answer is too long, judging by its first bytes, or if it must give way to
 * other devices.
 */
bool sq_adb_memory_admit(struct sq_quota *memory, struct sq_adb_output *output,
                         size_t capacity, const struct sq_deadline *deadline,
                         struct sq_err *err);

/* A connection in use, and how its answer is read. */
struct sq_adb_exchange {
    int fd;
    const struct sq_deadline *deadline;
    struct sq_adb_source source;
    /* Set while a device's answer is read into *output, else NULL. */
    struct sq_quota *memory;
    struct sq_adb_output *output;
};

/* Initialises it without a connection: fd is -1. */
void sq_adb_exchange_init(struct sq_adb_exchange *exchange,
                          const struct sq_deadline *deadline);

/*
 * The services of a device that did not answer. They are left alone for a
 * while, and all commands of one call share the time that is lost on them.
 */

#define SQ_HUNG_NAMES_SIZE 80
#define SQ_MAX_HUNG 8

/* All zero: none. */
struct sq_hung {
    struct sq_hung_entry {
        /* "dumpsys window", or several of which one hangs, with commas. */
        char names[SQ_HUNG_NAMES_SIZE];
        int64_t at_ns;     /* 0: not used */
        bool is_confirmed; /* the device has answered since */
    } of[SQ_MAX_HUNG];
    int answer_ms;   /* a service that takes longer hangs */
    int64_t lost_ns; /* by the services of this call that did not answer */
};

void sq_hung_begin(struct sq_hung *hung, int answer_ms);

/*
 * Writes the names of the services that a command uses: "dumpsys power, dumpsys
 * window". Empty if the command uses none, or may wait for something else, such
 * as an app.
 */
void sq_hung_name(struct sq_span command, char out[SQ_HUNG_NAMES_SIZE]);

/* Returns what hung among these services a short time ago, or NULL. */
struct sq_hung_entry *sq_hung_find(struct sq_hung *hung, const char *names);

/* Fails because of it with SQ_ERR_TIMEOUT. */
bool sq_hung_fail(const struct sq_hung_entry *entry, const char *serial,
                  struct sq_err *err);

/* The services did not answer since the command began. */
void sq_hung_add(struct sq_hung *hung, const char *names, int64_t began_ns);

/* Returns the deadline of a command that asks these services. */
struct sq_deadline sq_hung_limit(const struct sq_hung *hung, const char *names,
                                 const struct sq_deadline *deadline);

/*
 * Requests to the adb server or, through it, to a device. Each uses one
 * connection.
 */

/* Sends a request such as "host:devices-l" and appends the answer. */
bool sq_adb_ask(struct sq_adb *adb, const char *request, struct sq_buf *answer,
                const struct sq_deadline *deadline, struct sq_err *err);

/*
 * The steps of sq_adb_ask over the caller's connection. sq_adb_request sends a
 * request and fails if it is refused. sq_adb_read_answer appends the answer, or
 * the next one if there are several.
 */
bool sq_adb_request(int fd, const char *request,
                    const struct sq_deadline *deadline, struct sq_err *err);
bool sq_adb_read_answer(int fd, struct sq_buf *answer,
                        const struct sq_deadline *deadline, struct sq_err *err);

/* How a device runs commands: since Android 7, since Android 5, and before. */
enum sq_adb_shell {
    SQ_ADB_SHELL_V2, /* separate stdout, stderr and exit status */
    SQ_ADB_EXEC,     /* stdout and stderr mixed, binary-safe */
    SQ_ADB_TERMINAL, /* the same through a terminal: text only */
};

/* An optional connection. All zero: none. */
struct sq_adb_connection {
    bool is_open;
    int fd;
    char services[SQ_HUNG_NAMES_SIZE]; /* of a started command */
};

/* A link to one device. Used by one thread at a time. */
struct sq_adb_link {
    struct sq_adb *adb;
    char serial[SQ_DEVICE_ID_SIZE];
    uint64_t transport_id; /* of one of several with this serial; 0: only one */
    enum sq_adb_shell shell;
    struct sq_hung hung;
    /*
     * Only if connections are kept: one opened in advance for the next
     * exchange, and that of the last exchange, closed during the next.
     */
    struct sq_adb_connection next;
    struct sq_adb_connection last;
};

/*
 * Queries the features of the device. The caller then calls sq_adb_link_finish.
 */
bool sq_adb_link_init(struct sq_adb_link *link, struct sq_adb *adb,
                      const struct sq_device_info *info,
                      const struct sq_deadline *deadline, struct sq_err *err);

void sq_adb_link_finish(struct sq_adb_link *link);

/*
 * Runs a command in the device's shell and appends its output. The command's
 * own failure is not an error here; check output->status. The command must not
 * exit the shell, which would look like a lost connection. Untrusted words must
 * be quoted with sq_shell_quote. If the device is offline, asks the server to
 * reconnect it once. A command whose service did not answer a short time ago is
 * refused with SQ_ERR_TIMEOUT, unless the whole device is silent. *output must
 * be initialised; on failure it may hold partial output.
 */
bool sq_adb_run(struct sq_adb_link *link, struct sq_span command,
                struct sq_adb_output *output,
                const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Starts a command that runs on the device while other commands run, and
 * returns without waiting for it. The caller passes *started to one of the next
 * two functions. Needs SQ_ADB_SHELL_V2. The output must be small: it is
 * buffered by the sockets until it is collected.
 */
bool sq_adb_start(struct sq_adb_link *link, struct sq_span command,
                  struct sq_adb_connection *started,
                  const struct sq_deadline *deadline, struct sq_err *err);

/* Waits for a started command and appends its output; see sq_adb_run. */
bool sq_adb_collect(struct sq_adb_link *link, struct sq_adb_connection *started,
                    struct sq_adb_output *output,
                    const struct sq_deadline *deadline, struct sq_err *err);

/* Ends a started command. Safe on a zeroed or collected connection. */
void sq_adb_abandon(struct sq_adb_connection *started);

/*
 * Opens a service such as "exec:cmd ..." and gives its connection, on which the
 * caller writes and reads, and which it closes. The service must be constant
 * text and numbers.
 */
bool sq_adb_open(struct sq_adb_link *link, const char *service, int *fd,
                 const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Appends a file of the device to output->out. Fails with SQ_ERR_NOT_FOUND if
 * there is no such file, and with SQ_ERR_LIMIT, before reading any of it, if
 * the file is too large for output->out. output->out is unchanged on failure.
 */
bool sq_adb_pull(struct sq_adb_link *link, const char *path,
                 struct sq_adb_output *output,
                 const struct sq_deadline *deadline, struct sq_err *err);

/*
 * The same in parts of at least `part` bytes, between which other commands can
 * run: the file has ended when the connection is closed. The caller passes
 * *started to sq_adb_abandon in the end.
 */
bool sq_adb_start_pull(struct sq_adb_link *link, const char *path, size_t max,
                       struct sq_adb_connection *started,
                       const struct sq_deadline *deadline, struct sq_err *err);
bool sq_adb_pull_part(struct sq_adb_link *link,
                      struct sq_adb_connection *started, size_t part,
                      struct sq_adb_output *output,
                      const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Asks the server to reconnect offline devices. Returns false if that was done
 * recently or the server refused.
 */
bool sq_adb_reconnect_offline(struct sq_adb *adb,
                              const struct sq_deadline *deadline);

/* Adds explanations and hints to errors of the adb server or a device. */

/* Returns whether the connection was closed early or reset. */
bool sq_adb_is_disconnect(const struct sq_err *err);

/*
 * Asks the server whether the device is attached. Returns true if its answer
 * does not tell.
 */
bool sq_adb_is_attached(const struct sq_adb_link *link,
                        const struct sq_deadline *deadline);

/*
 * The functions below add to the error already set in err, which may be NULL,
 * and return false.
 */

/* The server closed the connection or did not answer. */
bool sq_adb_explain_server(const struct sq_adb *adb, struct sq_err *err);

/*
 * The server refused to connect to the device. Adds a hint only for a device
 * attached by network, where advice about cables does not help.
 */
bool sq_adb_explain_rejection(const struct sq_adb_link *link,
                              struct sq_err *err);

/* The device closed the connection, did not answer, or sent too much. */
bool sq_adb_explain_device(const struct sq_adb_link *link, struct sq_err *err);

/*
 * Like sq_adb_explain_device, for a device known to have the service. If it
 * refused the service, the server is asked whether it is still attached. An
 * action may have been performed whatever failed: the hint then says so.
 */
bool sq_adb_explain_run(const struct sq_adb_link *link, bool is_action,
                        const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Puts the services that did not answer in time, or else the program, before
 * the message.
 */
bool sq_adb_name_program(struct sq_span command, const char *services,
                         struct sq_err *err);

/*
 * Writes a request about a device: by_serial and its serial or, for one of
 * several with the same serial, by_id and its transport id; then `end`.
 */
#define SQ_ADB_SERVICE_SIZE (SQ_DEVICE_ID_SIZE + 40)
void sq_adb_name_request(const struct sq_adb_link *link,
                         char out[SQ_ADB_SERVICE_SIZE], const char *by_serial,
                         const char *by_id, const char *end);

#endif
