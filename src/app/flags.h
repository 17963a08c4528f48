/* Converts command-line arguments to an operation's JSON arguments. */
#ifndef SQ_APP_FLAGS_H
#define SQ_APP_FLAGS_H

#include "tool/tool.h"

/*
 * Writes the arguments as a JSON object. Accepts "--max-dimension 500",
 * "--max-dimension=500", "maxDimension=500", "--raw", "--no-elements", and for
 * members of an object "--selector.text Login". Types are from the table.
 * Ranges are not checked here but by sq_args_decode.
 */
bool sq_flags_to_json(const struct sq_arg *table, int argc, char *const *argv,
                      struct sq_buf *out, struct sq_err *err);

/*
 * Returns how many words the first flag and its value take, or 0 if the first
 * word is not a flag of the table.
 */
int sq_flags_count_words(const struct sq_arg *table, int argc,
                         char *const *argv);

/*
 * Converts an argument's name to its flag: "maxDimension" to "max-dimension".
 */
void sq_flag_name(const char *name, char *out, size_t size);

/* Appends the table as help text. */
bool sq_flags_help(const struct sq_arg *table, const char *prefix,
                   struct sq_buf *out, struct sq_err *err);

#endif
