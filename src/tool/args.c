/*
 * Decodes JSON arguments by an argument table, and writes the table as schema.
 */
#include "tool/args.h"

#include <stdio.h>
#include <string.h>

#define FAR_LIMIT 1000000

/* The argument being decoded, such as "selector.text", for errors. */
struct place {
    const char *parent; /* NULL at the top level */
    const struct sq_arg *arg;
};

static const char *
path_of(const struct place *place, char *buffer, size_t size) {
    snprintf(buffer, size, "%s%s%s", place->parent ? place->parent : "",
             place->parent ? "." : "", place->arg->name);
    return buffer;
}

#define PATH(place) path_of((place), (char[96]){ 0 }, 96)

/* Appends a word to a list "a, b, c" if it fits. */
static void
add_word(char *list, size_t size, const char *word) {
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", word);
}

static void
add_names(char *list, size_t size, const struct sq_arg *table) {
    for (; table && table->name; table++) {
        if (table->text) {
            add_word(list, size, table->name);
        }
    }
}

#define ACCEPTED_SIZE 160

/* Describes the accepted values: "a whole number from 1 to 100". */
static const char *
accepted(const struct sq_arg *arg, char out[ACCEPTED_SIZE]) {
    static const char *const fixed[] = {
        [SQ_ARG_BOOL] = "true or false",
        [SQ_ARG_CHOICE] = "one of: ",
        [SQ_ARG_OBJECT] = "an object with ",
    };
    char list[ACCEPTED_SIZE - 16] = "";
    switch (arg->type) {
    case SQ_ARG_INT:
        snprintf(out, ACCEPTED_SIZE, "a whole number from %.0f to %.0f",
                 arg->min, arg->max);
        break;
    case SQ_ARG_NUMBER:
        snprintf(out, ACCEPTED_SIZE, "a number from %g to %g", arg->min,
                 arg->max);
        break;
    case SQ_ARG_TEXT:
        snprintf(out, ACCEPTED_SIZE, "text of at most %zu bytes",
                 arg->max_bytes);
        break;
    case SQ_ARG_LIST:
        snprintf(out, ACCEPTED_SIZE, "a list of at most %d texts",
                 SQ_MAX_LIST_ITEMS);
        break;
    case SQ_ARG_BOOL:
    case SQ_ARG_CHOICE:
    case SQ_ARG_OBJECT:
    default:
        for (int i = 0; arg->choices && arg->choices[i]; i++) {
            add_word(list, sizeof(list), arg->choices[i]);
        }
        add_names(list, sizeof(list), arg->members);
        snprintf(out, ACCEPTED_SIZE, "%s%s", fixed[arg->type], list);
        break;
    }
    return out;
}

#define ACCEPTED(arg) accepted((arg), (char[ACCEPTED_SIZE]){ 0 })

static bool
fail_value(const struct place *place, struct sq_err *err) {
    const char *wanted = ACCEPTED(place->arg);
    sq_fail(err, SQ_ERR_ARGUMENT, "%s must be %s", PATH(place), wanted);
    return place->arg->required ? sq_fail_hint(err, "Give %s.", wanted)
                                : sq_fail_hint(err, "Give %s, or leave %s out.",
                                               wanted, place->arg->name);
}

/* Strings with an unambiguous value are accepted: "200", "True". */
static struct sq_span
word_of(const struct sq_json *value) {
    struct sq_span text = { 0 };
    sq_json_string(value, &text);
    return sq_span_trim(text);
}

static bool
decode_bool(const struct place *place, const struct sq_json *value, void *field,
            struct sq_err *err) {
    struct sq_span word = word_of(value);
    bool *out = field;
    if (sq_json_bool(value, out)) {
        return true;
    }
    *out = sq_span_is_word(word, "true");
    return *out || sq_span_is_word(word, "false") || fail_value(place, err);
}

static bool
decode_int(const struct place *place, const struct sq_json *value, void *field,
           struct sq_err *err) {
    const struct sq_arg *arg = place->arg;
    int64_t number;
    if (!(sq_json_int(value, &number)
          || sq_span_to_exact_int64(word_of(value), &number))
        || (double)number < arg->min || (double)number > arg->max) {
        return fail_value(place, err);
    }
    *(int *)field = (int)number;
    return true;
}

static bool
decode_number(const struct place *place, const struct sq_json *value,
              void *field, struct sq_err *err) {
    const struct sq_arg *arg = place->arg;
    double number;
    if (!(sq_json_double(value, &number)
          || sq_span_to_double(word_of(value), &number))
        || number < arg->min || number > arg->max) {
        return fail_value(place, err);
    }
    *(double *)field = number;
    return true;
}

