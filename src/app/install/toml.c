/*
 * Entries of TOML files. Each is a table, appended at the end and removed as
 * whole lines. Scans only as much TOML as needed to know where a statement
 * begins and ends: strings, brackets and comments.
 */
#include <stdio.h>

#include "app/install/edit.h"

#define MAX_PATH_BYTES ((size_t)64 << 10)
#define SEPARATOR '\x1f' /* between the parts of a path */

/* A table's header or a pair of key and value. */
struct statement {
    bool is_header;
    size_t from;    /* its first byte */
    size_t key_end; /* of a header the end of all */
    size_t value;   /* of a pair */
    size_t to;      /* its end, without a comment */
};

/* Finds the end of a statement, and the first "=" in it. */
static bool
skip_statement(struct sq_span text, struct statement *out, struct sq_err *err) {
    int depth = 0; /* of brackets */
    size_t at = out->from;
    out->key_end = out->to = at;
    for (;;) {
        at = sq_install_skip_space(text, at, depth > 0);
        char byte = at < text.len ? text.ptr[at] : '\n';
        if (byte == '\n' || byte == '\r') {
            break;
        }
        if (byte == '"' || byte == '\'') {
            if (!sq_install_skip_string(text, &at, err)) {
                return false;
            }
        } else {
            depth +=
                (byte == '[' || byte == '{') - (byte == ']' || byte == '}');
            out->key_end =
                byte == '=' && out->key_end == out->from ? at : out->key_end;
            at++;
        }
        out->to = at;
    }
    return depth == 0
        || sq_install_fail_at(text, out->from, "a bracket is not closed", err);
}

/* Takes the next statement; *is_end if there is none. */
static bool
take_statement(struct sq_span text, size_t at, struct statement *out,
               bool *is_end, struct sq_err *err) {
    *out = (struct statement){ 0 };
    out->from = sq_install_skip_space(text, at, true);
    *is_end = out->from == text.len;
    if (*is_end || !skip_statement(text, out, err)) {
        return *is_end;
    }
    out->is_header = text.ptr[out->from] == '[';
    if (out->is_header) {
        out->key_end = out->to;
        return (out->to - out->from > 2 && text.ptr[out->to - 1] == ']')
            || sq_install_fail_at(text, out->from, "expected \"]\"", err);
    }
    if (out->key_end == out->from) {
        return sq_install_fail_at(text, out->from, "expected a key and \"=\"",
                                  err);
    }
    out->value = sq_install_skip_space(text, out->key_end + 1, false);
    return out->value < out->to
        || sq_install_fail_at(text, out->key_end, "expected a value", err);
}

/*
 * Appends the parts of a dotted key without quotes and spaces, each after a
 * separator.
 */
static bool
put_path(struct sq_span key, struct sq_buf *path, struct sq_err *err) {
    bool ok = sq_buf_append_byte(path, SEPARATOR, err);
    for (size_t at = 0; ok && at < key.len; at++) {
        char byte = key.ptr[at];
        size_t end = at;
        if (byte == '.') {
            ok = sq_buf_append_byte(path, SEPARATOR, err);
        } else if (byte == '"' || byte == '\'') {
            ok = sq_install_skip_string(key, &end, err)
              && sq_buf_append(path, key.ptr + at + 1, end - at - 2, err);
            at = end - 1;
        } else if (byte != ' ' && byte != '\t' && byte != '[' && byte != ']') {
            ok = sq_buf_append_byte(path, byte, err);
        }
    }
    return ok;
}

/* Removes the parts of a path that another has; false if it lacks one. */
static bool
take_parts(struct sq_span *path, const char *prefix) {
    struct sq_span rest = *path;
    if (!sq_span_take_prefix(&rest, prefix)
        || (rest.len > 0 && rest.ptr[0] != SEPARATOR)) {
        return false;
    }
    *path = rest;
    return true;
}

/* What is known while the statements are read. */
struct reader {
    struct sq_install_file *file;
    char section[128]; /* the path of all servers */
    char own[256];     /* the path of the entry */
    struct sq_buf table;
    struct sq_buf path; /* of the statement, with that of its table */
    /* The lines of the entry's tables. */
    struct {
        size_t from;
        size_t to;
    } ranges[SQ_INSTALL_MAX_SPLICES];
    size_t count;
};

static bool
fail_form(const struct reader *r, const struct statement *statement,
          struct sq_err *err) {
    return sq_install_fail_form(
        r->file->text, statement->from,
        "squint cannot edit servers that are not separate tables", err);
}

/* Records a setting of the entry: a pair, or a table of the entry's table. */
static bool
add_member(struct reader *r, const struct statement *statement,
           struct sq_span path, struct sq_err *err) {
    struct sq_install_member member = {
        .key_at = statement->from,
        .from = statement->value,
        .to = statement->to,
        .end = sq_install_line_end(r->file->text, statement->to),
    };
    sq_span_take_prefix(&path, "\x1f");
    if (sq_span_take_until(&path, SEPARATOR, &member.key)
        || statement->is_header) {
        member.value = SQ_SPAN("{");
    }
    member.key = member.key.ptr ? member.key : path;
    return sq_install_add_member(r->file, &member, err);
}

