/*
 * Adds an entry to the text of a client's file, or removes it, without changing
 * any other byte. In an entry that is there, only the program and its arguments
 * are changed. The edited text is read again before it is used.
 */
#include "app/install/edit.h"

#include <stdio.h>

#include "json/writer.h"
#include "util/utf8.h"

#define MAX_VALUE_BYTES ((size_t)64 << 10)
#define MAX_ARENA_BYTES ((size_t)32 << 20)

/* The flag for reading text, where that is built in. */
#ifdef SQ_HAVE_TESSERACT
#define READING ", \"--ocr-enabled\""
#else
#define READING ""
#endif

bool
sq_install_fail_at(struct sq_span text, size_t offset, const char *what,
                   struct sq_err *err) {
    int line = 1;
    for (size_t i = 0; i < offset && i < text.len; i++) {
        line += text.ptr[i] == '\n';
    }
    return sq_fail(err, SQ_ERR_FORMAT, "line %d: %s", line, what);
}

bool
sq_install_fail_form(struct sq_span text, size_t offset, const char *what,
                     struct sq_err *err) {
    sq_install_fail_at(text, offset, what, err);
    if (err) {
        err->code = SQ_ERR_UNSUPPORTED;
    }
    return false;
}

size_t
sq_install_line_end(struct sq_span text, size_t at) {
    while (at < text.len && text.ptr[at] != '\n'
           && (text.ptr[at] != '\r' || at + 1 == text.len
               || text.ptr[at + 1] != '\n')) {
        at++;
    }
    return at;
}

struct sq_span
sq_install_indent(struct sq_span text, size_t offset, bool *is_alone) {
    size_t start = offset;
    while (start > 0 && text.ptr[start - 1] != '\n') {
        start--;
    }
    size_t end = start;
    while (end < offset && (text.ptr[end] == ' ' || text.ptr[end] == '\t')) {
        end++;
    }
    *is_alone = end == offset;
    return (struct sq_span){ text.ptr + start, end - start };
}

size_t
sq_install_skip_space(struct sq_span text, size_t at, bool lines) {
    while (at < text.len && (lines || at < sq_install_line_end(text, at))) {
        struct sq_span rest = { text.ptr + at, text.len - at };
        if (memchr(" \t\r\n", rest.ptr[0], 4)) {
            at++;
        } else if (rest.ptr[0] == '#' || sq_span_starts_with(rest, "//")) {
            at = sq_install_line_end(text, at);
        } else if (sq_span_starts_with(rest, "/*")) {
            size_t len = 4;
            while (len <= rest.len
                   && memcmp(rest.ptr + len - 2, "*/", 2) != 0) {
                len++;
            }
            if (len > rest.len) {
                break;
            }
            at += len;
        } else {
            break;
        }
    }
    return at;
}

