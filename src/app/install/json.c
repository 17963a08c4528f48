/*
 * Entries of JSON files, which may have comments and trailing commas. Checks
 * the structure of the whole file.
 */
#include <stdio.h>

#include "app/install/edit.h"
#include "util/limits.h"

#define NONE ((size_t)-1)

/* A member of an object; offsets into the text. */
struct pair {
    size_t key; /* NONE: there is no such member */
    size_t key_end;
    size_t value;
    size_t end;   /* of the value */
    size_t comma; /* after it, or NONE */
};

struct object {
    size_t open;
    size_t close;
    size_t count;
    struct pair last;
    struct pair found; /* the member that was searched for */
    struct pair before_found;
};

/* A position in a text. */
struct scan {
    struct sq_span text;
    size_t at;
    int depth;
};

static bool scan_value(struct scan *s, struct sq_err *err);

static bool
fail_here(const struct scan *s, const char *what, struct sq_err *err) {
    return sq_install_fail_at(s->text, s->at, what, err);
}

/* Skips white space and comments. Returns the next byte, or NUL at the end. */
static char
peek(struct scan *s) {
    s->at = sq_install_skip_space(s->text, s->at, true);
    return s->at < s->text.len ? s->text.ptr[s->at] : '\0';
}

/* Scans a number, true, false or null. */
static bool
scan_word(struct scan *s, struct sq_err *err) {
    struct sq_span word = { s->text.ptr + s->at, 0 };
    double number;
    while (s->at + word.len < s->text.len
           && !memchr(" \t\r\n,:]}/\"[{", word.ptr[word.len], 12)) {
        word.len++;
    }
    if (!sq_span_is(word, "true") && !sq_span_is(word, "false")
        && !sq_span_is(word, "null") && !sq_span_to_double(word, &number)) {
        return fail_here(s, "expected a value", err);
    }
    s->at += word.len;
    return true;
}

/* Scans what follows a value: a comma, the closing byte or both. */
static bool
scan_separator(struct scan *s, char close, size_t *comma, struct sq_err *err) {
    *comma = NONE;
    if (peek(s) == ',') {
        *comma = s->at++;
        return true;
    }
    return peek(s) == close
        || fail_here(s,
                     close == '}' ? "expected \",\" or \"}\""
                                  : "expected \",\" or \"]\"",
                     err);
}

static bool
scan_pair(struct scan *s, struct pair *pair, struct sq_err *err) {
    if (peek(s) != '"') {
        return fail_here(s, "expected a key in double quotes", err);
    }
    pair->key = s->at;
    if (!sq_install_skip_string(s->text, &s->at, err)) {
        return false;
    }
    pair->key_end = s->at;
    if (peek(s) != ':') {
        return fail_here(s, "expected \":\"", err);
    }
    s->at++;
    peek(s);
    pair->value = s->at;
    if (!scan_value(s, err)) {
        return false;
    }
    pair->end = s->at;
    return scan_separator(s, '}', &pair->comma, err);
}

static struct sq_span
key_of(const struct scan *s, const struct pair *pair) {
    return (struct sq_span){ s->text.ptr + pair->key + 1,
                             pair->key_end - pair->key - 2 };
}

static bool
enter(struct scan *s, struct sq_err *err) {
    s->at++;
    return ++s->depth <= SQ_MAX_JSON_DEPTH
        || fail_here(s, "nested too deeply", err);
}

/*
 * Skips the object at the cursor and searches it for a key; NULL searches for
 * none. Fails if that key occurs twice.
 */
static bool
scan_object(struct scan *s, const char *key, struct object *out,
            struct sq_err *err) {
    const struct pair none = { .key = NONE };
    *out = (struct object){ s->at, 0, 0, none, none, none };
    bool ok = enter(s, err);
    while (ok && peek(s) != '}') {
        struct pair pair = { 0 };
        ok = scan_pair(s, &pair, err);
        if (ok && key && sq_span_is(key_of(s, &pair), key)) {
            ok = out->found.key == NONE
              || sq_install_fail_at(s->text, pair.key, "duplicate key", err);
            out->found = pair;
            out->before_found = out->last;
        }
        out->last = pair;
        out->count++;
    }
    out->close = s->at++;
    s->depth--;
    return ok;
}