static bool
read_header(struct reader *r, const struct statement *statement,
            struct sq_err *err) {
    struct sq_span path = sq_buf_span(&r->path);
    bool is_array = r->file->text.ptr[statement->from + 1] == '[';
    if (!take_parts(&path, r->own)) {
        return !is_array || !take_parts(&path, r->section)
            || fail_form(r, statement, err);
    }
    bool is_own = path.len == 0;
    if (is_array || r->count == SQ_INSTALL_MAX_SPLICES
        || is_own != (r->count == 0)) {
        return fail_form(r, statement, err);
    }
    r->file->has_entry = true;
    r->ranges[r->count++].from = statement->from;
    return is_own || add_member(r, statement, path, err);
}

static bool
read_pair(struct reader *r, const struct statement *statement,
          struct sq_err *err) {
    struct sq_span table = sq_buf_span(&r->table);
    struct sq_span path = sq_buf_span(&r->path);
    bool is_section = take_parts(&path, r->section) && path.len == 0;
    path = sq_buf_span(&r->path);
    bool is_own = take_parts(&path, r->own);
    if (!take_parts(&table, r->own)) {
        return !(is_section || is_own) || fail_form(r, statement, err);
    }
    return table.len > 0 || add_member(r, statement, path, err);
}

static bool
read_statement(struct reader *r, const struct statement *statement,
               struct sq_err *err) {
    struct sq_span text = r->file->text;
    struct sq_span key = { text.ptr + statement->from,
                           statement->key_end - statement->from };
    struct sq_span table = sq_buf_span(&r->table);
    sq_buf_clear(&r->path);
    bool ok = (statement->is_header
               || sq_buf_append(&r->path, table.ptr, table.len, err))
           && put_path(key, &r->path, err)
           && (statement->is_header ? read_header(r, statement, err)
                                    : read_pair(r, statement, err));
    if (ok && statement->is_header) {
        sq_buf_clear(&r->table);
        ok = sq_buf_append(&r->table, r->path.data, r->path.len, err);
    }
    table = sq_buf_span(&r->table);
    if (ok && take_parts(&table, r->own)) {
        size_t end = sq_install_line_end(text, statement->to);
        end += end < text.len && text.ptr[end] == '\r';
        r->ranges[r->count - 1].to = end + (end < text.len);
    }
    return ok;
}

static bool
is_blank_line_before(struct sq_span text, size_t at) {
    struct sq_span before = { text.ptr, at };
    return sq_span_ends_with(before, "\n\n")
        || sq_span_ends_with(before, "\n\r\n");
}

/* Appends the table; one without settings is replaced. */
static bool
add_table(struct reader *r, struct sq_err *err) {
    struct sq_span text = r->file->text;
    const char *newline = r->file->newline;
    size_t from = r->count ? r->ranges[0].from : text.len;
    bool ends = text.len == 0 || text.ptr[text.len - 1] == '\n' || r->count;
    bool is_apart =
        text.len == 0 || is_blank_line_before(text, text.len) || r->count;
    char before[160];
    snprintf(before, sizeof(before), "%s%s[%s.", ends ? "" : newline,
             is_apart ? "" : newline, r->file->entry->client->section);
    const struct sq_install_layout layout = { .before = before,
                                              .after = newline,
                                              .unit = "" };
    return sq_install_plan_block(
        r->file, from, r->count ? r->ranges[0].to : text.len, &layout, err);
}

/* Keeps one of the empty lines around the entry; at the end of the file none.
 */
static bool
remove_tables(struct reader *r, struct sq_err *err) {
    struct sq_span text = r->file->text;
    bool ok = true;
    for (size_t i = 0; ok && i < r->count; i++) {
        bool is_alone;
        size_t to = r->ranges[i].to;
        size_t from = r->ranges[i].from;
        from -= sq_install_indent(text, from, &is_alone).len;
        struct sq_span rest = { text.ptr + to, text.len - to };
        if (to == text.len && is_blank_line_before(text, from)) {
            from--;
            from -= text.ptr[from - 1] == '\r';
        } else if ((from == 0 || is_blank_line_before(text, from))
                   && (sq_span_take_prefix(&rest, "\n")
                       || sq_span_take_prefix(&rest, "\r\n"))) {
            to = text.len - rest.len;
        }
        ok = sq_install_plan_text(r->file, from, to, "", err);
    }
    return ok;
}

static bool
plan(struct sq_install_file *file, bool removes, struct sq_err *err) {
    const struct sq_install_entry *entry = file->entry;
    struct reader r = { .file = file };
    struct statement statement = { 0 };
    bool is_end = false;
    bool ok = true;
    snprintf(r.section, sizeof(r.section), "\x1f%s", entry->client->section);
    snprintf(r.own, sizeof(r.own), "%s\x1f%s", r.section, entry->name);
    sq_buf_init(&r.table, MAX_PATH_BYTES);
    sq_buf_init(&r.path, MAX_PATH_BYTES);
    while (ok
           && take_statement(file->text, statement.to, &statement, &is_end, err)
           && !is_end) {
        ok = read_statement(&r, &statement, err);
    }
    ok = ok && is_end;
    if (ok && removes) {
        ok = remove_tables(&r, err);
    } else if (ok && file->member_count == 0) {
        ok = add_table(&r, err);
    }
    sq_buf_finish(&r.path);
    sq_buf_finish(&r.table);
    return ok;
}

const struct sq_install_format sq_install_toml = {
    .name = "TOML",
    .plan = plan,
    .quote = "",
    .assign = " = ",
    .open = "]",
    .comma = "",
};
