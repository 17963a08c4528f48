/*
 * Sends requests by libcurl, which is opened at first use: linking it would
 * cost each start several milliseconds, and only few users need it. Its numbers
 * below are part of its binary interface and never change.
 */
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "device/webdriver/private.h"
#include "sys/call.h"

#define CONNECT_MS 5000L
#define WAIT_MS 20   /* between two looks at a cancel token */
#define TELL_MS 1000 /* between two reports of a wait */
#define MAX_URL 4096

#define LONG_OPTION(n) (n)
#define OBJECT_OPTION(n) (10000 + (n))
#define FUNCTION_OPTION(n) (20000 + (n))

enum {
    OPT_WRITEDATA = OBJECT_OPTION(1),
    OPT_URL = OBJECT_OPTION(2),
    OPT_READDATA = OBJECT_OPTION(9),
    OPT_WRITEFUNCTION = FUNCTION_OPTION(11),
    OPT_READFUNCTION = FUNCTION_OPTION(12),
    OPT_HTTPHEADER = OBJECT_OPTION(23),
    OPT_CUSTOMREQUEST = OBJECT_OPTION(36),
    OPT_POST = LONG_OPTION(47),
    OPT_FOLLOWLOCATION = LONG_OPTION(52),
    OPT_POSTFIELDSIZE = LONG_OPTION(60),
    OPT_HTTPGET = LONG_OPTION(80),
    OPT_NOSIGNAL = LONG_OPTION(99),
    OPT_CONNECTTIMEOUT_MS = LONG_OPTION(156),
    OPT_PROTOCOLS = LONG_OPTION(181),
    OPT_TCP_KEEPALIVE = LONG_OPTION(213),
    INFO_RESPONSE_CODE = 0x200000 + 2,
    HTTP_AND_HTTPS = 3,
    GLOBAL_DEFAULT = 3,
    MESSAGE_DONE = 1,
};

/* Results of a transfer that are explained. */
enum {
    BAD_URL = 3,
    NO_PROXY_HOST = 5,
    NO_HOST = 6,
    NO_CONNECTION = 7,
    WRITE_ERROR = 23,
    OUT_OF_MEMORY = 27,
    TIMED_OUT = 28,
    NO_TLS = 35,
    NO_ANSWER = 52,
    SEND_ERROR = 55,
    RECEIVE_ERROR = 56,
    BAD_CERTIFICATE = 60,
    NOT_SENT_AGAIN = 65,
    NO_CERTIFICATES = 77,
};

struct message {
    int kind;
    void *easy;
    union {
        void *pointer;
        int result;
    } data;
};

#define FUNCTIONS(X)                                                           \
    X(const char *, curl_version, (void))                                      \
    X(int, curl_global_init, (long))                                           \
    X(void *, curl_easy_init, (void))                                          \
    X(int, curl_easy_setopt, (void *, int, ...))                               \
    X(int, curl_easy_getinfo, (void *, int, ...))                              \
    X(const char *, curl_easy_strerror, (int))                                 \
    X(void, curl_easy_cleanup, (void *))                                       \
    X(void *, curl_slist_append, (void *, const char *))                       \
    X(void, curl_slist_free_all, (void *))                                     \
    X(void *, curl_multi_init, (void))                                         \
    X(int, curl_multi_add_handle, (void *, void *))                            \
    X(int, curl_multi_remove_handle, (void *, void *))                         \
    X(int, curl_multi_perform, (void *, int *))                                \
    X(int, curl_multi_poll, (void *, void *, unsigned, int, int *))            \
    X(struct message *, curl_multi_info_read, (void *, int *))                 \
    X(int, curl_multi_cleanup, (void *))

#define MEMBER(type, name, arguments) type(*name) arguments;
static struct {
    FUNCTIONS(MEMBER)
    bool is_ready;
} curl;

static pthread_once_t opened = PTHREAD_ONCE_INIT;