static bool
scan_value(struct scan *s, struct sq_err *err) {
    struct object ignored;
    size_t comma;
    switch (peek(s)) {
    case '{':
        return scan_object(s, NULL, &ignored, err);
    case '"':
        return sq_install_skip_string(s->text, &s->at, err);
    case '[':
        break;
    default:
        return scan_word(s, err);
    }
    bool ok = enter(s, err);
    while (ok && peek(s) != ']') {
        ok = scan_value(s, err) && scan_separator(s, ']', &comma, err);
    }
    s->at++;
    s->depth--;
    return ok;
}

/* Records the settings of the entry, if it is an object. */
static bool
read_members(struct sq_install_file *file, size_t value, struct sq_err *err) {
    struct scan s = { .text = file->text, .at = value };
    bool ok = true;
    if (peek(&s) != '{') {
        return true;
    }
    s.at++;
    while (ok && peek(&s) != '}') {
        struct pair pair = { 0 };
        ok = scan_pair(&s, &pair, err)
          && (!sq_install_member_find(file, key_of(&s, &pair))
              || sq_install_fail_at(s.text, pair.key, "duplicate key", err));
        const struct sq_install_member member = { .key = key_of(&s, &pair),
                                                  .key_at = pair.key,
                                                  .from = pair.value,
                                                  .to = pair.end,
                                                  .end = pair.end };
        ok = ok && sq_install_add_member(file, &member, err);
    }
    return ok;
}

static bool
is_blank(struct sq_span text, size_t from, size_t to) {
    struct sq_span part = { text.ptr + from, to - from };
    return sq_span_trim(part).len == 0;
}

static bool
has_newline(struct sq_span text, size_t from, size_t to) {
    return to > from && memchr(text.ptr + from, '\n', to - from);
}

/* Inserts into an object that has no members but may have comments. */
static bool
add_first(struct sq_install_file *file, const struct object *object,
          struct sq_install_layout *layout, struct sq_err *err) {
    bool is_alone;
    char before[256];
    char after[256] = "";
    struct sq_span base =
        sq_install_indent(file->text, object->open, &is_alone);
    bool is_empty = is_blank(file->text, object->open + 1, object->close);
    snprintf(before, sizeof(before), "%s%.*s%s", file->newline,
             SQ_SPAN_ARGS(base), layout->unit);
    if (is_empty) {
        snprintf(after, sizeof(after), "%s%.*s", file->newline,
                 SQ_SPAN_ARGS(base));
    }
    layout->before = before;
    layout->after = after;
    layout->indent = sq_span_of(before + strlen(file->newline));
    return sq_install_plan_block(file, object->open + 1,
                                 is_empty ? object->close : object->open + 1,
                                 layout, err);
}

/*
 * Inserts after the last member of an object: on lines of its own only if the
 * last member is.
 */
static bool
add_last(struct sq_install_file *file, const struct object *object,
         struct sq_install_layout *layout, struct sq_err *err) {
    struct sq_span text = file->text;
    bool has_comma = object->last.comma != NONE;
    size_t at = has_comma ? object->last.comma + 1 : object->last.end;
    size_t end = sq_install_skip_space(text, at, false);
    bool is_alone;
    char before[256];
    layout->indent = sq_install_indent(text, object->last.key, &is_alone);
    layout->is_inline = !is_alone || layout->indent.len + 3 > sizeof(before)
                     || !has_newline(text, object->open, object->close)
                     || end != sq_install_line_end(text, at);
    snprintf(before, sizeof(before), "%s%.*s", file->newline,
             SQ_SPAN_ARGS(layout->indent));
    layout->before = layout->is_inline ? " " : before;
    layout->after = has_comma ? "," : "";
    at = layout->is_inline ? at : end;
    return (has_comma
            || sq_install_plan_text(file, object->last.end, object->last.end,
                                    ",", err))
        && sq_install_plan_block(file, at, at, layout, err);
}

/* Fills an empty file; comments stay at the top. */
static bool
add_to_empty_file(struct sq_install_file *file, struct sq_err *err) {
    struct sq_span text = file->text;
    bool is_empty = is_blank(text, 0, text.len);
    bool ends = is_empty || text.ptr[text.len - 1] == '\n';
    char before[16];
    char after[16];
    snprintf(before, sizeof(before), "%s{%s  ", ends ? "" : file->newline,
             file->newline);
    snprintf(after, sizeof(after), "%s}%s", file->newline, file->newline);
    const struct sq_install_layout layout = { before, after, SQ_SPAN("  "),
                                              "  ",   false, true };
    return sq_install_plan_block(file, is_empty ? 0 : text.len, text.len,
                                 &layout, err);
}

