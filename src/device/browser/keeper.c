/*
 * One browser for the commands of a command line. A keeper process owns it, and
 * passes its connection and what is known of its tabs to each command, which
 * gives that back at its end. A lock lets one command at a time use it.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "sys/process.h"
#include "sys/sockets.h"
#include "sys/worker.h"
#include "util/limits.h"
#include "util/mem.h"

#define SOCKET_NAME "browser.socket"
#define LOCK_NAME "browser.lock"
#define MAX_OPTIONS_BYTES ((size_t)64 << 10)
#define MAX_STATE_BYTES (sizeof(struct sq_browser) + 2 * SQ_MAX_JSON_BYTES)
#define MAX_ALLOWED 256
#define ANSWER_MS 5000
#define COMMAND_MS (24 * 60 * 60 * 1000)
#define START_MS 40000
#define FIRST_MS 20000 /* for the first command, which has started it */
#define LOOK_MS 500
#define POLL_MS 10
#define IDLE_SECONDS "600"

/* The first bytes of a command, and of an answer. */
struct hello {
    char version[40]; /* of the program and its structures */
    bool is_close;
    uint32_t size; /* of the options that follow */
};

enum status { READY, REFUSED, CLOSED };

struct answer {
    uint32_t status; /* enum status */
    uint32_t code;   /* enum sq_err_code, of REFUSED */
    uint32_t size;   /* of the state, or of the words, that follow */
};

#define VALUES_AT offsetof(struct sq_browser, is_attached)
#define VALUES_SIZE (offsetof(struct sq_browser, is_kept) - VALUES_AT)

static void
write_version(char out[40]) {
    memset(out, 0, 40);
    snprintf(out, 40, "squint %s %zu", SQ_VERSION, sizeof(struct sq_browser));
}

static bool
put(struct sq_buf *out, const struct sq_buf *bytes, struct sq_err *err) {
    const uint32_t len = (uint32_t)bytes->len;
    return sq_buf_append(out, &len, sizeof(len), err)
        && sq_buf_append(out, bytes->data, len, err);
}

/* Writes the state of a browser, for the next command. */
static bool
pack(struct sq_browser *browser, struct sq_buf *out, struct sq_err *err) {
    struct sq_cdp *cdp = &browser->cdp;
    sq_buf_drop(&cdp->in, cdp->used);
    cdp->used = 0;
    return sq_buf_append(out, &cdp->link, sizeof(cdp->link), err)
        && sq_buf_append(out, (const uint8_t *)browser + VALUES_AT, VALUES_SIZE,
                         err)
        && put(out, &browser->dialog.typed, err) && put(out, &cdp->frames, err)
        && put(out, &cdp->in, err);
}

/* Takes bytes of a state. */
static bool
take(struct sq_span *rest, void *out, size_t len, struct sq_err *err) {
    if (len > rest->len) {
        return sq_fail(err, SQ_ERR_FORMAT, "the state of the browser is cut");
    }
    memcpy(out, rest->ptr, len);
    sq_span_skip(rest, len);
    return true;
}

static bool
take_buf(struct sq_span *rest, struct sq_buf *out, struct sq_err *err) {
    uint32_t len;
    uint8_t *space;
    sq_buf_clear(out);
    if (!take(rest, &len, sizeof(len), err)
        || !sq_buf_reserve(out, len, &space, err)
        || !take(rest, space, len, err)) {
        return false;
    }
    sq_buf_commit(out, len);
    return true;
}

/* Reads it. The keeper runs the same program, as the version says. */
static bool
unpack(struct sq_browser *browser, struct sq_span rest, struct sq_err *err) {
    struct sq_cdp *cdp = &browser->cdp;
    const struct sq_buf typed = browser->dialog.typed;
    bool ok = take(&rest, &cdp->link, sizeof(cdp->link), err)
           && take(&rest, (uint8_t *)browser + VALUES_AT, VALUES_SIZE, err);
    browser->dialog.typed = typed;
    cdp->used = 0;
    return ok && take_buf(&rest, &browser->dialog.typed, err)
        && take_buf(&rest, &cdp->frames, err) && take_buf(&rest, &cdp->in, err);
}

