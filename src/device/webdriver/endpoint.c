/* Reads entries of webdriver.endpoints, and hides their secrets. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/webdriver/private.h"
#include "util/base64.h"
#include "util/mem.h"

#define MAX_ENTRY 8192
#define MAX_MEMORY ((size_t)1 << 20) /* of parsed capabilities */
#define MAX_SECRETS ((size_t)64 << 10)
#define MAX_VARIABLE 64
#define MAX_PASSWORD 1024
#define LEAST_SECRET 3 /* bytes; hiding shorter ones would damage messages */
#define MASK "***"

bool
sq_wd_is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

void
sq_wd_take_name(struct sq_span *rest, size_t index, char out[SQ_WD_NAME_SIZE]) {
    size_t len = 0;
    while (len < rest->len && sq_wd_is_name_char(rest->ptr[len])) {
        len++;
    }
    if (len > 0 && len < SQ_WD_NAME_SIZE && len < rest->len
        && rest->ptr[len] == '=') {
        snprintf(out, SQ_WD_NAME_SIZE, "%.*s", (int)len, rest->ptr);
        rest->ptr += len + 1;
        rest->len -= len + 1;
    } else {
        snprintf(out, SQ_WD_NAME_SIZE, "webdriver%zu", index + 1);
    }
}

/* Returns whether what follows ends the user and the password of a URL. */
static bool
is_in_password(struct sq_span before, struct sq_span rest) {
    size_t len = 0;
    while (len < rest.len && !strchr("@/ ", rest.ptr[len])) {
        len++;
    }
    return sq_span_find(before, "://") && len < rest.len
        && rest.ptr[len] == '@';
}

/* Returns whether a text of JSON ends in a string. */
static bool
is_in_string(struct sq_span json) {
    bool is_inside = false;
    for (size_t i = 0; i < json.len; i++) {
        i += is_inside && json.ptr[i] == '\\';
        is_inside ^= i < json.len && json.ptr[i] == '"';
    }
    return is_inside;
}

/* Notes what must not be shown, with its %XX decoded if it is from a URL. */
static bool
add_secret(struct sq_buf *secrets, struct sq_span text, bool is_url,
           struct sq_err *err) {
    bool ok = true;
    while (ok && text.len > 0) {
        struct sq_span after = text;
        uint32_t code;
        char c = text.ptr[0];
        text = (struct sq_span){ text.ptr + 1, text.len - 1 };
        if (is_url && sq_span_take_prefix(&after, "%")
            && sq_span_take_hex(&after, 2, &code) == 2) {
            c = (char)code;
            text = after;
        }
        ok = sq_buf_append_byte(secrets, c, err);
    }
    return ok && sq_buf_append_byte(secrets, '\0', err);
}

/*
 * Appends a value so that none of its characters ends the password or the
 * string that it is a part of.
 */
static bool
append_value(const char *value, struct sq_span rest, struct sq_buf *out,
             struct sq_err *err) {
    struct sq_span before = sq_buf_span(out);
    size_t space = 0;
    while (space < before.len && before.ptr[space] != ' ') {
        space++;
    }
    bool is_url = space == before.len && is_in_password(before, rest);
    bool is_json = space < before.len
                && is_in_string((struct sq_span){ before.ptr + space,
                                                  before.len - space });
    bool ok = true;
    for (; ok && *value; value++) {
        unsigned char c = (unsigned char)*value;
        bool is_plain = sq_wd_is_name_char(*value) || c == '~';
        ok = is_url && !is_plain ? sq_buf_printf(out, err, "%%%02X", c)
           : is_json && (c < ' ' || c == '"' || c == '\\')
               ? sq_buf_printf(out, err, "\\u%04x", c)
               : sq_buf_append_byte(out, *value, err);
    }
    return ok;
}

