/*
 * Describes one argument of an operation, one option of a command or one value
 * of the configuration: its name, type, range, choices and place in a struct. A
 * table of these rows defines decoding and its errors, the JSON schema, the
 * command-line flags, the help text and the documentation.
 */
#ifndef SQ_ARGS_ARG_H
#define SQ_ARGS_ARG_H

#include "args/optional.h"
#include "json/writer.h"

/* The types, and the fields that can hold them. */
enum sq_arg_type {
    SQ_ARG_BOOL,   /* struct sq_opt_bool, or bool */
    SQ_ARG_INT,    /* struct sq_opt_int, or int */
    SQ_ARG_NUMBER, /* struct sq_opt_double, or double */
    SQ_ARG_TEXT,   /* struct sq_opt_text, or const char *: never empty */
    SQ_ARG_CHOICE, /* struct sq_opt_int, or int: index of the choice */
    SQ_ARG_OBJECT, /* a struct with its own table; its first member is given */
    SQ_ARG_LIST,   /* struct sq_opt_texts, or struct sq_strings */
};

#define SQ_ARG_OTHER (-1)

struct sq_arg {
    const char *name;       /* camelCase, as in JSON; NULL ends a table */
    const char *alias;      /* another accepted name; NULL: none */
    const char *if_missing; /* hint if required and not given; NULL: made */
    enum sq_arg_type type;
    bool is_plain; /* the field is the second type of the above: no `given` */
    bool required;
    size_t offset;     /* of the field in its struct */
    double min, max;   /* of INT and NUMBER; max: items of a list */
    const char *word;  /* of INT: accepted, too, as SQ_ARG_OTHER; NULL: none */
    size_t max_bytes;  /* of TEXT and each item of a LIST; 0: any */
    bool is_printable; /* TEXT and LIST: without control characters */
    const char *const *choices; /* of CHOICE, NULL-terminated; or: */
    const char *(*choice_at)(size_t index); /* returns NULL after the last */
    bool takes_any; /* CHOICE in JSON: anything else is SQ_ARG_OTHER */
    const struct sq_arg *members; /* of OBJECT */
    /*
     * OBJECT only; the first member must be TEXT. A plain string instead of the
     * object sets that member, and members may also be given next to the object
     * instead of inside it.
     */
    bool is_open;
    const char *text; /* description, for a client; may be "" to save tokens */
    bool is_rare;     /* accepted, but left out of the list of tools to save
                         tokens; rtfm describes it */
    bool takes_objects; /* LIST: of objects, which the operation reads itself */
    /* On the command line only: */
    char letter;             /* short option; 0: none */
    const char *flag;        /* long option without dashes; NULL: from name */
    const char *placeholder; /* of the value in help text; NULL: by type */
    const char *help;        /* description; NULL: text */
    const char *initial;     /* default, as written there; NULL: none */
    bool is_hidden;          /* accepted, but not in help and completion */
    bool is_three_way;       /* BOOL: --no-NAME is not the same as no flag */
};

/* True; does not compile if the condition is false. */
#define SQ_ARG_CHECK(condition) (sizeof(char[(condition) ? 1 : -1]) == 1)

#define SQ_ARG_HAS_TYPE(args, field, c_type)                                   \
    _Generic(((struct args *)0)->field, c_type : true, default : false)

/* The field of a row; does not compile if it has neither type. */
#define SQ_ARG_FIELD(args, field, optional_type, plain_type)                   \
    .offset = offsetof(struct args, field)                                     \
            + !SQ_ARG_CHECK(SQ_ARG_HAS_TYPE(args, field, optional_type)        \
                            || SQ_ARG_HAS_TYPE(args, field, plain_type)),      \
    .is_plain = SQ_ARG_HAS_TYPE(args, field, plain_type)

/*
 * The type and field of a row, for rows that need more than the macros below
 * have: { .name = "x", SQ_INT_FIELD(args, x, 1, 9), .required = true }.
 */
#define SQ_BOOL_FIELD(args, field)                                             \
    .type = SQ_ARG_BOOL, SQ_ARG_FIELD(args, field, struct sq_opt_bool, bool)
#define SQ_INT_FIELD(args, field, low, high)                                   \
    .type = SQ_ARG_INT, SQ_ARG_FIELD(args, field, struct sq_opt_int, int),     \
    .min = (low), .max = (high)
