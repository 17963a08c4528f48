/* Compares the headers of a message with its body. */
#include "mcp/methods.h"

#include <stdio.h>

#include "util/base64.h"

#define BASE64_PREFIX "=?base64?"
#define BASE64_SUFFIX "?="
#define MAX_VALUE_BYTES ((size_t)8 << 10)
#define HEADER_NAME_SIZE 80 /* of "mcp-param-" and the name in the schema */
#define PARAM_PREFIX "mcp-param-"

/* The property of a tool's schema that names a header. */
#define SCHEMA_KEY "x-mcp-header"

static bool
mismatch(struct sq_mcp_request *request, const char *header, const char *what) {
    char message[2 * HEADER_NAME_SIZE + 40];
    snprintf(message, sizeof(message), "Header mismatch: %s %s", header, what);
    return sq_mcp_refuse(request, SQ_MCP_HEADER_MISMATCH, message);
}

static bool
find_header(const struct sq_mcp_request *request, const char *name,
            struct sq_span *out) {
    const struct sq_mcp_sink *sink = &request->sink;
    bool found = sink->header(sink->context, name, out);
    if (found) {
        *out = sq_span_trim(*out);
    }
    return found;
}

/*
 * Decodes a value of the form =?base64?...?=, into the request's arena; others
 * are returned as they are. Returns false if the value is malformed.
 */
static bool
decode(struct sq_mcp_request *request, struct sq_span value,
       struct sq_span *out) {
    struct sq_span encoded = value;
    for (size_t i = 0; i < value.len; i++) {
        unsigned char byte = (unsigned char)value.ptr[i];
        if ((byte < 0x20 && byte != '\t') || byte > 0x7e) {
            return false;
        }
    }
    *out = value;
    if (!sq_span_take_prefix(&encoded, BASE64_PREFIX)
        || !sq_span_ends_with(encoded, BASE64_SUFFIX)) {
        return true;
    }
    encoded.len -= strlen(BASE64_SUFFIX);
    SQ_BUF(bytes, MAX_VALUE_BYTES);
    bool ok = sq_base64_decode(encoded, &bytes, NULL);
    struct sq_span decoded = sq_buf_span(&bytes);
    ok = ok && sq_arena_keep(&request->arena, &decoded, NULL);
    if (ok) {
        *out = decoded;
    }
    return ok;
}

/* Finds a header and decodes it, or answers that it is missing or invalid. */
static bool
read_header(struct sq_mcp_request *request, const char *header,
            struct sq_span *out) {
    if (!find_header(request, header, out)) {
        return mismatch(request, header, "is missing");
    }
    return decode(request, *out, out)
        || mismatch(request, header, "has invalid characters or base64");
}

/* Requires that a header is present and, decoded, equals the text. */
static bool
require_text(struct sq_mcp_request *request, const char *header,
             struct sq_span expected) {
    struct sq_span value;
    return read_header(request, header, &value)
        && (sq_span_equal(value, expected)
            || mismatch(request, header, "differs from the body"));
}

bool
sq_mcp_check_version_header(struct sq_mcp_request *request,
                            struct sq_span version) {
    static const char name[] = "mcp-protocol-version";
    struct sq_span value;
    if (!request->sink.header) {
        return true;
    }
    if (!find_header(request, name, &value)) {
        return mismatch(request, name, "is missing");
    }
    return sq_span_equal(value, version)
        || mismatch(request, name, "differs from params._meta");
}

/* Returns whether a header value and a value of the body are the same. */
static bool
same_value(struct sq_span header, const struct sq_json *value) {
    struct sq_span text;
    int64_t expected;
    int64_t integer;
    bool boolean;
    if (sq_json_string(value, &text)) {
        return sq_span_equal(header, text);
    }
    if (sq_json_bool(value, &boolean)) {
        return sq_span_is(header, boolean ? "true" : "false");
    }
    return sq_json_int(value, &expected)
        && sq_span_to_exact_int64(header, &integer) && integer == expected;
}

static bool
check_param(struct sq_mcp_request *request, struct sq_span name,
            const struct sq_json *value) {
    char header[HEADER_NAME_SIZE];
    struct sq_span found;
    int length = snprintf(header, sizeof(header), PARAM_PREFIX "%.*s",
                          SQ_SPAN_ARGS(name));
    if (length < 0 || (size_t)length >= sizeof(header)) {
        return mismatch(request, PARAM_PREFIX, "has a name that is too long");
    }
    for (char *byte = header; *byte; byte++) {
        *byte = sq_ascii_lower(*byte);
    }
    if (!value || sq_json_is(value, SQ_JSON_NULL)) {
        return !find_header(request, header, &found)
            || mismatch(request, header, "has no value in the body");
    }
    return read_header(request, header, &found)
        && (same_value(found, value)
            || mismatch(request, header, "differs from the body"));
}

/*
 * Checks all properties of a schema that name a header. The schema is our own,
 * so its depth is limited; the reader limits it as well.
 */
static bool
check_properties(struct sq_mcp_request *request, const struct sq_json *schema,
                 const struct sq_json *values) {
    const struct sq_json *property =
        sq_json_first(sq_json_get(schema, "properties"));
    bool ok = true;
    for (; ok && property; property = sq_json_next(property)) {
        struct sq_span key = sq_json_key(property);
        const char *name = sq_arena_strdup(&request->arena, key, NULL);
        const struct sq_json *value = name ? sq_json_get(values, name) : NULL;
        struct sq_span header;
        if (sq_json_string(sq_json_get(property, SCHEMA_KEY), &header)) {
            ok = check_param(request, header, value);
        } else {
            ok = check_properties(request, property, value);
        }
    }
    return ok;
}

static bool
check_params(struct sq_mcp_request *request, struct sq_span name) {
    const struct sq_mcp_tool *tool =
        sq_mcp_find_tool(sq_mcp_request_host(request), name);
    const struct sq_json *schema;
    if (!tool || !tool->has_headers) {
        return true;
    }
    if (!sq_json_parse(tool->input_schema, &request->arena, &schema, NULL)) {
        return sq_mcp_refuse(request, SQ_MCP_INTERNAL_ERROR, "out of memory");
    }
    return check_properties(request, schema,
                            sq_json_get(request->params, "arguments"));
}

bool
sq_mcp_check_headers(struct sq_mcp_request *request,
                     const struct sq_mcp_method *method,
                     struct sq_span method_name) {
    struct sq_span name;
    if (!request->sink.header) {
        return true;
    }
    if (!require_text(request, "mcp-method", method_name)) {
        return false;
    }
    if (!method || !method->name_key
        || !sq_json_string(sq_json_get(request->params, method->name_key),
                           &name)) {
        return true;
    }
    return require_text(request, "mcp-name", name)
        && (strcmp(method->name, "tools/call") != 0
            || check_params(request, name));
}
