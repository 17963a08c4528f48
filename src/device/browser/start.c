/*
 * Finds and starts a browser, with a profile that is kept or not; or uses one
 * that is running, over a websocket. That is a person's: only tabs that squint
 * has opened, and those that these open, are seen and closed.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "sys/call.h"
#include "sys/entropy.h"
#include "sys/folder.h"
#include "sys/process.h"
#include "sys/sockets.h"
#include "util/base64.h"

#define MAX_WORD 200
#define MAX_PROFILE_NAME 40
#define PROBE_MS 10000
#define MAX_VERSION_BYTES 4096
#define PROFILES "squint/browser/"
#define LOOPBACK "127.0.0.1"
#define MAX_HEAD 8192
#define ATTACH_MS 5000
#define PATH_SIZE 120
#define REQUEST_SIZE 512
#define PATH_START "/devtools/browser/"
#define ATTACH_TO(id)                                                          \
    SQ_CDP_TEXT_COMMAND("", "Target.attachToTarget",                           \
                        SQ_SPAN("{\"flatten\":true}"), "targetId", id)

static bool
find_file(const char *path, char out[SQ_PATH_SIZE]) {
    bool found = path[0] == '/' && sq_probe_is_program(path);
    if (found) {
        snprintf(out, SQ_PATH_SIZE, "%s", path);
    }
    return found;
}

bool
sq_browser_find_program(const char *wanted, char out[SQ_PATH_SIZE],
                        struct sq_err *err) {
    static const char *const names[] = {
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "microsoft-edge",
        "brave-browser",
        "/snap/bin/chromium",
        "/opt/google/chrome/chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    };
    if (wanted) {
        if (find_file(wanted, out)) {
            return true;
        }
        sq_fail(err, SQ_ERR_NOT_FOUND, "browser.path is no program: %.200s",
                wanted);
        return sq_fail_hint(err, "Give the whole path of a Chromium.");
    }
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        if (find_file(names[i], out) || sq_probe_program(names[i], out)) {
            return true;
        }
    }
    sq_fail(err, SQ_ERR_NOT_FOUND, "no Chromium is installed");
    return sq_fail_hint(err, "Install it (apt install chromium), or name one "
                             "with --browser-path.");
}

bool
sq_browser_probe(const char *wanted, char path[SQ_PATH_SIZE],
                 char version[SQ_DEVICE_TEXT_SIZE], bool *has_sandbox,
                 struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(PROBE_MS, NULL);
    struct sq_process_end end = { 0 };
    if (!sq_browser_find_program(wanted, path, err)) {
        return false;
    }
    const char *const argv[] = { path, "--version", NULL };
    const struct sq_process process = { .argv = argv,
                                        .max_output = MAX_VERSION_BYTES };
    bool ok = sq_process_run(&process, &deadline, &end, err);
    struct sq_span text = sq_span_trim(sq_buf_span(&end.output));
    text.len =
        text.len < SQ_DEVICE_TEXT_SIZE ? text.len : SQ_DEVICE_TEXT_SIZE - 1;
    snprintf(version, SQ_DEVICE_TEXT_SIZE, "%.*s", SQ_SPAN_ARGS(text));
    *has_sandbox = sq_call_user() != 0;
    sq_process_end_finish(&end);
    return ok;
}

static bool
check_profile_name(const char *name, struct sq_err *err) {
    size_t len = strspn(name, SQ_NAME_CHARACTERS "-_");
    if (len > 0 && len <= MAX_PROFILE_NAME && name[len] == '\0') {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "browser.profile is \"%.60s\"", name);
    return sq_fail_hint(err,
                        "Use at most %d letters, digits, - and _, such as "
                        "work.",
                        MAX_PROFILE_NAME);
}

/*
 * Fails if a browser that runs has the profile: its lock is a symbolic link to
 * HOST-PROCESS.
 */
static bool
check_unlocked(const char *name, const char *folder, struct sq_err *err) {
    char path[SQ_PATH_SIZE + MAX_WORD];
    char owner[MAX_WORD] = "";
    int64_t pid = 0;
    snprintf(path, sizeof(path), "%s/SingletonLock", folder);
    ssize_t len = sq_call_readlink(path, owner, sizeof(owner) - 1);
    const char *dash = len > 0 ? strrchr(owner, '-') : NULL;
    if (!dash || !sq_span_to_int64(sq_span_of(dash + 1), &pid)
        || !sq_process_exists(pid)) {
        return true;
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "the profile \"%s\" is used by another browser, process %lld", name,
            (long long)pid);
    return sq_fail_hint(err, "Close that browser or the squint that started "
                             "it (squint browser close), or use another "
                             "profile.");
}

