/* The programs for the phone that the build has compiled. */
#include "eye/programs.h"

static const struct sq_eye_program programs[] = {
#include <eye_programs.inc> /* written by scripts/embed-eye */
    { NULL, { NULL, 0 } },
};

const struct sq_eye_program *
sq_eye_program_at(size_t index) {
    return index < sizeof(programs) / sizeof(programs[0]) - 1 ? &programs[index]
                                                              : NULL;
}

static const struct sq_eye_program *
find_program(struct sq_span abi) {
    for (const struct sq_eye_program *one = programs; one->abi; one++) {
        if (sq_span_is(abi, one->abi)) {
            return one;
        }
    }
    return NULL;
}

const struct sq_eye_program *
sq_eye_program_for(struct sq_span abis) {
    const struct sq_eye_program *found = NULL;
    struct sq_span abi;
    while (!found && sq_span_take_until(&abis, ',', &abi)) {
        found = find_program(abi);
    }
    return found ? found : find_program(abis);
}
