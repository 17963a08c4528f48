/* Formats a JSON answer as text and tables. */
#include "app/commands/show.h"

#include <string.h>

#include "json/writer.h"

#define MAX_COLUMNS 12
#define MAX_CELL_BYTES 4096
#define MAX_WIDTH 48 /* width of a column; longer cells are cut */
#define MAX_LINE 72  /* width of texts in one line; else one per line */

/*
 * Writes a JSON string without its quotes and with \" and \\ unescaped; keeps
 * other escapes.
 */
static bool
put_unquoted(const struct sq_buf *quoted, struct sq_buf *out,
             struct sq_err *err) {
    bool ok = true;
    for (size_t i = 1; ok && i + 1 < quoted->len; i++) {
        const uint8_t *at = quoted->data + i;
        if (at[0] == '\\' && (at[1] == '"' || at[1] == '\\')) {
            at++;
            i++;
        }
        ok = sq_buf_append(out, at, 1, err);
    }
    return ok;
}

/* Writes text with control characters escaped. */
static bool
put_safe(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    struct sq_buf quoted;
    struct sq_json_writer w;
    sq_buf_init(&quoted, MAX_CELL_BYTES);
    sq_json_writer_init(&w, &quoted);
    sq_json_put_untrusted(&w, text);
    bool ok = sq_json_writer_done(&w, err) && put_unquoted(&quoted, out, err);
    sq_buf_finish(&quoted);
    return ok;
}

static bool put_value(const struct sq_json *value, struct sq_buf *out,
                      struct sq_err *err);

/* Writes an object as "left=1 top=2", a list as "a, b". */
static bool
put_items(const struct sq_json *value, struct sq_buf *out, struct sq_err *err) {
    bool is_object = sq_json_is(value, SQ_JSON_OBJECT);
    const char *between = is_object ? " " : ", ";
    bool ok = true;
    for (const struct sq_json *item = sq_json_first(value); ok && item;
         item = sq_json_next(item)) {
        ok = (item == sq_json_first(value)
              || sq_buf_append(out, between, strlen(between), err))
          && (!is_object
              || (put_safe(sq_json_key(item), out, err)
                  && sq_buf_append(out, "=", 1, err)))
          && put_value(item, out, err);
    }
    return ok;
}

static bool
put_value(const struct sq_json *value, struct sq_buf *out, struct sq_err *err) {
    struct sq_span text;
    bool truth;
    if (sq_json_string(value, &text)) {
        text.len =
            text.len < MAX_CELL_BYTES / 8 ? text.len : MAX_CELL_BYTES / 8;
        return put_safe(text, out, err);
    }
    if (sq_json_number(value, &text)) {
        return sq_buf_append(out, text.ptr, text.len, err);
    }
    if (sq_json_bool(value, &truth)) {
        return sq_buf_printf(out, err, "%s", truth ? "yes" : "no");
    }
    return put_items(value, out, err);
}

/* Returns the number of characters; continuation bytes do not count. */
static size_t
width_of(const struct sq_buf *text) {
    size_t width = 0;
    for (size_t i = 0; i < text->len; i++) {
        width += (text->data[i] & 0xc0) != 0x80;
    }
    return width;
}

static void
cut(struct sq_buf *text, size_t width) {
    size_t seen = 0;
    for (size_t i = 0; i < text->len; i++) {
        seen += (text->data[i] & 0xc0) != 0x80;
        if (seen > width) {
            text->len = i;
            return;
        }
    }
}

/* Writes a value padded to width; the last cell of a line is not padded. */
static bool
put_cell(const struct sq_json *value, size_t width, bool is_last,
         struct sq_buf *out, struct sq_err *err) {
    struct sq_buf text;
    sq_buf_init(&text, (size_t)1 << 20);
    bool ok = !value || put_value(value, &text, err);
    if (ok && !is_last) {
        cut(&text, width);
    }
    size_t used = ok ? width_of(&text) : 0;
    size_t fill = !is_last && used < width ? width - used : 0;
    ok = ok && (text.len == 0 || sq_buf_append(out, text.data, text.len, err))
      && (is_last || sq_buf_printf(out, err, "%*s  ", (int)fill, ""));
    sq_buf_finish(&text);
    return ok;
}

struct column {
    struct sq_span key;
    size_t width;
};

struct table {
    const struct sq_json *rows;
    struct column columns[MAX_COLUMNS];
    size_t count;
};

static const struct sq_json *
member_of(const struct sq_json *row, struct sq_span key) {
    for (const struct sq_json *member = sq_json_first(row); member;
         member = sq_json_next(member)) {
        if (sq_span_equal(sq_json_key(member), key)) {
            return member;
        }
    }
    return NULL;
}

