/*
 * What every fuzz target defines. A target asserts what must hold for any
 * bytes; libFuzzer searches for bytes that break it, replay_main runs the
 * stored ones.
 */
#ifndef SQ_FUZZ_H
#define SQ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Always returns 0; a violated assertion aborts. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
