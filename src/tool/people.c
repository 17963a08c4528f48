/* Shows replies to people: what the views of operations share. */
#include "tool/people.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Members that any reply may have, with a sentence for the reader. */
static const char *const remarks[] = {
    "warning", "note",         "nearestToWarning", "elementsNote",
    "appNote", "comparedNote", "activityCoverage", "sizeNote",
};

int
sq_reply_int(const struct sq_json *reply, const char *object,
             const char *member) {
    return sq_json_int_of(sq_json_get(reply, object), member);
}

bool
sq_people_end_line(struct sq_people *people, struct sq_err *err) {
    struct sq_span id = sq_json_text_of(people->reply, "deviceId");
    return sq_page_printf(&people->page, SQ_INK_PLAIN, err, "%s%.*s\n",
                          id.len > 0 ? " on " : "", SQ_SPAN_ARGS(id));
}

bool
sq_people_has_matches(const struct sq_people *people) {
    return sq_json_int_of(people->reply, "count") > 0;
}

bool
sq_people_put_count(struct sq_people *people, const char *what,
                    const char *none, struct sq_err *err) {
    int count = sq_json_int_of(people->reply, "count");
    return (count > 0
                ? sq_page_printf(&people->page, SQ_INK_STRONG, err, "%d %s%s",
                                 count, what, sq_plural(count))
                : sq_page_printf(&people->page, SQ_INK_DOUBT, err, "%s", none))
        && sq_people_end_line(people, err);
}

bool
sq_reply_is_beyond(const struct sq_json *reply, const char *list) {
    return sq_json_int_of(reply, "totalCount") > 0 && sq_json_get(reply, list)
        && sq_json_count(sq_json_get(reply, list)) == 0;
}

bool
sq_people_put_total(struct sq_people *people, const char *list,
                    const char *what, int count, struct sq_err *err) {
    bool is_none = sq_reply_is_beyond(people->reply, list);
    return sq_page_printf(&people->page, is_none ? SQ_INK_DOUBT : SQ_INK_STRONG,
                          err, "%s%d %s%s",
                          !is_none     ? ""
                          : count == 1 ? "There is only "
                                       : "There are only ",
                          count, what, sq_plural(count))
        && sq_people_end_line(people, err);
}

bool
sq_people_put_more(struct sq_people *people, struct sq_err *err) {
    int offset = sq_json_int_of(people->reply, "offset");
    int shown = sq_json_int_of(people->reply, "count");
    int total = sq_json_int_of(people->reply, "totalCount");
    return !sq_json_bool_of(people->reply, "hasMore")
        || sq_page_printf(&people->page, SQ_INK_FAINT, err,
                          "%d of %d: --offset %d shows more.\n", shown, total,
                          offset + shown);
}

bool
sq_people_put_remark(struct sq_people *people, struct sq_span text,
                     struct sq_err *err) {
    return text.len == 0
        || sq_page_put_wrapped(&people->page, SQ_INK_FAINT, 0, 0, text, err);
}

static bool
put_remarks(struct sq_people *people, struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < SQ_COUNT(remarks); i++) {
        ok = sq_people_put_remark(
            people, sq_json_text_of(people->reply, remarks[i]), err);
    }
    return ok;
}

/* Prints a piece of a line up to the next member: "Pressed {pressed}". */
static bool
put_piece(struct sq_people *people, struct sq_span *line, struct sq_err *err) {
    const struct sq_json *from = people->reply;
    struct sq_span words;
    struct sq_span name;
    struct sq_span object;
    struct sq_span text = { 0 };
    if (!sq_span_take_until(line, '{', &words)
        || !sq_span_take_until(line, '}', &name)) {
        words = *line;
        line->len = 0;
        return sq_page_put(&people->page, SQ_INK_STRONG, words, err);
    }
    while (sq_span_take_until(&name, '.', &object)) {
        from = sq_json_get_span(from, object);
    }
    if (!sq_json_string(sq_json_get_span(from, name), &text)) {
        words.len--; /* the space */
    }
    return sq_page_printf(&people->page, SQ_INK_STRONG, err, "%.*s%.*s",
                          SQ_SPAN_ARGS(words), SQ_SPAN_ARGS(text));
}

bool
sq_people_put_action(struct sq_people *people, const char *line,
                     struct sq_err *err) {
    struct sq_span rest = sq_span_of(line);
    bool ok = true;
    while (ok && rest.len > 0) {
        ok = put_piece(people, &rest, err);
    }
    return ok && sq_people_put_receipt(people, err);
}

static bool
show(const struct sq_tool *tool, struct sq_people *people, struct sq_err *err) {
    return tool->people.show
             ? tool->people.show(people, err)
             : sq_people_put_action(people, tool->people.line, err);
}