static struct column *
column_of(struct table *table, struct sq_span key) {
    for (size_t i = 0; i < table->count; i++) {
        if (sq_span_equal(table->columns[i].key, key)) {
            return &table->columns[i];
        }
    }
    if (table->count == MAX_COLUMNS) {
        return NULL;
    }
    table->columns[table->count] = (struct column){ key, key.len };
    return &table->columns[table->count++];
}

/* Finds the columns in order of appearance, and their widths. */
static bool
measure(struct table *table, struct sq_err *err) {
    struct sq_buf text;
    sq_buf_init(&text, (size_t)1 << 20);
    bool ok = true;
    for (const struct sq_json *row = sq_json_first(table->rows); ok && row;
         row = sq_json_next(row)) {
        for (const struct sq_json *member = sq_json_first(row); ok && member;
             member = sq_json_next(member)) {
            struct column *column = column_of(table, sq_json_key(member));
            sq_buf_clear(&text);
            ok = !column || put_value(member, &text, err);
            size_t width = ok ? width_of(&text) : 0;
            width = width < MAX_WIDTH ? width : MAX_WIDTH;
            if (column && width > column->width) {
                column->width = width;
            }
        }
    }
    sq_buf_finish(&text);
    return ok;
}

static bool
put_table(const struct sq_json *rows, struct sq_buf *out, struct sq_err *err) {
    struct table table = { .rows = rows };
    bool ok = measure(&table, err);
    for (size_t i = 0; ok && i < table.count; i++) {
        const struct column *column = &table.columns[i];
        bool is_last = i + 1 == table.count;
        ok = sq_buf_printf(out, err, "%s", i ? "" : "  ")
          && put_safe(column->key, out, err)
          && (is_last
              || sq_buf_printf(out, err, "%*s  ",
                               (int)(column->width - column->key.len), ""));
    }
    ok = ok && sq_buf_append(out, "\n", 1, err);
    for (const struct sq_json *row = sq_json_first(rows); ok && row;
         row = sq_json_next(row)) {
        ok = sq_buf_append(out, "  ", 2, err);
        for (size_t i = 0; ok && i < table.count; i++) {
            ok = put_cell(member_of(row, table.columns[i].key),
                          table.columns[i].width, i + 1 == table.count, out,
                          err);
        }
        ok = ok && sq_buf_append(out, "\n", 1, err);
    }
    return ok;
}

static bool
is_table(const struct sq_json *value) {
    return sq_json_is(value, SQ_JSON_ARRAY)
        && sq_json_is(sq_json_first(value), SQ_JSON_OBJECT);
}

/*
 * Returns whether a list of texts needs one line per text: they contain commas
 * or are too long for one line.
 */
static bool
is_list(const struct sq_json *value) {
    size_t width = 0;
    bool has_comma = false;
    if (!sq_json_is(value, SQ_JSON_ARRAY)) {
        return false;
    }
    for (const struct sq_json *item = sq_json_first(value); item;
         item = sq_json_next(item)) {
        struct sq_span text;
        if (!sq_json_string(item, &text)) {
            return false;
        }
        width += text.len + 2;
        has_comma = has_comma || sq_span_contains(text, ',');
    }
    return has_comma || width > MAX_LINE;
}

static bool
put_list(const struct sq_json *list, struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    for (const struct sq_json *item = sq_json_first(list); ok && item;
         item = sq_json_next(item)) {
        ok = sq_buf_append(out, "  ", 2, err) && put_value(item, out, err)
          && sq_buf_append(out, "\n", 1, err);
    }
    return ok;
}

/* Writes a value of several lines below its name. */
typedef bool put_block_fn(const struct sq_json *value, struct sq_buf *out,
                          struct sq_err *err);

static put_block_fn *
block_of(const struct sq_json *value) {
    return is_table(value) ? put_table : is_list(value) ? put_list : NULL;
}

static size_t
longest_key(const struct sq_json *object) {
    size_t longest = 0;
    for (const struct sq_json *member = sq_json_first(object); member;
         member = sq_json_next(member)) {
        size_t len = sq_json_key(member).len;
        if (!block_of(member) && len > longest) {
            longest = len;
        }
    }
    return longest < MAX_WIDTH ? longest : MAX_WIDTH;
}

bool
sq_show(const struct sq_json *object, struct sq_buf *out, struct sq_err *err) {
    size_t width = longest_key(object);
    bool ok = true;
    for (const struct sq_json *member = sq_json_first(object); ok && member;
         member = sq_json_next(member)) {
        struct sq_span key = sq_json_key(member);
        put_block_fn *put_block = block_of(member);
        if (put_block) {
            ok = put_safe(key, out, err) && sq_buf_append(out, "\n", 1, err)
              && put_block(member, out, err);
            continue;
        }
        size_t fill = key.len < width ? width - key.len : 0;
        ok = put_safe(key, out, err)
          && sq_buf_printf(out, err, "%*s  ", (int)fill, "")
          && put_cell(member, 0, true, out, err)
          && sq_buf_append(out, "\n", 1, err);
    }
    return ok;
}
