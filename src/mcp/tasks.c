/*
 * Calls that go on after they were answered with the id of a task, which the
 * client polls: the extension io.modelcontextprotocol/tasks in modern
 * revisions, the capability "tasks" in 2025-11-25. They live in this process
 * and end with it.
 */
#include "mcp/methods.h"

#include <stdio.h>

#include "sys/clock.h"
#include "sys/entropy.h"
#include "util/mem.h"

#define MAX_TASKS 64
#define MAX_STORED_BYTES ((size_t)64 << 20)
#define MAX_ANSWER_BYTES ((size_t)1 << 20)
#define TTL_MS 600000 /* after the last change */
#define POLL_MS 500
#define ID_SIZE 33 /* 128 bits in hexadecimal */
#define NS_PER_MS 1000000
#define RELATED_TASK "io.modelcontextprotocol/related-task"

/* A question of a task, and its answer. */
struct task_question {
    struct sq_mcp_question question;
    bool is_answered;
    struct sq_buf answer; /* JSON */
};

/* Guarded by the lock of the table. */
struct sq_mcp_task {
    struct sq_mcp_task *next;
    char id[ID_SIZE];
    int64_t created_ns; /* by sq_clock_wall_ns */
    int64_t updated_ns;
    /* The only client that sees a legacy task; NULL: it has gone. */
    const struct sq_mcp_connection *owner;
    bool is_legacy;
    struct sq_mcp_request *request; /* that runs it; NULL: it has ended */
    bool is_cancelled;
    bool has_failed;               /* its result says so */
    struct sq_mcp_message *answer; /* NULL: none yet */
    struct task_question questions[SQ_MCP_MAX_QUESTIONS];
    int question_count;
};

struct sq_mcp_tasks {
    struct sq_lock *lock;
    struct sq_mcp_task *first;
    int count;
    size_t stored_bytes;
};

bool
sq_mcp_tasks_create(struct sq_mcp_tasks **out, struct sq_err *err) {
    struct sq_mcp_tasks *tasks = sq_mem_zalloc(1, sizeof(*tasks));
    if (!tasks) {
        return sq_fail_nomem(err);
    }
    if (!sq_lock_create(&tasks->lock, err)) {
        sq_mem_free(tasks);
        return false;
    }
    *out = tasks;
    return true;
}

static void
free_task(struct sq_mcp_task *task) {
    sq_mcp_message_destroy(task->answer);
    for (int i = 0; i < task->question_count; i++) {
        sq_buf_finish(&task->questions[i].answer);
    }
    sq_mem_free(task);
}

void
sq_mcp_tasks_destroy(struct sq_mcp_tasks *tasks) {
    if (!tasks) {
        return;
    }
    while (tasks->first) {
        struct sq_mcp_task *task = tasks->first;
        tasks->first = task->next;
        free_task(task);
    }
    sq_lock_destroy(tasks->lock);
    sq_mem_free(tasks);
}

static void
cancel_task(struct sq_mcp_task *task) {
    if (task->request) {
        task->is_cancelled = true;
        sq_cancel_set(task->request->cancel);
    }
}

void
sq_mcp_tasks_cancel(struct sq_mcp_tasks *tasks,
                    const struct sq_mcp_connection *owner) {
    SQ_LOCKED(tasks->lock);
    for (struct sq_mcp_task *task = tasks->first; task; task = task->next) {
        if (!owner || task->owner == owner) {
            task->owner = NULL;
            cancel_task(task);
        }
    }
    sq_lock_broadcast(tasks->lock);
}

static struct sq_mcp_tasks *
tasks_of(const struct sq_mcp_request *request) {
    return request->connection->server->tasks;
}

static void
remove_task(struct sq_mcp_tasks *tasks, struct sq_mcp_task **link) {
    struct sq_mcp_task *task = *link;
    *link = task->next;
    tasks->count--;
    tasks->stored_bytes -= task->answer ? task->answer->bytes.len : 0;
    free_task(task);
}

/* Frees the tasks that have ended and are too old. Called with the lock held.
 */
