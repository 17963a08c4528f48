/*
 * Whether a JSON value is what a schema says: as much of JSON Schema as the
 * schemas of the Model Context Protocol use. Stricter in one way: members
 * that a list of properties does not name are refused, because an old client
 * does not know them.
 */
#ifndef SQ_TEST_JSON_SCHEMA_H
#define SQ_TEST_JSON_SCHEMA_H

#include <stdbool.h>

#include "json/value.h"

struct t_schema;

/* Read a schema file; NULL (and a failed check) if it cannot be. */
struct t_schema *t_schema_load(const char *path);
void t_schema_free(struct t_schema *schema);

/* Whether it defines that name. */
bool t_schema_defines(const struct t_schema *schema, const char *name);

/*
 * NULL if the value is what the definition says; else where and why not.
 * Valid until the next call.
 */
const char *t_schema_check(const struct t_schema *schema, const char *name,
                           const struct sq_json *value);

/* The same for a schema that is a text of its own. */
const char *t_schema_check_text(struct sq_span schema,
                                const struct sq_json *value);

#endif
