/*
 * Decodes a JSON object into an operation's args struct, using its argument
 * table, and writes the table as JSON schema.
 */
#ifndef SQ_TOOL_ARGS_H
#define SQ_TOOL_ARGS_H

#include "tool/tool.h"

/*
 * Fills args, which must be zeroed, from the members of object (NULL: none).
 * Members named in `common` (NULL: none) are ignored, because the caller reads
 * them; rows of `common` without a text do not appear in hints. Fails with
 * SQ_ERR_ARGUMENT and a hint for unknown members, wrong types, values out of
 * range and missing required members. Texts point into the arena of the JSON.
 */
bool sq_args_decode(const struct sq_arg *table, const struct sq_json *object,
                    const struct sq_arg *common, void *args,
                    struct sq_err *err);

/* Writes the table as the members of a JSON schema's "properties". */
void sq_args_put_schema(const struct sq_arg *table, struct sq_json_writer *w);

/* Writes the schema of one argument. */
void sq_arg_put_schema(const struct sq_arg *arg, struct sq_json_writer *w);

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
void sq_arg_put_items(struct sq_json_writer *w);

/* Returns the number of rows before the end marker; 0 for NULL. */
size_t sq_args_count(const struct sq_arg *table);

#endif