#define SQ_NUMBER_FIELD(args, field, low, high)                                \
    .type = SQ_ARG_NUMBER,                                                     \
    SQ_ARG_FIELD(args, field, struct sq_opt_double, double), .min = (low),     \
    .max = (high)
#define SQ_TEXT_FIELD(args, field, most)                                       \
    .type = SQ_ARG_TEXT,                                                       \
    SQ_ARG_FIELD(args, field, struct sq_opt_text, const char *),               \
    .max_bytes = (most)
#define SQ_CHOICE_FIELD(args, field)                                           \
    .type = SQ_ARG_CHOICE, SQ_ARG_FIELD(args, field, struct sq_opt_int, int)
#define SQ_LIST_FIELD(args, field, most)                                       \
    .type = SQ_ARG_LIST,                                                       \
    SQ_ARG_FIELD(args, field, struct sq_opt_texts, struct sq_strings),         \
    .max_bytes = (most)
#define SQ_OBJECT_FIELD(args, field, struct_type, table)                       \
    .type = SQ_ARG_OBJECT,                                                     \
    .offset = offsetof(struct args, field)                                     \
            + !SQ_ARG_CHECK(SQ_ARG_HAS_TYPE(args, field, struct struct_type)   \
                            && offsetof(struct struct_type, given) == 0),      \
    .members = (table)

/*
 * Rows of optional arguments. The last argument is the text; further fields of
 * the row may follow it: SQ_INT(args, n, "n", 1, 9, "", .initial = "5").
 */
#define SQ_BOOL(args, field, json, ...)                                        \
    { .name = (json), SQ_BOOL_FIELD(args, field), .text = __VA_ARGS__ }
#define SQ_INT(args, field, json, low, high, ...)                              \
    {                                                                          \
        .name = (json), SQ_INT_FIELD(args, field, low, high),                  \
        .text = __VA_ARGS__                                                    \
    }
#define SQ_NUMBER(args, field, json, low, high, ...)                           \
    {                                                                          \
        .name = (json), SQ_NUMBER_FIELD(args, field, low, high),               \
        .text = __VA_ARGS__                                                    \
    }
#define SQ_TEXT(args, field, json, most, ...)                                  \
    { .name = (json), SQ_TEXT_FIELD(args, field, most), .text = __VA_ARGS__ }
#define SQ_CHOICE(args, field, json, list, ...)                                \
    {                                                                          \
        .name = (json), SQ_CHOICE_FIELD(args, field), .choices = (list),       \
        .text = __VA_ARGS__                                                    \
    }
#define SQ_LIST(args, field, json, most, ...)                                  \
    { .name = (json), SQ_LIST_FIELD(args, field, most), .text = __VA_ARGS__ }
#define SQ_OBJECT(args, field, json, struct_type, table, ...)                  \
    {                                                                          \
        .name = (json), SQ_OBJECT_FIELD(args, field, struct_type, table),      \
        .text = __VA_ARGS__                                                    \
    }
#define SQ_ARGS_END                                                            \
    { .name = NULL }

/* The members of a struct sq_opt_region; all are required. */
extern const struct sq_arg sq_region_args[];

/* Returns the number of rows before the end marker; 0 for NULL. */
size_t sq_args_count(const struct sq_arg *table);

/* Returns the row of that name or alias, or NULL. The table may be NULL. */
const struct sq_arg *sq_args_find(const struct sq_arg *table,
                                  struct sq_span name);

/* Returns the choice at that index, or NULL after the last. */
const char *sq_arg_choice_at(const struct sq_arg *arg, size_t index);

/* Returns whether args holds a value for an argument that is not plain. */
bool sq_arg_is_given(const struct sq_arg *arg, const void *args);

/* Describes the accepted values: "a whole number from 1 to 100". */
#define SQ_ARG_EXPECTED_SIZE 400
void sq_arg_expected(const struct sq_arg *arg, char out[SQ_ARG_EXPECTED_SIZE]);

/* Quotes untrusted text for display: shortened, no control characters. */
#define SQ_ARG_QUOTED_SIZE 46
void sq_arg_quote(struct sq_span text, char out[SQ_ARG_QUOTED_SIZE]);

