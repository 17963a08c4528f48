/*
 * Edits entries of a TOML file. Each is a table, appended at the end and
 * removed as whole lines. Scans only as much TOML as needed to know where a
 * statement begins and ends: strings, brackets and comments.
 */
#include <string.h>

#include "app/install/install.h"
#include "util/utf8.h"

/* A table's header or a pair of key and value, with its lines. */
struct statement {
    bool is_header; /* [key] or [[key]] */
    struct sq_span key;
    struct sq_span value; /* of a pair */
    size_t start;         /* start of its first line */
    size_t end;           /* end of its last line, with the line end */
};

static bool
is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static size_t
end_of_line(struct sq_span text, size_t at) {
    const char *end = memchr(text.ptr + at, '\n', text.len - at);
    return end ? (size_t)(end - text.ptr) : text.len;
}

/* Skips a string in one or three quotes of either kind. */
static bool
skip_string(struct sq_span text, size_t *at, struct sq_err *err) {
    char quote = text.ptr[*at];
    const char three[] = { quote, quote, quote, '\0' };
    struct sq_span rest = { text.ptr + *at, text.len - *at };
    bool is_long = sq_span_starts_with(rest, three);
    size_t quotes = is_long ? 3 : 1;
    for (size_t i = quotes; i < rest.len; i++) {
        struct sq_span here = { rest.ptr + i, rest.len - i };
        if (here.ptr[0] == '\n' && !is_long) {
            break;
        }
        if (sq_span_starts_with(here, is_long ? three : three + 2)) {
            i += quotes;
            /* Up to two quotes may precede the closing three. */
            while (is_long && i < rest.len && rest.ptr[i] == quote) {
                i++;
            }
            *at += i;
            return true;
        }
        i += here.ptr[0] == '\\' && quote == '"';
    }
    return sq_install_fail_at(text, *at, "this string is not closed", err);
}

/*
 * Skips to the end of the statement's last line. *equals is the first "=" and
 * *last the end of what stands before a comment.
 */
static bool
skip_statement(struct sq_span text, size_t *at, size_t *equals, size_t *last,
               struct sq_err *err) {
    size_t start = *at;
    int depth = 0; /* of brackets */
    *equals = *last = *at;
    while (*at < text.len && (depth > 0 || text.ptr[*at] != '\n')) {
        char byte = text.ptr[*at];
        if (byte == '#') {
            *at = end_of_line(text, *at);
            continue;
        }
        if (byte == '"' || byte == '\'') {
            if (!skip_string(text, at, err)) {
                return false;
            }
            *last = *at;
            continue;
        }
        depth += (byte == '[' || byte == '{') - (byte == ']' || byte == '}');
        *equals = byte == '=' && *equals == start ? *at : *equals;
        *at += 1;
        *last = is_blank(byte) || byte == '\n' ? *last : *at;
    }
    return depth == 0
        || sq_install_fail_at(text, start, "a bracket is not closed", err);
}

/* Takes the next statement; sets *is_end if there is none. */
static bool
take_statement(struct sq_span text, size_t *at, struct statement *out,
               bool *is_end, struct sq_err *err) {
    size_t equals;
    size_t last;
    *out = (struct statement){ .start = *at };
    while (*at < text.len
           && (is_blank(text.ptr[*at]) || text.ptr[*at] == '\n'
               || text.ptr[*at] == '#')) {
        *at = text.ptr[*at] == '#' ? end_of_line(text, *at) : *at + 1;
        out->start = text.ptr[*at - 1] == '\n' ? *at : out->start;
    }
    size_t first = *at;
    *is_end = first >= text.len;
    if (*is_end || !skip_statement(text, at, &equals, &last, err)) {
        return *is_end;
    }
    *at += *at < text.len;
    out->end = *at;
    out->is_header = text.ptr[first] == '[';
    out->key =
        (struct sq_span){ text.ptr + first,
                          out->is_header ? last - first : equals - first };
    if (out->is_header) {
        return (last - first > 2 && text.ptr[last - 1] == ']')
            || sq_install_fail_at(text, first, "expected \"]\"", err);
    }
    if (out->key.len == 0) {
        return sq_install_fail_at(text, first, "expected a key and \"=\"", err);
    }
    out->value = sq_span_trim(
        (struct sq_span){ text.ptr + equals + 1, last - equals - 1 });
    return out->value.len > 0
        || sq_install_fail_at(text, equals, "expected a value", err);
}

/* The first parts of a dotted key; further ones are only counted. */
struct key {
    struct sq_span parts[3];
    size_t count;
};

/* Takes the next part of a dotted key, without its quotes. */
static bool
take_part(struct sq_span *rest, struct sq_span *part) {
    *rest = sq_span_trim(*rest);
    if (rest->len == 0) {
        return false;
    }
    const char quote[] = { rest->ptr[0], '\0' };
    bool is_quoted = (quote[0] == '"' || quote[0] == '\'')
                  && sq_span_take_prefix(rest, quote)
                  && sq_span_take_until(rest, quote[0], part);
    struct sq_span bare = *rest;
    if (!sq_span_take_until(rest, '.', &bare)) {
        rest->len = 0;
    }
    *part = is_quoted ? *part : sq_span_trim(bare);
    return true;
}

