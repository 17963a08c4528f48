/* Shows what was read in the pixels of a screen. */
#include <stdio.h>

#include "app/commands/people_private.h"

bool
sq_has_text(const struct sq_json *reply) {
    return sq_json_count(sq_json_get(reply, "lines")) > 0;
}

bool
sq_show_ocr(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *lines = sq_json_get(people->reply, "lines");
    int count = (int)sq_json_count(lines);
    bool ok = (count > 0 ? sq_page_printf(&people->page, SQ_INK_STRONG, err,
                                          "%d line%s", count, sq_plural(count))
                         : sq_page_printf(&people->page, SQ_INK_DOUBT, err,
                                          "No text found"))
           && sq_people_put_device(people, err)
           && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n");
    for (const struct sq_json *line = sq_json_first(lines); ok && line;
         line = sq_json_next(line)) {
        struct sq_span text;
        ok = !sq_json_string(line, &text)
          || (sq_page_put(&people->page, SQ_INK_PLAIN, text, err)
              && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n"));
    }
    return ok;
}

static bool
add_match(struct sq_table *table, const struct sq_json *match,
          struct sq_err *err) {
    char place[2][16];
    snprintf(place[0], sizeof(place[0]), "%d",
             (int)sq_json_int_of(match, "centerX"));
    snprintf(place[1], sizeof(place[1]), "%d",
             (int)sq_json_int_of(match, "centerY"));
    return sq_table_add(table, SQ_INK_STRONG, sq_span_of(place[0]), err)
        && sq_table_add(table, SQ_INK_STRONG, sq_span_of(place[1]), err)
        && sq_table_add(table, SQ_INK_PLAIN, sq_json_text_of(match, "line"),
                        err);
}

bool
sq_show_visual_find_text(struct sq_people *people, struct sq_err *err) {
    static const struct sq_column columns[] = {
        { "X", true }, { "Y", true }, { "LINE", false }, { NULL, false }
    };
    struct sq_table table = { .arena = people->arena, .columns = columns };
    int count = (int)sq_json_int_of(people->reply, "count");
    const struct sq_json *nearest = sq_json_get(people->reply, "nearest");
    bool ok =
        (count > 0
             ? sq_page_printf(&people->page, SQ_INK_STRONG, err,
                              "%d place%s found", count, sq_plural(count))
             : sq_page_printf(&people->page, SQ_INK_DOUBT, err, "Not found"))
        && sq_people_put_device(people, err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "%s\n",
                          nearest ? "; the most similar text is:" : "");
    for (const struct sq_json *match =
             sq_json_first(sq_json_get(people->reply, "matches"));
         ok && match; match = sq_json_next(match)) {
        ok = add_match(&table, match, err);
    }
    ok = ok && (!nearest || add_match(&table, nearest, err));
    return ok && sq_table_print(&table, &people->page, err);
}

static bool
put_count(struct sq_people *people, const char *what, const char *none,
          struct sq_err *err) {
    int count = (int)sq_json_int_of(people->reply, "count");
    return (count > 0
                ? sq_page_printf(&people->page, SQ_INK_STRONG, err, "%d %s%s",
                                 count, what, sq_plural(count))
                : sq_page_printf(&people->page, SQ_INK_DOUBT, err, "%s", none))
        && sq_people_put_device(people, err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n");
}

/* Adds a member as it is written in the reply; empty if it is missing. */
static bool
add_number(struct sq_table *table, const struct sq_json *row, const char *key,
           struct sq_err *err) {
    struct sq_span number = { "", 0 };
    sq_json_number(sq_json_get(row, key), &number);
    return sq_table_add(table, SQ_INK_STRONG, number, err);
}

bool
sq_show_visual_find_image(struct sq_people *people, struct sq_err *err) {
    static const struct sq_column columns[] = {
        { "X", true },     { "Y", true },     { "SCALE", true },
        { "SCORE", true }, { "TIER", false }, { NULL, false }
    };
    struct sq_table table = { .arena = people->arena, .columns = columns };
    bool ok = put_count(people, "place", "Not found", err);
    for (const struct sq_json *hit =
             sq_json_first(sq_json_get(people->reply, "hits"));
         ok && hit; hit = sq_json_next(hit)) {
        ok = add_number(&table, hit, "centerX", err)
          && add_number(&table, hit, "centerY", err)
          && add_number(&table, hit, "scale", err)
          && add_number(&table, hit, "score", err)
          && sq_table_add(&table, SQ_INK_PLAIN, sq_json_text_of(hit, "tier"),
                          err);
    }
    return ok && sq_table_print(&table, &people->page, err);
}

bool
sq_show_remember(struct sq_people *people, struct sq_err *err) {
    static const struct sq_column columns[] = {
        { "NAME", false }, { "WIDTH", true },   { "HEIGHT", true },
        { "APP", false },  { "BESIDE", false }, { NULL, false }
    };
    struct sq_table table = { .arena = people->arena, .columns = columns };
    bool ok = put_count(people, "remembered picture",
                        "No picture is remembered", err);
    for (const struct sq_json *row =
             sq_json_first(sq_json_get(people->reply, "remembered"));
         ok && row; row = sq_json_next(row)) {
        ok = sq_table_add(&table, SQ_INK_STRONG, sq_json_text_of(row, "name"),
                          err)
          && add_number(&table, row, "width", err)
          && add_number(&table, row, "height", err)
          && sq_table_add(&table, SQ_INK_PLAIN, sq_json_text_of(row, "app"),
                          err)
          && sq_table_add(&table, SQ_INK_PLAIN, sq_json_text_of(row, "beside"),
                          err);
    }
    return ok && sq_table_print(&table, &people->page, err);
}

bool
sq_show_forget(struct sq_people *people, struct sq_err *err) {
    struct sq_span name = sq_json_text_of(people->reply, "forgotten");
    return sq_page_printf(&people->page, SQ_INK_STRONG, err, "Forgotten: ")
        && sq_page_put(&people->page, SQ_INK_PLAIN, name, err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n");
}
