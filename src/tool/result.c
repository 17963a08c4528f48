#include "tool/tool.h"

void
sq_result_finish(struct sq_result *result) {
    for (int i = 0; i < result->count; i++) {
        sq_buf_finish(&result->blocks[i].data);
    }
    sq_buf_finish(&result->details);
    *result = (struct sq_result){ 0 };
}

bool
sq_result_add(struct sq_result *result, enum sq_block_kind kind,
              size_t max_bytes, struct sq_block **out, struct sq_err *err) {
    if (result->count == SQ_MAX_BLOCKS) {
        return sq_fail(err, SQ_ERR_LIMIT, "more than %d content blocks",
                       SQ_MAX_BLOCKS);
    }
    struct sq_block *block = &result->blocks[result->count++];
    *block = (struct sq_block){ .kind = kind };
    sq_buf_init(&block->data, max_bytes);
    *out = block;
    return true;
}
