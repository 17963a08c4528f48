/* Reads the answers of WebDriver servers. Pure. */
#include <string.h>

#include "device/webdriver/private.h"
#include "util/base64.h"
#include "util/limits.h"
#include "util/utf8.h"

#define MAX_WORDS 160 /* of a server's message that are quoted */
#define MAX_SAID 640  /* of it that is read */
#define MAX_NAME 80   /* of an error that we do not know */

/* The errors of the protocol as ours; the first row that matches. */
static const struct row {
    const char *error;
    const char *words; /* that its message contains; NULL: any */
    enum sq_err_code code;
    int cause;
    const char *message;
    const char *hint;
} rows[] = {
    { "invalid session id", NULL, SQ_ERR_DEVICE_OFFLINE, SQ_WD_SESSION_ENDED,
      "the session has ended", SQ_WD_START_AGAIN },
    { "no such window", NULL, SQ_ERR_INVALID_OPERATION, SQ_WD_TAB_CLOSED,
      "its tab was closed", "Take a screenshot: it shows another tab now." },
    { "unknown error", "existing session", SQ_ERR_DEVICE_OFFLINE,
      SQ_WD_NODE_GONE, "the node with this device does not answer",
      "Check the node. " SQ_WD_START_AGAIN },
    { "unknown error", "node was removed", SQ_ERR_DEVICE_OFFLINE,
      SQ_WD_NODE_GONE, "the node with this device is gone", SQ_WD_START_AGAIN },
    { "unknown error", "Connection error", SQ_ERR_DEVICE_OFFLINE,
      SQ_WD_NODE_GONE, "the server with this device does not answer",
      "Check the Appium of that node. " SQ_WD_START_AGAIN },
    { "unknown error", "disconnected", SQ_ERR_DEVICE_OFFLINE,
      SQ_WD_SESSION_ENDED, "its browser has ended", SQ_WD_START_AGAIN },
    { "unknown error", "session deleted", SQ_ERR_DEVICE_OFFLINE,
      SQ_WD_SESSION_ENDED, "its browser has ended", SQ_WD_START_AGAIN },
    { "session not created", "timed out", SQ_ERR_DEVICE_OFFLINE, 0,
      "all its devices are in use",
      "Try again later, or free a slot of the Grid." },
    { "session not created", "No nodes support", SQ_ERR_DEVICE_NOT_FOUND, 0,
      "it has no device with these capabilities",
      "Compare the capabilities in webdriver.endpoints with those of the "
      "nodes." },
    { "session not created", NULL, SQ_ERR_DEVICE_OFFLINE, 0,
      "it did not start a session",
      "Check the capabilities in webdriver.endpoints." },
    { "unexpected alert open", NULL, SQ_ERR_INVALID_OPERATION,
      SQ_WD_DIALOG_OPEN, "a dialog is open",
      "Answer it first: @key enter accepts it, @key escape dismisses it; "
      "@input "
      "types into a prompt." },
    { "no such alert", NULL, SQ_ERR_INVALID_OPERATION, 0, "no dialog is open",
      "Take a screenshot to see what is there." },
    { "move target out of bounds", NULL, SQ_ERR_ARGUMENT, 0,
      "the point is outside of the screen", "Take a new screenshot." },
    { "invalid argument", NULL, SQ_ERR_ARGUMENT, 0, "it refused an argument",
      "Check the arguments, and the capabilities in webdriver.endpoints." },
    { "unknown command", NULL, SQ_ERR_UNSUPPORTED, SQ_WD_NO_COMMAND,
      "it cannot do this", "" },
    { "unknown method", NULL, SQ_ERR_UNSUPPORTED, SQ_WD_NO_COMMAND,
      "it cannot do this", "" },
    { "unsupported operation", NULL, SQ_ERR_UNSUPPORTED, 0, "it cannot do this",
      "" },
    { "javascript error", NULL, SQ_ERR_UNSUPPORTED, 0,
      "a script failed in the page", "" },
    { "script timeout", NULL, SQ_ERR_TIMEOUT, 0, "the page does not answer",
      "Try again, or open another page." },
    { "timeout", NULL, SQ_ERR_TIMEOUT, 0, "it needed too long", "Try again." },
    { "unable to capture screen", NULL, SQ_ERR_SCREENSHOT_FAILED, 0,
      "it cannot capture the screen",
      "Try again. An app may forbid pictures of it; @dump lists elements." },
    { "no such element", NULL, SQ_ERR_ELEMENT_NOT_FOUND, 0,
      "there is no such element", "Take a screenshot to see what is there." },
};

static struct sq_span
first_line(struct sq_span text) {
    struct sq_span line = { 0 };
    sq_span_take_line(&text, &line);
    return sq_utf8_shorten(line, MAX_WORDS);
}