static void
expire(struct sq_mcp_tasks *tasks, int64_t now_ns) {
    struct sq_mcp_task **link = &tasks->first;
    while (*link) {
        const struct sq_mcp_task *task = *link;
        int64_t age_ns = now_ns - task->updated_ns;
        if (task->request || age_ns <= (int64_t)TTL_MS * NS_PER_MS) {
            link = &(*link)->next;
        } else {
            remove_task(tasks, link);
        }
    }
}

/*
 * Makes space for a task by removing the oldest one that has ended. Returns
 * false if there is none. Called with the lock held.
 */
static bool
make_space(struct sq_mcp_tasks *tasks) {
    while (tasks->count >= MAX_TASKS
           || tasks->stored_bytes >= MAX_STORED_BYTES) {
        struct sq_mcp_task **oldest = NULL;
        for (struct sq_mcp_task **link = &tasks->first; *link;
             link = &(*link)->next) {
            oldest = (*link)->request ? oldest : link;
        }
        if (!oldest) {
            return false;
        }
        remove_task(tasks, oldest);
    }
    return true;
}

static struct sq_mcp_task *
create_task(struct sq_mcp_request *request, struct sq_err *err) {
    struct sq_mcp_task *task = sq_mem_zalloc(1, sizeof(*task));
    if (!task || sq_random_hex(task->id, sizeof(task->id)) < 0) {
        sq_mem_free(task);
        sq_fail_nomem(err);
        return NULL;
    }
    task->created_ns = sq_clock_wall_ns();
    task->updated_ns = task->created_ns;
    task->is_legacy = !sq_mcp_is_modern(request->revision);
    task->owner = task->is_legacy ? request->connection : NULL;
    task->request = request;
    return task;
}

/* Adds a task; false if there is no space, and the call just goes on. */
static bool
add(struct sq_mcp_tasks *tasks, struct sq_mcp_task *task) {
    SQ_LOCKED(tasks->lock);
    expire(tasks, task->created_ns);
    if (!make_space(tasks)) {
        return false;
    }
    task->next = tasks->first;
    tasks->first = task;
    tasks->count++;
    return true;
}

static bool
has_open_question(const struct sq_mcp_task *task) {
    bool found = false;
    for (int i = 0; i < task->question_count; i++) {
        found = found || !task->questions[i].is_answered;
    }
    return found;
}

static bool
has_ended(const struct sq_mcp_task *task) {
    return !task->request || task->is_cancelled;
}

static const char *
status_of(const struct sq_mcp_task *task) {
    if (task->is_cancelled || (!task->request && !task->answer)) {
        return "cancelled";
    }
    if (task->request) {
        return has_open_question(task) ? "input_required" : "working";
    }
    bool has_failed =
        task->answer->error_code || (task->is_legacy && task->has_failed);
    return has_failed ? "failed" : "completed";
}

static void
put_task(struct sq_json_writer *w, const struct sq_mcp_request *request,
         const void *context) {
    const struct sq_mcp_task *task = context;
    bool is_modern = sq_mcp_is_modern(request->revision);
    char time[SQ_CLOCK_TEXT_SIZE];
    sq_mcp_put_text(w, "taskId", task->id);
    sq_mcp_put_text(w, "status", status_of(task));
    sq_clock_write_utc(task->created_ns, time);
    sq_mcp_put_text(w, "createdAt", time);
    sq_clock_write_utc(task->updated_ns, time);
    sq_mcp_put_text(w, "lastUpdatedAt", time);
    sq_json_put_int(sq_json_at(w, is_modern ? "ttlMs" : "ttl"), TTL_MS);
    sq_json_put_int(
        sq_json_at(w, is_modern ? "pollIntervalMs" : "pollInterval"), POLL_MS);
}

static void
put_created(struct sq_json_writer *w, const struct sq_mcp_request *request,
            const void *context) {
    sq_json_begin_object_of(w, "task");
    put_task(w, request, context);
    sq_json_end_object(w);
}

