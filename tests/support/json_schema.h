/*
 * Validates JSON values with the part of JSON Schema that the schemas of the
 * Model Context Protocol use. Stricter in one way: members that are not in a
 * list of properties are refused, because an old client does not know them.
 */
#ifndef SQ_TEST_JSON_SCHEMA_H
#define SQ_TEST_JSON_SCHEMA_H

#include <stdbool.h>

#include "json/reader.h"

struct t_schema;

/* Read a schema file; NULL and a failed check if that fails. */
struct t_schema *t_schema_load(const char *path);
void t_schema_free(struct t_schema *schema);

/* Whether the schema defines that name. */
bool t_schema_defines(const struct t_schema *schema, const char *name);

/*
 * Returns NULL if the value matches the definition, otherwise where and why
 * not. Valid until the next call.
 */
const char *t_schema_check(const struct t_schema *schema, const char *name,
                           const struct sq_json *value);

/* The same for a schema given as text. */
const char *t_schema_check_text(struct sq_span schema,
                                const struct sq_json *value);

#endif
