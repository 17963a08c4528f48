/* What tests compare the whole reader with. */
#ifndef SQ_DEVICE_ANDROID_UI_XML_PRIVATE_H
#define SQ_DEVICE_ANDROID_UI_XML_PRIVATE_H

#include "device/android/ui_xml.h"

/* As sq_ui_xml_parse, in every result alike, but always by way of expat. */
bool sq_ui_xml_parse_by_expat(struct sq_span text, struct sq_tree *out,
                              struct sq_ui_xml_info *info, struct sq_err *err);

#endif