static void
open_library(void) {
    static const char *const names[] = {
        "libcurl.so.4",
        "libcurl-gnutls.so.4",
        "/usr/lib/libcurl.4.dylib",
    };
    void *library = NULL;
    for (size_t i = 0; !library && i < SQ_COUNT(names); i++) {
        library = sq_call_open_library(names[i]);
    }
    bool ok = library != NULL;
    /* POSIX guarantees that a function's address fits in a data pointer. */
#define LOAD(type, name, arguments)                                            \
    *(void **)(void *)&curl.name =                                             \
        ok ? sq_call_find_symbol(library, #name) : NULL;                       \
    ok = ok && curl.name;
    FUNCTIONS(LOAD)
    curl.is_ready = ok && curl.curl_global_init(GLOBAL_DEFAULT) == 0;
}

/* Takes a part of an answer; fewer bytes than offered end the transfer. */
static size_t
receive(const void *bytes, size_t size, size_t count, void *context) {
    return sq_buf_append(context, bytes, size * count, NULL) ? size * count : 0;
}

/*
 * Gives the body of a POST, once: libcurl cannot send it again when a
 * connection ends without an answer, after which a tap may have happened.
 */
static size_t
give(char *bytes, size_t size, size_t count, void *context) {
    struct sq_span *body = context;
    size_t len = body->len < size * count ? body->len : size * count;
    memcpy(bytes, body->ptr, len);
    body->ptr += len;
    body->len -= len;
    return len;
}

bool
sq_webdriver_probe(char version[SQ_DEVICE_TEXT_SIZE], struct sq_err *err) {
    pthread_once(&opened, open_library);
    if (!curl.is_ready) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "libcurl is not installed");
        return sq_fail_hint(err, "Install it (Debian: apt-get install "
                                 "libcurl4). Other devices work without it.");
    }
    if (version) {
        const struct sq_span all = sq_span_of(curl.curl_version());
        snprintf(version, SQ_DEVICE_TEXT_SIZE, "%.*s",
                 (int)strcspn(all.ptr, " "), all.ptr);
    }
    return true;
}

/* What is the same for all requests. */
static bool
prepare(struct sq_wd_client *client, struct sq_err *err) {
    static const char *const lines[] = {
        "Content-Type: application/json; charset=utf-8",
        "Accept: application/json",
        "Expect:",
    };
    if (client->easy) {
        return true;
    }
    if (!sq_webdriver_probe(NULL, err)) {
        return false;
    }
    client->multi = curl.curl_multi_init();
    client->easy = client->multi ? curl.curl_easy_init() : NULL;
    bool ok = client->easy != NULL;
    for (size_t i = 0; ok && i < SQ_COUNT(lines); i++) {
        void *longer = curl.curl_slist_append(client->headers, lines[i]);
        ok = longer != NULL;
        client->headers = ok ? longer : client->headers;
    }
    if (!ok) {
        sq_wd_client_finish(client);
        return sq_fail_nomem(err);
    }
    curl.curl_easy_setopt(client->easy, OPT_HTTPHEADER, client->headers);
    curl.curl_easy_setopt(client->easy, OPT_NOSIGNAL, 1L);
    curl.curl_easy_setopt(client->easy, OPT_FOLLOWLOCATION, 0L);
    curl.curl_easy_setopt(client->easy, OPT_PROTOCOLS, (long)HTTP_AND_HTTPS);
    curl.curl_easy_setopt(client->easy, OPT_CONNECTTIMEOUT_MS, CONNECT_MS);
    curl.curl_easy_setopt(client->easy, OPT_TCP_KEEPALIVE, 1L);
    curl.curl_easy_setopt(client->easy, OPT_WRITEFUNCTION, receive);
    curl.curl_easy_setopt(client->easy, OPT_READFUNCTION, give);
    return true;
}

/* Sets what a request has of its own. */
static bool
describe(struct sq_wd_client *client, const struct sq_wd_request *request,
         struct sq_buf *out, struct sq_err *err) {
    char url[MAX_URL];
    int len = snprintf(url, sizeof(url), "%s%s", client->endpoint->url,
                       request->path);
    if (len < 0 || (size_t)len >= sizeof(url)) {
        return sq_fail(err, SQ_ERR_LIMIT, "the URL of %s is too long",
                       client->endpoint->name);
    }
    client->answer = out;
    client->unsent = request->body.len > 0 ? request->body : SQ_SPAN("{}");
    int bad = curl.curl_easy_setopt(client->easy, OPT_HTTPGET, 1L);
    if (strcmp(request->method, "POST") == 0) {
        bad |= curl.curl_easy_setopt(client->easy, OPT_POST, 1L);
        bad |= curl.curl_easy_setopt(client->easy, OPT_POSTFIELDSIZE,
                                     (long)client->unsent.len);
        bad |=
            curl.curl_easy_setopt(client->easy, OPT_READDATA, &client->unsent);
    }
    bad |=
        curl.curl_easy_setopt(client->easy, OPT_CUSTOMREQUEST, request->method);
    bad |= curl.curl_easy_setopt(client->easy, OPT_WRITEDATA, out);
    bad |= curl.curl_easy_setopt(client->easy, OPT_URL, url);
    sodium_memzero(url, sizeof(url));
    return !bad || sq_fail_nomem(err);
}

/* Explains a transfer that failed. The URL is not shown: it may have a secret.
 */
