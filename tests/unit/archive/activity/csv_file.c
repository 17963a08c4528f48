#include <sys/stat.h>

#include "archive/activity/activity.h"
#include "support/scratch.h"
#include "support/segments_text.h"
#include "support/test.h"

static const struct sq_window all = { 0, 4102444800 };
static struct sq_zone *zone;

static struct sq_activity_source
table(const char *text, enum sq_granularity granularity) {
    t_put(t_scratch_path("table.csv"), text, strlen(text));
    return (struct sq_activity_source){ .path = t_scratch_path("table.csv"),
                                        .zone = zone,
                                        .granularity = granularity };
}

static const char *
read_at(const char *text, enum sq_granularity granularity) {
    struct sq_activity_source source = table(text, granularity);
    return t_gather(&sq_activity_csv, &source, &all);
}

T_CASE(set_up) {
    t_scratch_start();
    T_OK(sq_zone_create("CET-1CEST,M3.5.0,M10.5.0/3", &zone, &t_err));
}

T_CASE(tables_with_and_without_headings) {
    T_STR(read_at("start,end,label\n"
                  "2026-01-01T10:00:00Z,2026-01-01T10:10:00Z,mail\n"
                  "2026-01-01T10:10:00Z,2026-01-01T10:30:00Z,code\n",
                  SQ_BY_APP),
          "10:00:00-10:10:00 mail; 10:10:00-10:30:00 code");
    T_STR(read_at("2026-01-01T10:00Z,2026-01-01T10:10Z,mail,Outlook\n"
                  "2026-01-01T10:10Z,2026-01-01T10:20Z,,Editor\n",
                  SQ_BY_APP),
          "10:00:00-10:10:00 Outlook; 10:10:00-10:20:00 Editor");
    T_STR(read_at(
              "Group;Name;End Time;Start_Time\r\n"
              "Outlook;\"Inbox; 3 new\";2026-01-01 10:10Z;2026-01-01 10:00Z\r\n"
              "Outlook;Sent;2026-01-01 10:20Z;2026-01-01 10:10Z\r\n",
              SQ_BY_APP),
          "10:00:00-10:20:00 Outlook");
}

/* For rules that hide: a title is no substitute for an app, nor vice versa. */
T_CASE(unknown_names_have_no_substitute) {
    static const char both[] = "start,end,title,app\n"
                               "2026-01-01T10:00Z,2026-01-01T10:10Z,,Mail\n"
                               "2026-01-01T10:10Z,2026-01-01T10:20Z,inbox,\n";
    static const char title[] = "start,end,title\n"
                                "2026-01-01T10:00Z,2026-01-01T10:10Z,inbox\n";
    static const char label[] = "start,end,label\n"
                                "2026-01-01T10:00Z,2026-01-01T10:10Z,inbox\n";
    T_STR(read_at(both, SQ_ONLY_APP),
          "10:00:00-10:10:00 Mail; 10:10:00-10:20:00 ");
    T_STR(read_at(both, SQ_ONLY_TITLE),
          "10:00:00-10:10:00 ; 10:10:00-10:20:00 inbox");
    T_STR(read_at(title, SQ_ONLY_APP), "10:00:00-10:10:00 ");
    T_STR(read_at(title, SQ_ONLY_TITLE), "10:00:00-10:10:00 inbox");
    T_STR(read_at(label, SQ_ONLY_APP), "10:00:00-10:10:00 inbox");
    T_STR(read_at(label, SQ_ONLY_TITLE), "10:00:00-10:10:00 inbox");
}

T_CASE(first_of_equal_headings_is_used) {
    T_STR(
        read_at("start-time,from,end,label\n"
                "2026-01-01T10:00Z,2026-01-01T09:00Z,2026-01-01T10:10Z,mail\n",
                SQ_BY_APP),
        "10:00:00-10:10:00 mail");
}

