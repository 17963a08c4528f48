/*
 * Command-line options. One table per command defines parsing, range checks and
 * help text.
 */
#ifndef SQ_APP_OPTIONS_H
#define SQ_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "image/pipeline/rows.h"
#include "util/buf.h"
#include "util/err.h"

enum sq_option_type {
    SQ_OPTION_FLAG,
    SQ_OPTION_INT,
    SQ_OPTION_TEXT,
    SQ_OPTION_CHOICE, /* an int: index into choices */
    SQ_OPTION_REGION,
};

/* The value of a REGION. */
struct sq_option_region {
    bool given;
    struct sq_region region;
};

struct sq_option {
    const char *name; /* without dashes; NULL ends a table */
    char letter;      /* short option; 0: none */
    enum sq_option_type type;
    size_t offset;              /* into the command's args struct */
    int min, max;               /* for INT */
    const char *const *choices; /* for CHOICE, NULL-terminated */
    const char *value;          /* placeholder of the value in the help text */
    const char *text;           /* the help text */
};

/* The offset of a field. Does not compile if the field has another type. */
#define SQ_OPTION_FIELD(args, field, type)                                     \
    (offsetof(struct args, field)                                              \
     + 0                                                                       \
           * sizeof(char[_Generic(((struct args *)0)->field, type : 1, default \
                                  : -1)]))

#define SQ_OPT_FLAG(args, field, long_name, help)                              \
    {                                                                          \
        .name = (long_name), .type = SQ_OPTION_FLAG,                           \
        .offset = SQ_OPTION_FIELD(args, field, bool), .text = (help)           \
    }
#define SQ_OPT_INT(args, field, long_name, low, high, help)                    \
    {                                                                          \
        .name = (long_name), .type = SQ_OPTION_INT,                            \
        .offset = SQ_OPTION_FIELD(args, field, int), .min = (low),             \
        .max = (high), .value = "N", .text = (help)                            \
    }
#define SQ_OPT_TEXT(args, field, long_name, short_name, what, help)            \
    {                                                                          \
        .name = (long_name), .letter = (short_name), .type = SQ_OPTION_TEXT,   \
        .offset = SQ_OPTION_FIELD(args, field, const char *), .value = (what), \
        .text = (help)                                                         \
    }
#define SQ_OPT_CHOICE(args, field, long_name, words, what, help)               \
    {                                                                          \
        .name = (long_name), .type = SQ_OPTION_CHOICE,                         \
        .offset = SQ_OPTION_FIELD(args, field, int), .choices = (words),       \
        .value = (what), .text = (help)                                        \
    }
#define SQ_OPT_REGION(args, field, long_name, help)                            \
    {                                                                          \
        .name = (long_name), .type = SQ_OPTION_REGION,                         \
        .offset = SQ_OPTION_FIELD(args, field, struct sq_option_region),       \
        .value = "X,Y,W,H", .text = (help)                                     \
    }
#define SQ_OPTIONS_END                                                         \
    { .name = NULL }

#define SQ_MAX_WORDS 4

/* The positional arguments of a command line. */
struct sq_words {
    const char *word[SQ_MAX_WORDS];
    int count;
};

/*
 * Parses argv into options, stored in args, and positional words. "--" ends the
 * options; "-" is a word. Fails if there are more than SQ_MAX_WORDS words.
 */
bool sq_options_parse(const struct sq_option *options, int argc,
                      char *const *argv, void *args, struct sq_words *words,
                      struct sq_err *err);

/* Appends the table as help text. */
bool sq_options_help(const struct sq_option *options, struct sq_buf *out,
                     struct sq_err *err);

#endif
