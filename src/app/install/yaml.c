/*
 * Entries of YAML files, which are whole lines of a block. libyaml says where
 * they are. Files that use brackets are not edited.
 */
#include <stdio.h>

#include "app/install/edit.h"
#include "config/yaml.h"
#include "json/writer.h"

#define MAX_VALUE_BYTES ((size_t)64 << 10)
#define MAX_INDENT 120

/* Returns whether the text has line ends that only YAML recognises. */
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

/* Returns the offset of a place, or of the end of its line. */
static size_t
offset_of(struct sq_span text, int line, int column) {
    size_t at = 0;
    for (; line > 1 && at < text.len; at++) {
        line -= text.ptr[at] == '\n';
    }
    for (; column > 1 && at < text.len; column--) {
        do {
            at++;
        } while (at < text.len && ((unsigned char)text.ptr[at] & 0xc0) == 0x80);
    }
    return at;
}

static size_t
offset_of_key(struct sq_span text, const struct sq_yaml *node) {
    return offset_of(text, node->key_at.line, node->key_at.column);
}

static bool
fail_form(const struct sq_install_file *file, const struct sq_yaml *node,
          struct sq_err *err) {
    return sq_install_fail_form(file->text,
                                offset_of(file->text, node->at.line, 1),
                                "squint cannot edit this form of YAML", err);
}

/* Finds the end of the colon after a node's key. */
static bool
find_colon(const struct sq_install_file *file, const struct sq_yaml *node,
           size_t *end, struct sq_err *err) {
    struct sq_span text = file->text;
    size_t at = offset_of_key(text, node);
    bool is_quoted = text.ptr[at] == '"' || text.ptr[at] == '\'';
    *end = at + node->key.len + (is_quoted ? 3 : 1);
    return (*end <= text.len && text.ptr[*end - 1] == ':')
        || fail_form(file, node, err);
}

/*
 * Returns the end of a node's last line without its line break; blank lines at
 * the end do not count.
 */
static size_t
end_of_node(struct sq_span text, const struct sq_yaml *node) {
    size_t min = offset_of(text, node->key_at.line, 1);
    size_t end = sq_install_line_end(
        text, offset_of(text,
                        node->last_line > node->key_at.line ? node->last_line
                                                            : node->key_at.line,
                        1));
    struct sq_span lines =
        sq_span_trim((struct sq_span){ text.ptr + min, end - min });
    return sq_install_line_end(text,
                               (size_t)(lines.ptr - text.ptr) + lines.len);
}

/*
 * Finds a scalar on one line without escapes, so that a comment after it can
 * stay.
 */
static bool
find_scalar(struct sq_span text, const struct sq_yaml *node,
            struct sq_install_member *member) {
    size_t quotes = node->plain ? 0 : 1;
    member->from = offset_of(text, node->at.line, node->at.column);
    member->to = member->from + node->text.len + 2 * quotes;
    if (node->kind != SQ_YAML_SCALAR || node->last_line != node->key_at.line
        || member->to > text.len) {
        return false;
    }
    char quote = text.ptr[member->from];
    return memcmp(text.ptr + member->from + quotes, node->text.ptr,
                  node->text.len)
            == 0
        && (node->plain
            || ((quote == '"' || quote == '\'')
                && text.ptr[member->to - 1] == quote));
}

