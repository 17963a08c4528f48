/*
 * Edits entries of a TOML file. Each is a table, appended at the end and
 * removed as whole lines. Parses only as much TOML as needed to find where
 * tables begin and end.
 */
#include <stdio.h>
#include <string.h>

#include "app/install/install.h"
#include "util/limits.h"
#include "util/utf8.h"

#define MAX_PARTS 8

struct scan {
    struct sq_span text;
    size_t at;
    int depth;
};

/* A dotted key; parts beyond MAX_PARTS are only counted. */
struct key {
    struct sq_span parts[MAX_PARTS];
    size_t count;
};

enum kind {
    TABLE,  /* [key] */
    TABLES, /* [[key]] */
    PAIR,   /* key = value */
};

struct statement {
    enum kind kind;
    struct key key;
    struct sq_span value; /* for PAIR */
    size_t start;         /* start of its first line */
    size_t end;           /* end of its last line, with the line end */
};

static bool scan_value(struct scan *s, struct sq_err *err);

static char
peek(const struct scan *s, size_t ahead) {
    return s->at + ahead < s->text.len ? s->text.ptr[s->at + ahead] : '\0';
}

static bool
fail_here(const struct scan *s, const char *what, struct sq_err *err) {
    return sq_install_fail_at(s->text, s->at, what, err);
}

static void
skip_blanks(struct scan *s) {
    while (peek(s, 0) == ' ' || peek(s, 0) == '\t') {
        s->at++;
    }
}

static void
skip_comment(struct scan *s) {
    if (peek(s, 0) == '#') {
        while (s->at < s->text.len && peek(s, 0) != '\n') {
            s->at++;
        }
    }
}

/* Skips blanks, comments and line ends between the items of an array. */
static void
skip_lines(struct scan *s) {
    size_t before;
    do {
        before = s->at;
        skip_blanks(s);
        skip_comment(s);
        while (peek(s, 0) == '\n' || peek(s, 0) == '\r') {
            s->at++;
        }
    } while (s->at > before);
}

static bool
is_bare(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
        || (byte >= '0' && byte <= '9') || byte == '-' || byte == '_';
}

static bool
starts_with(const struct scan *s, const char *three) {
    return peek(s, 0) == three[0] && peek(s, 1) == three[1]
        && peek(s, 2) == three[2];
}

/* Scans a string in one or three quotes of either kind. */
static bool
scan_text(struct scan *s, struct sq_err *err) {
    size_t start = s->at;
    char quote = peek(s, 0);
    const char three[] = { quote, quote, quote, '\0' };
    bool is_long = starts_with(s, three);
    s->at += is_long ? 3 : 1;
    while (s->at < s->text.len) {
        char byte = peek(s, 0);
        if (byte == quote && (!is_long || starts_with(s, three))) {
            s->at += is_long ? 3 : 1;
            /* Up to two quotes may precede the closing three. */
            while (is_long && peek(s, 0) == quote) {
                s->at++;
            }
            return true;
        }
        if (byte == '\n' && !is_long) {
            break;
        }
        s->at += byte == '\\' && quote == '"' ? 2 : 1;
    }
    return sq_install_fail_at(s->text, start, "this string is not closed", err);
}

static bool
scan_key_part(struct scan *s, struct sq_span *out, struct sq_err *err) {
    size_t start = s->at;
    if (peek(s, 0) == '"' || peek(s, 0) == '\'') {
        if (!scan_text(s, err)) {
            return false;
        }
        *out = (struct sq_span){ s->text.ptr + start + 1, s->at - start - 2 };
        return true;
    }
    while (is_bare(peek(s, 0))) {
        s->at++;
    }
    *out = (struct sq_span){ s->text.ptr + start, s->at - start };
    return out->len > 0 || fail_here(s, "expected a key", err);
}

static bool
scan_key(struct scan *s, struct key *key, struct sq_err *err) {
    bool more = true;
    key->count = 0;
    while (more) {
        struct sq_span part;
        skip_blanks(s);
        if (!scan_key_part(s, &part, err)) {
            return false;
        }
        if (key->count < MAX_PARTS) {
            key->parts[key->count] = part;
        }
        key->count++;
        skip_blanks(s);
        more = peek(s, 0) == '.';
        s->at += more ? 1 : 0;
    }
    return true;
}

