/*
 * Writes the values of an entry. Changes one that is already there, and keeps
 * what a person set in it.
 */
#include <string.h>

#include "app/install/install.h"
#include "json/writer.h"
#include "util/utf8.h"

#define MAX_VALUE_BYTES ((size_t)64 << 10)

/* The flag for reading text, where that is built in. */
#ifdef SQ_HAVE_TESSERACT
#define READING ", \"--ocr-enabled\""
#else
#define READING ""
#endif

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

/* Writes the arguments that suit a client, in flags that a person can read. */
static bool
put_arguments(const struct sq_install_entry *entry, struct sq_buf *out,
              struct sq_err *err) {
    const char *profile = entry->client->profile;
    return sq_buf_printf(out, err, "[\"mcp\"")
        && (entry->is_plain
            || (sq_buf_printf(out, err,
                              ", \"--format\", \"auto\"" READING
                              ", \"--template-matching-enabled\"")
                && (!profile
                    || sq_buf_printf(out, err, ", \"--profile\", \"%s\"",
                                     profile))))
        && sq_buf_printf(out, err, "]");
}

bool
sq_install_put_value(const struct sq_install_entry *entry,
                     const struct sq_install_field *field, struct sq_buf *out,
                     struct sq_err *err) {
    switch (field->kind) {
    case SQ_INSTALL_COMMAND:
        return put_text(entry->command, out, err);
    case SQ_INSTALL_ARGS:
        return put_arguments(entry, out, err);
    case SQ_INSTALL_NAME:
        return put_text(entry->name, out, err);
    case SQ_INSTALL_TEXT:
        return put_text(field->text, out, err);
    case SQ_INSTALL_LITERAL:
        return sq_buf_printf(out, err, "%s", field->text);
    }
    return false;
}

const char *
sq_install_newline(struct sq_span text) {
    const char *end = text.len ? memchr(text.ptr, '\n', text.len) : NULL;
    return end && end > text.ptr && end[-1] == '\r' ? "\r\n" : "\n";
}

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
sq_install_put(struct sq_buf *out, struct sq_span text, struct sq_err *err) {
    return text.len == 0 || sq_buf_append(out, text.ptr, text.len, err);
}

bool
sq_install_put_part(struct sq_buf *out, struct sq_span text, size_t from,
                    size_t to, struct sq_err *err) {
    return from >= to || sq_buf_append(out, text.ptr + from, to - from, err);
}

const struct sq_install_field *
sq_install_field_of(const struct sq_install_entry *entry,
                    enum sq_install_kind kind) {
    const struct sq_install_field *field = entry->client->fields;
    while (field->kind != kind) {
        field++;
    }
    return field;
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

/* Returns the offset of the next byte that is no white space. */
static size_t
skip_space(struct sq_span text, size_t at) {
    while (at < text.len && memchr(" \t\n\r", text.ptr[at], 4)) {
        at++;
    }
    return at;
}

/* Returns whether two texts differ only in white space outside quotes. */
static bool
equals_ignoring_space(struct sq_span text, struct sq_span want) {
    size_t i = skip_space(text, 0);
    size_t at = skip_space(want, 0);
    bool in_text = false;
    while (i < text.len && at < want.len && text.ptr[i] == want.ptr[at]) {
        in_text ^= text.ptr[i] == '"';
        i = in_text ? i + 1 : skip_space(text, i + 1);
        at = in_text ? at + 1 : skip_space(want, at + 1);
    }
    return i == text.len && at == want.len;
}

/* Sets *is_same to whether the text is the value of a new entry. */
static bool
compare(const struct sq_install_entry *entry,
        const struct sq_install_field *field, struct sq_span text,
        bool *is_same, struct sq_err *err) {
    struct sq_buf want;
    sq_buf_init(&want, MAX_VALUE_BYTES);
    bool ok = sq_install_put_value(entry, field, &want, err);
    *is_same = ok && equals_ignoring_space(text, sq_buf_span(&want));
    sq_buf_finish(&want);
    return ok;
}

/* Skips white space and comments of JSON and TOML. */
static void
skip_trivia(struct sq_span *rest) {
    size_t before;
    do {
        before = rest->len;
        *rest = sq_span_trim(*rest);
        const char *end = NULL;
        if (sq_span_starts_with(*rest, "#")
            || sq_span_starts_with(*rest, "//")) {
            end = memchr(rest->ptr, '\n', rest->len);
        } else if (sq_span_starts_with(*rest, "/*") && rest->len > 3) {
            end = memchr(rest->ptr + 3, '/', rest->len - 3);
            while (end && end[-1] != '*') {
                size_t left = rest->len - (size_t)(end + 1 - rest->ptr);
                end = memchr(end + 1, '/', left);
            }
        }
        if (end) {
            rest->len -= (size_t)(end + 1 - rest->ptr);
            rest->ptr = end + 1;
        }
    } while (rest->len < before);
}

/* Returns whether the list of arguments begins with "mcp". */
static bool
begins_with_mcp(struct sq_span text) {
    if (!sq_span_take_prefix(&text, "[")) {
        return false;
    }
    skip_trivia(&text);
    return sq_span_starts_with(text, "\"mcp\"")
        || sq_span_starts_with(text, "'mcp'");
}

/*
 * Returns whether the list of arguments has a text "mcp" after others, as if
 * npx or wsl.exe started squint.
 */
static bool
has_mcp_later(struct sq_span text) {
    while (text.len > 0 && !sq_span_starts_with(text, "\"mcp\"")
           && !sq_span_starts_with(text, "'mcp'")) {
        text.ptr++;
        text.len--;
    }
    return text.len > 0;
}

/* Returns whether the text is the command in single quotes, as in TOML. */
static bool
is_in_single_quotes(struct sq_span text, const char *command) {
    size_t len = strlen(command);
    return text.len == len + 2 && text.ptr[0] == '\''
        && memcmp(text.ptr + 1, command, len) == 0 && text.ptr[len + 1] == '\'';
}

bool
sq_install_can_stay(const struct sq_install_entry *entry,
                    const struct sq_install_field *field, struct sq_span text,
                    bool *is_right, struct sq_err *err) {
    if (field->kind == SQ_INSTALL_COMMAND) {
        *is_right = is_in_single_quotes(text, entry->command);
        return *is_right || compare(entry, field, text, is_right, err);
    }
    bool has_flags = !equals_ignoring_space(text, SQ_SPAN("[\"mcp\"]"));
    bool begins = begins_with_mcp(text);
    *is_right = begins && (has_flags || entry->is_plain);
    return begins || !has_mcp_later(text)
        || sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "the entry \"%s\" starts squint by another program, and "
                   "was not changed; change it by hand, remove it with "
                   "--uninstall, or choose another --name",
                   entry->name);
}

