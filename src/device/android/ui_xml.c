/* Parses the XML of a UI hierarchy. */
#include "device/android/ui_xml.h"

#include <assert.h>
#include <expat.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "device/android/ui_builder.h"
#include "device/android/ui_xml_private.h"
#include "device/android/xml_plain.h"
#include "device/android/xml_repair.h"
#include "util/buf.h"
#include "util/limits.h"
#include "util/mem.h"

#define MAX_REPAIRED_BYTES (SQ_XML_REPAIR_GROWTH * SQ_MAX_UI_XML_BYTES)

/* An attribute takes more than four bytes of the document. */
#define MAX_ATTRIBUTES (MAX_REPAIRED_BYTES / 4)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static_assert(MAX_REPAIRED_BYTES <= INT_MAX, "expat counts in int");

/* One pass of expat over a document. */
struct reader {
    XML_Parser parser;
    struct sq_ui_builder *builder;
    struct sq_buf attributes; /* attributes of the current element */
    struct sq_err *err;
    bool complete;
    bool failed;
};

static void *
expat_alloc(size_t size) {
    return sq_mem_alloc(1, size);
}

static const XML_Memory_Handling_Suite expat_memory = {
    expat_alloc,
    sq_mem_resize,
    sq_mem_free,
};

/* Stops the parser. Expat may still make one more callback. */
static void
stop(struct reader *reader) {
    XML_StopParser(reader->parser, XML_FALSE);
}

/* Stops after an error that is already set. */
static void
abort_parsing(struct reader *reader) {
    reader->failed = true;
    stop(reader);
}

/* The attributes are pairs of C strings, ended by NULL. */
static bool
open_element(struct reader *reader, const char *name, const char **pairs) {
    size_t count = 0;
    while (pairs[2 * count]) {
        count++;
    }
    uint8_t *space;
    struct sq_ui_attribute *attributes;
    if (!sq_buf_reserve(&reader->attributes, count * sizeof(*attributes),
                        &space, reader->err)) {
        return false;
    }
    attributes = (void *)space;
    for (size_t i = 0; i < count; i++) {
        attributes[i].name = sq_span_of(pairs[2 * i]);
        attributes[i].value = sq_span_of(pairs[2 * i + 1]);
    }
    return sq_ui_builder_open(reader->builder, sq_span_of(name), attributes,
                              count);
}

static void XMLCALL
on_start(void *context, const char *name, const char **pairs) {
    struct reader *reader = context;
    if (!reader->failed && !open_element(reader, name, pairs)) {
        abort_parsing(reader);
    }
}

static void XMLCALL
on_end(void *context, const char *name) {
    (void)name;
    struct reader *reader = context;
    if (reader->failed) {
        return;
    }
    sq_ui_builder_close(reader->builder);
    if (reader->builder->open == 0) {
        reader->complete = true;
        stop(reader);
    }
}

/* Refuses a doctype: it could declare entities that expand without limit. */
static void XMLCALL
on_doctype(void *context, const char *name, const char *system_id,
           const char *public_id, int has_subset) {
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_subset;
    struct reader *reader = context;
    sq_fail(reader->err, SQ_ERR_FORMAT,
            "not a UI hierarchy: it declares a document type");
    abort_parsing(reader);
}

static bool
fail_truncated(size_t bytes, struct sq_err *err) {
    sq_fail(err, SQ_ERR_TRUNCATED,
            "the UI hierarchy ends too early, after %zu bytes", bytes);
    return sq_fail_hint(err, "Try again. The device did not send all of it.");
}

/* Expat 2.9 deprecates the functions whose results may have 32 bits. */
#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9
#define XML_GetCurrentLineNumber64 XML_GetCurrentLineNumber
#define XML_GetCurrentColumnNumber64 XML_GetCurrentColumnNumber
#endif

/* Reports expat's error. */
static bool
fail_parse(const struct reader *reader, struct sq_span text) {
    enum XML_Error code = XML_GetErrorCode(reader->parser);
    if (code == XML_ERROR_NO_MEMORY) {
        return sq_fail_nomem(reader->err);
    }
    if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN
        || code == XML_ERROR_UNCLOSED_CDATA_SECTION
        || code == XML_ERROR_PARTIAL_CHAR) {
        return fail_truncated(text.len, reader->err);
    }
    uint64_t line = XML_GetCurrentLineNumber64(reader->parser);
    uint64_t column = XML_GetCurrentColumnNumber64(reader->parser) + 1;
    return sq_fail(reader->err, SQ_ERR_FORMAT,
                   "the UI hierarchy is invalid XML: %s at line %" PRIu64
                   ", column %" PRIu64,
                   XML_ErrorString(code), line, column);
}