/* Scans what follows an item: a comma, or the end of its container. */
static bool
scan_comma(struct scan *s, char end, struct sq_err *err) {
    skip_lines(s);
    if (peek(s, 0) == ',') {
        s->at++;
        skip_lines(s);
    } else if (peek(s, 0) != end) {
        return fail_here(s,
                         end == ']' ? "expected \",\" or \"]\""
                                    : "expected \",\" or \"}\"",
                         err);
    }
    return true;
}

static bool
scan_list(struct scan *s, struct sq_err *err) {
    s->at++;
    skip_lines(s);
    while (peek(s, 0) != ']') {
        if (!scan_value(s, err) || !scan_comma(s, ']', err)) {
            return false;
        }
    }
    s->at++;
    return true;
}

static bool
scan_inline_table(struct scan *s, struct sq_err *err) {
    s->at++;
    skip_lines(s);
    while (peek(s, 0) != '}') {
        struct key ignored;
        if (!scan_key(s, &ignored, err)) {
            return false;
        }
        if (peek(s, 0) != '=') {
            return fail_here(s, "expected \"=\"", err);
        }
        s->at++;
        skip_blanks(s);
        if (!scan_value(s, err) || !scan_comma(s, '}', err)) {
            return false;
        }
    }
    s->at++;
    return true;
}

static bool
is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/* Returns whether this is the space between a date and its time. */
static bool
is_in_date(const struct scan *s, size_t start) {
    return peek(s, 0) == ' ' && s->at == start + sizeof("1979-05-27") - 1
        && is_digit(peek(s, 1)) && peek(s, 3) == ':';
}

static bool
is_in_word(char byte) {
    return is_bare(byte) || byte == '+' || byte == '.' || byte == ':';
}

/* Scans a number, a date, true, false, inf or nan. */
static bool
scan_word(struct scan *s, struct sq_err *err) {
    size_t start = s->at;
    while (is_in_word(peek(s, 0)) || is_in_date(s, start)) {
        s->at++;
    }
    struct sq_span word = { s->text.ptr + start, s->at - start };
    char first = word.len ? word.ptr[0] : '\0';
    if (is_digit(first) || first == '+' || first == '-'
        || sq_span_is(word, "true") || sq_span_is(word, "false")
        || sq_span_is(word, "inf") || sq_span_is(word, "nan")) {
        return true;
    }
    return sq_install_fail_at(s->text, start, "expected a value", err);
}

static bool
scan_value(struct scan *s, struct sq_err *err) {
    bool ok;
    if (++s->depth > SQ_MAX_JSON_DEPTH) {
        return fail_here(s, "nested too deeply", err);
    }
    switch (peek(s, 0)) {
    case '"':
    case '\'':
        ok = scan_text(s, err);
        break;
    case '[':
        ok = scan_list(s, err);
        break;
    case '{':
        ok = scan_inline_table(s, err);
        break;
    default:
        ok = scan_word(s, err);
        break;
    }
    s->depth--;
    return ok;
}

static bool
scan_header(struct scan *s, struct statement *out, struct sq_err *err) {
    bool is_array = peek(s, 1) == '[';
    out->kind = is_array ? TABLES : TABLE;
    s->at += is_array ? 2 : 1;
    if (!scan_key(s, &out->key, err)) {
        return false;
    }
    bool is_closed = peek(s, 0) == ']' && (!is_array || peek(s, 1) == ']');
    if (!is_closed) {
        return fail_here(s, "expected \"]\"", err);
    }
    s->at += is_array ? 2 : 1;
    return true;
}

static bool
scan_pair(struct scan *s, struct statement *out, struct sq_err *err) {
    out->kind = PAIR;
    if (!scan_key(s, &out->key, err)) {
        return false;
    }
    if (peek(s, 0) != '=') {
        return fail_here(s, "expected \"=\"", err);
    }
    s->at++;
    skip_blanks(s);
    size_t start = s->at;
    if (!scan_value(s, err)) {
        return false;
    }
    out->value = (struct sq_span){ s->text.ptr + start, s->at - start };
    return true;
}

static size_t
line_start(struct sq_span text, size_t at) {
    while (at > 0 && text.ptr[at - 1] != '\n') {
        at--;
    }
    return at;
}