static struct key
read_key(struct sq_span text) {
    struct key key = { .count = 0 };
    struct sq_span part;
    for (; take_part(&text, &part); key.count++) {
        if (key.count < sizeof(key.parts) / sizeof(key.parts[0])) {
            key.parts[key.count] = part;
        }
    }
    return key;
}

/* Reads the key of [key] or [[key]]. */
static struct key
read_header(struct sq_span header, bool *is_array) {
    *is_array = sq_span_starts_with(header, "[[");
    size_t brackets = *is_array && header.len > 4 ? 2 : 1;
    return read_key(
        (struct sq_span){ header.ptr + brackets, header.len - 2 * brackets });
}

#define MAX_RANGES 16

/* What a file contains about the entry. */
struct file {
    /* Its table and subtables, each from its header to its end. */
    struct {
        size_t start;
        size_t end;
    } ranges[MAX_RANGES];
    size_t count;
    bool has_pairs; /* in the main table, which is the first */
    /* The command and the arguments; without a value there are none. */
    struct statement pairs[SQ_INSTALL_ARGS + 1];
};

static bool
key_begins(const struct key *key, const struct sq_install_entry *entry) {
    return key->count >= 2 && sq_span_is(key->parts[0], entry->client->section)
        && sq_span_is(key->parts[1], entry->name);
}

static bool
fail_unsupported(struct sq_span text, const struct statement *statement,
                 struct sq_err *err) {
    sq_install_fail_at(
        text, statement->start,
        "squint cannot edit servers that are not separate tables", err);
    if (err) {
        err->code = SQ_ERR_UNSUPPORTED;
    }
    return false;
}

/* Records the header of a table, whose key becomes *table. */
static bool
record_header(const struct sq_install_entry *entry, struct sq_span text,
              const struct statement *statement, struct key *table,
              struct file *file, struct sq_err *err) {
    bool is_array;
    *table = read_header(statement->key, &is_array);
    if (!key_begins(table, entry)) {
        return !is_array || !sq_span_is(table->parts[0], entry->client->section)
            || fail_unsupported(text, statement, err);
    }
    bool is_own = table->count == 2;
    if (is_array || file->count == MAX_RANGES || is_own != (file->count == 0)) {
        return fail_unsupported(text, statement, err);
    }
    file->ranges[file->count].start = statement->start;
    file->ranges[file->count++].end = statement->end;
    return is_own || sq_install_keep_key(entry, table->parts[2], err);
}

/* Records a pair of the main table. */
static bool
record_pair(const struct sq_install_entry *entry,
            const struct statement *statement, const struct key *key,
            struct file *file, struct sq_err *err) {
    file->has_pairs = true;
    if (key->count > 1) {
        return sq_install_keep_key(entry, key->parts[0], err);
    }
    for (int i = SQ_INSTALL_COMMAND; i <= SQ_INSTALL_ARGS; i++) {
        enum sq_install_kind kind = (enum sq_install_kind)i;
        if (sq_span_is(key->parts[0], sq_install_field_of(entry, kind)->key)) {
            file->pairs[i] = *statement;
        }
    }
    return sq_install_keep(entry, key->parts[0], statement->value, err);
}

/*
 * Returns whether a pair defines the servers in a form that tables cannot
 * extend.
 */
static bool
is_unsupported_form(const struct key *table, const struct key *key,
                    const struct sq_install_entry *entry) {
    if (table->count == 0) {
        return sq_span_is(key->parts[0], entry->client->section)
            && (key->count == 1 || key_begins(key, entry));
    }
    return table->count == 1
        && sq_span_is(table->parts[0], entry->client->section)
        && sq_span_is(key->parts[0], entry->name);
}

static bool
scan_file(const struct sq_install_entry *entry, struct sq_span text,
          struct file *file, struct sq_err *err) {
    struct key table = { .count = 0 };
    struct statement statement;
    bool is_end = false;
    size_t at = 0;
    size_t valid = sq_utf8_valid_len(text);
    bool ok = valid == text.len
           || sq_install_fail_at(text, valid, "not valid UTF-8", err);
    *file = (struct file){ 0 };
    while (ok && take_statement(text, &at, &statement, &is_end, err)
           && !is_end) {
        const struct key key = read_key(statement.key);
        if (statement.is_header) {
            ok = record_header(entry, text, &statement, &table, file, err);
        } else if (key_begins(&table, entry)) {
            file->ranges[file->count - 1].end = statement.end;
            ok = table.count > 2
              || record_pair(entry, &statement, &key, file, err);
        } else if (is_unsupported_form(&table, &key, entry)) {
            ok = fail_unsupported(text, &statement, err);
        }
    }
    return ok && is_end;
}

