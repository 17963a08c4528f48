/*
 * Parses the XML of a UI hierarchy: of uiautomator, and of Appium's drivers for
 * Android and iOS.
 */
#ifndef SQ_DEVICE_UI_XML_H
#define SQ_DEVICE_UI_XML_H

#include "device/tree.h"
#include "sys/foreign.h"
#include "util/buf.h"
#include "util/err.h"

/* Returns the flags that an element of iOS has by its type: "Button". */
unsigned sq_ios_type_flags(struct sq_span type);

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
 * hierarchy.
 */
bool sq_ui_xml_parse(struct sq_span text, struct sq_tree *out,
                     struct sq_ui_xml_info *info, struct sq_err *err);

/*
 * Does so in this process, even if sq_foreign_is_on: for the worker, whose
 * reader this is.
 */
bool sq_ui_xml_parse_here(struct sq_span text, struct sq_tree *out,
                          struct sq_ui_xml_info *info, struct sq_err *err);
extern const struct sq_foreign_reader sq_ui_xml_reader;

/* Repairs invalid characters in XML that Android writes. */

/* A repaired text is at most this many times as long. */
#define SQ_XML_REPAIR_GROWTH 3

/*
 * Replaces invalid UTF-8, characters that XML forbids and numeric references to
 * them by U+FFFD. Surrogate pairs, written as references or encoded separately
 * as Java may do, become their character. Everything else is unchanged,
 * including markup.
 *
 * *out is the text itself if it was valid, else the repaired copy in scratch.
 * scratch must be initialised and empty, and must outlive *out. Linear.
 */
bool sq_xml_repair(struct sq_span text, struct sq_buf *scratch,
                   struct sq_span *out, struct sq_err *err);

#endif
