/* Declarations shared by the files of this folder only. */
#ifndef SQ_APP_HOST_PRIVATE_H
#define SQ_APP_HOST_PRIVATE_H

#include "app/host/host.h"
#include "app/host/kept_state.h"
#include "archive/library.h"
#include "json/writer.h"
#include "tool/work.h"
#include "tools/archive/archived_shot.h"
#include "tools/offer.h"

#define SQ_HEALTH_URI "squint://health"
#define SQ_GUIDE_URI "squint://guide"

/* Other names of two resources, for clients of the ManicTime server. */
#define SQ_MANICTIME_HEALTH_URI "manictime://health"
#define SQ_OUTPUT_ALIAS "manictime://screenshot/"

/* Returns the configuration with the policy of a call's client. */
const struct sq_config *sq_host_config_of(const struct sq_host *host,
                                          const struct sq_mcp_call *call);

/* Fills host->tools from the tables of the operations. */
bool sq_host_make_tools(struct sq_host *host, struct sq_err *err);

/* Keeps a marked text (tools/offer.h) as the clients of this host read it. */
bool sq_host_keep_marked(struct sq_host *host, const char *text,
                         struct sq_span *out, struct sq_err *err);

/* Returns the operation of a call; NULL if it has none or an unknown one. */
const struct sq_tool *sq_host_called_operation(const struct sq_host *host,
                                               const struct sq_mcp_tool *tool,
                                               const struct sq_json *arguments);

/* Returns whether a call is answered in the short form. */
bool sq_host_is_short(const struct sq_host *host,
                      const struct sq_mcp_call *call);

/* Runs a tool. */
bool sq_host_run_tool(struct sq_host *host, const struct sq_mcp_tool *tool,
                      const struct sq_json *arguments, struct sq_mcp_call *call,
                      struct sq_mcp_tool_result *out, struct sq_err *err);

/*
 * Does the same for a client: records the call, and waits at the gate first if
 * it changes something: observed_call.c.
 */
bool sq_host_call_tool(void *context, const struct sq_mcp_tool *tool,
                       const struct sq_json *arguments,
                       struct sq_mcp_call *call, struct sq_mcp_tool_result *out,
                       struct sq_err *err);

/* A call that waits for a person, and the screen on which it would act. */
struct sq_held_call {
    struct sq_session *session;
    struct sq_device *device;
    const struct sq_json *arguments;
    const struct sq_tree *tree; /* may be empty */
    struct sq_arena *arena;
    struct sq_deadline limit;
};

/*
 * Writes where the call would act, in pixels of the picture that its client has
 * seen: screenshotId and image, the picture; point and end, or element and
 * label. Returns false, with nothing written, if that is not known:
 * held_place.c.
 */
bool sq_held_put_place(const struct sq_held_call *held,
                       struct sq_json_writer *w);

/*
 * Reports the calls of this process to the inspector of the user, in another
 * process, and gets the decisions of the person there: hub_link.c.
 */
struct sq_hub_link;

bool sq_hub_link_create(struct sq_call_log *calls, struct sq_call_gate *gate,
                        struct sq_hub_link **out, struct sq_err *err);

/*
 * Connects if there is an inspector, before a call; immediately if the call
 * needs a person. Accepts NULL.
 */
void sq_hub_link_touch(struct sq_hub_link *link, bool needs_person);

/* Accepts NULL. */
void sq_hub_link_destroy(struct sq_hub_link *link);

/* Returns what the clients of this host are offered. */
struct sq_offer sq_host_offer(const struct sq_host *host);

/* Names the tool that is meant by the name of another program's tool. */
void sq_host_explain_unknown_tool(void *context, struct sq_span name, char *out,
                                  size_t size);

/* Runs an operation for a client. */
bool sq_host_run_operation(struct sq_host *host, const char *operation,
                           const struct sq_json *arguments,
                           struct sq_mcp_call *call, struct sq_result *out,
                           struct sq_err *err);

/*
 * Chooses the device for a call that names none: the one that the user chose
 * before in this session, if it is still connected, or else asks the client's
 * user. Returns in *out the arguments with that device, owned by the call.
 */
bool sq_host_choose_device(struct sq_host *host, struct sq_mcp_call *call,
                           const struct sq_json *arguments,
                           const struct sq_json **out, struct sq_err *err);

/*
 * Adds to the result that the choice will not be remembered, and which device
 * it was, if that is so. Adds nothing if out of memory.
 */
void sq_host_note_choice(const struct sq_mcp_call *call,
                         const struct sq_json *arguments,
                         struct sq_result *out);

