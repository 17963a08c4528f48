/* From the words of a command line to an operation's arguments, as JSON. */
#ifndef SQ_APP_FLAGS_H
#define SQ_APP_FLAGS_H

#include "tool/tool.h"

/*
 * Write the JSON object that words stand for: "--max-dimension 500",
 * "--max-dimension=500", "maxDimension=500", "--raw", "--no-elements", and for
 * members of an object "--selector.text Login". Types come from the table;
 * whether values are in range is for sq_args_decode to say.
 */
bool sq_flags_to_json(const struct sq_arg *table, int argc, char *const *argv,
                      struct sq_buf *out, struct sq_err *err);

/*
 * How many words the first one is, with the value that belongs to it; 0 if it
 * is none of the table.
 */
int sq_flags_count_words(const struct sq_arg *table, int argc,
                         char *const *argv);

/* The flag of an argument: "maxDimension" is "max-dimension". */
void sq_flag_name(const char *name, char *out, size_t size);

/* Append the table as help text. */
bool sq_flags_help(const struct sq_arg *table, const char *prefix,
                   struct sq_buf *out, struct sq_err *err);

#endif
