/* Shows people what was done to a device, and what it reported. */
#include <inttypes.h>

#include "app/commands/people_private.h"

/* Prints "Opened https://..." and the receipt. */
static bool
show_text(struct sq_people *people, const char *words, const char *member,
          struct sq_err *err) {
    struct sq_span text = sq_json_text_of(people->reply, member);
    return sq_page_printf(&people->page, SQ_INK_STRONG, err, "%s%s%.*s", words,
                          text.len > 0 ? " " : "", SQ_SPAN_ARGS(text))
        && sq_people_put_receipt(people, err);
}

bool
sq_show_open(struct sq_people *people, struct sq_err *err) {
    return show_text(people, "Opened", "opened", err);
}

bool
sq_show_permission(struct sq_people *people, struct sq_err *err) {
    bool is_granted = sq_json_get(people->reply, "granted");
    bool is_revoked = sq_json_get(people->reply, "revoked");
    return is_granted ? show_text(people, "Granted", "granted", err)
         : is_revoked ? show_text(people, "Revoked", "revoked", err)
                      : show_text(people, "Reset", "reset", err);
}

bool
sq_show_reset(struct sq_people *people, struct sq_err *err) {
    return show_text(people, "Deleted the data of", "reset", err);
}

bool
sq_show_rotate(struct sq_people *people, struct sq_err *err) {
    return show_text(people, "Rotated:", "orientation", err);
}

bool
sq_show_appearance(struct sq_people *people, struct sq_err *err) {
    return show_text(people, "Changed the appearance", "", err);
}

bool
sq_show_location(struct sq_people *people, struct sq_err *err) {
    return show_text(people, "Set the location to", "location", err);
}

bool
sq_show_wake(struct sq_people *people, struct sq_err *err) {
    return show_text(people, "The screen is on and unlocked", "", err);
}

bool
sq_show_install(struct sq_people *people, struct sq_err *err) {
    return show_text(people, "Installed", "installed", err);
}

bool
sq_show_uninstall(struct sq_people *people, struct sq_err *err) {
    return show_text(people, "Uninstalled", "uninstalled", err);
}

bool
sq_show_video(struct sq_people *people, struct sq_err *err) {
    struct sq_span path = sq_json_text_of(people->reply, "path");
    return path.len > 0 ? sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                                         "Wrote %.*s\n", SQ_SPAN_ARGS(path))
                        : show_text(people, "Recording", "", err);
}

/* Prints a text of the device without its control characters. */
static bool
put_foreign(struct sq_people *people, struct sq_span text, struct sq_err *err) {
    return sq_page_put(&people->page, SQ_INK_PLAIN, text, err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n");
}

bool
sq_show_clipboard(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *clipboard = sq_json_get(people->reply, "clipboard");
    if (!clipboard) {
        return sq_page_printf(&people->page, SQ_INK_STRONG, err,
                              "Set the clipboard")
            && sq_people_put_device(people, err)
            && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n");
    }
    if (sq_json_is(clipboard, SQ_JSON_NULL)) {
        return sq_page_printf(&people->page, SQ_INK_FAINT, err,
                              "The clipboard is empty\n");
    }
    return put_foreign(people, sq_json_text_of(people->reply, "clipboard"),
                       err);
}

bool
sq_show_notifications(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *list = sq_json_get(people->reply, "notifications");
    const struct sq_json *one = sq_json_first(list);
    bool ok = true;
    if (!list) {
        return show_text(people, "Opened the notifications", "", err);
    }
    if (!one) {
        return sq_page_printf(&people->page, SQ_INK_FAINT, err,
                              "No notifications\n");
    }
    for (; ok && one; one = sq_json_next(one)) {
        struct sq_span title = sq_json_text_of(one, "title");
        struct sq_span text = sq_json_text_of(one, "text");
        struct sq_span package = sq_json_text_of(one, "packageName");
        ok = sq_page_printf(&people->page, SQ_INK_STRONG, err, "%.*s",
                            SQ_SPAN_ARGS(title))
          && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "%s%.*s",
                            text.len > 0 ? ": " : "", SQ_SPAN_ARGS(text))
          && sq_page_printf(&people->page, SQ_INK_FAINT, err, " (%.*s)\n",
                            SQ_SPAN_ARGS(package));
    }
    return ok;
}

static bool
put_lines(struct sq_people *people, const char *member, enum sq_ink ink,
          struct sq_err *err) {
    const struct sq_json *line =
        sq_json_first(sq_json_get(people->reply, member));
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
sq_show_logs(struct sq_people *people, struct sq_err *err) {
    return put_lines(people, "crashes", SQ_INK_DOUBT, err)
        && put_lines(people, "lines", SQ_INK_PLAIN, err);
}

static const struct sq_column fact_columns[] = {
    { "WHAT", false },
    { "VALUE", false },
    { NULL, false },
};

/* Members of the reply that the first line shows, or nothing. */
static bool
is_in_title(struct sq_span key) {
    return sq_span_is(key, "model") || sq_span_is(key, "deviceId")
        || sq_span_is(key, "deviceNote");
}

/* Adds a name as words: "battery percent" for batteryPercent. */
static bool
add_words(struct sq_table *table, struct sq_span name, struct sq_err *err) {
    char words[64];
    size_t used = 0;
    for (size_t i = 0; i < name.len && used + 2 < sizeof(words); i++) {
        char lower = sq_ascii_lower(name.ptr[i]);
        if (lower != name.ptr[i]) {
            words[used++] = ' ';
        }
        words[used++] = lower;
    }
    return sq_table_add(table, SQ_INK_FAINT, (struct sq_span){ words, used },
                        err);
}

/* Adds a row for a text or a number; nothing for other values. */
static bool
add_fact(struct sq_table *table, const struct sq_json *member,
         struct sq_err *err) {
    struct sq_span text = { 0 };
    int64_t number = 0;
    if (sq_json_int(member, &number)) {
        return add_words(table, sq_json_key(member), err)
            && sq_table_printf(table, SQ_INK_PLAIN, err, "%" PRId64, number);
    }
    return is_in_title(sq_json_key(member)) || !sq_json_string(member, &text)
        || (add_words(table, sq_json_key(member), err)
            && sq_table_add(table, SQ_INK_PLAIN, text, err));
}

bool
sq_show_info(struct sq_people *people, struct sq_err *err) {
    struct sq_table table = { .arena = people->arena, .columns = fact_columns };
    struct sq_span model = sq_json_text_of(people->reply, "model");
    bool ok = sq_page_put(&people->page, SQ_INK_STRONG,
                          model.len > 0 ? model : SQ_SPAN("A device"), err)
           && sq_people_put_device(people, err)
           && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n");
    for (const struct sq_json *member = sq_json_first(people->reply);
         ok && member; member = sq_json_next(member)) {
        ok = add_fact(&table, member, err);
    }
    return ok && sq_table_print(&table, &people->page, err);
}