/* Answers a call from the recording: recording.c. */
bool sq_recording_answer(struct sq_recording *recording,
                         const struct sq_mcp_tool *tool,
                         const struct sq_json *arguments,
                         struct sq_mcp_tool_result *out, struct sq_err *err);
void sq_recording_close(struct sq_recording *recording);

/* The ticket of a call. */
struct sq_host_ticket {
    struct sq_ticket *turn; /* in the queue of its device; NULL: needs none */
    uint64_t client;        /* see sq_devices_queue */
    struct sq_work work;
    /* While its call runs, before its steps; NULL: nothing to wait for. */
    bool (*before_step)(struct sq_call *call, const struct sq_tool *tool,
                        const struct sq_json *step, bool is_first,
                        struct sq_err *err);
    void *before_step_context;
};

/*
 * Reading the text of new past screenshots while clients are served, in one
 * low-priority thread and a confined process that inherits its priority:
 * text_index.c.
 */
struct sq_text_index;

/*
 * Starts reading: first the pictures of the last two days, then all, and from
 * then on the new ones. Of several processes of a user, one reads at a time.
 * All arguments must outlive it.
 */
bool sq_text_index_start(const struct sq_config *config,
                         struct sq_library *past,
                         const struct sq_redactor *redactor,
                         struct sq_text_index **out, struct sq_err *err);

/* Stops reading. What was read until then is in the index. Accepts NULL. */
void sq_text_index_stop(struct sq_text_index *index);

/* The screenshot viewer, viewer.html, which is compiled into the program. */
#define SQ_VIEWER_URI "ui://squint/viewer"

extern const char sq_viewer_page[];
extern const size_t sq_viewer_page_size;

/* Resources: resources.c. */
extern const struct sq_mcp_resource sq_host_resources[];
extern const size_t sq_host_resource_count;
extern const struct sq_mcp_resource sq_host_templates[];
extern const size_t sq_host_template_count;

bool sq_host_read_resource(void *context, struct sq_span uri,
                           struct sq_mcp_call *call, struct sq_mcp_content *out,
                           struct sq_err *err);

/* Prompts: prompts.c. */
extern const struct sq_mcp_prompt sq_host_prompts[];
extern const size_t sq_host_prompt_count;

bool sq_host_get_prompt(void *context, const struct sq_mcp_prompt *prompt,
                        const struct sq_json *arguments,
                        struct sq_mcp_call *call,
                        struct sq_mcp_prompt_result *out, struct sq_err *err);

/* Returns whether this completion needs a device: host.c. */
bool sq_host_completes_app(const struct sq_mcp_completion_query *query);

bool sq_host_complete(void *context,
                      const struct sq_mcp_completion_query *query,
                      struct sq_mcp_call *call, struct sq_mcp_completion *out,
                      struct sq_err *err);

/* The state of the screenshot archive, as reported in resources: archive.c. */

/* ManicTime's database, if its folder is configured. */
struct sq_host_database {
    bool exists;
    int64_t bytes;
    const char *schema; /* "Valid", "Invalid", "NotChecked" */
};

/* Start zeroed. */
struct sq_host_archive {
    struct sq_archive_state state;
    struct sq_host_database database;
};

bool sq_host_inspect_archive(const struct sq_library *library,
                             const struct sq_deadline *deadline,
                             struct sq_host_archive *out, struct sq_err *err);

/* Writes the member "archive" of squint://health. */
void sq_host_put_archive(const struct sq_library *library,
                         const struct sq_host_archive *archive,
                         struct sq_json_writer *w);

/*
 * Writes the members of manictime://health, with the names that the ManicTime
 * server uses.
 */
void sq_host_put_manictime(const struct sq_library *library,
                           const struct sq_host_archive *archive,
                           enum sq_config_source source,
                           struct sq_json_writer *w);

/*
 * Watching a device after an answer, while it is idle, for a change that comes
 * later than what the answer saw, in one thread for all clients: late_watch.c.
 */
struct sq_late_watch;

/* Starts no thread before it is needed. Free it with sq_late_watch_stop. */
bool sq_late_watch_create(struct sq_devices *devices,
                          struct sq_late_watch **out, struct sq_err *err);

/* Ends the thread and frees. Accepts NULL, as do the functions below. */
void sq_late_watch_stop(struct sq_late_watch *watch);

/*
 * Watches for some seconds for this client, instead of the one before, as long
 * as looks are cheap.
 */
void sq_late_watch_begin(struct sq_late_watch *watch, const char *device_id,
                         uint64_t client);

/*
 * Ends the watch of a device, before a call on it; "": of any. Ends a look that
 * is under way; never waits.
 */
void sq_late_watch_end(struct sq_late_watch *watch, const char *device_id);

#endif