/*
 * Fails with SQ_ERR_ARGUMENT because a value is not accepted, and with a hint.
 * `name` is how the user calls the argument ("--quality"), `actual` what was
 * given. Returns false.
 */
bool sq_arg_fail(const struct sq_arg *arg, const char *name, const char *actual,
                 struct sq_err *err);

/* Where a text comes from. */
struct sq_arg_source {
    const char *name; /* of the argument, for errors */
    /* JSON: accepts also 5.0, capitals and spaces around; but not yes or 1. */
    bool is_json;
    /* Plain texts and lists are copied into it. NULL: texts are constants. */
    struct sq_arena *arena;
};

/*
 * Parses a text and stores the value in its field of args. An object is a list
 * of the values of all its members, "0,0,640,480", and a list is separated by
 * commas. Fails with SQ_ERR_ARGUMENT as sq_arg_fail does; the value is then
 * not given, but members of an object may be.
 */
bool sq_arg_parse(const struct sq_arg *arg, struct sq_span text,
                  const struct sq_arg_source *source, void *args,
                  struct sq_err *err);

/* Stores a plain list from separate items; needs an arena. */
bool sq_arg_store_list(const struct sq_arg *arg, const struct sq_span *items,
                       size_t count, const struct sq_arg_source *source,
                       void *args, struct sq_err *err);

/*
 * Fills args, which must be zeroed and have no plain texts and lists, from the
 * members of object (NULL: none). Members named in `common` (NULL: none) are
 * ignored, because the caller reads them; rows of `common` without a text do
 * not appear in hints. Fails with SQ_ERR_ARGUMENT and a hint for unknown
 * members, wrong types, values out of range and missing required members. Texts
 * point into the arena of the JSON.
 */
bool sq_args_decode(const struct sq_arg *table, const struct sq_json *object,
                    const struct sq_arg *common, void *args,
                    struct sq_err *err);

/* Writes the table as the members of a JSON schema's "properties". */
void sq_args_put_schema(const struct sq_arg *table, struct sq_json_writer *w);

/*
 * Returns whether the schema describes the members of an object. That of an
 * open object with a placeholder describes only its usual form, a text.
 */
bool sq_arg_has_members(const struct sq_arg *arg);

/*
 * Returns the argument's "type". Returns NULL for a choice, because its "enum"
 * already implies strings.
 */
const char *sq_arg_type_name(const struct sq_arg *arg);

/* Writes the argument's "description", if it has one. */
void sq_arg_put_text(const struct sq_arg *arg, struct sq_json_writer *w);

/* Writes the "enum" of a choice. */
void sq_arg_put_choices(const struct sq_arg *arg, struct sq_json_writer *w);

/* Writes the "items" of a list's schema: strings. */
void sq_arg_put_items(const struct sq_arg *arg, struct sq_json_writer *w);

/*
 * Returns the placeholder of the argument's value: "N"; NULL if it takes none.
 */
const char *sq_arg_placeholder(const struct sq_arg *arg);

/*
 * Appends one option, such as "--quality N", and its description: in the column
 * of all descriptions, wrapped at 80 columns. The description begins on the
 * next line if the option is too wide for its column.
 */
bool sq_usage_put(const char *option, const char *text, struct sq_buf *out,
                  struct sq_err *err);

/*
 * Appends what a person must know about a value: the description, and in
 * parentheses the choices or the range, and the default, "default none" or
 * "required". A description with "none: ", "unset: " or "default: " says itself
 * what happens without the option. `choice_at` (NULL: the argument's) returns
 * the choices, and `initial` is the default (NULL: none).
 */
struct sq_usage {
    const struct sq_arg *arg;
    const char *(*choice_at)(const void *context, size_t index);
    const void *context; /* for choice_at */
    const char *initial;
};
bool sq_usage_describe(const struct sq_usage *usage, struct sq_buf *out,
                       struct sq_err *err);

/* Appends the range of a number: "1 to 100"; nothing for other types. */
bool sq_usage_range(const struct sq_arg *arg, struct sq_buf *out,
                    struct sq_err *err);

/* Returns whether the option is true unless --no-NAME is given. */
bool sq_usage_is_on(const struct sq_arg *arg, const char *initial);

#endif
