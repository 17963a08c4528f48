/* Calls of a client that a person watches and holds. */
#include "app/host/private.h"

#include <pthread.h>

#include "support/test.h"
#include "sys/clock.h"

static struct sq_config config;
static struct sq_host *host;
static void *session;
static struct sq_call_listener listener;

/* One call, on a thread of its own. */
struct caller {
    const char *arguments;
    pthread_t thread;
    bool ok;
    struct sq_err err;
    struct sq_mcp_tool_result result;
    struct sq_arena arena;
};

static void
begin(void) {
    sq_config_defaults(&config);
    config.android.adb_server = "off";
    config.archive.activity = SQ_ACTIVITY_NONE;
    T_OK(sq_host_create(&config, &host, &t_err));
    const struct sq_mcp_host *mcp = &host->mcp;
    T_OK(mcp->open_client(mcp->context, false, &session, &t_err));
    listener = (struct sq_call_listener){ 0 };
    sq_call_log_listen(host->calls, &listener);
}

static void
end(void) {
    const struct sq_mcp_host *mcp = &host->mcp;
    sq_call_log_unlisten(host->calls, &listener);
    mcp->close_client(mcp->context, session);
    sq_host_destroy(host);
}

static void *
run(void *context) {
    struct caller *caller = context;
    const struct sq_mcp_host *mcp = &host->mcp;
    struct sq_mcp_admission admission = { 0 };
    struct sq_mcp_call_target target = { .tool = &mcp->tools[0] };
    struct sq_mcp_call call = {
        .deadline = sq_deadline_in(T_PATIENCE_MS, NULL),
        .arena = &caller->arena,
        .client = SQ_SPAN("agent"),
        .state = session,
    };
    sq_arena_init(&caller->arena, 1 << 20);
    caller->ok = sq_json_parse(sq_span_of(caller->arguments), &caller->arena,
                               &target.arguments, &caller->err)
              && mcp->admit(mcp->context, &target, &admission, &caller->err);
    if (caller->ok) {
        call.ticket = admission.ticket;
        caller->ok = mcp->call_tool(mcp->context, target.tool, target.arguments,
                                    &call, &caller->result, &caller->err);
        mcp->release_ticket(mcp->context, admission.ticket);
    }
    return NULL;
}

static void
start(struct caller *caller, const char *arguments) {
    *caller = (struct caller){ .arguments = arguments };
    T_INT(pthread_create(&caller->thread, NULL, run, caller), 0);
}

static void
join(struct caller *caller) {
    pthread_join(caller->thread, NULL);
    sq_result_finish(&caller->result.content);
    sq_arena_finish(&caller->arena);
}

static void
wait_until_held(int count) {
    struct sq_deadline limit = sq_deadline_in(T_PATIENCE_MS, NULL);
    while (sq_call_gate_waiting(host->call_gate, NULL, 0) != count
           && sq_deadline_check(&limit, NULL)) {
        sq_wait_ms(1, &limit, NULL);
    }
}

#define HOME "{\"operation\":\"key\",\"name\":\"home\",\"receipt\":\"none\"}"
#define LOOK "{\"operation\":\"info\"}"

T_FIXTURE(begin, end);

T_CASE(a_held_call_leaves_its_device_to_others) {
    struct caller acting;
    struct caller looking;
    sq_call_gate_set_mode(host->call_gate, SQ_GATE_HOLD);
    start(&acting, HOME);
    wait_until_held(1);
    const struct sq_logged_call *held = sq_call_log_get(host->calls, 1);
    T_INT(held->state, SQ_CALL_HELD);
    T(held->acts);
    start(&looking, LOOK); /* was sent later and is answered first */
    join(&looking);
    T_OK(looking.ok, &looking.err);
    T(sq_call_gate_release(host->call_gate, held->sequence));
    join(&acting);
    T_OK(acting.ok, &acting.err);
    sq_logged_call_release(held);
    const struct sq_logged_call *done = sq_call_log_get(host->calls, 1);
    T_INT(done->state, SQ_CALL_SUCCEEDED);
    T(sq_span_is(done->operation, "key"));
    T(sq_span_is(done->tool, "ui"));
    T(sq_span_is(done->client_name, "agent"));
    T_INT(done->client, 1);
    T(done->held_ns > 0);
    T(done->device_ns >= 0 && done->device_ns <= done->total_ns);
    sq_logged_call_release(done);
}

