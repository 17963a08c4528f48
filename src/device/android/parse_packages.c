/* Parses lists of packages, activities, properties and keyboards. */
#include "device/android/parse_packages.h"

#include <stdio.h>
#include <string.h>

#include "device/android/parse_line.h"

static bool
is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_name_char(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

bool
sq_package_is_valid(struct sq_span name) {
    for (size_t i = 0; i < name.len; i++) {
        if (!is_name_char(name.ptr[i])) {
            return false;
        }
    }
    return name.len > 0 && is_letter(name.ptr[0])
        && name.ptr[name.len - 1] != '.';
}

/* Accepts class names: inner classes have a '$', some are not ASCII. */
static bool
is_class(struct sq_span name) {
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (!is_name_char(c) && c != '$' && (unsigned char)c < 0x80) {
            return false;
        }
    }
    return name.len > 0;
}

bool
sq_component_parse(struct sq_span text, struct sq_component *out) {
    struct sq_component component;
    if (!sq_span_take_until(&text, '/', &component.package)
        || !sq_package_is_valid(component.package) || !is_class(text)) {
        return false;
    }
    component.activity = text;
    *out = component;
    return true;
}

/* package:com.example, package:/data/app/base.apk=com.example uid:10123 */
static bool
read_package(struct sq_span line, struct sq_span *out) {
    struct sq_span word;
    if (!sq_span_take_prefix(&line, "package:")
        || !sq_line_take_word(&line, &word)) {
        return false;
    }
    struct sq_span before;
    while (sq_span_take_until(&word, '=', &before)) {
        continue;
    }
    if (!sq_package_is_valid(word)) {
        return false;
    }
    *out = word;
    return true;
}

bool
sq_packages_take(struct sq_span *rest, struct sq_span *package) {
    struct sq_span line;
    while (sq_line_take(rest, &line)) {
        if (read_package(line, package)) {
            return true;
        }
    }
    return false;
}

bool
sq_activities_take(struct sq_span *rest, struct sq_component *out) {
    struct sq_span line;
    while (sq_line_take(rest, &line)) {
        if (sq_component_parse(line, out)) {
            return true;
        }
    }
    return false;
}

bool
sq_activity_resolve(struct sq_span text, struct sq_component *out) {
    struct sq_component component;
    if (!sq_activities_take(&text, &component)
        || sq_span_is(component.package, "android")) {
        return false;
    }
    *out = component;
    return true;
}

/* Lines are "[name]: [value]"; a value may span several lines. */
bool
sq_getprop_find(struct sq_span text, const char *name, struct sq_span *value) {
    struct sq_span line;
    while (sq_span_take_line(&text, &line)) {
        struct sq_span start = line;
        if (!sq_span_take_prefix(&start, "[")
            || !sq_span_take_prefix(&start, name)
            || !sq_span_take_prefix(&start, "]: [")) {
            continue;
        }
        const char *end = line.ptr + line.len;
        while (end[-1] != ']' && sq_span_take_line(&text, &line)
               && !sq_span_starts_with(line, "[")) {
            end = line.len > 0 ? line.ptr + line.len : end;
        }
        if (end <= start.ptr || end[-1] != ']') {
            return false;
        }
        *value = (struct sq_span){ start.ptr, (size_t)(end - 1 - start.ptr) };
        return true;
    }
    return false;
}

bool
sq_keyboards_take(struct sq_span *rest, struct sq_span *id) {
    struct sq_span line;
    struct sq_component component;
    while (sq_line_take(rest, &line)) {
        if (sq_component_parse(line, &component)) {
            *id = line;
            return true;
        }
    }
    return false;
}
