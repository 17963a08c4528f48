/*
 * Reads activities from a CSV file with start, end, label and an optional
 * group, with or without a header line. Times are parsed by sq_time_parse;
 * times without an offset are in the zone. A missing end is the start of the
 * next row.
 */
#include "archive/activity/activity.h"
#include "archive/activity/csv.h"
#include "sys/file.h"
#include "util/time_text.h"

#define MAX_FILE_BYTES ((size_t)64 << 20)
#define CHECK_EVERY 1024 /* rows between checks of the deadline */
#define NO_COLUMN SQ_CSV_MAX_FIELDS

enum part { PART_START, PART_END, PART_LABEL, PART_GROUP, PARTS };

/* Column names in lower case; blanks, "_" and "-" are ignored. */
static const char *const headings[][8] = {
    [PART_START] = { "start", "starttime", "startdate", "begin", "from",
                     "timestamp" },
    [PART_END] = { "end", "endtime", "enddate", "stop", "finish", "to" },
    [PART_LABEL] = { "label", "name", "title", "activity", "description",
                     "windowtitle" },
    [PART_GROUP] = { "group", "app", "application", "project", "category",
                     "process" },
};

/* The column of each field. */
struct layout {
    size_t at[PARTS];
    bool has_heading;
    bool has_apps; /* labels are not the names of apps */
};

static bool
is_heading(struct sq_span field, const char *word) {
    for (size_t i = 0; i < field.len; i++) {
        char byte = field.ptr[i];
        if (byte == ' ' || byte == '_' || byte == '-') {
            continue;
        }
        if (!*word || sq_ascii_lower(byte) != *word) {
            return false;
        }
        word++;
    }
    return !*word;
}

static void
match_heading(struct sq_span field, size_t column, struct layout *layout) {
    for (int part = 0; part < PARTS; part++) {
        for (int i = 0; i < 8 && headings[part][i]; i++) {
            if (layout->at[part] == NO_COLUMN
                && is_heading(field, headings[part][i])) {
                layout->at[part] = column;
                return;
            }
        }
    }
}

/* Finds the columns from the first row: by their names, else by their order. */
static bool
find_layout(const struct sq_csv *row, struct layout *out, struct sq_err *err) {
    struct sq_time_text ignored;
    struct layout layout = { { 0, 1, 2, 3 }, false, false };
    if (!sq_time_parse(row->fields[0], &ignored, NULL)) {
        layout = (struct layout){
            { NO_COLUMN, NO_COLUMN, NO_COLUMN, NO_COLUMN }, true, false
        };
        for (size_t i = 0; i < row->count; i++) {
            match_heading(row->fields[i], i, &layout);
        }
    }
    if (layout.at[PART_START] == NO_COLUMN
        || (layout.at[PART_LABEL] == NO_COLUMN
            && layout.at[PART_GROUP] == NO_COLUMN)) {
        sq_fail(err, SQ_ERR_FORMAT,
                "the CSV file has no columns \"start\" and \"label\"");
        return sq_fail_hint(err,
                            "Begin it with the line start,end,label,group.");
    }
    size_t label = layout.at[PART_LABEL];
    layout.has_apps = layout.at[PART_GROUP] < row->count
                   || (layout.has_heading && label != NO_COLUMN
                       && (is_heading(row->fields[label], "title")
                           || is_heading(row->fields[label], "windowtitle")));
    *out = layout;
    return true;
}

struct reading {
    const struct sq_activity_source *source;
    const struct sq_window *window; /* NULL: only check the first row */
    struct sq_csv csv;
    struct layout layout;
    bool is_pending; /* the end of the last row is the start of the next one */
    struct sq_moment pending_start;
    struct sq_buf pending_label;
    size_t rows;
    size_t bad_rows;
    struct sq_segments *out;
};

static struct sq_span
part_of(const struct reading *reading, enum part part) {
    size_t at = reading->layout.at[part];
    return at < reading->csv.count ? sq_span_trim(reading->csv.fields[at])
                                   : (struct sq_span){ "", 0 };
}

/*
 * Returns the label; by app, it is the group if there is one. In a table
 * without groups the label is the app, too, unless it is named a title.
 */
