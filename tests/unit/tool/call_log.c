#include "tool/call_log.h"

#include <pthread.h>
#include <stdatomic.h>

#include "json/reader.h"
#include "support/test.h"

#define THREADS 4
#define CALLS_PER_THREAD 200

static struct sq_call_log *call_log;
static struct sq_call_listener silent;

static bool
is_m(struct sq_span operation, struct sq_span argument) {
    return sq_span_is(argument, "M");
}

static void
begin(int max_calls, size_t max_bytes) {
    const struct sq_call_log_options options = {
        .max_calls = max_calls,
        .max_bytes = max_bytes,
        .profile = sq_token_profile_at(0),
        .may_be_typed = is_m,
    };
    T_OK(sq_call_log_create(&options, &call_log, &t_err));
}

static void
listen_silently(void) {
    silent = (struct sq_call_listener){ 0 };
    sq_call_log_listen(call_log, &silent);
}

static struct sq_logged_call *
start_call(const char *operation) {
    const struct sq_call_start start = {
        .client = 3,
        .client_name = SQ_SPAN("agent"),
        .tool = SQ_SPAN("ui"),
        .operation = sq_span_of(operation),
        .acts = true,
    };
    return sq_call_log_begin(call_log, &start);
}

static void
add_text(struct sq_result *result, const char *text) {
    struct sq_block *block;
    T_OK(sq_result_add(result, SQ_BLOCK_TEXT, 1 << 20, &block, &t_err));
    T_OK(sq_buf_append(&block->data, text, strlen(text), &t_err));
}

static void
end_call(struct sq_logged_call *call, const char *text) {
    T_FREED(sq_result_finish) struct sq_result result = { 0 };
    add_text(&result, text);
    const struct sq_call_end end = { .result = &result, .device_ns = 5 };
    sq_call_log_end(call_log, call, &end);
}

/* The oldest kept call whose version is greater; NULL: none. */
static const struct sq_logged_call *
next_call(uint64_t after) {
    const struct sq_logged_call *call = NULL;
    return sq_call_log_newer(call_log, after, &call, 1) ? call : NULL;
}

static void
end(void) {
    sq_call_log_unlisten(call_log, &silent);
    sq_call_log_destroy(call_log);
}

T_FIXTURE(NULL, end);

T_CASE(nothing_is_recorded_without_a_listener) {
    begin(0, 0);
    T(!sq_call_log_is_on(call_log));
    T(!sq_call_log_is_on(NULL));
    T(start_call("tap") == NULL);
    sq_call_log_hold(call_log, &(struct sq_logged_call *){ NULL }, true);
    sq_call_log_end(call_log, NULL, &(struct sq_call_end){ 0 });
    T_INT(sq_call_log_state(call_log).version, 0);
    listen_silently();
    T(sq_call_log_is_on(call_log));
    end_call(start_call("tap"), "{}");
    T_INT(sq_call_log_state(call_log).count, 1);
    sq_call_log_unlisten(call_log, &silent);
    sq_call_log_unlisten(call_log, &silent);
    T(start_call("tap") == NULL);
    sq_call_log_destroy(NULL);
}

T_CASE(an_answer_replaces_its_start) {
    begin(0, 0);
    listen_silently();
    struct sq_logged_call *call = start_call("tap");
    const struct sq_logged_call *seen = next_call(0);
    T_INT(seen->state, SQ_CALL_RUNNING);
    T_INT(seen->total_ns, -1);
    T(sq_span_is(seen->arguments, "{}"));
    sq_call_log_hold(call_log, &call, true);
    const struct sq_logged_call *held = next_call(1);
    T_INT(held->state, SQ_CALL_HELD);
    sq_call_log_hold(call_log, &call, false);
    T_INT(call->state, SQ_CALL_RUNNING);
    end_call(call, "{\"tapped\":{\"x\":20,\"y\":30,\"screenshotId\":\"s4\"},"
                   "\"changed\":[{\"x\":1,\"y\":2,\"width\":3,\"height\":4},"
                   "{\"x\":1,\"y\":5,\"width\":3,\"height\":1}]}");
    const struct sq_logged_call *done = sq_call_log_get(call_log, 1);
    T_INT(done->state, SQ_CALL_SUCCEEDED);
    T_INT(done->sequence, 1);
    T_INT(done->version, 4);
    T_INT(done->client, 3);
    T(sq_span_is(done->client_name, "agent"));
    T(sq_span_is(done->operation, "tap"));
    T(done->acts);
    T(done->total_ns >= done->held_ns);
    T_INT(done->device_ns, 5);
    T(done->has_point && !done->has_end);
    T_INT(done->point.x, 20);
    T_INT(done->point.y, 30);
    T_INT(done->change.count, 2);
    T_INT(done->change.items[0].right, 4);
    T_INT(done->change.items[1].bottom, 6);
    T(sq_span_is(done->screenshot_id, "s4"));
    T(next_call(done->version) == NULL);
    T_INT(seen->state, SQ_CALL_RUNNING); /* a reader's value stays */
    sq_logged_call_release(seen);
    sq_logged_call_release(held);
    sq_logged_call_release(done);
}

