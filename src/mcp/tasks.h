/*
 * Calls that go on after they were answered with the id of a task, which the
 * client polls: the extension io.modelcontextprotocol/tasks in modern
 * revisions, the capability "tasks" in 2025-11-25. They live in this process
 * and end with it.
 */
#ifndef SQ_MCP_TASKS_H
#define SQ_MCP_TASKS_H

#include <stdbool.h>

#include "mcp/request.h"

struct sq_mcp_tasks;
struct sq_mcp_task;

bool sq_mcp_tasks_create(struct sq_mcp_tasks **out, struct sq_err *err);

/* No task may be running. Accepts NULL. */
void sq_mcp_tasks_destroy(struct sq_mcp_tasks *tasks);

/* Cancels all running tasks. */
void sq_mcp_tasks_cancel(struct sq_mcp_tasks *tasks);

/* Cancels the tasks of a legacy client that has gone. */
void sq_mcp_tasks_forget(struct sq_mcp_tasks *tasks,
                         const struct sq_mcp_connection *owner);

/*
 * Reads whether a legacy client asks to run this tool as a task. Answers with
 * an error and returns false if the tool cannot.
 */
bool sq_mcp_read_task_wish(struct sq_mcp_request *request,
                           const struct sq_mcp_tool *tool);

/*
 * Stores the answer of the request that runs as the task. Takes ownership.
 * NULL: it has none, because it was cancelled.
 */
void sq_mcp_task_finish(struct sq_mcp_request *request,
                        struct sq_mcp_message *answer);

/* The request is no longer used; its task stays for the client. */
void sq_mcp_task_leave(struct sq_mcp_request *request);

/* Like sq_mcp_call_ask: the client finds the questions when it polls. */
bool sq_mcp_task_ask(struct sq_mcp_call *call,
                     const struct sq_mcp_question *questions, int count,
                     const struct sq_json **answers, struct sq_err *err);

#endif
