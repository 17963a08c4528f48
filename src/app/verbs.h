/*
 * Everything that can be typed behind "squint", in one form: the tables of
 * the commands, the operations and the configuration, as the completions and
 * the man page want them.
 */
#ifndef SQ_APP_VERBS_H
#define SQ_APP_VERBS_H

#include "app/command.h"
#include "config/option.h"
#include "tool/tool.h"

/* A command or an operation: the other one is NULL. */
struct sq_verb {
    const char *name;
    const char *text; /* one line */
    const struct sq_command *command;
    const struct sq_tool *tool;
    bool takes_config; /* also the flags of the configuration */
};

/* The verbs in their order, commands first; false behind the last. */
bool sq_verb_at(size_t index, struct sq_verb *out);

/* What the first word of a verb may be; NULL behind the last. */
const char *sq_verb_word_at(const struct sq_verb *verb, size_t index);

#define SQ_VERB_FLAG_SIZE 80

struct sq_verb_flag {
    char name[SQ_VERB_FLAG_SIZE]; /* without dashes */
    char letter;                  /* the short form; 0: none */
    const char *value;          /* what to call its value; NULL: it has none */
    bool is_path;               /* its value is a file or a folder */
    const char *text;           /* may be empty */
    const char *const *choices; /* NULL-terminated, or NULL */
    const struct sq_config_option *option; /* of the configuration, or NULL */
};

/* One of the values that the flag takes; NULL behind the last. */
const char *sq_verb_choice_at(const struct sq_verb_flag *flag, size_t index);

/* Is given one flag after the other; false ends it. */
typedef bool sq_verb_visit(void *context, const struct sq_verb_flag *flag,
                           struct sq_err *err);

/* The flags of a verb itself, without those of the configuration. */
bool sq_verb_flags(const struct sq_verb *verb, sq_verb_visit *visit,
                   void *context, struct sq_err *err);

/* The flags of the configuration. */
bool sq_verb_config_flags(sq_verb_visit *visit, void *context,
                          struct sq_err *err);

#endif