/* The start of a PNG of 100x50; only its size is read. */
static const unsigned char picture[] =
    "\x89PNG\r\n\x1a\n"
    "\0\0\0\x0dIHDR\0\0\0\x64\0\0\0\x32\x08\x02\0\0\0"
    "\x25\x57\xe9\xe9"
    "\0\0\0\x04IDATabcd";

T_CASE(pictures_are_kept_as_sent_and_counted) {
    struct sq_result result = { 0 };
    struct sq_block *block;
    begin(0, 0);
    listen_silently();
    T_OK(sq_result_add(&result, SQ_BLOCK_IMAGE, 1 << 20, &block, &t_err));
    block->mime_type = "image/png";
    T_OK(sq_buf_append(&block->data, picture, sizeof(picture), &t_err));
    add_text(&result, "{\"tapped\":{\"x\":1,\"y\":2},\"changed\":null}");
    const struct sq_call_end end = { .result = &result, .device_ns = -1 };
    sq_call_log_end(call_log, start_call("screenshot"), &end);
    const struct sq_logged_call *done = sq_call_log_get(call_log, 1);
    T_INT(done->block_count, 2);
    T_BYTES(done->blocks[0].data.ptr, done->blocks[0].data.len, picture,
            sizeof(picture));
    T_STR(done->blocks[0].mime_type, "image/png");
    T_INT(done->blocks[0].size.width, 100);
    T_INT(done->blocks[0].size.height, 50);
    T(done->picture_tokens > 0);
    T_INT(done->picture_tokens, done->blocks[0].tokens);
    T_INT(done->text_tokens, 10);
    T(done->has_point && done->change.count == 0);
    sq_logged_call_release(done);
    sq_result_finish(&result);
}

T_CASE(errors_are_kept_with_their_hints) {
    begin(0, 0);
    listen_silently();
    sq_fail(&t_err, SQ_ERR_ELEMENT_NOT_FOUND, "no element \"%s\"", "Buy");
    sq_fail_hint(&t_err, "Scroll.");
    const struct sq_call_end end = { .err = &t_err, .device_ns = -1 };
    sq_call_log_end(call_log, start_call("tap"), &end);
    const struct sq_logged_call *done = sq_call_log_get(call_log, 1);
    T_INT(done->state, SQ_CALL_FAILED);
    T_INT(done->error, SQ_ERR_ELEMENT_NOT_FOUND);
    T(sq_span_is(done->message, "no element \"Buy\""));
    T(sq_span_is(done->hint, "Scroll."));
    sq_logged_call_release(done);
}

/* Writes JSON that is given with single quotes. */
static void
write_json(const char *given, char *out, size_t size) {
    snprintf(out, size, "%s", given);
    for (char *quote = out; (quote = strchr(quote, '\''));) {
        *quote = '"';
    }
}

/* Records a call; returns its value at the end, or while it runs. */
static const struct sq_logged_call *
type(const char *arguments, uint32_t harmless_texts, bool has_ended) {
    struct sq_call_start start = { .tool = SQ_SPAN("ui") };
    const struct sq_result result = { .harmless_texts = harmless_texts };
    T_ARENA(arena, 1 << 20);
    T_OK(
        sq_json_parse(sq_span_of(arguments), &arena, &start.arguments, &t_err));
    start.operation = sq_json_text_of(start.arguments, "operation");
    struct sq_logged_call *call = sq_call_log_begin(call_log, &start);
    const struct sq_call_end end = { .arguments = start.arguments,
                                     .result = &result };
    const struct sq_logged_call *seen = sq_logged_call_keep(call);
    sq_call_log_end(call_log, call, &end);
    if (has_ended) {
        uint64_t sequence = seen->sequence;
        sq_logged_call_release(seen);
        seen = sq_call_log_get(call_log, sequence);
    }
    return seen;
}