bool
sq_people_show_part(const struct sq_tool *tool, struct sq_people *people,
                    struct sq_err *err) {
    size_t before = people->page.out->len;
    return (!tool || show(tool, people, err))
        && (people->page.out->len > before
            || sq_page_printf(&people->page, SQ_INK_PLAIN, err, "done\n"))
        && put_remarks(people, err);
}

bool
sq_people_show(const struct sq_tool *tool, struct sq_people *people,
               struct sq_err *err) {
    if (!show(tool, people, err)) {
        return false;
    }
    struct sq_people notes = *people;
    if (tool->people.prints_data) { /* they do not mix with it */
        notes.page = (struct sq_page){ .out = people->aside };
    }
    struct sq_span note = sq_json_text_of(people->reply, "deviceNote");
    if (sq_span_starts_with(note, "demo phone")) {
        note = SQ_SPAN("No other device is attached: this is the demo phone.");
    }
    return put_remarks(&notes, err)
        && (note.len == 0 || sq_people_put_remark(&notes, note, err));
}

bool
sq_people_is_done(const struct sq_tool *tool, const struct sq_people *people) {
    return !tool->people.is_done || tool->people.is_done(people);
}

bool
sq_people_put_lines(struct sq_people *people, const char *list, enum sq_ink ink,
                    struct sq_err *err) {
    const struct sq_json *line =
        sq_json_first(sq_json_get(people->reply, list));
    bool ok = true;
    for (; ok && line; line = sq_json_next(line)) {
        struct sq_span text = { 0 };
        sq_json_string(line, &text);
        ok = sq_page_put(&people->page, ink, text, err)
          && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n");
    }
    return ok;
}

bool
sq_table_add_value(struct sq_table *table, enum sq_ink ink,
                   const struct sq_json *value, struct sq_err *err) {
    struct sq_span text = { 0 };
    bool is_true = false;
    if (sq_json_is(value, SQ_JSON_OBJECT)) {
        return sq_table_printf(table, ink, err, "%dx%d",
                               sq_json_int_of(value, "width"),
                               sq_json_int_of(value, "height"));
    }
    if (sq_json_bool(value, &is_true) && is_true) {
        text = sq_json_key(value);
    } else if (!sq_json_string(value, &text)) {
        sq_json_number(value, &text);
    }
    return sq_table_add(table, ink, text, err);
}

/* Adds the cells of one object. */
static bool
add_row(struct sq_table *table, const struct sq_member_column *column,
        const struct sq_json *object, struct sq_err *err) {
    bool ok = true;
    for (; ok && column->title; column++) {
        struct sq_span others = sq_span_of(column->member);
        const struct sq_json *value = NULL;
        struct sq_span name;
        while (!value && sq_span_take_until(&others, '|', &name)) {
            value = sq_json_get_span(object, name);
        }
        value = value ? value : sq_json_get_span(object, others);
        ok = sq_table_add_value(table, column->ink, value, err);
    }
    return ok;
}

/* Prints at most that many objects of a list, or one object. */
static bool
put_rows(struct sq_people *people, const struct sq_json *list, int most,
         const struct sq_member_column *columns, struct sq_err *err) {
    struct sq_column titles[SQ_TABLE_COLUMNS + 1] = { 0 };
    struct sq_table table = { .arena = people->arena, .columns = titles };
    for (size_t i = 0; i < SQ_TABLE_COLUMNS && columns[i].title; i++) {
        titles[i] =
            (struct sq_column){ columns[i].title, columns[i].is_number };
    }
    bool is_one = sq_json_is(list, SQ_JSON_OBJECT);
    bool ok = !is_one || add_row(&table, columns, list, err);
    for (const struct sq_json *item = is_one ? NULL : sq_json_first(list);
         ok && item && most > 0; item = sq_json_next(item), most--) {
        ok = add_row(&table, columns, item, err);
    }
    return ok && sq_table_print(&table, &people->page, err);
}

bool
sq_people_put_table(struct sq_people *people, const struct sq_json *list,
                    const struct sq_member_column *columns,
                    struct sq_err *err) {
    return put_rows(people, list, INT_MAX, columns, err);
}

/* Says how many parts of the picture are hidden. */
static bool
put_hidden(struct sq_people *people, const struct sq_json *info,
           struct sq_err *err) {
    int hidden = sq_json_int_of(info, "redacted");
    return hidden == 0
        || sq_page_printf(&people->page, SQ_INK_DOUBT, err,
                          "%d part%s of the picture %s hidden\n", hidden,
                          hidden == 1 ? "" : "s", hidden == 1 ? "is" : "are");
}