/* Makes the folder of the profile. *out is its path. */
static bool
make_profile(struct sq_browser *browser, const char *name,
             char out[SQ_PATH_SIZE], struct sq_err *err) {
    struct sq_state_folder folder;
    char path[MAX_WORD];
    if (!name) {
        bool ok = sq_temp_make(&browser->profile, "profile", err);
        snprintf(out, SQ_PATH_SIZE, "%s", browser->profile.file);
        return ok;
    }
    if (!check_profile_name(name, err)) {
        return false;
    }
    snprintf(path, sizeof(path), PROFILES "%s", name);
    if (!sq_state_folder_open_kept(path, &folder, err)) {
        return false;
    }
    snprintf(out, SQ_PATH_SIZE, "%s", folder.path);
    sq_state_folder_close(&folder);
    return check_unlocked(name, out, err);
}

#define MAX_ARGS 32

struct args {
    const char *items[MAX_ARGS];
    size_t count;
};

static void
add(struct args *args, const char *arg) {
    assert(args->count < MAX_ARGS - 1);
    args->items[args->count++] = arg;
}

static void
add_constant(struct args *args, bool is_visible) {
    static const char *const always[] = {
        "--remote-debugging-pipe",
        "--no-first-run",
        "--no-default-browser-check",
        "--no-proxy-server",
        "--disable-background-networking",
        "--disable-breakpad",
        "--disable-component-update",
        "--disable-dev-shm-usage",
        "--disable-smooth-scrolling",
        "--disable-sync",
        "--mute-audio",
        "--password-store=basic",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    };
    static const char *const hidden[] = { "--headless=new", "--disable-gpu",
                                          "--hide-scrollbars" };
    for (size_t i = 0; i < SQ_COUNT(always); i++) {
        add(args, always[i]);
    }
    for (size_t i = 0; !is_visible && i < SQ_COUNT(hidden); i++) {
        add(args, hidden[i]);
    }
    if (sq_call_user() == 0) {
        add(args, "--no-sandbox");
    }
}

bool
sq_browser_start(struct sq_browser *browser,
                 const struct sq_browser_config *config, struct sq_err *err) {
    char program[SQ_PATH_SIZE];
    char folder[SQ_PATH_SIZE];
    char profile[SQ_PATH_SIZE + MAX_WORD];
    char window[MAX_WORD];
    struct args args = { .items = { program }, .count = 1 };
    SQ_BUF(rules, SQ_MAX_RULES_BYTES);
    bool ok = sq_browser_find_program(config->path, program, err)
           && make_profile(browser, config->profile, folder, err)
           && sq_buf_printf(&rules, err, "--host-resolver-rules=")
           && sq_origin_resolver_rules(&browser->allow, &rules, err)
           && sq_buf_append_byte(&rules, '\0', err);
    if (ok) {
        snprintf(profile, sizeof(profile), "--user-data-dir=%s", folder);
        snprintf(window, sizeof(window), "--window-size=%d,%d",
                 browser->size.width, browser->size.height);
        add_constant(&args, config->visible);
        add(&args, profile);
        add(&args, window);
        add(&args, (const char *)rules.data);
        add(&args, "about:blank");
        ok = sq_cdp_start(&browser->cdp, args.items, err);
    }
    return ok;
}

bool
sq_browser_explain_start(struct sq_browser *browser, bool is_visible,
                         struct sq_err *err) {
    char said[SQ_CHANNEL_ERRORS_SIZE];
    if (browser->cdp.channel && err && !sq_is_fatal(err->code)) {
        sq_channel_errors(browser->cdp.channel, said);
        sq_fail_in(err, "starting the browser%s%s%s", said[0] ? " (" : "", said,
                   said[0] ? ")" : "");
        err->quotes = true;
        sq_fail_hint(err, "Try again; squint doctor --browser says which "
                          "program this is, --browser-path names another.");
        if (is_visible) {
            sq_fail_hint(err, "A window needs a desktop session (DISPLAY or "
                              "WAYLAND_DISPLAY); or leave --browser-visible "
                              "out.");
        }
    }
    return false;
}

/* Where a browser listens. */
struct place {
    int port;
    char path[PATH_SIZE]; /* empty: it is to be asked for */
};