/* Scans the next statement; sets *is_end if there is none. */
static bool
scan_statement(struct scan *s, struct statement *out, bool *is_end,
               struct sq_err *err) {
    skip_lines(s);
    *is_end = s->at >= s->text.len;
    if (*is_end) {
        return true;
    }
    out->start = line_start(s->text, s->at);
    bool ok =
        peek(s, 0) == '[' ? scan_header(s, out, err) : scan_pair(s, out, err);
    if (!ok) {
        return false;
    }
    skip_blanks(s);
    skip_comment(s);
    s->at += peek(s, 0) == '\r' ? 1 : 0;
    if (s->at < s->text.len && peek(s, 0) != '\n') {
        return fail_here(s, "expected the end of the line", err);
    }
    s->at += s->at < s->text.len ? 1 : 0;
    out->end = s->at;
    return true;
}

#define MAX_RANGES 16

/* What a file contains about the entry. */
struct file {
    /*
     * The ranges of its table and subtables, each from its header to its end.
     */
    struct {
        size_t start;
        size_t end;
    } ranges[MAX_RANGES];
    size_t count;
    bool has_table; /* the first range is the main table */
    bool has_pairs; /* in the main table */
    /* The command and the arguments; without a value there are none. */
    struct statement pairs[SQ_INSTALL_ARGS + 1];
};

static bool
key_begins(const struct key *key, const struct sq_install_entry *entry) {
    return key->count >= 2 && sq_span_is(key->parts[0], entry->client->section)
        && sq_span_is(key->parts[1], entry->name);
}

static bool
fail_unsupported(const struct scan *s, const struct statement *statement,
                 struct sq_err *err) {
    int line = 1;
    for (size_t i = 0; i < statement->start; i++) {
        line += s->text.ptr[i] == '\n';
    }
    return sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "line %d: squint cannot edit servers that are not separate "
                   "tables",
                   line);
}

static bool
record_header(const struct scan *s, const struct sq_install_entry *entry,
              const struct statement *statement, struct file *file,
              struct sq_err *err) {
    if (!key_begins(&statement->key, entry)) {
        return statement->kind == TABLE
            || !sq_span_is(statement->key.parts[0], entry->client->section)
            || fail_unsupported(s, statement, err);
    }
    bool is_own = statement->key.count == 2;
    if (statement->kind == TABLES || file->count == MAX_RANGES
        || is_own != (file->count == 0)) {
        return fail_unsupported(s, statement, err);
    }
    file->has_table = true;
    file->ranges[file->count].start = statement->start;
    file->ranges[file->count].end = statement->end;
    file->count++;
    return is_own || sq_install_keep_key(entry, statement->key.parts[2], err);
}

/* Records a pair of one of our tables; in_own: of the main table. */
static bool
record_pair(const struct sq_install_entry *entry,
            const struct statement *statement, bool in_own, struct file *file,
            struct sq_err *err) {
    struct sq_span key = statement->key.parts[0];
    file->ranges[file->count - 1].end = statement->end;
    if (!in_own) {
        return true;
    }
    file->has_pairs = true;
    if (statement->key.count > 1) {
        return sq_install_keep_key(entry, key, err);
    }
    for (int i = SQ_INSTALL_COMMAND; i <= SQ_INSTALL_ARGS; i++) {
        if (sq_span_is(
                key,
                sq_install_field_of(entry, (enum sq_install_kind)i)->key)) {
            file->pairs[i] = *statement;
        }
    }
    return sq_install_keep(entry, key, statement->value, err);
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
    struct scan s = { .text = text };
    struct key table = { .count = 0 };
    bool is_end = false;
    size_t valid = sq_utf8_valid_len(text);
    *file = (struct file){ 0 };
    if (valid < text.len) {
        return sq_install_fail_at(text, valid, "not valid UTF-8", err);
    }
    while (!is_end) {
        struct statement statement = { 0 };
        if (!scan_statement(&s, &statement, &is_end, err)) {
            return false;
        }
        if (is_end) {
            break;
        }
        if (statement.kind != PAIR) {
            table = statement.key;
            if (!record_header(&s, entry, &statement, file, err)) {
                return false;
            }
        } else if (key_begins(&table, entry)) {
            if (!record_pair(entry, &statement, table.count == 2, file, err)) {
                return false;
            }
        } else if (is_unsupported_form(&table, &statement.key, entry)) {
            return fail_unsupported(&s, &statement, err);
        }
    }
    return true;
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
            struct scan line = { .text = text, .at = command->start };
            skip_blanks(&line);
            struct sq_span indent = { text.ptr + command->start,
                                      line.at - command->start };
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
    if (!file.has_table) {
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
    *change = file.has_table ? SQ_INSTALL_REMOVED : SQ_INSTALL_UNCHANGED;
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