/* Writes what a browser is started with: texts, each with a NUL at its end. */
static bool
write_options(const struct sq_browser_config *config, struct sq_buf *out,
              struct sq_err *err) {
    const char *const texts[] = { config->path,
                                  config->window,
                                  config->mobile,
                                  config->downloads,
                                  config->profile,
                                  config->attach,
                                  config->visible ? "visible" : NULL };
    bool ok = true;
    for (size_t i = 0; ok && i < SQ_COUNT(texts); i++) {
        const char *text = texts[i] ? texts[i] : "";
        ok = sq_buf_append(out, text, strlen(text) + 1, err);
    }
    for (size_t i = 0; ok && i < config->allow.count; i++) {
        const char *text = config->allow.items[i];
        ok = sq_buf_append(out, text, strlen(text) + 1, err);
    }
    return ok;
}

static const char *
take_option(struct sq_span *rest) {
    struct sq_span text;
    return sq_span_take_until(rest, '\0', &text) && text.len > 0 ? text.ptr
                                                                 : NULL;
}

/* Reads them. `items` is for the list. */
static struct sq_browser_config
read_options(struct sq_span rest, const char *items[MAX_ALLOWED]) {
    struct sq_browser_config config = { .enabled = true };
    config.path = take_option(&rest);
    config.window = take_option(&rest);
    config.mobile = take_option(&rest);
    config.downloads = take_option(&rest);
    config.profile = take_option(&rest);
    config.attach = take_option(&rest);
    config.visible = take_option(&rest) != NULL;
    config.allow.items = items;
    while (rest.len > 0 && config.allow.count < MAX_ALLOWED) {
        items[config.allow.count] = take_option(&rest);
        config.allow.count += items[config.allow.count] != NULL;
    }
    return config;
}

/* The keeper. */
struct keeper {
    struct sq_device *device; /* NULL: not started */
    struct sq_buf options;    /* that it was started with */
    struct sq_buf state;
    const char *loss; /* why it is no longer running; NULL: it is */
    bool ends;
};

static struct sq_channel *
channel_of(const struct keeper *keeper) {
    return sq_browser_of(keeper->device)->cdp.channel;
}

static bool
send_answer(int fd, const struct answer *answer, const void *bytes,
            const struct sq_deadline *deadline) {
    return sq_socket_write(fd, answer, sizeof(*answer), deadline, NULL)
        && sq_socket_write(fd, bytes, answer->size, deadline, NULL);
}

/* Sends an error: its message and hint, each with a NUL. */
static void
refuse(int fd, const struct sq_err *why, const struct sq_deadline *deadline) {
    char words[SQ_ERR_MESSAGE_SIZE + SQ_ERR_HINT_SIZE];
    int len = snprintf(words, sizeof(words), "%s%c%s%c", why->message, '\0',
                       why->hint, '\0');
    const struct answer answer = { REFUSED, why->code, (uint32_t)len };
    send_answer(fd, &answer, words, deadline);
}

static bool
start_browser(struct keeper *keeper, struct sq_span options,
              const struct sq_deadline *deadline, struct sq_err *err) {
    const char *items[MAX_ALLOWED];
    const struct sq_device_info info = { .kind = "browser",
                                         .id = SQ_BROWSER_ID,
                                         .connection = 1 };
    if (!sq_buf_append(&keeper->options, options.ptr, options.len, err)) {
        return false;
    }
    const struct sq_devices_options devices = {
        .browser = read_options(sq_buf_span(&keeper->options), items),
    };
    if (!sq_browser_open(&devices, &info, &keeper->device, deadline, err)) {
        return false;
    }
    /* Pictures of an earlier browser must not be taken for ones of this. */
    struct sq_browser *browser = sq_browser_of(keeper->device);
    browser->last_document = (int)(sq_clock_wall_ns() / 1000000000 % 100000);
    struct sq_tab *tab = sq_browser_tab(browser);
    if (tab) {
        tab->document = browser->last_document;
    }
    return pack(browser, &keeper->state, err);
}

/* Fails if this command cannot use the browser. */
static bool
check_command(struct keeper *keeper, struct sq_span options,
              const struct sq_deadline *deadline, struct sq_err *err) {
    if (keeper->loss) {
        keeper->ends = true;
        sq_fail(err, SQ_ERR_DEVICE_OFFLINE, "%s", keeper->loss);
        return sq_fail_hint(err, "What was open is lost: open the URL again; "
                                 "the next command starts another browser.");
    }
    if (!keeper->device) {
        keeper->ends = !start_browser(keeper, options, deadline, err);
        return !keeper->ends;
    }
    if (sq_span_equal(options, sq_buf_span(&keeper->options))) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "the browser of earlier commands was started with other options");
    return sq_fail_hint(err, "Use the same --browser options for all commands, "
                             "or end it first: squint browser close");
}

