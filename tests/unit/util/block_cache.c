#include "util/buf.h"

#include <pthread.h>

#include "support/test.h"
#include "util/mem.h"

#define MIB ((size_t)1 << 20)

static void *
give_new(size_t bytes) {
    void *block = sq_mem_alloc(1, bytes);
    T(block != NULL);
    sq_block_cache_put(block, bytes);
    return block;
}

T_CASE(keeps_nothing_by_default) {
    size_t bytes = 4 * MIB;
    give_new(4 * MIB);
    T(sq_block_cache_take(&bytes) == NULL);
    T_INT(bytes, 4 * MIB);
}

T_CASE(returns_each_block_once) {
    size_t bytes = 3 * MIB;
    size_t again = 3 * MIB;
    sq_block_cache_keep(8 * MIB);
    const void *given = give_new(4 * MIB);
    void *taken = sq_block_cache_take(&bytes);
    T(taken == given);
    T_INT(bytes, 4 * MIB);
    T(sq_block_cache_take(&again) == NULL);
    memset(taken, 1, bytes);
    sq_mem_free(taken);
    sq_block_cache_keep(0);
}

T_CASE(returns_only_blocks_that_fit) {
    const struct {
        size_t wanted;
        bool fits;
    } rows[] = {
        { 100, false },        { MIB, false },    { 2 * MIB - 1, false },
        { 2 * MIB, true },     { 4 * MIB, true }, { 4 * MIB + 1, false },
        { (size_t)-1, false },
    };
    sq_block_cache_keep(8 * MIB);
    give_new(4 * MIB);
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        size_t bytes = rows[i].wanted;
        void *taken = sq_block_cache_take(&bytes);
        T_INT(taken != NULL, rows[i].fits);
        sq_block_cache_put(taken, bytes);
    }
    sq_block_cache_keep(0);
}

T_CASE(keeps_the_last_within_its_limit) {
    size_t bytes = 4 * MIB;
    sq_block_cache_keep(4 * MIB);
    give_new(3 * MIB);
    give_new(4 * MIB);
    give_new(4 * MIB + 1);
    give_new(100);
    sq_block_cache_put(NULL, 0);
    void *taken = sq_block_cache_take(&bytes);
    T(taken != NULL);
    T_INT(bytes, 4 * MIB);
    sq_mem_free(taken);
    sq_block_cache_keep(0);
}

T_CASE(buffers_can_use_it) {
    struct sq_buf first;
    struct sq_buf second;
    uint8_t *room;
    sq_block_cache_keep(8 * MIB);
    sq_buf_init(&first, 8 * MIB);
    T_OK(sq_buf_reserve(&first, 3 * MIB, &room, &t_err));
    const uint8_t *where = first.data;
    sq_buf_finish(&first);
    sq_buf_init(&second, 3 * MIB);
    T_OK(sq_buf_reserve(&second, 3 * MIB, &room, &t_err));
    T(second.data == where);
    memset(room, 1, 3 * MIB);
    sq_buf_commit(&second, 3 * MIB);
    T(!sq_buf_append(&second, "x", 1,
                     &t_err)); /* its own size limit is unchanged */
    T_INT(t_err.code, SQ_ERR_LIMIT);
    sq_buf_finish(&second);
    sq_block_cache_keep(0);
}

static void *
use_often(void *context) {
    for (int i = 0; i < 2000; i++) {
        size_t bytes = 2 * MIB;
        unsigned char *block = sq_block_cache_take(&bytes);
        if (!block) {
            block = sq_mem_alloc(1, bytes);
        }
        if (!block) {
            return NULL;
        }
        memset(block, i, 64);
        block[bytes - 1] = 1;
        sq_block_cache_put(block, bytes);
    }
    return context;
}

T_CASE(threads_can_share_it) {
    pthread_t threads[4];
    int marker = 0;
    sq_block_cache_keep(8 * MIB);
    for (int i = 0; i < 4; i++) {
        T_INT(pthread_create(&threads[i], NULL, use_often, &marker), 0);
    }
    for (int i = 0; i < 4; i++) {
        void *result = NULL;
        T_INT(pthread_join(threads[i], &result), 0);
        T(result == &marker);
    }
    sq_block_cache_keep(0);
}
