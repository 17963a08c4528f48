/* Requests of the page that record, list, export, replay and delete journals.
 */
#include <errno.h>
#include <inttypes.h>

#include "app/replay/replay.h"
#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "util/fault.h"

#define MAX_ANSWERS 8

static struct sq_config config;
static struct sq_call_log *calls;
static struct sq_call_gate *gate;
static struct sq_inspector *inspector;

/* What the server has sent for one request. */
static char answers[MAX_ANSWERS][100000];
static int answer_count;
static char name[200]; /* of the latest journal */

static void
receive(void *context, struct sq_mcp_message *message) {
    if (message && T(answer_count < MAX_ANSWERS)
        && T(message->bytes.len < sizeof(answers[0]))) {
        char *to = answers[answer_count++];
        memcpy(to, message->bytes.data, message->bytes.len);
        to[message->bytes.len] = '\0';
    }
    sq_mcp_message_destroy(message);
}

static void
do_not_wait(void *context, struct sq_cancel *cancel) {
}

/* Sends a request; returns its first answer, empty without memory. */
static const char *
ask(const char *path, const char *body) {
    const struct sq_http_site *site = sq_inspector_site(inspector);
    struct sq_cancel *cancel = NULL;
    answer_count = 0;
    answers[0][0] = '\0';
    if (sq_cancel_create(&cancel, NULL)) {
        const struct sq_http_site_call call = {
            .path = sq_span_of(path),
            .body = sq_span_of(body),
            .sink = { .send = receive, .await_space = do_not_wait },
            .cancel = cancel,
        };
        site->run(site->context, &call);
    }
    sq_cancel_destroy(cancel);
    return answers[0];
}

/* Sends a request that names the latest journal. */
static const char *
ask_about(const char *path, const char *more) {
    char body[400];
    snprintf(body, sizeof(body), "{\"journal\":\"%s\"%s}", name, more);
    return ask(path, body);
}

static bool
play(void *context, const struct sq_inspector_play *given, struct sq_err *e) {
    T(sq_span_is(given->device, "demo"));
    T(sq_span_starts_with(given->journal, "{\"journal\":1"));
    given->report(given->report_context, SQ_SPAN("{\"done\":1}"));
    return sq_fail(e, SQ_ERR_ARGUMENT, "the phone has gone");
}

static bool
create(void) {
    t_err = (struct sq_err){ 0 };
    struct sq_inspector_options options = {
        .token = "token",
        .secret = "secret",
        .version = "1.2.3",
        .config = &config,
        .calls = calls,
        .gate = gate,
        .player = sq_replay_player(NULL),
    };
    options.player.play = play;
    inspector = NULL;
    return sq_inspector_create(&options, &inspector, &t_err);
}

static void
start(void) {
    t_scratch_start();
    setenv("XDG_STATE_HOME", t_scratch_path("state"), 1);
    sq_config_defaults(&config);
    T_OK(
        sq_call_log_create(&(struct sq_call_log_options){ 0 }, &calls, &t_err));
    T_OK(sq_call_gate_create(0, &gate, &t_err));
}

static void
stop(void) {
    sq_call_log_destroy(calls);
    sq_call_gate_destroy(gate);
    t_album_end();
}

static void
make_call(void) {
    const struct sq_call_start begin = { .tool = SQ_SPAN_INIT("ui"),
                                         .operation = SQ_SPAN_INIT("key") };
    const struct sq_call_end end = { .device_ns = -1 };
    sq_call_log_end(calls, sq_call_log_begin(calls, &begin), &end);
}

/* Keeps the name of the journal that an answer mentions. */
static void
keep_name(const char *answer) {
    const char *from = strstr(answer, "\"squint-");
    name[0] = '\0';
    if (from) {
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(from + 1, "\""),
                 from + 1);
    }
}