static bool
fail_reported(const struct sq_wd_endpoint *endpoint,
              const struct sq_json *value, struct sq_err *err) {
    char said[MAX_SAID];
    char name[MAX_NAME];
    const struct sq_span error = sq_json_text_of(value, "error");
    const struct sq_span message = sq_json_text_of(value, "message");
    const struct sq_span alert =
        sq_json_text_of(sq_json_get(value, "data"), "text");
    sq_wd_hide(endpoint, alert.len > 0 ? alert : message, said, sizeof(said));
    const struct sq_span line = first_line(sq_span_of(said));
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        const struct row *row = &rows[i];
        if (sq_span_is(error, row->error)
            && (!row->words || sq_span_find(message, row->words))) {
            sq_fail_quoting(err, row->code, "%s: %s%s%.*s", endpoint->name,
                            row->message, line.len > 0 ? ": " : "",
                            SQ_SPAN_ARGS(line));
            if (row->hint[0]) {
                sq_fail_hint(err, "%s", row->hint);
            }
            return sq_fail_cause(err, row->cause);
        }
    }
    sq_wd_hide(endpoint, error, name, sizeof(name));
    return sq_fail_quoting(
        err, SQ_ERR_IO, "%s reports \"%.*s\": %.*s", endpoint->name,
        SQ_SPAN_ARGS(first_line(sq_span_of(name))), SQ_SPAN_ARGS(line));
}

static bool
fail_status(const struct sq_wd_endpoint *endpoint, int status,
            struct sq_err *err) {
    if (status == 401 || status == 403 || status == 407) {
        sq_fail(err, SQ_ERR_DEVICE_OFFLINE,
                "%s refused the request (status %d)", endpoint->name, status);
        sq_fail_hint(err, "Check the user and the password of %s.",
                     status == 407 ? "the proxy (https_proxy, http_proxy)"
                     : status == 401
                         ? "the URL in webdriver.endpoints"
                         : "the URL in webdriver.endpoints. A chromedriver "
                           "needs --allowed-ips to serve other computers");
    } else {
        sq_fail(err, SQ_ERR_DEVICE_OFFLINE,
                "%s answers with status %d, and not as WebDriver does",
                endpoint->name, status);
        sq_fail_hint(err, "%s",
                     status >= 300 && status < 400
                         ? "It points to another address, which is not "
                           "followed: write that one in webdriver.endpoints, "
                           "such as https:// instead of http://."
                         : SQ_WD_CHECK_URL);
    }
    return sq_fail_cause(err, status == 401 || status == 407
                                  ? SQ_WD_NO_ACCESS
                                  : SQ_WD_OTHER_ANSWER);
}

bool
sq_wd_parse(const struct sq_wd_endpoint *endpoint, int status,
            struct sq_span body, struct sq_arena *arena,
            const struct sq_json **value, struct sq_err *err) {
    const struct sq_json *answer = NULL;
    struct sq_err local_err = { 0 };
    if (!sq_json_parse(body, arena, &answer, &local_err)) {
        return sq_is_fatal(local_err.code) || local_err.code == SQ_ERR_LIMIT
                 ? sq_fail_with(err, &local_err)
                 : fail_status(endpoint, status, err);
    }
    const struct sq_json *found = sq_json_get(answer, "value");
    bool is_refusal = status == 401 || status == 407;
    if (sq_json_get(found, "error") && status >= 300 && !is_refusal) {
        return fail_reported(endpoint, found, err);
    }
    if (status < 200 || status >= 300 || !found) {
        return fail_status(endpoint, status, err);
    }
    *value = found;
    return true;
}

/* Skips white space, then takes this text. */
static bool
take(struct sq_span *rest, const char *text) {
    struct sq_span after = *rest;
    while (after.len > 0 && strchr(" \t\r\n", after.ptr[0])) {
        sq_span_skip(&after, 1);
    }
    bool ok = sq_span_take_prefix(&after, text);
    *rest = ok ? after : *rest;
    return ok;
}

/* Copies a string of base64 without its escapes, up to the quote. */
static bool
copy_string(struct sq_span rest, struct sq_buf *out, struct sq_err *err) {
    static const struct {
        const char *escape;
        const char *text;
    } escapes[] = { { "\\/", "/" },     { "\\u002f", "/" }, { "\\u002F", "/" },
                    { "\\u003d", "=" }, { "\\u002b", "+" }, { "\\n", "" },
                    { "\\r", "" } };
    while (rest.len > 0 && rest.ptr[0] != '"') {
        size_t len = 0;
        while (len < rest.len && rest.ptr[len] != '"'
               && rest.ptr[len] != '\\') {
            len++;
        }
        if (!sq_buf_append(out, rest.ptr, len, err)) {
            return false;
        }
        rest.ptr += len;
        rest.len -= len;
        size_t i = 0;
        while (len == 0 && i < SQ_COUNT(escapes)
               && !sq_span_take_prefix(&rest, escapes[i].escape)) {
            i++;
        }
        if (len == 0
            && (i == SQ_COUNT(escapes)
                || !sq_buf_append(out, escapes[i].text, strlen(escapes[i].text),
                                  err))) {
            return sq_fail(err, SQ_ERR_FORMAT, "the picture is no base64");
        }
    }
    return rest.len > 0
        || sq_fail(err, SQ_ERR_TRUNCATED, "the picture ends too early");
}

bool
sq_wd_picture(struct sq_span body, struct sq_buf *out, struct sq_err *err) {
    SQ_BUF(text, 2 * SQ_MAX_CAPTURE_BYTES);
    if (!take(&body, "{") || !take(&body, "\"value\"") || !take(&body, ":")
        || (take(&body, "{") && !(take(&body, "\"data\"") && take(&body, ":")))
        || !take(&body, "\"")) {
        return sq_fail(err, SQ_ERR_FORMAT, "the answer has no picture");
    }
    return copy_string(body, &text, err)
        && sq_base64_decode(sq_buf_span(&text), out, err);
}