bool
sq_install_skip_string(struct sq_span text, size_t *at, struct sq_err *err) {
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
 * Appends a value of JSON or TOML without white space and comments, with double
 * quotes.
 */
static bool
put_canonical(struct sq_span value, struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    size_t at = sq_install_skip_space(value, 0, true);
    while (ok && at < value.len) {
        size_t from = at++;
        char byte = value.ptr[from];
        if (byte == '"' || byte == '\'') {
            at = from;
            ok = sq_install_skip_string(value, &at, err)
              && sq_buf_append_byte(out, '"', err)
              && sq_buf_append(out, value.ptr + from + 1, at - from - 2, err)
              && sq_buf_append_byte(out, '"', err);
        } else {
            ok = sq_buf_append_byte(out, byte, err);
        }
        at = sq_install_skip_space(value, at, true);
    }
    return ok;
}

/*
 * Writes text in double quotes, as JSON; TOML and YAML accept the same syntax.
 */
static bool
put_text(const char *text, struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_put_string(&w, sq_span_of(text));
    return sq_json_writer_done(&w, err);
}

/* Writes what is before "mcp": with npx the name of the package. */
static bool
put_start(const struct sq_install_entry *entry, struct sq_buf *out,
          struct sq_err *err) {
    return entry->package
             ? sq_buf_printf(out, err, "[\"-y\", \"%s\", ", entry->package)
             : sq_buf_append_byte(out, '[', err);
}

/* Writes the arguments that suit a client, in flags that a person can read. */
static bool
put_arguments(const struct sq_install_entry *entry, struct sq_buf *out,
              struct sq_err *err) {
    const char *profile = entry->client->profile;
    return put_start(entry, out, err)
        && sq_buf_printf(out, err, "\"mcp\"%s",
                         entry->is_plain
                             ? ""
                             : ", \"--format\", \"auto\", "
                               "\"--replies\", \"short\", "
                               "\"--max-dimension\", \"auto\"" READING
                               ", \"--template-matching-enabled\"")
        && (entry->is_plain || !profile
            || sq_buf_printf(out, err, ", \"--profile\", \"%s\"", profile))
        && sq_buf_append_byte(out, ']', err);
}

/* Appends the value of a field on one line; valid in all formats. */
static bool
put_value(const struct sq_install_entry *entry,
          const struct sq_install_field *field, struct sq_buf *out,
          struct sq_err *err) {
    switch (field->kind) {
    case SQ_INSTALL_ARGS:
        return put_arguments(entry, out, err);
    case SQ_INSTALL_LITERAL:
        return sq_buf_printf(out, err, "%s", field->text);
    case SQ_INSTALL_COMMAND:
        return put_text(entry->command, out, err);
    case SQ_INSTALL_NAME:
        return put_text(entry->name, out, err);
    case SQ_INSTALL_TEXT:
        break;
    }
    return put_text(field->text, out, err);
}

const struct sq_install_field *
sq_install_field_named(const struct sq_install_entry *entry,
                       struct sq_span key) {
    const struct sq_install_field *field = entry->client->fields;
    while (field->key && !sq_span_is(key, field->key)) {
        field++;
    }
    return field;
}

const struct sq_install_member *
sq_install_member_find(const struct sq_install_file *file, struct sq_span key) {
    for (size_t i = 0; i < file->member_count; i++) {
        if (sq_span_equal(file->members[i].key, key)) {
            return &file->members[i];
        }
    }
    return NULL;
}

bool
sq_install_add_member(struct sq_install_file *file,
                      const struct sq_install_member *member,
                      struct sq_err *err) {
    if (sq_install_member_find(file, member->key)) {
        return true;
    }
    if (file->member_count == SQ_INSTALL_MAX_MEMBERS) {
        return sq_fail(err, SQ_ERR_LIMIT, "the entry has too many settings");
    }
    struct sq_span value = member->value;
    SQ_BUF(canonical, SQ_INSTALL_MAX_BYTES);
    bool ok = true;
    if (!value.ptr) {
        value = (struct sq_span){ file->text.ptr + member->from,
                                  member->to - member->from };
        ok = put_canonical(value, &canonical, err);
        value = sq_buf_span(&canonical);
    }
    struct sq_install_member *added = &file->members[file->member_count];
    *added = *member;
    added->value = value;
    ok = ok && sq_arena_keep(file->arena, &added->key, err)
      && sq_arena_keep(file->arena, &added->value, err);
    file->member_count += ok;
    return ok;
}

static bool
plan_splice(struct sq_install_file *file, size_t from, size_t to,
            struct sq_span text, struct sq_err *err) {
    if (file->splice_count == SQ_INSTALL_MAX_SPLICES) {
        return sq_install_fail_form(file->text, from,
                                    "the entry has too many parts", err);
    }
    struct sq_install_splice *splice = &file->splices[file->splice_count];
    *splice = (struct sq_install_splice){ from, to, text };
    bool ok = text.len == 0 || sq_arena_keep(file->arena, &splice->text, err);
    file->splice_count += ok;
    return ok;
}

bool
sq_install_plan_text(struct sq_install_file *file, size_t from, size_t to,
                     const char *text, struct sq_err *err) {
    return plan_splice(file, from, to, sq_span_of(text), err);
}

static bool
put_break(const struct sq_install_file *file,
          const struct sq_install_layout *layout, int deeper,
          struct sq_buf *out, struct sq_err *err) {
    if (layout->is_inline) {
        return true;
    }
    bool ok = sq_buf_printf(out, err, "%s%.*s", file->newline,
                            SQ_SPAN_ARGS(layout->indent));
    for (int i = 0; ok && i < deeper; i++) {
        ok = sq_buf_printf(out, err, "%s", layout->unit);
    }
    return ok;
}

static bool
put_close(const struct sq_install_file *file,
          const struct sq_install_layout *layout, int deeper,
          struct sq_buf *out, struct sq_err *err) {
    const char *close = file->entry->client->format->close;
    return !close
        || (put_break(file, layout, deeper, out, err)
            && sq_buf_printf(out, err, "%s", close));
}

static bool
put_block(const struct sq_install_file *file,
          const struct sq_install_layout *layout, struct sq_buf *out,
          struct sq_err *err) {
    const struct sq_install_entry *entry = file->entry;
    bool with_section = layout->with_section;
    const struct sq_install_format *format = entry->client->format;
    const struct sq_install_field *field = entry->client->fields;
    bool ok = true;
    if (with_section) {
        ok = sq_buf_printf(out, err, "%s%s%s%s", format->quote,
                           entry->client->section, format->quote, format->open)
          && put_break(file, layout, 1, out, err);
    }
    ok = ok
      && sq_buf_printf(out, err, "%s%s%s%s", format->quote, entry->name,
                       format->quote, format->open);
    for (bool is_first = true; ok && field->key; field++, is_first = false) {
        ok = sq_buf_printf(out, err, "%s%s", is_first ? "" : format->comma,
                           layout->is_inline && !is_first ? " " : "")
          && put_break(file, layout, with_section + 1, out, err)
          && sq_buf_printf(out, err, "%s%s%s%s", format->quote, field->key,
                           format->quote, format->assign)
          && put_value(entry, field, out, err);
    }
    return ok && put_close(file, layout, with_section, out, err)
        && (!with_section || put_close(file, layout, 0, out, err));
}

bool
sq_install_plan_block(struct sq_install_file *file, size_t from, size_t to,
                      const struct sq_install_layout *layout,
                      struct sq_err *err) {
    SQ_BUF(block, MAX_VALUE_BYTES);
    return sq_buf_printf(&block, err, "%s", layout->before)
        && put_block(file, layout, &block, err)
        && sq_buf_printf(&block, err, "%s", layout->after)
        && plan_splice(file, from, to, sq_buf_span(&block), err);
}

/*
 * Says whether the arguments of an entry stay. Fails if another program gets
 * "mcp" among them.
 */
static bool
compare_arguments(const struct sq_install_entry *entry, struct sq_span value,
                  bool *stays, struct sq_err *err) {
    char npx[256];
    snprintf(npx, sizeof(npx), "[\"-y\",\"%s\",",
             entry->package ? entry->package : "");
    bool is_npx = entry->package && sq_span_take_prefix(&value, npx);
    sq_span_skip(&value, is_npx ? 0 : 1);
    const char *start = value.ptr;
    *stays = is_npx == (entry->package != NULL)
          && (sq_span_starts_with(value, "\"mcp\",")
              || (entry->is_plain && sq_span_is(value, "\"mcp\"]")));
    while (value.len > 0 && !sq_span_starts_with(value, "\"mcp\"")) {
        sq_span_skip(&value, 1);
    }
    return value.len == 0 || value.ptr == start
        || sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "the entry \"%s\" starts squint by another program, and "
                   "was not changed; change it by hand, remove it with "
                   "--uninstall, or choose another --name",
                   entry->name);
}