bool
sq_install_plan(struct sq_install_splice *splice,
                const struct sq_install_entry *entry,
                const struct sq_install_field *field, struct sq_span text,
                struct sq_span value, struct sq_err *err) {
    bool is_right;
    if (!sq_install_can_stay(entry, field, value, &is_right, err)) {
        return false;
    }
    size_t from = (size_t)(value.ptr - text.ptr);
    *splice = (struct sq_install_splice){ .field = is_right ? NULL : field,
                                          .from = from,
                                          .to = from + value.len };
    return true;
}

bool
sq_install_keep_key(const struct sq_install_entry *entry, struct sq_span key,
                    struct sq_err *err) {
    if (!entry->kept) {
        return true;
    }
    size_t start = entry->kept->len;
    struct sq_span line;
    if (!sq_plain_append(key, false, entry->kept, err)) {
        return false;
    }
    struct sq_span all = sq_buf_span(entry->kept);
    struct sq_span name = { all.ptr + start, all.len - start };
    struct sq_span rest = { all.ptr, start };
    while (sq_span_take_line(&rest, &line)) {
        if (sq_span_equal(line, name)) {
            entry->kept->len = start;
            return true;
        }
    }
    return sq_buf_append(entry->kept, "\n", 1, err);
}

bool
sq_install_keep(const struct sq_install_entry *entry, struct sq_span key,
                struct sq_span value, struct sq_err *err) {
    const struct sq_install_field *field = sq_install_field_named(entry, key);
    bool is_same = false;
    bool is_right = true;
    if (field->key && !compare(entry, field, value, &is_same, err)) {
        return false;
    }
    if (field->key && field->kind <= SQ_INSTALL_ARGS
        && !sq_install_can_stay(entry, field, value, &is_right, err)) {
        return false;
    }
    bool is_command = field->key && field->kind == SQ_INSTALL_COMMAND;
    return is_command || is_same || !is_right
        || sq_install_keep_key(entry, key, err);
}

bool
sq_install_fail_entry(const struct sq_install_entry *entry,
                      struct sq_err *err) {
    return sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "the entry \"%s\" has settings, but starts no program; "
                   "remove it with --uninstall, or choose another --name",
                   entry->name);
}

void
sq_install_add_line(struct sq_install_splice *splice,
                    const struct sq_install_field *field, struct sq_span text,
                    size_t at, struct sq_span indent, const char *label) {
    const char *newline = sq_install_newline(text);
    bool is_after_line = at == 0 || text.ptr[at - 1] == '\n';
    *splice = (struct sq_install_splice){
        .field = field,
        .from = at,
        .to = at,
        .indent = indent,
        .before = is_after_line ? "" : newline,
        .label = label,
        .quote = "",
        .after = is_after_line ? newline : "",
    };
}

static bool
put_splice(const struct sq_install_entry *entry,
           const struct sq_install_splice *splice, struct sq_buf *out,
           struct sq_err *err) {
    if (!splice->label) {
        return sq_install_put_value(entry, splice->field, out, err);
    }
    return sq_buf_printf(out, err, "%s%.*s%s%s%s%s", splice->before,
                         SQ_SPAN_ARGS(splice->indent), splice->quote,
                         splice->field->key, splice->quote, splice->label)
        && sq_install_put_value(entry, splice->field, out, err)
        && sq_buf_printf(out, err, "%s", splice->after);
}

bool
sq_install_put_splices(const struct sq_install_entry *entry,
                       struct sq_span text,
                       const struct sq_install_splice splices[2],
                       struct sq_buf *out, enum sq_install_change *change,
                       struct sq_err *err) {
    *change = splices[0].field || splices[1].field ? SQ_INSTALL_REPLACED
                                                   : SQ_INSTALL_UNCHANGED;
    if (*change == SQ_INSTALL_UNCHANGED) {
        return true;
    }
    bool is_swapped = splices[1].from < splices[0].from;
    size_t done = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < 2; i++) {
        const struct sq_install_splice *splice =
            &splices[is_swapped ? 1 - i : i];
        if (splice->field) {
            ok = sq_install_put_part(out, text, done, splice->from, err)
              && put_splice(entry, splice, out, err);
            done = splice->to;
        }
    }
    return ok && sq_install_put_part(out, text, done, text.len, err);
}
