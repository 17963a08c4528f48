/*
 * Edits entries of a JSON file, with or without comments and trailing commas.
 * Never rewrites the text: an edit only inserts or removes a few bytes.
 */
#include <stdio.h>
#include <string.h>

#include "app/install/install.h"
#include "app/install/scan.h"
#include "util/utf8.h"

/* The relevant parts of a file. */
struct file {
    struct sq_span text;
    bool is_empty;                 /* only white space and comments */
    struct sq_scan_object root;    /* valid unless is_empty */
    struct sq_scan_object servers; /* valid if root.found */
    char unit[16];                 /* indentation of one level */
};

/* Returns the indentation of a line, if only that precedes offset. */
static bool
indent_of(struct sq_span text, size_t offset, struct sq_span *out) {
    size_t start = offset;
    while (start > 0 && text.ptr[start - 1] != '\n') {
        start--;
    }
    size_t end = start;
    while (end < offset && (text.ptr[end] == ' ' || text.ptr[end] == '\t')) {
        end++;
    }
    *out = (struct sq_span){ text.ptr + start, end - start };
    return end == offset;
}

/* Takes the indentation of the first indented line, which is one level deep. */
static void
find_unit(struct file *file) {
    struct sq_span rest = file->text;
    struct sq_span line;
    memcpy(file->unit, "  ", 3);
    while (sq_span_take_line(&rest, &line)) {
        size_t width = 0;
        while (width < line.len
               && (line.ptr[width] == ' ' || line.ptr[width] == '\t')) {
            width++;
        }
        if (width > 0 && width < line.len && width < sizeof(file->unit)
            && line.ptr[width] == '"') {
            memcpy(file->unit, line.ptr, width);
            file->unit[width] = '\0';
            return;
        }
    }
}

static bool
scan_servers(struct file *file, const struct sq_install_entry *entry,
             struct sq_err *err) {
    struct sq_scan s = { .text = file->text, .at = file->root.found.value };
    if (sq_scan_peek(&s, 0) != '{') {
        return sq_install_fail_at(s.text, s.at,
                                  "the list of servers is not an object", err);
    }
    return sq_scan_object(&s, entry->name, &file->servers, err);
}

static bool
scan_file(const struct sq_install_entry *entry, struct sq_span text,
          struct file *file, struct sq_err *err) {
    *file = (struct file){ .text = text };
    struct sq_scan s = { .text = text };
    size_t valid = sq_utf8_valid_len(text);
    if (valid < text.len) {
        return sq_install_fail_at(text, valid, "not valid UTF-8", err);
    }
    if (sq_span_starts_with(text, "\xef\xbb\xbf")) {
        s.at = 3;
    }
    if (!sq_scan_trivia(&s, err)) {
        return false;
    }
    file->is_empty = s.at == text.len;
    if (file->is_empty) {
        return true;
    }
    if (sq_scan_peek(&s, 0) != '{') {
        return sq_install_fail_at(s.text, s.at, "the file is not a JSON object",
                                  err);
    }
    if (!sq_scan_object(&s, entry->client->section, &file->root, err)
        || !sq_scan_trivia(&s, err)) {
        return false;
    }
    if (s.at < text.len) {
        return sq_install_fail_at(s.text, s.at,
                                  "unexpected text after the object", err);
    }
    find_unit(file);
    return file->root.found.key == SQ_SCAN_NONE
        || scan_servers(file, entry, err);
}

/* The layout of new lines; newline NULL: all on one line. */
struct layout {
    const char *newline;
    struct sq_span indent; /* of the member's own line */
    const char *unit;
};

static bool
put_break(const struct layout *layout, int deeper, struct sq_buf *out,
          struct sq_err *err) {
    if (!layout->newline) {
        return true;
    }
    bool ok = sq_buf_printf(out, err, "%s%.*s", layout->newline,
                            SQ_SPAN_ARGS(layout->indent));
    for (int i = 0; ok && i < deeper; i++) {
        ok = sq_buf_printf(out, err, "%s", layout->unit);
    }
    return ok;
}

