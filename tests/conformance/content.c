/* The prompts and resources of the conformance suite, and its contents. */
#include <stdio.h>
#include <string.h>

#include "fixture.h"

#define MAX_BYTES ((size_t)1 << 20)

const unsigned char fixture_png[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d,
    0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01,
    0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xde, 0x00, 0x00, 0x00,
    0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0x00,
    0x00, 0x03, 0x01, 0x01, 0x00, 0xc9, 0xfe, 0x92, 0xef, 0x00, 0x00, 0x00,
    0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82
};
const size_t fixture_png_size = sizeof(fixture_png);

bool
add_text(struct sq_result *out, const char *text, struct sq_err *err) {
    struct sq_block *block;
    return sq_result_add(out, SQ_BLOCK_TEXT, MAX_BYTES, &block, err)
        && sq_buf_append(&block->data, text, strlen(text), err);
}

bool
add_image(struct sq_result *out, struct sq_err *err) {
    struct sq_block *block;
    if (!sq_result_add(out, SQ_BLOCK_IMAGE, MAX_BYTES, &block, err)) {
        return false;
    }
    block->mime_type = "image/png";
    return sq_buf_append(&block->data, fixture_png, sizeof(fixture_png), err);
}

bool
add_resource(struct sq_result *out, const char *uri, const char *type,
             const char *text, struct sq_err *err) {
    struct sq_block *block;
    if (!sq_result_add(out, SQ_BLOCK_RESOURCE_TEXT, MAX_BYTES, &block, err)) {
        return false;
    }
    block->mime_type = type;
    snprintf(block->uri, sizeof(block->uri), "%s", uri);
    return sq_buf_append(&block->data, text, strlen(text), err);
}

static const struct sq_mcp_prompt_argument two_arguments[] = {
    { "arg1", "First test argument", true },
    { "arg2", "Second test argument", true },
};
static const struct sq_mcp_prompt_argument uri_argument[] = {
    { "resourceUri", "URI of the resource to embed", true },
};

const struct sq_mcp_prompt fixture_prompts[] = {
    { "test_simple_prompt", NULL, "A prompt without arguments", NULL, 0 },
    { "test_prompt_with_arguments", NULL, "A prompt with arguments",
      two_arguments, 2 },
    { "test_prompt_with_embedded_resource", NULL,
      "A prompt with the content of a resource", uri_argument, 1 },
    { "test_prompt_with_image", NULL, "A prompt with a picture", NULL, 0 },
    { "test_input_required_result_prompt", NULL, "A prompt that asks", NULL,
      0 },
};
const size_t fixture_prompt_count =
    sizeof(fixture_prompts) / sizeof(fixture_prompts[0]);

static bool
ask_context(struct sq_mcp_call *call, struct sq_result *out,
            struct sq_err *err) {
    static const struct sq_mcp_question question = {
        "user_context", "elicitation/create",
        SQ_SPAN_INIT("{\"message\":\"What context should the prompt use?\","
                     "\"requestedSchema\":{\"type\":\"object\",\"properties\":{"
                     "\"context\":{\"type\":\"string\"}},\"required\":["
                     "\"context\"]}}")
    };
    const struct sq_json *answer;
    char text[300];
    if (!sq_mcp_call_ask(call, &question, 1, &answer, err)) {
        return false;
    }
    struct sq_span context =
        sq_json_text_of(sq_json_get(answer, "content"), "context");
    snprintf(text, sizeof(text), "Use this context: %.*s",
             SQ_SPAN_ARGS(context));
    return add_text(out, text, err);
}

bool
fixture_get_prompt(void *context, const struct sq_mcp_prompt *prompt,
                   const struct sq_json *arguments, struct sq_mcp_call *call,
                   struct sq_mcp_prompt_result *out, struct sq_err *err) {
    (void)context;
    struct sq_result *messages = &out->messages;
    char text[400];
    switch (prompt - fixture_prompts) {
    case 0:
        return add_text(messages, "This is a simple prompt for testing.", err);
    case 1:
        snprintf(text, sizeof(text),
                 "Prompt with arguments: arg1='%.*s', arg2='%.*s'",
                 SQ_SPAN_ARGS(sq_json_text_of(arguments, "arg1")),
                 SQ_SPAN_ARGS(sq_json_text_of(arguments, "arg2")));
        return add_text(messages, text, err);
    case 2:
        snprintf(text, sizeof(text), "%.*s",
                 SQ_SPAN_ARGS(sq_json_text_of(arguments, "resourceUri")));
        return add_resource(messages, text, "text/plain",
                            "Embedded resource content for testing.", err)
            && add_text(messages, "Please process the embedded resource above.",
                        err);
    case 3:
        return add_image(messages, err)
            && add_text(messages, "Please analyze the image above.", err);
    default:
        return ask_context(call, messages, err);
    }
}

const struct sq_mcp_resource fixture_resources[] = {
    { "test://static-text", "Static text", NULL, "A text that never changes",
      "text/plain" },
    { "test://static-binary", "Static picture", NULL,
      "A picture that never changes", "image/png" },
    { "test://watched-resource", "Watched", NULL, "Can be subscribed to",
      "text/plain" },
};
const size_t fixture_resource_count =
    sizeof(fixture_resources) / sizeof(fixture_resources[0]);

const struct sq_mcp_resource fixture_templates[] = {
    { "test://template/{id}/data", "Template", NULL, "Data by its id",
      "application/json" },
};
const size_t fixture_template_count = 1;

static bool
read_template(struct sq_span uri, struct sq_mcp_content *out,
              struct sq_err *err) {
    struct sq_span id;
    if (!sq_span_take_prefix(&uri, "test://template/")
        || !sq_span_take_until(&uri, '/', &id) || !sq_span_is(uri, "data")) {
        return sq_fail(err, SQ_ERR_NOT_FOUND, "Resource not found");
    }
    out->mime_type = "application/json";
    return sq_buf_printf(&out->data, err,
                         "{\"id\":\"%.*s\",\"templateTest\":true,\"data\":"
                         "\"Data for ID: %.*s\"}",
                         SQ_SPAN_ARGS(id), SQ_SPAN_ARGS(id));
}

bool
fixture_read_resource(void *context, struct sq_span uri,
                      struct sq_mcp_call *call, struct sq_mcp_content *out,
                      struct sq_err *err) {
    (void)context;
    (void)call;
    static const char text[] =
        "This is the content of the static text resource.";
    sq_buf_init(&out->data, MAX_BYTES);
    out->is_text = true;
    out->mime_type = "text/plain";
    if (sq_span_is(uri, "test://static-text")) {
        return sq_buf_append(&out->data, text, sizeof(text) - 1, err);
    }
    if (sq_span_is(uri, "test://watched-resource")) {
        return sq_buf_append(&out->data, "watched", 7, err);
    }
    if (sq_span_is(uri, "test://static-binary")) {
        out->is_text = false;
        out->mime_type = "image/png";
        return sq_buf_append(&out->data, fixture_png, sizeof(fixture_png), err);
    }
    return read_template(uri, out, err);
}
