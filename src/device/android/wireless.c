/* Pairs with and connects to phones in the network. */
#include "device/android/adb.h"

#include <stdio.h>
#include <string.h>

#include "device/android/link.h"
#include "sys/sockets.h"

#define REQUEST_SIZE 400
#define MAX_HOST 253
#define CODE_DIGITS 6
#define MAX_QUOTED 160

static bool
is_host(struct sq_span host) {
    bool ok = host.len > 0 && host.len <= MAX_HOST && host.ptr[0] != '-';
    for (size_t i = 0; i < host.len; i++) {
        char c = sq_ascii_lower(host.ptr[i]);
        ok = ok
          && ((c >= 'a' && c <= 'z')
              || (c != '\0' && strchr("0123456789.-_:[]%", c)));
    }
    return ok;
}

/* Returns whether it can be HOST:PORT, or HOST if the port is optional. */
static bool
is_phone_address(struct sq_span text, bool port_is_optional) {
    size_t start = text.len;
    int64_t port = 0;
    while (start > 0 && sq_is_digit(text.ptr[start - 1])) {
        start--;
    }
    struct sq_span digits = { text.ptr + start, text.len - start };
    bool has_port = start > 0 && text.ptr[start - 1] == ':' && digits.len <= 6
                 && sq_span_to_int64(digits, &port) && port > 0
                 && port <= UINT16_MAX;
    return is_host(text) && (has_port || port_is_optional);
}

static bool
fail_address(struct sq_err *err) {
    return sq_fail_argument(err, "this is not an address of a phone",
                            "Give HOST:PORT as the phone shows it under "
                            "Wireless debugging, such as 192.0.2.7:37123.");
}

/* Sends a request whose answer may take as long as the deadline allows. */
static bool
ask(struct sq_adb *adb, const char *request, struct sq_buf *out,
    const struct sq_deadline *deadline, struct sq_err *err) {
    int fd = -1;
    bool ok = sq_adb_connect(adb, deadline, &fd, err)
           && sq_adb_request(fd, request, deadline, err)
           && sq_adb_read_answer(fd, out, deadline, err);
    sq_socket_close(fd);
    return ok;
}

/* The server answers with a sentence; only these beginnings mean success. */
static bool
check_answer(struct sq_span answer, const char *first, const char *second,
             const char *hint, struct sq_err *err) {
    answer = sq_span_trim(answer);
    if (sq_span_starts_with(answer, first)
        || sq_span_starts_with(answer, second)) {
        return true;
    }
    answer.len = answer.len < MAX_QUOTED ? answer.len : MAX_QUOTED;
    sq_fail_quoting(err, SQ_ERR_IO, "adb says: %.*s", SQ_SPAN_ARGS(answer));
    return sq_fail_hint(err, "%s", hint);
}

bool
sq_wireless_connect(struct sq_adb *adb, const char *address, struct sq_buf *out,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    char request[REQUEST_SIZE];
    if (!is_phone_address(sq_span_of(address), true)) {
        return fail_address(err);
    }
    snprintf(request, sizeof(request), "host:connect:%.*s", MAX_HOST, address);
    return ask(adb, request, out, deadline, err)
        && check_answer(sq_buf_span(out), "connected to", "already connected",
                        "Check that the phone is on, in the same network, and "
                        "paired: squint pair. The port changes whenever "
                        "Wireless debugging is switched on.",
                        err);
}

/* An older server does not know the request, and says so or just hangs up. */
static bool
explain_old(const char *what, struct sq_err *err) {
    if (err
        && (err->code == SQ_ERR_UNSUPPORTED
            || ((err->code == SQ_ERR_TRUNCATED || err->code == SQ_ERR_IO)
                && !err->hint[0]))) {
        sq_fail_in(err, "%s", what);
        sq_fail_hint(err,
                     "This needs adb 30 or newer; Debian 12 has 29. Download "
                     "platform-tools from https://developer.android.com/tools"
                     "/releases/platform-tools, unpack it, run adb "
                     "kill-server, then the new adb start-server.");
    }
    return false;
}

bool
sq_wireless_pair(struct sq_adb *adb, const char *address, const char *code,
                 struct sq_buf *out, const struct sq_deadline *deadline,
                 struct sq_err *err) {
    char request[REQUEST_SIZE];
    if (strspn(code, "0123456789") != CODE_DIGITS
        || strlen(code) != CODE_DIGITS) {
        return sq_fail_argument(
            err, "the code does not have six digits",
            "The phone shows it: Developer options, Wireless debugging, Pair "
            "device with pairing code.");
    }
    if (!is_phone_address(sq_span_of(address), false)) {
        return fail_address(err);
    }
    snprintf(request, sizeof(request), "host:pair:%s:%.*s", code, MAX_HOST,
             address);
    return (ask(adb, request, out, deadline, err)
            || explain_old("pairing", err))
        && check_answer(sq_buf_span(out), "Successfully paired", "paired",
                        "The code and the port are new each time the phone "
                        "shows them. Pairing uses another port than "
                        "connecting.",
                        err);
}

bool
sq_wireless_list(struct sq_adb *adb, struct sq_buf *out,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    return ask(adb, "host:mdns:services", out, deadline, err)
        || explain_old("listing phones in the network", err);
}
