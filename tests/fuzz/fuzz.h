/*
 * What every fuzz target defines. A target asserts what must hold for any
 * bytes at all; libFuzzer looks for bytes that break it, replay_main runs the
 * ones we keep.
 */
#ifndef SQ_FUZZ_H
#define SQ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Always returns 0; a broken promise aborts. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
