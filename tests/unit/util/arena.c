#include "util/arena.h"

#include <stdalign.h>

#include "support/test.h"
#include "util/fault.h"

T_CASE(returns_aligned_memory_that_does_not_overlap) {
    enum { COUNT = 500 };
    unsigned char *items[COUNT];
    T_ARENA(arena, 1 << 20);
    for (size_t i = 0; i < COUNT; i++) {
        items[i] = sq_arena_alloc(&arena, i + 1, 1, &t_err);
        T_OK(items[i]);
        T_INT((uintptr_t)items[i] % alignof(max_align_t), 0);
        memset(items[i], (int)(i & 0xff), i + 1);
    }
    for (size_t i = 0; i < COUNT; i++) {
        T(items[i][0] == (i & 0xff) && items[i][i] == (i & 0xff));
    }
}

T_CASE(allocates_more_than_a_block) {
    T_ARENA(arena, 4 << 20);
    char *small = sq_arena_alloc(&arena, 8, 1, &t_err);
    char *large = sq_arena_alloc(&arena, 3, 1 << 20, &t_err);
    char *after = sq_arena_alloc(&arena, 8, 1, &t_err);
    T_OK(small && large && after);
    memset(large, 'x', 3 << 20);
    memset(after, 'y', 8);
    T(large[(3 << 20) - 1] == 'x');
}

T_CASE(refuses_to_exceed_its_limit) {
    struct sq_arena arena;
    sq_arena_init(&arena, 1000);
    T_OK(sq_arena_alloc(&arena, 1000, 1, &t_err));
    T_FAILS(sq_arena_alloc(&arena, 1, 1, &t_err), SQ_ERR_LIMIT);
    sq_arena_reset(&arena);
    T_FAILS(sq_arena_alloc(&arena, 1001, 1, &t_err), SQ_ERR_LIMIT);
    T(sq_arena_alloc(&arena, 1000, 1, &t_err));
    sq_arena_finish(&arena);

    sq_arena_init(&arena, 40000);
    size_t served = 0;
    while (sq_arena_alloc(&arena, 100, 1, &t_err)) {
        served += 100;
    }
    T_INT(t_err.code, SQ_ERR_LIMIT);
    T(served > 30000 && served <= 40000);
    sq_arena_finish(&arena);
}

T_CASE(refuses_sizes_that_overflow) {
    T_ARENA(arena, SIZE_MAX);
    T_FAILS(sq_arena_alloc(&arena, SIZE_MAX / 2, 3, &t_err), SQ_ERR_LIMIT);
    T_FAILS(sq_arena_alloc(&arena, SIZE_MAX, 1, &t_err), SQ_ERR_NOMEM);
    T_FAILS(sq_arena_strdup(&arena, (struct sq_span){ "x", SIZE_MAX }, &t_err),
            SQ_ERR_LIMIT);
}

T_CASE(reset_keeps_the_first_block) {
    struct sq_arena arena;
    sq_arena_init(&arena, 1 << 20);
    sq_arena_reset(&arena);
    void *first = sq_arena_alloc(&arena, 64, 1, &t_err);
    for (int i = 0; i < 1000; i++) {
        T(sq_arena_alloc(&arena, 64, 1, &t_err));
    }
    sq_arena_reset(&arena);
    sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ 0 });
    T(sq_arena_alloc(&arena, 64, 1, &t_err) == first);
    T_INT(sq_fault_count(SQ_FAULT_ALLOC), 0);
    sq_arena_finish(&arena);
    sq_arena_finish(&arena);
}

T_CASE(copies_text_with_a_terminator) {
    T_ARENA(arena, 4096);
    static const char text[] = "hello, world";
    struct sq_span part = { text, 5 };
    T_STR(sq_arena_strdup(&arena, part, &t_err), "hello");
    T_STR(sq_arena_strdup(&arena, (struct sq_span){ 0 }, &t_err), "");
    T_OK(sq_arena_keep(&arena, &part, &t_err));
    T(part.ptr != text && sq_span_is(part, "hello"));
    struct sq_span huge = { text, SIZE_MAX };
    T(!sq_arena_keep(&arena, &huge, &t_err) && huge.ptr == text);
}

T_ALLOC_CASE(survives_every_failed_allocation, 4) {
    T_ARENA(arena, 1 << 20);
    bool ok = true;
    for (int i = 0; ok && i < 2000; i++) {
        ok =
            sq_arena_strdup(&arena, SQ_SPAN("forty characters are enough"), err)
            && sq_arena_alloc(&arena, 10, sizeof(int), err);
    }
    return ok;
}
