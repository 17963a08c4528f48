/* Shows people devices, apps, elements and pictures of a screen. */
#include <limits.h>

#include "app/commands/people_private.h"
#include "app/print_message.h"

static const struct sq_column device_columns[] = {
    { "ID", false },    { "KIND", false }, { "NAME", false },
    { "STATE", false }, { "NOTE", false }, { NULL, false },
};

/* Appends the cell with a text of an object of the reply. */
static bool
add_text(struct sq_table *table, enum sq_ink ink, const struct sq_json *object,
         const char *key, struct sq_err *err) {
    return sq_table_add(table, ink, sq_json_text_of(object, key), err);
}

/* Prints what to do about devices that cannot be used. */
static bool
put_device_hints(struct sq_people *people, struct sq_err *err) {
    bool ok = true;
    for (const struct sq_json *device =
             sq_json_first(sq_json_get(people->reply, "devices"));
         ok && device; device = sq_json_next(device)) {
        struct sq_span id = sq_json_text_of(device, "id");
        struct sq_span hint = sq_json_text_of(device, "hint");
        ok = hint.len == 0
          || (sq_page_printf(&people->page, SQ_INK_DOUBT, err,
                             "%.*s: ", SQ_SPAN_ARGS(id))
              && sq_people_put_remark(people, hint, err));
    }
    return ok;
}

/*
 * Reports the lists that could not be read, on standard error. A program that
 * is not installed is not reported: squint doctor does that.
 */
static void
report_problems(const struct sq_people *people) {
    for (const struct sq_json *problem =
             sq_json_first(sq_json_get(people->reply, "problems"));
         problem; problem = sq_json_next(problem)) {
        struct sq_span kind = sq_json_text_of(problem, "kind");
        struct sq_span message = sq_json_text_of(problem, "message");
        struct sq_span hint = sq_json_text_of(problem, "suggestion");
        if (sq_span_is(sq_json_text_of(problem, "error"), "NOT_FOUND")) {
            continue;
        }
        sq_print_message("squint: %.*s: %.*s", SQ_SPAN_ARGS(kind),
                         SQ_SPAN_ARGS(message));
        if (hint.len > 0) {
            sq_print_message("  %.*s", SQ_SPAN_ARGS(hint));
        }
    }
}

bool
sq_show_devices(struct sq_people *people, struct sq_err *err) {
    struct sq_table table = { .arena = people->arena,
                              .columns = device_columns };
    const struct sq_json *devices = sq_json_get(people->reply, "devices");
    size_t count = sq_json_count(devices);
    bool ok =
        sq_page_printf(&people->page, SQ_INK_STRONG, err, "%zu device%s\n",
                       count, sq_plural((int64_t)count));
    for (const struct sq_json *device = sq_json_first(devices); ok && device;
         device = sq_json_next(device)) {
        struct sq_span state = sq_json_text_of(device, "state");
        enum sq_ink ink =
            sq_span_is(state, "online") ? SQ_INK_GOOD : SQ_INK_DOUBT;
        ok = add_text(&table, SQ_INK_STRONG, device, "id", err)
          && add_text(&table, SQ_INK_PLAIN, device, "kind", err)
          && add_text(&table, SQ_INK_PLAIN, device, "name", err)
          && sq_table_add(&table, ink, state, err)
          && add_text(&table, SQ_INK_PLAIN, device, "why", err);
    }
    report_problems(people);
    return ok && sq_table_print(&table, &people->page, err)
        && put_device_hints(people, err);
}

/* Returns whether the offset is beyond the last of `what` in the reply. */
static bool
is_beyond(const struct sq_json *reply, const char *what) {
    return sq_json_int_of(reply, "totalCount") > 0 && sq_json_get(reply, what)
        && sq_json_count(sq_json_get(reply, what)) == 0;
}

bool
sq_has_elements(const struct sq_json *reply) {
    return !is_beyond(reply, "elements");
}

bool
sq_has_apps(const struct sq_json *reply) {
    return !is_beyond(reply, "apps");
}

/* Prints "10 elements", or that there are no more. */
static bool
put_count(struct sq_people *people, const char *list, const char *what,
          int count, struct sq_err *err) {
    bool is_none = is_beyond(people->reply, list);
    return sq_page_printf(&people->page, is_none ? SQ_INK_DOUBT : SQ_INK_STRONG,
                          err, "%s%d %s%s",
                          !is_none     ? ""
                          : count == 1 ? "There is only "
                                       : "There are only ",
                          count, what, sq_plural(count));
}