/* Appends the value of the variable at the start of the text: ${NAME}. */
static bool
expand_one(struct sq_span *rest, struct sq_buf *out, struct sq_buf *secrets,
           struct sq_err *err) {
    char name[MAX_VARIABLE];
    size_t len = 2;
    while (len < rest->len && rest->ptr[len] != '}') {
        len++;
    }
    if (len == rest->len || len == 2 || len - 2 >= sizeof(name)) {
        return sq_fail_argument(err,
                                "webdriver.endpoints has a \"${\" "
                                "without a name and \"}\"",
                                "Write ${NAME} for the variable NAME.");
    }
    snprintf(name, sizeof(name), "%.*s", (int)len - 2, rest->ptr + 2);
    rest->ptr += len + 1;
    rest->len -= len + 1;
    const char *value = getenv(name);
    if (!value || !*value) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "webdriver.endpoints uses the variable %s, which is %s", name,
                value ? "empty" : "not set");
        return sq_fail_hint(err, "Set it for squint, for example in the env of "
                                 "the client's configuration.");
    }
    struct sq_span text = sq_span_of(value);
    return (text.len < LEAST_SECRET || add_secret(secrets, text, false, err))
        && append_value(value, *rest, out, err);
}

static bool
expand(struct sq_span rest, struct sq_buf *out, struct sq_buf *secrets,
       struct sq_err *err) {
    bool ok = true;
    while (ok && rest.len > 0) {
        if (sq_span_starts_with(rest, "${")) {
            ok = expand_one(&rest, out, secrets, err);
        } else {
            ok = sq_buf_append_byte(out, *rest.ptr, err);
            rest.ptr++;
            rest.len--;
        }
    }
    return ok && sq_buf_append_byte(out, '\0', err);
}

/*
 * Notes the password of the URL, which may be in the entry itself, and what is
 * sent of it.
 */
static bool
add_password(struct sq_wd_endpoint *endpoint, struct sq_err *err) {
    struct sq_buf *secrets = &endpoint->secrets;
    struct sq_span rest = sq_span_of(endpoint->url);
    struct sq_span password;
    struct sq_span login;
    struct sq_span ignored;
    (void)sq_span_take_until(&rest, '/', &ignored);
    (void)sq_span_take_until(&rest, '/', &ignored);
    if (!sq_span_take_until(&rest, '@', &login)
        || memchr(login.ptr, '/', login.len)) {
        return true;
    }
    password = login;
    if (!sq_span_take_until(&password, ':', &ignored)
        || password.len < LEAST_SECRET) {
        return true;
    }
    bool ok = add_secret(secrets, password, true, err);
    const size_t start = secrets->len;
    return ok && add_secret(secrets, login, true, err)
        && sq_base64_append(secrets, secrets->data + start,
                            secrets->len - start - 1, err)
        && sq_buf_append_byte(secrets, '\0', err);
}

static bool
check_url(const struct sq_wd_endpoint *endpoint, struct sq_err *err) {
    if (!sq_span_starts_with(sq_span_of(endpoint->url), "http://")
        && !sq_span_starts_with(sq_span_of(endpoint->url), "https://")) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the URL of %s does not begin with http:// or https://",
                endpoint->name);
        return sq_fail_hint(err,
                            "Write NAME=http://HOST:PORT in "
                            "webdriver.endpoints, and capabilities as "
                            "JSON after a space. NAME has at most %d "
                            "letters, digits, \".\", \"_\" and \"-\".",
                            SQ_WD_NAME_SIZE - 1);
    }
    if (strpbrk(endpoint->url, "?#")) {
        sq_fail(err, SQ_ERR_ARGUMENT, "the URL of %s contains \"?\" or \"#\"",
                endpoint->name);
        return sq_fail_hint(err, "Write http://HOST:PORT/PATH. In a password "
                                 "they are %%3F and %%23.");
    }
    return true;
}

static bool
check_capabilities(const struct sq_wd_endpoint *endpoint, struct sq_err *err) {
    const struct sq_json *json = NULL;
    struct sq_arena arena;
    sq_arena_init(&arena, MAX_MEMORY);
    bool ok = endpoint->capabilities.len == 0
           || (sq_json_parse(endpoint->capabilities, &arena, &json, NULL)
               && sq_json_is(json, SQ_JSON_OBJECT));
    sq_arena_finish(&arena);
    if (!ok) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the capabilities of %s are no JSON object", endpoint->name);
        return sq_fail_hint(err, "Write {\"browserName\":\"chrome\"}, or leave "
                                 "them out.");
    }
    return true;
}

