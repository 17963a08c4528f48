/*
 * Edits entries of a YAML file, which are whole lines of a block. Files that
 * use brackets are not edited.
 */
#include <stdio.h>
#include <string.h>

#include "app/install/install.h"
#include "config/yaml.h"

#define MAX_ARGUMENTS 4096

#define MAX_TREE_BYTES ((size_t)32 << 20)

struct file {
    struct sq_span text;
    const struct sq_yaml *root;    /* NULL: empty file */
    const struct sq_yaml *section; /* NULL: none */
    const struct sq_yaml *found;   /* NULL: none */
};

/*
 * Returns whether the text has line ends that only YAML recognises, which would
 * make our line numbers wrong.
 */
static bool
has_other_line_breaks(struct sq_span text) {
    static const char *const line_breaks[] = { "\xc2\x85", "\xe2\x80\xa8",
                                               "\xe2\x80\xa9" };
    struct sq_span rest = text;
    for (; rest.len > 0; rest.ptr++, rest.len--) {
        for (size_t i = 0; i < sizeof(line_breaks) / sizeof(line_breaks[0]);
             i++) {
            if (sq_span_starts_with(rest, line_breaks[i])) {
                return true;
            }
        }
        if (rest.ptr[0] == '\r' && (rest.len == 1 || rest.ptr[1] != '\n')) {
            return true;
        }
    }
    return false;
}

/* Returns the offset of a line; lines start at 1. */
static size_t
offset_of_line(struct sq_span text, int line) {
    size_t at = 0;
    for (; line > 1 && at < text.len; at++) {
        line -= text.ptr[at] == '\n';
    }
    return at;
}

static bool
fail_unsupported(int line, struct sq_err *err) {
    return sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "line %d: squint cannot edit this form of YAML", line);
}

static bool
parse(const struct sq_install_entry *entry, struct sq_span text,
      struct sq_arena *arena, struct file *file, struct sq_err *err) {
    struct sq_yaml_place at = { 0 };
    *file = (struct file){ .text = text };
    if (!sq_yaml_parse(text, arena, &file->root, &at, err)) {
        return err->code == SQ_ERR_NOMEM ? false
                                         : sq_fail_in(err, "line %d", at.line);
    }
    if (has_other_line_breaks(text)) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "squint cannot edit files with these line breaks");
    }
    if (file->root && (file->root->kind != SQ_YAML_MAP || file->root->flow)) {
        return fail_unsupported(file->root->at.line, err);
    }
    file->section = sq_yaml_get(file->root, entry->client->section);
    if (!file->section || file->section->kind == SQ_YAML_NULL) {
        return true;
    }
    bool is_empty = file->section->kind == SQ_YAML_MAP && file->section->flow
                 && !file->section->first;
    bool is_block = file->section->kind == SQ_YAML_MAP && !file->section->flow;
    file->found = sq_yaml_get(file->section, entry->name);
    return is_empty || is_block
        || fail_unsupported(file->section->at.line, err);
}

static bool
is_text(const struct sq_yaml *node, const char *want) {
    return node && node->kind == SQ_YAML_SCALAR && sq_span_is(node->text, want);
}

/* Returns whether these are arguments that begin with "mcp". */
static bool
is_working(const struct sq_yaml *args) {
    return args && args->kind == SQ_YAML_LIST && is_text(args->first, "mcp");
}

/* Returns whether they stay: they have flags, or none are wanted. */
static bool
may_stay(const struct sq_install_entry *entry, const struct sq_yaml *args) {
    return is_working(args) && (args->first->next || entry->is_plain);
}

/* Returns whether "mcp" is one of the arguments. */
static bool
has_mcp(const struct sq_yaml *args) {
    const struct sq_yaml *arg = args->kind == SQ_YAML_LIST ? args->first : NULL;
    while (arg && !is_text(arg, "mcp")) {
        arg = arg->next;
    }
    return arg != NULL;
}

