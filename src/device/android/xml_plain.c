/* A fast parser for the simple XML that Android writes. */
#include "device/android/xml_plain.h"

#include <stdint.h>
#include <string.h>

#include "device/android/xml_char.h"
#include "util/buf.h"
#include "util/utf8.h"

#define MAX_ATTRIBUTES 64

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Character classes. */
enum {
    START = 1 << 0, /* of a name */
    NAME = 1 << 1,
    SPACE = 1 << 2,
    VALUE = 1 << 3, /* literal in a value with either quote */
};

#define S SPACE
#define B (SPACE | VALUE)
#define V VALUE
#define N (NAME | VALUE)
#define L (START | NAME | VALUE)

/* Indexed by byte. Bytes outside ASCII have no class. */
static const uint8_t classes[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, S, S, 0, 0, S, 0, 0, /* 0x00 */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* 0x10 */
    B, V, 0, V, V, V, 0, 0, V, V, V, V, V, N, N, V, /* 0x20 */
    N, N, N, N, N, N, N, N, N, N, N, V, 0, V, V, V, /* 0x30 */
    V, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* 0x40 */
    L, L, L, L, L, L, L, L, L, L, L, V, V, V, V, L, /* 0x50 */
    V, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* 0x60 */
    L, L, L, L, L, L, L, L, L, L, L, V, V, V, V, V, /* 0x70 */
};

/* Parser state; `at` moves through the document. */
struct reader {
    const char *at;
    const char *end;
    struct sq_ui_builder *builder;
    struct sq_err *err;
    struct sq_buf decoded; /* values of the tag, references resolved */
    bool has_references;   /* some value of the tag has a reference */
    uint64_t names;        /* attribute names of the tag, one bit each */
    size_t count;
    size_t known; /* attributes with a name, maybe of an earlier tag */
    struct sq_ui_attribute attributes[MAX_ATTRIBUTES];
    struct sq_span open[SQ_MAX_TREE_DEPTH]; /* names of open elements */
};

static inline bool
is(char c, unsigned class) {
    return classes[(unsigned char)c] & class;
}

static inline bool
take_byte(struct reader *reader, char byte) {
    bool found = reader->at < reader->end && *reader->at == byte;
    reader->at += found;
    return found;
}

static inline bool
take_space(struct reader *reader) {
    const char *begin = reader->at;
    while (reader->at < reader->end && is(*reader->at, SPACE)) {
        reader->at++;
    }
    return reader->at > begin;
}

static inline bool
take_name(struct reader *reader, struct sq_span *name) {
    const char *begin = reader->at;
    const char *at = begin;
    if (at == reader->end || !is(*at, START)) {
        return false;
    }
    do {
        at++;
    } while (at < reader->end && is(*at, NAME));
    *name = (struct sq_span){ begin, (size_t)(at - begin) };
    reader->at = at;
    return true;
}

/*
 * Takes the same name as in the previous tag, and the '=' after it. Most tags
 * have the same attributes.
 */
static inline bool
take_same_name(struct reader *reader, struct sq_span name) {
    if ((size_t)(reader->end - reader->at) <= name.len
        || reader->at[name.len] != '='
        || memcmp(reader->at, name.ptr, name.len) != 0) {
        return false;
    }
    reader->at += name.len + 1;
    return true;
}

static inline bool
take_attribute_name(struct reader *reader, struct sq_span *name) {
    if (reader->count < reader->known && take_same_name(reader, *name)) {
        return true;
    }
    return take_name(reader, name) && take_byte(reader, '=');
}

/* Returns the length of the non-literal sequence at `at`; 0: declined. */
static size_t
nonliteral_len(struct reader *reader, const char *at) {
    if (*at == '"' || *at == '\'') {
        return 1; /* not the quote that ends the value */
    }
    if (*at == '&') {
        reader->has_references = true;
        return 1;
    }
    uint32_t code;
    struct sq_span rest = { at, (size_t)(reader->end - at) };
    size_t len = sq_utf8_decode(rest, &code);
    return len > 1 && sq_xml_is_char(code) ? len : 0;
}