/* Writes the entry's object, `deeper` levels below the layout's indentation. */
static bool
put_entry(const struct sq_install_entry *entry, const struct layout *layout,
          int deeper, struct sq_buf *out, struct sq_err *err) {
    const struct sq_install_field *field = entry->client->fields;
    bool ok = sq_buf_printf(out, err, "{");
    for (bool is_first = true; ok && field->key; field++, is_first = false) {
        const char *comma = layout->newline ? "," : ", ";
        ok = (is_first || sq_buf_printf(out, err, "%s", comma))
          && put_break(layout, deeper + 1, out, err)
          && sq_buf_printf(out, err, "\"%s\": ", field->key)
          && sq_install_put_value(entry, field, out, err);
    }
    return ok && put_break(layout, deeper, out, err)
        && sq_buf_printf(out, err, "}");
}

/* Writes the member to add: the entry, or the whole section with it. */
static bool
put_member(const struct sq_install_entry *entry, const struct layout *layout,
           bool with_section, struct sq_buf *out, struct sq_err *err) {
    if (!with_section) {
        return sq_buf_printf(out, err, "\"%s\": ", entry->name)
            && put_entry(entry, layout, 0, out, err);
    }
    return sq_buf_printf(out, err, "\"%s\": {", entry->client->section)
        && put_break(layout, 1, out, err)
        && sq_buf_printf(out, err, "\"%s\": ", entry->name)
        && put_entry(entry, layout, 1, out, err)
        && put_break(layout, 0, out, err) && sq_buf_printf(out, err, "}");
}

/* Inserts into an object that has no members but may have comments. */
static bool
add_first(const struct file *file, const struct sq_scan_object *object,
          const struct sq_install_entry *entry, struct sq_buf *out,
          struct sq_err *err) {
    struct sq_span text = file->text;
    struct sq_span base;
    char indent[256];
    indent_of(text, object->open, &base);
    int len = snprintf(indent, sizeof(indent), "%.*s%s", SQ_SPAN_ARGS(base),
                       file->unit);
    struct layout layout = { sq_install_newline(text),
                             { indent, (size_t)len < sizeof(indent)
                                           ? (size_t)len
                                           : sizeof(indent) - 1 },
                             file->unit };
    struct sq_span inside = { text.ptr + object->open + 1,
                              object->close - object->open - 1 };
    bool is_blank = sq_span_trim(inside).len == 0;
    return sq_install_put_part(out, text, 0, object->open + 1, err)
        && put_break(&layout, 0, out, err)
        && put_member(entry, &layout, object == &file->root, out, err)
        && (is_blank ? sq_buf_printf(out, err, "%s%.*s", layout.newline,
                                     SQ_SPAN_ARGS(base))
                     : sq_install_put(out, inside, err))
        && sq_install_put_part(out, text, object->close, text.len, err);
}

/*
 * Returns where to insert after the last member, and the layout: on lines of
 * its own only if the last member is.
 */
static size_t
choose_layout(const struct file *file, const struct sq_scan_object *object,
              size_t after, struct layout *layout) {
    struct sq_span text = file->text;
    size_t at = sq_scan_end_of_line(text, after);
    *layout = (struct layout){ .unit = file->unit };
    if (indent_of(text, object->last.key, &layout->indent)
        && sq_scan_has_newline(text, object->open, object->close)
        && (text.ptr[at] == '\n' || text.ptr[at] == '\r')) {
        layout->newline = sq_install_newline(text);
        return at;
    }
    return after;
}

/* Inserts after the last member of an object, in the same layout. */
static bool
add_last(const struct file *file, const struct sq_scan_object *object,
         const struct sq_install_entry *entry, struct sq_buf *out,
         struct sq_err *err) {
    struct sq_span text = file->text;
    const struct sq_scan_member *last = &object->last;
    bool has_comma = last->comma != SQ_SCAN_NONE;
    struct layout layout;
    size_t at = choose_layout(file, object,
                              has_comma ? last->comma + 1 : last->end, &layout);
    return sq_install_put_part(out, text, 0, last->end, err)
        && (has_comma || sq_buf_printf(out, err, ","))
        && sq_install_put_part(out, text, last->end, at, err)
        && (layout.newline || sq_buf_printf(out, err, " "))
        && put_break(&layout, 0, out, err)
        && put_member(entry, &layout, object == &file->root, out, err)
        && (!has_comma || sq_buf_printf(out, err, ","))
        && sq_install_put_part(out, text, at, text.len, err);
}

static bool
add_to(const struct file *file, const struct sq_scan_object *object,
       const struct sq_install_entry *entry, struct sq_buf *out,
       struct sq_err *err) {
    return object->count ? add_last(file, object, entry, out, err)
                         : add_first(file, object, entry, out, err);
}