/* Copies the path at the beginning of a text. Returns false without one. */
static bool
take_path(struct sq_span text, char out[PATH_SIZE]) {
    size_t len = sizeof(PATH_START) - 1;
    if (!sq_span_starts_with(text, PATH_START)) {
        return false;
    }
    while (len < text.len && len < PATH_SIZE - 1
           && (sq_hex_digit(text.ptr[len]) >= 0 || text.ptr[len] == '-')) {
        len++;
    }
    snprintf(out, PATH_SIZE, "%.*s", (int)len, text.ptr);
    return len > sizeof(PATH_START) - 1;
}

/* Reads PORT, or the file DevToolsActivePort: two lines, port and path. */
static bool
read_place(const char *text, struct place *out, struct sq_err *err) {
    SQ_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    struct sq_span rest = sq_span_of(text);
    struct sq_span line;
    int64_t port = 0;
    bool is_file = !sq_span_to_int64(rest, &port);
    if (is_file) {
        if (!sq_file_read(text, MAX_HEAD, &file, err)) {
            return sq_fail_hint(err, "browser.attach is the port of a running "
                                     "browser, or its file "
                                     "DevToolsActivePort.");
        }
        rest = sq_buf_span(&file);
        if (!sq_span_take_line(&rest, &line) || !sq_span_to_int64(line, &port)
            || !take_path(rest, out->path)) {
            port = 0;
        }
    }
    out->port = (int)port;
    return (port > 0 && port < 65536)
        || sq_fail(err, SQ_ERR_ARGUMENT,
                   is_file ? "%.200s is no file DevToolsActivePort"
                           : "browser.attach has no port: %.200s",
                   text);
}

/* Sends a request, and reads until the words are in the answer. */
static bool
ask(int fd, const char *request, const char *words, struct sq_buf *out,
    const struct sq_deadline *deadline, struct sq_err *err) {
    size_t got = 1;
    bool ok = sq_socket_write(fd, request, strlen(request), deadline, err);
    while (ok && !sq_span_find(sq_buf_span(out), words)) {
        uint8_t *space;
        ok = sq_buf_reserve(out, 1, &space, err)
          && sq_socket_read_some(fd, space, 1, &got, deadline, err)
          && (got > 0
              || sq_fail(err, SQ_ERR_FORMAT,
                         "no browser listens at this port"));
        sq_buf_commit(out, ok ? got : 0);
    }
    return ok;
}

/* Asks for the path of the websocket, if only the port is known. */
static bool
find_path(struct place *place, const struct sq_deadline *deadline,
          struct sq_err *err) {
    char request[REQUEST_SIZE];
    int fd = -1;
    SQ_BUF(answer, MAX_HEAD);
    snprintf(request, sizeof(request),
             "GET /json/version HTTP/1.1\r\nHost: " LOOPBACK ":%d\r\n"
             "Connection: close\r\n\r\n",
             place->port);
    bool ok = sq_socket_connect(LOOPBACK, place->port, deadline, &fd, err)
           && ask(fd, request, "}", &answer, deadline, err);
    sq_socket_close(fd);
    struct sq_span text = sq_buf_span(&answer);
    const char *at = ok ? sq_span_find(text, PATH_START) : NULL;
    if (at) {
        sq_span_skip(&text, (size_t)(at - text.ptr));
    }
    if (!ok || (at && take_path(text, place->path))) {
        return ok;
    }
    sq_fail(err, SQ_ERR_FORMAT,
            "what listens at this port does not tell the "
            "address of a browser");
    return sq_fail_hint(err, "Give its file DevToolsActivePort, which is in "
                             "the folder of its profile.");
}

/* Opens the websocket. */
static bool
open_websocket(struct sq_browser *browser, const struct place *place,
               const struct sq_deadline *deadline, struct sq_err *err) {
    uint8_t bytes[16];
    char key[SQ_WEBSOCKET_KEY_SIZE] = "";
    char request[REQUEST_SIZE];
    int fd = -1;
    SQ_BUF(head, MAX_HEAD);
    bool ok = sq_random_fill(bytes, sizeof(bytes)) == 0
           || sq_fail(err, SQ_ERR_IO, "no random bytes");
    if (ok) {
        sq_base64_encode(bytes, sizeof(bytes), key);
    }
    snprintf(request, sizeof(request),
             "GET %s HTTP/1.1\r\nHost: " LOOPBACK ":%d\r\nUpgrade: websocket"
             "\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
             "Sec-WebSocket-Version: 13\r\n\r\n",
             place->path, place->port, key);
    ok = ok && sq_socket_connect(LOOPBACK, place->port, deadline, &fd, err)
      && ask(fd, request, "\r\n\r\n", &head, deadline, err)
      && sq_websocket_check_head(sq_buf_span(&head), key, err);
    if (!ok) {
        sq_socket_close(fd);
        return false;
    }
    return sq_cdp_adopt(&browser->cdp, fd, true, err);
}

