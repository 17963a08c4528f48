/* Writes an accessibility tree as XML in uiautomator's format. */
#ifndef SQ_DEMO_ADBD_HIERARCHY_H
#define SQ_DEMO_ADBD_HIERARCHY_H

#include "device/tree.h"
#include "util/buf.h"
#include "util/err.h"

/* Appends the XML document. The tree must have a root. */
bool sq_adbd_hierarchy_put(const struct sq_tree *tree, int rotation,
                           struct sq_buf *out, struct sq_err *err);

#endif
