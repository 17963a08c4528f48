/* What the focused text field contains while a text is typed into it. */
#ifndef SQ_TOOLS_ELEMENTS_TYPED_FIELD_H
#define SQ_TOOLS_ELEMENTS_TYPED_FIELD_H

#include "tool/tool.h"
#include "device/tree.h"

struct sq_typed_field {
    struct sq_call *call;
    struct sq_span typed;
    bool knows_before;     /* the field can be read; a password cannot */
    struct sq_span before; /* its text, in the arena of the call */
    bool cleared;          /* since then */
};

/* Returns the first node that has the focus, or NULL. */
const struct sq_node *sq_tree_focused(const struct sq_tree *tree);

/* Returns whether the node contains the typed text, as far as it can be read.
 */
bool sq_typed_field_has(const struct sq_typed_field *field,
                        const struct sq_node *node);

/* Reads what the field contains before anything is typed. */
void sq_typed_field_begin(struct sq_typed_field *field);

/* Deletes what the focused field contains, and waits for the keys to arrive. */
bool sq_typed_field_clear(struct sq_typed_field *field, struct sq_err *err);

/* Waits until the field has the typed text or stops changing. */
void sq_typed_field_await(const struct sq_typed_field *field);

/*
 * Returns whether the field can be read and does not contain the typed text.
 * Keys may arrive late: waits until the field has the text or stops changing.
 */
bool sq_typed_field_is_wrong(const struct sq_typed_field *field);

/*
 * Deletes what the field took of the text, and checks that it contains what it
 * did before, or nothing if it was cleared.
 */
bool sq_typed_field_undo(const struct sq_typed_field *field,
                         struct sq_err *err);

/*
 * Adds to the error what the field contains now. A text that was cleared is
 * typed again, if that is certain to work.
 */
bool sq_typed_field_fail(const struct sq_typed_field *field,
                         struct sq_err *err);

/*
 * Returns which typed texts of a call, or of its steps, a person may see before
 * they are typed: not those for a password field of this screen, as far as that
 * is known. Bits as in struct sq_result.
 */
uint32_t sq_typed_texts_to_show(const struct sq_json *arguments,
                                const struct sq_tree *tree,
                                struct sq_arena *arena);

#endif
