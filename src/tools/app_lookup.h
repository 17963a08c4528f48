/* The name of an app, as launch and stop take it. */
#ifndef SQ_TOOLS_APP_LOOKUP_H
#define SQ_TOOLS_APP_LOOKUP_H

#include "device/device.h"
#include "tools/receipt.h"

struct sq_package_args {
    struct sq_span package_name;
    bool has_package_name;
    SQ_RECEIPT_FIELDS;
};

extern const struct sq_arg sq_package_table[];

/*
 * The package that a name means, as a C string of letters, digits and . _ : -
 * that does not begin like an option. A name with a dot is a package already;
 * any other is what an app is called ("Settings"), or the last part of its
 * package, and is looked for among the apps of the device:
 * SQ_ERR_PACKAGE_NOT_FOUND if there is none, SQ_ERR_AMBIGUOUS_MATCH if several
 * are called so.
 */
bool sq_package_resolve(struct sq_call *call, struct sq_span name,
                        char out[SQ_DEVICE_TEXT_SIZE], struct sq_err *err);

#endif