/* Fills an empty file; comments stay at the top. */
static bool
add_to_empty_file(const struct sq_install_entry *entry, struct sq_span text,
                  struct sq_buf *out, struct sq_err *err) {
    struct layout layout = { sq_install_newline(text), { "  ", 2 }, "  " };
    bool is_blank = sq_span_trim(text).len == 0;
    bool ends = is_blank || text.ptr[text.len - 1] == '\n';
    return (is_blank || sq_install_put(out, text, err))
        && (ends || sq_buf_printf(out, err, "%s", layout.newline))
        && sq_buf_printf(out, err, "{") && put_break(&layout, 0, out, err)
        && put_member(entry, &layout, true, out, err)
        && sq_buf_printf(out, err, "%s}%s", layout.newline, layout.newline);
}

/* Finds a member of the entry, which is an object. */
static bool
find_member(const struct file *file, const char *key,
            struct sq_scan_object *out, struct sq_err *err) {
    struct sq_scan s = { .text = file->text, .at = file->servers.found.value };
    return sq_scan_object(&s, key, out, err);
}

/* Notes what stays of the entry. */
static bool
note_kept(const struct file *file, const struct sq_install_entry *entry,
          struct sq_err *err) {
    struct sq_scan s = { .text = file->text,
                         .at = file->servers.found.value + 1 };
    bool ok = sq_scan_trivia(&s, err);
    while (ok && sq_scan_peek(&s, 0) != '}') {
        struct sq_scan_member member = { 0 };
        ok = sq_scan_member(&s, &member, err);
        const char *start = file->text.ptr + member.key + 1;
        struct sq_span key = { start, 0 };
        while (ok && start[key.len] != '"') {
            key.len += start[key.len] == '\\' ? 2 : 1;
        }
        struct sq_span value = { file->text.ptr + member.value,
                                 member.end - member.value };
        ok = ok && sq_install_keep(entry, key, value, err);
    }
    return ok;
}

/* Plans the new value of a member that is there; none if it can stay. */
static bool
plan_member(const struct file *file, const struct sq_install_entry *entry,
            const struct sq_install_field *field,
            const struct sq_scan_member *member,
            struct sq_install_splice *splice, struct sq_err *err) {
    struct sq_span value = { file->text.ptr + member->value,
                             member->end - member->value };
    return sq_install_plan(splice, entry, field, file->text, value, err);
}

/* Plans to insert the arguments after the command. */
static void
plan_args(const struct file *file, const struct sq_install_field *field,
          const struct sq_scan_member *command,
          struct sq_install_splice *splice) {
    struct sq_span indent;
    bool is_line = indent_of(file->text, command->key, &indent);
    bool is_crlf = sq_install_newline(file->text)[0] == '\r';
    *splice = (struct sq_install_splice){
        .field = field,
        .from = command->end,
        .to = command->end,
        .indent = is_line ? indent : (struct sq_span){ 0 },
        .before = !is_line ? ", "
                : is_crlf  ? ",\r\n"
                           : ",\n",
        .label = ": ",
        .quote = "\"",
        .after = "",
    };
}

static bool
replace(const struct file *file, const struct sq_install_entry *entry,
        struct sq_buf *out, struct sq_err *err) {
    const struct sq_scan_member *member = &file->servers.found;
    struct layout layout = { .unit = file->unit };
    if (indent_of(file->text, member->key, &layout.indent)) {
        layout.newline = sq_install_newline(file->text);
    }
    return sq_install_put_part(out, file->text, 0, member->value, err)
        && put_entry(entry, &layout, 0, out, err)
        && sq_install_put_part(out, file->text, member->end, file->text.len,
                               err);
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
    struct sq_install_splice splices[2];
    struct sq_scan_object command = { 0 };
    struct sq_scan_object args = { 0 };
    *change = SQ_INSTALL_REPLACED;
    bool is_object = file->text.ptr[file->servers.found.value] == '{';
    if (is_object
        && (!find_member(file, fields[0]->key, &command, err)
            || !find_member(file, fields[1]->key, &args, err))) {
        return false;
    }
    if (command.count == 0) {
        return replace(file, entry, out, err);
    }
    if (command.found.key == SQ_SCAN_NONE) {
        return sq_install_fail_entry(entry, err);
    }
    plan_args(file, fields[1], &command.found, &splices[1]);
    if (!plan_member(file, entry, fields[0], &command.found, &splices[0], err)
        || (args.found.key != SQ_SCAN_NONE
            && !plan_member(file, entry, fields[1], &args.found, &splices[1],
                            err))
        || !note_kept(file, entry, err)) {
        return false;
    }
    return sq_install_put_splices(entry, file->text, splices, out, change, err);
}

