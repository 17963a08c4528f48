/*
 * Writes the arguments of a call without what must not be stored: text that the
 * rules of redaction hide, and text that was typed into a password field.
 */
#ifndef SQ_TOOL_MASKED_ARGUMENTS_H
#define SQ_TOOL_MASKED_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "json/value.h"
#include "json/writer.h"
#include "util/span.h"

struct sq_argument_mask {
    struct sq_json_mask rules; /* for all strings; zero: none */
    /*
     * Number of the last typed text that was hidden. NULL: typed text is
     * written. The next one becomes "[secret N]" with N one larger.
     */
    uint64_t *last_secret;
};

/* Writes an object; NULL is an empty one. */
void sq_put_masked_arguments(struct sq_json_writer *w, struct sq_span operation,
                             const struct sq_json *arguments,
                             const struct sq_argument_mask *mask);

/*
 * Returns whether a call may have typed a secret: its reply says that the field
 * is a password field, or it typed and there is no reply that says what into.
 */
bool sq_may_type_secret(struct sq_span operation,
                        const struct sq_json *arguments,
                        const struct sq_json *reply);

/* Returns the number of a text such as "[secret 2]"; 0 for other texts. */
uint64_t sq_secret_number(struct sq_span text);

#endif
