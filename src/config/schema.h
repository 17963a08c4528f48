/* Writes the option table as a JSON schema of the configuration file. */
#ifndef SQ_CONFIG_SCHEMA_H
#define SQ_CONFIG_SCHEMA_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"

/* Appends the schema, indented and with a newline at its end. */
bool sq_config_schema(struct sq_buf *out, struct sq_err *err);

#endif
