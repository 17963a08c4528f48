/* Writes an argument table as JSON schema. */
#include "args/arg.h"

#define FAR_LIMIT 1000000

/* Writes a limit, or nothing for one beyond FAR_LIMIT, to save tokens. */
static void
put_limit(const char *key, double limit, struct sq_json_writer *w) {
    if (limit > -FAR_LIMIT && limit < FAR_LIMIT) {
        sq_json_put_double(sq_json_at(w, key), limit);
    }
}

bool
sq_arg_has_members(const struct sq_arg *arg) {
    return arg->type == SQ_ARG_OBJECT && !(arg->is_open && arg->placeholder);
}

const char *
sq_arg_type_name(const struct sq_arg *arg) {
    static const char *const names[] = {
        [SQ_ARG_BOOL] = "boolean",  [SQ_ARG_INT] = "integer",
        [SQ_ARG_NUMBER] = "number", [SQ_ARG_TEXT] = "string",
        [SQ_ARG_CHOICE] = NULL,     [SQ_ARG_OBJECT] = "object",
        [SQ_ARG_LIST] = "array",
    };
    return arg->type == SQ_ARG_OBJECT && !sq_arg_has_members(arg)
             ? "string"
             : names[arg->type];
}

void
sq_arg_put_text(const struct sq_arg *arg, struct sq_json_writer *w) {
    if (arg->text && arg->text[0]) {
        sq_json_put_string(sq_json_at(w, "description"), sq_span_of(arg->text));
    }
}

void
sq_arg_put_choices(const struct sq_arg *arg, struct sq_json_writer *w) {
    sq_json_begin_array_of(w, "enum");
    const char *choice;
    for (size_t i = 0; (choice = sq_arg_choice_at(arg, i)); i++) {
        sq_json_put_string(w, sq_span_of(choice));
    }
    sq_json_end_array(w);
}

void
sq_arg_put_items(const struct sq_arg *arg, struct sq_json_writer *w) {
    sq_json_begin_object_of(w, "items");
    sq_json_put_string(sq_json_at(w, "type"), arg->takes_objects
                                                  ? SQ_SPAN("object")
                                                  : SQ_SPAN("string"));
    sq_json_end_object(w);
}

/* Writes the schema of one argument. */
static void
arg_put_schema(const struct sq_arg *arg, struct sq_json_writer *w) {
    const char *type = sq_arg_type_name(arg);
    sq_json_begin_object(w);
    if (type) {
        sq_json_put_string(sq_json_at(w, "type"), sq_span_of(type));
    }
    sq_arg_put_text(arg, w);
    if (arg->type == SQ_ARG_INT || arg->type == SQ_ARG_NUMBER) {
        if (arg->min < 0 || arg->min > 1) {
            put_limit("minimum", arg->min, w);
        }
        put_limit("maximum", arg->max, w);
    }
    if (arg->type == SQ_ARG_CHOICE) {
        sq_arg_put_choices(arg, w);
    }
    if (arg->type == SQ_ARG_LIST) {
        sq_arg_put_items(arg, w);
    }
    if (sq_arg_has_members(arg)) {
        sq_json_begin_object_of(w, "properties");
        sq_args_put_schema(arg->members, w);
        sq_json_end_object(w);
        sq_json_put_bool(sq_json_at(w, "additionalProperties"), false);
    }
    sq_json_end_object(w);
}

void
sq_args_put_schema(const struct sq_arg *table, struct sq_json_writer *w) {
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        if (!arg->is_rare) {
            sq_json_put_key(w, arg->name);
            arg_put_schema(arg, w);
        }
    }
}
