/* Declarations shared by tasks.c and tasks_legacy.c only. */
#ifndef SQ_MCP_TASKS_PRIVATE_H
#define SQ_MCP_TASKS_PRIVATE_H

#include "json/writer.h"
#include "mcp/reply.h"
#include "mcp/tasks.h"

#define SQ_MCP_TASK_ID_SIZE 33 /* 128 bits in hexadecimal */

/* A question of a task, and its answer. */
struct sq_mcp_task_question {
    struct sq_mcp_question question;
    bool is_answered;
    struct sq_buf answer; /* JSON */
};

/* Guarded by the lock of the table. */
struct sq_mcp_task {
    struct sq_mcp_task *next;
    char id[SQ_MCP_TASK_ID_SIZE];
    int64_t created_ns; /* by sq_clock_wall_ns */
    int64_t updated_ns;
    /* The only client that sees a legacy task; NULL: it has gone. */
    const struct sq_mcp_connection *owner;
    bool is_legacy;
    struct sq_mcp_request *request; /* that runs it; NULL: it has ended */
    bool is_cancelled;
    bool has_failed;               /* its result says so */
    struct sq_mcp_message *answer; /* NULL: none yet */
    struct sq_mcp_task_question questions[SQ_MCP_MAX_QUESTIONS];
    int question_count;
};

struct sq_mcp_tasks {
    struct sq_lock *lock;
    struct sq_mcp_task *first;
    int count;
    size_t stored_bytes;
};

/* Returns the table of the request's server. */
struct sq_mcp_tasks *sq_mcp_tasks_of(const struct sq_mcp_request *request);

/* These are called with the lock held. */

/* Frees the tasks that have ended and are too old. */
void sq_mcp_tasks_expire(struct sq_mcp_tasks *tasks, int64_t now_ns);

/* Returns the task that params name, if the client may see it, or NULL. */
struct sq_mcp_task *sq_mcp_task_find(struct sq_mcp_tasks *tasks,
                                     const struct sq_mcp_request *request);

/* Returns whether the task belongs to the client of a legacy request. */
bool sq_mcp_task_is_own(const struct sq_mcp_task *task,
                        const struct sq_mcp_request *request);

/* Returns whether nothing more will change. */
bool sq_mcp_task_has_ended(const struct sq_mcp_task *task);

void sq_mcp_task_cancel(struct sq_mcp_task *task);

/* Writes the state of a task; its context is a struct sq_mcp_task. */
sq_mcp_body sq_mcp_put_task;

/* Answers that there is no such task. */
void sq_mcp_reply_no_task(struct sq_mcp_request *request);

/* Answers the methods of legacy revisions. */
void sq_mcp_reply_created_task(struct sq_mcp_request *request,
                               const struct sq_mcp_task *task);
void sq_mcp_run_cancel_legacy_task(struct sq_mcp_request *request,
                                   struct sq_mcp_task *task);

#endif
