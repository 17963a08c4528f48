/* The name of an app, as launch and stop take it. */
#ifndef SQ_TOOLS_PACKAGE_H
#define SQ_TOOLS_PACKAGE_H

#include "device/device.h"
#include "tools/receipt.h"

struct sq_package_args {
    struct sq_span package_name;
    bool has_package_name;
    SQ_RECEIPT_FIELDS;
};

extern const struct sq_arg sq_package_table[];

/*
 * The name as a C string. SQ_ERR_ARGUMENT unless it is made of letters,
 * digits and . _ : - and does not begin like an option.
 */
bool sq_package_check(struct sq_span name, char out[SQ_DEVICE_TEXT_SIZE],
                      struct sq_err *err);

#endif
