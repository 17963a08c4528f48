/* Makes the tree of a UI hierarchy from its elements, as they come. */
#ifndef SQ_DEVICE_ANDROID_UI_BUILDER_H
#define SQ_DEVICE_ANDROID_UI_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "device/android/ui_xml.h"
#include "device/tree.h"
#include "util/err.h"
#include "util/limits.h"
#include "util/span.h"

struct sq_ui_attribute {
    struct sq_span name;
    struct sq_span value; /* with its references resolved */
};

/* Read tree, info and open; the rest is private. */
struct sq_ui_builder {
    struct sq_tree tree;
    struct sq_ui_xml_info info;
    int open; /* elements that are open */
    struct sq_err *err;
    int hierarchy_at;      /* of these, up to the open hierarchy; 0: none */
    int displays;          /* seen so far */
    struct sq_node *inner; /* the innermost open node */
    struct sq_node *last[SQ_MAX_TREE_DEPTH]; /* child, by depth */
    size_t next_attribute; /* where the next one is looked for first */
};

/* Start without elements; allocates nothing. Errors are recorded in err. */
void sq_ui_builder_init(struct sq_ui_builder *builder, struct sq_err *err);

/* Give up the tree, unless its new owner has taken a copy of the value. */
void sq_ui_builder_finish(struct sq_ui_builder *builder);

/*
 * An element begins; its text is copied. No two attributes have the same name.
 * After a failure (SQ_ERR_LIMIT, SQ_ERR_NOMEM, or SQ_ERR_FORMAT if this cannot
 * be a UI hierarchy) only sq_ui_builder_finish may follow.
 */
bool sq_ui_builder_open(struct sq_ui_builder *builder, struct sq_span name,
                        const struct sq_ui_attribute *attributes, size_t count);

/* The innermost open element ends. */
void sq_ui_builder_close(struct sq_ui_builder *builder);

#endif
