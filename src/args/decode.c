/* Decodes JSON arguments by an argument table. */
#include "args/arg.h"

#include <stdio.h>

/* The argument being decoded, such as "selector.text", for errors. */
struct place {
    const char *parent; /* NULL at the top level */
    const struct sq_arg *arg;
};

static const char *
path_of(const struct place *place, char *buffer, size_t size) {
    if (!place->parent) {
        return place->arg->name;
    }
    snprintf(buffer, size, "%s.%s", place->parent, place->arg->name);
    return buffer;
}

#define PATH(place) path_of((place), (char[96]){ 0 }, 96)

/* Fails because a value has a type or size that is not accepted. */
static bool
fail_value(const struct place *place, const struct sq_json *value,
           struct sq_err *err) {
    char quoted[SQ_ARG_QUOTED_SIZE];
    struct sq_span text;
    bool truth;
    const char *actual = sq_json_is(value, SQ_JSON_OBJECT) ? "an object"
                       : sq_json_is(value, SQ_JSON_ARRAY)  ? "a list"
                       : !sq_json_bool(value, &truth)      ? "null"
                       : truth                             ? "true"
                                                           : "false";
    if (sq_json_string(value, &text) || sq_json_number(value, &text)) {
        sq_arg_quote(text, quoted);
        actual = quoted;
    }
    return sq_arg_fail(place->arg, PATH(place), actual, err);
}

/*
 * Returns the text of a string, number or truth value that the type accepts.
 * Strings with an unambiguous value are accepted for all types: "200", "True".
 */
static bool
scalar_text(enum sq_arg_type type, const struct sq_json *value,
            struct sq_span *out) {
    bool truth;
    if (type == SQ_ARG_BOOL && sq_json_bool(value, &truth)) {
        *out = sq_span_of(truth ? "true" : "false");
        return true;
    }
    /* A choice without these words refuses them. */
    if (type == SQ_ARG_CHOICE && sq_json_bool(value, &truth)) {
        *out = sq_span_of(truth ? "on" : "off");
        return true;
    }
    bool takes_number =
        type == SQ_ARG_INT || type == SQ_ARG_NUMBER || type == SQ_ARG_TEXT;
    return sq_json_string(value, out)
        || (takes_number && sq_json_number(value, out));
}

static bool
decode_scalar(const struct place *place, const struct sq_json *value,
              void *args, struct sq_err *err) {
    struct sq_span text;
    const struct sq_arg_source source = { .name = PATH(place),
                                          .is_json = true };
    return scalar_text(place->arg->type, value, &text)
                || (place->arg->takes_any && sq_json_number(value, &text))
             ? sq_arg_parse(place->arg, text, &source, args, err)
             : fail_value(place, value, err);
}

static bool decode_one(const struct place *place, const struct sq_json *value,
                       void *args, struct sq_err *err);
static bool decode_members(const char *parent, const struct sq_arg *table,
                           const struct sq_json *object,
                           const struct sq_arg *common, void *args,
                           struct sq_err *err);

/* Marks an object as given. Returns true. */
static bool
set_given(void *object) {
    *(bool *)object = true;
    return true;
}

static bool
decode_object(const struct place *place, const struct sq_json *value,
              void *args, struct sq_err *err) {
    void *field = (char *)args + place->arg->offset;
    if (place->arg->is_open && sq_json_is(value, SQ_JSON_STRING)) {
        const struct place first = { place->arg->name, place->arg->members };
        return decode_one(&first, value, field, err) && set_given(field);
    }
    if (!sq_json_is(value, SQ_JSON_OBJECT)) {
        return fail_value(place, value, err);
    }
    return decode_members(place->arg->name, place->arg->members, value, NULL,
                          field, err)
        && set_given(field);
}

static bool
decode_list(const struct place *place, const struct sq_json *value, void *args,
            struct sq_err *err) {
    struct sq_opt_texts *list = (void *)((char *)args + place->arg->offset);
    if (!sq_json_is(value, SQ_JSON_ARRAY)) {
        return fail_value(place, value, err);
    }
    const struct sq_json *item = sq_json_first(value);
    if (place->arg->takes_objects) {
        list->given = true;
        list->count = sq_json_count(value);
        return true;
    }
    for (; item && list->count < SQ_MAX_LIST_ITEMS; item = sq_json_next(item)) {
        struct sq_span *text = &list->items[list->count];
        if (!sq_json_string(item, text) || text->len > place->arg->max_bytes) {
            return fail_value(place, item, err);
        }
        list->count++;
    }
    list->given = true;
    return !item || fail_value(place, value, err);
}

