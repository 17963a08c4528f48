/*
 * Any bytes are a time zone, or refused with an error. A zone has transitions
 * in order and an offset for every time.
 */
#include <assert.h>

#include "fuzz/fuzz.h"
#include "util/tzif.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_err err = { 0 };
    struct sq_tzif tzif = { 0 };
    if (!sq_tzif_parse(data, size, &tzif, &err)) {
        assert(err.code != SQ_ERR_NONE && err.message[0] && !tzif.steps);
        return 0;
    }
    for (size_t i = 0; i < tzif.count; i++) {
        const struct sq_tzif_step *step = &tzif.steps[i];
        assert(i == 0 || step->at_utc > step[-1].at_utc);
        if (i + 1 < tzif.count) {
            assert(sq_tzif_offset(&tzif, step->at_utc) == step->offset_s);
        }
    }
    int least = sq_tzif_offset(&tzif, INT64_MIN);
    int most = sq_tzif_offset(&tzif, INT64_MAX);
    assert(least > -100000 && least < 100000);
    assert(most > -100000 && most < 100000);
    sq_tzif_finish(&tzif);
    return 0;
}