/* Takes a value. References are decoded at the end of the tag. */
static bool
take_value(struct reader *reader, struct sq_span *value) {
    const char *at = reader->at;
    const char *end = reader->end;
    if (at == end || (*at != '"' && *at != '\'')) {
        return false;
    }
    char quote = *at++;
    const char *begin = at;
    for (;;) {
        while (at < end && is(*at, VALUE)) {
            at++;
        }
        if (at == end) {
            return false;
        }
        if (*at == quote) {
            break;
        }
        size_t len = nonliteral_len(reader, at);
        if (len == 0) {
            return false;
        }
        at += len;
    }
    *value = (struct sq_span){ begin, (size_t)(at - begin) };
    reader->at = at + 1;
    return true;
}

/* Returns a bit for a name. Android's names are distinct; others may share. */
static uint64_t
name_bit(struct sq_span name) {
    size_t early = (unsigned char)name.ptr[name.len / 4];
    size_t last = (unsigned char)name.ptr[name.len - 1];
    return UINT64_C(1) << ((early + 4 * last + 13 * name.len) % 64);
}

static bool
is_repeated(struct reader *reader, struct sq_span name) {
    uint64_t bit = name_bit(name);
    if (reader->names & bit) {
        for (size_t i = 0; i < reader->count; i++) {
            if (sq_span_equal(reader->attributes[i].name, name)) {
                return true;
            }
        }
    }
    reader->names |= bit;
    return false;
}

static bool
take_attribute(struct reader *reader) {
    if (reader->count == MAX_ATTRIBUTES) {
        return false;
    }
    struct sq_ui_attribute *attribute = &reader->attributes[reader->count];
    if (!take_attribute_name(reader, &attribute->name)
        || !take_value(reader, &attribute->value)
        || is_repeated(reader, attribute->name)) {
        return false;
    }
    reader->count++;
    reader->known += reader->count > reader->known;
    return true;
}

/* Attributes are preceded by white space, which may also end the list. */
static bool
take_attributes(struct reader *reader) {
    reader->count = 0;
    reader->names = 0;
    reader->has_references = false;
    while (take_space(reader) && reader->at < reader->end
           && is(*reader->at, START)) {
        if (!take_attribute(reader)) {
            return false;
        }
    }
    return true;
}

static struct sq_span
rest_of(const struct reader *reader) {
    return (struct sq_span){ reader->at, (size_t)(reader->end - reader->at) };
}

static bool
take_word(struct reader *reader, const char *word) {
    struct sq_span rest = rest_of(reader);
    bool found = sq_span_take_prefix(&rest, word);
    reader->at = rest.ptr;
    return found;
}

/* Accepts version, encoding and standalone, in this order. */
static bool
is_plain_declaration(const struct reader *reader) {
    const struct sq_ui_attribute *attribute = reader->attributes;
    const struct sq_ui_attribute *end = attribute + reader->count;
    if (attribute == end || !sq_span_is(attribute->name, "version")
        || !sq_span_is(attribute->value, "1.0")) {
        return false;
    }
    attribute++;
    if (attribute < end && sq_span_is(attribute->name, "encoding")
        && sq_span_is_word(attribute->value, "utf-8")) {
        attribute++;
    }
    if (attribute < end && sq_span_is(attribute->name, "standalone")
        && (sq_span_is(attribute->value, "yes")
            || sq_span_is(attribute->value, "no"))) {
        attribute++;
    }
    return attribute == end;
}

/* Takes the XML declaration, if there is one. */
static bool
take_declaration(struct reader *reader) {
    return !take_word(reader, "<?xml")
        || (take_attributes(reader) && take_word(reader, "?>")
            && is_plain_declaration(reader));
}

static const struct {
    const char *text;
    char code;
} entities[] = {
    { "&amp;", '&' },  { "&lt;", '<' },    { "&gt;", '>' },
    { "&quot;", '"' }, { "&apos;", '\'' },
};

/* Takes the reference at the start of the text and decodes it. */
static bool
take_reference(struct sq_span *text, uint32_t *code) {
    for (size_t i = 0; i < COUNT(entities); i++) {
        if (sq_span_take_prefix(text, entities[i].text)) {
            *code = (uint32_t)entities[i].code;
            return true;
        }
    }
    size_t len = sq_xml_reference(*text, code);
    *text = (struct sq_span){ text->ptr + len, text->len - len };
    return len > 0 && sq_xml_is_char(*code);
}

