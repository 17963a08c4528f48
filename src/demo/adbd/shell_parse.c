/* Parses the shell syntax that the phone supports. */
#include "demo/adbd/shell_parse.h"

#include <string.h>

#define MAX_SCRIPT_BYTES ((size_t)1 << 20)

struct parser {
    struct sq_span rest;
    struct sq_arena *arena;
    struct sq_err *err;
};

/* Appends an item to a linked list; end points to its last link. */
#define APPEND(end, item) (*(end) = (item), (end) = &(item)->next)

static char
peek(const struct parser *parser, size_t ahead) {
    return ahead < parser->rest.len ? parser->rest.ptr[ahead] : '\0';
}

static void
advance(struct parser *parser, size_t count) {
    parser->rest.ptr += count;
    parser->rest.len -= count;
}

static bool
at_end(const struct parser *parser) {
    return parser->rest.len == 0;
}

static bool
is_one_of(char byte, const char *set) {
    return byte != '\0' && strchr(set, byte) != NULL;
}

static bool
is_name_start(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
        || byte == '_';
}

static bool
is_name(char byte) {
    return is_name_start(byte) || (byte >= '0' && byte <= '9');
}

static bool
fail_unexpected(struct parser *parser) {
    if (at_end(parser) || peek(parser, 0) == '\n') {
        return sq_fail(parser->err, SQ_ERR_FORMAT,
                       "syntax error: unexpected '%s'",
                       at_end(parser) ? "EOF" : "newline");
    }
    return sq_fail(parser->err, SQ_ERR_FORMAT, "syntax error: unexpected '%c'",
                   peek(parser, 0));
}

static bool
fail_unclosed(struct parser *parser, char quote) {
    return sq_fail(parser->err, SQ_ERR_FORMAT,
                   "syntax error: no closing quote '%c'", quote);
}

static void *
make(struct parser *parser, size_t size) {
    void *item = sq_arena_alloc(parser->arena, 1, size, parser->err);
    if (item) {
        memset(item, 0, size);
    }
    return item;
}

/* Skips spaces, tabs, joined lines and comments, but not newlines. */
static void
skip_blanks(struct parser *parser) {
    for (;;) {
        if (is_one_of(peek(parser, 0), " \t")) {
            advance(parser, 1);
        } else if (peek(parser, 0) == '\\' && peek(parser, 1) == '\n') {
            advance(parser, 2);
        } else {
            break;
        }
    }
    if (peek(parser, 0) == '#') {
        while (!at_end(parser) && peek(parser, 0) != '\n') {
            advance(parser, 1);
        }
    }
}

static bool
ends_word(char byte) {
    return is_one_of(byte, " \t\n;&|<>()");
}

struct word_builder {
    struct sq_sh_word *word;
    struct sq_sh_part **end;
};

static bool
add_part(struct parser *parser, struct word_builder *into, struct sq_span text,
         bool quoted, bool is_variable) {
    struct sq_sh_part *part = make(parser, sizeof(*part));
    if (!part) {
        return false;
    }
    part->text = text;
    part->quoted = quoted;
    part->is_variable = is_variable;
    APPEND(into->end, part);
    return true;
}

/* Adds the next count characters literally. */
static bool
add_letters(struct parser *parser, struct word_builder *into, size_t count,
            bool quoted) {
    struct sq_span text = { parser->rest.ptr, count };
    advance(parser, count);
    return count == 0 || add_part(parser, into, text, quoted, false);
}

static bool
add_single_quoted(struct parser *parser, struct word_builder *into) {
    struct sq_span text;
    advance(parser, 1);
    if (!sq_span_take_until(&parser->rest, '\'', &text)) {
        return fail_unclosed(parser, '\'');
    }
    into->word->quoted = true;
    return text.len == 0 || add_part(parser, into, text, true, false);
}

static size_t
name_length(const struct parser *parser, size_t from) {
    size_t len = 0;
    if (is_one_of(peek(parser, from), "?$")) {
        return 1;
    }
    if (is_name_start(peek(parser, from))) {
        while (is_name(peek(parser, from + len))) {
            len++;
        }
    }
    return len;
}

/* Adds $NAME, ${NAME}, $? or $$. A lone dollar is literal. */
static bool
add_variable(struct parser *parser, struct word_builder *into, bool quoted) {
    bool braced = peek(parser, 1) == '{';
    size_t from = braced ? 2 : 1;
    size_t len = name_length(parser, from);
    struct sq_span name = { parser->rest.ptr + from, len };
    if ((braced && (len == 0 || peek(parser, from + len) != '}'))
        || peek(parser, 1) == '(') {
        advance(parser, 1);
        return fail_unexpected(parser);
    }
    if (len == 0) {
        return add_letters(parser, into, 1, quoted);
    }
    advance(parser, from + len + braced);
    return add_part(parser, into, name, quoted, true);
}