/* Prints that there is more than is shown, and how to see it. */
static bool
put_more(struct sq_people *people, struct sq_err *err) {
    int offset = sq_json_int_of(people->reply, "offset");
    int shown = sq_json_int_of(people->reply, "count");
    int total = sq_json_int_of(people->reply, "totalCount");
    return !sq_reply_is_true(people->reply, "hasMore")
        || sq_page_printf(&people->page, SQ_INK_FAINT, err,
                          "%d of %d: --offset %d shows more.\n", shown, total,
                          offset + shown);
}

static const struct sq_column app_columns[] = {
    { "NAME", false },
    { "PACKAGE", false },
    { NULL, false },
};

bool
sq_show_apps(struct sq_people *people, struct sq_err *err) {
    struct sq_table table = { .arena = people->arena, .columns = app_columns };
    int total = sq_json_int_of(people->reply, "totalCount");
    bool ok = put_count(people, "apps", "app", total, err)
           && sq_people_put_device(people, err)
           && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n");
    for (const struct sq_json *app =
             sq_json_first(sq_json_get(people->reply, "apps"));
         ok && app; app = sq_json_next(app)) {
        ok = add_text(&table, SQ_INK_STRONG, app, "label", err)
          && add_text(&table, SQ_INK_PLAIN, app, "packageName", err);
    }
    return ok && sq_table_print(&table, &people->page, err)
        && put_more(people, err);
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

#define MAX_INDENT 40

/* Prints one node of the whole tree and those inside it. */
static bool
put_node(struct sq_people *people, const struct sq_json *node, int depth,
         struct sq_err *err) {
    struct sq_page *page = &people->page;
    struct sq_span type = sq_json_text_of(node, "className");
    struct sq_span text = sq_json_text_of(node, "text");
    struct sq_span id = sq_json_text_of(node, "resourceId");
    struct sq_span bounds = sq_json_text_of(node, "bounds");
    int indent = depth < MAX_INDENT ? depth : MAX_INDENT;
    bool ok = sq_page_printf(page, SQ_INK_PLAIN, err, "%*s", 2 + 2 * indent, "")
           && sq_page_put(page, SQ_INK_FAINT, type, err)
           && (text.len == 0
               || sq_page_printf(page, SQ_INK_STRONG, err, " \"%.*s\"",
                                 SQ_SPAN_ARGS(text)))
           && (id.len == 0
               || sq_page_printf(page, SQ_INK_PLAIN, err, " #%.*s",
                                 SQ_SPAN_ARGS(id)))
           && sq_page_printf(page, SQ_INK_FAINT, err, " %.*s\n",
                             SQ_SPAN_ARGS(bounds));
    for (const struct sq_json *child =
             sq_json_first(sq_json_get(node, "children"));
         ok && child; child = sq_json_next(child)) {
        ok = put_node(people, child, depth + 1, err);
    }
    return ok;
}

bool
sq_show_dump(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *tree = sq_json_get(people->reply, "tree");
    int total = sq_json_int_of(people->reply, "totalCount");
    int count = total ? total : sq_json_int_of(people->reply, "count");
    bool ok = (tree ? sq_page_printf(&people->page, SQ_INK_STRONG, err,
                                     "All nodes of the screen")
                    : put_count(people, "elements", "element", count, err))
           && sq_people_put_device(people, err)
           && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n")
           && sq_people_put_elements(people, err);
    for (const struct sq_json *node = sq_json_first(tree); ok && node;
         node = sq_json_next(node)) {
        ok = put_node(people, node, 0, err);
    }
    return ok && put_more(people, err);
}

/* Adds an element in the form of find, wait and alternatives. */
static bool
add_element(struct sq_table *table, const struct sq_json *element,
            struct sq_err *err) {
    bool listed = sq_json_get(element, "className") != NULL;
    return sq_table_printf(table, SQ_INK_STRONG, err, "%d",
                           sq_json_int_of(element, listed ? "centerX" : "x"))
        && sq_table_printf(table, SQ_INK_STRONG, err, "%d",
                           sq_json_int_of(element, listed ? "centerY" : "y"))
        && add_text(table, SQ_INK_FAINT, element, listed ? "className" : "type",
                    err)
        && add_text(table, SQ_INK_PLAIN, element, listed ? "text" : "label",
                    err)
        && add_text(table, SQ_INK_FAINT, element, "resourceId", err);
}

static bool
put_element_table(struct sq_people *people, const struct sq_json *list,
                  int most, struct sq_err *err) {
    struct sq_table table = { .arena = people->arena,
                              .columns = element_columns };
    bool ok = true;
    for (const struct sq_json *element = sq_json_first(list);
         ok && element && most > 0; element = sq_json_next(element)) {
        ok = add_element(&table, element, err);
        most--;
    }
    return ok && sq_table_print(&table, &people->page, err);
}

bool
sq_people_show_alternatives(struct sq_people *people, struct sq_err *err) {
    int equal = sq_json_int_of(people->reply, "equal");
    return put_element_table(people, sq_json_get(people->reply, "alternatives"),
                             equal > 0 ? equal : INT_MAX, err);
}

bool
sq_has_matches(const struct sq_json *reply) {
    return sq_json_int_of(reply, "count") > 0;
}

/* Prints where the picture is that find takes if nothing matches. */
static bool
put_fallback(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *fallback =
        sq_json_get(people->reply, "visualFallback");
    struct sq_span path = sq_json_text_of(fallback, "screenshotPath");
    if (people->file && !sq_span_is(path, people->file)) {
        return sq_people_put_written(people, fallback, err);
    }
    return path.len == 0
        || sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                          "A picture of the screen is in %.*s\n",
                          SQ_SPAN_ARGS(path));
}