bool
sq_mcp_call_become_task(struct sq_mcp_call *call, struct sq_err *err) {
    struct sq_mcp_request *request = call->private;
    struct sq_mcp_tasks *tasks = tasks_of(request);
    bool is_modern = sq_mcp_is_modern(request->revision);
    /* A modern client declares that it can poll, a legacy one asks for it. */
    bool can_poll = is_modern
                      ? sq_mcp_request_capabilities(request) & SQ_MCP_TASKS
                      : request->wants_task;
    /* A call that occupies the receiving thread cannot go on. */
    if (!tasks || !can_poll || !request->is_on_thread || request->task
        || request->batch) {
        return true;
    }
    struct sq_mcp_task *task = create_task(request, err);
    if (!task) {
        return false;
    }
    if (!add(tasks, task)) {
        free_task(task);
        return true;
    }
    request->result_type = is_modern ? "task" : NULL;
    sq_mcp_reply_result(request, is_modern ? put_task : put_created, task);
    request->result_type = NULL;
    sq_mcp_request_release_sink(request);
    request->task = task;
    return true;
}

void
sq_mcp_task_finish(struct sq_mcp_request *request,
                   struct sq_mcp_message *answer) {
    struct sq_mcp_tasks *tasks = tasks_of(request);
    struct sq_mcp_task *task = request->task;
    SQ_LOCKED(tasks->lock);
    task->updated_ns = sq_clock_wall_ns();
    if (task->answer || !answer) {
        sq_mcp_message_destroy(answer);
        return;
    }
    task->answer = answer;
    task->has_failed = request->has_failed;
    tasks->stored_bytes += answer->bytes.len;
}

void
sq_mcp_task_leave(struct sq_mcp_request *request) {
    struct sq_mcp_tasks *tasks = tasks_of(request);
    sq_lock_lock(tasks->lock);
    request->task->request = NULL;
    request->task->updated_ns = sq_clock_wall_ns();
    sq_lock_broadcast(tasks->lock);
    sq_lock_unlock(tasks->lock);
    request->task = NULL;
}

bool
sq_mcp_task_ask(struct sq_mcp_call *call,
                const struct sq_mcp_question *questions, int count,
                const struct sq_json **answers, struct sq_err *err) {
    struct sq_mcp_request *request = call->private;
    struct sq_mcp_tasks *tasks = tasks_of(request);
    struct sq_mcp_task *task = request->task;
    bool ok = true;
    SQ_LOCKED(tasks->lock);
    for (int i = 0; i < count; i++) {
        task->questions[i] = (struct task_question){ .question = questions[i] };
        sq_buf_init(&task->questions[i].answer, MAX_ANSWER_BYTES);
        /* The texts stay valid while this waits. */
    }
    task->question_count = count;
    while (ok && has_open_question(task)) {
        ok = sq_deadline_check(&call->deadline, err)
          || sq_fail_in(err, "waiting for the client's answer");
        if (ok) {
            sq_lock_wait(tasks->lock);
        }
    }
    for (int i = 0; i < count; i++) {
        struct sq_span text = sq_buf_span(&task->questions[i].answer);
        ok = ok && sq_arena_keep(&request->arena, &text, err)
          && sq_json_parse(text, &request->arena, &answers[i], err);
        sq_buf_finish(&task->questions[i].answer);
    }
    task->question_count = 0;
    sq_lock_unlock(tasks->lock);
    return ok;
}

/* Returns whether the task belongs to the client of a legacy request. */
static bool
is_own(const struct sq_mcp_task *task, const struct sq_mcp_request *request) {
    return task->is_legacy && task->owner == request->connection;
}

/* Returns the task that params name, if the client may see it, or NULL. */
static struct sq_mcp_task *
find(struct sq_mcp_tasks *tasks, const struct sq_mcp_request *request) {
    struct sq_span id = sq_json_text_of(request->params, "taskId");
    bool is_modern = sq_mcp_is_modern(request->revision);
    struct sq_mcp_task *task = tasks->first;
    while (task
           && !(sq_span_is(id, task->id)
                && (is_modern ? !task->is_legacy : is_own(task, request)))) {
        task = task->next;
    }
    return task;
}

static bool
reply_no_task(struct sq_mcp_request *request) {
    return sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                         "there is no such task; it may be too old");
}

