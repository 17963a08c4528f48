/*
 * The interface of a subcommand. Each is one file with one const object and one
 * row in app.c.
 */
#ifndef SQ_APP_COMMANDS_COMMAND_H
#define SQ_APP_COMMANDS_COMMAND_H

#include "app/setup.h"
#include "image/image.h"
#include "tool/people.h"

/*
 * Exit statuses, as in diff(1): 1 is a negative answer or a failed attempt,
 * also one that would replace a file (SQ_ERR_EXISTS).
 */
enum sq_status {
    SQ_STATUS_OK = 0,            /* found, or done */
    SQ_STATUS_FAILED = 1,        /* not found, or not done; diff: they differ */
    SQ_STATUS_USAGE = 2,         /* invalid command line; for diff: any error */
    SQ_STATUS_INTERRUPTED = 130, /* Ctrl-C, as shells report it */
};

#define SQ_MAX_WORDS 1000 /* scale *.png */

/* The positional arguments of a command line. */
struct sq_words {
    const char *word[SQ_MAX_WORDS];
    int count;
};

/* What a command gets, and where its answer goes. */
struct sq_run {
    const struct sq_command *command;
    const struct sq_words *words;
    const void *args;         /* by its table of options */
    struct sq_setup *setup;   /* NULL unless the command needs one */
    struct sq_buf *out;       /* printed only if it succeeds */
    struct sq_page *page;     /* the same, with colours */
    struct sq_json_writer *w; /* of a command with `show` or `people` */
    enum sq_status *status;   /* SQ_STATUS_OK unless it is set */
};

struct sq_command {
    const char *name;
    const char *heading; /* in the list of commands, before this one; or NULL */
    const char *usage;   /* the arguments after the name */
    const char *summary; /* one-line description */
    const struct sq_arg *options; /* NULL: none */
    unsigned uses; /* which options of the configuration it takes: enum
                      sq_config_use; 0: none, nor --config */
    int min_words;
    int max_words;
    bool has_trouble_status; /* errors that are not of usage have status 2, too
                              */
    bool prints_page; /* its output is escaped already, and may have colours */
    bool is_verbatim; /* its output is for programs, or has its own layout */
    bool is_server;   /* runs for long: large blocks return to the system */
    /* Returns the words it can begin with; NULL after the last. May be NULL. */
    const char *(*word_at)(size_t index);
    /* With `uses`, it gets a host and the configuration. */
    bool (*run)(const struct sq_run *run, struct sq_err *err);
    /*
     * Shows the answer, which run wrote as JSON, to a person. With --json it is
     * printed as it is. NULL: run prints it.
     */
    bool (*show)(struct sq_people *people, const struct sq_run *run,
                 struct sq_err *err);
    const char *people; /* or a template to show it by: page/page.h */
    /* Used instead of run by commands that parse argv themselves. */
    bool (*run_words)(int argc, char **argv, struct sq_buf *out,
                      enum sq_status *status, struct sq_err *err);
};

/* Returns which options a command takes. */
static inline struct sq_accepted
sq_command_accepted(const struct sq_command *command) {
    return (struct sq_accepted){ command->options, command->uses, 0 };
}

extern const struct sq_command sq_command_mcp;
extern const struct sq_command sq_command_serve;
extern const struct sq_command sq_command_inspect;
extern const struct sq_command sq_command_approve;
extern const struct sq_command sq_command_demo;
extern const struct sq_command sq_command_doctor;
extern const struct sq_command sq_command_connect;
extern const struct sq_command sq_command_pair;
extern const struct sq_command sq_command_browser;
extern const struct sq_command sq_command_browser_keeper;
extern const struct sq_command sq_command_scale;
extern const struct sq_command sq_command_diff;
extern const struct sq_command sq_command_tokens;
extern const struct sq_command sq_command_ocr;
extern const struct sq_command sq_command_find_text;
extern const struct sq_command sq_command_find_image;
extern const struct sq_command sq_command_ocr_worker;
extern const struct sq_command sq_command_decode_worker;
extern const struct sq_command sq_command_secret_worker;
extern const struct sq_command sq_command_demo_screencap;
extern const struct sq_command sq_command_install;
extern const struct sq_command sq_command_archive;
extern const struct sq_command sq_command_record;
extern const struct sq_command sq_command_replay;
extern const struct sq_command sq_command_watch;
extern const struct sq_command sq_command_completion;
extern const struct sq_command sq_command_man;
extern const struct sq_command sq_command_config;
extern const struct sq_command sq_command_policy;
extern const struct sq_command sq_command_audit;
extern const struct sq_command sq_command_help;
extern const struct sq_command sq_command_rtfm;
extern const struct sq_command sq_command_version;

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

/*
 * Parses argv by the table of a command. Fails if there are fewer or more words
 * than it takes; the error names the missing one as its usage does, or the
 * first one too many.
 */
bool sq_command_parse(const struct sq_command *command, int argc,
                      char *const *argv, void *args, struct sq_words *words,
                      struct sq_err *err);

/*
 * Appends what was written: as a line of JSON, or by a template of its members
 * (page/page.h).
 */
bool sq_command_answer(struct sq_json_writer *w, bool json,
                       const char *template, struct sq_page *page,
                       struct sq_err *err);

/* Does the same with an object, which it ends. */
bool sq_command_end_answer(struct sq_json_writer *w, bool json,
                           const char *template, struct sq_page *page,
                           struct sq_err *err);

/* Reads a picture file. Error messages contain the path. */
bool sq_command_read(const char *path, struct sq_buf *out, struct sq_err *err);

/*
 * Decodes a picture file at its full size. *has_alpha (may be NULL): whether
 * the fourth byte of its pixels is their alpha. Free with sq_image_finish.
 */
bool sq_command_read_image(const char *path, struct sq_image *out,
                           bool *has_alpha, struct sq_err *err);

/* Fails because a word is one too many. The hint is the usage. */
bool sq_command_fail_word(const struct sq_command *command, const char *word,
                          struct sq_err *err);

/*
 * Fails because there is no client, shell, ... of that name: names the most
 * similar one, and all. word_at is as in struct sq_command.
 */
bool sq_command_fail_choice(const char *what, const char *word,
                            const char *(*word_at)(size_t index),
                            struct sq_err *err);

/* Adds the path to an error that is already set. Returns false. */
bool sq_command_fail_in(const char *path, struct sq_err *err);

#endif