bool
sq_show_find(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *elements = sq_json_get(people->reply, "elements");
    struct sq_page *page = &people->page;
    size_t shown = sq_json_count(elements);
    int count = sq_json_int_of(people->reply, "count");
    bool ok =
        (count > 0
             ? sq_page_printf(page, SQ_INK_STRONG, err, "%d element%s found",
                              count, sq_plural(count))
             : sq_page_printf(page, SQ_INK_DOUBT, err, "No element found"))
        && sq_people_put_device(people, err)
        && sq_page_printf(page, SQ_INK_PLAIN, err, "\n")
        && put_element_table(people, elements, INT_MAX, err);
    if (ok && (size_t)count > shown) {
        ok = sq_page_printf(page, SQ_INK_FAINT, err,
                            "%zu of %d: --limit %d shows all.\n", shown, count,
                            count);
    }
    if (ok && count == 0) {
        ok = sq_page_printf(page, SQ_INK_FAINT, err,
                            "TEXT is the whole label; --text-contains finds a "
                            "part of one, --ignore-case any capitals.\n");
    }
    return ok && put_fallback(people, err);
}

bool
sq_has_waited(const struct sq_json *reply) {
    return sq_reply_is_true(reply, "found")
        || sq_reply_is_true(reply, "settled");
}

#define LEAST_TENTH_MS 100 /* less would be "0.0 s" */

/* Prints " 2.5 s" or " 10 ms". */
static bool
put_duration(struct sq_page *page, enum sq_ink ink, int ms,
             struct sq_err *err) {
    return ms < LEAST_TENTH_MS
             ? sq_page_printf(page, ink, err, " %d ms", ms)
             : sq_page_printf(page, ink, err, " %.1f s", ms / 1000.0);
}

bool
sq_show_wait(struct sq_people *people, struct sq_err *err) {
    /* By whether it waited for a text, and whether it succeeded. */
    static const char *const outcomes[2][2] = {
        { "The screen kept changing for", "The screen is still after" },
        { "It did not appear within", "It appeared after" },
    };
    struct sq_page *page = &people->page;
    const struct sq_json *element = sq_json_get(people->reply, "element");
    struct sq_table table = { .arena = people->arena,
                              .columns = element_columns };
    bool done = sq_has_waited(people->reply);
    bool for_text = sq_json_get(people->reply, "found") != NULL;
    enum sq_ink ink = done ? SQ_INK_STRONG : SQ_INK_DOUBT;
    int waited_ms = sq_json_int_of(people->reply, "waitedMs");
    int limit_ms = sq_json_int_of(people->request, "timeoutMs");
    int shown_ms = for_text && !done && limit_ms > 0 ? limit_ms : waited_ms;
    return sq_page_printf(page, ink, err, "%s", outcomes[for_text][done])
        && put_duration(page, ink, shown_ms, err)
        && sq_people_put_device(people, err)
        && sq_page_printf(page, SQ_INK_PLAIN, err, "\n")
        && (!element || add_element(&table, element, err))
        && sq_table_print(&table, page, err);
}