static bool
add_double_quoted(struct parser *parser, struct word_builder *into) {
    bool ok = true;
    advance(parser, 1);
    into->word->quoted = true;
    while (ok && peek(parser, 0) != '"') {
        size_t plain = 0;
        while (plain < parser->rest.len
               && !is_one_of(peek(parser, plain), "\"\\$`")) {
            plain++;
        }
        ok = add_letters(parser, into, plain, true);
        char next = peek(parser, 0);
        if (at_end(parser)) {
            ok = fail_unclosed(parser, '"');
        } else if (next == '$') {
            ok = ok && add_variable(parser, into, true);
        } else if (next == '`') {
            ok = fail_unexpected(parser);
        } else if (next == '\\' && peek(parser, 1) == '\n') {
            advance(parser, 2);
        } else if (next == '\\') {
            /* Before any other character a backslash is literal. */
            advance(parser, is_one_of(peek(parser, 1), "\"\\$`"));
            ok = ok && add_letters(parser, into, parser->rest.len > 0, true);
        }
    }
    advance(parser, ok);
    return ok;
}

/* Adds text outside quotes. */
static bool
add_plain(struct parser *parser, struct word_builder *into) {
    size_t plain = 0;
    while (plain < parser->rest.len && !ends_word(peek(parser, plain))
           && !is_one_of(peek(parser, plain), "'\"\\$`")) {
        plain++;
    }
    if (plain) {
        return add_letters(parser, into, plain, false);
    }
    if (peek(parser, 0) == '$') {
        return add_variable(parser, into, false);
    }
    if (peek(parser, 0) == '`') {
        return fail_unexpected(parser);
    }
    /* A backslash joins lines at a newline, and quotes any other character. */
    advance(parser, 1);
    if (peek(parser, 0) == '\n') {
        advance(parser, 1);
        return true;
    }
    into->word->quoted = true;
    return add_letters(parser, into, parser->rest.len > 0, true);
}

/* Takes a word. *out is NULL if none begins here. */
static bool
take_word(struct parser *parser, struct sq_sh_word **out) {
    *out = NULL;
    if (at_end(parser) || ends_word(peek(parser, 0))) {
        return true;
    }
    struct sq_sh_word *word = make(parser, sizeof(*word));
    struct word_builder into = { word, word ? &word->parts : NULL };
    bool ok = word != NULL;
    while (ok && !at_end(parser) && !ends_word(peek(parser, 0))) {
        char next = peek(parser, 0);
        ok = next == '\'' ? add_single_quoted(parser, &into)
           : next == '"'  ? add_double_quoted(parser, &into)
                          : add_plain(parser, &into);
    }
    if (ok) {
        *out = word;
    }
    return ok;
}

/* Accepts < or >, with an optional digit before it. */
static bool
is_redirect(const struct parser *parser) {
    char first = peek(parser, 0);
    return is_one_of(first, "<>")
        || (is_one_of(first, "012") && is_one_of(peek(parser, 1), "<>"));
}

static bool
read_copy(struct parser *parser, struct sq_sh_redirect *redirect) {
    advance(parser, 1);
    if (!is_one_of(peek(parser, 0), "12") || is_name(peek(parser, 1))) {
        return fail_unexpected(parser);
    }
    redirect->kind = SQ_SH_COPY;
    redirect->from = peek(parser, 0) - '0';
    advance(parser, 1);
    return true;
}

static bool
take_redirect(struct parser *parser, struct sq_sh_redirect **out) {
    struct sq_sh_redirect *redirect = make(parser, sizeof(*redirect));
    if (!redirect) {
        return false;
    }
    bool numbered = !is_one_of(peek(parser, 0), "<>");
    int number = numbered ? peek(parser, 0) - '0' : -1;
    advance(parser, numbered);
    bool reads = peek(parser, 0) == '<';
    advance(parser, 1);
    redirect->kind = reads ? SQ_SH_READ : SQ_SH_WRITE;
    redirect->fd = number >= 0 ? number : !reads;
    *out = redirect;
    if (reads != (redirect->fd == 0)) {
        return fail_unexpected(parser);
    }
    if (!reads && peek(parser, 0) == '>') {
        redirect->kind = SQ_SH_APPEND;
        advance(parser, 1);
    } else if (!reads && peek(parser, 0) == '&') {
        return read_copy(parser, redirect);
    }
    skip_blanks(parser);
    return take_word(parser, &redirect->file)
        && (redirect->file || fail_unexpected(parser));
}

static bool
is_identifier(struct sq_span text) {
    bool ok = text.len > 0 && is_name_start(text.ptr[0]);
    for (size_t i = 1; ok && i < text.len; i++) {
        ok = is_name(text.ptr[i]);
    }
    return ok;
}

/* Turns NAME=... at the start of a command into an assignment. */
static bool
split_assignment(struct parser *parser, struct sq_sh_word *word,
                 struct sq_sh_assignment **out) {
    struct sq_sh_part *first = word->parts;
    struct sq_span value = first ? first->text : (struct sq_span){ 0 };
    struct sq_span name;
    *out = NULL;
    if (!first || first->quoted || first->is_variable
        || !sq_span_take_until(&value, '=', &name) || !is_identifier(name)) {
        return true;
    }
    struct sq_sh_assignment *assignment = make(parser, sizeof(*assignment));
    if (!assignment) {
        return false;
    }
    assignment->name = name;
    first->text = value;
    assignment->value = word;
    *out = assignment;
    return true;
}

