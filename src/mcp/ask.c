/* Asks the client questions, and receives its answers. */
#include "mcp/methods.h"

#include <inttypes.h>
#include <stdio.h>

#define MAX_ANSWER_BYTES ((size_t)1 << 20)

/* One question on the wire. Guarded by the connection's lock. */
struct sq_mcp_question_sent {
    struct sq_mcp_question_sent *next;
    int64_t id;
    bool is_answered;
    bool is_error;
    struct sq_buf answer; /* JSON */
};

/* What a client is asked, and what it must declare for that. */
static const struct {
    const char *method;
    enum sq_mcp_capability capability;
    const char *name;
} kinds[] = {
    { "elicitation/create", SQ_MCP_ELICITATION, "elicitation" },
    { "sampling/createMessage", SQ_MCP_SAMPLING, "sampling" },
    { "roots/list", SQ_MCP_ROOTS, "roots" },
};

/* Returns whether the client shows pages of the only type that we have. */
static bool
shows_pages(const struct sq_json *extension) {
    const struct sq_json *type =
        sq_json_first(sq_json_get(extension, "mimeTypes"));
    struct sq_span text;
    while (type
           && (!sq_json_string(type, &text)
               || !sq_span_is(text, SQ_MCP_PAGE_TYPE))) {
        type = sq_json_next(type);
    }
    return type != NULL;
}

unsigned
sq_mcp_read_capabilities(const struct sq_json *declared) {
    unsigned found = 0;
    const struct sq_json *elicitation = sq_json_get(declared, "elicitation");
    const struct sq_json *extensions = sq_json_get(declared, "extensions");
    for (size_t i = 0; i < SQ_COUNT(kinds); i++) {
        found |=
            sq_json_is(sq_json_get(declared, kinds[i].name), SQ_JSON_OBJECT)
                ? kinds[i].capability
                : 0u;
    }
    /* One that can only open addresses has no forms. */
    if (sq_json_count(elicitation) > 0 && !sq_json_get(elicitation, "form")) {
        found &= ~(unsigned)SQ_MCP_ELICITATION;
    }
    found |= sq_json_get(extensions, SQ_MCP_TASKS_EXTENSION) ? SQ_MCP_TASKS : 0;
    found |= sq_json_get(declared, "tasks") ? SQ_MCP_OLD_TASKS : 0;
    return found
         | (shows_pages(sq_json_get(extensions, SQ_MCP_UI_EXTENSION))
                ? SQ_MCP_UI
                : 0);
}

unsigned
sq_mcp_request_capabilities(const struct sq_mcp_request *request) {
    return sq_mcp_is_modern(request->revision)
             ? sq_mcp_read_capabilities(
                 sq_json_get(request->meta, SQ_MCP_META_CAPABILITIES))
             : request->connection->capabilities;
}

unsigned
sq_mcp_call_capabilities(const struct sq_mcp_call *call) {
    const struct sq_mcp_request *request = call->private;
    /* A legacy client could be asked only while it waits for the result. */
    bool can_ask = !request->task || sq_mcp_is_modern(request->revision);
    return can_ask ? sq_mcp_request_capabilities(request) : 0;
}

bool
sq_mcp_call_require(struct sq_mcp_call *call, unsigned capabilities,
                    struct sq_err *err) {
    struct sq_mcp_request *request = call->private;
    unsigned missing = capabilities & ~sq_mcp_call_capabilities(call);
    if (!missing) {
        return true;
    }
    request->missing_capabilities |= missing;
    return sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "the client lacks a capability that this needs");
}

bool
sq_mcp_is_valid_answer(const char *method, const struct sq_json *answer) {
    struct sq_span action;
    if (strcmp(method, "roots/list") == 0) {
        return sq_json_is(sq_json_get(answer, "roots"), SQ_JSON_ARRAY);
    }
    if (strcmp(method, "sampling/createMessage") == 0) {
        return sq_json_get(answer, "content")
            && sq_json_is(sq_json_get(answer, "role"), SQ_JSON_STRING);
    }
    const struct sq_json *content = sq_json_get(answer, "content");
    return sq_json_string(sq_json_get(answer, "action"), &action)
        && (sq_span_is(action, "accept") || sq_span_is(action, "decline")
            || sq_span_is(action, "cancel"))
        && (!content || sq_json_is(content, SQ_JSON_OBJECT));
}

/* Finds the answers in a modern request; keeps the questions that lack one. */
static bool
ask_modern(struct sq_mcp_request *request,
           const struct sq_mcp_question *questions, int count,
           const struct sq_json **answers, struct sq_err *err) {
    request->asked_count = 0;
    for (int i = 0; i < count; i++) {
        answers[i] = sq_json_get(request->answers, questions[i].key);
        if (!answers[i]) {
            struct sq_mcp_question *asked =
                &request->asked[request->asked_count++];
            *asked = questions[i];
            if (!sq_arena_keep(&request->arena, &asked->params, err)) {
                return false;
            }
        } else if (!sq_mcp_is_valid_answer(questions[i].method, answers[i])) {
            request->has_bad_answer = true;
        }
    }
    return (request->asked_count == 0 && !request->has_bad_answer)
        || sq_fail(err, SQ_ERR_UNSUPPORTED, "the client must answer first");
}