static void
put_details(struct sq_json_writer *w, const struct sq_mcp_request *request,
            const void *context) {
    const struct sq_mcp_task *task = context;
    const struct sq_json *stored = request->task_answer;
    put_task(w, request, task);
    if (!task->request && stored && !task->is_cancelled) {
        const char *key = task->answer->error_code ? "error" : "result";
        sq_json_put_value(sq_json_at(w, key), sq_json_get(stored, key));
    }
    if (task->request && has_open_question(task)) {
        sq_json_begin_object_of(w, "inputRequests");
        for (int i = 0; i < task->question_count; i++) {
            if (!task->questions[i].is_answered) {
                sq_mcp_put_question(w, &task->questions[i].question);
            }
        }
        sq_json_end_object(w);
    }
}

static void
run_get(struct sq_mcp_request *request, struct sq_mcp_task *task) {
    struct sq_err err = { 0 };
    if (task->is_legacy) {
        sq_mcp_reply_result(request, put_task, task);
        return;
    }
    if (!task->request && task->answer
        && !sq_json_parse(sq_buf_span(&task->answer->bytes), &request->arena,
                          &request->task_answer, &err)) {
        sq_mcp_refuse(request, SQ_MCP_INTERNAL_ERROR, err.message);
        return;
    }
    sq_mcp_reply_result(request, put_details, task);
}

static void
run_cancel(struct sq_mcp_request *request, struct sq_mcp_task *task) {
    if (task->is_legacy && has_ended(task)) {
        sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                      "the task has already ended");
        return;
    }
    cancel_task(task);
    sq_lock_broadcast(tasks_of(request)->lock);
    sq_mcp_reply_result(request,
                        task->is_legacy ? put_task : sq_mcp_put_nothing, task);
}

static void
run_update(struct sq_mcp_request *request, struct sq_mcp_task *task) {
    const struct sq_json *answers =
        sq_json_get(request->params, "inputResponses");
    if (!sq_json_is(answers, SQ_JSON_OBJECT)) {
        sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                      "params.inputResponses must be an object");
        return;
    }
    for (int i = 0; i < task->question_count; i++) {
        struct task_question *question = &task->questions[i];
        const struct sq_json *answer =
            sq_json_get(answers, question->question.key);
        struct sq_json_writer w;
        if (answer && !question->is_answered
            && sq_mcp_is_valid_answer(question->question.method, answer)) {
            sq_json_writer_init(&w, &question->answer);
            sq_json_put_value(&w, answer);
            question->is_answered = sq_json_writer_done(&w, NULL);
        }
    }
    task->updated_ns = sq_clock_wall_ns();
    sq_lock_broadcast(tasks_of(request)->lock);
    sq_mcp_reply_result(request, sq_mcp_put_nothing, NULL);
}

/* Finds the task and runs a method on it, with the lock held. */
static void
run_on_task(struct sq_mcp_request *request,
            void (*run)(struct sq_mcp_request *, struct sq_mcp_task *)) {
    struct sq_mcp_tasks *tasks = tasks_of(request);
    if (sq_mcp_is_modern(request->revision)
        && !(sq_mcp_request_capabilities(request) & SQ_MCP_TASKS)) {
        request->missing_capabilities = SQ_MCP_TASKS;
        sq_mcp_reply_needs(request);
        return;
    }
    sq_lock_lock(tasks->lock);
    expire(tasks, sq_clock_wall_ns());
    struct sq_mcp_task *task = find(tasks, request);
    if (task) {
        run(request, task);
    }
    sq_lock_unlock(tasks->lock);
    if (!task) {
        reply_no_task(request);
    }
}

void
sq_mcp_run_get_task(struct sq_mcp_request *request) {
    run_on_task(request, run_get);
}

void
sq_mcp_run_update_task(struct sq_mcp_request *request) {
    run_on_task(request, run_update);
}

void
sq_mcp_run_cancel_task(struct sq_mcp_request *request) {
    run_on_task(request, run_cancel);
}

/*
 * In revision 2025-11-25 the client also asks for the list of its tasks, and
 * for a result, which is sent when the task has ended.
 */

static void
put_list(struct sq_json_writer *w, const struct sq_mcp_request *request,
         const void *context) {
    const struct sq_mcp_tasks *tasks = context;
    sq_json_begin_array_of(w, "tasks");
    for (const struct sq_mcp_task *task = tasks->first; task;
         task = task->next) {
        if (is_own(task, request)) {
            sq_json_begin_object(w);
            put_task(w, request, task);
            sq_json_end_object(w);
        }
    }
    sq_json_end_array(w);
}

