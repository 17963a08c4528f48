/*
 * Command-line options, declared once: parsing, range checks and the help
 * text all come from the same table.
 */
#ifndef SQ_APP_OPTIONS_H
#define SQ_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "image/rows.h"
#include "util/buf.h"
#include "util/err.h"

enum sq_option_type {
    SQ_OPTION_FLAG,
    SQ_OPTION_INT,
    SQ_OPTION_TEXT,
    SQ_OPTION_CHOICE, /* an int: the index into choices */
    SQ_OPTION_REGION,
};

/* What each type is stored as. */
struct sq_option_region {
    bool given;
    struct sq_region region;
};

struct sq_option {
    const char *name; /* without dashes; NULL ends a table */
    char letter;      /* the short form; 0: none */
    enum sq_option_type type;
    size_t offset;              /* into the command's arguments */
    int min, max;               /* of an INT */
    const char *const *choices; /* of a CHOICE, NULL-terminated */
    const char *value;          /* what to call the value in the help text */
    const char *text;           /* the help text */
};

/* The offset of a field that must have the given type: others do not compile.
 */
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

/* The words of a command line that are not options. */
struct sq_words {
    const char *word[SQ_MAX_WORDS];
    int count;
};

/*
 * Sort argv into options, stored into args, and words. "--" ends the options;
 * "-" is a word. Words beyond SQ_MAX_WORDS are refused.
 */
bool sq_options_parse(const struct sq_option *options, int argc,
                      char *const *argv, void *args, struct sq_words *words,
                      struct sq_err *err);

/* Append the table as help text. */
bool sq_options_help(const struct sq_option *options, struct sq_buf *out,
                     struct sq_err *err);

#endif
