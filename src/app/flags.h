/* Converts the command line of an operation to its JSON arguments. */
#ifndef SQ_APP_FLAGS_H
#define SQ_APP_FLAGS_H

#include "args/arg.h"
#include "util/buf.h"

#define SQ_FLAG_SIZE 64
#define SQ_MAX_FLAGS 64

/* The flags of one command line, in order. Values point into argv. */
struct sq_flags {
    struct sq_flag {
        const struct sq_arg *group; /* the object that contains it, or NULL */
        const struct sq_arg *arg;
        const char *value; /* NULL: a flag without value */
        bool is_negated;   /* --no-name */
    } items[SQ_MAX_FLAGS];
    int count;
};

/*
 * Parses argv. Accepts "--max-dimension 500", "--max-dimension=500",
 * "maxDimension=500", "--raw", "--no-elements", "-o FILE", and for members of
 * an object "--selector.text Login". Types and ranges are not checked here.
 */
bool sq_flags_parse(const struct sq_arg *table, int argc, char *const *argv,
                    struct sq_flags *out, struct sq_err *err);

/* Returns the last flag that sets the argument of that name, or NULL. */
const struct sq_flag *sq_flags_find(const struct sq_flags *flags,
                                    const char *name);

/* Adds a value for an argument. Fails if there are too many. */
bool sq_flags_add(struct sq_flags *flags, const struct sq_arg *arg,
                  const char *value, struct sq_err *err);

/*
 * Stores the flags of this table in args and removes them from the list. Texts
 * point into argv.
 */
bool sq_flags_take(struct sq_flags *flags, const struct sq_arg *table,
                   void *args, struct sq_err *err);

/*
 * Writes the flags as a JSON object. Types are from the table; ranges are
 * checked by sq_args_decode.
 */
bool sq_flags_write(const struct sq_flags *flags, const struct sq_arg *table,
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

/* Returns the argument with that short option, or NULL. */
const struct sq_arg *sq_flag_by_letter(const struct sq_arg *table, char letter);

/* Appends the table as help text. */
bool sq_flags_help(const struct sq_arg *table, struct sq_buf *out,
                   struct sq_err *err);

#endif
