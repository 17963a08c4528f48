/* Resolves app names to packages. */
#include "tools/app_lookup.h"

#include <stdio.h>
#include <string.h>

#include "redact/redact.h"
#include "tools/elements/label.h"
#include "tools/reply.h"
#include "util/span.h"

#define MAX_NEAREST 12     /* suggested packages */
#define MAX_SHOWN_BYTES 80 /* of one of them */
#define MIN_INSIDE 4       /* letters of a word that counts inside another */

const struct sq_arg sq_package_table[] = {
    SQ_TEXT(sq_package_args, package_name, "packageName",
            SQ_DEVICE_TEXT_SIZE - 1, "Or its label, if listed", .alias = "app",
            .required = true, .flag = "app", .placeholder = "APP",
            .help = "package, bundle id, or label if squint apps shows it"),
    SQ_RECEIPT_ROWS(sq_package_args),
    SQ_ARGS_END,
};

static bool
is_package(struct sq_span name) {
    bool ok = name.len > 0 && name.ptr[0] != '-' && sq_span_contains(name, '.');
    for (size_t i = 0; i < name.len; i++) {
        char c = sq_ascii_lower(name.ptr[i]);
        ok = ok
          && ((c >= 'a' && c <= 'z') || sq_is_digit(c)
              || (c != '\0' && strchr("._:-", c)));
    }
    return ok;
}

static struct sq_span
last_part(struct sq_span package) {
    size_t start = package.len;
    while (start > 0 && package.ptr[start - 1] != '.') {
        start--;
    }
    return (struct sq_span){ package.ptr + start, package.len - start };
}

static bool
has_label(const struct sq_app_entry *app, struct sq_span name) {
    return app->label.len > 0 && sq_text_equal(app->label, name, true);
}

static bool
has_last_part(const struct sq_app_entry *app, struct sq_span name) {
    return sq_text_equal(last_part(app->package), name, true);
}

/* Returns whether a part of the package between dots is the name. */
static bool
has_part(const struct sq_app_entry *app, struct sq_span name) {
    struct sq_span rest = app->package;
    struct sq_span part;
    while (sq_span_take_until(&rest, '.', &part)) {
        if (sq_text_equal(part, name, true)) {
            return true;
        }
    }
    return false;
}

typedef bool (*app_test)(const struct sq_app_entry *app, struct sq_span name);

/* Returns how many apps pass the test; *out is the first of them. */
static size_t
count_apps(const struct sq_app_list *list, app_test test, struct sq_span name,
           const struct sq_app_entry **out) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (test(&list->entries[i], name)) {
            *out = count++ == 0 ? &list->entries[i] : *out;
        }
    }
    return count;
}

static bool
fail_ambiguous(const struct sq_app_list *list, app_test test,
               struct sq_span name, struct sq_err *err) {
    char all[SQ_ERR_HINT_SIZE - 40] = "";
    for (size_t i = 0; i < list->count; i++) {
        size_t used = strlen(all);
        if (test(&list->entries[i], name)) {
            snprintf(all + used, sizeof(all) - used, "%s%.*s", used ? ", " : "",
                     SQ_SPAN_ARGS(list->entries[i].package));
        }
    }
    sq_fail_quoting(err, SQ_ERR_AMBIGUOUS_MATCH,
                    "several apps are called \"%.*s\"",
                    name.len < 64 ? (int)name.len : 64, name.ptr);
    return sq_fail_hint(err, "Give the $packageName: %s.", all);
}

/* The label if there is one: most people know an app by it. */
static struct sq_span
known_name(const struct sq_app_entry *app) {
    return app->label.len > 0 ? app->label : last_part(app->package);
}

/* Finds the app whose name, or whose package, is most similar. */
static void
find_similar(const struct sq_app_list *list, bool by_package,
             struct sq_nearest *nearest) {
    for (size_t i = 0; i < list->count; i++) {
        const struct sq_app_entry *app = &list->entries[i];
        const struct sq_span known =
            by_package ? app->package : known_name(app);
        char text[SQ_NEAREST_SIZE];
        if (known.len < sizeof(text) && (!by_package || is_package(known))) {
            snprintf(text, sizeof(text), "%.*s", SQ_SPAN_ARGS(known));
            sq_nearest_try(nearest, text);
        }
    }
}