static bool
fail_transfer(const struct sq_wd_client *client, int result,
              struct sq_err *err) {
    const char *name = client->endpoint->name;
    if (result == OUT_OF_MEMORY) {
        return sq_fail_nomem(err);
    }
    if (result == WRITE_ERROR) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "%s sent an answer of more than %zu bytes", name,
                       client->answer->max);
    }
    if (result == BAD_URL) {
        sq_fail(err, SQ_ERR_ARGUMENT, "the URL of %s is malformed", name);
        return sq_fail_hint(err, "Write http://HOST:PORT in "
                                 "webdriver.endpoints.");
    }
    if (result == NO_ANSWER || result == SEND_ERROR || result == RECEIVE_ERROR
        || result == NOT_SENT_AGAIN) {
        sq_fail(err, SQ_ERR_DEVICE_OFFLINE,
                "%s ended the connection without an answer", name);
        return sq_fail_hint(err, "Check the server. What was asked may have "
                                 "been done: take a screenshot to see.");
    }
    sq_fail(err, SQ_ERR_DEVICE_OFFLINE, "%s cannot be reached: %.120s", name,
            curl.curl_easy_strerror(result));
    return sq_fail_hint(
        err, "%s",
        result == BAD_CERTIFICATE
            ? "The certificate of the server is not trusted by this system."
        : result == NO_CERTIFICATES
            ? "Install the system's certificates (Debian: apt-get install "
              "ca-certificates)."
        : result == NO_TLS ? "Write http:// if the server has no https."
        : result == NO_HOST || result == NO_PROXY_HOST
            ? "Check the name of the host in webdriver.endpoints."
            : "Check that the server runs and that webdriver.endpoints has "
              "its address.");
}

static void
tell_wait(const struct sq_wd_client *client, bool is_start, int waited_ms,
          int limit_ms, const struct sq_wait_report *report) {
    char what[SQ_WD_NAME_SIZE + 48];
    snprintf(what, sizeof(what), "waiting for %s %s, seconds",
             is_start ? "a device of" : "an answer of", client->endpoint->name);
    report->tell(report->context, what, waited_ms, limit_ms);
}

/* Waits for the end of the transfer. *result is libcurl's. */
static bool
transfer(struct sq_wd_client *client, bool is_start, int *result,
         const struct sq_deadline *deadline, struct sq_err *err) {
    const int limit_ms = sq_deadline_left_ms(deadline);
    int told_ms = 0;
    int running = 1;
    int left;
    while (running > 0) {
        if (curl.curl_multi_perform(client->multi, &running) != 0) {
            return sq_fail_nomem(err);
        }
        if (running > 0) {
            int wait = sq_deadline_left_ms(deadline);
            if (!sq_deadline_check(deadline, err)) {
                return sq_fail_in(err, "waiting for %s",
                                  client->endpoint->name);
            }
            if (deadline->report && limit_ms - wait >= told_ms + TELL_MS) {
                told_ms = limit_ms - wait;
                tell_wait(client, is_start, told_ms, limit_ms,
                          deadline->report);
            }
            curl.curl_multi_poll(client->multi, NULL, 0,
                                 wait < WAIT_MS ? wait : WAIT_MS, NULL);
        }
    }
    struct message *message = curl.curl_multi_info_read(client->multi, &left);
    *result = message && message->kind == MESSAGE_DONE ? message->data.result
                                                       : OUT_OF_MEMORY;
    client->is_waiting = false;
    return true;
}

/* Waits for the answer to what was sent, and takes it. */
static bool
finish(struct sq_wd_client *client, bool outlives_call, int *status,
       const struct sq_deadline *deadline, struct sq_err *err) {
    int result = 0;
    long code = 0;
    client->is_waiting = true;
    bool ok = transfer(client, outlives_call, &result, deadline, err);
    if (ok && result == 0) {
        curl.curl_easy_getinfo(client->easy, INFO_RESPONSE_CODE, &code);
        *status = (int)code;
    }
    client->is_waiting = client->is_waiting && outlives_call;
    if (!client->is_waiting) {
        curl.curl_multi_remove_handle(client->multi, client->easy);
    }
    return ok && (result == 0 || fail_transfer(client, result, err));
}

bool
sq_wd_send(struct sq_wd_client *client, const struct sq_wd_request *request,
           int *status, struct sq_buf *out, const struct sq_deadline *deadline,
           struct sq_err *err) {
    sq_buf_clear(out);
    *status = 0;
    if (!prepare(client, err) || !describe(client, request, out, err)) {
        return false;
    }
    if (curl.curl_multi_add_handle(client->multi, client->easy) != 0) {
        return sq_fail_nomem(err);
    }
    return finish(client, request->outlives_call, status, deadline, err);
}

bool
sq_wd_await(struct sq_wd_client *client, int *status,
            const struct sq_deadline *deadline, struct sq_err *err) {
    return finish(client, true, status, deadline, err);
}

void
sq_wd_client_finish(struct sq_wd_client *client) {
    if (client->is_waiting) {
        curl.curl_multi_remove_handle(client->multi, client->easy);
    }
    if (client->easy) {
        curl.curl_easy_cleanup(client->easy);
    }
    if (client->multi) {
        curl.curl_multi_cleanup(client->multi);
    }
    if (client->headers) {
        curl.curl_slist_free_all(client->headers);
    }
    client->easy = client->multi = client->headers = NULL;
    client->is_waiting = false;
}