static const struct sq_column display_columns[] = {
    { "DISPLAY", false },
    { "NAME", false },
    { NULL, false },
};

static bool
put_displays(struct sq_people *people, struct sq_err *err) {
    struct sq_table table = { .arena = people->arena,
                              .columns = display_columns };
    bool ok = true;
    for (const struct sq_json *display =
             sq_json_first(sq_json_get(people->reply, "displays"));
         ok && display; display = sq_json_next(display)) {
        ok = add_text(&table, SQ_INK_STRONG, display, "id", err)
          && add_text(&table, SQ_INK_PLAIN, display, "name", err);
    }
    return ok && sq_table_print(&table, &people->page, err);
}

/* Prints the elements of the form for iOS clients: by their middle. */
static bool
put_tappables(struct sq_people *people, struct sq_err *err) {
    struct sq_table table = { .arena = people->arena,
                              .columns = element_columns };
    const struct sq_json *list = sq_json_get(
        sq_json_get(people->reply, "interactiveElements"), "elements");
    bool ok = true;
    for (const struct sq_json *element = sq_json_first(list); ok && element;
         element = sq_json_next(element)) {
        int x = sq_reply_int(element, "bounds", "x");
        int y = sq_reply_int(element, "bounds", "y");
        int width = sq_reply_int(element, "bounds", "width");
        int height = sq_reply_int(element, "bounds", "height");
        ok = sq_table_printf(&table, SQ_INK_STRONG, err, "%d", x + width / 2)
          && sq_table_printf(&table, SQ_INK_STRONG, err, "%d", y + height / 2)
          && add_text(&table, SQ_INK_FAINT, element, "type", err)
          && add_text(&table, SQ_INK_PLAIN, element, "label", err)
          && add_text(&table, SQ_INK_FAINT, element, "identifier", err);
    }
    return ok && sq_table_print(&table, &people->page, err);
}

bool
sq_show_screenshot(struct sq_people *people, struct sq_err *err) {
    return sq_people_put_written(people, people->reply, err)
        && sq_people_put_elements(people, err) && put_tappables(people, err)
        && put_displays(people, err)
        && sq_people_put_usage(people, people->reply, err);
}

bool
sq_show_visual_snapshot(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *app = sq_json_get(people->reply, "app");
    struct sq_span package = sq_json_text_of(app, "packageName");
    struct sq_span activity = sq_json_text_of(app, "activityName");
    return sq_people_put_written(people, people->reply, err)
        && (package.len == 0
            || sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                              "In front: %.*s %.*s\n", SQ_SPAN_ARGS(package),
                              SQ_SPAN_ARGS(activity)))
        && sq_people_put_usage(people, people->reply, err);
}

bool
sq_show_accessibility_check(struct sq_people *people, struct sq_err *err) {
    static const struct {
        const char *quality;
        const char *sentence;
        enum sq_ink ink;
    } grades[] = {
        { "rich", "The elements describe this screen well", SQ_INK_GOOD },
        { "minimal", "This screen has hardly any elements", SQ_INK_DOUBT },
    };
    const struct sq_json *reply = people->reply;
    struct sq_span quality = sq_json_text_of(reply, "quality");
    const char *sentence = "The elements describe only a part of this screen";
    enum sq_ink ink = SQ_INK_DOUBT;
    for (size_t i = 0; i < sizeof(grades) / sizeof(grades[0]); i++) {
        if (sq_span_is(quality, grades[i].quality)) {
            sentence = grades[i].sentence;
            ink = grades[i].ink;
        }
    }
    return sq_page_printf(&people->page, ink, err, "%s", sentence)
        && sq_people_put_device(people, err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n")
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                          "  %d element%s: %d to tap (%d without a label), "
                          "%d with text, %d text field%s\n",
                          sq_json_int_of(reply, "totalElements"),
                          sq_plural(sq_json_int_of(reply, "totalElements")),
                          sq_json_int_of(reply, "clickableCount"),
                          sq_json_int_of(reply, "unlabeledClickableCount"),
                          sq_json_int_of(reply, "textCount"),
                          sq_json_int_of(reply, "textFieldCount"),
                          sq_plural(sq_json_int_of(reply, "textFieldCount")));
}