/* "M" is what may be typed: see begin. */
T_CASE(typed_text_is_stored_only_if_it_is_harmless) {
    static const struct {
        const char *arguments;
        uint32_t harmless_texts;
        const char *running;
        const char *done;
    } rows[] = {
        { "{'operation':'a','M':'abc','other':'x'}", 0,
          "{'operation':'a','M':'[hidden]','other':'x'}",
          "{'operation':'a','M':'[secret 1]','other':'x'}" },
        { "{'operation':'a','M':'abc'}", 1, "{'operation':'a','M':'[hidden]'}",
          "{'operation':'a','M':'abc'}" },
        { "{'operation':'a','M':4711}", 2, "{'operation':'a','M':'[hidden]'}",
          "{'operation':'a','M':'[secret 2]'}" },
        { "{'operation':'b','steps':[{'M':1},{'M':[{'x':'y'}]},{'M':{}}]}", 2,
          "{'operation':'b','steps':[{'M':'[hidden]'},{'M':'[hidden]'},"
          "{'M':'[hidden]'}]}",
          "{'operation':'b','steps':[{'M':'[secret 3]'},{'M':[{'x':'y'}]},"
          "{'M':'[secret 4]'}]}" },
        { "{'operation':'b','steps':'[abc]'}", 0,
          "{'operation':'b','steps':'[hidden]'}",
          "{'operation':'b','steps':'[secret 5]'}" },
        { "{'operation':'c','N':{'M':'x'}}", 0,
          "{'operation':'c','N':{'M':'x'}}",
          "{'operation':'c','N':{'M':'x'}}" },
    };
    begin(0, 0);
    listen_silently();
    for (size_t i = 0; i < 2 * SQ_COUNT(rows); i++) {
        bool has_ended = i % 2;
        char given[200];
        char want[200];
        write_json(rows[i / 2].arguments, given, sizeof(given));
        write_json(has_ended ? rows[i / 2].done : rows[i / 2].running, want,
                   sizeof(want));
        const struct sq_logged_call *call = type(
            given, has_ended ? rows[i / 2].harmless_texts : ~0u, has_ended);
        T_STR(t_text("%.*s", SQ_SPAN_ARGS(call->arguments)), want);
        T_INT(call->has_secrets, strstr(want, "[secret") != NULL);
        sq_logged_call_release(call);
    }
}

T_CASE(the_oldest_calls_are_dropped) {
    begin(3, 0);
    listen_silently();
    struct sq_logged_call *oldest = start_call("swipe");
    for (int i = 0; i < 5; i++) {
        end_call(start_call("tap"), "{}");
    }
    struct sq_call_log_state state = sq_call_log_state(call_log);
    T_INT(state.count, 3);
    T_INT(state.first_sequence, 4);
    T_INT(state.last_sequence, 6);
    T(sq_call_log_get(call_log, 3) == NULL);
    T(sq_call_log_get(call_log, 7) == NULL);
    end_call(oldest, "{}"); /* its place is gone */
    T_INT(sq_call_log_state(call_log).count, 3);
}

/* Answers are dropped before calls, and are still counted. */
T_CASE(bytes_are_limited) {
    char text[20000];
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    begin(1000, 400000);
    listen_silently();
    for (int i = 0; i < 50; i++) {
        end_call(start_call("dump"), text);
        T(sq_call_log_state(call_log).bytes <= 400000);
    }
    T_INT(sq_call_log_state(call_log).count, 50);
    for (uint64_t i = 1; i <= 50; i += 49) {
        const struct sq_logged_call *call = sq_call_log_get(call_log, i);
        T_INT(call->is_light, i == 1);
        T_INT(call->block_count, i == 1 ? 0 : 1);
        T_INT(call->text_tokens, sizeof(text) / 4);
        T(sq_span_is(call->operation, "dump"));
        sq_logged_call_release(call);
    }
    for (int i = 0; i < 100; i++) {
        end_call(start_call("dump"), text);
        T(sq_call_log_state(call_log).bytes <= 400000);
    }
    T(sq_call_log_state(call_log).count < 150);
    T(sq_call_log_state(call_log).count > 20);
    struct sq_call_total totals[SQ_MAX_CALL_TOTALS];
    T_INT(sq_call_log_totals(call_log, totals), 1);
    T_INT(totals[0].client, 3);
    T_STR(totals[0].client_name, "agent");
    T_INT(totals[0].calls, 150);
    T_INT(totals[0].text_tokens, 150 * sizeof(text) / 4);
    end();
    begin(1000, 100); /* less than one call */
    listen_silently();
    end_call(start_call("dump"), text);
    T_INT(sq_call_log_state(call_log).count, 0);
    T_INT(sq_call_log_state(call_log).bytes, 0);
}