/* Returns whether the arguments are those of a new entry. */
static bool
has_new_arguments(const struct sq_install_entry *entry,
                  const struct sq_yaml *args) {
    struct sq_buf want;
    struct sq_buf have;
    sq_buf_init(&want, MAX_ARGUMENTS);
    sq_buf_init(&have, MAX_ARGUMENTS);
    bool ok = is_working(args)
           && sq_install_put_value(entry,
                                   sq_install_field_of(entry, SQ_INSTALL_ARGS),
                                   &want, NULL);
    for (const struct sq_yaml *arg = ok ? args->first : NULL; ok && arg;
         arg = arg->next) {
        ok = sq_buf_printf(&have, NULL, "%s\"%.*s\"",
                           arg == args->first ? "[" : ", ",
                           SQ_SPAN_ARGS(arg->text));
    }
    ok = ok && sq_buf_printf(&have, NULL, "]")
      && sq_span_equal(sq_buf_span(&want), sq_buf_span(&have));
    sq_buf_finish(&want);
    sq_buf_finish(&have);
    return ok;
}

/* Returns whether a member has the value that a new entry has. */
static bool
is_default(const struct sq_install_entry *entry,
           const struct sq_install_field *field, const struct sq_yaml *node) {
    switch (field->kind) {
    case SQ_INSTALL_COMMAND:
        return is_text(node, entry->command);
    case SQ_INSTALL_ARGS:
        return has_new_arguments(entry, node);
    case SQ_INSTALL_NAME:
        return is_text(node, entry->name);
    case SQ_INSTALL_TEXT:
        return is_text(node, field->text);
    case SQ_INSTALL_LITERAL:
        return is_text(node, field->text)
            || (strcmp(field->text, "{}") == 0 && node->kind == SQ_YAML_MAP
                && !node->first);
    }
    return false;
}

/* Notes what stays of the entry. */
static bool
note_kept(const struct sq_install_entry *entry, const struct sq_yaml *found,
          struct sq_err *err) {
    bool ok = true;
    for (const struct sq_yaml *node = found->first; ok && node;
         node = node->next) {
        const struct sq_install_field *field = entry->client->fields;
        while (field->key && !sq_span_is(node->key, field->key)) {
            field++;
        }
        bool is_args = field->key && field->kind == SQ_INSTALL_ARGS;
        bool is_replaced = field->key
                        && (field->kind == SQ_INSTALL_COMMAND
                            || (is_args && !may_stay(entry, node)));
        if (!is_replaced && !(field->key && is_default(entry, field, node))) {
            ok = sq_install_keep_key(entry, node->key, err);
        }
    }
    return ok;
}

/* Returns whether the entry starts the right program, ignoring other keys. */
static bool
is_same_entry(const struct sq_install_entry *entry,
              const struct sq_yaml *found) {
    bool is_same = true;
    const struct sq_install_field *field = entry->client->fields;
    for (; is_same && field->key; field++) {
        const struct sq_yaml *node = sq_yaml_get(found, field->key);
        if (field->kind == SQ_INSTALL_COMMAND) {
            is_same = is_text(node, entry->command);
        } else if (field->kind == SQ_INSTALL_ARGS) {
            is_same = may_stay(entry, node);
        }
    }
    return is_same;
}

/* Writes the lines of an entry whose key is indented by `indent` spaces. */
static bool
put_entry(const struct sq_install_entry *entry, int indent, const char *newline,
          struct sq_buf *out, struct sq_err *err) {
    const struct sq_install_field *field = entry->client->fields;
    bool ok =
        sq_buf_printf(out, err, "%*s%s:%s", indent, "", entry->name, newline);
    for (; ok && field->key; field++) {
        ok = sq_buf_printf(out, err, "%*s%s: ", indent + 2, "", field->key)
          && sq_install_put_value(entry, field, out, err)
          && sq_buf_printf(out, err, "%s", newline);
    }
    return ok;
}

/*
 * Returns the offset after the last line; blank lines at the end do not count.
 */