/*
 * Sets *stays to whether a setting need not change: the same program, or
 * arguments that begin with "mcp". Sets *is_same to whether it is that of a new
 * entry. Fails if arguments precede "mcp", which are those of another program,
 * such as npx.
 */
static bool
compare(const struct sq_install_entry *entry,
        const struct sq_install_member *member, bool *stays, bool *is_same,
        struct sq_err *err) {
    const struct sq_install_field *field =
        sq_install_field_named(entry, member->key);
    struct sq_span value = member->value;
    *stays = true;
    *is_same = false;
    if (!field->key) {
        return true;
    }
    SQ_BUF(fresh, MAX_VALUE_BYTES);
    SQ_BUF(canonical, MAX_VALUE_BYTES);
    bool ok = put_value(entry, field, &fresh, err)
           && put_canonical(sq_buf_span(&fresh), &canonical, err);
    *is_same = ok && sq_span_equal(value, sq_buf_span(&canonical));
    if (field->kind == SQ_INSTALL_COMMAND) {
        *stays = *is_same;
    }
    if (!ok || field->kind != SQ_INSTALL_ARGS) {
        return ok;
    }
    return !sq_span_starts_with(value, "[")
        || compare_arguments(entry, value, stays, err);
}

/* Plans the new value of a setting, or a new line with it after another. */
static bool
plan_value(struct sq_install_file *file, const struct sq_install_field *field,
           const struct sq_install_member *member,
           const struct sq_install_member *after, struct sq_err *err) {
    const struct sq_install_format *format = file->entry->client->format;
    bool is_alone;
    bool ok = true;
    SQ_BUF(text, MAX_VALUE_BYTES);
    if (member) {
        ok = sq_buf_printf(&text, err, "%s", member->lead ? member->lead : "");
    } else {
        struct sq_span indent =
            sq_install_indent(file->text, after->key_at, &is_alone);
        ok = sq_buf_printf(&text, err, "%s%s%.*s%s%s%s%s", format->comma,
                           is_alone ? file->newline : " ",
                           is_alone ? (int)indent.len : 0, indent.ptr,
                           format->quote, field->key, format->quote,
                           format->assign);
    }
    /* npx gets the flags of the entry that it replaces. */
    struct sq_span flags = member ? member->value : (struct sq_span){ 0 };
    bool keeps_flags = field->kind == SQ_INSTALL_ARGS && file->entry->package
                    && sq_span_starts_with(flags, "[\"mcp\",");
    ok = ok
      && (keeps_flags
              ? put_start(file->entry, &text, err)
                    && sq_buf_append(&text, flags.ptr + 1, flags.len - 1, err)
              : put_value(file->entry, field, &text, err));
    return ok
        && plan_splice(file, member ? member->from : after->end,
                       member ? member->to : after->end, sq_buf_span(&text),
                       err);
}

