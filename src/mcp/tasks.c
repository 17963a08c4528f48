/* Tasks: their table, and the methods that clients use on them. */
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
#define ID_BYTES (SQ_MCP_TASK_ID_SIZE / 2)
#define NS_PER_MS 1000000

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

void
sq_mcp_task_cancel(struct sq_mcp_task *task) {
    if (task->request) {
        task->is_cancelled = true;
        sq_cancel_set(task->request->cancel);
    }
}

void
sq_mcp_tasks_cancel(struct sq_mcp_tasks *tasks) {
    sq_lock_lock(tasks->lock);
    for (struct sq_mcp_task *task = tasks->first; task; task = task->next) {
        sq_mcp_task_cancel(task);
    }
    sq_lock_broadcast(tasks->lock);
    sq_lock_unlock(tasks->lock);
}

void
sq_mcp_tasks_forget(struct sq_mcp_tasks *tasks,
                    const struct sq_mcp_connection *owner) {
    sq_lock_lock(tasks->lock);
    for (struct sq_mcp_task *task = tasks->first; task; task = task->next) {
        if (task->owner == owner) {
            task->owner = NULL;
            sq_mcp_task_cancel(task);
        }
    }
    sq_lock_broadcast(tasks->lock);
    sq_lock_unlock(tasks->lock);
}

