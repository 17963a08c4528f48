#include "demo/adbd/connection.h"

#include "support/demo_shell.h"
#include "support/test.h"
#include "util/bytes.h"

#define MAX_BYTES ((size_t)80 << 20)

static struct sq_adbd_phone *phone;
static struct sq_adbd_service *service;
static struct sq_buf answer;
static bool ended;

static void
start(void) {
    phone = t_phone_create();
    ended = false;
    sq_buf_init(&answer, MAX_BYTES);
    T_OK(sq_adbd_service_open(phone, SQ_SPAN("sync:"), 1, &service, &t_err));
}

static void
finish(void) {
    service->ops->destroy(service);
    sq_adbd_phone_destroy(phone);
    sq_buf_finish(&answer);
    t_phone_free_result();
}

static void
give(struct sq_span bytes) {
    struct sq_adbd_turn turn = { .now_ns = 1, .out = &answer };
    sq_buf_clear(&answer);
    T_OK(service->ops->receive(service, bytes, &t_err));
    T_OK(service->ops->advance(service, &turn, &t_err));
    ended = turn.ended;
}

/* Sends a request, in single bytes or as a whole. */
static void
ask(const char *id, const char *text, bool slowly) {
    uint8_t message[200];
    size_t len = strlen(text);
    memcpy(message, id, 4);
    sq_store_le32(message + 4, (uint32_t)len);
    memcpy(message + 8, text, len);
    size_t step = slowly ? 1 : len + 8;
    for (size_t at = 0; at < len + 8; at += step) {
        give((struct sq_span){ (const char *)message + at, step });
    }
}

static void
check(const char *want, size_t len) {
    T_BYTES(answer.data, answer.len, want, len);
}

T_FIXTURE(start, finish);

T_BARE_CASE(files_are_described_and_sent) {
    for (int slowly = 0; slowly < 2; slowly++) {
        start();
        T_INT(t_phone_status(phone, "echo -n hello >/sdcard/a"), 0);
        ask("STAT", "/sdcard/a", slowly);
        T_INT(answer.len, 16);
        T(memcmp(answer.data, "STAT\xb0\x81\0\0\5\0\0\0", 12) == 0);
        ask("STAT", "/sdcard", slowly);
        T(memcmp(answer.data, "STAT\xf9\x41\0\0", 8) == 0);
        ask("STAT", "/sdcard/none", slowly);
        check("STAT\0\0\0\0\0\0\0\0\0\0\0\0", 16);
        ask("RECV", "/sdcard/a", slowly);
        check("DATA\5\0\0\0helloDONE\0\0\0\0", 21);
        ask("RECV", "/sdcard/none", slowly);
        check("FAIL\x19\0\0\0No such file or directory", 33);
        ask("LIST", "/sdcard", slowly);
        T_INT(answer.len, 41);
        T(memcmp(answer.data, "DENT", 4) == 0);
        T(memcmp(answer.data + 20, "aDONE", 5) == 0);
        T(!ended);
        ask("QUIT", "", slowly);
        T(ended);
        finish();
    }
}

static int64_t clock_ns;
static char logged[200];

static int64_t
tell_time(void) {
    return clock_ns;
}

static void
keep_line(void *context, const char *line) {
    snprintf(logged, sizeof(logged), "%s", line);
}

/* The logged time starts with the request, and includes the link's. */
T_CASE(log_excludes_the_time_of_the_client) {
    phone->clock_ns = tell_time;
    phone->options.log = keep_line;
    T_INT(t_phone_status(phone, "echo -n hello >/sdcard/a"), 0);
    ask("STAT", "/sdcard/a", true);
    clock_ns = 5000000;
    ask("RECV", "/sdcard/a", false);
    T_STR(logged, "0.000\t0\t21\t0\tsync:RECV /sdcard/a");
    phone->options.link_rate = 1000;
    ask("RECV", "/sdcard/a", false);
    T_STR(logged, "21.000\t0\t21\t0\tsync:RECV /sdcard/a");
}

T_CASE(files_are_received) {
    ask("SEND", "/sdcard/b,33188", false);
    T_INT(answer.len, 0);
    give(SQ_SPAN("DATA\3\0\0\0one"));
    give(SQ_SPAN("DATA\3\0\0\0twoDONE\7\0\0\0"));
    check("OKAY\0\0\0\0", 8);
    T_STR(t_phone_output(phone, "cat /sdcard/b"), "onetwo");
    T_INT(sq_adbd_files_find(&phone->files, "/sdcard/b")->modified_s, 7);
    ask("SEND", "/system/b,33188", false);
    give(SQ_SPAN("DATA\3\0\0\0oneDONE\7\0\0\0"));
    check("FAIL\x19\0\0\0No such file or directory", 33);
    ask("RECV", "/sdcard/b", true);
    check("DATA\6\0\0\0onetwoDONE\0\0\0\0", 22);
}

T_CASE(long_files_are_sent_in_pieces) {
    T_INT(t_phone_status(phone, "screencap /sdcard/a"), 0);
    ask("RECV", "/sdcard/a", false);
    size_t bytes = 0;
    size_t at = 0;
    while (at + 8 <= answer.len && memcmp(answer.data + at, "DATA", 4) == 0) {
        uint32_t len = sq_load_le32((const uint8_t *)answer.data + at + 4);
        T(len <= 65536);
        bytes += len;
        at += 8 + len;
    }
    T_INT(bytes, 16 + 360 * 640 * 4);
    T(memcmp(answer.data + at, "DONE", 4) == 0);
}

T_BARE_CASE(invalid_requests_end_the_service) {
    static const struct sq_span messages[] = {
        SQ_SPAN_INIT("NOPE\0\0\0\0"),
        SQ_SPAN_INIT("STAT\1\4\0\0"),
        SQ_SPAN_INIT("RECV\xff\xff\xff\xff"),
        SQ_SPAN_INIT("DATA\1\0\0\0a"),
        SQ_SPAN_INIT("SEND\4\0\0\0/a,1STAT\0\0\0\0"),
        SQ_SPAN_INIT("SEND\4\0\0\0/a,1DATA\1\0\1\0"),
    };
    for (size_t i = 0; i < SQ_COUNT(messages); i++) {
        start();
        give(messages[i]);
        T(ended);
        T(answer.len > 8 && memcmp(answer.data, "FAIL", 4) == 0);
        finish();
    }
}
