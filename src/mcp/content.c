/* Writes content blocks in the form of each revision. */
#include "mcp/content.h"

#include <stdio.h>

#include "tool/names.h"

static void
put_key_text(struct sq_json_writer *w, const char *key, struct sq_span text) {
    sq_json_put_key(w, key);
    sq_json_put_string(w, text);
}

static void
put_annotations(struct sq_json_writer *w, const struct sq_block *block) {
    if (block->audience == SQ_FOR_BOTH && !(block->priority > 0)) {
        return;
    }
    sq_json_put_key(w, "annotations");
    sq_json_begin_object(w);
    sq_json_put_key(w, "audience");
    sq_json_begin_array(w);
    if (block->audience != SQ_FOR_MODEL) {
        sq_json_put_string(w, SQ_SPAN("user"));
    }
    if (block->audience != SQ_FOR_USER) {
        sq_json_put_string(w, SQ_SPAN("assistant"));
    }
    sq_json_end_array(w);
    sq_json_put_key(w, "priority");
    sq_json_put_double(w, block->priority);
    sq_json_end_object(w);
}

static void
put_text(struct sq_json_writer *w, const struct sq_block *block) {
    sq_json_put_raw_members(w, SQ_SPAN("\"type\":\"text\""));
    put_key_text(w, "text", sq_buf_span(&block->data));
}

static void
put_bytes(struct sq_json_writer *w, const struct sq_block *block,
          const char *type) {
    put_key_text(w, "type", sq_span_of(type));
    sq_json_put_key(w, "data");
    sq_json_put_base64(w, block->data.data, block->data.len);
    put_key_text(w, "mimeType", sq_span_of(block->mime_type));
}

static void
put_image(struct sq_json_writer *w, const struct sq_block *block) {
    put_bytes(w, block, "image");
}

static void
put_audio(struct sq_json_writer *w, const struct sq_block *block) {
    put_bytes(w, block, "audio");
}

static void
put_resource(struct sq_json_writer *w, const struct sq_block *block) {
    put_key_text(w, "type", SQ_SPAN("resource"));
    sq_json_put_key(w, "resource");
    sq_json_begin_object(w);
    put_key_text(w, "uri", sq_span_of(block->uri));
    if (block->mime_type) {
        put_key_text(w, "mimeType", sq_span_of(block->mime_type));
    }
    if (block->kind == SQ_BLOCK_RESOURCE_TEXT) {
        put_key_text(w, "text", sq_buf_span(&block->data));
    } else {
        sq_json_put_key(w, "blob");
        sq_json_put_base64(w, block->data.data, block->data.len);
    }
    sq_json_end_object(w);
}

static void
put_link(struct sq_json_writer *w, const struct sq_block *block) {
    put_key_text(w, "type", SQ_SPAN("resource_link"));
    put_key_text(w, "uri", sq_span_of(block->uri));
    put_key_text(w, "name", sq_span_of(block->name));
    if (block->mime_type) {
        put_key_text(w, "mimeType", sq_span_of(block->mime_type));
    }
    if (block->size) {
        sq_json_put_key(w, "size");
        sq_json_put_int(w, (int64_t)block->size);
    }
}

/* For revisions without links: name and address as text. */
static void
put_link_as_text(struct sq_json_writer *w, const struct sq_block *block) {
    char text[sizeof(block->name) + sizeof(block->uri) + 4];
    snprintf(text, sizeof(text), "%s: %s", block->name, block->uri);
    put_key_text(w, "type", SQ_SPAN("text"));
    put_key_text(w, "text", sq_span_of(text));
}

void
sq_mcp_put_block(struct sq_json_writer *w, const struct sq_block *block,
                 enum sq_mcp_revision revision) {
    static void (*const puts[])(struct sq_json_writer *,
                                const struct sq_block *) = {
        [SQ_BLOCK_TEXT] = put_text,
        [SQ_BLOCK_IMAGE] = put_image,
        [SQ_BLOCK_LINK] = put_link,
        [SQ_BLOCK_AUDIO] = put_audio,
        [SQ_BLOCK_RESOURCE_TEXT] = put_resource,
        [SQ_BLOCK_RESOURCE_BYTES] = put_resource,
    };
    bool no_links =
        block->kind == SQ_BLOCK_LINK && revision < SQ_MCP_2025_06_18;
    bool no_audio =
        block->kind == SQ_BLOCK_AUDIO && revision < SQ_MCP_2025_03_26;
    sq_json_begin_object(w);
    if (no_links) {
        put_link_as_text(w, block);
    } else if (no_audio) {
        put_key_text(w, "type", SQ_SPAN("text"));
        put_key_text(w, "text", SQ_SPAN("(a sound)"));
    } else {
        puts[block->kind](w, block);
    }
    put_annotations(w, block);
    sq_json_end_object(w);
}

void
sq_mcp_put_blocks(struct sq_json_writer *w, const struct sq_result *result,
                  enum sq_mcp_revision revision) {
    sq_json_begin_array(w);
    for (int i = 0; i < result->count; i++) {
        sq_mcp_put_block(w, &result->blocks[i], revision);
    }
    sq_json_end_array(w);
}

bool
sq_mcp_write_failure(struct sq_buf *out, const struct sq_err *other_err,
                     const struct sq_buf *details, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    put_key_text(&w, "error", sq_span_of(sq_tool_error_name(other_err->code)));
    sq_json_put_key(&w, "message");
    sq_json_put_clean(&w, sq_span_of(other_err->message));
    if (other_err->hint[0]) {
        sq_json_put_key(&w, "suggestion");
        sq_json_put_clean(&w, sq_span_of(other_err->hint));
    }
    if (details->len) {
        sq_json_put_key(&w, "details");
        sq_json_put_raw(&w, sq_buf_span(details));
    }
    if (other_err->quotes) {
        sq_json_put_key(&w, "untrusted");
        sq_json_put_bool(&w, true);
    }
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}