struct sq_mcp_tasks *
sq_mcp_tasks_of(const struct sq_mcp_request *request) {
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

void
sq_mcp_tasks_expire(struct sq_mcp_tasks *tasks, int64_t now_ns) {
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

/* Removes the oldest task that has ended. Returns false if there is none. */
static bool
evict(struct sq_mcp_tasks *tasks) {
    struct sq_mcp_task **oldest = NULL;
    for (struct sq_mcp_task **link = &tasks->first; *link;
         link = &(*link)->next) {
        oldest = (*link)->request ? oldest : link;
    }
    if (oldest) {
        remove_task(tasks, oldest);
    }
    return oldest != NULL;
}

static bool
is_full(const struct sq_mcp_tasks *tasks) {
    return tasks->count >= MAX_TASKS || tasks->stored_bytes >= MAX_STORED_BYTES;
}

static struct sq_mcp_task *
create_task(struct sq_mcp_request *request, struct sq_err *err) {
    unsigned char bytes[ID_BYTES];
    struct sq_mcp_task *task = sq_mem_zalloc(1, sizeof(*task));
    if (!task || sq_random_fill(bytes, sizeof(bytes)) < 0) {
        sq_mem_free(task);
        sq_fail_nomem(err);
        return NULL;
    }
    for (size_t i = 0; i < ID_BYTES; i++) {
        snprintf(task->id + 2 * i, 3, "%02x", bytes[i]);
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
    sq_lock_lock(tasks->lock);
    sq_mcp_tasks_expire(tasks, task->created_ns);
    while (is_full(tasks) && evict(tasks)) {
    }
    bool fits = !is_full(tasks);
    if (fits) {
        task->next = tasks->first;
        tasks->first = task;
        tasks->count++;
    }
    sq_lock_unlock(tasks->lock);
    return fits;
}

static void
put_time(struct sq_json_writer *w, const char *key, int64_t at_ns) {
    char text[SQ_CLOCK_TEXT_SIZE];
    sq_clock_write_utc(at_ns, text);
    sq_mcp_put_text(w, key, text);
}

static bool
has_open_question(const struct sq_mcp_task *task) {
    for (int i = 0; i < task->question_count; i++) {
        if (!task->questions[i].is_answered) {
            return true;
        }
    }
    return false;
}

bool
sq_mcp_task_has_ended(const struct sq_mcp_task *task) {
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

void
sq_mcp_put_task(struct sq_json_writer *w, const struct sq_mcp_request *request,
                const void *context) {
    const struct sq_mcp_task *task = context;
    bool is_modern = sq_mcp_is_modern(request->revision);
    sq_mcp_put_text(w, "taskId", task->id);
    sq_mcp_put_text(w, "status", status_of(task));
    put_time(w, "createdAt", task->created_ns);
    put_time(w, "lastUpdatedAt", task->updated_ns);
    sq_json_put_key(w, is_modern ? "ttlMs" : "ttl");
    sq_json_put_int(w, TTL_MS);
    sq_json_put_key(w, is_modern ? "pollIntervalMs" : "pollInterval");
    sq_json_put_int(w, POLL_MS);
}

/*
 * Returns whether the client can poll: a modern one declares it, a legacy one
 * asks for a task. A call that occupies the receiving thread cannot go on.
 */
static bool
may_become_task(const struct sq_mcp_request *request) {
    bool can_poll = sq_mcp_is_modern(request->revision)
                      ? sq_mcp_request_capabilities(request) & SQ_MCP_TASKS
                      : request->wants_task;
    return sq_mcp_tasks_of(request) && can_poll && request->is_on_thread
        && !request->task && !request->batch;
}

static void
reply_created(struct sq_mcp_request *request, const struct sq_mcp_task *task) {
    if (task->is_legacy) {
        sq_mcp_reply_created_task(request, task);
        return;
    }
    request->result_type = "task";
    sq_mcp_reply_result(request, sq_mcp_put_task, task);
    request->result_type = NULL;
}

bool
sq_mcp_call_become_task(struct sq_mcp_call *call, struct sq_err *err) {
    struct sq_mcp_request *request = call->private;
    if (!may_become_task(request)) {
        return true;
    }
    struct sq_mcp_task *task = create_task(request, err);
    if (!task) {
        return false;
    }
    if (!add(sq_mcp_tasks_of(request), task)) {
        free_task(task);
        return true;
    }
    reply_created(request, task);
    sq_mcp_request_release_sink(request);
    request->task = task;
    return true;
}

void
sq_mcp_task_finish(struct sq_mcp_request *request,
                   struct sq_mcp_message *answer) {
    struct sq_mcp_tasks *tasks = sq_mcp_tasks_of(request);
    struct sq_mcp_task *task = request->task;
    sq_lock_lock(tasks->lock);
    bool is_kept = !task->answer && answer;
    if (is_kept) {
        task->answer = answer;
        task->has_failed = request->has_failed;
        tasks->stored_bytes += answer->bytes.len;
    }
    task->updated_ns = sq_clock_wall_ns();
    sq_lock_unlock(tasks->lock);
    if (!is_kept) {
        sq_mcp_message_destroy(answer);
    }
}

void
sq_mcp_task_leave(struct sq_mcp_request *request) {
    struct sq_mcp_tasks *tasks = sq_mcp_tasks_of(request);
    sq_lock_lock(tasks->lock);
    request->task->request = NULL;
    request->task->updated_ns = sq_clock_wall_ns();
    sq_lock_broadcast(tasks->lock);
    sq_lock_unlock(tasks->lock);
    request->task = NULL;
}

/* Waits until all questions are answered. Called with the lock held. */
static bool
await_answers(struct sq_mcp_call *call, struct sq_mcp_tasks *tasks,
              const struct sq_mcp_task *task, struct sq_err *err) {
    while (has_open_question(task)) {
        if (!sq_deadline_check(&call->deadline, err)) {
            return sq_fail_in(err, "waiting for the client's answer");
        }
        sq_lock_wait(tasks->lock);
    }
    return true;
}

bool
sq_mcp_task_ask(struct sq_mcp_call *call,
                const struct sq_mcp_question *questions, int count,
                const struct sq_json **answers, struct sq_err *err) {
    struct sq_mcp_request *request = call->private;
    struct sq_mcp_tasks *tasks = sq_mcp_tasks_of(request);
    struct sq_mcp_task *task = request->task;
    bool ok = true;
    sq_lock_lock(tasks->lock);
    for (int i = 0; i < count; i++) {
        task->questions[i] =
            (struct sq_mcp_task_question){ .question = questions[i] };
        sq_buf_init(&task->questions[i].answer, MAX_ANSWER_BYTES);
        /* The texts stay valid while this waits. */
    }
    task->question_count = count;
    ok = await_answers(call, tasks, task, err);
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

bool
sq_mcp_task_is_own(const struct sq_mcp_task *task,
                   const struct sq_mcp_request *request) {
    return task->is_legacy && task->owner == request->connection;
}

struct sq_mcp_task *
sq_mcp_task_find(struct sq_mcp_tasks *tasks,
                 const struct sq_mcp_request *request) {
    struct sq_span id = sq_json_text_of(request->params, "taskId");
    bool is_modern = sq_mcp_is_modern(request->revision);
    struct sq_mcp_task *task = tasks->first;
    while (task
           && !(sq_span_is(id, task->id)
                && (is_modern ? !task->is_legacy
                              : sq_mcp_task_is_own(task, request)))) {
        task = task->next;
    }
    return task;
}

void
sq_mcp_reply_no_task(struct sq_mcp_request *request) {
    sq_mcp_reply_error_text(request, SQ_MCP_INVALID_PARAMS,
                            "there is no such task; it may be too old");
}

static void
put_details(struct sq_json_writer *w, const struct sq_mcp_request *request,
            const void *context) {
    const struct sq_mcp_task *task = context;
    const struct sq_json *stored = request->task_answer;
    sq_mcp_put_task(w, request, task);
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
        sq_mcp_reply_result(request, sq_mcp_put_task, task);
        return;
    }
    if (!task->request && task->answer
        && !sq_json_parse(sq_buf_span(&task->answer->bytes), &request->arena,
                          &request->task_answer, &err)) {
        sq_mcp_reply_error_text(request, SQ_MCP_INTERNAL_ERROR, err.message);
        return;
    }
    sq_mcp_reply_result(request, put_details, task);
}

static void
run_cancel(struct sq_mcp_request *request, struct sq_mcp_task *task) {
    if (task->is_legacy) {
        sq_mcp_run_cancel_legacy_task(request, task);
        return;
    }
    sq_mcp_task_cancel(task);
    sq_lock_broadcast(sq_mcp_tasks_of(request)->lock);
    sq_mcp_reply_result(request, sq_mcp_put_nothing, NULL);
}

static void
take_answer(struct sq_mcp_task_question *question,
            const struct sq_json *answers) {
    const struct sq_json *answer = sq_json_get(answers, question->question.key);
    struct sq_json_writer w;
    if (!answer || question->is_answered
        || !sq_mcp_is_valid_answer(question->question.method, answer)) {
        return;
    }
    sq_json_writer_init(&w, &question->answer);
    sq_json_put_value(&w, answer);
    question->is_answered = sq_json_writer_done(&w, NULL);
}

static void
run_update(struct sq_mcp_request *request, struct sq_mcp_task *task) {
    const struct sq_json *answers =
        sq_json_get(request->params, "inputResponses");
    if (!sq_json_is(answers, SQ_JSON_OBJECT)) {
        sq_mcp_reply_error_text(request, SQ_MCP_INVALID_PARAMS,
                                "params.inputResponses must be an object");
        return;
    }
    for (int i = 0; i < task->question_count; i++) {
        take_answer(&task->questions[i], answers);
    }
    task->updated_ns = sq_clock_wall_ns();
    sq_lock_broadcast(sq_mcp_tasks_of(request)->lock);
    sq_mcp_reply_result(request, sq_mcp_put_nothing, NULL);
}

/* Finds the task and runs a method on it, with the lock held. */
static void
run_on_task(struct sq_mcp_request *request,
            void (*run)(struct sq_mcp_request *, struct sq_mcp_task *)) {
    struct sq_mcp_tasks *tasks = sq_mcp_tasks_of(request);
    if (sq_mcp_is_modern(request->revision)
        && !(sq_mcp_request_capabilities(request) & SQ_MCP_TASKS)) {
        request->missing_capabilities = SQ_MCP_TASKS;
        sq_mcp_reply_needs(request);
        return;
    }
    sq_lock_lock(tasks->lock);
    sq_mcp_tasks_expire(tasks, sq_clock_wall_ns());
    struct sq_mcp_task *task = sq_mcp_task_find(tasks, request);
    if (task) {
        run(request, task);
    }
    sq_lock_unlock(tasks->lock);
    if (!task) {
        sq_mcp_reply_no_task(request);
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