bool
sq_people_put_written(struct sq_people *people, const struct sq_json *info,
                      struct sq_err *err) {
    struct sq_page *page = &people->page;
    const struct sq_size seen = { sq_reply_int(info, "image", "width"),
                                  sq_reply_int(info, "image", "height") };
    struct sq_size size = people->size.width > 0 ? people->size : seen;
    int64_t bytes = people->bytes > 0 ? (int64_t)people->bytes
                                      : sq_json_int_of(info, "sizeBytes");
    /* The reply counts the tokens of the picture for the model. */
    bool is_seen = size.width == seen.width && size.height == seen.height;
    int tokens = is_seen ? sq_json_int_of(info, "tokens") : 0;
    char weight[SQ_BYTES_TEXT_SIZE];
    if (!people->file) {
        return put_hidden(people, info, err);
    }
    sq_bytes_text(bytes, weight);
    return sq_page_printf(page, SQ_INK_PLAIN, err, "Wrote ")
        && sq_page_printf(page, SQ_INK_STRONG, err, "%s", people->file)
        && (size.width == 0
            || sq_page_printf(page, SQ_INK_PLAIN, err, ": %dx%d pixels",
                              size.width, size.height))
        && (bytes == 0
            || sq_page_printf(page, SQ_INK_PLAIN, err, ", %s", weight))
        && (tokens == 0
            || sq_page_printf(page, SQ_INK_PLAIN, err, ", %d token%s", tokens,
                              sq_plural(tokens)))
        && sq_page_printf(page, SQ_INK_PLAIN, err, "\n")
        && put_hidden(people, info, err);
}

bool
sq_people_put_usage(struct sq_people *people, const struct sq_json *info,
                    struct sq_err *err) {
    bool is_region = sq_json_get(info, "region") != NULL;
    struct sq_span id = sq_json_text_of(info, "screenshotId");
    struct sq_span usage = sq_json_text_of(info, "usage");
    if (id.len == 0 || sq_json_get(info, "displayId")) {
        return true;
    }
    if (sq_span_find(usage, "--")) { /* the next command needs an option */
        return sq_people_put_remark(people, usage, err);
    }
    return is_region
             ? sq_page_printf(&people->page, SQ_INK_FAINT, err,
                              "To tap in this part of the screen, add "
                              "--screenshot-id %.*s.\n",
                              SQ_SPAN_ARGS(id))
             : sq_page_printf(&people->page, SQ_INK_FAINT, err,
                              "squint tap X Y now counts in the pixels of this "
                              "picture (%.*s).\n",
                              SQ_SPAN_ARGS(id));
}

static const struct sq_column element_columns[] = {
    { "X", true },      { "Y", true },   { "WHAT", false },
    { "LABEL", false }, { "ID", false }, { NULL, false },
};

/* Adds an element of compact form: "4 277,788 Button:checked Buy now". */
static bool
add_compact(struct sq_table *table, struct sq_span row, struct sq_err *err) {
    struct sq_span index;
    struct sq_span x;
    struct sq_span y;
    struct sq_span type;
    if (!sq_span_take_until(&row, ' ', &index)
        || !sq_span_take_until(&row, ',', &x)
        || !sq_span_take_until(&row, ' ', &y)) {
        return true;
    }
    if (!sq_span_take_until(&row, ' ', &type)) {
        type = row;
        row = (struct sq_span){ 0 };
    }
    struct sq_span id = row;
    bool by_id = sq_span_take_prefix(&id, "#");
    return sq_table_add(table, SQ_INK_STRONG, x, err)
        && sq_table_add(table, SQ_INK_STRONG, y, err)
        && sq_table_add(table, SQ_INK_FAINT, type, err)
        && sq_table_add(table, SQ_INK_PLAIN,
                        by_id ? (struct sq_span){ 0 } : row, err)
        && sq_table_add(table, SQ_INK_FAINT, by_id ? id : (struct sq_span){ 0 },
                        err);
}

bool
sq_people_put_elements(struct sq_people *people, struct sq_err *err) {
    struct sq_table table = { .arena = people->arena,
                              .columns = element_columns };
    bool ok = true;
    for (const struct sq_json *row =
             sq_json_first(sq_json_get(people->reply, "elements"));
         ok && row; row = sq_json_next(row)) {
        struct sq_span text;
        ok = !sq_json_string(row, &text) || add_compact(&table, text, err);
    }
    return ok && sq_table_print(&table, &people->page, err);
}