/* Appends a value as JSON. */
static bool
put_json(const struct sq_install_file *file, const struct sq_yaml *node,
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

/* Records the settings of the entry. */
static bool
read_members(struct sq_install_file *file, const struct sq_yaml *entry,
             struct sq_err *err) {
    bool ok = true;
    SQ_BUF(value, MAX_VALUE_BYTES);
    for (const struct sq_yaml *node = entry->first; ok && node;
         node = node->next) {
        struct sq_install_member member = {
            .key = node->key, .key_at = offset_of_key(file->text, node)
        };
        sq_buf_clear(&value);
        ok = put_json(file, node, &value, err);
        member.value = sq_buf_span(&value);
        member.end = end_of_node(file->text, node);
        if (!find_scalar(file->text, node, &member)) {
            ok = ok && find_colon(file, node, &member.from, err);
            member.to = member.end;
            member.lead = " ";
        }
        ok = ok && sq_install_add_member(file, &member, err);
    }
    return ok;
}

/* Plans to write the entry, with its section if that is missing. */
static bool
plan_block(struct sq_install_file *file, size_t from, size_t to, int indent,
           bool with_section, struct sq_err *err) {
    char before[MAX_INDENT + 3];
    bool is_first = from == 0 || file->text.ptr[from - 1] == '\n';
    bool is_last = to == file->text.len;
    indent = indent < MAX_INDENT ? indent : MAX_INDENT;
    snprintf(before, sizeof(before), "%s%*s", is_first ? "" : file->newline,
             indent, "");
    const struct sq_install_layout layout = {
        .before = before,
        .after = is_last ? file->newline : "",
        .indent = { before + strlen(before) - indent, (size_t)indent },
        .unit = "  ",
        .with_section = with_section,
    };
    return sq_install_plan_block(file, from, to, &layout, err);
}

/* Adds to a section whose value is missing, {}, ~ or null. */
static bool
add_first(struct sq_install_file *file, const struct sq_yaml *section,
          struct sq_err *err) {
    struct sq_span text = file->text;
    size_t colon;
    if (!find_colon(file, section, &colon, err)) {
        return false;
    }
    if (section->at.line != section->key_at.line) {
        return fail_form(file, section, err);
    }
    size_t line_end = sq_install_line_end(text, colon);
    size_t end = colon;
    if (section->flow || section->text.len > 0) {
        end = offset_of(text, section->at.line, section->at.column)
            + section->text.len;
    }
    if (section->flow) {
        const char *close = memchr(text.ptr + end, '}', line_end - end);
        end = close ? (size_t)(close - text.ptr) + 1 : colon;
    }
    return sq_install_plan_text(file, colon, end, "", err)
        && plan_block(file, line_end, line_end, section->key_at.column + 1,
                      false, err);
}

static bool
plan_add(struct sq_install_file *file, const struct sq_yaml *root,
         const struct sq_yaml *section, const struct sq_yaml *found,
         struct sq_err *err) {
    size_t end = file->text.len;
    if (!section) {
        int indent = root ? root->first->key_at.column - 1 : 0;
        return plan_block(file, end, end, indent, true, err);
    }
    if (!section->first) {
        return add_first(file, section, err);
    }
    const struct sq_yaml *node = found ? found : section->first;
    while (!found && node->next) {
        node = node->next;
    }
    end = end_of_node(file->text, node);
    return plan_block(
        file, found ? offset_of(file->text, found->key_at.line, 1) : end, end,
        node->key_at.column - 1, false, err);
}

static bool
plan_remove(struct sq_install_file *file, const struct sq_yaml *section,
            const struct sq_yaml *found, struct sq_err *err) {
    struct sq_span text = file->text;
    size_t end = end_of_node(text, found);
    size_t colon = 0;
    /* A section without entries needs an explicit empty value. */
    bool is_last = !section->first->next;
    end += end < text.len && text.ptr[end] == '\r';
    return (!is_last
            || (find_colon(file, section, &colon, err)
                && sq_install_plan_text(file, colon, colon, " {}", err)))
        && sq_install_plan_text(file, offset_of(text, found->key_at.line, 1),
                                end + (end < text.len), "", err);
}

/* Reads the file; fails if it has a form that is not edited. */
static bool
parse(const struct sq_install_file *file, const struct sq_yaml **root,
      struct sq_err *err) {
    struct sq_yaml_place at = { 0 };
    if (!sq_yaml_parse(file->text, file->arena, root, &at, err)) {
        return err->code == SQ_ERR_NOMEM ? false
                                         : sq_fail_in(err, "line %d", at.line);
    }
    if (has_other_line_breaks(file->text)) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "squint cannot edit files with these line breaks");
    }
    const struct sq_yaml *node = *root;
    bool is_block = !node || (node->kind == SQ_YAML_MAP && !node->flow);
    if (is_block && node) {
        node = sq_yaml_get(node, file->entry->client->section);
        is_block = !node || node->kind == SQ_YAML_NULL
                || (node->kind == SQ_YAML_MAP && (!node->flow || !node->first));
    }
    return is_block || fail_form(file, node, err);
}

static bool
plan(struct sq_install_file *file, bool removes, struct sq_err *err) {
    const struct sq_yaml *root;
    if (!parse(file, &root, err)) {
        return false;
    }
    const struct sq_yaml *section =
        sq_yaml_get(root, file->entry->client->section);
    const struct sq_yaml *found = sq_yaml_get(section, file->entry->name);
    if (found) {
        bool is_alone;
        file->has_entry = true;
        sq_install_indent(file->text, offset_of_key(file->text, found),
                          &is_alone);
        if (!is_alone) {
            return fail_form(file, found, err);
        }
        if (!read_members(file, found, err)) {
            return false;
        }
    }
    if (removes) {
        return !found || plan_remove(file, section, found, err);
    }
    return file->member_count > 0 || plan_add(file, root, section, found, err);
}

const struct sq_install_format sq_install_yaml = {
    .name = "YAML",
    .plan = plan,
    .quote = "",
    .assign = ": ",
    .open = ":",
    .comma = "",
};