static const struct sq_install_member *
find_kind(const struct sq_install_file *file, enum sq_install_kind kind,
          const struct sq_install_field **field) {
    *field = file->entry->client->fields;
    while ((*field)->kind != kind) {
        (*field)++;
    }
    return sq_install_member_find(file, sq_span_of((*field)->key));
}

/* Notes what stays of an entry because a person set it. */
static bool
note_kept(const struct sq_install_file *file, struct sq_err *err) {
    const struct sq_install_entry *entry = file->entry;
    const struct sq_install_field *command;
    const struct sq_install_member *ours =
        find_kind(file, SQ_INSTALL_COMMAND, &command);
    bool ok = true;
    for (size_t i = 0; ok && i < file->member_count; i++) {
        bool stays;
        bool is_same;
        const struct sq_install_member *member = &file->members[i];
        ok = compare(entry, member, &stays, &is_same, err);
        if (ok && entry->kept && member != ours && stays && !is_same) {
            ok = sq_plain_append(member->key, false, entry->kept, err)
              && sq_buf_append_byte(entry->kept, '\n', err);
        }
    }
    return ok;
}

/* Corrects the entry that is there; other settings of it stay. */
static bool
plan_change(struct sq_install_file *file, struct sq_err *err) {
    const struct sq_install_field *fields[2];
    const struct sq_install_member *members[] = {
        find_kind(file, SQ_INSTALL_COMMAND, &fields[0]),
        find_kind(file, SQ_INSTALL_ARGS, &fields[1]),
    };
    if (!members[0]) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the entry \"%s\" has settings, but starts no program; "
                       "remove it with --uninstall, or choose another --name",
                       file->entry->name);
    }
    bool is_swapped = members[1] && members[1]->from < members[0]->from;
    bool ok = note_kept(file, err);
    for (size_t i = 0; ok && i < 2; i++) {
        size_t which = is_swapped ? 1 - i : i;
        bool stays = false;
        bool is_same;
        ok = !members[which]
          || compare(file->entry, members[which], &stays, &is_same, err);
        ok = ok
          && (stays
              || plan_value(file, fields[which], members[which], members[0],
                            err));
    }
    return ok;
}

