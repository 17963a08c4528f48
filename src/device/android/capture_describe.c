/* Describes how pictures are taken and changes noticed, for people. */
#include <stdio.h>

#include "device/android/android.h"
#include "device/android/capture_format.h"
#include "device/android/state.h"

#define NS_PER_MS 1000000

static void
show_estimate(const struct sq_capture_format *format, enum sq_capture_form form,
              char *out, size_t size) {
    const char *name = sq_capture_form_name(form);
    if (form == SQ_CAPTURE_GZIP && format->has_no_gzip) {
        snprintf(out, size, "%s does not work", name);
    } else if (format->time[form].ns > 0) {
        snprintf(out, size, "%s %.0f ms", name,
                 (double)format->time[form].ns / NS_PER_MS);
    } else {
        snprintf(out, size, "%s not tried", name);
    }
}

/* Returns what to say about an emulator's own pictures; empty: it has none. */
static void
describe_emulator(const struct sq_emulator *emulator, char *out, size_t size) {
    out[0] = '\0';
    if (emulator->is_possible && emulator->channel) {
        snprintf(out, size, "the emulator's own pictures are used; otherwise ");
    } else if (emulator->is_possible && emulator->last_err.code != SQ_ERR_NONE
               && emulator->last_err.code != SQ_ERR_NOT_FOUND) {
        snprintf(out, size,
                 "the emulator's own pictures are not used (%.120s); ",
                 emulator->last_err.message);
    }
}

void
sq_android_describe_captures(const struct sq_device *device, char *out,
                             size_t size) {
    const struct sq_android *android = (const struct sq_android *)device;
    const struct sq_capture_format *format = &android->format;
    char forms[SQ_CAPTURE_FORMS][40];
    enum sq_capture_form used = sq_capture_format_preferred(format);
    for (enum sq_capture_form form = 0; form < SQ_CAPTURE_FORMS; form++) {
        show_estimate(format, form, forms[form], sizeof(forms[form]));
    }
    char emulator[180];
    describe_emulator(&android->emulator, emulator, sizeof(emulator));
    snprintf(out, size, "%s%s%s%s, %s, %s: %s %s used", emulator,
             format->has_eye ? forms[SQ_CAPTURE_EYE] : "",
             format->has_eye ? ", " : "", forms[SQ_CAPTURE_RAW],
             forms[SQ_CAPTURE_GZIP], forms[SQ_CAPTURE_PNG],
             sq_capture_form_name(used), used == SQ_CAPTURE_RAW ? "are" : "is");
}

void
sq_android_describe_signals(struct sq_device *device, char *out, size_t size,
                            const struct sq_deadline *deadline) {
    struct sq_android *android = sq_android_of(device);
    struct sq_adb_output output;
    struct sq_frame_count count;
    bool ok = sq_android_run(android,
                             SQ_EVENT_FEED_PROBE ";" SQ_MARK_COMMAND
                                                 ";" SQ_FRAME_COUNT_COMMAND,
                             &output, deadline, NULL);
    struct sq_span rest = sq_buf_span(&output.out);
    struct sq_span events = sq_android_take_section(&rest);
    bool has_events = ok && sq_event_feed_has_focus(events);
    bool has_count = ok && sq_frame_count_parse(rest, &count);
    snprintf(out, size,
             "changes of its screen: log of events %s, count of frames %s",
             has_events ? "found" : "not found",
             has_count ? "found" : "not found");
    sq_adb_output_finish(&output);
}