/* Appends the names of a table to a list "a, b, c" if they fit. */
static void
add_names(char *list, size_t size, const struct sq_arg *table) {
    for (; table && table->name; table++) {
        size_t used = strlen(list);
        if (table->text) {
            snprintf(list + used, size - used, "%s%s", used ? ", " : "",
                     table->name);
        }
    }
}

static bool
fail_unknown(const char *parent, const struct sq_arg *table,
             const struct sq_arg *common, struct sq_span name,
             struct sq_err *err) {
    char all[SQ_ERR_HINT_SIZE - 16] = "";
    add_names(all, sizeof(all), table);
    add_names(all, sizeof(all), common);
    int shown = name.len < 64 ? (int)name.len : 64;
    sq_fail(err, SQ_ERR_ARGUMENT, "unknown argument \"%s%s%.*s\"",
            parent ? parent : "", parent ? "." : "", shown, name.ptr);
    return sq_fail_hint(err, "Known: %s.", all[0] ? all : "none");
}

static bool
fail_missing(const struct place *place, struct sq_err *err) {
    const struct sq_arg *arg = place->arg;
    char expected[SQ_ARG_EXPECTED_SIZE];
    bool has_text = arg->text && arg->text[0];
    sq_arg_expected(arg, expected);
    sq_fail(err, SQ_ERR_ARGUMENT, "%s is missing", PATH(place));
    if (arg->if_missing) {
        return sq_fail_hint(err, "%s", arg->if_missing);
    }
    return sq_fail_hint(err, "Give %s: %s%s%s%s.", PATH(place), expected,
                        has_text ? " (" : "", has_text ? arg->text : "",
                        has_text ? ")" : "");
}

/* Decodes one argument into its field of args. */
static bool
decode_one(const struct place *place, const struct sq_json *value, void *args,
           struct sq_err *err) {
    const struct sq_arg *arg = place->arg;
    if (sq_arg_is_given(arg, args) && !arg->is_open) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is given twice", PATH(place));
        return sq_fail_hint(err, "Leave one of them out.");
    }
    return arg->type == SQ_ARG_OBJECT ? decode_object(place, value, args, err)
         : arg->type == SQ_ARG_LIST   ? decode_list(place, value, args, err)
                                      : decode_scalar(place, value, args, err);
}

/*
 * Decodes a member that was given next to its open object instead of inside it.
 */
static bool
decode_loose(const struct sq_arg *table, const struct sq_json *member,
             void *args, bool *found, struct sq_err *err) {
    *found = false;
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        const struct sq_arg *inner =
            arg->is_open ? sq_args_find(arg->members, sq_json_key(member))
                         : NULL;
        if (!inner) {
            continue;
        }
        const struct place place = { NULL, inner };
        void *object = (char *)args + arg->offset;
        *found = true;
        return decode_one(&place, member, object, err) && set_given(object);
    }
    return true;
}

static bool
decode_member(const struct sq_arg *table, const char *parent,
              const struct sq_json *member, const struct sq_arg *common,
              void *args, struct sq_err *err) {
    struct sq_span name = sq_json_key(member);
    const struct sq_arg *arg = sq_args_find(table, name);
    if (!arg && sq_args_find(common, name)) {
        return true;
    }
    if (arg && sq_json_is(member, SQ_JSON_NULL)) {
        return true; /* some clients send null for "not given" */
    }
    if (arg) {
        const struct place place = { parent, arg };
        return decode_one(&place, member, args, err);
    }
    bool found;
    return decode_loose(table, member, args, &found, err)
        && (found || fail_unknown(parent, table, common, name, err));
}

static bool
decode_members(const char *parent, const struct sq_arg *table,
               const struct sq_json *object, const struct sq_arg *common,
               void *args, struct sq_err *err) {
    for (const struct sq_json *member = sq_json_first(object); member;
         member = sq_json_next(member)) {
        if (!decode_member(table, parent, member, common, args, err)) {
            return false;
        }
    }
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        const struct place place = { parent, arg };
        if (arg->required && !sq_arg_is_given(arg, args)) {
            return fail_missing(&place, err);
        }
    }
    return true;
}

bool
sq_args_decode(const struct sq_arg *table, const struct sq_json *object,
               const struct sq_arg *common, void *args, struct sq_err *err) {
    if (object && !sq_json_is(object, SQ_JSON_OBJECT)) {
        return sq_fail_argument(err, "arguments must be an object",
                                "For example {}.");
    }
    return decode_members(NULL, table, object, common, args, err);
}
