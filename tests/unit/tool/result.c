/* The list of content blocks of a result. */
#include "tool/tool.h"

#include "support/test.h"

T_CASE(starts_empty) {
    T_FREED(sq_result_finish) struct sq_result result = { 0 };
    memset(&result, 0xff, sizeof(result));
    sq_result_init(&result);
    T_INT(result.count, 0);
    T_INT(result.device_ns, 0);
    T_INT(result.details.len, 0);
    T_STR(result.saved_path, "");
}

T_CASE(keeps_its_blocks_while_it_grows) {
    T_FREED(sq_result_finish) struct sq_result result = { 0 };
    struct sq_block *block;
    sq_result_init(&result);
    for (int i = 0; i < SQ_MAX_BLOCKS; i++) {
        T_OK(sq_result_add(&result, SQ_BLOCK_LINK, 0, &block, &t_err));
        T_STR(block->uri, "");
        block->size = (size_t)i;
    }
    for (int i = 0; i < result.count; i++) {
        T_INT(result.blocks[i].size, i);
    }
    T_FAILS(sq_result_add(&result, SQ_BLOCK_LINK, 0, &block, &t_err),
            SQ_ERR_LIMIT);
    T_INT(result.count, SQ_MAX_BLOCKS);
}

static bool
report_without_memory(void *context, struct sq_err *err) {
    T_FREED(sq_result_finish) struct sq_result result = { 0 };
    struct sq_block *block;
    sq_result_init(&result);
    bool ok = sq_result_add(&result, SQ_BLOCK_TEXT, 8, &block, err)
           && sq_result_reserve(&result, err);
    const struct sq_block *blocks = result.blocks;
    while (ok && result.count < SQ_FEW_BLOCKS) {
        T_OK(sq_result_add(&result, SQ_BLOCK_TEXT, 8, &block, err), err);
    }
    T(!ok || result.blocks == blocks); /* nothing was allocated for them */
    return ok;
}

T_CASE(reserved_blocks_need_no_memory) {
    T_INT(t_alloc_torture(report_without_memory, NULL), 2);
}
