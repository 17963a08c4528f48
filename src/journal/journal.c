/* Parses journals. */
#include "journal/journal.h"

#include <stdlib.h>

#include "redact/rules.h"
#include "tool/masked_arguments.h"

/* The values of all lines; the texts themselves stay in the file's text. */
#define MAX_MEMORY ((size_t)512 << 20)

/* The lines of pictures come before the line of the call that has them. */
#define MAX_PICTURES SQ_MAX_BLOCKS

struct picture {
    int64_t number;
    struct sq_span mime_type;
    struct sq_span base64;
};

struct parser {
    struct sq_journal *out;
    size_t capacity; /* of out->calls */
    int line;
    bool has_header;
    struct picture pictures[MAX_PICTURES]; /* of the next call */
    size_t picture_count;
};

void
sq_journal_finish(struct sq_journal *journal) {
    sq_arena_finish(&journal->arena);
    *journal = (struct sq_journal){ 0 };
}

static bool
fail_line(const struct parser *p, const char *what, struct sq_err *err) {
    sq_fail(err, SQ_ERR_FORMAT, "line %d of the journal %s", p->line, what);
    return sq_fail_hint(err, "A journal is a file that --journal of squint mcp "
                             "or squint serve has written.");
}

static void
attach_picture(const struct parser *p, const struct sq_json *item,
               struct sq_journal_block *block) {
    int64_t number;
    if (!sq_json_int(sq_json_get(item, "picture"), &number)) {
        return;
    }
    for (size_t i = 0; i < p->picture_count; i++) {
        if (p->pictures[i].number == number) {
            block->base64 = p->pictures[i].base64;
            block->mime_type = p->pictures[i].mime_type;
        }
    }
}

static bool
parse_block(const struct parser *p, const struct sq_json *item,
            struct sq_journal_block *out, struct sq_err *err) {
    static const struct {
        const char *name;
        enum sq_block_kind kind;
    } kinds[] = {
        { "text", SQ_BLOCK_TEXT },
        { "image", SQ_BLOCK_IMAGE },
        { "resource_link", SQ_BLOCK_LINK },
    };
    struct sq_span type = sq_json_text_of(item, "type");
    struct sq_span audience = sq_json_text_of(item, "audience");
    size_t at = 0;
    while (at < SQ_COUNT(kinds) && !sq_span_is(type, kinds[at].name)) {
        at++;
    }
    if (at == sizeof(kinds) / sizeof(kinds[0])) {
        return fail_line(p, "has content of an unknown type", err);
    }
    *out = (struct sq_journal_block){
        .kind = kinds[at].kind,
        .audience = sq_span_is(audience, "user")      ? SQ_FOR_USER
                  : sq_span_is(audience, "assistant") ? SQ_FOR_MODEL
                                                      : SQ_FOR_BOTH,
        .mime_type = sq_json_text_of(item, "mimeType"),
        .text = sq_json_text_of(item, "text"),
        .uri = sq_json_text_of(item, "uri"),
        .name = sq_json_text_of(item, "name"),
    };
    attach_picture(p, item, out);
    return true;
}

static bool
parse_blocks(const struct parser *p, const struct sq_json *content,
             struct sq_journal_call *call, struct sq_err *err) {
    size_t count = sq_json_count(content);
    if (count == 0) {
        return true;
    }
    if (count > SQ_MAX_BLOCKS) {
        return fail_line(p, "has too much content", err);
    }
    struct sq_journal_block *blocks =
        sq_arena_alloc(&p->out->arena, count, sizeof(*blocks), err);
    bool ok = blocks != NULL;
    for (const struct sq_json *item = sq_json_first(content); ok && item;
         item = sq_json_next(item)) {
        ok = parse_block(p, item, &blocks[call->block_count], err);
        call->block_count += ok;
    }
    call->blocks = blocks;
    return ok;
}

