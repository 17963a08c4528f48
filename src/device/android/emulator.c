/* Connects to the emulator's gRPC interface and calls its methods. */
#include "device/android/emulator.h"

#include "sys/call.h"
#include "sys/clock.h"
#include "sys/folder.h"
#include "sys/path.h"
#include "sys/process.h"
#include "util/buf.h"

#define NS_PER_MS 1000000
#define CONNECT_MS 500
#define CALL_MS 2000
#define FIRST_PICTURE_MS 500
#define RETRY_NS ((int64_t)10000 * NS_PER_MS)
/* A frame of 1440x3120 with its head fits. */
#define PICTURE_WINDOW ((uint32_t)64 << 20)
#define TINY_SIDE 16
#define MAX_TINY ((size_t)64 << 10)
/* More input than this between two questions means: it changes all the time. */
#define MAX_STEPS 64
#define MAX_ANSWER ((size_t)256 << 10)
#define FOLDER "avd" /* has a folder "running" */
#define MAX_FILE ((size_t)64 << 10)
#define MAX_FILES 200 /* of a folder; further ones are ignored */

/* Folders: below which of the user's, and their names there. */
static const struct {
    enum sq_user_folder folder;
    const char *name;
} places[] = {
    { SQ_USER_RUNTIME, FOLDER },
    { SQ_USER_LOGIN, FOLDER },
    { SQ_USER_HOME, ".android/" FOLDER },
    { SQ_USER_HOME, "Library/Caches/TemporaryItems/" FOLDER },
};

/* A search for the file of a running device. */
struct search {
    bool by_address;
    int port; /* of its serial number */
    struct sq_emulator_file file;
    bool found; /* it is the file */
    int files;  /* of this folder so far */
};

static void
read_file(void *context, int folder, struct sq_span name) {
    struct search *search = context;
    SQ_FREED(sq_buf_finish) struct sq_buf text = { 0 };
    int64_t pid;
    if (!search->found && search->files++ < MAX_FILES
        && sq_emulator_file_pid(name, &pid) && sq_process_exists(pid)
        && sq_folder_read(folder, name, MAX_FILE, &text, NULL)) {
        sq_emulator_file_read(sq_buf_span(&text), &search->file);
        search->found = search->port
                     == (search->by_address ? search->file.adb_port
                                            : search->file.serial_port);
    }
}

/*
 * Finds the emulator with this serial number in the folders where emulators
 * describe themselves. Ignores files of processes that have ended. Fails with
 * SQ_ERR_NOT_FOUND if there is none, and with SQ_ERR_UNSUPPORTED if its gRPC
 * server cannot be used.
 */
static bool
find_emulator(const char *serial, struct sq_emulator_file *out,
              struct sq_err *err) {
    struct search search = { .found = false };
    char path[SQ_PATH_SIZE];
    if (!sq_emulator_parse_serial(serial, &search.by_address, &search.port)) {
        return sq_fail(err, SQ_ERR_NOT_FOUND, "%s is not an emulator", serial);
    }
    for (size_t i = 0; i < SQ_COUNT(places) && !search.found; i++) {
        int parent = sq_user_path(places[i].folder, places[i].name, path)
                       ? sq_call_open_dir(path)
                       : -1;
        int folder =
            parent < 0 ? -1 : sq_open_folder_beneath(parent, "running");
        search.files = 0;
        if (folder >= 0) {
            sq_folder_visit(folder, read_file, &search);
        }
        sq_close_fd(&folder);
        sq_close_fd(&parent);
    }
    if (!search.found) {
        return sq_fail(err, SQ_ERR_NOT_FOUND,
                       "no running emulator on this machine is %s", serial);
    }
    *out = search.file;
    return (out->grpc_port != 0
            || sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the emulator was started without gRPC"))
        && ((!out->has_tls && !out->needs_signing)
            || sq_fail(err, SQ_ERR_UNSUPPORTED, "the emulator's gRPC needs %s",
                       out->has_tls ? "TLS" : "signed tokens"));
}

void
sq_emulator_init(struct sq_emulator *emulator, const char *serial,
                 enum sq_emulator_mode mode, bool watches) {
    bool by_address;
    int port;
    *emulator = (struct sq_emulator){
        .serial = serial,
        .mode = mode,
        .watches = watches,
        .is_possible = mode != SQ_EMULATOR_OFF
                    && sq_emulator_parse_serial(serial, &by_address, &port),
    };
}

static void
stop_watching(struct sq_emulator *emulator) {
    sq_grpc_destroy(emulator->changes);
    emulator->changes = NULL;
    emulator->knows_capture = false;
}

void
sq_emulator_finish(struct sq_emulator *emulator) {
    sq_grpc_destroy(emulator->channel);
    emulator->channel = NULL;
    stop_watching(emulator);
}

void
sq_emulator_failed(struct sq_emulator *emulator, const struct sq_err *err) {
    sq_emulator_finish(emulator);
    emulator->retry_ns = sq_clock_monotonic_ns() + RETRY_NS;
    emulator->last_err = *err;
}

/* Connects to one of the addresses on which emulators listen. */
static bool
open_channel(struct sq_emulator *emulator, uint32_t window,
             const struct sq_deadline *deadline, struct sq_grpc_channel **out,
             struct sq_err *err) {
    static const char *const hosts[] = { "::1", "127.0.0.1" };
    const struct sq_deadline limit = sq_deadline_within(deadline, CONNECT_MS);
    struct sq_emulator_file file;
    if (!find_emulator(emulator->serial, &file, err)) {
        return false;
    }
    bool ok = false;
    for (size_t i = 0; i < SQ_COUNT(hosts) && !ok; i++) {
        const struct sq_grpc_server server = {
            .host = hosts[i],
            .port = file.grpc_port,
            .token = sq_span_of(file.token),
            .window = window,
        };
        ok = sq_grpc_connect(&server, &limit, out, err);
    }
    return ok;
}

bool
sq_emulator_connect(struct sq_emulator *emulator,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (!emulator->is_possible) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "not an emulator");
    }
    if (sq_clock_monotonic_ns() < emulator->retry_ns) {
        return sq_fail_with(err, &emulator->last_err);
    }
    if (emulator->channel && !sq_grpc_is_usable(emulator->channel)) {
        sq_grpc_destroy(emulator->channel);
        emulator->channel = NULL;
    }
    if (!emulator->channel
        && !open_channel(emulator, PICTURE_WINDOW, deadline, &emulator->channel,
                         &local_err)) {
        sq_emulator_failed(emulator, &local_err);
        return sq_fail_with(err, &local_err);
    }
    return true;
}

