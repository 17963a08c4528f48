/* Shows people what screenshot and find answer. */
#include "tools/screen/show.h"

#include <limits.h>

/* Prints the elements of the form for iOS clients: by their middle. */
static bool
put_tappables(struct sq_people *people, struct sq_err *err) {
    static const struct sq_column columns[] = {
        { "X", true },      { "Y", true },   { "WHAT", false },
        { "LABEL", false }, { "ID", false }, { NULL, false },
    };
    struct sq_table table = { .arena = people->arena, .columns = columns };
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
          && sq_table_add(&table, SQ_INK_FAINT,
                          sq_json_text_of(element, "type"), err)
          && sq_table_add(&table, SQ_INK_PLAIN,
                          sq_json_text_of(element, "label"), err)
          && sq_table_add(&table, SQ_INK_FAINT,
                          sq_json_text_of(element, "identifier"), err);
    }
    return ok && sq_table_print(&table, &people->page, err);
}

bool
sq_show_screenshot(struct sq_people *people, struct sq_err *err) {
    static const struct sq_member_column displays[] = {
        { "DISPLAY", "id", SQ_INK_STRONG, false },
        { "NAME", "name", SQ_INK_PLAIN, false },
        { 0 },
    };
    return sq_people_put_written(people, people->reply, err)
        && sq_people_put_elements(people, err) && put_tappables(people, err)
        && sq_people_put_table(people, sq_json_get(people->reply, "displays"),
                               displays, err)
        && sq_people_put_usage(people, people->reply, err);
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
        && sq_people_end_line(people, err)
        && sq_people_put_found(people, elements, INT_MAX, err);
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
