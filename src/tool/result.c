/* The result of a call: a list of content blocks, or an error with its name. */
#include "tool/tool.h"

#include "util/mem.h"

void
sq_result_init(struct sq_result *result) {
    result->blocks = NULL;
    result->count = 0;
    result->capacity = 0;
    result->device_ns = 0;
    sq_buf_init(&result->details, 0);
    result->harmless_texts = 0;
    result->saved_path[0] = '\0';
}

void
sq_result_finish(struct sq_result *result) {
    for (int i = 0; i < result->count; i++) {
        sq_buf_finish(&result->blocks[i].data);
    }
    sq_mem_free(result->blocks);
    sq_buf_finish(&result->details);
    result->blocks = NULL;
    result->count = 0;
    result->capacity = 0;
    result->saved_path[0] = '\0';
}

const struct sq_block *
sq_result_first(const struct sq_result *result, enum sq_block_kind kind) {
    int at = 0;
    while (at < result->count && result->blocks[at].kind != kind) {
        at++;
    }
    return at < result->count ? &result->blocks[at] : NULL;
}

static bool
grow(struct sq_result *result, int capacity, struct sq_err *err) {
    struct sq_block *blocks = sq_mem_resize(
        result->blocks, (size_t)capacity * sizeof(*result->blocks));
    if (!blocks) {
        return sq_fail_nomem(err);
    }
    result->blocks = blocks;
    result->capacity = capacity;
    return true;
}

bool
sq_result_reserve(struct sq_result *result, struct sq_err *err) {
    return result->capacity >= SQ_FEW_BLOCKS
        || grow(result, SQ_FEW_BLOCKS, err);
}

/* Makes space for one more block. Many results have only one. */
static bool
add_space(struct sq_result *result, struct sq_err *err) {
    if (result->count < result->capacity) {
        return true;
    }
    if (result->count == SQ_MAX_BLOCKS) {
        return sq_fail(err, SQ_ERR_LIMIT, "more than %d content blocks",
                       SQ_MAX_BLOCKS);
    }
    return grow(result,
                result->count == 0              ? 1
                : result->count < SQ_FEW_BLOCKS ? SQ_FEW_BLOCKS
                                                : SQ_MAX_BLOCKS,
                err);
}

bool
sq_result_add(struct sq_result *result, enum sq_block_kind kind,
              size_t max_bytes, struct sq_block **out, struct sq_err *err) {
    if (!add_space(result, err)) {
        return false;
    }
    struct sq_block *block = &result->blocks[result->count++];
    *block = (struct sq_block){ .kind = kind };
    sq_buf_init(&block->data, max_bytes);
    *out = block;
    return true;
}

const char *
sq_tool_error_name(enum sq_err_code code) {
    static const char *const names[SQ_ERR_CODES] = {
        [SQ_ERR_NONE] = "NONE",
        [SQ_ERR_NOMEM] = "OUT_OF_MEMORY",
        [SQ_ERR_EXISTS] = "INPUT_VALIDATION_FAILED",
        [SQ_ERR_ARGUMENT] = "INPUT_VALIDATION_FAILED",
        [SQ_ERR_FORMAT] = "BAD_DATA",
        [SQ_ERR_TRUNCATED] = "BAD_DATA",
        [SQ_ERR_LIMIT] = "LIMIT_EXCEEDED",
        [SQ_ERR_UNSUPPORTED] = "UNSUPPORTED",
        [SQ_ERR_NOT_FOUND] = "NOT_FOUND",
        [SQ_ERR_IO] = "IO_ERROR",
        [SQ_ERR_TIMEOUT] = "TIMEOUT",
        [SQ_ERR_CANCELLED] = "CANCELLED",
        [SQ_ERR_EXHAUSTED] = "LIMIT_EXCEEDED",
        [SQ_ERR_INVALID_OPERATION] = "INVALID_OPERATION",
        [SQ_ERR_NO_DEVICES] = "NO_DEVICES",
        [SQ_ERR_MULTIPLE_DEVICES] = "MULTIPLE_DEVICES",
        [SQ_ERR_DEVICE_NOT_FOUND] = "DEVICE_NOT_FOUND",
        [SQ_ERR_DEVICE_OFFLINE] = "DEVICE_OFFLINE",
        [SQ_ERR_PACKAGE_NOT_FOUND] = "PACKAGE_NOT_FOUND",
        [SQ_ERR_SCREENSHOT_FAILED] = "SCREENSHOT_FAILED",
        [SQ_ERR_SECURE_SCREEN] = "SECURE_SCREEN",
        [SQ_ERR_ELEMENT_NOT_FOUND] = "ELEMENT_NOT_FOUND",
        [SQ_ERR_AMBIGUOUS_MATCH] = "AMBIGUOUS_MATCH",
        [SQ_ERR_AMBIGUOUS_FRAME] = "AMBIGUOUS_FRAME",
        [SQ_ERR_STALE_ELEMENT] = "STALE_ELEMENT_INDEX",
        [SQ_ERR_STALE_SCREENSHOT] = "STALE_SCREENSHOT",
        [SQ_ERR_UNKNOWN_SCREENSHOT] = "UNKNOWN_SCREENSHOT_ID",
        [SQ_ERR_HELD] = "PAUSED_BY_PERSON",
        [SQ_ERR_REFUSED] = "REFUSED_BY_PERSON",
    };
    return names[code];
}