static struct sq_mcp_message *
write_question(const struct sq_mcp_question *question, int64_t id,
               struct sq_err *err) {
    struct sq_json_writer w;
    struct sq_mcp_message *message =
        sq_mcp_message_begin(&w, MAX_ANSWER_BYTES, err);
    if (!message) {
        return NULL;
    }
    message->kind = SQ_MCP_REQUEST;
    sq_json_put_int(sq_json_at(&w, "id"), id);
    sq_mcp_put_text(&w, "method", question->method);
    if (question->params.len > 0) {
        sq_json_put_raw(sq_json_at(&w, "params"), question->params);
    }
    return sq_mcp_message_end(message, &w, err) ? message : NULL;
}

/* Waits for the answer. Called with the connection's lock held. */
static bool
await_answer(struct sq_mcp_call *call, struct sq_mcp_connection *connection,
             const struct sq_mcp_question_sent *sent, struct sq_err *err) {
    while (!sent->is_answered && !connection->closed) {
        if (!sq_deadline_check(&call->deadline, err)) {
            return sq_fail_in(err, "waiting for the client's answer");
        }
        sq_lock_wait(connection->lock);
    }
    return (sent->is_answered && !sent->is_error)
        || sq_fail(err, SQ_ERR_UNSUPPORTED, "%s",
                   sent->is_answered
                       ? "the client answered the question with an error"
                       : "the client disconnected before it answered");
}

/* Sends a question and waits for the answer. */
static bool
ask_on_wire(struct sq_mcp_call *call, const struct sq_mcp_question *question,
            const struct sq_json **out, struct sq_err *err) {
    struct sq_mcp_request *request = call->private;
    struct sq_mcp_connection *connection = request->connection;
    struct sq_mcp_question_sent sent = { 0 };
    sq_buf_init(&sent.answer, MAX_ANSWER_BYTES);
    sq_lock_lock(connection->lock);
    sent.id = ++connection->last_question;
    sent.next = connection->questions;
    connection->questions = &sent;
    sq_lock_unlock(connection->lock);
    struct sq_mcp_message *message = write_question(question, sent.id, err);
    if (message) {
        sq_mcp_request_notify(request, message);
    }
    sq_lock_lock(connection->lock);
    bool ok = message && await_answer(call, connection, &sent, err);
    struct sq_mcp_question_sent **link = &connection->questions;
    while (*link != &sent) {
        link = &(*link)->next;
    }
    *link = sent.next;
    sq_lock_unlock(connection->lock);
    struct sq_span text = sq_buf_span(&sent.answer);
    ok = ok && sq_arena_keep(&request->arena, &text, err)
      && sq_json_parse(text, &request->arena, out, err)
      && (sq_mcp_is_valid_answer(question->method, *out)
          || sq_fail(err, SQ_ERR_FORMAT, "the client's answer is malformed"));
    sq_buf_finish(&sent.answer);
    return ok;
}

bool
sq_mcp_call_ask(struct sq_mcp_call *call,
                const struct sq_mcp_question *questions, int count,
                const struct sq_json **answers, struct sq_err *err) {
    struct sq_mcp_request *request = call->private;
    for (int i = 0; i < count; i++) {
        unsigned needed = 0;
        for (size_t k = 0; k < SQ_COUNT(kinds); k++) {
            needed |= strcmp(kinds[k].method, questions[i].method) == 0
                        ? kinds[k].capability
                        : 0u;
        }
        if (!sq_mcp_call_require(call, needed, err)) {
            return false;
        }
    }
    if (request->task) {
        return sq_mcp_task_ask(call, questions, count, answers, err);
    }
    if (sq_mcp_is_modern(request->revision)) {
        return ask_modern(request, questions, count, answers, err);
    }
    if (!request->is_on_thread) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "this server cannot wait for answers");
    }
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        ok = ask_on_wire(call, &questions[i], &answers[i], err);
    }
    return ok;
}

void
sq_mcp_receive_answer(struct sq_mcp_connection *connection,
                      const struct sq_json *message) {
    const struct sq_json *result = sq_json_get(message, "result");
    int64_t id;
    if (!sq_json_int(sq_json_get(message, "id"), &id)) {
        return;
    }
    sq_lock_lock(connection->lock);
    struct sq_mcp_question_sent *sent = connection->questions;
    while (sent && sent->id != id) {
        sent = sent->next;
    }
    if (sent && !sent->is_answered) {
        struct sq_json_writer w;
        sq_json_writer_init(&w, &sent->answer);
        sq_json_put_value(&w, result);
        sent->is_error = !result || !sq_json_writer_done(&w, NULL);
        sent->is_answered = true;
        sq_lock_broadcast(connection->lock);
    }
    sq_lock_unlock(connection->lock);
}