T_CASE(times_may_be_local_or_have_an_offset) {
    /* The zone of the test is UTC+1, in summer UTC+2. */
    T_STR(read_at("start,end,label\n"
                  "2026-01-01T11:00,2026-01-01T11:10,winter\n"
                  "2026-07-01 12:00,2026-07-01 12:10,summer\n"
                  "2026-08-01T12:00-05:00,2026-08-01T12:10-0500,there\n",
                  SQ_BY_APP),
          "10:00:00-10:10:00 winter; 10:00:00-10:10:00 summer; "
          "17:00:00-17:10:00 there");
}

T_CASE(missing_end_time_is_the_next_start) {
    T_STR(read_at("start,label\n"
                  "2026-01-01T10:00Z,one\n"
                  "2026-01-01T10:10Z,two\n"
                  "2026-01-01T10:20Z,three\n",
                  SQ_BY_APP),
          "10:00:00-10:10:00 one; 10:10:00-10:20:00 two; "
          "10:20:00-00:00:00 three");
}

T_CASE(invalid_rows_are_skipped) {
    T_STR(read_at("start,end,label\n"
                  "never,2026-01-01T10:10Z,a\n"
                  "2026-01-01T10:00Z,soon,b\n"
                  "2026-01-01T10:20Z,2026-01-01T10:10Z,backwards\n"
                  "2026-01-01T10:20Z,2026-01-01T10:30Z\n"
                  "2026-01-01T10:30Z,2026-01-01T10:40Z,good\n",
                  SQ_BY_APP),
          "10:20:00-10:30:00 ; 10:30:00-10:40:00 good");
    T_STR(read_at("", SQ_BY_APP), "");
    T_STR(read_at("start,end,label\n", SQ_BY_APP), "");
}

T_CASE(other_files_are_refused) {
    T_STR(read_at("a,b,c\n1,2,3\n", SQ_BY_APP),
          "format: the CSV file has no columns \"start\" and \"label\"");
    T_HAS(read_at("start,end,label\nx,y,z\nu,v,w\n", SQ_BY_APP), "format: no "
                                                                 "row");
    T_HAS(read_at("start,end,label\n\"2026", SQ_BY_APP), "line 2");
    struct sq_activity_source source = { .path = t_scratch_path("missing"),
                                         .zone = zone };
    T_HAS(t_gather(&sq_activity_csv, &source, &all), "not_found");
    source.path = NULL;
    T_HAS(t_gather(&sq_activity_csv, &source, &all), "not_found");
    /* Reading standard input or a pipe without a writer does not block. */
    source.path = "-";
    T_HAS(t_gather(&sq_activity_csv, &source, &all), "not a file");
    T_INT(mkfifo(t_scratch_path("pipe"), 0600), 0);
    source.path = t_scratch_path("pipe");
    T_HAS(t_gather(&sq_activity_csv, &source, &all), "not a file");
}

T_CASE(only_rows_that_overlap_the_window) {
    struct sq_activity_source source =
        table("start,end,label\n"
              "2026-01-01T09:00Z,2026-01-01T10:00Z,before\n"
              "2026-01-01T09:59Z,2026-01-01T10:01Z,into\n"
              "2026-01-01T10:30Z,2026-01-01T12:00Z,out of\n"
              "2026-01-01T11:00Z,2026-01-01T12:00Z,after\n",
              SQ_BY_APP);
    /* 10:00 to 11:00 of that day. */
    struct sq_window window = { 1767261600, 1767265200 };
    T_STR(t_gather(&sq_activity_csv, &source, &window),
          "09:59:00-10:01:00 into; 10:30:00-12:00:00 out of");
}

static bool
build(void *context, struct sq_err *err) {
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    sq_segments_init(&segments);
    return sq_activity_gather(&sq_activity_csv, context, &all, &deadline,
                              &segments, err);
}

T_CASE(every_allocation_can_fail) {
    struct sq_activity_source source =
        table("start,label\n2026-01-01T10:00Z,one\n2026-01-01T10:10Z,two\n",
              SQ_BY_APP);
    T(t_alloc_torture(build, &source) > 5);
}

T_CASE(tear_down) {
    sq_zone_destroy(zone);
    t_scratch_end();
}
