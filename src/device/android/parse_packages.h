/*
 * Packages, activities, properties and keyboards as Android lists them. All
 * are pure and accept any bytes; spans point into the text. The take functions
 * step over lines of another kind and return false at the end.
 */
#ifndef SQ_DEVICE_ANDROID_PARSE_PACKAGES_H
#define SQ_DEVICE_ANDROID_PARSE_PACKAGES_H

#include <stdbool.h>

#include "util/span.h"

struct sq_component {
    struct sq_span package;
    struct sq_span activity; /* whole, or ".Short" */
};

/* Whether it can be a package's name: letters, digits, '_' and '.'. */
bool sq_package_is_valid(struct sq_span name);

/* "com.example/.Main", nothing else around it. */
bool sq_component_parse(struct sq_span text, struct sq_component *out);

/* "pm list packages", with or without -f, -U, --show-versioncode. */
bool sq_packages_take(struct sq_span *rest, struct sq_span *package);

/* "cmd package query-activities --brief ...". */
bool sq_activities_take(struct sq_span *rest, struct sq_component *out);

/*
 * "cmd package resolve-activity --brief ...". False when nothing was found or
 * the answer is Android's own list of apps to choose from.
 */
bool sq_activity_resolve(struct sq_span text, struct sq_component *out);

/* The value of a property in all of "getprop"; false if it is not there. */
bool sq_getprop_find(struct sq_span text, const char *name,
                     struct sq_span *value);

/* "ime list -s", or "settings get secure default_input_method". */
bool sq_keyboards_take(struct sq_span *rest, struct sq_span *id);

#endif
