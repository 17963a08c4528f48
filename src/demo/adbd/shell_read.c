/* Reads the commands of a shell script, one at a time. */
#include <stdio.h>

#include "demo/adbd/shell.h"

#define MAX_WORDS 16384

struct reader {
    struct sq_adbd_shell *shell;
    struct sq_span *rest;
    struct sq_sh_command *command;
    bool has_word; /* one has begun, even if it is empty */
    struct sq_err *err;
};

static char
peek(const struct reader *reader, size_t ahead) {
    return ahead < reader->rest->len ? reader->rest->ptr[ahead] : '\0';
}

static bool
is_one_of(char byte, const char *set) {
    return byte != '\0' && strchr(set, byte) != NULL;
}

static void
skip(struct reader *reader, size_t count) {
    sq_span_skip(reader->rest, count);
}

static void
skip_all(struct reader *reader, const char *set) {
    while (is_one_of(peek(reader, 0), set)) {
        skip(reader, 1);
    }
}

static bool
fail_unexpected(struct reader *reader) {
    char next[] = { peek(reader, 0), '\0' };
    return sq_fail(reader->err, SQ_ERR_FORMAT, "syntax error: unexpected '%s'",
                   next[0] == '\0'   ? "EOF"
                   : next[0] == '\n' ? "newline"
                                     : next);
}

static bool
fail_unclosed(struct reader *reader, char quote) {
    return sq_fail(reader->err, SQ_ERR_FORMAT,
                   "syntax error: no closing quote '%c'", quote);
}

/* Appends to the current word, or begins one. */
static bool
put(struct reader *reader, const char *text, size_t len) {
    reader->has_word = true;
    return sq_buf_append(&reader->command->text, text, len, reader->err);
}

/* Appends the next characters of the script. */
static bool
put_next(struct reader *reader, size_t count) {
    const char *from = reader->rest->ptr;
    skip(reader, count);
    return put(reader, from, count);
}

static bool
end_word(struct reader *reader) {
    if (!reader->has_word) {
        return true;
    }
    if (reader->command->words == MAX_WORDS) {
        return sq_fail(reader->err, SQ_ERR_LIMIT, "too many words");
    }
    bool ok = put(reader, "", 1);
    reader->command->words++;
    reader->has_word = false;
    return ok;
}

/* Returns the length of the variable's name that is ahead; 0: none. */
static size_t
name_length(const struct reader *reader, size_t from) {
    size_t len = 0;
    char byte = peek(reader, from);
    while (byte == '_' || (byte >= 'a' && byte <= 'z')
           || (byte >= 'A' && byte <= 'Z')
           || (byte >= '0' && byte <= '9' && len > 0)) {
        byte = peek(reader, from + ++len);
    }
    return len;
}

static const char *
value_of(struct sq_adbd_shell *shell, struct sq_span name) {
    char plain[SQ_ADBD_STORE_NAME_SIZE];
    if (sq_span_is(name, "?") || sq_span_is(name, "$")) {
        snprintf(shell->number, sizeof(shell->number), "%d",
                 name.ptr[0] == '?' ? shell->status : 4242);
        return shell->number;
    }
    snprintf(plain, sizeof(plain), "%.*s", SQ_SPAN_ARGS(name));
    const char *value = sq_adbd_store_get(&shell->variables, plain);
    return value ? value : "";
}

/* Reads $NAME, ${NAME}, $? or $$. A lone dollar is literal. */
static bool
read_variable(struct reader *reader, bool splits) {
    size_t from = peek(reader, 1) == '{' ? 2 : 1;
    bool is_sign = is_one_of(peek(reader, from), "?$");
    size_t len = is_sign ? 1 : name_length(reader, from);
    struct sq_span name = { reader->rest->ptr + from, len };
    bool is_complete =
        from == 1 || (len > 0 && peek(reader, from + len) == '}');
    if (!is_complete || peek(reader, 1) == '(') {
        skip(reader, 1);
        return fail_unexpected(reader);
    }
    if (len == 0) {
        return put_next(reader, 1);
    }
    skip(reader, 2 * from - 1 + len);
    const char *value = value_of(reader->shell, name);
    if (!splits) {
        return put(reader, value, strlen(value));
    }
    bool ok = true;
    for (; ok && *value; value++) {
        ok = is_one_of(*value, " \t\n") ? end_word(reader)
                                        : put(reader, value, 1);
    }
    return ok;
}

static bool
read_double_quoted(struct reader *reader) {
    bool ok = put(reader, "", 0);
    skip(reader, 1);
    while (ok && peek(reader, 0) != '"') {
        char next = peek(reader, 0);
        if (next == '\0') {
            return fail_unclosed(reader, '"');
        }
        if (next == '`') {
            return fail_unexpected(reader);
        }
        if (next == '$') {
            ok = read_variable(reader, false);
            continue;
        }
        /* Before any other character a backslash is literal. */
        skip(reader, next == '\\' && is_one_of(peek(reader, 1), "\"\\$`"));
        ok = put_next(reader, reader->rest->len > 0);
    }
    skip(reader, ok);
    return ok;
}