static bool
plan(struct sq_install_file *file, const struct sq_install_entry *entry,
     bool removes, struct sq_span text, struct sq_err *err) {
    const char *end = text.len ? memchr(text.ptr, '\n', text.len) : NULL;
    bool is_crlf = end && end > text.ptr && end[-1] == '\r';
    *file = (struct sq_install_file){ .entry = entry,
                                      .text = text,
                                      .newline = is_crlf ? "\r\n" : "\n",
                                      .arena = file->arena };
    size_t valid = sq_utf8_valid_len(text);
    if (valid < text.len) {
        return sq_install_fail_at(text, valid, "not valid UTF-8", err);
    }
    return entry->client->format->plan(file, removes, err)
        && (removes || file->member_count == 0 || plan_change(file, err));
}

static bool
put_edited(const struct sq_install_file *file, struct sq_buf *out,
           struct sq_err *err) {
    struct sq_span text = file->text;
    size_t done = 0;
    for (size_t i = 0; i < file->splice_count; i++) {
        const struct sq_install_splice *splice = &file->splices[i];
        /* Two removals may share a blank line. */
        size_t from = splice->from > done ? splice->from : done;
        if (!sq_buf_append(out, text.ptr + done, from - done, err)
            || !sq_buf_append(out, splice->text.ptr, splice->text.len, err)) {
            return false;
        }
        done = splice->to;
    }
    return sq_buf_append(out, text.ptr + done, text.len - done, err);
}

/* Reads the edited text: a second edit must have nothing to do. */
static bool
check_edit(struct sq_install_file *file, bool removes, const struct sq_buf *out,
           struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_install_entry entry = *file->entry;
    entry.kept = NULL;
    bool ok = plan(file, &entry, removes, sq_buf_span(out), &local_err)
           && file->splice_count == 0 && file->has_entry == !removes;
    if (local_err.code == SQ_ERR_NOMEM) {
        return sq_fail_nomem(err);
    }
    return ok
        || sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "squint cannot edit this form of %s",
                   entry.client->format->name);
}

bool
sq_install_edit(const struct sq_install_entry *entry, bool removes,
                struct sq_span text, struct sq_buf *out,
                enum sq_install_change *change, struct sq_err *err) {
    SQ_FREED(sq_arena_finish) struct sq_arena arena = { 0 };
    struct sq_install_file file = { .arena = &arena };
    sq_arena_init(&arena, MAX_ARENA_BYTES);
    bool ok = plan(&file, entry, removes, text, err);
    *change = file.splice_count == 0 ? SQ_INSTALL_UNCHANGED
            : removes                ? SQ_INSTALL_REMOVED
            : file.has_entry         ? SQ_INSTALL_REPLACED
                                     : SQ_INSTALL_ADDED;
    return ok
        && (file.splice_count == 0
            || (put_edited(&file, out, err)
                && check_edit(&file, removes, out, err)));
}
