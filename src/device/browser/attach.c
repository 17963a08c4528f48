/*
 * Uses a browser that is running, over a websocket. It is a person's: only tabs
 * that squint has opened, and those that these open, are seen and closed.
 */
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "sys/entropy.h"
#include "sys/sockets.h"
#include "util/base64.h"

#define LOOPBACK "127.0.0.1"
#define MAX_HEAD 8192
#define ATTACH_MS 5000
#define PATH_SIZE 120
#define REQUEST_SIZE 512
#define PATH_START "/devtools/browser/"
#define ATTACH_TO(id)                                                          \
    SQ_CDP_TEXT_COMMAND("", "Target.attachToTarget",                           \
                        SQ_SPAN("{\"flatten\":true}"), "targetId", id)

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
