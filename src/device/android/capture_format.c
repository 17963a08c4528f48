/* Chooses the format of captures by their durations, and describes them. */
#include <stdbool.h>
#include <stdio.h>

#include "device/adb.h"
#include "device/android/capture.h"
#include "device/android/state.h"
#include "util/minmax.h"

void
sq_estimate_add(struct sq_estimate *estimate, int64_t ns) {
    bool is_faster = estimate->ns == 0 || ns < estimate->ns;
    estimate->ns = is_faster ? ns : (3 * estimate->ns + ns) / 4;
}

#define NS_PER_MS 1000000
/* If the fastest known format takes longer than this, others are tried. */
#define SLOW_NS ((int64_t)150 * NS_PER_MS)
/*
 * Captures until a slower format is tried again, and how often this number is
 * doubled.
 */
#define FIRST_RETRY 8
#define MAX_RETRIES 7
/*
 * The retry of a raw frame is stopped once it has taken as long as the fastest
 * format, or this long. The bytes received by then give an estimate of its
 * duration.
 */
#define RETRY_NS ((int64_t)1000 * NS_PER_MS)
/* uiautomator takes at least this long. */
#define LIST_NS ((int64_t)1000 * NS_PER_MS)
/* The duration recorded for a raw frame that is too large. */
#define TOO_LARGE_NS ((int64_t)60000 * NS_PER_MS)

static bool
is_usable(const struct sq_capture_format *format, enum sq_capture_form form) {
    return (form != SQ_CAPTURE_EYE || format->has_eye)
        && (form != SQ_CAPTURE_GZIP || !format->has_no_gzip);
}

static bool
is_measured(const struct sq_capture_format *format, enum sq_capture_form form) {
    return is_usable(format, form) && format->time[form].ns > 0;
}

/*
 * Returns the fastest measured format other than `except`, or SQ_CAPTURE_FORMS
 * if there is none. The earlier one if two are equal.
 */
static enum sq_capture_form
fastest_except(const struct sq_capture_format *format,
               enum sq_capture_form except) {
    enum sq_capture_form best = SQ_CAPTURE_FORMS;
    for (enum sq_capture_form form = 0; form < SQ_CAPTURE_FORMS; form++) {
        if (form != except && is_measured(format, form)
            && (best == SQ_CAPTURE_FORMS
                || format->time[form].ns < format->time[best].ns)) {
            best = form;
        }
    }
    return best;
}

enum sq_capture_form
sq_capture_format_preferred(const struct sq_capture_format *format) {
    enum sq_capture_form best = fastest_except(format, SQ_CAPTURE_FORMS);
    if (best == SQ_CAPTURE_FORMS) {
        return format->has_eye ? SQ_CAPTURE_EYE : SQ_CAPTURE_RAW;
    }
    /* The eye also answers without pixels, so it may take half as long again.
     */
    if (is_measured(format, SQ_CAPTURE_EYE)
        && format->time[SQ_CAPTURE_EYE].ns
               <= format->time[best].ns + format->time[best].ns / 2) {
        best = SQ_CAPTURE_EYE;
    }
    /*
     * One that was not tried may be faster than one that is slow. gzip and PNG
     * are not tried while the eye works: it codes the same pixels with less
     * work and sends fewer bytes.
     */
    for (enum sq_capture_form form = 0;
         format->time[best].ns > SLOW_NS && form < SQ_CAPTURE_FORMS; form++) {
        bool is_compressed = form == SQ_CAPTURE_GZIP || form == SQ_CAPTURE_PNG;
        if (is_usable(format, form) && format->time[form].ns == 0
            && !(is_compressed && is_measured(format, SQ_CAPTURE_EYE))) {
            return form;
        }
    }
    return best;
}

enum sq_capture_form
sq_capture_format_next(const struct sq_capture_format *format) {
    enum sq_capture_form preferred = sq_capture_format_preferred(format);
    bool is_due = is_measured(format, preferred)
               && format->since_retry >= FIRST_RETRY << format->retries;
    for (int i = 1; is_due && i <= SQ_CAPTURE_FORMS; i++) {
        enum sq_capture_form form = (enum sq_capture_form)(
            ((int)format->last_retry + i) % SQ_CAPTURE_FORMS);
        if (form != preferred && is_measured(format, form)) {
            return form;
        }
    }
    return preferred;
}

enum sq_capture_form
sq_capture_format_fallback(const struct sq_capture_format *format,
                           enum sq_capture_form failed, bool is_too_large) {
    enum sq_capture_form best = fastest_except(format, failed);
    return failed == SQ_CAPTURE_PNG || is_too_large || best == SQ_CAPTURE_FORMS
             ? SQ_CAPTURE_PNG
             : best;
}