/* Creates an empty journal that was begun a number of days ago; sets name. */
static void
make_old(int days) {
    char path[400];
    int64_t begun_ms = sq_clock_wall_ns() / 1000000 - days * INT64_C(86400000);
    snprintf(name, sizeof(name), "squint-%" PRId64 "-%d.jsonl", begun_ms, days);
    snprintf(path, sizeof(path), "state/squint/journals/%s", name);
    t_put(t_scratch_path(path), "", 0);
}

T_CASE(journals_are_kept_for_some_days) {
    start();
    T_OK(create());
    T(strstr(ask("/api/journals", "{}"), "\"keepDays\":30"));
    make_old(31);
    T(!strstr(ask("/api/journals", "{}"), name));
    make_old(29);
    T(strstr(ask("/api/journals", "{}"), name));
    config.journal.keep_days = 10;
    t_put(t_scratch_path("state/squint/journals/mine.jsonl"), "", 0);
    ask("/api/recording", "{\"action\":\"start\"}");
    config.journal.keep_days = 0;
    T(!strstr(ask("/api/journals", "{}"), name));
    T(strstr(answers[0], "mine.jsonl"));
    make_old(4000);
    T(strstr(ask("/api/journals", "{}"), name));
    sq_inspector_destroy(inspector);
    stop();
}

T_CASE(a_session_is_recorded) {
    start();
    T_OK(create());
    T(strstr(ask("/api/journals", "{}"), "\"journals\":[],\"recording\":null"));
    keep_name(ask("/api/recording", "{\"action\":\"start\"}"));
    T(strstr(answers[0], "\"calls\":0"));
    make_call();
    T(strstr(ask("/api/recording", "{\"action\":\"start\"}"), "\"calls\":1"));
    T(strstr(ask_about("/api/delete-journal", ""), "is being written"));
    T(strstr(ask("/api/recording", "{\"action\":\"wait\"}"), "start or stop"));
    T(strstr(ask("/api/recording", "{\"action\":\"stop\"}"),
             "\"recording\":null"));
    make_call();
    T(strstr(ask("/api/journals", "{}"), name));
    T(strstr(ask_about("/api/journal", ""), "\"calls\":1,\"actions\":1"));
    T(strstr(ask_about("/api/export", ",\"form\":\"sh\""), "run key"));
    T(strstr(ask_about("/api/export", ",\"form\":\"x\""), "sh or maestro"));
    ask_about("/api/replay", ",\"device\":\"demo\"");
    T_INT(answer_count, 2);
    T_STR(answers[0], "{\"replay\":{\"done\":1}}\n");
    T(strstr(answers[1], "the phone has gone"));
    T_STR(ask_about("/api/delete-journal", ""), "{}\n");
    T(strstr(ask_about("/api/journal", ""), "no longer exists"));
    sq_inspector_destroy(inspector);
    stop();
}

/* Does everything once; any part may fail. */
static void
use(void) {
    if (create()) {
        keep_name(ask("/api/recording", "{\"action\":\"start\"}"));
        make_call();
        ask("/api/recording", "{\"action\":\"stop\"}");
        ask("/api/journals", "{}");
        ask_about("/api/journal", "");
        ask_about("/api/export", ",\"form\":\"maestro\"");
        ask_about("/api/delete-journal", "");
    }
    sq_inspector_destroy(inspector);
}

T_CASE(every_failure_is_survived) {
    static const struct {
        enum sq_fault_seam seam;
        int how;
    } ways[] = { { SQ_FAULT_ALLOC, 0 }, { SQ_FAULT_CALL, EIO } };
    start();
    for (size_t i = 0; i < SQ_COUNT(ways); i++) {
        long nth = 0;
        long reached;
        do {
            sq_fault_arm(ways[i].seam, (struct sq_fault_plan){
                                           .nth = ++nth, .how = ways[i].how });
            use();
            reached = sq_fault_disarm(ways[i].seam);
        } while (reached >= nth);
        T(nth > 20);
    }
    T_OK(create());
    T(strstr(ask("/api/journals", "{}"), "\"recording\":null"));
    sq_inspector_destroy(inspector);
    stop();
}
