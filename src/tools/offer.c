/* Writes texts with the names of the operations that a client can call. */
#include "tools/offer.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tool/policy.h"
#include "archive/library.h"
#include "config/config.h"
#include "tools/table.h"
#include "util/mem.h"

#define EXAMPLE "{\"operation\": \"@"
#define ASK_PERSON                                                             \
    "${Ask the person to start squint without --read-only|Leave --read-only "  \
    "out} if this is wanted."

/* A mark of four bytes, "@tap", becomes "squint tap". */
#define MAX_GROWTH 3

struct output {
    char *text;
    size_t size; /* at least 1: it ends with NUL */
    size_t len;
};

/* A marked name in a text. */
struct mark {
    const struct sq_tool *tool;
    size_t len;   /* of the name, without '@' */
    bool is_word; /* capitalised: an ordinary word */
};

struct sq_offer
sq_offer_of(const struct sq_config *config, const struct sq_library *past) {
    struct sq_offer offer = { .is_split = config->tools.split,
                              .is_read_only = config->tools.read_only,
                              .config = config };
    offer.off |= config->ui.ocr_enabled ? 0 : SQ_TOOL_BY_OCR;
    offer.off |=
        config->ui.template_matching_enabled ? 0 : SQ_TOOL_BY_TEMPLATES;
    offer.off |= config->tools.install_from ? 0 : SQ_TOOL_BY_INSTALL_FOLDER;
    offer.off |= past && past->has_folder ? 0 : SQ_TOOL_BY_ARCHIVE;
    return offer;
}

struct sq_offer
sq_offer_to(const struct sq_call *call) {
    struct sq_offer offer = sq_offer_of(call->config, call->past);
    offer.is_split = offer.is_split && !call->is_alone;
    offer.is_person = sq_reader_is_person();
    return offer;
}

bool
sq_tool_is_offered(struct sq_offer offer, const struct sq_tool *tool) {
    return offer.config
             ? !sq_policy_why_not(offer.config, tool)
             : !offer.is_read_only
                   || !(tool->flags & (SQ_TOOL_ACTS | SQ_TOOL_PRIVATE));
}

bool
sq_offer_lists(struct sq_offer offer, const struct sq_tool *tool) {
    return sq_tool_is_offered(offer, tool) && !(tool->flags & offer.off);
}

static const char *
effect_of(const struct sq_tool *tool) {
    if (!(tool->flags & SQ_TOOL_ACTS)) {
        return "reads more than the screen shows";
    }
    return tool->flags & SQ_TOOL_FILES ? "changes stored files"
                                       : "can change the device";
}

bool
sq_fail_not_offered(struct sq_offer offer, const struct sq_tool *tool,
                    struct sq_err *err) {
    const char *why =
        offer.config ? sq_policy_why_not(offer.config, tool) : NULL;
    if (why && strcmp(why, "--deny") == 0) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION, "%s is denied (--deny)",
                tool->name);
        return sq_fail_hint(err, ASK_PERSON);
    }
    sq_fail(err, SQ_ERR_INVALID_OPERATION,
            "%s %s, and ${this server is read-only|--read-only is set}",
            tool->name, effect_of(tool));
    return sq_fail_hint(err, ASK_PERSON);
}

void
sq_offer_name(struct sq_offer offer, const struct sq_tool *tool,
              char out[SQ_CALLABLE_NAME_SIZE]) {
    bool has_prefix = offer.is_split && !sq_tool_is_own(tool);
    snprintf(out, SQ_CALLABLE_NAME_SIZE, "%s%s", has_prefix ? "ui_" : "",
             tool->name);
    for (char *at = out; has_prefix && *at; at++) {
        *at = *at == '-' ? '_' : *at;
    }
}

static void
put(struct output *out, const char *text, size_t len) {
    size_t space = out->size - 1 - out->len;
    len = len < space ? len : space;
    memcpy(out->text + out->len, text, len);
    out->len += len;
}

/* Removes a word that was written last, if it is this one. */
static bool
take_back(struct output *out, const char *word) {
    size_t len = strlen(word);
    if (out->len < len || memcmp(out->text + out->len - len, word, len) != 0) {
        return false;
    }
    out->len -= len;
    return true;
}

/* Reads a mark at the beginning of a text; false if there is none. */
static bool
read_mark(const char *text, struct mark *out) {
    if (text[0] != '@') {
        return false;
    }
    size_t len = 0;
    while (isalpha((unsigned char)text[1 + len]) || text[1 + len] == '_'
           || text[1 + len] == '-') {
        len++;
    }
    const struct sq_span name = { text + 1, len };
    *out = (struct mark){
        .tool = len > 0 ? sq_tools_find(name) : NULL,
        .len = len,
        .is_word = isupper((unsigned char)text[1]),
    };
    return out->tool != NULL;
}

/* Returns whether a quote is open, as in JSON. */
static bool
is_quoted(const struct output *out) {
    return out->len > 0 && out->text[out->len - 1] == '"';
}

static void
put_name(struct sq_offer offer, const struct mark *mark, const char *written,
         struct output *out) {
    const char *name = mark->tool->name;
    char split_name[SQ_CALLABLE_NAME_SIZE];
    if (mark->is_word) {
        put(out, written, mark->len);
        return;
    }
    if (offer.is_person && !is_quoted(out)) {
        if (take_back(out, "operation ") && !take_back(out, "The ")) {
            take_back(out, "the ");
        }
        take_back(out, "ui ");
        put(out, "squint ", 7);
        name = sq_tool_verb(mark->tool);
    } else if (offer.is_split && !sq_tool_is_own(mark->tool)) {
        sq_offer_name(offer, mark->tool, split_name);
        name = split_name;
        if (take_back(out, "operation ")) {
            put(out, "tool ", 5);
        }
        take_back(out, "ui ");
    }
    put(out, name, strlen(name));
}

