/* Internals of ui_xml.c, for tests. */
#ifndef SQ_DEVICE_ANDROID_UI_XML_PRIVATE_H
#define SQ_DEVICE_ANDROID_UI_XML_PRIVATE_H

#include "device/android/ui_xml.h"

/* Like sq_ui_xml_parse with the same results, but always uses expat. */
bool sq_ui_xml_parse_by_expat(struct sq_span text, struct sq_tree *out,
                              struct sq_ui_xml_info *info, struct sq_err *err);

#endif
