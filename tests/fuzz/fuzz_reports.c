/*
 * Parses any bytes as reports of Android: clips, notifications, crashes, touch
 * screens and named values. Spans point into the text, and texts are valid
 * UTF-8.
 */
#include <assert.h>

#include "device/android/command.h"
#include "device/android/parse.h"
#include "device/android/state.h"
#include "fuzz/fuzz.h"
#include "util/utf8.h"

static void
check_span(struct sq_span text, struct sq_span span) {
    assert(span.len == 0
           || (span.ptr >= text.ptr
               && span.ptr + span.len <= text.ptr + text.len));
}

static void
check_clip(struct sq_span text) {
    for (int api = 26; api < 37; api++) {
        enum sq_clip_content content;
        struct sq_buf out;
        sq_buf_init(&out, 1 << 20);
        bool ok = sq_clip_read(text, api, &out, &content, NULL);
        assert(!ok || (content == SQ_CLIP_TEXT) == (out.len > 0));
        assert(sq_utf8_valid_len(sq_buf_span(&out)) == out.len);
        sq_buf_finish(&out);
    }
}

static void
check_notifications(struct sq_span text) {
    struct sq_span rest = text;
    struct sq_report_notification one;
    while (sq_report_take_notification(&rest, &one)) {
        check_span(text, one.package);
        check_span(text, one.title);
        check_span(text, one.text);
    }
}

static void
check_crashes(struct sq_span text) {
    struct sq_span rest = text;
    struct sq_span crash;
    struct sq_span process;
    while (sq_report_take_crash(&rest, &crash, &process)) {
        assert(crash.len > 0);
        check_span(text, crash);
        check_span(crash, process);
    }
}

/* The node of a touch screen becomes part of a command. */
static void
check_panel(struct sq_span text) {
    struct sq_touch_panel panel;
    if (sq_touch_panel_find(text, &panel)) {
        struct sq_span digits = sq_span_of(panel.node);
        uint64_t number;
        assert(sq_span_take_prefix(&digits, "/dev/input/event"));
        assert(sq_span_to_uint64(digits, &number));
        assert(panel.x.max > panel.x.min && panel.y.max > panel.y.min);
    }
}

static void
check_values(struct sq_span text) {
    check_span(text, sq_report_find(text, "level:"));
    check_span(text, sq_report_memory(text));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const checks[])(
        struct sq_span) = { check_clip, check_notifications, check_crashes,
                            check_values, check_panel };
    if (size > 0) {
        checks[data[0] % 5](
            (struct sq_span){ (const char *)data + 1, size - 1 });
    }
    return 0;
}