static struct sq_span
label_of(const struct reading *reading) {
    struct sq_span label = part_of(reading, PART_LABEL);
    struct sq_span group = part_of(reading, PART_GROUP);
    switch (reading->source->granularity) {
    case SQ_ONLY_APP:
        return group.len > 0 || reading->layout.has_apps ? group : label;
    case SQ_ONLY_TITLE:
        return label;
    case SQ_BY_APP:
    default:
        return group.len > 0 ? group : label;
    }
}

/* Ends the previous row if it has no end. */
static bool
end_pending(struct reading *reading, struct sq_moment end, struct sq_err *err) {
    bool was_pending = reading->is_pending;
    reading->is_pending = false;
    return !was_pending
        || sq_segments_add_between(reading->out, reading->window,
                                   reading->pending_start, end,
                                   sq_buf_span(&reading->pending_label), err);
}

static bool
add_row(struct reading *reading, struct sq_err *err) {
    const struct sq_zone *zone = reading->source->zone;
    struct sq_span end_text = part_of(reading, PART_END);
    struct sq_span label = label_of(reading);
    struct sq_moment start;
    struct sq_moment end;
    bool has_start = sq_moment_read(part_of(reading, PART_START), zone, &start);
    bool has_end = sq_moment_read(end_text, zone, &end);
    reading->rows++;
    reading->bad_rows += !has_start || (!has_end && end_text.len);
    if (has_start && !end_pending(reading, start, err)) {
        return false;
    }
    if (!has_start || end_text.len) {
        return sq_segments_add_between(reading->out, reading->window, start,
                                       end, label, err);
    }
    sq_buf_clear(&reading->pending_label);
    reading->is_pending = true;
    reading->pending_start = start;
    return sq_buf_append(&reading->pending_label, label.ptr, label.len, err);
}

static bool
read_rows(struct reading *reading, const struct sq_deadline *deadline,
          struct sq_err *err) {
    struct sq_csv *csv = &reading->csv;
    bool has_row;
    if (!sq_csv_next(csv, &has_row, err)
        || (has_row && !find_layout(csv, &reading->layout, err))) {
        return false;
    }
    if (has_row && reading->layout.has_heading && reading->window
        && !sq_csv_next(csv, &has_row, err)) {
        return false;
    }
    while (has_row && reading->window) {
        if (!add_row(reading, err)
            || (reading->rows % CHECK_EVERY == 1
                && !sq_deadline_check(deadline, err))
            || !sq_csv_next(csv, &has_row, err)) {
            return false;
        }
    }
    return true;
}

static bool
finish_reading(struct reading *reading, struct sq_err *err) {
    if (reading->rows > 0 && reading->bad_rows == reading->rows) {
        sq_fail(err, SQ_ERR_FORMAT, "no row of the CSV file has a valid time");
        return sq_fail_hint(err, "Write times as 2026-01-31T09:30:00+01:00.");
    }
    /* The end of the last row is unknown: use the end of the window. */
    int64_t end_us = reading->window ? reading->window->to_utc * 1000000 : 0;
    return end_pending(reading, (struct sq_moment){ end_us, end_us }, err);
}

static bool
table_read(const struct sq_activity_source *source,
           const struct sq_window *window, const struct sq_deadline *deadline,
           struct sq_segments *out, struct sq_err *err) {
    struct reading reading = { .source = source, .window = window, .out = out };
    SQ_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    if (!source->path) {
        sq_fail(err, SQ_ERR_NOT_FOUND,
                "no CSV file of activities is configured");
        return sq_fail_hint(err, "Set archive.activityPath.");
    }
    sq_buf_init(&reading.pending_label, SQ_CSV_MAX_ROW_BYTES * 2);
    bool ok = sq_plain_file_check(source->path, err)
           && sq_file_read(source->path, MAX_FILE_BYTES, &bytes, err);
    sq_csv_init(&reading.csv, sq_buf_span(&bytes));
    ok = ok && read_rows(&reading, deadline, err)
      && finish_reading(&reading, err);
    sq_csv_finish(&reading.csv);
    sq_buf_finish(&reading.pending_label);
    return ok;
}

const struct sq_activity_ops sq_activity_csv = {
    .id = "csv",
    .title = "a CSV table",
    .is_file = true,
    .read = table_read,
};