/* Returns the length of a sentence with the white space after it. */
static size_t
sentence_len(const char *text) {
    size_t at = 0;
    while (isdigit((unsigned char)text[at])) {
        at++; /* the number of an item is no sentence */
    }
    at += at > 0 && text[at] == '.';
    while (text[at] && text[at] != '\n'
           && !(text[at] == '.' && text[at + 1] == ' ')) {
        at++;
    }
    return text[at] == '.' ? at + 2 : at + (text[at] == '\n');
}

/* Returns the first operation in a text that is not offered, or NULL. */
static const struct sq_tool *
find_missing(struct sq_offer offer, const char *text, size_t len) {
    struct mark mark;
    for (size_t i = 0; i < len; i++) {
        bool is_mark =
            (i == 0 || text[i - 1] != '\\') && read_mark(text + i, &mark);
        if (is_mark && !sq_offer_lists(offer, mark.tool)) {
            return mark.tool;
        }
    }
    return NULL;
}

/* Writes an example of a call; returns how many bytes of the text it is. */
static size_t
put_example(struct sq_offer offer, const char *text, struct output *out) {
    struct mark mark;
    size_t at = sizeof(EXAMPLE) - 1;
    if (!offer.is_split || strncmp(text, EXAMPLE, at) != 0
        || !read_mark(text + at - 1, &mark)) {
        return 0;
    }
    put_name(offer, &mark, "", out);
    put(out, " {", 2);
    at += mark.len + 1;
    return at + (text[at] == ',' ? 2 : 0);
}

/* Returns how many bytes come before the next mark or example, if any. */
static size_t
plain_len(struct sq_offer offer, const char *text, size_t len) {
    const char *mark = memchr(text, '@', len);
    len = mark ? (size_t)(mark - text) : len;
    const char *example = offer.is_split ? memchr(text, '{', len) : NULL;
    return example ? (size_t)(example - text) : len;
}

/* Writes a text, with the names of its marks. */
static void
put_text(struct sq_offer offer, const char *text, size_t len,
         struct output *out) {
    struct mark mark;
    for (size_t i = 0; i < len;) {
        size_t plain = plain_len(offer, text + i, len - i);
        if (plain > 0) {
            put(out, text + i, plain);
            i += plain;
            continue;
        }
        size_t example = put_example(offer, text + i, out);
        if (example > 0) {
            i += example;
        } else if ((i == 0 || text[i - 1] != '\\')
                   && read_mark(text + i, &mark)) {
            put_name(offer, &mark, text + i + 1, out);
            i += mark.len + 1;
        } else {
            put(out, text + i++, 1);
        }
    }
}

/* Ends the line whose last sentence was left out. */
static void
end_line(const char *sentence, size_t len, struct output *out) {
    take_back(out, " ");
    bool is_begun = out->len > 0 && out->text[out->len - 1] != '\n';
    if (is_begun && len > 0 && sentence[len - 1] == '\n') {
        put(out, "\n", 1);
    }
}

/* Writes the sentences of a text that name no missing operation. */
static void
put_offered(struct sq_offer offer, const char *text, struct output *out) {
    while (*text) {
        size_t len = sentence_len(text);
        bool is_last = text[len] == '\0' || text[len - 1] == '\n';
        if (!find_missing(offer, text, len)) {
            put_text(offer, text, len, out);
        } else if (is_last) {
            end_line(text, len, out);
        }
        text += len;
    }
}

void
sq_offer_write(struct sq_offer offer, const char *text, char *out,
               size_t size) {
    struct output output = { out, size, 0 };
    if (offer.is_read_only || offer.off
        || (offer.config && offer.config->security.deny.count > 0)) {
        put_offered(offer, text, &output);
    } else { /* every operation is offered */
        put_text(offer, text, strlen(text), &output);
    }
    out[output.len] = '\0';
}

bool
sq_offer_append(struct sq_offer offer, const char *text, struct sq_buf *out,
                struct sq_err *err) {
    size_t size = MAX_GROWTH * strlen(text) + 1;
    char *written = sq_mem_alloc(size, 1);
    if (!written) {
        return sq_fail_nomem(err);
    }
    sq_offer_write(offer, text, written, size);
    bool ok = sq_buf_append(out, written, strlen(written), err);
    sq_mem_free(written);
    return ok;
}

void
sq_offer_hint(struct sq_offer offer, struct sq_err *err) {
    char written[SQ_ERR_HINT_SIZE];
    if (!err || !strchr(err->hint, '@')) {
        return;
    }
    sq_offer_write(offer, err->hint, written, sizeof(written));
    const struct sq_tool *missing =
        find_missing(offer, err->hint, strlen(err->hint));
    if (written[0] || !missing) {
        sq_fail_hint(err, "%s", written);
    } else if (sq_tool_is_offered(offer, missing)) {
        sq_fail_hint(err,
                     "%s is switched off; rtfm says how it is switched on.",
                     missing->name);
    } else {
        sq_fail_hint(err,
                     "%s %s, and ${this server is read-only|--read-only is "
                     "set}. " ASK_PERSON,
                     missing->name, effect_of(missing));
    }
}
