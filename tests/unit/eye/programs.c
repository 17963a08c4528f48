/* The programs for the phone that this build has. */
#include "eye/programs.h"

#include "support/test.h"

#define MAX_EACH ((size_t)100 << 10)
#define MAX_ALL ((size_t)170 << 10)

T_CASE(programs_are_small_and_static) {
    size_t all = 0;
    for (size_t i = 0; sq_eye_program_at(i); i++) {
        const struct sq_eye_program *program = sq_eye_program_at(i);
        T(program->bytes.len > 1000 && program->bytes.len <= MAX_EACH);
        T(memcmp(program->bytes.ptr,
                 "\x7f"
                 "ELF",
                 4)
          == 0);
        T(sq_eye_program_for(sq_span_of(program->abi)) == program);
        all += program->bytes.len;
    }
    T(all <= MAX_ALL);
}

T_CASE(first_known_processor_is_chosen) {
    T(!sq_eye_program_for(SQ_SPAN("")));
    T(!sq_eye_program_for(SQ_SPAN("mips64")));
    T(!sq_eye_program_for(SQ_SPAN("mips64,mips,,arm64")));
    const struct sq_eye_program *own = sq_eye_program_at(0);
    if (own) {
        char list[100];
        snprintf(list, sizeof(list), "riscv64,%s,mips", own->abi);
        T(sq_eye_program_for(sq_span_of(list)) == own);
    }
#if defined(__linux__) && defined(__aarch64__)
    T(sq_eye_program_for(SQ_SPAN("arm64-v8a,armeabi-v7a,armeabi")));
#elif defined(__linux__) && defined(__x86_64__)
    T(sq_eye_program_for(SQ_SPAN("x86_64,x86")));
#endif
}