struct command_builder {
    struct sq_sh_command *command;
    struct sq_sh_word **words;
    struct sq_sh_assignment **assignments;
    struct sq_sh_redirect **redirects;
};

static bool
take_piece(struct parser *parser, struct command_builder *into, bool *found) {
    struct sq_sh_assignment *assignment = NULL;
    struct sq_sh_redirect *redirect;
    struct sq_sh_word *word;
    *found = true;
    if (is_redirect(parser)) {
        if (!take_redirect(parser, &redirect)) {
            return false;
        }
        APPEND(into->redirects, redirect);
        return true;
    }
    bool ok = take_word(parser, &word);
    *found = ok && word;
    if (!*found) {
        return ok;
    }
    if (!into->command->words && !split_assignment(parser, word, &assignment)) {
        return false;
    }
    if (assignment) {
        APPEND(into->assignments, assignment);
    } else {
        APPEND(into->words, word);
    }
    return true;
}

/* Takes a simple command. *out is NULL if none begins here. */
static bool
take_command(struct parser *parser, struct sq_sh_command **out) {
    struct sq_sh_command *command = make(parser, sizeof(*command));
    bool found = true;
    bool empty = true;
    *out = NULL;
    if (!command) {
        return false;
    }
    struct command_builder into = { command, &command->words,
                                    &command->assignments,
                                    &command->redirects };
    while (found) {
        skip_blanks(parser);
        if (!take_piece(parser, &into, &found)) {
            return false;
        }
        empty = empty && !found;
    }
    *out = empty ? NULL : command;
    return true;
}

static bool
take_pipe(struct parser *parser, struct sq_sh_step *step_out) {
    struct sq_sh_command **end = &step_out->first;
    for (;;) {
        struct sq_sh_command *command;
        if (!take_command(parser, &command)) {
            return false;
        }
        if (!command) {
            return (end == &step_out->first && !step_out->negated)
                || fail_unexpected(parser);
        }
        APPEND(end, command);
        if (peek(parser, 0) != '|' || peek(parser, 1) == '|') {
            return true;
        }
        advance(parser, 1);
        while (skip_blanks(parser), peek(parser, 0) == '\n') {
            advance(parser, 1);
        }
    }
}

static void
take_negation(struct parser *parser, struct sq_sh_step *out) {
    skip_blanks(parser);
    if (peek(parser, 0) == '!' && is_one_of(peek(parser, 1), " \t")) {
        out->negated = true;
        advance(parser, 1);
    }
}

/* Takes the separator after a step. Returns false if it is not valid. */
static bool
take_separator(struct parser *parser, struct sq_sh_step *before,
               enum sq_sh_when *when) {
    char first = peek(parser, 0);
    bool twice = first == peek(parser, 1);
    if (!twice && is_one_of(first, ";\n&")) {
        before->background = first == '&';
        *when = SQ_SH_ALWAYS;
        advance(parser, 1);
        return true;
    }
    if (first == '\n') {
        advance(parser, 1);
        return true;
    }
    if (!is_one_of(first, "&|") || !twice) {
        return false;
    }
    *when = first == '&' ? SQ_SH_IF_OK : SQ_SH_IF_FAILED;
    advance(parser, 2);
    return true;
}

static void
skip_lines(struct parser *parser) {
    while (skip_blanks(parser), peek(parser, 0) == '\n') {
        advance(parser, 1);
    }
}

/*
 * Takes one step and its separator. An empty step is allowed between lines, but
 * not before a semicolon or next to && and ||.
 */
static bool
take_step(struct parser *parser, enum sq_sh_when *when,
          struct sq_sh_step ***end) {
    struct sq_sh_step *one = make(parser, sizeof(*one));
    if (!one) {
        return false;
    }
    skip_lines(parser);
    one->when = *when;
    take_negation(parser, one);
    if (!take_pipe(parser, one)) {
        return false;
    }
    if (!one->first) {
        return (at_end(parser) && one->when == SQ_SH_ALWAYS)
            || fail_unexpected(parser);
    }
    APPEND(*end, one);
    *when = SQ_SH_ALWAYS;
    return at_end(parser) || take_separator(parser, one, when)
        || fail_unexpected(parser);
}

bool
sq_sh_parse(struct sq_span text, struct sq_arena *arena,
            struct sq_sh_step **out, struct sq_err *err) {
    struct parser parser = { text, arena, err };
    struct sq_sh_step *first = NULL;
    struct sq_sh_step **end = &first;
    enum sq_sh_when when = SQ_SH_ALWAYS;
    if (text.len > MAX_SCRIPT_BYTES || sq_span_contains(text, '\0')) {
        return sq_fail(err, SQ_ERR_FORMAT, "syntax error: not a script");
    }
    do {
        if (!take_step(&parser, &when, &end)) {
            return false;
        }
    } while (!at_end(&parser) || when != SQ_SH_ALWAYS);
    *out = first;
    return true;
}