/* Finds the reply: the first text, if it is a JSON object. */
static bool
parse_reply(const struct parser *p, struct sq_journal_call *call,
            struct sq_err *err) {
    struct sq_err local_err = { 0 };
    size_t at = 0;
    while (at < call->block_count && call->blocks[at].kind != SQ_BLOCK_TEXT) {
        at++;
    }
    if (at == call->block_count
        || sq_json_parse(call->blocks[at].text, &p->out->arena, &call->reply,
                         &local_err)) {
        return true;
    }
    call->reply = NULL;
    return local_err.code != SQ_ERR_NOMEM || sq_fail_with(err, &local_err);
}

static bool
add_call(struct parser *p, const struct sq_journal_call *call,
         struct sq_err *err) {
    struct sq_journal *out = p->out;
    if (out->count == SQ_JOURNAL_MAX_CALLS) {
        return sq_fail(err, SQ_ERR_LIMIT, "the journal has more than %d calls",
                       SQ_JOURNAL_MAX_CALLS);
    }
    if (out->count == p->capacity) {
        size_t capacity = p->capacity ? p->capacity * 2 : 64;
        struct sq_journal_call *calls =
            sq_arena_alloc(&out->arena, capacity, sizeof(*calls), err);
        if (!calls) {
            return false;
        }
        if (out->count > 0) {
            memcpy(calls, out->calls, out->count * sizeof(*calls));
        }
        out->calls = calls;
        p->capacity = capacity;
    }
    out->calls[out->count++] = *call;
    return true;
}

static bool
parse_call(struct parser *p, const struct sq_json *line, struct sq_err *err) {
    const struct sq_json *error = sq_json_get(line, "error");
    int64_t number;
    int64_t client = 0;
    struct sq_journal_call call = {
        .line = p->line,
        .tool = sq_json_text_of(line, "tool"),
        .operation = sq_json_text_of(line, "operation"),
        .arguments = sq_json_get(line, "arguments"),
        .error = sq_json_text_of(error, "code"),
        .message = sq_json_text_of(error, "message"),
        .hint = sq_json_text_of(error, "hint"),
        .details = sq_json_get(error, "details"),
    };
    if (!sq_json_int(sq_json_get(line, "call"), &number) || number < 1
        || call.tool.len == 0 || !sq_json_is(call.arguments, SQ_JSON_OBJECT)
        || (error && call.error.len == 0)) {
        return fail_line(p, "is not a complete call", err);
    }
    sq_json_int(sq_json_get(line, "client"), &client);
    sq_json_bool(sq_json_get(line, "acts"), &call.acts);
    sq_json_bool(sq_json_get(line, "secrets"), &call.has_secrets);
    call.number = (uint64_t)number;
    call.client = (uint64_t)client;
    bool ok = parse_blocks(p, sq_json_get(line, "content"), &call, err)
           && parse_reply(p, &call, err) && add_call(p, &call, err);
    p->picture_count = 0;
    return ok;
}

static bool
parse_line(struct parser *p, struct sq_span text, struct sq_err *err) {
    const struct sq_json *line;
    if (!sq_json_parse(text, &p->out->arena, &line, err)) {
        return sq_fail_in(err, "line %d of the journal", p->line);
    }
    if (!p->has_header) {
        int64_t format;
        if (!sq_json_int(sq_json_get(line, "journal"), &format)) {
            return fail_line(p, "is not the header", err);
        }
        if (format != SQ_JOURNAL_FORMAT) {
            sq_fail(
                err, SQ_ERR_UNSUPPORTED,
                "the journal has format %lld, and this program reads format %d",
                (long long)format, SQ_JOURNAL_FORMAT);
            return sq_fail_hint(err, "Read it with the version of squint that "
                                     "wrote it, or record it again.");
        }
        p->out->version = sq_json_text_of(line, "version");
        p->has_header = true;
        return true;
    }
    if (sq_json_get(line, "picture")) {
        struct picture *picture = &p->pictures[p->picture_count];
        if (p->picture_count == MAX_PICTURES) {
            return fail_line(p, "is one picture too many for one call", err);
        }
        if (!sq_json_int(sq_json_get(line, "picture"), &picture->number)) {
            return fail_line(p, "has a picture without a number", err);
        }
        picture->mime_type = sq_json_text_of(line, "mimeType");
        picture->base64 = sq_json_text_of(line, "data");
        p->picture_count++;
        return true;
    }
    if (sq_json_get(line, "full")) {
        p->out->is_full = true;
        return true;
    }
    return parse_call(p, line, err);
}