bool
sq_browser_attach(struct sq_browser *browser, const char *where,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_within(deadline, ATTACH_MS);
    struct place place = { 0 };
    browser->is_attached = true;
    if (!read_place(where, &place, err)) {
        return false;
    }
    bool ok = (place.path[0] || find_path(&place, &limit, err))
           && open_websocket(browser, &place, &limit, err);
    if (!ok && err && !sq_is_fatal(err->code)) {
        sq_fail_in(err, "attaching to a browser at " LOOPBACK ":%d",
                   place.port);
        if (!err->hint[0]) {
            sq_fail_hint(err, "Start it with --remote-debugging-port=0 and "
                              "--user-data-dir, and give the file "
                              "DevToolsActivePort of that folder.");
        }
    }
    return ok
        && sq_cdp_call(
               &browser->cdp,
               SQ_CDP_COMMAND("", "Target.setDiscoverTargets",
                              SQ_SPAN("{\"discover\":true,"
                                      "\"filter\":[{\"type\":\"page\"}]}")),
               NULL, deadline, err)
        && sq_browser_attach_new_tab(browser, deadline, err);
}

bool
sq_browser_attach_new_tab(struct sq_browser *browser,
                          const struct sq_deadline *deadline,
                          struct sq_err *err) {
    const struct sq_json *result;
    char id[SQ_CDP_ID_SIZE];
    if (!sq_cdp_call(&browser->cdp,
                     SQ_CDP_COMMAND("", "Target.createTarget",
                                    SQ_SPAN("{\"url\":\"about:blank\","
                                            "\"newWindow\":true}")),
                     &result, deadline, err)) {
        return false;
    }
    SQ_COPY_TEXT(id, sq_json_text_of(result, "targetId"));
    return sq_cdp_call(&browser->cdp, ATTACH_TO(sq_span_of(id)), NULL, deadline,
                       err);
}

void
sq_browser_attach_popup(struct sq_browser *browser,
                        const struct sq_cdp_message *event) {
    const struct sq_deadline limit = sq_deadline_in(SQ_BROWSER_BEGIN_MS, NULL);
    const struct sq_json *info = sq_json_get(event->params, "targetInfo");
    struct sq_span opener = sq_json_text_of(info, "openerId");
    struct sq_span id = sq_json_text_of(info, "targetId");
    bool asks_page = browser->cdp.asks_page;
    int64_t command;
    for (int i = 0; browser->is_attached && i < browser->tab_count; i++) {
        if (opener.len > 0 && sq_span_is(opener, browser->tabs[i].target)) {
            sq_cdp_send(&browser->cdp, ATTACH_TO(id), &command, &limit, NULL);
            break;
        }
    }
    browser->cdp.asks_page = asks_page;
}

/* Returns how many pages the browser shows, ours among them. */
static int
count_pages(struct sq_browser *browser, const struct sq_deadline *deadline) {
    const struct sq_json *result;
    int count = 0;
    if (!sq_cdp_call(&browser->cdp,
                     SQ_CDP_COMMAND("", "Target.getTargets", SQ_SPAN("{}")),
                     &result, deadline, NULL)) {
        return 0;
    }
    for (const struct sq_json *item =
             sq_json_first(sq_json_get(result, "targetInfos"));
         item; item = sq_json_next(item)) {
        count += sq_span_is(sq_json_text_of(item, "type"), "page");
    }
    return count;
}

/* Without any tab the browser would end: one of ours stays then, empty. */
void
sq_browser_detach(struct sq_browser *browser,
                  const struct sq_deadline *deadline) {
    int others = count_pages(browser, deadline) - browser->tab_count;
    for (int i = browser->tab_count - 1; i >= 0; i--) {
        bool stays = i == 0 && others <= 0;
        const struct sq_tab *tab = &browser->tabs[i];
        int64_t id;
        if (!sq_cdp_send(&browser->cdp,
                         stays ? SQ_CDP_TEXT_COMMAND(
                             tab->session, "Page.navigate", SQ_SPAN("{}"),
                             "url", SQ_SPAN("about:blank"))
                               : SQ_CLOSE_TARGET(tab->target),
                         &id, deadline, NULL)) {
            return;
        }
    }
    count_pages(browser, deadline); /* so that all of it was done */
}
