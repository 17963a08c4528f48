/*
 * The UI hierarchy as uiautomator and Appium write it, in XML: one window,
 * several (displays, display, window), or classes as the names of elements.
 */
#ifndef SQ_DEVICE_ANDROID_UI_XML_H
#define SQ_DEVICE_ANDROID_UI_XML_H

#include <stdbool.h>

#include "device/tree.h"
#include "util/err.h"
#include "util/span.h"

/* What the document says beside its nodes. */
struct sq_ui_xml_info {
    int rotation;   /* quarter turns, 0 to 3; -1 where it does not say */
    int unlabelled; /* nodes marked NAF: to be tapped, but without any text */
};

/*
 * Make a tree of a document of at most SQ_MAX_UI_XML_BYTES, with at most
 * SQ_MAX_TREE_NODES nodes nested SQ_MAX_TREE_DEPTH deep. Words before the
 * document and behind it (uiautomator's own messages) are stepped over. Where
 * there are several windows their topmost nodes are siblings of tree->root;
 * only the first display's are taken, since points mean something on one
 * display only. A hierarchy without nodes gives a NULL root. Broken UTF-8 and
 * impossible characters become U+FFFD: one odd label must not hide a screen.
 *
 * *out is zeroed and owns copies of all text afterwards (sq_tree_finish); info
 * may be NULL. SQ_ERR_TRUNCATED means that the document has no end,
 * SQ_ERR_FORMAT that there is none or that it is not a hierarchy. Pure.
 */
bool sq_ui_xml_parse(struct sq_span text, struct sq_tree *out,
                     struct sq_ui_xml_info *info, struct sq_err *err);

#endif