/* Lends the browser until the command gives it back. */
static void
lend(struct keeper *keeper, int fd, const struct sq_deadline *deadline) {
    const struct sq_deadline limit = sq_deadline_within(deadline, ANSWER_MS);
    const struct sq_deadline end = sq_deadline_within(deadline, COMMAND_MS);
    const struct answer answer = { READY, 0, (uint32_t)keeper->state.len };
    uint32_t size;
    uint8_t *space;
    bool ok = send_answer(fd, &answer, keeper->state.data, &limit)
           && sq_socket_pass(fd, sq_channel_socket(channel_of(keeper)), &limit,
                             NULL)
           && sq_socket_read(fd, &size, sizeof(size), &end, NULL);
    sq_buf_clear(&keeper->state);
    keeper->ends = ok && size == 0;
    if (ok && size <= MAX_STATE_BYTES
        && sq_buf_reserve(&keeper->state, size, &space, NULL)
        && sq_socket_read(fd, space, size, &limit, NULL)) {
        sq_buf_commit(&keeper->state, size);
        if (keeper->ends
            || unpack(sq_browser_of(keeper->device),
                      sq_buf_span(&keeper->state), NULL)) {
            return;
        }
    }
    keeper->loss = "a command was killed while it used the browser, which was "
                   "ended therefore";
    sq_channel_end(channel_of(keeper));
}

/* Serves one command. */
static void
serve(struct keeper *keeper, int fd, const struct sq_deadline *deadline) {
    const struct sq_deadline limit = sq_deadline_within(deadline, ANSWER_MS);
    const struct sq_deadline start = sq_deadline_within(deadline, START_MS);
    struct sq_err err = { 0 };
    struct hello hello;
    char version[40];
    uint8_t *space;
    SQ_BUF(options, MAX_OPTIONS_BYTES);
    write_version(version);
    if (!sq_socket_check_peer(fd, NULL)
        || !sq_socket_read(fd, &hello, sizeof(hello), &limit, NULL)
        || hello.size > MAX_OPTIONS_BYTES
        || !sq_buf_reserve(&options, hello.size, &space, NULL)
        || !sq_socket_read(fd, space, hello.size, &limit, NULL)) {
        return;
    }
    sq_buf_commit(&options, hello.size);
    if (hello.is_close) {
        keeper->ends = true;
        sq_device_destroy(keeper->device);
        keeper->device = NULL;
        const struct sq_deadline now = sq_deadline_within(deadline, ANSWER_MS);
        send_answer(fd, &(const struct answer){ .status = CLOSED }, "", &now);
    } else if (memcmp(hello.version, version, sizeof(version)) != 0) {
        sq_fail(&err, SQ_ERR_UNSUPPORTED,
                "the browser of earlier commands was started by another "
                "version of squint");
        sq_fail_hint(&err, "End it: squint browser close");
        refuse(fd, &err, &limit);
    } else if (check_command(keeper, sq_buf_span(&options), &start, &err)) {
        lend(keeper, fd, deadline);
    } else {
        refuse(fd, &err, &limit);
    }
}

/* Waits for a command, and notices that the browser has ended. */
static bool
await_command(struct keeper *keeper, int listener, int idle_ms,
              const struct sq_deadline *deadline, int *fd) {
    const struct sq_deadline idle =
        sq_deadline_within(deadline, keeper->device ? idle_ms : FIRST_MS);
    const struct sq_deadline now = sq_deadline_in(0, NULL);
    while (sq_deadline_check(&idle, NULL)) {
        const struct sq_deadline look = sq_deadline_within(&idle, LOOK_MS);
        if (sq_socket_accept(listener, &look, fd, NULL)) {
            return true;
        }
        if (keeper->device && !keeper->loss
            && sq_channel_await_end(channel_of(keeper), &now)) {
            keeper->loss = "the browser has ended since the last command";
        }
    }
    return false;
}

