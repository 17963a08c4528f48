/*
 * Parses lists of packages, activities, properties and keyboards. All functions
 * are pure and accept any bytes; spans point into the text. The take functions
 * skip other lines and return false at the end.
 */
#ifndef SQ_DEVICE_ANDROID_PARSE_PACKAGES_H
#define SQ_DEVICE_ANDROID_PARSE_PACKAGES_H

#include <stdbool.h>

#include "util/span.h"

struct sq_component {
    struct sq_span package;
    struct sq_span activity; /* complete, or ".Short" */
};

/* Returns whether it can be a package name: letters, digits, '_' and '.'. */
bool sq_package_is_valid(struct sq_span name);

/* Parses exactly "com.example/.Main", with nothing around it. */
bool sq_component_parse(struct sq_span text, struct sq_component *out);

/* Takes from "pm list packages", with or without -f, -U, --show-versioncode. */
bool sq_packages_take(struct sq_span *rest, struct sq_span *package);

/* Takes from "cmd package query-activities --brief ...". */
bool sq_activities_take(struct sq_span *rest, struct sq_component *out);

/*
 * Parses "cmd package resolve-activity --brief ...". Returns false if nothing
 * was found or the answer is Android's own app chooser.
 */
bool sq_activity_resolve(struct sq_span text, struct sq_component *out);

/*
 * Finds the value of a property in the output of "getprop". Returns false if it
 * is not there.
 */
bool sq_getprop_find(struct sq_span text, const char *name,
                     struct sq_span *value);

/* Takes from "ime list -s" or "settings get secure default_input_method". */
bool sq_keyboards_take(struct sq_span *rest, struct sq_span *id);

#endif
