/*
 * Writes the arguments of a call without what must not be stored: text that the
 * rules of redaction hide, and typed text, unless its field is known not to
 * hide it.
 */
#ifndef SQ_TOOL_MASKED_ARGUMENTS_H
#define SQ_TOOL_MASKED_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "json/reader.h"
#include "json/writer.h"
#include "util/span.h"

struct sq_argument_mask {
    struct sq_json_mask rules; /* for all strings; zero: none */
    /* Returns whether an argument of an operation may be typed text. */
    bool (*may_be_typed)(struct sq_span operation, struct sq_span argument);
    /* The typed texts that may be stored; see struct sq_result. */
    uint32_t harmless_texts;
    /*
     * Number of the last typed text that was hidden. The next one becomes
     * "[secret N]" with N one larger. NULL: it becomes `hidden`.
     */
    uint64_t *last_secret;
    const char *hidden; /* NULL: "[hidden]" */
};

/* Writes an object; NULL is an empty one. Returns whether it hid typed text. */
bool sq_put_masked_arguments(struct sq_json_writer *w, struct sq_span operation,
                             const struct sq_json *arguments,
                             const struct sq_argument_mask *mask);

/* Returns the number of a text such as "[secret 2]"; 0 for other texts. */
uint64_t sq_secret_number(struct sq_span text);

#endif