bool
sq_browser_keep(int idle_seconds, const struct sq_deadline *deadline,
                struct sq_err *err) {
    struct keeper keeper = { 0 };
    struct sq_state_folder folder;
    char path[SQ_PATH_SIZE + sizeof(SOCKET_NAME)];
    int listener;
    int fd;
    if (!sq_state_folder_open(&folder, err)) {
        return false;
    }
    sq_buf_init(&keeper.options, MAX_OPTIONS_BYTES);
    sq_buf_init(&keeper.state, MAX_STATE_BYTES);
    snprintf(path, sizeof(path), "%s/" SOCKET_NAME, folder.path);
    bool ok = sq_socket_listen_path(path, &listener, err);
    if (ok) {
        while (!keeper.ends
               && await_command(&keeper, listener, idle_seconds * 1000,
                                deadline, &fd)) {
            serve(&keeper, fd, deadline);
            sq_socket_close(fd);
        }
        /* Commands that come now wait, and then start another keeper. */
        sq_device_destroy(keeper.device);
        sq_file_remove(path);
        sq_socket_close(listener);
    }
    sq_buf_finish(&keeper.options);
    sq_buf_finish(&keeper.state);
    sq_state_folder_close(&folder);
    return ok;
}

/* The commands. */

/* Locks the browser for this process. */
static bool
lock(struct sq_browser *browser, const struct sq_state_folder *folder,
     const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (sq_state_folder_lock(folder, LOCK_NAME, deadline, &browser->lock,
                             &local_err)) {
        return true;
    }
    browser->lock = -1;
    if (local_err.code == SQ_ERR_TIMEOUT) {
        sq_fail(err, SQ_ERR_TIMEOUT, "another command is using the browser");
        return sq_fail_hint(err, "Wait until it has ended, then try again.");
    }
    return sq_fail_with(err, &local_err);
}

/* Connects to the keeper. *fd, which is -1, stays so if there is none. */
static bool
find_keeper(const char *path, int *fd, const struct sq_deadline *deadline,
            struct sq_err *err) {
    struct sq_err local_err = { 0 };
    return sq_socket_connect_path(path, deadline, fd, &local_err)
             ? sq_socket_check_peer(*fd, err)
             : local_err.code == SQ_ERR_NOT_FOUND
                   || sq_fail_with(err, &local_err);
}

/* Fails if a keeper has ended without removing its socket. */
static bool
check_killed(const char *path, struct sq_err *err) {
    if (!sq_probe_is_no_file(path)) {
        return true;
    }
    sq_file_remove(path);
    sq_fail(err, SQ_ERR_DEVICE_OFFLINE,
            "the process that kept the browser was killed");
    return sq_fail_hint(err, "What was open is lost: open the URL again; the "
                             "next command starts another browser.");
}

static bool
start_keeper(const char *path, int *fd, const struct sq_deadline *deadline,
             struct sq_err *err) {
    char program[SQ_PATH_SIZE];
    const char *const argv[] = { program, "browser-keeper", IDLE_SECONDS,
                                 NULL };
    bool ok = check_killed(path, err) && sq_worker_program(program, err)
           && sq_detached_start(argv, err);
    while (ok && *fd < 0) {
        ok = sq_wait_ms(POLL_MS, deadline, err)
          && find_keeper(path, fd, deadline, err);
    }
    return ok;
}

/* Sends a command, and reads the answer and what follows it. */
static bool
ask(int fd, struct sq_span options, struct sq_buf *out,
    const struct sq_deadline *deadline, struct sq_err *err) {
    struct hello hello;
    struct answer answer;
    uint8_t *space;
    memset(&hello, 0, sizeof(hello));
    write_version(hello.version);
    hello.is_close = options.len == 0;
    hello.size = (uint32_t)options.len;
    if (!sq_socket_write(fd, &hello, sizeof(hello), deadline, err)
        || !sq_socket_write(fd, options.ptr, options.len, deadline, err)
        || !sq_socket_read(fd, &answer, sizeof(answer), deadline, err)
        || !sq_buf_reserve(out, answer.size, &space, err)
        || !sq_socket_read(fd, space, answer.size, deadline, err)) {
        return sq_fail_in(err, "asking the process that keeps the browser");
    }
    sq_buf_commit(out, answer.size);
    if (answer.status == REFUSED) {
        struct sq_span rest = sq_buf_span(out);
        const char *message = take_option(&rest);
        const char *hint = take_option(&rest);
        sq_fail(err,
                answer.code > SQ_ERR_NONE && answer.code < SQ_ERR_CODES
                    ? (enum sq_err_code)answer.code
                    : SQ_ERR_IO,
                "%s", message ? message : "the browser cannot be used");
        return hint ? sq_fail_hint(err, "%s", hint) : false;
    }
    return true;
}

