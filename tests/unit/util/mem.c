#include "util/mem.h"

#include "support/test.h"
#include "util/fault.h"

T_CASE(sizes_that_overflow_are_refused) {
    T(sq_mem_alloc(SIZE_MAX / 2, 3) == NULL);
    T(sq_mem_zalloc(SIZE_MAX / 2, 3) == NULL);
    T(sq_mem_alloc_aligned(SIZE_MAX - 8) == NULL);
    T(sq_mem_zalloc_aligned(SIZE_MAX / 2, 3) == NULL);
}

T_CASE(zeroed_memory_is_zero_and_aligned_memory_aligned) {
    for (size_t size = 1; size < 300; size += 7) {
        uint8_t *zeroed = sq_mem_zalloc(size, 1);
        uint8_t *aligned = sq_mem_alloc_aligned(size);
        uint8_t *both = sq_mem_zalloc_aligned(size, 3);
        if (T(zeroed && aligned && both)) {
            T_INT((uintptr_t)aligned % 64, 0);
            T_INT((uintptr_t)both % 64, 0);
            for (size_t i = 0; i < size; i++) {
                T_INT(zeroed[i], 0);
                T_INT(both[i * 3], 0);
            }
        }
        sq_mem_free(zeroed);
        sq_mem_free(aligned);
        sq_mem_free(both);
    }
    sq_mem_free(NULL);
}

T_CASE(resizing_keeps_the_content) {
    char *text = sq_mem_alloc(6, 1);
    memcpy(text, "hello", 6);
    text = sq_mem_resize(text, 5000);
    T_STR(text, "hello");
    sq_mem_free(text);
}

/* Fault injection: the Nth fails, and with from_then all after it. */
T_CASE(armed_allocations_fail) {
    for (int from_then = 0; from_then < 2; from_then++) {
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){
                                         .nth = 2, .from_then = from_then });
        void *block[4];
        for (int i = 0; i < 4; i++) {
            block[i] = sq_mem_alloc(8, 1);
        }
        T_INT(sq_fault_count(SQ_FAULT_ALLOC), 4);
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ 0 });
        T(block[0] != NULL);
        T(block[1] == NULL);
        T_INT(block[2] == NULL, from_then);
        T_INT(block[3] == NULL, from_then);
        for (int i = 0; i < 4; i++) {
            sq_mem_free(block[i]);
        }
    }
}