/* Writes what the state of a request is for: its method and name. */
static struct sq_span
purpose_of(const struct sq_mcp_request *request, char *out, size_t size) {
    const char *key = request->method->name_key;
    struct sq_span name = sq_json_text_of(request->params, key ? key : "");
    snprintf(out, size, "%s %.*s", request->method->name, SQ_SPAN_ARGS(name));
    return sq_span_of(out);
}

#define PURPOSE_SIZE 300

bool
sq_mcp_read_input(struct sq_mcp_request *request) {
    if (!sq_mcp_is_modern(request->revision)) {
        return true;
    }
    const struct sq_json *answers =
        sq_json_get(request->params, "inputResponses");
    const struct sq_json *state = sq_json_get(request->params, "requestState");
    char purpose[PURPOSE_SIZE];
    struct sq_span sealed;
    struct sq_err err = { 0 };
    request->answers = answers;
    if (answers && !sq_json_is(answers, SQ_JSON_OBJECT)) {
        return sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                             "params.inputResponses must be an object");
    }
    if (state && !sq_json_string(state, &sealed)) {
        return sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                             "params.requestState must be a string");
    }
    return !state
        || sq_mcp_state_open(request->connection->server->key,
                             purpose_of(request, purpose, sizeof(purpose)),
                             sealed, &request->arena, &request->state, &err)
        || sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS, err.message);
}

struct sq_span
sq_mcp_call_state(const struct sq_mcp_call *call) {
    const struct sq_mcp_request *request = call->private;
    return request->state;
}

bool
sq_mcp_call_keep_state(struct sq_mcp_call *call, struct sq_span state,
                       struct sq_err *err) {
    struct sq_mcp_request *request = call->private;
    char purpose[PURPOSE_SIZE];
    SQ_BUF(sealed, 2 * SQ_MCP_MAX_STATE);
    bool ok = sq_mcp_state_seal(request->connection->server->key,
                                purpose_of(request, purpose, sizeof(purpose)),
                                state, &sealed, err);
    struct sq_span text = sq_buf_span(&sealed);
    ok = ok && sq_arena_keep(&request->arena, &text, err);
    if (ok) {
        request->next_state = text;
    }
    return ok;
}

void
sq_mcp_put_question(struct sq_json_writer *w,
                    const struct sq_mcp_question *question) {
    sq_json_begin_object_of(w, question->key);
    sq_mcp_put_text(w, "method", question->method);
    sq_json_put_raw(sq_json_at(w, "params"), question->params.len > 0
                                                 ? question->params
                                                 : SQ_SPAN("{}"));
    sq_json_end_object(w);
}

static void
put_questions(struct sq_json_writer *w, const struct sq_mcp_request *request,
              const void *context) {
    (void)context;
    sq_json_begin_object_of(w, "inputRequests");
    for (int i = 0; i < request->asked_count; i++) {
        sq_mcp_put_question(w, &request->asked[i]);
    }
    sq_json_end_object(w);
    if (request->next_state.len > 0) {
        sq_json_put_string(sq_json_at(w, "requestState"), request->next_state);
    }
}

static void
put_missing(struct sq_json_writer *w, const struct sq_mcp_request *request,
            const void *context) {
    (void)context;
    sq_json_begin_object_of(w, "requiredCapabilities");
    for (size_t i = 0; i < SQ_COUNT(kinds); i++) {
        if (request->missing_capabilities & kinds[i].capability) {
            sq_json_put_raw(sq_json_at(w, kinds[i].name), SQ_SPAN("{}"));
        }
    }
    if (request->missing_capabilities & SQ_MCP_TASKS) {
        sq_mcp_put_tasks_extension(w);
    }
    sq_json_end_object(w);
}

bool
sq_mcp_reply_needs(struct sq_mcp_request *request) {
    static const struct sq_mcp_error missing = {
        .code = SQ_MCP_MISSING_CAPABILITY,
        .message = SQ_SPAN_INIT("the client must declare the capabilities that "
                                "this needs"),
        .data = put_missing,
    };
    if (!sq_mcp_is_modern(request->revision)) {
        return false;
    }
    if (request->missing_capabilities) {
        sq_mcp_reply_error(request, &missing);
        return true;
    }
    if (request->has_bad_answer) {
        sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                      "an item of params.inputResponses is "
                      "malformed");
        return true;
    }
    if (request->asked_count == 0) {
        return false;
    }
    request->result_type = "input_required";
    sq_mcp_reply_result(request, put_questions, NULL);
    return true;
}
