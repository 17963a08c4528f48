/* Resolves app names for launch and stop. */
#ifndef SQ_TOOLS_APP_LOOKUP_H
#define SQ_TOOLS_APP_LOOKUP_H

#include "device/device.h"
#include "tools/screen/receipt.h"

struct sq_package_args {
    struct sq_opt_text package_name;
    SQ_RECEIPT_FIELDS;
};

extern const struct sq_arg sq_package_table[];

/* The package of an app. */
struct sq_package {
    char name[SQ_DEVICE_TEXT_SIZE];
    bool is_foreign; /* the device named it, not the caller */
};

/* Writes the package; as untrusted text if the device named it. */
void sq_put_package(struct sq_json_writer *w, const char *key,
                    const struct sq_package *package);

/*
 * Writes the package that a name refers to, as a C string of letters, digits
 * and . _ : - that does not begin like an option. A name with a dot is already
 * a package. Any other name is the label of an app ("Settings") or the last
 * part of its package, and is looked up among the apps of the device. Fails
 * with SQ_ERR_PACKAGE_NOT_FOUND if there is none, and with
 * SQ_ERR_AMBIGUOUS_MATCH if several match.
 */
bool sq_package_resolve(struct sq_call *call, struct sq_span name,
                        struct sq_package *out, struct sq_err *err);

/* Adds the most similar package to an error of an app. Returns false. */
bool sq_package_suggest(struct sq_call *call, const char *package,
                        struct sq_err *err);

#endif