static bool
has_labels(const struct sq_app_list *list) {
    size_t i = 0;
    while (i < list->count && list->entries[i].label.len == 0) {
        i++;
    }
    return i < list->count;
}

/* Returns whether a byte belongs to a letter or digit; any script counts. */
static bool
is_of_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')
        || (unsigned char)c >= 0x80;
}

/* Writes the letters and digits of a name, in lower case. */
static struct sq_span
normalise(struct sq_span name, char out[SQ_NEAREST_SIZE]) {
    size_t len = 0;
    for (size_t i = 0; i < name.len && len + 1 < SQ_NEAREST_SIZE; i++) {
        out[len] = sq_ascii_lower(name.ptr[i]);
        len += is_of_word(out[len]);
    }
    return (struct sq_span){ out, len };
}

/* Returns whether one of two words is in the other. */
static bool
is_inside(struct sq_span a, struct sq_span b) {
    return a.len >= MIN_INSIDE && b.len >= MIN_INSIDE
        && (sq_text_contains(a, b, true) || sq_text_contains(b, a, true));
}

/* Returns how different a part of a package is from a name, in percent. */
static size_t
difference(struct sq_span part, struct sq_span name) {
    size_t longer = part.len > name.len ? part.len : name.len;
    size_t shorter = part.len > name.len ? name.len : part.len;
    size_t edits = is_inside(part, name) ? (longer - shorter) / 2
                                         : sq_edit_distance(part, name);
    return longer == 0 || edits > longer ? 100 : edits * 100 / longer;
}

/* Returns how different the most similar part of a package is. */
static size_t
least_difference(struct sq_span package, struct sq_span name) {
    size_t least = difference(last_part(package), name);
    struct sq_span rest = package;
    struct sq_span part;
    while (sq_span_take_until(&rest, '.', &part)) {
        size_t found = difference(part, name);
        least = found < least ? found : least;
    }
    return least;
}

/* Writes the packages that are most like a name, the nearest first. */
static void
write_nearest(const struct sq_app_list *list, struct sq_span name, char *out,
              size_t size) {
    char space[SQ_NEAREST_SIZE];
    struct {
        struct sq_span package;
        size_t difference;
    } best[MAX_NEAREST];
    size_t count = 0;
    name = normalise(name, space);
    for (size_t i = 0; i < list->count; i++) {
        struct sq_span package = list->entries[i].package;
        size_t found = least_difference(package, name);
        size_t at = count;
        while (at > 0 && best[at - 1].difference > found) {
            at--;
        }
        if (at == MAX_NEAREST || package.len > MAX_SHOWN_BYTES
            || !is_package(package)) {
            continue;
        }
        count += count < MAX_NEAREST;
        memmove(best + at + 1, best + at, (count - at - 1) * sizeof(best[0]));
        best[at].package = package;
        best[at].difference = found;
    }
    out[0] = '\0';
    size_t used = 0;
    for (size_t i = 0; i < count && used + best[i].package.len + 3 < size;
         i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%.*s",
                                 i ? ", " : "", SQ_SPAN_ARGS(best[i].package));
    }
}

/* Fails for a label on a device that reports none, such as Android over adb. */
static bool
fail_without_labels(const struct sq_app_list *list, struct sq_span name,
                    struct sq_err *err) {
    char nearest[SQ_ERR_HINT_SIZE - 200];
    write_nearest(list, name, nearest, sizeof(nearest));
    sq_fail_quoting(err, SQ_ERR_PACKAGE_NOT_FOUND,
                    "no package has the part \"%.*s\", and this device does "
                    "not report the labels of its apps",
                    name.len < 64 ? (int)name.len : 64, name.ptr);
    if (!nearest[0]) {
        return sq_fail_hint(err,
                            "The operation @apps lists what can be launched.");
    }
    return sq_fail_hint(
        err,
        "Give a package name. The nearest are %s; the operation @apps lists "
        "all. Or use @key home, then @find and @tap the label.",
        nearest);
}