/*
 * Calls a method with one message as its answer, which is appended. Sets
 * emulator->sent if it may have done what it asks.
 */
static bool
call(struct sq_emulator *emulator, const char *method, struct sq_span request,
     struct sq_buf *reply, const struct sq_deadline *deadline,
     struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_within(deadline, CALL_MS);
    struct sq_err local_err = { 0 };
    emulator->sent = sq_emulator_connect(emulator, &limit, err);
    if (!emulator->sent
        || sq_grpc_call(emulator->channel, method, request, reply, &limit,
                        &local_err)) {
        return emulator->sent;
    }
    /* A status is an answer: the emulator has not done it. */
    emulator->sent = local_err.cause == 0;
    sq_emulator_failed(emulator, &local_err);
    return sq_fail_with(err, &local_err);
}

static bool
count_picture(void *context, size_t len, struct sq_err *err) {
    struct sq_emulator *emulator = context;
    (void)len;
    (void)err;
    emulator->drawn++;
    return true;
}

static bool
drop_bytes(void *context, struct sq_span bytes, struct sq_err *err) {
    (void)context;
    (void)bytes;
    (void)err;
    return true;
}

/* Requests the stream, and waits for the first picture, which is no change. */
static bool
start_stream(struct sq_emulator *emulator, const struct sq_deadline *deadline) {
    const struct sq_grpc_sink sink = {
        .context = emulator,
        .max_message = MAX_TINY,
        .begin = count_picture,
        .take = drop_bytes,
    };
    uint64_t before = emulator->drawn;
    bool ended = false;
    SQ_BUF(request, MAX_ANSWER);
    bool ok = sq_emulator_put_picture_request(&request, TINY_SIDE, NULL)
           && sq_grpc_start(emulator->changes,
                            SQ_EMULATOR_METHOD("streamScreenshot"),
                            sq_buf_span(&request), &sink, deadline, NULL);
    while (ok && emulator->drawn == before) {
        ok = sq_grpc_step(emulator->changes, deadline, &ended, NULL) && !ended;
    }
    return ok;
}

void
sq_emulator_watch(struct sq_emulator *emulator,
                  const struct sq_deadline *deadline) {
    const struct sq_deadline limit =
        sq_deadline_within(deadline, FIRST_PICTURE_MS);
    if (!emulator->watches || emulator->changes) {
        return;
    }
    /* 0: the smallest window, so that an idle stream costs little. */
    if (!open_channel(emulator, 0, &limit, &emulator->changes, NULL)) {
        emulator->changes = NULL;
    } else if (!start_stream(emulator, &limit)) {
        stop_watching(emulator);
        emulator->watches = false; /* this emulator cannot do it */
    }
}

bool
sq_emulator_count_drawn(struct sq_emulator *emulator, uint64_t *count) {
    const struct sq_deadline now = sq_deadline_in(0, NULL);
    bool ended = false;
    int steps = 0;
    while (emulator->changes && sq_grpc_has_input(emulator->changes)) {
        if (++steps > MAX_STEPS
            || !sq_grpc_step(emulator->changes, &now, &ended, NULL) || ended) {
            stop_watching(emulator);
        }
    }
    *count = emulator->drawn;
    return emulator->changes != NULL;
}

bool
sq_emulator_tell(struct sq_emulator *emulator, const char *method,
                 struct sq_span request, const struct sq_deadline *deadline,
                 struct sq_err *err) {
    SQ_BUF(reply, MAX_ANSWER);
    return call(emulator, method, request, &reply, deadline, err);
}

bool
sq_emulator_clip_set(struct sq_emulator *emulator, struct sq_span text,
                     const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_BUF(request, SQ_GRPC_MAX_REQUEST);
    return sq_emulator_put_clip(&request, text, err)
        && sq_emulator_tell(emulator, SQ_EMULATOR_METHOD("setClipboard"),
                            sq_buf_span(&request), deadline, err);
}

bool
sq_emulator_clip_get(struct sq_emulator *emulator, struct sq_buf *out,
                     const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_span text;
    SQ_BUF(reply, MAX_ANSWER);
    return call(emulator, SQ_EMULATOR_METHOD("getClipboard"), SQ_SPAN(""),
                &reply, deadline, err)
        && sq_emulator_read_clip(sq_buf_span(&reply), &text, err)
        && sq_buf_append(out, text.ptr, text.len, err);
}