static bool
decode_text(const struct place *place, const struct sq_json *value, void *field,
            struct sq_err *err) {
    struct sq_span text;
    if (!(sq_json_string(value, &text) || sq_json_number(value, &text))
        || text.len > place->arg->max_bytes) {
        return fail_value(place, err);
    }
    *(struct sq_span *)field = text;
    return true;
}

/* Compares with a choice; choices are lower case. */
static bool
is_choice(struct sq_span word, const char *choice) {
    return sq_span_is(word, choice) || sq_span_is_word(word, choice);
}

static bool
decode_choice(const struct place *place, const struct sq_json *value,
              void *field, struct sq_err *err) {
    const char *const *choices = place->arg->choices;
    struct sq_span word = word_of(value);
    for (int i = 0; choices[i]; i++) {
        if (is_choice(word, choices[i])) {
            *(int *)field = i;
            return true;
        }
    }
    return fail_value(place, err);
}

static bool decode_one(const struct place *place, const struct sq_json *value,
                       void *args, struct sq_err *err);
static bool decode_members(const char *parent, const struct sq_arg *table,
                           const struct sq_json *object,
                           const struct sq_arg *common, void *args,
                           struct sq_err *err);

static bool
decode_object(const struct place *place, const struct sq_json *value,
              void *field, struct sq_err *err) {
    if (place->arg->is_open && sq_json_is(value, SQ_JSON_STRING)) {
        const struct place first = { place->arg->name, place->arg->members };
        return decode_one(&first, value, field, err);
    }
    if (!sq_json_is(value, SQ_JSON_OBJECT)) {
        return fail_value(place, err);
    }
    return decode_members(place->arg->name, place->arg->members, value, NULL,
                          field, err);
}

static bool
decode_list(const struct place *place, const struct sq_json *value, void *field,
            struct sq_err *err) {
    struct sq_arg_list *list = field;
    if (!sq_json_is(value, SQ_JSON_ARRAY)) {
        return fail_value(place, err);
    }
    const struct sq_json *item = sq_json_first(value);
    for (; item && list->count < SQ_MAX_LIST_ITEMS; item = sq_json_next(item)) {
        struct sq_span *text = &list->items[list->count];
        if (!sq_json_string(item, text) || text->len > place->arg->max_bytes) {
            return fail_value(place, err);
        }
        list->count++;
    }
    return !item || fail_value(place, err);
}

typedef bool (*decoder)(const struct place *place, const struct sq_json *value,
                        void *field, struct sq_err *err);

static const decoder decoders[] = {
    [SQ_ARG_BOOL] = decode_bool,     [SQ_ARG_INT] = decode_int,
    [SQ_ARG_NUMBER] = decode_number, [SQ_ARG_TEXT] = decode_text,
    [SQ_ARG_CHOICE] = decode_choice, [SQ_ARG_OBJECT] = decode_object,
    [SQ_ARG_LIST] = decode_list,
};

static const struct sq_arg *
find_arg(const struct sq_arg *table, struct sq_span name) {
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        if (sq_span_is(name, arg->name)
            || (arg->alias && sq_span_is(name, arg->alias))) {
            return arg;
        }
    }
    return NULL;
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
check_required(const char *parent, const struct sq_arg *table, const void *args,
               struct sq_err *err) {
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        bool given = *(const bool *)((const char *)args + arg->has_offset);
        if (arg->required && !given) {
            const struct place place = { parent, arg };
            sq_fail(err, SQ_ERR_ARGUMENT, "%s is missing", PATH(&place));
            bool is_told = arg->text && arg->text[0];
            return sq_fail_hint(err, "Give %s: %s%s%s%s.", PATH(&place),
                                ACCEPTED(arg), is_told ? " (" : "",
                                is_told ? arg->text : "", is_told ? ")" : "");
        }
    }
    return true;
}

/* Decodes one argument into its field of args and sets its has_ flag. */
static bool
decode_one(const struct place *place, const struct sq_json *value, void *args,
           struct sq_err *err) {
    const struct sq_arg *arg = place->arg;
    bool *given = (bool *)((char *)args + arg->has_offset);
    if (*given && !arg->is_open) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is given twice", PATH(place));
        return sq_fail_hint(err, "Leave one of them out.");
    }
    if (!decoders[arg->type](place, value, (char *)args + arg->offset, err)) {
        return false;
    }
    *given = true;
    return true;
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
            arg->is_open ? find_arg(arg->members, sq_json_key(member)) : NULL;
        if (!inner) {
            continue;
        }
        const struct place place = { NULL, inner };
        *found = true;
        *(bool *)((char *)args + arg->has_offset) = true;
        return decode_one(&place, member, (char *)args + arg->offset, err);
    }
    return true;
}