bool
sq_people_put_found(struct sq_people *people, const struct sq_json *list,
                    int most, struct sq_err *err) {
    /* The second names are those of alternatives in an error. */
    static const struct sq_member_column columns[] = {
        { "X", "centerX|x", SQ_INK_STRONG, true },
        { "Y", "centerY|y", SQ_INK_STRONG, true },
        { "WHAT", "className|type", SQ_INK_FAINT, false },
        { "LABEL", "text|label", SQ_INK_PLAIN, false },
        { "ID", "resourceId", SQ_INK_FAINT, false },
        { 0 },
    };
    return put_rows(people, list, most, columns, err);
}

bool
sq_people_put_point(struct sq_people *people, const struct sq_json *point,
                    struct sq_err *err) {
    struct sq_span x = { 0 }; /* as it was given; may have a fraction */
    struct sq_span y = { 0 };
    int device_x = sq_json_int_of(point, "deviceX");
    int device_y = sq_json_int_of(point, "deviceY");
    sq_json_number(sq_json_get(point, "x"), &x);
    sq_json_number(sq_json_get(point, "y"), &y);
    bool converted = device_x != sq_json_int_of(point, "x")
                  || device_y != sq_json_int_of(point, "y");
    return sq_page_printf(&people->page, SQ_INK_PLAIN, err, "%.*s,%.*s",
                          SQ_SPAN_ARGS(x), SQ_SPAN_ARGS(y))
        && (!converted
            || sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                              " (%d,%d on the device)", device_x, device_y));
}

/* Prints what changed; nothing if it was not compared. */
static bool
put_change(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *reply = people->reply;
    const struct sq_json *changed = sq_json_get(reply, "changed");
    struct sq_span reason = sq_json_text_of(reply, "reason");
    struct sq_page *page = &people->page;
    if (sq_json_is(changed, SQ_JSON_NULL)) {
        int ms = sq_json_int_of(reply, "watchedMs")
               + sq_json_int_of(reply, "lookedAfterMs"); /* one of them */
        return sq_page_printf(page, SQ_INK_DOUBT, err,
                              "; the screen did not change")
            && (ms == 0
                || sq_page_printf(page, SQ_INK_DOUBT, err, " in %.1f s",
                                  ms / 1000.0));
    }
    if (changed) {
        const bool is_list = sq_json_is(changed, SQ_JSON_ARRAY);
        bool ok = true;
        const char *before = "; the screen changed (";
        for (changed = is_list ? sq_json_first(changed) : changed;
             ok && changed; changed = is_list ? sq_json_next(changed) : NULL) {
            ok = sq_page_printf(page, SQ_INK_GOOD, err, "%s%dx%d at %d,%d",
                                before, sq_json_int_of(changed, "width"),
                                sq_json_int_of(changed, "height"),
                                sq_json_int_of(changed, "x"),
                                sq_json_int_of(changed, "y"));
            before = "; ";
        }
        return ok && sq_page_printf(page, SQ_INK_GOOD, err, ")");
    }
    return reason.len == 0
        || sq_page_printf(page, SQ_INK_DOUBT, err, "; not compared: %.*s",
                          SQ_SPAN_ARGS(reason));
}

/* Prints what appeared, disappeared and has a new state, one per line. */
static bool
put_words(struct sq_people *people, struct sq_err *err) {
    bool ok = true;
    for (const struct sq_json *line =
             sq_json_first(sq_json_get(people->reply, "now"));
         ok && line; line = sq_json_next(line)) {
        struct sq_span text = SQ_SPAN("");
        sq_json_string(line, &text);
        enum sq_ink ink = sq_span_starts_with(text, "+") ? SQ_INK_GOOD
                        : sq_span_starts_with(text, "-") ? SQ_INK_FAINT
                                                         : SQ_INK_PLAIN;
        ok = sq_page_printf(&people->page, ink, err, "  %.*s\n",
                            SQ_SPAN_ARGS(text));
    }
    return ok;
}

bool
sq_people_put_receipt(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *reply = people->reply;
    const struct sq_json *picture = sq_json_get(reply, "picture");
    struct sq_span more = sq_json_text_of(reply, "more");
    bool moving =
        sq_json_get(reply, "settled") && !sq_json_bool_of(reply, "settled");
    return put_change(people, err)
        && (!moving
            || sq_page_printf(&people->page, SQ_INK_DOUBT, err,
                              "; it is still changing"))
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n")
        && put_words(people, err) && sq_people_put_elements(people, err)
        && (more.len == 0
            || sq_page_printf(&people->page, SQ_INK_FAINT, err,
                              "  \xe2\x80\xa6 %.*s\n", SQ_SPAN_ARGS(more)))
        && sq_people_put_written(people, picture, err)
        && sq_people_put_usage(people, picture, err);
}