static size_t
end_of_lines(struct sq_span text, int first_line, int last_line) {
    size_t min = offset_of_line(text, first_line + 1);
    size_t at = offset_of_line(text, last_line + 1);
    while (at > min) {
        size_t start = at - 1;
        while (start > min && text.ptr[start - 1] != '\n') {
            start--;
        }
        struct sq_span line = { text.ptr + start, at - start };
        if (sq_span_trim(line).len > 0) {
            break;
        }
        at = start;
    }
    return at;
}

/* Copies the text before an insertion and ends its last line if needed. */
static bool
put_start(struct sq_span text, size_t at, struct sq_buf *out,
          struct sq_err *err) {
    bool ends = at == 0 || text.ptr[at - 1] == '\n';
    return sq_install_put_part(out, text, 0, at, err)
        && (ends || sq_buf_printf(out, err, "%s", sq_install_newline(text)));
}

/* Appends a new section at the end of the file. */
static bool
add_section(const struct file *file, const struct sq_install_entry *entry,
            struct sq_buf *out, struct sq_err *err) {
    const char *newline = sq_install_newline(file->text);
    int indent = file->root ? file->root->first->key_at.column - 1 : 0;
    return put_start(file->text, file->text.len, out, err)
        && sq_buf_printf(out, err, "%*s%s:%s", indent, "",
                         entry->client->section, newline)
        && put_entry(entry, indent + 2, newline, out, err);
}

/* Returns the offset of the colon after the section's key. */
static size_t
find_colon(const struct file *file) {
    struct sq_span text = file->text;
    size_t at = offset_of_line(text, file->section->key_at.line);
    const char *colon =
        at < text.len ? memchr(text.ptr + at, ':', text.len - at) : NULL;
    return colon ? (size_t)(colon - text.ptr) : text.len;
}

/* Returns the end of an empty section's value: nothing, {}, ~ or null. */
static size_t
end_of_empty_value(const struct file *file, size_t after_colon) {
    struct sq_span text = file->text;
    size_t at = after_colon;
    size_t line = at;
    while (line < text.len && text.ptr[line] != '\n') {
        line++;
    }
    if (file->section->flow) {
        const char *close = memchr(text.ptr + at, '}', line - at);
        return close ? (size_t)(close - text.ptr) + 1 : at;
    }
    while (at < line && (text.ptr[at] == ' ' || text.ptr[at] == '\t')) {
        at++;
    }
    return file->section->text.len ? at + file->section->text.len : after_colon;
}

static bool
add_first(const struct file *file, const struct sq_install_entry *entry,
          struct sq_buf *out, struct sq_err *err) {
    struct sq_span text = file->text;
    size_t colon = find_colon(file);
    int line = file->section->key_at.line;
    if (colon >= text.len || file->section->at.line != line) {
        return fail_unsupported(line, err);
    }
    size_t value_end = end_of_empty_value(file, colon + 1);
    size_t next = offset_of_line(text, line + 1);
    bool ends = next > 0 && text.ptr[next - 1] == '\n';
    const char *newline = sq_install_newline(text);
    return sq_install_put_part(out, text, 0, colon + 1, err)
        && sq_install_put_part(out, text, value_end, next, err)
        && (ends || sq_buf_printf(out, err, "%s", newline))
        && put_entry(entry, file->section->key_at.column + 1, newline, out, err)
        && sq_install_put_part(out, text, next, text.len, err);
}

static bool
add_last(const struct file *file, const struct sq_install_entry *entry,
         struct sq_buf *out, struct sq_err *err) {
    struct sq_span text = file->text;
    const struct sq_yaml *last = file->section->first;
    while (last->next) {
        last = last->next;
    }
    size_t at = end_of_lines(text, last->key_at.line, last->last_line);
    return put_start(text, at, out, err)
        && put_entry(entry, last->key_at.column - 1, sq_install_newline(text),
                     out, err)
        && sq_install_put_part(out, text, at, text.len, err);
}

/* Finds the lines of the entry; fails if it shares a line with others. */
static bool
find_range(const struct file *file, size_t *from, size_t *to,
           struct sq_err *err) {
    const struct sq_yaml *found = file->found;
    struct sq_span text = file->text;
    *from = offset_of_line(text, found->key_at.line);
    *to = end_of_lines(text, found->key_at.line, found->last_line);
    for (int i = 0; i < found->key_at.column - 1; i++) {
        if (text.ptr[*from + (size_t)i] != ' ') {
            return fail_unsupported(found->key_at.line, err);
        }
    }
    return true;
}