/*
 * Asks the keeper for the state; without options to close the browser, and then
 * only if there is one: else *fd stays -1. One that is just ending does not
 * answer.
 */
static bool
ask_keeper(const char *path, struct sq_span options, struct sq_buf *state,
           int *fd, const struct sq_deadline *deadline, struct sq_err *err) {
    const bool is_close = options.len == 0;
    struct sq_err local_err;
    bool ok;
    do {
        sq_err_clear(&local_err);
        ok = find_keeper(path, fd, deadline, &local_err)
          && (*fd >= 0 || is_close
              || start_keeper(path, fd, deadline, &local_err))
          && (*fd < 0 || ask(*fd, options, state, deadline, &local_err));
        if (!ok) {
            sq_socket_close(*fd);
            *fd = -1;
        }
    } while (
        !ok && state->len == 0
        && (local_err.code == SQ_ERR_TRUNCATED || local_err.code == SQ_ERR_IO)
        && sq_wait_ms(POLL_MS, deadline, NULL));
    return ok || sq_fail_with(err, &local_err);
}

static bool
borrow(struct sq_browser *browser, const struct sq_browser_config *config,
       const char *path, const struct sq_deadline *deadline,
       struct sq_err *err) {
    int fd = -1;
    SQ_BUF(options, MAX_OPTIONS_BYTES);
    SQ_BUF(state, MAX_STATE_BYTES);
    return write_options(config, &options, err)
        && ask_keeper(path, sq_buf_span(&options), &state, &browser->keeper,
                      deadline, err)
        && sq_socket_take(browser->keeper, &fd, deadline, err)
        && sq_cdp_adopt(&browser->cdp, fd, false, err)
        && unpack(browser, sq_buf_span(&state), err);
}

bool
sq_browser_borrow(struct sq_browser *browser,
                  const struct sq_browser_config *config,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_state_folder folder;
    char path[SQ_PATH_SIZE + sizeof(SOCKET_NAME)];
    if (!sq_state_folder_open(&folder, err)) {
        return false;
    }
    snprintf(path, sizeof(path), "%s/" SOCKET_NAME, folder.path);
    bool ok = lock(browser, &folder, deadline, err)
           && borrow(browser, config, path, deadline, err);
    sq_state_folder_close(&folder);
    return ok;
}

void
sq_browser_give_back(struct sq_browser *browser,
                     const struct sq_deadline *deadline) {
    uint32_t size = 0;
    SQ_BUF(state, MAX_STATE_BYTES);
    if (browser->lock < 0) {
        return;
    }
    if (browser->cdp.channel && !browser->is_lost
        && pack(browser, &state, NULL)) {
        size = (uint32_t)state.len;
    }
    if (browser->keeper >= 0
        && sq_socket_write(browser->keeper, &size, sizeof(size), deadline,
                           NULL)) {
        sq_socket_write(browser->keeper, state.data, size, deadline, NULL);
    }
    sq_socket_close(browser->keeper);
    sq_state_folder_unlock(browser->lock);
    browser->keeper = -1;
    browser->lock = -1;
}

bool
sq_browser_close_kept(bool *was_open, const struct sq_deadline *deadline,
                      struct sq_err *err) {
    struct sq_browser browser = { .lock = -1 };
    struct sq_state_folder folder;
    char path[SQ_PATH_SIZE + sizeof(SOCKET_NAME)];
    int fd = -1;
    SQ_BUF(nothing, MAX_STATE_BYTES);
    if (!sq_state_folder_open(&folder, err)) {
        return false;
    }
    snprintf(path, sizeof(path), "%s/" SOCKET_NAME, folder.path);
    bool ok = lock(&browser, &folder, deadline, err)
           && ask_keeper(path, (struct sq_span){ 0 }, &nothing, &fd, deadline,
                         err);
    *was_open = fd >= 0;
    if (ok && fd < 0) {
        check_killed(path, NULL);
    }
    sq_socket_close(fd);
    if (browser.lock >= 0) {
        sq_state_folder_unlock(browser.lock);
    }
    sq_state_folder_close(&folder);
    return ok;
}
