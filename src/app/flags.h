/*
 * Converts the command line of an operation to its JSON arguments: its options
 * in one table, and the arguments that it takes by position.
 */
#ifndef SQ_APP_FLAGS_H
#define SQ_APP_FLAGS_H

#include "tool/tool.h"

#define SQ_FLAG_SIZE 64
#define SQ_FLAG_FULL_SIZE (2 * SQ_FLAG_SIZE + 4) /* "--group.name" */
#define SQ_MAX_FLAGS 64
#define SQ_MAX_FLAG_WORDS 8

/* The options that a command takes. */
struct sq_accepted {
    const struct sq_arg *table; /* its own; may be NULL */
    unsigned uses;  /* those of the configuration: enum sq_config_use */
    unsigned flags; /* of the operation that a person named: SQ_TOOL_BY_... */
};

/* One value of a command line. It points into argv. */
struct sq_flag {
    const struct sq_arg *group; /* the object that contains it, or NULL */
    const struct sq_arg *arg;
    const char *value; /* NULL: a flag without value */
    bool is_negated;   /* --no-name */
    bool is_word;      /* given by its position, not by name */
    bool is_needed;    /* a word that cannot be left out */
};

/* The flags and the other words of one command line, in order. */
struct sq_flags {
    struct sq_flag items[SQ_MAX_FLAGS];
    int count;
    const char *words[SQ_MAX_FLAG_WORDS];
    int word_count;
};

/*
 * Parses argv. Accepts "--max-dimension 500", "--max-dimension=500",
 * "maxDimension=500", "--raw", "--no-elements", "-o FILE", and for members of
 * an object "--selector.text Login" and, if it is open, "--text-contains Log".
 * Any other argument is a word, as is everything after "--".
 * Types and ranges are not checked here. Fails if an argument is given twice.
 */
bool sq_flags_parse(const struct sq_accepted *accepted, int argc,
                    char *const *argv, struct sq_flags *out,
                    struct sq_err *err);

/*
 * Reads a word that is an option: "--name", "--no-name", "--name=value", "-n"
 * or "-nvalue". Its value may be the next word.
 */
bool sq_flag_read(const struct sq_accepted *accepted, const char *word,
                  struct sq_flag *out, struct sq_err *err);

/* Finds an argument by its name or flag, such as "max-dimension". */
bool sq_flag_find(const struct sq_arg *table, struct sq_span name,
                  struct sq_flag *out);

/* Returns the value as text: "true" or "false" for a flag without one. */
const char *sq_flag_text(const struct sq_flag *flag);

/* Returns the last flag that sets the argument of that name, or NULL. */
const struct sq_flag *sq_flags_find(const struct sq_flags *flags,
                                    const char *name);

/* Adds a flag. Fails if its argument has a value or there are too many. */
bool sq_flags_add(struct sq_flags *flags, const struct sq_flag *flag,
                  struct sq_err *err);

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

/* Writes the argument's flag without dashes. */
void sq_flag_of(const struct sq_arg *arg, char *out, size_t size);

/* Writes "--name", or "--group.name" if group is not NULL. */
void sq_flag_full_name(const struct sq_arg *group, const struct sq_arg *arg,
                       char out[SQ_FLAG_FULL_SIZE]);

/*
 * Fails because the word is none of the accepted options, and names the most
 * similar one.
 */
bool sq_flag_fail_unknown(const struct sq_accepted *accepted, const char *word,
                          struct sq_err *err);

/* Returns whether a table (struct sq_arg) has the flag, without dashes. */
bool sq_flags_has(const void *table, const char *flag);

/* Appends the table as help text. */
bool sq_flags_help(const struct sq_arg *table, struct sq_buf *out,
                   struct sq_err *err);

#define SQ_MAX_OPERATION_ARGS 64

/* All options of an operation. Points to constant tables. */
struct sq_operation_args {
    const struct sq_tool *tool;
    struct sq_arg table[SQ_MAX_OPERATION_ARGS]; /* the last has no name */
};

/*
 * Joins the tables of the operation, of all operations on devices, of --region
 * and of the output.
 */
bool sq_operation_args_init(struct sq_operation_args *args,
                            const struct sq_tool *tool, struct sq_err *err);

/*
 * Parses argv: stores the words as values of the arguments that they stand for,
 * replaces --region by the four arguments that it sets, and checks types,
 * ranges and that nothing required is missing. Errors name options as they are
 * written on the command line. Values point into argv or the arena.
 */
bool sq_operation_args_parse(const struct sq_operation_args *args, int argc,
                             char *const *argv, struct sq_arena *arena,
                             struct sq_flags *out, struct sq_err *err);

/* Appends what follows the verb in the usage line: "X Y | TEXT [options]". */
bool sq_operation_args_usage(const struct sq_operation_args *args,
                             struct sq_buf *out, struct sq_err *err);

/*
 * Copies the argument that the word at a place sets; without a name: none.
 * Returns false after the last alternative of the usage.
 */
bool sq_operation_args_at(const struct sq_operation_args *args, int form,
                          int place, struct sq_arg *out);

#endif