static void
call_as(uint64_t client, bool is_person, int text_tokens) {
    const struct sq_call_start start = { .client = client,
                                         .is_person = is_person };
    const struct sq_call_end end = { .device_ns = -1,
                                     .text_tokens = text_tokens };
    sq_call_log_end(call_log, sq_call_log_begin(call_log, &start), &end);
}

T_CASE(totals_are_of_agents) {
    struct sq_call_total totals[SQ_MAX_CALL_TOTALS];
    begin(5, 0);
    listen_silently();
    call_as(1, true, 7);
    T_INT(sq_call_log_totals(call_log, totals), 0);
    for (uint64_t client = 1; client <= SQ_MAX_CALL_TOTALS + 10; client++) {
        call_as(client, false, 10);
    }
    T_INT(sq_call_log_totals(call_log, totals), SQ_MAX_CALL_TOTALS);
    int64_t calls = 0;
    for (int i = 0; i < SQ_MAX_CALL_TOTALS; i++) {
        calls += totals[i].calls;
        T_INT(totals[i].text_tokens, totals[i].calls * 10);
    }
    T_INT(calls, SQ_MAX_CALL_TOTALS + 10);
    T_INT(totals[0].client, 0);
    T_INT(totals[0].calls, 11);
}

T_CASE(newer_values_are_in_order) {
    const struct sq_logged_call *found[3];
    begin(0, 0);
    listen_silently();
    struct sq_logged_call *first = start_call("a"); /* version 1 */
    for (int i = 0; i < 4; i++) {
        end_call(start_call("b"), "{}"); /* 3, 5, 7, 9 */
    }
    end_call(first, "{}"); /* 10 */
    static const int wanted[] = { 3, 5, 7, 9, 10 };
    uint64_t after = 0;
    int seen = 0;
    int count;
    while ((count = sq_call_log_newer(call_log, after, found, 3)) > 0) {
        for (int i = 0; i < count; i++) {
            T_INT(found[i]->version, wanted[seen++]);
            after = found[i]->version;
            sq_logged_call_release(found[i]);
        }
    }
    T_INT(seen, 5);
}

struct counter {
    uint64_t last_version;
    int ended;
    bool is_ordered;
};

static void
count(void *context, const struct sq_logged_call *call) {
    struct counter *counter = context;
    counter->is_ordered =
        counter->is_ordered && call->version == counter->last_version + 1;
    counter->last_version = call->version;
    counter->ended += call->state == SQ_CALL_SUCCEEDED;
}

static void *
make_calls(void *unused) {
    for (int i = 0; i < CALLS_PER_THREAD; i++) {
        end_call(start_call("tap"), "{}");
    }
    return NULL;
}

/* Reads all values while they are made. */
static void *
read_calls(void *stop) {
    uint64_t version = 0;
    while (!atomic_load((atomic_bool *)stop)) {
        const struct sq_logged_call *call = next_call(version);
        T(!call || call->version > version);
        version = call ? call->version : version;
        sq_logged_call_release(call);
    }
    return NULL;
}

T_CASE(listeners_get_every_value_in_order) {
    struct counter counter = { .is_ordered = true };
    struct sq_call_listener listener = { count, &counter, NULL };
    pthread_t threads[THREADS];
    pthread_t reader;
    atomic_bool stop = false;
    begin(10, 0);
    sq_call_log_listen(call_log, &listener);
    listen_silently();
    T_INT(pthread_create(&reader, NULL, read_calls, &stop), 0);
    for (int i = 0; i < THREADS; i++) {
        T_INT(pthread_create(&threads[i], NULL, make_calls, NULL), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    atomic_store(&stop, true);
    pthread_join(reader, NULL);
    T(counter.is_ordered);
    T_INT(counter.ended, THREADS * CALLS_PER_THREAD);
    T_INT(sq_call_log_state(call_log).version, 2 * THREADS * CALLS_PER_THREAD);
    T_INT(sq_call_log_state(call_log).lost, 0);
    sq_call_log_unlisten(call_log, &listener);
}
