/* From a JSON object to an operation's args struct, by its table. */
#ifndef SQ_TOOL_ARGS_H
#define SQ_TOOL_ARGS_H

#include "tool/tool.h"

/*
 * Fill args, which is zeroed, from the members of object (NULL: none). Members
 * named in `common` (NULL: none) are left alone, as they belong to the caller;
 * rows without a text are not even mentioned in hints. Unknown members,
 * wrong types, values out of range and missing required ones are
 * SQ_ERR_ARGUMENT, with what would be right as the hint. Text points into the
 * JSON's arena.
 */
bool sq_args_decode(const struct sq_arg *table, const struct sq_json *object,
                    const struct sq_arg *common, void *args,
                    struct sq_err *err);

/* Write the table as the members of a JSON schema's "properties". */
void sq_args_put_schema(const struct sq_arg *table, struct sq_json_writer *w);

/* One argument as a schema. */
void sq_arg_put_schema(const struct sq_arg *arg, struct sq_json_writer *w);

/* Its "type"; NULL for a choice: words alone say that they are strings. */
const char *sq_arg_type_name(const struct sq_arg *arg);

/* Its "description", if it has one. */
void sq_arg_put_text(const struct sq_arg *arg, struct sq_json_writer *w);

/* The "enum" of a choice. */
void sq_arg_put_choices(const struct sq_arg *arg, struct sq_json_writer *w);

/* The "items" of a list's schema: texts. */
void sq_arg_put_items(struct sq_json_writer *w);

/* How many rows before the end; 0 for NULL. */
size_t sq_args_count(const struct sq_arg *table);

#endif