T_CASE(a_refused_call_does_nothing) {
    struct caller acting;
    sq_call_gate_set_mode(host->call_gate, SQ_GATE_APPROVE);
    start(&acting, HOME);
    wait_until_held(1);
    T(sq_call_gate_refuse(host->call_gate, 1, SQ_SPAN("not now")));
    join(&acting);
    T(!acting.ok);
    T_INT(acting.err.code, SQ_ERR_REFUSED);
    const struct sq_logged_call *done = sq_call_log_get(host->calls, 1);
    T_INT(done->state, SQ_CALL_FAILED);
    T_INT(done->error, SQ_ERR_REFUSED);
    T_INT(done->device_ns, 0);
    sq_logged_call_release(done);
}

#define LOGIN                                                                  \
    "{\"operation\":\"launch\",\"packageName\":\"com.squint.demo.login\","     \
    "\"receipt\":\"none\"}"
#define INPUT(more) "{\"operation\":\"input\",\"text\":\"hunter2\"" more "}"
#define NAME ",\"selector\":{\"text\":\"Username\"}"
#define PASSWORD ",\"selector\":{\"text\":\"Password\"}"
#define TAP "{\"operation\":\"tap\"" NAME "}"
#define STEPS(input) "{\"operation\":\"steps\",\"steps\":[" TAP "," input "]}"

static void
run_now(const char *arguments) {
    struct caller caller;
    sq_call_gate_set_mode(host->call_gate, SQ_GATE_RUN);
    start(&caller, arguments);
    join(&caller);
    T_OK(caller.ok, &caller.err);
    sq_call_gate_set_mode(host->call_gate, SQ_GATE_APPROVE);
}

/* Starts a call, and appends to `out` what the person sees of it. */
static void
show_held(const char *arguments, struct sq_buf *out) {
    struct caller caller;
    uint64_t id;
    sq_buf_clear(out);
    start(&caller, arguments);
    wait_until_held(1);
    T_INT(sq_call_gate_waiting(host->call_gate, &id, 1), 1);
    sq_call_gate_shown(host->call_gate, id, out, NULL);
    T_OK(sq_buf_append(out, "", 1, NULL), NULL);
    const struct sq_logged_call *held = sq_call_log_get(host->calls, id);
    char logged[500];
    snprintf(logged, sizeof(logged), "%.*s", SQ_SPAN_ARGS(held->arguments));
    T(strstr(logged, "hunter2") == NULL);
    sq_logged_call_release(held);
    T(sq_call_gate_refuse(host->call_gate, id, SQ_SPAN("")));
    join(&caller);
    T(!sq_call_gate_shown(host->call_gate, id, out, NULL));
}

T_CASE(the_person_sees_what_would_be_typed) {
    static const struct {
        const char *arguments;
        const char *focus; /* tapped before, or NULL */
        bool is_shown;
    } rows[] = {
        { INPUT(NAME), NULL, true },
        { INPUT(PASSWORD), NULL, false },
        { INPUT(""), NAME, true },
        { INPUT(""), PASSWORD, false },
        { INPUT(",\"elementIndex\":1"), NULL, false }, /* not known */
        { STEPS(INPUT(NAME)), NULL, true },
        { STEPS(INPUT(PASSWORD)), NULL, false },
        { STEPS(INPUT("")), NULL, false },
    };
    T_BUF(shown, 1 << 20);
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        char tap[200];
        run_now(LOGIN);
        snprintf(tap, sizeof(tap), "{\"operation\":\"tap\"%s}",
                 rows[i].focus ? rows[i].focus : NAME);
        run_now(tap);
        show_held(rows[i].arguments, &shown);
        const char *text = (const char *)shown.data;
        if (!T_INT(strstr(text, "hunter2") != NULL, rows[i].is_shown)
            || !T(rows[i].is_shown || strstr(text, "for a password field"))) {
            printf("# %s: %s\n", rows[i].arguments, text);
        }
    }
    show_held(HOME, &shown); /* has no text */
    T_INT(shown.len, 1);
}
