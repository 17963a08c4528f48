/*
 * Twenty thousand messages, half of them randomly damaged: each message whose
 * id can be read is answered exactly once, with that id.
 */

#include "mcp/request.h"
#include "mcp/stdio.h"
#include "support/mcp_host.h"
#include "support/mcp_talk.h"

#define ROUNDS 20000
#define MAX_TEXT 2000
#define MODERN                                                                 \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","   \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

static int
    salvaged; /* messages that could not be parsed, except for their id */
static char text[MAX_TEXT];
static size_t len;

static const char *const bodies[] = {
    "\"method\":\"ping\"",
    "\"method\":\"tools/list\"",
    "\"method\":\"tools/list\",\"params\":{" MODERN "}",
    "\"method\":\"server/discover\",\"params\":{" MODERN "}",
    "\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
    "\"2025-06-18\"}",
    "\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{"
    "\"a\":[1,\"\\u00e9\",null,{\"b\":-1.5e3}]}}",
    "\"method\":\"tools/call\",\"params\":{\"name\":\"echo\"," MODERN "}",
    "\"method\":\"tools/call\",\"params\":{\"name\":\"fail\"}",
    "\"method\":\"tools/call\",\"params\":{\"name\":\"steps\",\"_meta\":{"
    "\"progressToken\":1}}",
    "\"method\":\"resources/read\",\"params\":{\"uri\":\"fake://health\"}",
    "\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"fake://health\"}",
    "\"method\":\"tools/call\",\"params\":{\"name\":\"touch\"}",
    "\"method\":\"prompts/get\",\"params\":{\"name\":\"greet\",\"arguments\":{"
    "\"name\":\"Ada\"}}",
    "\"method\":\"completion/complete\",\"params\":{\"ref\":{\"type\":"
    "\"ref/prompt\",\"name\":\"greet\"},\"argument\":{\"name\":\"name\","
    "\"value\":\"\"}}",
    "\"method\":\"logging/setLevel\",\"params\":{\"level\":\"debug\"}",
    "\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"
    "\"resourceSubscriptions\":[\"fake://health\"]}," MODERN "}",
    "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}",
    "\"result\":{}",
    "\"method\":7",
    "\"x\":1",
};

static const char *const heads[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":%d,%s}",
    "{\"jsonrpc\":\"2.0\",\"id\":\"i%d\",%s}",
    "{\"jsonrpc\":\"2.0\",\"id\":900719925474099%d,%s}",
    "{\"jsonrpc\":\"2.0\",\"id\":1.5%d,%s}",
    "{\"jsonrpc\":\"2.0\",\"n\":%d,%s}",
    "{\"id\":%d,%s}",
    "[{\"id\":%d,%s}]",
};

static void
make_message(int number) {
    int head = (int)t_random_between(0, 20);
    int body = (int)t_random_between(0, SQ_COUNT(bodies) - 1);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    len = (size_t)snprintf(text, MAX_TEXT, heads[head < 7 ? head : head % 2],
                           number, bodies[body]);
#pragma GCC diagnostic pop
}

static void
break_it(void) {
    static const char palette[] = "{}[]\",:\\0123456789eE+-.truefalsn\n\xff";
    int changes = (int)t_random_between(1, 4);
    for (int i = 0; i < changes && len > 1; i++) {
        size_t at = (size_t)t_random_between(0, (int64_t)len - 1);
        size_t to = (size_t)t_random_between((int64_t)at, (int64_t)len);
        switch (t_random_between(0, 3)) {
        case 0:
            text[at] = palette[t_random() % (sizeof(palette) - 1)];
            break;
        case 1: /* remove a piece */
            memmove(text + at, text + to, len - to);
            len -= to - at;
            break;
        case 2: /* repeat a piece */
            if (len + (to - at) < MAX_TEXT) {
                memmove(text + to + (to - at), text + to, len - to);
                memcpy(text + to, text + at, to - at);
                len += to - at;
            }
            break;
        default:
            text[at] = (char)t_random();
            break;
        }
    }
}

enum want {
    WANT_NOTHING,
    WANT_ANSWER_WITH_ID,
    WANT_ANSWER_WITHOUT_ID,
    WANT_LISTENER, /* an acknowledgement or an error */
};

static bool
is_readable(const struct sq_json *id) {
    int64_t integer;
    uint64_t positive;
    struct sq_span digits;
    return sq_json_is(id, SQ_JSON_STRING) || sq_json_int(id, &integer)
        || (sq_json_number(id, &digits)
            && sq_span_to_uint64(digits, &positive));
}