static bool
decode_member(const struct sq_arg *table, const char *parent,
              const struct sq_json *member, const struct sq_arg *common,
              void *args, struct sq_err *err) {
    struct sq_span name = sq_json_key(member);
    const struct sq_arg *arg = find_arg(table, name);
    if (!arg && find_arg(common, name)) {
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
    return check_required(parent, table, args, err);
}

bool
sq_args_decode(const struct sq_arg *table, const struct sq_json *object,
               const struct sq_arg *common, void *args, struct sq_err *err) {
    if (object && !sq_json_is(object, SQ_JSON_OBJECT)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "arguments must be an object");
        return sq_fail_hint(err, "For example {}.");
    }
    return decode_members(NULL, table, object, common, args, err);
}

size_t
sq_args_count(const struct sq_arg *table) {
    size_t count = 0;
    while (table && table[count].name) {
        count++;
    }
    return count;
}

/* Writes a limit, or nothing for one beyond FAR_LIMIT, to save tokens. */
static void
put_limit(const char *key, double limit, struct sq_json_writer *w) {
    if (limit > -FAR_LIMIT && limit < FAR_LIMIT) {
        sq_json_put_key(w, key);
        sq_json_put_double(w, limit);
    }
}

static void
put_range(const struct sq_arg *arg, struct sq_json_writer *w) {
    if (arg->min < 0 || arg->min > 1) {
        put_limit("minimum", arg->min, w);
    }
    put_limit("maximum", arg->max, w);
}

const char *
sq_arg_type_name(const struct sq_arg *arg) {
    static const char *const names[] = {
        [SQ_ARG_BOOL] = "boolean",  [SQ_ARG_INT] = "integer",
        [SQ_ARG_NUMBER] = "number", [SQ_ARG_TEXT] = "string",
        [SQ_ARG_CHOICE] = NULL,     [SQ_ARG_OBJECT] = "object",
        [SQ_ARG_LIST] = "array",
    };
    return names[arg->type];
}

void
sq_arg_put_text(const struct sq_arg *arg, struct sq_json_writer *w) {
    if (arg->text && arg->text[0]) {
        sq_json_put_key(w, "description");
        sq_json_put_string(w, sq_span_of(arg->text));
    }
}

void
sq_arg_put_choices(const struct sq_arg *arg, struct sq_json_writer *w) {
    sq_json_put_key(w, "enum");
    sq_json_begin_array(w);
    for (int i = 0; arg->choices[i]; i++) {
        sq_json_put_string(w, sq_span_of(arg->choices[i]));
    }
    sq_json_end_array(w);
}

void
sq_arg_put_items(struct sq_json_writer *w) {
    sq_json_put_key(w, "items");
    sq_json_begin_object(w);
    sq_json_put_key(w, "type");
    sq_json_put_string(w, SQ_SPAN("string"));
    sq_json_end_object(w);
}

void
sq_arg_put_schema(const struct sq_arg *arg, struct sq_json_writer *w) {
    const char *type = sq_arg_type_name(arg);
    sq_json_begin_object(w);
    if (type) {
        sq_json_put_key(w, "type");
        sq_json_put_string(w, sq_span_of(type));
    }
    sq_arg_put_text(arg, w);
    if (arg->type == SQ_ARG_INT || arg->type == SQ_ARG_NUMBER) {
        put_range(arg, w);
    }
    if (arg->type == SQ_ARG_CHOICE) {
        sq_arg_put_choices(arg, w);
    }
    if (arg->type == SQ_ARG_LIST) {
        sq_arg_put_items(w);
    }
    if (arg->type == SQ_ARG_OBJECT) {
        sq_json_put_key(w, "properties");
        sq_json_begin_object(w);
        sq_args_put_schema(arg->members, w);
        sq_json_end_object(w);
        sq_json_put_key(w, "additionalProperties");
        sq_json_put_bool(w, false);
    }
    sq_json_end_object(w);
}

void
sq_args_put_schema(const struct sq_arg *table, struct sq_json_writer *w) {
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        sq_json_put_key(w, arg->name);
        sq_arg_put_schema(arg, w);
    }
}
