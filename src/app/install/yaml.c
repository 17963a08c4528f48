/*
 * Edits entries of a YAML file, which are whole lines of a block. libyaml says
 * where they are, and the edited text is parsed again before it is used. Files
 * that use brackets are not edited.
 */
#include <string.h>

#include "app/install/install.h"
#include "config/yaml.h"
#include "json/writer.h"

#define MAX_VALUE_BYTES ((size_t)64 << 10)
#define MAX_TREE_BYTES ((size_t)32 << 20)

struct file {
    const struct sq_install_entry *entry;
    struct sq_span text;
    const struct sq_yaml *root;    /* NULL: empty file */
    const struct sq_yaml *section; /* NULL: none */
    const struct sq_yaml *found;   /* the entry; NULL: none */
};

/*
 * Returns whether the text has line ends that only YAML recognises, which would
 * make our line numbers wrong.
 */
static bool
has_other_line_breaks(struct sq_span text) {
    for (; text.len > 0; text.ptr++, text.len--) {
        if ((text.ptr[0] == '\r' && !sq_span_starts_with(text, "\r\n"))
            || sq_span_starts_with(text, "\xc2\x85")
            || sq_span_starts_with(text, "\xe2\x80\xa8")
            || sq_span_starts_with(text, "\xe2\x80\xa9")) {
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

static bool
fail_unsupported(int line, struct sq_err *err) {
    return sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "line %d: squint cannot edit this form of YAML", line);
}

static bool
parse(const struct sq_install_entry *entry, struct sq_span text,
      struct sq_arena *arena, struct file *file, struct sq_err *err) {
    struct sq_yaml_place at = { 0 };
    *file = (struct file){ .entry = entry, .text = text };
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
    file->found = sq_yaml_get(file->section, entry->name);
    bool is_empty = file->section->flow && !file->section->first;
    return (file->section->kind == SQ_YAML_MAP
            && (is_empty || !file->section->flow))
        || fail_unsupported(file->section->at.line, err);
}

/* Appends a value as JSON, in which a new entry is compared with it. */
static bool
put_json(const struct file *file, const struct sq_yaml *node,
         struct sq_buf *out, struct sq_err *err) {
    const struct sq_install_field *field =
        sq_install_field_named(file->entry, node->key);
    struct sq_json_writer w;
    if (node->kind == SQ_YAML_SCALAR && field->key
        && field->kind == SQ_INSTALL_LITERAL) {
        return sq_buf_append(out, node->text.ptr, node->text.len, err);
    }
    sq_json_writer_init(&w, out);
    if (node->kind == SQ_YAML_LIST) {
        sq_json_begin_array(&w);
        for (const struct sq_yaml *arg = node->first; arg; arg = arg->next) {
            sq_json_put_string(&w, arg->text);
        }
        sq_json_end_array(&w);
    } else if (node->kind == SQ_YAML_MAP && !node->first) {
        sq_json_begin_object(&w);
        sq_json_end_object(&w);
    } else {
        sq_json_put_string(&w, node->text);
    }
    return sq_json_writer_done(&w, err);
}

/* Notes what stays of the entry. */
static bool
note_kept(const struct file *file, struct sq_err *err) {
    struct sq_buf value;
    bool ok = true;
    sq_buf_init(&value, MAX_VALUE_BYTES);
    for (const struct sq_yaml *node = file->found->first; ok && node;
         node = node->next) {
        sq_buf_clear(&value);
        ok = put_json(file, node, &value, err)
          && sq_install_keep(file->entry, node->key, sq_buf_span(&value), err);
    }
    sq_buf_finish(&value);
    return ok;
}

/* Writes the lines of an entry whose key is indented by `indent` spaces. */
static bool
put_entry(const struct file *file, int indent, struct sq_buf *out,
          struct sq_err *err) {
    const char *newline = sq_install_newline(file->text);
    const struct sq_install_field *field = file->entry->client->fields;
    bool ok = sq_buf_printf(out, err, "%*s%s:%s", indent, "", file->entry->name,
                            newline);
    for (; ok && field->key; field++) {
        ok = sq_buf_printf(out, err, "%*s%s: ", indent + 2, "", field->key)
          && sq_install_put_value(file->entry, field, out, err)
          && sq_buf_printf(out, err, "%s", newline);
    }
    return ok;
}

/*
 * Returns the offset after a node's last line; blank lines at the end do not
 * count.
 */
static size_t
end_of_node(struct sq_span text, const struct sq_yaml *node) {
    size_t min = offset_of_line(text, node->key_at.line + 1);
    size_t at = offset_of_line(text, node->last_line + 1);
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

/* Finds where a node's line starts; fails if it shares it with others. */
static bool
find_start(struct sq_span text, const struct sq_yaml *node, size_t *start,
           struct sq_err *err) {
    *start = offset_of_line(text, node->key_at.line);
    struct sq_span indent = { text.ptr + *start,
                              (size_t)node->key_at.column - 1 };
    return sq_span_trim(indent).len == 0
        || fail_unsupported(node->key_at.line, err);
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
add_section(const struct file *file, struct sq_buf *out, struct sq_err *err) {
    int indent = file->root ? file->root->first->key_at.column - 1 : 0;
    return put_start(file->text, file->text.len, out, err)
        && sq_buf_printf(out, err, "%*s%s:%s", indent, "",
                         file->entry->client->section,
                         sq_install_newline(file->text))
        && put_entry(file, indent + 2, out, err);
}

/* Finds the end of the colon after the section's key. */
static bool
find_colon(const struct file *file, size_t *end, struct sq_err *err) {
    struct sq_yaml_place key = file->section->key_at;
    *end = offset_of(file->text, key) + strlen(file->entry->client->section);
    return (*end < file->text.len && file->text.ptr[(*end)++] == ':')
        || fail_unsupported(key.line, err);
}

/* Adds to a section whose value is missing, {}, ~ or null. */
static bool
add_first(const struct file *file, struct sq_buf *out, struct sq_err *err) {
    struct sq_span text = file->text;
    const struct sq_yaml *section = file->section;
    size_t colon;
    if (!find_colon(file, &colon, err)) {
        return false;
    }
    if (section->at.line != section->key_at.line) {
        return fail_unsupported(section->key_at.line, err);
    }
    size_t end = offset_of(text, section->at) + section->text.len;
    size_t next = offset_of_line(text, section->key_at.line + 1);
    if (section->flow) {
        const char *close = memchr(text.ptr + end, '}', next - end);
        end = close ? (size_t)(close - text.ptr) + 1 : colon;
    }
    end = section->flow || section->text.len ? end : colon;
    return sq_install_put_part(out, text, 0, colon, err)
        && sq_install_put_part(out, text, end, next, err)
        && (text.ptr[next - 1] == '\n'
            || sq_buf_printf(out, err, "%s", sq_install_newline(text)))
        && put_entry(file, section->key_at.column + 1, out, err)
        && sq_install_put_part(out, text, next, text.len, err);
}

static bool
add_last(const struct file *file, struct sq_buf *out, struct sq_err *err) {
    const struct sq_yaml *last = file->section->first;
    while (last->next) {
        last = last->next;
    }
    size_t at = end_of_node(file->text, last);
    return put_start(file->text, at, out, err)
        && put_entry(file, last->key_at.column - 1, out, err)
        && sq_install_put_part(out, file->text, at, file->text.len, err);
}

/* Replaces an entry without settings. */
static bool
replace(const struct file *file, struct sq_buf *out, struct sq_err *err) {
    size_t from;
    return find_start(file->text, file->found, &from, err)
        && sq_install_put_part(out, file->text, 0, from, err)
        && put_entry(file, file->found->key_at.column - 1, out, err)
        && sq_install_put_part(out, file->text,
                               end_of_node(file->text, file->found),
                               file->text.len, err);
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

/* Plans the new value of a member that is there; none if it can stay. */
static bool
plan_member(const struct file *file, const struct sq_install_field *field,
            const struct sq_yaml *node, struct sq_install_splice *splice,
            struct sq_err *err) {
    struct sq_span text = file->text;
    struct sq_buf value;
    size_t start = 0;
    bool stays = false;
    sq_buf_init(&value, MAX_VALUE_BYTES);
    bool ok = put_json(file, node, &value, err)
           && sq_install_can_stay(file->entry, field, sq_buf_span(&value),
                                  &stays, err);
    sq_buf_finish(&value);
    if (!ok || stays) {
        return ok;
    }
    *splice = (struct sq_install_splice){ .field = field };
    if (!find_start(text, node, &start, err)) {
        return false;
    }
    if (!find_scalar(text, node, &splice->from, &splice->to)) {
        struct sq_span indent = { text.ptr + start,
                                  (size_t)node->key_at.column - 1 };
        sq_install_add_line(splice, field, text, start, indent, ": ");
        splice->to = end_of_node(text, node);
    }
    return true;
}

/* Corrects the entry that is there; other settings of it stay. */
static bool
change_entry(const struct file *file, struct sq_buf *out,
             enum sq_install_change *change, struct sq_err *err) {
    const struct sq_install_field *fields[] = {
        sq_install_field_of(file->entry, SQ_INSTALL_COMMAND),
        sq_install_field_of(file->entry, SQ_INSTALL_ARGS),
    };
    const struct sq_yaml *command = sq_yaml_get(file->found, fields[0]->key);
    const struct sq_yaml *args = sq_yaml_get(file->found, fields[1]->key);
    struct sq_install_splice splices[2] = { 0 };
    if (!command) {
        return sq_install_fail_entry(file->entry, err);
    }
    if (!plan_member(file, fields[0], command, &splices[0], err)
        || (args && !plan_member(file, fields[1], args, &splices[1], err))) {
        return false;
    }
    if (!args) {
        size_t line = offset_of_line(file->text, command->key_at.line);
        struct sq_span indent = { file->text.ptr + line,
                                  (size_t)command->key_at.column - 1 };
        sq_install_add_line(&splices[1], fields[1], file->text,
                            end_of_node(file->text, command), indent, ": ");
    }
    if (file->found->flow && (splices[0].field || splices[1].field)) {
        return fail_unsupported(file->found->at.line, err);
    }
    return sq_install_put_splices(file->entry, file->text, splices, out, change,
                                  err);
}

static bool
has_settings(const struct file *file) {
    return file->found && file->found->kind == SQ_YAML_MAP
        && file->found->first;
}

static bool
edit_add(const struct file *file, struct sq_buf *out,
         enum sq_install_change *change, struct sq_err *err) {
    *change = file->found ? SQ_INSTALL_REPLACED : SQ_INSTALL_ADDED;
    if (!file->section) {
        return add_section(file, out, err);
    }
    if (!file->section->first) {
        return add_first(file, out, err);
    }
    if (!file->found) {
        return add_last(file, out, err);
    }
    return has_settings(file)
             ? note_kept(file, err) && change_entry(file, out, change, err)
             : replace(file, out, err);
}

static bool
edit_remove(const struct file *file, struct sq_buf *out, struct sq_err *err) {
    struct sq_span text = file->text;
    size_t from;
    size_t colon = 0;
    if (!find_start(text, file->found, &from, err)) {
        return false;
    }
    /* A section without entries needs an explicit empty value. */
    bool is_last = !file->section->first->next;
    if (is_last && !find_colon(file, &colon, err)) {
        return false;
    }
    return sq_install_put_part(out, text, 0, colon, err)
        && (!is_last || sq_buf_printf(out, err, " {}"))
        && sq_install_put_part(out, text, colon, from, err)
        && sq_install_put_part(out, text, end_of_node(text, file->found),
                               text.len, err);
}

/* Parses the edited text: the entry must be there, or no longer there. */
static bool
check_edit(const struct sq_install_entry *entry, const struct sq_buf *out,
           bool is_there, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_arena arena;
    struct sq_buf ignored;
    struct file file;
    enum sq_install_change again = SQ_INSTALL_REPLACED;
    sq_arena_init(&arena, MAX_TREE_BYTES);
    sq_buf_init(&ignored, SQ_INSTALL_MAX_BYTES);
    bool ok =
        parse(entry, sq_buf_span(out), &arena, &file, &local_err)
        && (is_there ? has_settings(&file)
                           && change_entry(&file, &ignored, &again, &local_err)
                           && again == SQ_INSTALL_UNCHANGED
                     : !file.found);
    sq_buf_finish(&ignored);
    sq_arena_finish(&arena);
    if (local_err.code == SQ_ERR_NOMEM) {
        return sq_fail_nomem(err);
    }
    return ok
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
           && edit_add(&file, out, change, err)
           && (*change == SQ_INSTALL_UNCHANGED
               || check_edit(entry, out, true, err));
    sq_arena_finish(&arena);
    return ok;
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