static bool
read_document(struct reader *reader, struct sq_span text) {
    reader->parser = XML_ParserCreate_MM("UTF-8", &expat_memory, NULL);
    if (!reader->parser) {
        return sq_fail_nomem(reader->err);
    }
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, on_start, on_end);
    XML_SetStartDoctypeDeclHandler(reader->parser, on_doctype);
    XML_Parse(reader->parser, text.ptr, (int)text.len, XML_TRUE);
    bool ok = reader->complete || (!reader->failed && fail_parse(reader, text));
    XML_ParserFree(reader->parser);
    return ok;
}

/* Repairs invalid characters first, then parses with expat. */
static bool
read_by_expat(struct sq_span text, struct sq_ui_builder *builder,
              struct sq_err *err) {
    struct reader reader = { .builder = builder, .err = err };
    struct sq_buf scratch;
    struct sq_span repaired;
    sq_buf_init(&scratch, MAX_REPAIRED_BYTES);
    sq_buf_init(&reader.attributes,
                MAX_ATTRIBUTES * sizeof(struct sq_ui_attribute));
    bool ok = sq_xml_repair(text, &scratch, &repaired, err)
           && read_document(&reader, repaired);
    sq_buf_finish(&reader.attributes);
    sq_buf_finish(&scratch);
    return ok;
}

/* Uses the fast parser, and expat for what that declines. */
static bool
read_fast_or_expat(struct sq_span text, struct sq_ui_builder *builder,
                   struct sq_err *err) {
    enum sq_xml_plain result = sq_xml_plain_read(text, builder, err);
    if (result != SQ_XML_PLAIN_DECLINED) {
        return result == SQ_XML_PLAIN_READ;
    }
    sq_ui_builder_finish(builder);
    sq_ui_builder_init(builder, err);
    return read_by_expat(text, builder, err);
}

/* Moves to the next position where a document may begin. */
static bool
find_opening(struct sq_span *text) {
    static const char *const openings[] = { "<?xml", "<hierarchy",
                                            "<displays" };
    struct sq_span rest = *text;
    while (rest.len > 0) {
        const char *at = memchr(rest.ptr, '<', rest.len);
        if (!at) {
            return false;
        }
        rest = (struct sq_span){ at, rest.len - (size_t)(at - rest.ptr) };
        for (size_t i = 0; i < COUNT(openings); i++) {
            if (sq_span_starts_with(rest, openings[i])) {
                *text = rest;
                return true;
            }
        }
        rest = (struct sq_span){ at + 1, rest.len - 1 };
    }
    return false;
}

/* Skips messages before the document. */
static bool
find_document(struct sq_span *text, struct sq_err *err) {
    if (text->len > SQ_MAX_UI_XML_BYTES) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "the UI hierarchy has %zu bytes, more than %zu",
                       text->len, SQ_MAX_UI_XML_BYTES);
    }
    if (!find_opening(text)) {
        sq_fail(err, SQ_ERR_FORMAT,
                "the device sent %zu bytes without a UI hierarchy", text->len);
        return sq_fail_hint(err, "Try again, or take a screenshot.");
    }
    return true;
}

/* A function that parses a document into a new builder. */
typedef bool parse_fn(struct sq_span text, struct sq_ui_builder *builder,
                      struct sq_err *err);

static bool
parse(struct sq_span text, parse_fn *parser, struct sq_tree *out,
      struct sq_ui_xml_info *info, struct sq_err *err) {
    struct sq_ui_builder builder;
    sq_ui_builder_init(&builder, err);
    if (!find_document(&text, err) || !parser(text, &builder, err)) {
        sq_ui_builder_finish(&builder);
        return false;
    }
    *out = builder.tree;
    if (info) {
        *info = builder.info;
    }
    return true;
}

bool
sq_ui_xml_parse(struct sq_span text, struct sq_tree *out,
                struct sq_ui_xml_info *info, struct sq_err *err) {
    return parse(text, read_fast_or_expat, out, info, err);
}

bool
sq_ui_xml_parse_by_expat(struct sq_span text, struct sq_tree *out,
                         struct sq_ui_xml_info *info, struct sq_err *err) {
    return parse(text, read_by_expat, out, info, err);
}
