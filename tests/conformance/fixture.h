/* The test server of the conformance suite, shared by its files. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "mcp/host.h"
#include "mcp/server.h"

typedef bool fixture_run(const struct sq_json *arguments,
                         struct sq_mcp_call *call, struct sq_result *out,
                         struct sq_err *err);

/* One tool; rows of three tables, which are joined. */
struct fixture_tool {
    const char *name;
    const char *schema; /* NULL: an object without properties */
    fixture_run *run;
};

extern const struct fixture_tool fixture_plain_tools[];
extern const size_t fixture_plain_tool_count;
extern const struct fixture_tool fixture_task_tools[];
extern const size_t fixture_task_tool_count;
extern const struct fixture_tool fixture_asking_tools[];
extern const size_t fixture_asking_tool_count;

/* Append a block. */
bool add_text(struct sq_result *out, const char *text, struct sq_err *err);
bool add_image(struct sq_result *out, struct sq_err *err);
bool add_resource(struct sq_result *out, const char *uri, const char *type,
                  const char *text, struct sq_err *err);

/* The prompts and resources. */
extern const struct sq_mcp_prompt fixture_prompts[];
extern const size_t fixture_prompt_count;
extern const struct sq_mcp_resource fixture_resources[];
extern const size_t fixture_resource_count;
extern const struct sq_mcp_resource fixture_templates[];
extern const size_t fixture_template_count;

bool fixture_get_prompt(void *context, const struct sq_mcp_prompt *prompt,
                        const struct sq_json *arguments,
                        struct sq_mcp_call *call,
                        struct sq_mcp_prompt_result *out, struct sq_err *err);
bool fixture_read_resource(void *context, struct sq_span uri,
                           struct sq_mcp_call *call, struct sq_mcp_content *out,
                           struct sq_err *err);

/* The picture of all tests: one red pixel as PNG. */
extern const unsigned char fixture_png[];
extern const size_t fixture_png_size;

/* The running server, for tools that change lists. */
extern struct sq_mcp_server *fixture_server;

#endif
