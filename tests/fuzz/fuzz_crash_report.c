/*
 * Parses any bytes as a crash report of macOS, and as the name of one. What is
 * described is short and valid UTF-8.
 */
#include <assert.h>

#include "device/ios/parse.h"
#include "fuzz/fuzz.h"
#include "util/utf8.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct sq_crash_filter filter = {
        .udid = "9F2C6D1A-3B47-4E0D-8A55-1C0FFEE0D0D0",
    };
    struct sq_span text = { (const char *)data, size };
    char time[SQ_CRASH_TIME_SIZE];
    struct sq_buf out;
    sq_buf_init(&out, SQ_CRASH_BYTES);
    assert(sq_crash_report_describe(text, &filter, &out, NULL));
    assert(sq_utf8_valid_len(sq_buf_span(&out)) == out.len);
    sq_buf_finish(&out);
    if (sq_crash_report_time(text, time)) {
        assert(strlen(time) == SQ_CRASH_TIME_SIZE - 1);
    }
    return 0;
}