static bool
json_add(const struct sq_install_entry *entry, struct sq_span text,
         struct sq_buf *out, enum sq_install_change *change,
         struct sq_err *err) {
    struct file file;
    if (!scan_file(entry, text, &file, err)) {
        return false;
    }
    *change = SQ_INSTALL_ADDED;
    if (file.is_empty) {
        return add_to_empty_file(entry, text, out, err);
    }
    if (file.root.found.key == SQ_SCAN_NONE) {
        return add_to(&file, &file.root, entry, out, err);
    }
    if (file.servers.found.key == SQ_SCAN_NONE) {
        return add_to(&file, &file.servers, entry, out, err);
    }
    return change_entry(&file, entry, out, change, err);
}

/* Extends from..to to whole lines, if nothing else is on them. */
static bool
extend_to_lines(struct sq_span text, size_t *from, size_t *to) {
    struct sq_span indent;
    size_t end = *to;
    while (end < text.len
           && (text.ptr[end] == ' ' || text.ptr[end] == '\t'
               || text.ptr[end] == '\r')) {
        end++;
    }
    bool is_alone = indent_of(text, *from, &indent) && end < text.len
                 && text.ptr[end] == '\n';
    if (is_alone) {
        *from = (size_t)(indent.ptr - text.ptr);
        *to = end + 1;
    }
    return is_alone;
}

/* Returns the start of the spaces before an offset, at least `min`. */
static size_t
skip_spaces_back(struct sq_span text, size_t at, size_t min) {
    while (at > min && text.ptr[at - 1] == ' ') {
        at--;
    }
    return at;
}

/* Extends the range of the only member, if nothing else is in the object. */
static bool
extend_to_object(struct sq_span text, const struct sq_scan_object *object,
                 size_t *from, size_t *to) {
    struct sq_span before = { text.ptr + object->open + 1,
                              *from - object->open - 1 };
    struct sq_span after = { text.ptr + *to, object->close - *to };
    bool is_blank =
        sq_span_trim(before).len == 0 && sq_span_trim(after).len == 0;
    if (is_blank && object->count == 1) {
        *from = object->open + 1;
        *to = object->close;
    }
    return is_blank && object->count == 1;
}

/*
 * Removes the member with its lines, or on one line with its spaces, and with
 * its comma: the one after it, or of the last member the one before it.
 */
static bool
remove_member(const struct file *file, struct sq_buf *out, struct sq_err *err) {
    const struct sq_scan_object *object = &file->servers;
    const struct sq_scan_member *member = &object->found;
    struct sq_span text = file->text;
    bool has_comma = member->comma != SQ_SCAN_NONE;
    bool is_last = member->key == object->last.key;
    size_t from = member->key;
    size_t to = has_comma ? member->comma + 1 : member->end;
    size_t before = object->before_found.comma; /* only after another member */
    if (!extend_to_object(text, object, &from, &to)
        && !extend_to_lines(text, &from, &to) && object->count > 1) {
        from = is_last ? skip_spaces_back(text, from, before + 1) : from;
        while (!is_last && to < text.len && text.ptr[to] == ' ') {
            to++;
        }
    }
    size_t cut = has_comma || object->count == 1 ? from : before;
    return sq_install_put_part(out, text, 0, cut, err)
        && (cut == from || sq_install_put_part(out, text, cut + 1, from, err))
        && sq_install_put_part(out, text, to, text.len, err);
}

static bool
json_remove(const struct sq_install_entry *entry, struct sq_span text,
            struct sq_buf *out, enum sq_install_change *change,
            struct sq_err *err) {
    struct file file;
    if (!scan_file(entry, text, &file, err)) {
        return false;
    }
    if (file.is_empty || file.root.found.key == SQ_SCAN_NONE
        || file.servers.found.key == SQ_SCAN_NONE) {
        *change = SQ_INSTALL_UNCHANGED;
        return true;
    }
    *change = SQ_INSTALL_REMOVED;
    return remove_member(&file, out, err);
}

const struct sq_install_editor sq_install_json = { json_add, json_remove };
