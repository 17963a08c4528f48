/* Writes argument tables as JSON schema. */
#ifndef SQ_ARGS_SCHEMA_H
#define SQ_ARGS_SCHEMA_H

#include "args/arg.h"
#include "json/writer.h"

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
void sq_arg_put_items(const struct sq_arg *arg, struct sq_json_writer *w);

#endif
