#include "device/android/state.h"

#include "support/test.h"

static bool
parses(const char *text, uint64_t since, uint64_t frames) {
    struct sq_frame_count count = { 0 };
    return sq_frame_count_parse(sq_span_of(text), &count) && count.is_known
        && count.since == since && count.frames == frames;
}

T_CASE(count_is_parsed) {
    struct sq_frame_count count = { .frames = 7 };
    T(parses("\nlegacy stats are as follows:\nstatsStart = 1700\n"
             "statsEnd = 1800\ntotalFrames = 812\nmissedFrames = 3\n",
             1700, 812));
    T(parses("totalFrames = 0\r\n", 0, 0));
    T(!sq_frame_count_parse(SQ_SPAN(""), &count));
    T(!sq_frame_count_parse(SQ_SPAN("totalFrames = \n"), &count));
    T(!sq_frame_count_parse(SQ_SPAN("totalFrames = -1\n"), &count));
    T(!sq_frame_count_parse(SQ_SPAN("layer totalFrames = 1\n"), &count));
    T(!sq_frame_count_parse(SQ_SPAN("totalFramesTotal = 1\n"), &count));
    T_INT(count.frames, 7);
}

/* Reads the count; nothing was drawn if it returns true. */
static bool
reads(struct sq_frame_counter *counter, uint64_t since, uint64_t frames) {
    const struct sq_frame_count count = { true, since, frames };
    return sq_frame_counter_read(counter, &count) == SQ_DRAWN_PROBABLY_NOTHING;
}

/* Captures with the count that was read before. */
static void
captures(struct sq_frame_counter *counter, uint64_t hash) {
    sq_frame_counter_begin(counter);
    sq_frame_counter_saw(counter, hash);
}

T_CASE(equal_count_is_trusted_after_a_change_was_counted) {
    struct sq_frame_counter counter = { 0 };
    T(!reads(&counter, 1, 100));
    captures(&counter, 11);
    T(!reads(&counter, 1, 100));
    captures(&counter, 11);
    T(!reads(&counter, 1, 100)); /* it may always be 100 */
    captures(&counter, 12);      /* drawn after the count was read */
    T(!reads(&counter, 1, 101));
    captures(&counter, 12);
    T(reads(&counter, 1, 101));
    T(reads(&counter, 1, 101));
    T(!reads(&counter, 1, 102)); /* maybe */
    captures(&counter, 12);
    T(reads(&counter, 1, 102));
    T(counter.failed == NULL);
}

T_CASE(changed_screen_with_an_equal_count_is_a_contradiction) {
    struct sq_frame_counter counter = { 0 };
    reads(&counter, 1, 100);
    captures(&counter, 11);
    reads(&counter, 1, 101);
    captures(&counter, 12);
    reads(&counter, 1, 101);
    T(counter.failed == NULL);
    captures(&counter, 13);
    T(!reads(&counter, 1, 101));
    T(counter.failed != NULL);
    T(!reads(&counter, 1, 101));
}

/* Another program has cleared it, and as many frames were drawn since. */
T_CASE(cleared_count_is_another_one) {
    struct sq_frame_counter counter = { 0 };
    reads(&counter, 1, 5);
    captures(&counter, 11);
    reads(&counter, 1, 6);
    captures(&counter, 12);
    T(reads(&counter, 1, 6));
    T(counter.is_confirmed);
    T(!reads(&counter, 2, 6));
    T(!counter.is_confirmed);
    captures(&counter, 13);
    T(!reads(&counter, 2, 6)); /* until a change is counted again */
    captures(&counter, 14);
    T(!reads(&counter, 2, 7));
    T(counter.is_confirmed);
    captures(&counter, 14);
    T(reads(&counter, 2, 7));
    T(counter.failed == NULL);
}

/* The count is older than the capture, or there is none. */
T_CASE(capture_without_a_count_tells_nothing) {
    struct sq_frame_counter counter = { 0 };
    reads(&counter, 1, 5);
    captures(&counter, 11);
    reads(&counter, 1, 6);
    captures(&counter, 12);
    T(reads(&counter, 1, 6));
    captures(&counter, 12);
    captures(&counter, 12);
    T(!reads(&counter, 1, 6));
    sq_frame_counter_saw(&counter, 0);
    T(!reads(&counter, 1, 6));
    T(counter.failed == NULL);
}