static bool
put_table(const struct sq_install_entry *entry, const char *newline,
          struct sq_buf *out, struct sq_err *err) {
    const struct sq_install_field *field = entry->client->fields;
    bool ok = sq_buf_printf(out, err, "[%s.%s]%s", entry->client->section,
                            entry->name, newline);
    for (; ok && field->key; field++) {
        ok = sq_buf_printf(out, err, "%s = ", field->key)
          && sq_install_put_value(entry, field, out, err)
          && sq_buf_printf(out, err, "%s", newline);
    }
    return ok;
}

static bool
is_blank_line_before(struct sq_span text, size_t at) {
    size_t i = at;
    if (i > 0 && text.ptr[i - 1] == '\n') {
        i--;
        i -= i > 0 && text.ptr[i - 1] == '\r' ? 1 : 0;
        return i > 0 && text.ptr[i - 1] == '\n';
    }
    return false;
}

static bool
append_table(const struct sq_install_entry *entry, struct sq_span text,
             struct sq_buf *out, struct sq_err *err) {
    const char *newline = sq_install_newline(text);
    bool ends_with_newline = text.len == 0 || text.ptr[text.len - 1] == '\n';
    bool has_blank_line = text.len == 0 || is_blank_line_before(text, text.len);
    return sq_install_put(out, text, err)
        && (ends_with_newline || sq_buf_printf(out, err, "%s", newline))
        && (has_blank_line || sq_buf_printf(out, err, "%s", newline))
        && put_table(entry, newline, out, err);
}

/* Corrects the table that is there; other settings of it stay. */
static bool
change_table(const struct file *file, const struct sq_install_entry *entry,
             struct sq_span text, struct sq_buf *out,
             enum sq_install_change *change, struct sq_err *err) {
    struct sq_install_splice splices[2] = { 0 };
    const struct statement *command = &file->pairs[SQ_INSTALL_COMMAND];
    if (!command->value.ptr) {
        return sq_install_fail_entry(entry, err);
    }
    for (int i = SQ_INSTALL_COMMAND; i <= SQ_INSTALL_ARGS; i++) {
        const struct sq_install_field *field =
            sq_install_field_of(entry, (enum sq_install_kind)i);
        struct sq_span value = file->pairs[i].value;
        if (!value.ptr) {
            struct sq_span indent = { text.ptr + command->start, 0 };
            while (is_blank(indent.ptr[indent.len])) {
                indent.len++;
            }
            sq_install_add_line(&splices[i], field, text, command->end, indent,
                                " = ");
        } else if (!sq_install_plan(&splices[i], entry, field, text, value,
                                    err)) {
            return false;
        }
    }
    return sq_install_put_splices(entry, text, splices, out, change, err);
}

static bool
toml_add(const struct sq_install_entry *entry, struct sq_span text,
         struct sq_buf *out, enum sq_install_change *change,
         struct sq_err *err) {
    struct file file;
    if (!scan_file(entry, text, &file, err)) {
        return false;
    }
    if (file.count == 0) {
        *change = SQ_INSTALL_ADDED;
        return append_table(entry, text, out, err);
    }
    *change = SQ_INSTALL_REPLACED;
    if (file.has_pairs) {
        return change_table(&file, entry, text, out, change, err);
    }
    return sq_install_put_part(out, text, 0, file.ranges[0].start, err)
        && put_table(entry, sq_install_newline(text), out, err)
        && sq_install_put_part(out, text, file.ranges[0].end, text.len, err);
}

static size_t
skip_blank_line(struct sq_span text, size_t at) {
    size_t i = at;
    i += i < text.len && text.ptr[i] == '\r' ? 1 : 0;
    return i < text.len && text.ptr[i] == '\n' ? i + 1 : at;
}

static bool
toml_remove(const struct sq_install_entry *entry, struct sq_span text,
            struct sq_buf *out, enum sq_install_change *change,
            struct sq_err *err) {
    struct file file;
    if (!scan_file(entry, text, &file, err)) {
        return false;
    }
    *change = file.count ? SQ_INSTALL_REMOVED : SQ_INSTALL_UNCHANGED;
    size_t done = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < file.count; i++) {
        size_t start = file.ranges[i].start;
        size_t end = file.ranges[i].end;
        /*
         * Keep one of the empty lines around the entry; at the end of the file
         * none.
         */
        if (end == text.len && is_blank_line_before(text, start)) {
            start--;
            start -= start > 0 && text.ptr[start - 1] == '\r' ? 1 : 0;
        } else if (start == 0 || is_blank_line_before(text, start)) {
            end = skip_blank_line(text, end);
        }
        ok = sq_install_put_part(out, text, done, start, err);
        done = end;
    }
    return ok && sq_install_put_part(out, text, done, text.len, err);
}

const struct sq_install_editor sq_install_toml = { toml_add, toml_remove };
