/*
 * What is written about commands and operations: help texts, the man page and
 * shell completions. All come from one list of verbs with their flags.
 */
#ifndef SQ_APP_DOCS_DOCS_H
#define SQ_APP_DOCS_DOCS_H

#include "app/commands/command.h"

/* A command or an operation; one of command and tool is NULL. */
struct sq_verb {
    const char *name;
    const char *text; /* one-line description */
    const struct sq_command *command;
    const struct sq_tool *tool;
    unsigned uses; /* options of the configuration that it takes: enum
                      sq_config_use; 0: none, nor --config */
};

/* texts.txt, which is compiled into the program. */
extern const char sq_docs_texts[];
extern const size_t sq_docs_texts_size;

/* Appends a section of it; false without *err if there is none. */
bool sq_docs_append(const char *section, struct sq_buf *out,
                    struct sq_err *err);

/* Returns what --help says of a command before its options. */
struct sq_span sq_docs_help(const struct sq_command *command);

/* Sets the list of all commands, which ends with NULL, before all else. */
void sq_verbs_set_commands(const struct sq_command *const *list);

/* Returns the verb at that index, commands first; false after the last. */
bool sq_verb_at(size_t index, struct sq_verb *out);

/* Finds a verb by its name, or that of its operation in the protocol. */
bool sq_verb_find(const char *name, struct sq_verb *out);

/* Returns the possible first arguments of a verb; NULL after the last. */
const char *sq_verb_word_at(const struct sq_verb *verb, size_t index);

#define SQ_VERB_FLAG_SIZE 80

struct sq_verb_flag {
    char name[SQ_VERB_FLAG_SIZE]; /* without dashes */
    char letter;                  /* short option; 0: none */
    const char *value;            /* placeholder of its value; NULL: none */
    bool is_path;                 /* the value is a file or folder */
    bool is_on;                   /* a switch that is on by default */
    bool has_no;                  /* --no-NAME is useful, too */
    const char *text;             /* never empty */
    const char *initial;          /* default; NULL: none */
    const struct sq_arg *arg;     /* its argument, or NULL */
    const struct sq_config_option *option; /* its option, or NULL */
};

/*
 * Returns the value that the flag accepts at that index; NULL after the last.
 */
const char *sq_verb_choice_at(const struct sq_verb_flag *flag, size_t index);

/*
 * Describes what the word at a place after the verb is, in one of the
 * alternatives of its usage. *arg has a copy of what out->arg points to.
 * Returns false after the last.
 */
bool sq_verb_place(const struct sq_verb *verb, int form, int place,
                   struct sq_arg *arg, struct sq_verb_flag *out);

/* Called for each flag. Returning false stops. */
typedef bool sq_verb_visit(void *context, const struct sq_verb_flag *flag,
                           struct sq_err *err);

/* Visits the flags of a verb, without those of the configuration. */
bool sq_verb_flags(const struct sq_verb *verb, sq_verb_visit *visit,
                   void *context, struct sq_err *err);

/*
 * Visits the flags of the configuration that the verb takes; NULL: all of them.
 */
bool sq_verb_config_flags(const struct sq_verb *verb, sq_verb_visit *visit,
                          void *context, struct sq_err *err);

/*
 * Returns whether the verb takes that option of the configuration, and has no
 * flag of the same name itself.
 */
bool sq_verb_takes(const struct sq_verb *verb,
                   const struct sq_config_option *option);

/* Appends the general help: the most used commands, or all. */
bool sq_help_program(bool all, struct sq_buf *out, struct sq_err *err);

/* Appends the help of one command, without or with the configuration. */
bool sq_help_command(const struct sq_command *command, bool all,
                     struct sq_buf *out, struct sq_err *err);

/* Appends the options of the configuration, or how to see them. */
bool sq_help_configuration(const char *name, const struct sq_accepted *accepted,
                           bool all, struct sq_buf *out, struct sq_err *err);

/* Appends what an operation does, in the words of a person. */
bool sq_operation_about(const struct sq_tool *tool, struct sq_buf *out,
                        struct sq_err *err);

/* Appends the help text of an operation; see sq_help_command. */
bool sq_operation_help(const struct sq_tool *tool, bool all, struct sq_buf *out,
                       struct sq_err *err);

/*
 * Appends the help of the command or operation of that name. Fails like
 * sq_help_fail_unknown if there is none.
 */
bool sq_help_verb(const char *name, struct sq_buf *out, struct sq_err *err);

/*
 * Fails with SQ_ERR_ARGUMENT because no command has that name, and says which
 * one may be meant.
 */
bool sq_help_fail_unknown(const char *name, struct sq_err *err);

#endif
