/*
 * The MCP host of squint: its tools, resources and prompts, with one session.
 * The protocol uses only the struct sq_mcp_host inside.
 */
#ifndef SQ_APP_HOST_HOST_H
#define SQ_APP_HOST_HOST_H

#include "config/config.h"
#include "mcp/server.h"
#include "sys/path.h"

struct sq_call_gate;
struct sq_call_log;
struct sq_devices;
struct sq_host;
struct sq_library;
struct sq_redactor;
struct sq_session;

/*
 * Creates a host. config must outlive it. The caller frees *out with
 * sq_host_destroy.
 */
bool sq_host_create(const struct sq_config *config, struct sq_host **out,
                    struct sq_err *err);

/*
 * Continues what earlier commands left (see kept_state.h), and leaves it for
 * later ones. For commands; a server starts afresh. Fails only if out of
 * memory.
 */
bool sq_host_keep_state(struct sq_host *host, struct sq_err *err);

/*
 * Sets the configurations of calls with the policies 1, 2, ...; see struct
 * sq_mcp_call. They must outlive the calls.
 */
void sq_host_set_policies(struct sq_host *host,
                          const struct sq_config *policies);

/*
 * Starts reading the text of new past screenshots, if the configuration says
 * so. For servers.
 */
bool sq_host_start_index(struct sq_host *host, struct sq_err *err);

/*
 * Creates a reader of text that starts this program as its workers, at most
 * that many; 0: one per processor. language may be NULL.
 */
struct sq_reader;
bool sq_host_create_reader(const char *language, int max_workers,
                           struct sq_reader **out, struct sq_err *err);

/* Frees the host. No call may be running. Accepts NULL. */
void sq_host_destroy(struct sq_host *host);

/* Returns the interface for the protocol; lives as long as the host. */
const struct sq_mcp_host *sq_host_mcp(const struct sq_host *host);

/*
 * Returns how many calls may use a device at a time, given the limit of file
 * descriptors.
 */
struct sq_mcp_call_limit sq_host_device_calls(void);

/*
 * Return the archive of past screenshots, and the devices; both live as long as
 * the host.
 */
const struct sq_library *sq_host_library(const struct sq_host *host);
struct sq_devices *sq_host_devices(const struct sq_host *host);

/* Returns what hides parts of pictures; lives as long as the host. */
const struct sq_redactor *sq_host_redactor(const struct sq_host *host);

/*
 * Makes the host answer all tool calls from a journal, in the order in which
 * they were recorded. Another call is an error that says which one was
 * expected. Call it before the first client.
 */
bool sq_host_answer_from(struct sq_host *host, const char *journal,
                         struct sq_err *err);

/*
 * Return the calls of all clients, and the gate at which a person can hold
 * them; both live as long as the host.
 */
struct sq_call_log *sq_host_call_log(const struct sq_host *host);
struct sq_call_gate *sq_host_call_gate(const struct sq_host *host);

/*
 * Reports calls to the inspector of the user, if one runs, and obeys the mode
 * of its gate. For processes without an inspector of their own.
 */
bool sq_host_join_hub(struct sq_host *host, struct sq_err *err);

/* Writes the path of the file with the mode of the user's gate. */
bool sq_host_gate_path(char out[SQ_PATH_SIZE]);

/* Returns a number for one more client. context is the host. */
uint64_t sq_host_number_client(void *context);

/* Returns the adb server that lists devices; NULL if Android support is off. */
struct sq_adb *sq_host_adb(const struct sq_host *host);

/* Creates a session for sq_host_watch; free it with sq_session_destroy. */
bool sq_host_create_session(const struct sq_host *host, struct sq_session **out,
                            struct sq_err *err);

/* Who watches an operation that runs outside the protocol. */
struct sq_host_watch {
    struct sq_cancel *cancel; /* may be NULL */
    void (*report)(void *context, const char *what, double done, double total);
    void *context;
    struct sq_session *session; /* NULL: that of commands */
    bool continues;     /* later calls of this process refer to its result */
    bool needs_picture; /* see struct sq_call */
};

/*
 * Runs an operation outside the protocol. Its result is the only one that is
 * read, so it does not refer to other results. arguments is an object or NULL.
 * *result is zeroed before; the caller frees it. watch may be NULL.
 */
bool sq_host_run(struct sq_host *host, const char *operation,
                 const struct sq_json *arguments,
                 const struct sq_host_watch *watch, struct sq_result *result,
                 struct sq_err *err);

#endif