/* Adds the entry, or replaces one without members. */
static bool
add_entry(struct sq_install_file *file, const struct object *root,
          const struct object *section, struct sq_err *err) {
    bool is_alone;
    char unit[16] = "  ";
    const struct object *object = section ? section : root;
    struct sq_install_layout layout = {
        .before = "", .after = "", .unit = unit, .with_section = !section
    };
    /* The first line with a key is one level deep. */
    size_t first = sq_install_skip_space(file->text, root->open + 1, true);
    struct sq_span indent = sq_install_indent(file->text, first, &is_alone);
    if (is_alone && root->count > 0 && indent.len > 0
        && indent.len < sizeof(unit)) {
        snprintf(unit, sizeof(unit), "%.*s", SQ_SPAN_ARGS(indent));
    }
    if (file->has_entry) {
        const struct pair *found = &section->found;
        layout.indent = sq_install_indent(file->text, found->key, &is_alone);
        layout.is_inline = !is_alone;
        return sq_install_plan_block(file, found->key, found->end, &layout,
                                     err);
    }
    return object->count > 0 ? add_last(file, object, &layout, err)
                             : add_first(file, object, &layout, err);
}

/*
 * Removes the member with its lines, or on one line with its spaces, and with
 * its comma: the one after it, or of the last member the one before it.
 */
static bool
remove_member(struct sq_install_file *file, const struct object *object,
              struct sq_err *err) {
    const struct pair *pair = &object->found;
    struct sq_span text = file->text;
    bool has_comma = pair->comma != NONE;
    bool is_alone;
    size_t from = pair->key;
    size_t to = has_comma ? pair->comma + 1 : pair->end;
    struct sq_span indent = sq_install_indent(text, from, &is_alone);
    size_t end = sq_install_line_end(text, to);
    if (object->count == 1 && is_blank(text, object->open + 1, from)
        && is_blank(text, to, object->close)) {
        from = object->open + 1;
        to = object->close;
    } else if (is_alone && is_blank(text, to, end) && end < text.len) {
        from -= indent.len;
        to = end + (text.ptr[end] == '\r') + 1;
    } else if (pair->key != object->last.key) {
        while (text.ptr[to] == ' ') {
            to++;
        }
    } else if (object->count > 1) {
        while (text.ptr[from - 1] == ' ') {
            from--;
        }
    }
    size_t before = object->before_found.comma;
    return (has_comma || object->count == 1
            || sq_install_plan_text(file, before, before + 1, "", err))
        && sq_install_plan_text(file, from, to, "", err);
}

static bool
plan_entry(struct sq_install_file *file, const struct object *root,
           bool removes, struct sq_err *err) {
    struct scan s = { .text = file->text, .at = root->found.value };
    struct object section = { 0 };
    bool has_section = root->found.key != NONE;
    if (has_section && peek(&s) != '{') {
        return fail_here(&s, "the list of servers is not an object", err);
    }
    if (has_section && !scan_object(&s, file->entry->name, &section, err)) {
        return false;
    }
    file->has_entry = has_section && section.found.key != NONE;
    if (file->has_entry && !read_members(file, section.found.value, err)) {
        return false;
    }
    if (removes) {
        return !file->has_entry || remove_member(file, &section, err);
    }
    return file->member_count > 0
        || add_entry(file, root, has_section ? &section : NULL, err);
}

static bool
plan(struct sq_install_file *file, bool removes, struct sq_err *err) {
    struct scan s = { .text = file->text };
    struct object root;
    if (sq_span_starts_with(s.text, "\xef\xbb\xbf")) {
        s.at = 3;
    }
    if (peek(&s) != '{') {
        return s.at < s.text.len
                 ? fail_here(&s, "the file is not a JSON object", err)
                 : removes || add_to_empty_file(file, err);
    }
    if (!scan_object(&s, file->entry->client->section, &root, err)) {
        return false;
    }
    peek(&s);
    return s.at < s.text.len
             ? fail_here(&s, "unexpected text after the object", err)
             : plan_entry(file, &root, removes, err);
}

const struct sq_install_format sq_install_json = {
    .name = "JSON",
    .plan = plan,
    .quote = "\"",
    .assign = ": ",
    .open = ": {",
    .comma = ",",
    .close = "}",
};
