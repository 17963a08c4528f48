/* Shows people past screenshots: what their operations share. */
#include "tools/archive/archived_shot.h"

#include <stdio.h>

bool
sq_has_shots(const struct sq_people *people) {
    const struct sq_json *months =
        sq_json_get(sq_json_get(people->reply, "available"), "months");
    return sq_json_count(sq_json_get(people->reply, "screenshots")) > 0
        || sq_json_count(months) > 0;
}

static const struct sq_column shot_columns[] = {
    { "CELL", true },       { "TIME", false },   { "SIZE", false },
    { "MONITOR", true },    { "FOLDER", false }, { "ACTIVITY", false },
    { "REFERENCE", false }, { NULL, false },
};

/* Returns a member of a shot, or of the members that all shots share. */
static const struct sq_json *
fact(const struct sq_json *reply, const struct sq_json *shot,
     const char *name) {
    const struct sq_json *own = sq_json_get(shot, name);
    return own ? own : sq_json_get(sq_json_get(reply, "common"), name);
}

bool
sq_people_put_shots(struct sq_people *people, struct sq_err *err) {
    struct sq_table table = { .arena = people->arena,
                              .columns = shot_columns,
                              .whole = "REFERENCE" };
    bool ok = true;
    for (const struct sq_json *shot =
             sq_json_first(sq_json_get(people->reply, "screenshots"));
         ok && shot; shot = sq_json_next(shot)) {
        const struct sq_json *reply = people->reply;
        int64_t width = 0;
        int64_t height = 0;
        bool has_size = sq_json_int(fact(reply, shot, "width"), &width)
                     && sq_json_int(fact(reply, shot, "height"), &height);
        ok = sq_table_add_value(&table, SQ_INK_PLAIN, sq_json_get(shot, "cell"),
                                err)
          && sq_table_add(&table, SQ_INK_STRONG,
                          sq_json_text_of(shot, "displayLocalTime"), err)
          && (has_size ? sq_table_printf(&table, SQ_INK_PLAIN, err, "%dx%d",
                                         (int)width, (int)height)
                       : sq_table_add(&table, SQ_INK_PLAIN,
                                      (struct sq_span){ 0 }, err))
          && sq_table_add_value(&table, SQ_INK_PLAIN,
                                fact(reply, shot, "monitor"), err)
          && sq_table_add_value(&table, SQ_INK_PLAIN, fact(reply, shot, "root"),
                                err)
          && sq_table_add(&table, SQ_INK_PLAIN,
                          sq_json_text_of(shot, "activity"), err)
          && sq_table_add(&table, SQ_INK_FAINT,
                          sq_json_text_of(shot, "screenshotRef"), err);
    }
    return ok && sq_table_print(&table, &people->page, err);
}

/* Prints "from 2026-01-02 00:00 to 2026-01-03 00:00", if dates were given. */
static bool
put_window(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *window = sq_json_get(people->reply, "window");
    struct sq_span from = sq_json_text_of(window, "from");
    struct sq_span to = sq_json_text_of(window, "to");
    const int minutes = 16; /* of "2026-01-02T03:04:05+01:00" */
    if (from.len < (size_t)minutes || to.len < (size_t)minutes) {
        return true;
    }
    return sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                          " from %.10s %.5s to %.10s %.5s", from.ptr,
                          from.ptr + 11, to.ptr, to.ptr + 11);
}

bool
sq_people_put_shot_total(struct sq_people *people, size_t shown,
                         struct sq_err *err) {
    const struct sq_json *reply = people->reply;
    int total = sq_reply_int(reply, "truncation", "totalAvailable");
    total = total > 0 ? total : (int)shown;
    enum sq_ink ink = total > 0 ? SQ_INK_STRONG : SQ_INK_DOUBT;
    bool is_search = sq_json_get(reply, "search") != NULL;
    return (total > 0
                ? sq_page_printf(&people->page, ink, err, "%d screenshot%s",
                                 total, sq_plural(total))
                : sq_page_printf(&people->page, ink, err, "No screenshot%s",
                                 is_search ? " shows this text" : "s"))
        && put_window(people, err)
        && (shown == 0 || (size_t)total <= shown
            || sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                              ", %zu of them shown", shown))
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n");
}

/* Prints "A folder of screenshots is missing (/mnt/shots)". */
static bool
put_problem(struct sq_people *people, const struct sq_json *found,
            struct sq_err *err) {
    struct sq_span message = sq_json_text_of(found, "message");
    struct sq_span folder = sq_json_text_of(found, "folder");
    if (message.len == 0) {
        return true;
    }
    if (folder.len > 0 && message.ptr[message.len - 1] == '.') {
        message.len--;
    }
    return sq_page_printf(&people->page, SQ_INK_DOUBT, err, "%.*s%s%.*s%s\n",
                          SQ_SPAN_ARGS(message), folder.len > 0 ? " (" : "",
                          SQ_SPAN_ARGS(folder), folder.len > 0 ? ")" : "");
}

bool
sq_people_put_diagnostics(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *found = sq_json_get(people->reply, "diagnostics");
    return put_problem(people, found, err)
        && sq_people_put_remark(people,
                                sq_json_text_of(found, "remediationHint"), err)
        && sq_people_put_remark(people, sq_json_text_of(found, "uncheckedNote"),
                                err);
}

bool
sq_people_put_read_as(struct sq_people *people, const struct sq_json *reply,
                      struct sq_err *err) {
    char text[512];
    struct sq_span how = sq_json_text_of(reply, "readAs");
    if (how.len == 0 || sq_span_is(how, "in the system's zone")) {
        return true;
    }
    snprintf(text, sizeof(text), "How the time was read: %.*s.",
             SQ_SPAN_ARGS(how));
    return sq_people_put_remark(people, sq_span_of(text), err);
}

bool
sq_show_shot(struct sq_people *people, struct sq_err *err) {
    struct sq_span time = sq_json_text_of(people->reply, "displayLocalTime");
    return (time.len == 0
            || sq_page_printf(&people->page, SQ_INK_STRONG, err,
                              "Screenshot of %.*s\n", SQ_SPAN_ARGS(time)))
        && sq_people_put_written(people, people->reply, err);
}

bool
sq_show_sheet(struct sq_people *people, struct sq_err *err) {
    size_t shown = sq_json_count(sq_json_get(people->reply, "screenshots"));
    const struct sq_json *search = sq_json_get(people->reply, "search");
    return sq_people_put_shot_total(people, shown, err)
        && sq_people_put_written(people, people->reply, err)
        && sq_people_put_shots(people, err)
        && sq_people_put_diagnostics(people, err)
        && sq_people_put_read_as(people, search, err)
        && sq_people_put_remark(people, sq_json_text_of(search, "note"), err);
}
