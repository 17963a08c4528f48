/* Builds the tree of a UI hierarchy from XML elements as they are parsed. */
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

/* tree, info and open may be read; the rest is private. */
struct sq_ui_builder {
    struct sq_tree tree;
    struct sq_ui_xml_info info;
    int open; /* number of open elements */
    struct sq_err *err;
    int hierarchy_at;      /* depth of the open hierarchy; 0: none */
    int displays;          /* display elements so far */
    struct sq_node *inner; /* the innermost open node */
    struct sq_node *last[SQ_MAX_TREE_DEPTH]; /* last child at each depth */
    size_t next_attribute; /* where the search for the next one starts */
};

/* Initialises an empty builder; allocates nothing. Errors are set in err. */
void sq_ui_builder_init(struct sq_ui_builder *builder, struct sq_err *err);

/* Frees the tree. Do not call it if the tree was copied to a new owner. */
void sq_ui_builder_finish(struct sq_ui_builder *builder);

/*
 * Starts an element and copies its text. Attribute names must be unique. Fails
 * with SQ_ERR_LIMIT, SQ_ERR_NOMEM, or SQ_ERR_FORMAT if this is not a UI
 * hierarchy. After a failure only sq_ui_builder_finish may be called.
 */
bool sq_ui_builder_open(struct sq_ui_builder *builder, struct sq_span name,
                        const struct sq_ui_attribute *attributes, size_t count);

/* Ends the innermost open element. */
void sq_ui_builder_close(struct sq_ui_builder *builder);

#endif