static enum want
expectation(const struct sq_json *message) {
    struct sq_span method = { 0 };
    bool has_method = sq_json_get(message, "method") != NULL;
    bool is_answer =
        !has_method
        && (sq_json_get(message, "result") || sq_json_get(message, "error"));
    sq_json_string(sq_json_get(message, "method"), &method);
    if (is_answer || (method.ptr && !sq_json_get(message, "id"))) {
        return WANT_NOTHING;
    }
    if (!is_readable(sq_json_get(message, "id"))) {
        return WANT_ANSWER_WITHOUT_ID;
    }
    return sq_span_is(method, "subscriptions/listen") ? WANT_LISTENER
                                                      : WANT_ANSWER_WITH_ID;
}

/* The id with which an unreadable message is answered; NULL: none. */
static const struct sq_json *
salvaged_id(struct sq_arena *arena) {
    static struct sq_mcp_salvage salvage;
    const struct sq_json *id = NULL;
    sq_mcp_salvage_init(&salvage);
    sq_mcp_salvage_feed(&salvage, (struct sq_span){ text, len });
    return sq_json_parse(sq_mcp_salvage_id(&salvage), arena, &id, NULL)
                && is_readable(id)
             ? id
             : NULL;
}

struct tally {
    int with_id;    /* answers that carry the id of the message */
    int without_id; /* answers that carry none */
    int other_id;
    int acknowledged;
};

static void
count_reply(const struct sq_json *asked, struct sq_span line,
            struct tally *tally) {
    const struct sq_json *reply = NULL;
    T_ARENA(arena, (size_t)4 << 20);
    T_OK(sq_json_parse(line, &arena, &reply, &t_err));
    const struct sq_json *id = sq_json_get(reply, "id");
    struct sq_span method = { 0 };
    if (sq_json_string(sq_json_get(reply, "method"), &method)) {
        tally->acknowledged +=
            sq_span_is(method, "notifications/subscriptions/acknowledged");
    } else if (!id) {
        tally->without_id++;
    } else if (sq_mcp_same_id(id, asked)) {
        tally->with_id++;
    } else {
        tally->other_id++;
    }
}

static struct tally
read_answers(const struct sq_json *asked) {
    struct tally tally = { 0 };
    struct sq_mcp_message *reply;
    while ((reply = t_talk_next())) {
        count_reply(
            asked,
            (struct sq_span){ (char *)reply->bytes.data, reply->bytes.len - 1 },
            &tally);
        sq_mcp_message_destroy(reply);
    }
    return tally;
}

static bool
is_as_wanted(enum want want, const struct tally *tally) {
    int answers = tally->with_id + tally->without_id + tally->other_id;
    switch (want) {
    case WANT_NOTHING:
        return answers == 0;
    case WANT_ANSWER_WITH_ID:
        return answers == 1 && tally->with_id == 1;
    case WANT_LISTENER:
        return tally->with_id + tally->acknowledged == 1 && answers <= 1;
    case WANT_ANSWER_WITHOUT_ID:
    default:
        return answers == 1 && tally->without_id == 1;
    }
}

static void
send_and_judge(void) {
    const struct sq_json *message = NULL;
    T_ARENA(arena, (size_t)4 << 20);
    enum want want;
    const struct sq_json *id;
    if (sq_json_parse((struct sq_span){ text, len }, &arena, &message,
                      &t_err)) {
        want = expectation(message);
        id = sq_json_get(message, "id");
    } else {
        id = salvaged_id(&arena);
        want = id ? WANT_ANSWER_WITH_ID : WANT_ANSWER_WITHOUT_ID;
        salvaged += id != NULL;
    }
    sq_mcp_connection_receive(talk.connection, &talk.sink,
                              (struct sq_span){ text, len });
    struct tally tally = read_answers(id);
    if (!T(is_as_wanted(want, &tally))) {
        printf("# wanted %d: %.*s\n", (int)want, (int)len, text);
    }
    if (tally.acknowledged) {
        sq_mcp_request_cancel(talk.connection, sq_json_get(message, "id"));
    }
}

T_CASE(every_readable_id_is_answered_exactly_once) {
    t_talk_begin(&t_mcp_host);
    for (int i = 0; i < ROUNDS; i++) {
        make_message(i);
        if (i % 2) {
            break_it();
        }
        send_and_judge();
    }
    T(salvaged > ROUNDS / 20);
    t_talk_end();
}
