#include "archive/activity/segments.h"

#include "support/test.h"

static void
add(struct sq_segments *segments, int64_t start, int64_t end,
    const char *label) {
    T_OK(sq_segments_add(segments, start, end, sq_span_of(label), &t_err));
}

/* The result as "start-end label", separated by blanks. */
static const char *
shown(struct sq_segments *segments) {
    static char text[1024];
    size_t used = 0;
    text[0] = '\0';
    sq_segments_merge(segments);
    for (size_t i = 0; i < segments->count; i++) {
        const struct sq_segment *one = &segments->items[i];
        struct sq_span label = sq_segments_label(segments, one->label);
        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 "%s%lld-%lld %.*s", i ? "; " : "",
                                 (long long)one->start_utc,
                                 (long long)one->end_utc, SQ_SPAN_ARGS(label));
    }
    return text;
}

T_CASE(segments_are_sorted_by_time) {
    struct sq_segments segments;
    sq_segments_init(&segments);
    add(&segments, 2000, 3000, "mail");
    add(&segments, 1000, 2000, "editor");
    add(&segments, 3000, 3500, "editor");
    T_STR(shown(&segments),
          "1000-2000 editor; 2000-3000 mail; 3000-3500 editor");
    T_INT(segments.items[0].label, segments.items[2].label);
    sq_segments_finish(&segments);
    sq_segments_finish(&segments);
}

T_CASE(title_changes_do_not_split_an_application) {
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    sq_segments_init(&segments);
    add(&segments, 1000, 1010, "editor");
    add(&segments, 1010, 1500, "editor");
    add(&segments, 1500 + SQ_SEGMENT_GAP_S, 1700, "editor");
    add(&segments, 1701 + SQ_SEGMENT_GAP_S, 1900, "editor");
    T_STR(shown(&segments), "1000-1700 editor; 1821-1900 editor");
}

static bool
keep_label(void *context, const struct sq_extent *when, struct sq_span *label,
           struct sq_err *err) {
    return true;
}

static bool
is_secret(struct sq_span label) {
    return sq_span_is(label, "secret") || label.len == 0;
}

/* Whatever overlaps a covering segment, and in whichever order they come. */
T_CASE(covering_segment_hides_all_others_at_its_time) {
    static const struct sq_segments_filter filter = { keep_label, NULL,
                                                      is_secret };
    static const struct {
        struct {
            int64_t start;
            int64_t end;
            const char *label;
        } added[4];
        const char *merged;
    } cases[] = {
        { { { 900, 1200, "mail" }, { 1000, 1100, "secret" } },
          "900-1000 mail; 1000-1100 secret" },
        { { { 1000, 1100, "secret" }, { 1000, 1100, "mail" } },
          "1000-1100 secret" },
        { { { 1000, 1100, "mail" }, { 1000, 1100, "secret" } },
          "1000-1100 secret" },
        { { { 950, 1100, "secret" }, { 1000, 1030, "mail" } },
          "950-1100 secret" },
        { { { 950, 1030, "secret" }, { 1000, 1200, "mail" } },
          "950-1030 secret; 1030-1200 mail" },
        { { { 900, 1000, "secret" },
            { 950, 1200, "mail" },
            { 980, 1100, "secret" },
            { 1050, 1150, "code" } },
          "900-1100 secret; 1100-1150 code" },
        { { { 900, 1000, "secret" }, { 920, 930, "" }, { 950, 1200, "mail" } },
          "900-1000 secret; 1000-1200 mail" },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
        sq_segments_init(&segments);
        segments.filter = &filter;
        for (int k = 0; k < 4 && cases[i].added[k].label; k++) {
            add(&segments, cases[i].added[k].start, cases[i].added[k].end,
                cases[i].added[k].label);
        }
        T_STR(shown(&segments), cases[i].merged);
        T_INT(sq_segments_at(&segments, 1200).len, 0);
    }
}

T_CASE(later_segment_replaces_the_overlapped_part) {
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    sq_segments_init(&segments);
    add(&segments, 1000, 2000, "long");
    add(&segments, 1500, 1600, "short");
    add(&segments, 1550, 3000, "next");
    add(&segments, 5000, 5000, "nothing");
    add(&segments, 5000, 5010, "something");
    add(&segments, 6000, 5900, "backwards");
    T_STR(shown(&segments), "1000-1500 long; 1500-1550 short; 1550-3000 next; "
                            "5000-5010 something");
}

T_CASE(empty_segment_is_dropped) {
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    sq_segments_init(&segments);
    add(&segments, 7000, 7000, "empty");
    T_STR(shown(&segments), "");
}

/*
 * Of segments with the same start, the longest is kept; of equal ones, the
 * last.
 */
T_CASE(one_segment_is_kept_of_those_with_the_same_start) {
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    sq_segments_init(&segments);
    add(&segments, 500, 600, "first");
    add(&segments, 500, 600, "second");
    add(&segments, 1000, 2000, "long");
    add(&segments, 1000, 1500, "short");
    add(&segments, 3000, 3100, "second");
    add(&segments, 3000, 3100, "first");
    T_STR(shown(&segments), "500-600 second; 1000-2000 long; 3000-3100 second");
}

T_CASE(segments_can_be_added_after_a_merge) {
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    sq_segments_init(&segments);
    add(&segments, 2000, 3000, "mail");
    T_STR(shown(&segments), "2000-3000 mail");
    add(&segments, 1000, 2000, "editor");
    T_STR(shown(&segments), "1000-2000 editor; 2000-3000 mail");
}

T_CASE(too_many_names_become_one) {
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    char label[32];
    sq_segments_init(&segments);
    for (int i = 0; i < SQ_MAX_LABELS + 100; i++) {
        snprintf(label, sizeof(label), "label %d", i);
        add(&segments, i * 10, i * 10 + 10, label);
    }
    T_INT(segments.label_count, SQ_MAX_LABELS);
    struct sq_span last =
        sq_segments_label(&segments, segments.items[segments.count - 1].label);
    T(sq_span_is(last, "(other)"));
    add(&segments, 0, 10, "label 5");
    T_INT(segments.items[segments.count - 1].label, 5);
    T_INT(sq_segments_label(&segments, UINT32_MAX).len, 0);
}

T_CASE(long_names_are_cut_between_characters) {
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    char label[400];
    memset(label, 'x', sizeof(label));
    memcpy(label + 199, "\xc3\xa4", 2);
    label[300] = '\0';
    sq_segments_init(&segments);
    add(&segments, 0, 10, label);
    T_INT(sq_segments_label(&segments, 0).len, 199);
}

T_CASE(number_of_segments_is_limited) {
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    bool ok = true;
    sq_segments_init(&segments);
    for (int i = 0; ok && i <= SQ_MAX_SEGMENTS; i++) {
        ok = sq_segments_add(&segments, i, i + 1, SQ_SPAN("x"), &t_err);
    }
    T(!ok);
    T_INT(t_err.code, SQ_ERR_LIMIT);
    T_INT(segments.count, SQ_MAX_SEGMENTS);
}

T_ALLOC_CASE(every_allocation_can_fail, 5) {
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    sq_segments_init(&segments);
    bool ok = true;
    for (int i = 0; ok && i < 600; i++) {
        ok = sq_segments_add(&segments, i, i + 1,
                             i % 2 ? SQ_SPAN("a") : SQ_SPAN("b"), err);
    }
    return ok;
}
