/*
 * Parses the XML of a UI hierarchy as uiautomator and Appium write it: one
 * window, several windows (displays, display, window), or class names as
 * element names.
 */
#ifndef SQ_DEVICE_ANDROID_UI_XML_H
#define SQ_DEVICE_ANDROID_UI_XML_H

#include <stdbool.h>

#include "device/tree.h"
#include "util/err.h"
#include "util/span.h"

/* Values of the document besides its nodes. */
struct sq_ui_xml_info {
    int rotation;   /* quarter turns, 0 to 3; -1: not given */
    int unlabelled; /* nodes marked NAF: clickable, but without text */
};

/*
 * Parses a document of at most SQ_MAX_UI_XML_BYTES into a tree of at most
 * SQ_MAX_TREE_NODES nodes, SQ_MAX_TREE_DEPTH deep. Skips text before and after
 * the document (uiautomator's messages). The top nodes of several windows
 * become siblings of tree->root. Only the first display is read, since
 * coordinates refer to one display. A hierarchy without nodes gives a NULL
 * root. Invalid UTF-8 and characters become U+FFFD, so that one bad label does
 * not hide the screen.
 *
 * *out must be zeroed and owns copies of all text; the caller calls
 * sq_tree_finish. info may be NULL. Fails with SQ_ERR_TRUNCATED if the document
 * has no end, and with SQ_ERR_FORMAT if there is no document or it is not a
 * hierarchy. Pure.
 */
bool sq_ui_xml_parse(struct sq_span text, struct sq_tree *out,
                     struct sq_ui_xml_info *info, struct sq_err *err);

#endif