void
sq_mcp_run_list_tasks(struct sq_mcp_request *request) {
    struct sq_mcp_tasks *tasks = tasks_of(request);
    SQ_LOCKED(tasks->lock);
    expire(tasks, sq_clock_wall_ns());
    sq_mcp_reply_result(request, put_list, tasks);
}

/*
 * Waits for the end of the task that params name, and keeps its answer in the
 * request. Answers with an error and returns false if there is none.
 */
static bool
await_answer(struct sq_mcp_request *request, struct sq_span *answer) {
    struct sq_mcp_tasks *tasks = tasks_of(request);
    const struct sq_mcp_call call = sq_mcp_call_begin(request);
    struct sq_err err = { 0 };
    bool ok = true;
    sq_lock_lock(tasks->lock);
    struct sq_mcp_task *task = find(tasks, request);
    while (task && !has_ended(task) && ok) {
        sq_lock_wait(tasks->lock);
        ok = sq_deadline_check(&call.deadline, &err);
        task = find(tasks, request);
    }
    bool is_known = task != NULL;
    bool is_cancelled = task && (task->is_cancelled || !task->answer);
    if (ok && is_known && !is_cancelled) {
        *answer = sq_buf_span(&task->answer->bytes);
        ok = sq_arena_keep(&request->arena, answer, &err);
    }
    sq_lock_unlock(tasks->lock);
    return !ok ? sq_mcp_refuse(request, SQ_MCP_INTERNAL_ERROR, err.message)
         : !is_known    ? reply_no_task(request)
         : is_cancelled ? sq_mcp_refuse(request, SQ_MCP_NOT_SERVED,
                                        "the task was cancelled")
                        : true;
}

/* Writes the members of a tool's result, and which task it belongs to. */
static void
put_result(struct sq_json_writer *w, const struct sq_mcp_request *request,
           const void *context) {
    static const char *const keys[] = { "content", "structuredContent",
                                        "isError" };
    const struct sq_json *result = context;
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
        const struct sq_json *member = sq_json_get(result, keys[i]);
        if (member) {
            sq_json_put_value(sq_json_at(w, keys[i]), member);
        }
    }
    sq_json_begin_object_of(w, "_meta");
    sq_json_begin_object_of(w, RELATED_TASK);
    sq_json_put_string(sq_json_at(w, "taskId"),
                       sq_json_text_of(request->params, "taskId"));
    sq_json_end_object(w);
    sq_json_end_object(w);
}

void
sq_mcp_run_task_result(struct sq_mcp_request *request) {
    struct sq_err err = { 0 };
    struct sq_span text;
    const struct sq_json *answer;
    if (!await_answer(request, &text)) {
        return;
    }
    if (!sq_json_parse(text, &request->arena, &answer, &err)) {
        sq_mcp_refuse(request, SQ_MCP_INTERNAL_ERROR, err.message);
        return;
    }
    const struct sq_json *error = sq_json_get(answer, "error");
    const struct sq_mcp_error copy = {
        .code = sq_json_int_of(error, "code"),
        .message = sq_json_text_of(error, "message"),
    };
    if (error) {
        sq_mcp_reply_error(request, &copy);
    } else {
        sq_mcp_reply_result(request, put_result, sq_json_get(answer, "result"));
    }
}

bool
sq_mcp_read_task_wish(struct sq_mcp_request *request,
                      const struct sq_mcp_tool *tool) {
    const struct sq_json *task = sq_json_get(request->params, "task");
    const struct sq_json *ttl = sq_json_get(task, "ttl");
    double number;
    bool is_asked = request->revision == SQ_MCP_2025_11_25 && task;
    request->wants_task = is_asked && tool->may_be_task;
    if (is_asked && !request->wants_task) {
        return sq_mcp_refuse(request, SQ_MCP_METHOD_NOT_FOUND,
                             "this tool does not run as a task; call it "
                             "without params.task");
    }
    return !is_asked
        || (sq_json_is(task, SQ_JSON_OBJECT)
            && (!ttl || (sq_json_double(ttl, &number) && number >= 0)))
        || sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                         "params.task must be an object, and its ttl a "
                         "number of milliseconds from 0");
}