/* Orders calls by their starts; they were written when they ended. */
static int
compare_calls(const void *a, const void *b) {
    const struct sq_journal_call *first = a;
    const struct sq_journal_call *second = b;
    return (first->number > second->number) - (first->number < second->number);
}

bool
sq_journal_parse(struct sq_span text, struct sq_journal *out,
                 struct sq_err *err) {
    struct parser p = { .out = out };
    struct sq_span line;
    bool ok = true;
    sq_arena_init(&out->arena, MAX_MEMORY);
    while (ok && sq_span_take_until(&text, '\n', &line)) {
        p.line++;
        ok = parse_line(&p, line, err);
    }
    out->is_incomplete = text.len > 0;
    if (ok && !p.has_header) {
        p.line = 1;
        return fail_line(&p, "is not the header", err);
    }
    if (ok && out->count > 1) {
        qsort(out->calls, out->count, sizeof(*out->calls), compare_calls);
    }
    return ok;
}

/* Returns whether a recorded text stands for any text. */
static bool
is_hidden(struct sq_span text) {
    return sq_secret_number(text) > 0 || sq_span_is(text, SQ_REDACTED_TEXT);
}

static bool
same_members(const struct sq_json *recorded, const struct sq_json *given) {
    bool same = sq_json_count(recorded) == sq_json_count(given);
    for (const struct sq_json *member = sq_json_first(recorded); member && same;
         member = sq_json_next(member)) {
        same = sq_journal_same_value(
            member, sq_json_get_span(given, sq_json_key(member)));
    }
    return same;
}

static bool
same_items(const struct sq_json *recorded, const struct sq_json *given) {
    const struct sq_json *a = sq_json_first(recorded);
    const struct sq_json *b = sq_json_first(given);
    while (a && b && sq_journal_same_value(a, b)) {
        a = sq_json_next(a);
        b = sq_json_next(b);
    }
    return !a && !b;
}

static bool
same_numbers(const struct sq_json *recorded, const struct sq_json *given) {
    struct sq_span text[2];
    double number[2];
    return sq_json_number(recorded, &text[0]) && sq_json_number(given, &text[1])
        && (sq_span_equal(text[0], text[1])
            || (sq_json_double(recorded, &number[0])
                && sq_json_double(given, &number[1])
                && !(number[0] < number[1] || number[0] > number[1])));
}

bool
sq_journal_same_value(const struct sq_json *recorded,
                      const struct sq_json *given) {
    struct sq_span a;
    struct sq_span b;
    bool truth[2];
    if (sq_json_string(recorded, &a)) {
        return sq_json_string(given, &b)
            && (sq_span_equal(a, b) || is_hidden(a));
    }
    if (sq_json_is(recorded, SQ_JSON_NUMBER)) {
        return same_numbers(recorded, given);
    }
    if (sq_json_bool(recorded, &truth[0])) {
        return sq_json_bool(given, &truth[1]) && truth[0] == truth[1];
    }
    if (sq_json_is(recorded, SQ_JSON_OBJECT)) {
        return sq_json_is(given, SQ_JSON_OBJECT)
            && same_members(recorded, given);
    }
    if (sq_json_is(recorded, SQ_JSON_ARRAY)) {
        return sq_json_is(given, SQ_JSON_ARRAY) && same_items(recorded, given);
    }
    return sq_json_is(given, SQ_JSON_NULL);
}