static bool
read_part(struct reader *reader, bool splits) {
    struct sq_span text;
    size_t plain = 0;
    switch (peek(reader, 0)) {
    case '\'':
        skip(reader, 1);
        return sq_span_take_until(reader->rest, '\'', &text)
                 ? put(reader, text.ptr, text.len)
                 : fail_unclosed(reader, '\'');
    case '"':
        return read_double_quoted(reader);
    case '$':
        return read_variable(reader, splits);
    case '`':
        return fail_unexpected(reader);
    case '\\':
        skip(reader, 1);
        return put_next(reader, reader->rest->len > 0);
    default:
        while (plain < reader->rest->len
               && !is_one_of(peek(reader, plain), " \t\n;&|<>()'\"\\$`")) {
            plain++;
        }
        return put_next(reader, plain);
    }
}

/* Reads a word, if one begins here. A value is split at its spaces. */
static bool
read_word(struct reader *reader, bool splits) {
    bool ok = true;
    while (ok && reader->rest->len > 0
           && !is_one_of(peek(reader, 0), " \t\n;&|<>()")) {
        ok = read_part(reader, splits);
    }
    return ok;
}

/* Accepts < or >, with an optional digit before it. */
static bool
is_redirect(const struct reader *reader) {
    return is_one_of(peek(reader, is_one_of(peek(reader, 0), "012")), "<>");
}

static bool
read_redirect(struct reader *reader) {
    struct sq_sh_command *command = reader->command;
    size_t before = command->text.len;
    bool has_number = is_one_of(peek(reader, 0), "012");
    bool reads = peek(reader, has_number) == '<';
    int fd = has_number ? peek(reader, 0) - '0' : !reads;
    skip(reader, has_number + (size_t)1);
    char next = peek(reader, 0);
    if (reads != (fd == 0)) {
        return fail_unexpected(reader);
    }
    if (next == '&' && !reads) {
        skip(reader, 1);
        next = peek(reader, 0);
        if (!is_one_of(next, "12")
            || is_one_of(peek(reader, 1), "0123456789")) {
            return fail_unexpected(reader);
        }
        command->to[fd] = command->to[next - '0'];
        skip(reader, 1);
        return true;
    }
    struct sq_sh_target to = { .appends = next == '>' && !reads };
    skip(reader, to.appends);
    skip_all(reader, " \t");
    if (!read_word(reader, false)) {
        return false;
    }
    if (!reader->has_word) {
        return fail_unexpected(reader);
    }
    /* The word is not an argument. An empty one is no file, like ".". */
    int len = (int)(command->text.len - before);
    snprintf(to.path, sizeof(to.path), "%.*s", len > 0 ? len : 1,
             len > 0 ? (const char *)command->text.data + before : ".");
    sq_buf_clear(&command->text);
    sq_buf_commit(&command->text, before);
    reader->has_word = false;
    command->to[fd] = to;
    return true;
}

/* Reads what follows a command. */
static bool
read_end(struct reader *reader) {
    static const struct {
        const char *sign;
        enum sq_sh_end end;
    } ends[] = {
        { "&&", SQ_SH_AND },       { "||", SQ_SH_OR },  { "|", SQ_SH_PIPE },
        { "&", SQ_SH_BACKGROUND }, { ";", SQ_SH_NEXT }, { "\n", SQ_SH_NEXT },
    };
    reader->command->end = SQ_SH_END;
    for (size_t i = 0; i < SQ_COUNT(ends); i++) {
        if (sq_span_take_prefix(reader->rest, ends[i].sign)) {
            reader->command->end = ends[i].end;
            return true;
        }
    }
    return reader->rest->len == 0 || fail_unexpected(reader);
}

bool
sq_sh_read(struct sq_adbd_shell *shell, struct sq_err *err) {
    struct sq_span *rest = &shell->rest;
    struct sq_sh_command *command = &shell->command;
    struct reader reader = { shell, rest, command, false, err };
    bool may_end =
        command->end == SQ_SH_NEXT || command->end == SQ_SH_BACKGROUND;
    bool ok = true;
    sq_buf_clear(&command->text);
    command->words = command->assignments = 0;
    for (int fd = 0; fd < 3; fd++) {
        command->to[fd] = (struct sq_sh_target){ .fd = fd };
    }
    skip_all(&reader, " \t\n");
    const char *first = rest->ptr;
    while (ok && rest->len > 0 && !is_one_of(peek(&reader, 0), "\n;&|()")) {
        bool assigns = command->words == command->assignments
                    && peek(&reader, name_length(&reader, 0)) == '='
                    && peek(&reader, 0) != '=';
        if (is_redirect(&reader)) {
            ok = read_redirect(&reader);
        } else {
            ok = read_word(&reader, !assigns) && end_word(&reader);
            command->assignments += assigns;
        }
        skip_all(&reader, " \t");
    }
    bool is_empty = rest->ptr == first;
    if (ok && is_empty && (rest->len > 0 || !may_end)) {
        return fail_unexpected(&reader);
    }
    return ok && read_end(&reader);
}