/* Splits "URL CAPABILITIES" in place. */
static void
split(struct sq_wd_endpoint *endpoint) {
    char *url = (char *)endpoint->text.data;
    char *space = strchr(url, ' ');
    if (space) {
        *space = '\0';
        endpoint->capabilities = sq_span_trim(sq_span_of(space + 1));
    }
    size_t len = strlen(url);
    while (len > 0 && url[len - 1] == '/') {
        url[--len] = '\0';
    }
    endpoint->url = url;
}

void
sq_wd_erase(struct sq_buf *buf) {
    if (buf->data) {
        sodium_memzero(buf->data, buf->cap);
    }
    sq_buf_finish(buf);
}

void
sq_wd_endpoint_finish(struct sq_wd_endpoint *endpoint) {
    sq_wd_erase(&endpoint->text);
    sq_wd_erase(&endpoint->secrets);
    *endpoint = (struct sq_wd_endpoint){ .url = NULL };
}

bool
sq_wd_endpoint_parse(const char *entry, size_t index,
                     struct sq_wd_endpoint *out, struct sq_err *err) {
    struct sq_wd_endpoint endpoint = { .url = NULL };
    struct sq_span rest = sq_span_of(entry);
    uint8_t *space;
    sq_wd_take_name(&rest, index, endpoint.name);
    sq_buf_init(&endpoint.text, MAX_ENTRY);
    sq_buf_init(&endpoint.secrets, MAX_SECRETS);
    /* In one step, so that no copies of secrets stay in memory. */
    bool ok = sq_buf_reserve(&endpoint.text, MAX_ENTRY, &space, err)
           && sq_buf_reserve(&endpoint.secrets, MAX_SECRETS, &space, err)
           && expand(rest, &endpoint.text, &endpoint.secrets, err);
    if (ok) {
        split(&endpoint);
    }
    if (!ok || !check_url(&endpoint, err) || !check_capabilities(&endpoint, err)
        || !add_password(&endpoint, err)) {
        sq_wd_endpoint_finish(&endpoint);
        return false;
    }
    *out = endpoint;
    return true;
}

enum form { PLAIN, PERCENT, ESCAPED, FORMS };

/* Takes a character as it is, or as a URL or JSON within JSON may write it. */
static bool
take_char(struct sq_span *text, char c, enum form form) {
    struct sq_span after = *text;
    uint32_t code;
    bool is_escaped = false;
    if (form == PERCENT && sq_span_take_prefix(&after, "%")
        && sq_span_take_hex(&after, 2, &code) == 2
        && code == (unsigned char)c) {
        *text = after;
        return true;
    }
    while (form == ESCAPED && sq_span_take_prefix(text, "\\")) {
        is_escaped = true;
    }
    after = *text;
    if (is_escaped && sq_span_take_prefix(&after, "u")
        && sq_span_take_hex(&after, 4, &code) == 4
        && code == (unsigned char)c) {
        *text = after;
        return true;
    }
    return (form == ESCAPED && c == '\\')
        || sq_span_take_prefix(text, (const char[]){ c, '\0' });
}

/* Returns the bytes of the longest secret that a text begins with. */
static size_t
secret_at(const struct sq_wd_endpoint *endpoint, struct sq_span text) {
    const struct sq_buf *all = &endpoint->secrets;
    size_t longest = 0;
    for (size_t at = 0; at < all->len; at++) {
        const size_t start = at;
        for (enum form form = PLAIN; form < FORMS; form++) {
            struct sq_span rest = text;
            bool is_same = true;
            for (at = start; all->data[at]; at++) {
                is_same =
                    is_same && take_char(&rest, (char)all->data[at], form);
            }
            if (is_same && text.len - rest.len > longest) {
                longest = text.len - rest.len;
            }
        }
    }
    return longest;
}

void
sq_wd_hide(const struct sq_wd_endpoint *endpoint, struct sq_span text,
           char *out, size_t size) {
    size_t used = 0;
    while (text.len > 0 && used + sizeof(MASK) <= size) {
        size_t len = secret_at(endpoint, text);
        if (len > 0) {
            memcpy(out + used, MASK, sizeof(MASK) - 1);
            used += sizeof(MASK) - 1;
        } else {
            out[used++] = *text.ptr;
            len = 1;
        }
        text = (struct sq_span){ text.ptr + len, text.len - len };
    }
    out[used] = '\0';
}
