/* Parses the command line of a command by its argument table. */
#ifndef SQ_APP_OPTIONS_H
#define SQ_APP_OPTIONS_H

#include "app/flags.h"

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
 * words. Options of the configuration have been removed before, but an unknown
 * option may be similar to one of those that the command takes.
 */
bool sq_options_parse(const struct sq_accepted *accepted, int argc,
                      char *const *argv, void *args, struct sq_words *words,
                      struct sq_err *err);

#endif
