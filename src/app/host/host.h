/*
 * The MCP host of squint: its tools, resources and prompts, with one session.
 * The protocol uses only the struct sq_mcp_host inside.
 */
#ifndef SQ_APP_HOST_HOST_H
#define SQ_APP_HOST_HOST_H

#include <stdatomic.h>

#include "config/config.h"
#include "device/adb.h"
#include "device/kinds.h"
#include "mcp/server.h"
#include "redact/redact.h"
#include "session/session.h"
#include "tool/call_gate.h"
#include "tool/call_log.h"
#include "tool/policy.h"

struct sq_library;
struct sq_shot_filter;

/* "ui", "rtfm", the archive tools and, with tools.split, one per operation. */
#define SQ_MAX_HOST_TOOLS 64

/* Everything that it points to lives as long as the host. */
struct sq_host {
    struct sq_mcp_host mcp; /* the interface for the protocol */
    const struct sq_config *config;
    /* Of commands; it also stores the pixels of stateless clients' frames. */
    struct sq_session *session;
    struct sq_adb *adb; /* NULL: switched off */
    struct sq_devices *devices;
    struct sq_kept_state *kept;     /* NULL: nothing outlives this host */
    struct sq_library *library;     /* past screenshots */
    struct sq_reader *reader;       /* of text; NULL: not enabled */
    struct sq_redactor redactor;    /* of all pictures and texts */
    struct sq_shot_filter *filter;  /* applies it to the archive */
    struct sq_adb_watcher *watcher; /* NULL without adb */
    struct sq_quota *processors;    /* limits concurrent work of all calls */
    struct sq_arena arena;          /* names and schemas of the tools */
    struct sq_mcp_tool tools[SQ_MAX_HOST_TOOLS];
    /*
     * The operation of each tool. NULL for rtfm and for tools that take the
     * operation as an argument.
     */
    const struct sq_tool *operations[SQ_MAX_HOST_TOOLS];
    int64_t started_ns;
    _Atomic(struct sq_mcp_server *) server;
    struct sq_call_log *calls;        /* of all clients */
    struct sq_call_gate *call_gate;   /* at which a person can hold them */
    struct sq_hub_link *hub;          /* to the user's inspector; may be NULL */
    atomic_uint_fast64_t clients;     /* number of the latest */
    struct sq_recording *recording;   /* that answers all calls; may be NULL */
    struct sq_text_index *text_index; /* NULL: texts are not read */
    struct sq_late_watch *late;       /* of a server; may be NULL */
    /* Policies of tokens, and when the clients of each acted; 0: the others. */
    const struct sq_config *policies;
    struct sq_action_rate rates[SQ_MAX_TOKEN_POLICIES + 1];
};

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

/*
 * Returns how many calls may use a device at a time, given the limit of file
 * descriptors.
 */
struct sq_mcp_call_limit sq_host_device_calls(void);

/*
 * Makes the host answer all tool calls from a journal, in the order in which
 * they were recorded. Another call is an error that says which one was
 * expected. Call it before the first client.
 */
bool sq_host_answer_from(struct sq_host *host, const char *journal,
                         struct sq_err *err);

/*
 * Reports calls to the inspector of the user, if one runs, and obeys the mode
 * of its gate. For processes without an inspector of their own.
 */
bool sq_host_join_hub(struct sq_host *host, struct sq_err *err);

/* Writes the path of the file with the mode of the user's gate. */
bool sq_host_gate_path(char out[SQ_PATH_SIZE]);

/* Returns a number for one more client. context is the host. */
uint64_t sq_host_number_client(void *context);

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
