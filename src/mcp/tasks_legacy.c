/*
 * Tasks as revision 2025-11-25 has them: the client asks for a task, and then
 * for its result, which arrives when the task has ended.
 */
#include "mcp/methods.h"
#include "sys/clock.h"

#define RELATED_TASK "io.modelcontextprotocol/related-task"

static void
put_created(struct sq_json_writer *w, const struct sq_mcp_request *request,
            const void *context) {
    sq_json_begin_object_of(w, "task");
    sq_mcp_put_task(w, request, context);
    sq_json_end_object(w);
}

void
sq_mcp_reply_created_task(struct sq_mcp_request *request,
                          const struct sq_mcp_task *task) {
    sq_mcp_reply_result(request, put_created, task);
}

void
sq_mcp_run_cancel_legacy_task(struct sq_mcp_request *request,
                              struct sq_mcp_task *task) {
    if (sq_mcp_task_has_ended(task)) {
        sq_mcp_reply_error_text(request, SQ_MCP_INVALID_PARAMS,
                                "the task has already ended");
        return;
    }
    sq_mcp_task_cancel(task);
    sq_lock_broadcast(sq_mcp_tasks_of(request)->lock);
    sq_mcp_reply_result(request, sq_mcp_put_task, task);
}

static void
put_list(struct sq_json_writer *w, const struct sq_mcp_request *request,
         const void *context) {
    const struct sq_mcp_tasks *tasks = context;
    sq_json_begin_array_of(w, "tasks");
    for (const struct sq_mcp_task *task = tasks->first; task;
         task = task->next) {
        if (sq_mcp_task_is_own(task, request)) {
            sq_json_begin_object(w);
            sq_mcp_put_task(w, request, task);
            sq_json_end_object(w);
        }
    }
    sq_json_end_array(w);
}

void
sq_mcp_run_list_tasks(struct sq_mcp_request *request) {
    struct sq_mcp_tasks *tasks = sq_mcp_tasks_of(request);
    sq_lock_lock(tasks->lock);
    sq_mcp_tasks_expire(tasks, sq_clock_wall_ns());
    sq_mcp_reply_result(request, put_list, tasks);
    sq_lock_unlock(tasks->lock);
}

/* What a task has left when it ended. */
struct outcome {
    bool is_known; /* otherwise there is no such task */
    bool is_cancelled;
    struct sq_span answer; /* JSON, in the request's arena */
};

/* Waits for the end of the task that params name. */
static bool
await_end(struct sq_mcp_request *request, struct outcome *out,
          struct sq_err *err) {
    struct sq_mcp_tasks *tasks = sq_mcp_tasks_of(request);
    const struct sq_mcp_call call = sq_mcp_call_begin(request);
    bool ok = true;
    sq_lock_lock(tasks->lock);
    struct sq_mcp_task *task = sq_mcp_task_find(tasks, request);
    while (task && !sq_mcp_task_has_ended(task) && ok) {
        sq_lock_wait(tasks->lock);
        ok = sq_deadline_check(&call.deadline, err);
        task = sq_mcp_task_find(tasks, request);
    }
    out->is_known = task != NULL;
    out->is_cancelled = task && (task->is_cancelled || !task->answer);
    if (ok && task && !out->is_cancelled) {
        out->answer = sq_buf_span(&task->answer->bytes);
        ok = sq_arena_keep(&request->arena, &out->answer, err);
    }
    sq_lock_unlock(tasks->lock);
    return ok;
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
    struct outcome outcome = { 0 };
    struct sq_err err = { 0 };
    const struct sq_json *answer;
    if (!await_end(request, &outcome, &err)) {
        sq_mcp_reply_error_text(request, SQ_MCP_INTERNAL_ERROR, err.message);
    } else if (!outcome.is_known) {
        sq_mcp_reply_no_task(request);
    } else if (outcome.is_cancelled) {
        sq_mcp_reply_error_text(request, SQ_MCP_NOT_SERVED,
                                "the task was cancelled");
    } else if (!sq_json_parse(outcome.answer, &request->arena, &answer, &err)) {
        sq_mcp_reply_error_text(request, SQ_MCP_INTERNAL_ERROR, err.message);
    } else {
        const struct sq_json *result = sq_json_get(answer, "result");
        const struct sq_json *error = sq_json_get(answer, "error");
        const struct sq_mcp_error copy = {
            .code = sq_json_int_of(error, "code"),
            .message = sq_json_text_of(error, "message"),
        };
        if (result) {
            sq_mcp_reply_result(request, put_result, result);
        } else {
            sq_mcp_reply_error(request, &copy);
        }
    }
}

/* Returns whether params.task has the members that it must have. */
static bool
is_task_wish(const struct sq_json *task) {
    const struct sq_json *ttl = sq_json_get(task, "ttl");
    double number;
    return sq_json_is(task, SQ_JSON_OBJECT)
        && (!ttl || (sq_json_double(ttl, &number) && number >= 0));
}

bool
sq_mcp_read_task_wish(struct sq_mcp_request *request,
                      const struct sq_mcp_tool *tool) {
    bool is_asked = request->revision == SQ_MCP_2025_11_25
                 && sq_json_get(request->params, "task");
    request->wants_task = is_asked && tool->may_be_task;
    if (is_asked && !request->wants_task) {
        sq_mcp_reply_error_text(request, SQ_MCP_METHOD_NOT_FOUND,
                                "this tool does not run as a task; call it "
                                "without params.task");
        return false;
    }
    if (is_asked && !is_task_wish(sq_json_get(request->params, "task"))) {
        sq_mcp_reply_error_text(request, SQ_MCP_INVALID_PARAMS,
                                "params.task must be an object, and its ttl a "
                                "number of milliseconds from 0");
        return false;
    }
    return true;
}