static bool
replace(const struct file *file, const struct sq_install_entry *entry,
        struct sq_buf *out, struct sq_err *err) {
    size_t from;
    size_t to;
    return find_range(file, &from, &to, err)
        && sq_install_put_part(out, file->text, 0, from, err)
        && put_entry(entry, file->found->key_at.column - 1,
                     sq_install_newline(file->text), out, err)
        && sq_install_put_part(out, file->text, to, file->text.len, err);
}

/* Returns the offset of a place, or of the end of its line. */
static size_t
offset_of(struct sq_span text, struct sq_yaml_place place) {
    size_t at = offset_of_line(text, place.line);
    for (int column = 1; column < place.column && at < text.len; column++) {
        do {
            at++;
        } while (at < text.len && ((unsigned char)text.ptr[at] & 0xc0) == 0x80);
    }
    return at;
}

/*
 * Finds the end of a scalar on one line without escapes, so that a comment
 * after it can stay.
 */
static bool
find_scalar(struct sq_span text, const struct sq_yaml *node, size_t *from,
            size_t *to) {
    *from = offset_of(text, node->at);
    size_t quotes = node->plain ? 0 : 1;
    if (node->kind != SQ_YAML_SCALAR || node->last_line != node->key_at.line
        || text.len - *from < node->text.len + 2 * quotes) {
        return false;
    }
    *to = *from + node->text.len + 2 * quotes;
    char quote = text.ptr[*from];
    return memcmp(text.ptr + *from + quotes, node->text.ptr, node->text.len)
            == 0
        && (node->plain
            || ((quote == '"' || quote == '\'') && text.ptr[*to - 1] == quote));
}

/* Plans the new value of a member that is there. */
static bool
plan_member(const struct file *file, const struct sq_install_field *field,
            const struct sq_yaml *node, struct sq_install_splice *splice,
            struct sq_err *err) {
    struct sq_span text = file->text;
    size_t from = offset_of_line(text, node->key_at.line);
    size_t indent = (size_t)node->key_at.column - 1;
    for (size_t i = 0; i < indent; i++) {
        if (text.ptr[from + i] != ' ') {
            return fail_unsupported(node->key_at.line, err);
        }
    }
    *splice = (struct sq_install_splice){ .field = field };
    if (find_scalar(text, node, &splice->from, &splice->to)) {
        return true;
    }
    size_t to = end_of_lines(text, node->key_at.line, node->last_line);
    sq_install_add_line(splice, field, text, from,
                        (struct sq_span){ text.ptr + from, indent }, ": ");
    splice->to = to;
    return true;
}

/* Corrects the entry that is there; other settings of it stay. */
static bool
change_entry(const struct file *file, const struct sq_install_entry *entry,
             struct sq_buf *out, enum sq_install_change *change,
             struct sq_err *err) {
    const struct sq_install_field *fields[] = {
        sq_install_field_of(entry, SQ_INSTALL_COMMAND),
        sq_install_field_of(entry, SQ_INSTALL_ARGS),
    };
    const struct sq_yaml *command = sq_yaml_get(file->found, fields[0]->key);
    const struct sq_yaml *args = sq_yaml_get(file->found, fields[1]->key);
    struct sq_install_splice splices[2] = { 0 };
    if (!command) {
        return sq_install_fail_entry(entry, err);
    }
    if (file->found->flow) {
        return fail_unsupported(file->found->at.line, err);
    }
    bool ok = is_text(command, entry->command)
           || plan_member(file, fields[0], command, &splices[0], err);
    if (ok && !args) {
        size_t line = offset_of_line(file->text, command->key_at.line);
        struct sq_span indent = { file->text.ptr + line,
                                  (size_t)command->key_at.column - 1 };
        sq_install_add_line(
            &splices[1], fields[1], file->text,
            end_of_lines(file->text, command->key_at.line, command->last_line),
            indent, ": ");
    } else if (ok && !may_stay(entry, args)) {
        ok = is_working(args) || !has_mcp(args)
               ? plan_member(file, fields[1], args, &splices[1], err)
               : sq_install_fail_wrapped(entry, err);
    }
    return ok
        && sq_install_put_splices(entry, file->text, splices, out, change, err);
}

