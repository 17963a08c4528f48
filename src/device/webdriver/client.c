/*
 * Sends requests by libcurl, which is opened at first use: linking it would
 * cost each start several milliseconds, and only few users need it. Its numbers
 * below are part of its binary interface and never change.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "device/webdriver/private.h"
#include "sys/call.h"

#define CONNECT_MS 5000L
#define WAIT_MS 20 /* between two looks at a cancel token */
#define MAX_URL 4096

#define LONG_OPTION(n) (n)
#define OBJECT_OPTION(n) (10000 + (n))
#define FUNCTION_OPTION(n) (20000 + (n))

enum {
    OPT_WRITEDATA = OBJECT_OPTION(1),
    OPT_URL = OBJECT_OPTION(2),
    OPT_WRITEFUNCTION = FUNCTION_OPTION(11),
    OPT_POSTFIELDS = OBJECT_OPTION(15),
    OPT_HTTPHEADER = OBJECT_OPTION(23),
    OPT_CUSTOMREQUEST = OBJECT_OPTION(36),
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
    BAD_CERTIFICATE = 60,
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
    for (size_t i = 0; !library && i < sizeof(names) / sizeof(names[0]); i++) {
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
    pthread_once(&opened, open_library);
    if (!curl.is_ready) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "libcurl is not installed");
        return sq_fail_hint(err, "Install it (Debian: apt-get install "
                                 "libcurl4). Other devices work without it.");
    }
    client->multi = curl.curl_multi_init();
    client->easy = client->multi ? curl.curl_easy_init() : NULL;
    bool ok = client->easy != NULL;
    for (size_t i = 0; ok && i < sizeof(lines) / sizeof(lines[0]); i++) {
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
    return true;
}

static bool
describe(struct sq_wd_client *client, const struct sq_wd_request *request,
         struct sq_buf *out, struct sq_err *err) {
    char url[MAX_URL];
    int len = snprintf(url, sizeof(url), "%s%s", client->url, request->path);
    if (len < 0 || (size_t)len >= sizeof(url)) {
        return sq_fail(err, SQ_ERR_LIMIT, "the URL of %s is too long",
                       client->name);
    }
    const struct sq_span body =
        request->body.len > 0 ? request->body : SQ_SPAN("{}");
    bool is_post = strcmp(request->method, "POST") == 0;
    int bad = curl.curl_easy_setopt(client->easy, OPT_HTTPGET, 1L);
    if (is_post) {
        bad |= curl.curl_easy_setopt(client->easy, OPT_POSTFIELDSIZE,
                                     (long)body.len);
        bad |= curl.curl_easy_setopt(client->easy, OPT_POSTFIELDS, body.ptr);
    }
    bad |=
        curl.curl_easy_setopt(client->easy, OPT_CUSTOMREQUEST, request->method);
    bad |= curl.curl_easy_setopt(client->easy, OPT_WRITEDATA, out);
    bad |= curl.curl_easy_setopt(client->easy, OPT_URL, url);
    memset(url, 0, sizeof(url));
    return !bad || sq_fail_nomem(err);
}

/* Explains a transfer that failed. The URL is not shown: it may have a secret.
 */
static bool
fail_transfer(const struct sq_wd_client *client, int result,
              const struct sq_buf *out, struct sq_err *err) {
    if (result == OUT_OF_MEMORY) {
        return sq_fail_nomem(err);
    }
    if (result == WRITE_ERROR) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "%s sent an answer of more than %zu bytes", client->name,
                       out->max);
    }
    if (result == BAD_URL) {
        sq_fail(err, SQ_ERR_ARGUMENT, "the URL of %s is malformed",
                client->name);
        return sq_fail_hint(err, "Write http://HOST:PORT in "
                                 "webdriver.endpoints.");
    }
    sq_fail(err, SQ_ERR_DEVICE_OFFLINE, "%s cannot be reached: %.120s",
            client->name, curl.curl_easy_strerror(result));
    return sq_fail_hint(
        err, "%s",
        result == BAD_CERTIFICATE
            ? "The certificate of the server is not trusted by this system."
        : result == NO_HOST || result == NO_PROXY_HOST
            ? "Check the name of the host in webdriver.endpoints."
            : "Check that the server runs and that webdriver.endpoints has "
              "its address.");
}

/* Waits for the end of the transfer. *result is libcurl's. */
static bool
transfer(struct sq_wd_client *client, int *result,
         const struct sq_deadline *deadline, struct sq_err *err) {
    int running = 1;
    int left;
    while (running > 0) {
        if (curl.curl_multi_perform(client->multi, &running) != 0) {
            return sq_fail_nomem(err);
        }
        if (running > 0) {
            int wait = sq_deadline_left_ms(deadline);
            if (!sq_deadline_check(deadline, err)) {
                return sq_fail_in(err, "waiting for %s", client->name);
            }
            curl.curl_multi_poll(client->multi, NULL, 0,
                                 wait < WAIT_MS ? wait : WAIT_MS, NULL);
        }
    }
    struct message *message = curl.curl_multi_info_read(client->multi, &left);
    *result = message && message->kind == MESSAGE_DONE ? message->data.result
                                                       : OUT_OF_MEMORY;
    return true;
}

bool
sq_wd_send(struct sq_wd_client *client, const struct sq_wd_request *request,
           int *status, struct sq_buf *out, const struct sq_deadline *deadline,
           struct sq_err *err) {
    int result = 0;
    long code = 0;
    sq_buf_clear(out);
    if (!prepare(client, err) || !describe(client, request, out, err)) {
        return false;
    }
    if (curl.curl_multi_add_handle(client->multi, client->easy) != 0) {
        return sq_fail_nomem(err);
    }
    bool ok = transfer(client, &result, deadline, err);
    curl.curl_multi_remove_handle(client->multi, client->easy);
    if (!ok) {
        return false;
    }
    if (result != 0) {
        return fail_transfer(client, result, out, err);
    }
    curl.curl_easy_getinfo(client->easy, INFO_RESPONSE_CODE, &code);
    *status = (int)code;
    return true;
}

void
sq_wd_client_finish(struct sq_wd_client *client) {
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
}