/* Decodes the value into `space` and points it there. It never grows. */
static bool
decode(struct sq_span *value, char *space) {
    struct sq_span rest = *value;
    size_t len = 0;
    while (rest.len > 0) {
        if (rest.ptr[0] != '&') {
            space[len++] = rest.ptr[0];
            rest = (struct sq_span){ rest.ptr + 1, rest.len - 1 };
            continue;
        }
        uint32_t code;
        char bytes[SQ_UTF8_MAX];
        if (!take_reference(&rest, &code)) {
            return false;
        }
        size_t count = sq_utf8_encode(code, bytes);
        memcpy(space + len, bytes, count);
        len += count;
    }
    *value = (struct sq_span){ space, len };
    return true;
}

static enum sq_xml_plain
decode_values(struct reader *reader) {
    size_t total = 0;
    for (size_t i = 0; i < reader->count; i++) {
        total += reader->attributes[i].value.len;
    }
    uint8_t *space;
    sq_buf_clear(&reader->decoded);
    if (!sq_buf_reserve(&reader->decoded, total, &space, reader->err)) {
        return SQ_XML_PLAIN_FAILED;
    }
    for (size_t i = 0; i < reader->count; i++) {
        struct sq_span *value = &reader->attributes[i].value;
        if (!decode(value, (char *)space)) {
            return SQ_XML_PLAIN_DECLINED;
        }
        space += value->len;
    }
    return SQ_XML_PLAIN_READ;
}

/* Parses a start tag or empty element, after the '<'. */
static enum sq_xml_plain
open_element(struct reader *reader) {
    struct sq_ui_builder *builder = reader->builder;
    struct sq_span name;
    if (!take_name(reader, &name) || !take_attributes(reader)) {
        return SQ_XML_PLAIN_DECLINED;
    }
    bool empty = take_byte(reader, '/');
    if (!take_byte(reader, '>')) {
        return SQ_XML_PLAIN_DECLINED;
    }
    enum sq_xml_plain decoded =
        reader->has_references ? decode_values(reader) : SQ_XML_PLAIN_READ;
    if (decoded != SQ_XML_PLAIN_READ) {
        return decoded;
    }
    if (!sq_ui_builder_open(builder, name, reader->attributes, reader->count)) {
        return SQ_XML_PLAIN_FAILED;
    }
    reader->open[builder->open - 1] = name;
    if (empty) {
        sq_ui_builder_close(builder);
    }
    return SQ_XML_PLAIN_READ;
}

/* Parses an end tag, after the "</". */
static enum sq_xml_plain
close_element(struct reader *reader) {
    struct sq_ui_builder *builder = reader->builder;
    struct sq_span name;
    if (builder->open == 0 || !take_name(reader, &name)
        || !sq_span_equal(name, reader->open[builder->open - 1])) {
        return SQ_XML_PLAIN_DECLINED;
    }
    take_space(reader);
    if (!take_byte(reader, '>')) {
        return SQ_XML_PLAIN_DECLINED;
    }
    sq_ui_builder_close(builder);
    return SQ_XML_PLAIN_READ;
}

static enum sq_xml_plain
read_elements(struct reader *reader) {
    enum sq_xml_plain result;
    do {
        take_space(reader);
        if (!take_byte(reader, '<')) {
            return SQ_XML_PLAIN_DECLINED;
        }
        result = take_byte(reader, '/') ? close_element(reader)
                                        : open_element(reader);
    } while (result == SQ_XML_PLAIN_READ && reader->builder->open > 0);
    return result;
}

enum sq_xml_plain
sq_xml_plain_read(struct sq_span text, struct sq_ui_builder *builder,
                  struct sq_err *err) {
    struct reader reader;
    reader.at = text.ptr;
    reader.end = text.ptr + text.len;
    reader.builder = builder;
    reader.err = err;
    reader.known = 0;
    sq_buf_init(&reader.decoded, text.len);
    enum sq_xml_plain result = take_declaration(&reader)
                                 ? read_elements(&reader)
                                 : SQ_XML_PLAIN_DECLINED;
    sq_buf_finish(&reader.decoded);
    return result;
}