static bool
edit_add(const struct file *file, const struct sq_install_entry *entry,
         struct sq_buf *out, enum sq_install_change *change,
         struct sq_err *err) {
    *change = SQ_INSTALL_ADDED;
    if (!file->section) {
        return add_section(file, entry, out, err);
    }
    if (!file->section->first) {
        return add_first(file, entry, out, err);
    }
    if (!file->found) {
        return add_last(file, entry, out, err);
    }
    *change = SQ_INSTALL_REPLACED;
    return file->found->kind == SQ_YAML_MAP && file->found->first
             ? change_entry(file, entry, out, change, err)
             : replace(file, entry, out, err);
}

/* Parses the edited text to verify the edit. */
static bool
check_edit(const struct sq_install_entry *entry, const struct sq_buf *out,
           bool is_there, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_arena arena;
    struct file file;
    struct sq_span text = sq_buf_span(out);
    sq_arena_init(&arena, MAX_TREE_BYTES);
    bool ok = parse(entry, text, &arena, &file, &local_err);
    bool is_right = ok
                 && (is_there ? file.found && is_same_entry(entry, file.found)
                              : !file.found);
    sq_arena_finish(&arena);
    if (local_err.code == SQ_ERR_NOMEM) {
        return sq_fail_nomem(err);
    }
    return is_right
        || sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "squint cannot edit this form of YAML");
}

static bool
yaml_add(const struct sq_install_entry *entry, struct sq_span text,
         struct sq_buf *out, enum sq_install_change *change,
         struct sq_err *err) {
    struct sq_arena arena;
    struct file file;
    sq_arena_init(&arena, MAX_TREE_BYTES);
    bool ok = parse(entry, text, &arena, &file, err)
           && (!file.found || note_kept(entry, file.found, err));
    if (ok && file.found && is_same_entry(entry, file.found)) {
        *change = SQ_INSTALL_UNCHANGED;
    } else {
        ok = ok && edit_add(&file, entry, out, change, err)
          && check_edit(entry, out, true, err);
    }
    sq_arena_finish(&arena);
    return ok;
}

static bool
edit_remove(const struct file *file, struct sq_buf *out, struct sq_err *err) {
    struct sq_span text = file->text;
    size_t from;
    size_t to;
    if (!find_range(file, &from, &to, err)) {
        return false;
    }
    if (file->section->first->next) {
        return sq_install_put_part(out, text, 0, from, err)
            && sq_install_put_part(out, text, to, text.len, err);
    }
    /* A section without entries needs an explicit empty value. */
    size_t colon = find_colon(file);
    if (colon >= from) {
        return fail_unsupported(file->section->key_at.line, err);
    }
    return sq_install_put_part(out, text, 0, colon + 1, err)
        && sq_buf_printf(out, err, " {}")
        && sq_install_put_part(out, text, colon + 1, from, err)
        && sq_install_put_part(out, text, to, text.len, err);
}

static bool
yaml_remove(const struct sq_install_entry *entry, struct sq_span text,
            struct sq_buf *out, enum sq_install_change *change,
            struct sq_err *err) {
    struct sq_arena arena;
    struct file file;
    sq_arena_init(&arena, MAX_TREE_BYTES);
    bool ok = parse(entry, text, &arena, &file, err);
    *change = SQ_INSTALL_UNCHANGED;
    if (ok && file.found) {
        *change = SQ_INSTALL_REMOVED;
        ok = edit_remove(&file, out, err) && check_edit(entry, out, false, err);
    }
    sq_arena_finish(&arena);
    return ok;
}

const struct sq_install_editor sq_install_yaml = { yaml_add, yaml_remove };
