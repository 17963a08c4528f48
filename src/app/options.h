/* Parses the command line of a command by its argument table. */
#ifndef SQ_APP_OPTIONS_H
#define SQ_APP_OPTIONS_H

#include "args/arg.h"

#define SQ_MAX_WORDS 4

/* The positional arguments of a command line. */
struct sq_words {
    const char *word[SQ_MAX_WORDS];
    int count;
};

/*
 * Parses argv into options, stored in args, and positional words: "--name
 * value", "--name=value", "-n value", "-nvalue". Texts point into argv. "--"
 * ends the options; "-" is a word. Fails if there are more than SQ_MAX_WORDS
 * words. For commands that take the options of the configuration, too: an
 * unknown option may be similar to one of those.
 */
bool sq_options_parse(const struct sq_arg *table, int argc, char *const *argv,
                      void *args, struct sq_words *words, struct sq_err *err);

/* The same for commands that take only the options of their table. */
bool sq_options_parse_own(const struct sq_arg *table, int argc,
                          char *const *argv, void *args, struct sq_words *words,
                          struct sq_err *err);

#endif