/* Suggests no label if there are rules that may hide it. */
static bool
fail_unknown(const struct sq_call *call, const struct sq_app_list *list,
             struct sq_span name, struct sq_err *err) {
    const struct sq_redactor *redactor = call->redactor;
    const int shown = name.len < 64 ? (int)name.len : 64;
    struct sq_nearest nearest;
    if (!has_labels(list)) {
        return fail_without_labels(list, name, err);
    }
    sq_nearest_begin(&nearest, name);
    if (!redactor || !sq_redact_hides_text(redactor->rules)) {
        find_similar(list, false, &nearest);
    }
    if (nearest.found[0]) {
        sq_fail_quoting(err, SQ_ERR_PACKAGE_NOT_FOUND,
                        "no app is called \"%.*s\"; did you mean \"%s\"?",
                        shown, name.ptr, nearest.found);
    } else {
        sq_fail(err, SQ_ERR_PACKAGE_NOT_FOUND, "no app is called \"%.*s\"",
                shown, name.ptr);
    }
    return sq_fail_hint(err, "The operation @apps lists what can be launched.");
}

static bool
choose_app(const struct sq_call *call, const struct sq_app_list *list,
           struct sq_span name, struct sq_span *out, struct sq_err *err) {
    static const app_test tests[] = { has_label, has_last_part, has_part };
    for (size_t i = 0; i < SQ_COUNT(tests); i++) {
        const struct sq_app_entry *app = NULL;
        size_t count = count_apps(list, tests[i], name, &app);
        if (count > 1) {
            return fail_ambiguous(list, tests[i], name, err);
        }
        if (count == 1) {
            *out = app->package;
            return true;
        }
    }
    return fail_unknown(call, list, name, err);
}

static bool
fail_name(struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT,
            "${packageName|APP} is not the name of an app");
    return sq_fail_hint(
        err,
        "Give a name such as com.example.app; the operation @apps lists them.");
}

static bool
copy(struct sq_span package, struct sq_package *out, struct sq_err *err) {
    if (!is_package(package) || package.len >= SQ_DEVICE_TEXT_SIZE) {
        return fail_name(err);
    }
    memcpy(out->name, package.ptr, package.len);
    out->name[package.len] = '\0';
    return true;
}

bool
sq_package_suggest(struct sq_call *call, const char *package,
                   struct sq_err *err) {
    SQ_FREED(sq_app_list_finish) struct sq_app_list list = { 0 };
    struct sq_nearest nearest;
    if (!err || err->code != SQ_ERR_PACKAGE_NOT_FOUND) {
        return false;
    }
    sq_nearest_begin(&nearest, sq_span_of(package));
    if (sq_device_apps(call->device, &list, &call->deadline, NULL)) {
        find_similar(&list, true, &nearest);
    }
    if (nearest.found[0] && strcmp(nearest.found, package) != 0) {
        const struct sq_err first = *err;
        sq_fail_quoting(err, first.code, "%.200s; did you mean %s?",
                        first.message, nearest.found);
        sq_fail_hint(err, "%s", first.hint);
    }
    return false;
}

void
sq_put_package(struct sq_json_writer *w, const char *key,
               const struct sq_package *package) {
    if (package->is_foreign) {
        sq_put_untrusted(w, key, sq_span_of(package->name));
    } else {
        sq_put_clean(w, key, sq_span_of(package->name));
    }
}

bool
sq_package_resolve(struct sq_call *call, struct sq_span name,
                   struct sq_package *out, struct sq_err *err) {
    SQ_FREED(sq_app_list_finish) struct sq_app_list list = { 0 };
    struct sq_span package = name;
    out->is_foreign = !is_package(name);
    if (!out->is_foreign) {
        return copy(name, out, err);
    }
    name = sq_span_trim(name);
    if (name.len == 0 || name.ptr[0] == '-' || sq_span_contains(name, '\0')) {
        return fail_name(err);
    }
    return sq_device_apps(call->device, &list, &call->deadline, err)
        && choose_app(call, &list, name, &package, err)
        && copy(package, out, err);
}