int
sq_capture_format_limit_ms(const struct sq_capture_format *format,
                           enum sq_capture_form form, int left_ms) {
    int64_t limit_ns = (int64_t)left_ms * NS_PER_MS / 2;
    int64_t ns = format->time[form].ns;
    enum sq_capture_form other = fastest_except(format, form);
    int64_t other_ns =
        other == SQ_CAPTURE_FORMS ? INT64_MAX : format->time[other].ns;
    bool is_chosen = form == SQ_CAPTURE_EYE
                  && sq_capture_format_preferred(format) == SQ_CAPTURE_EYE;
    bool has_faster = !is_chosen && other_ns < (ns > 0 ? ns : INT64_MAX);
    if (form == SQ_CAPTURE_PNG || (!has_faster && ns > limit_ns)) {
        return left_ms;
    }
    if (has_faster) {
        limit_ns = sq_min_int64(limit_ns, sq_min_int64(RETRY_NS, other_ns));
    }
    return (int)(limit_ns / NS_PER_MS) + 1;
}

bool
sq_capture_format_can_look(const struct sq_capture_format *format) {
    return format->has_eye
        && (sq_capture_format_preferred(format) == SQ_CAPTURE_EYE
            || format->time[SQ_CAPTURE_EYE].ns < LIST_NS);
}

static void
count(struct sq_capture_format *format, enum sq_capture_form form) {
    bool is_retry = is_measured(format, form)
                 && form != sq_capture_format_preferred(format);
    format->since_retry = is_retry ? 0 : format->since_retry + 1;
    if (is_retry) {
        format->last_retry = form;
        format->retries += format->retries < MAX_RETRIES;
    }
}

void
sq_capture_format_add(struct sq_capture_format *format,
                      enum sq_capture_form form, int64_t ns) {
    count(format, form);
    sq_estimate_add(&format->time[form], ns);
}

void
sq_capture_format_add_timeout(struct sq_capture_format *format,
                              enum sq_capture_form form, int64_t ns,
                              size_t received, size_t total) {
    struct sq_estimate *time = &format->time[form];
    count(format, form);
    if (received > 0 && total > received) {
        time->ns = (int64_t)((double)ns * (double)total / (double)received);
    } else if (ns > time->ns) {
        time->ns = ns;
    }
}

void
sq_capture_format_add_too_large(struct sq_capture_format *format,
                                enum sq_capture_form form) {
    count(format, form);
    format->time[SQ_CAPTURE_EYE].ns = TOO_LARGE_NS;
    format->time[SQ_CAPTURE_RAW].ns = TOO_LARGE_NS;
    format->time[SQ_CAPTURE_GZIP].ns = TOO_LARGE_NS;
}

bool
sq_capture_has_shape(struct sq_size picture, struct sq_size screen) {
    int64_t left = (int64_t)picture.width * screen.height;
    int64_t right = (int64_t)screen.width * picture.height;
    int64_t difference = left > right ? left - right : right - left;
    return difference * 100 <= left;
}

void
sq_android_describe_captures(const struct sq_device *device, char *out,
                             size_t size) {
    static const char *const names[] = {
        [SQ_CAPTURE_RAW] = "raw frames",
        [SQ_CAPTURE_GZIP] = "gzip",
        [SQ_CAPTURE_PNG] = "PNG",
        [SQ_CAPTURE_EYE] = "eye",
    };
    const struct sq_android *android = (const struct sq_android *)device;
    const struct sq_capture_format *format = &android->format;
    const struct sq_emulator *emulator = &android->emulator;
    enum sq_capture_form used = sq_capture_format_preferred(format);
    enum sq_err_code code = emulator->last_err.code;
    size_t at = 0;
    if (emulator->is_possible && emulator->channel) {
        at = (size_t)snprintf(
            out, size, "the emulator's own pictures are used; otherwise ");
    } else if (emulator->is_possible && code && code != SQ_ERR_NOT_FOUND) {
        at = (size_t)snprintf(
            out, size, "the emulator's own pictures are not used (%.120s); ",
            emulator->last_err.message);
    }
    for (int i = format->has_eye ? -1 : 0; i < SQ_CAPTURE_EYE; i++) {
        enum sq_capture_form form =
            i < 0 ? SQ_CAPTURE_EYE : (enum sq_capture_form)i;
        const char *end = form == SQ_CAPTURE_PNG ? ":" : ",";
        bool is_missing = form == SQ_CAPTURE_GZIP && format->has_no_gzip;
        int64_t ns = format->time[form].ns;
        char time[24];
        snprintf(time, sizeof(time), "%.0f ms", (double)ns / NS_PER_MS);
        at += (size_t)snprintf(out + at, size - at, "%s %s%s ", names[form],
                               is_missing ? "does not work"
                               : ns > 0   ? time
                                          : "not tried",
                               end);
    }
    snprintf(out + at, size - at, "%s %s used", names[used],
             used == SQ_CAPTURE_RAW ? "are" : "is");
}

void
sq_android_describe_signals(struct sq_device *device, char *out, size_t size,
                            const struct sq_deadline *deadline) {
    struct sq_android *android = sq_android_of(device);
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
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
}
