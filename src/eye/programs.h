/* The eye, squint's program on the phone, for the processors of phones. */
#ifndef SQ_EYE_PROGRAMS_H
#define SQ_EYE_PROGRAMS_H

#include "util/span.h"

struct sq_eye_program {
    const char *abi; /* Android's name of the processor: "arm64-v8a" */
    struct sq_span bytes;
};

/* Returns the program number `index` of this build, or NULL after the last. */
const struct sq_eye_program *sq_eye_program_at(size_t index);

/*
 * Returns the program for the first processor of a list as in
 * ro.product.cpu.abilist ("arm64-v8a,armeabi-v7a") for which there is one, or
 * NULL.
 */
const struct sq_eye_program *sq_eye_program_for(struct sq_span abis);

#endif
