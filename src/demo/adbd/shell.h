/*
 * The phone's shell: words with three kinds of quotes and $NAME, redirections,
 * pipes and lists. A command is read when its turn has come, and then run.
 */
#ifndef SQ_DEMO_ADBD_SHELL_H
#define SQ_DEMO_ADBD_SHELL_H

#include "demo/adbd/phone.h"

/* What follows a command. */
enum sq_sh_end {
    SQ_SH_NEXT, /* ; or a new line */
    SQ_SH_BACKGROUND,
    SQ_SH_AND,
    SQ_SH_OR,
    SQ_SH_PIPE,
    SQ_SH_END, /* of the script */
};

/* Where a stream of a command goes to or comes from. */
struct sq_sh_target {
    int fd;                       /* a stream of the shell, if path is empty */
    char path[SQ_ADBD_PATH_SIZE]; /* of a file */
    bool appends;
};

struct sq_sh_command {
    struct sq_buf text; /* the words, each ended by NUL */
    int words;
    int assignments; /* that many of the first words are NAME=VALUE */
    struct sq_sh_target to[3];
    enum sq_sh_end end;
};

/* Receives output. fd is 1 or 2. */
struct sq_adbd_sink {
    bool (*write)(void *context, int fd, struct sq_span bytes,
                  struct sq_err *err);
    void *context;
    bool merges; /* both go to one stream, so order matters */
};

/* Made by sq_adbd_shell_init. */
struct sq_adbd_shell {
    struct sq_adbd_phone *phone;
    struct sq_span input; /* stdin of the script; the caller may set it */
    int status;           /* of the last command */
    /* Started so far, the shell included; what is part of it does not count. */
    int programs;
    bool is_done;    /* the script has ended */
    bool exited;     /* by "exit" */
    bool is_control; /* it has set faults, which then do not apply to it */

    struct sq_buf script;
    struct sq_span rest; /* of the script */
    struct sq_adbd_store variables;
    char number[16]; /* value of $? */
    struct sq_sh_command command;
    struct sq_buf pointers;  /* memory of argv */
    const char *const *argv; /* of the command; NULL: not read yet */
    int argc;
    bool skips;   /* the pipe that this command is part of does not run */
    bool negates; /* its status is inverted by "!" */
    int64_t due_ns;
    int64_t ends_ns; /* of "timeout"; 0: none */
    bool goes_on;    /* see struct sq_adbd_call */
    uint64_t seen;
    struct sq_buf piped; /* output of the previous command */
    struct sq_buf out;
    struct sq_buf errors;
    char syntax_error[SQ_ERR_MESSAGE_SIZE]; /* empty: none */
};

/*
 * Reads the next command, whose end is that of the one before: SQ_SH_NEXT at
 * first. Without words, assignments and files if none is left. Fails with
 * SQ_ERR_FORMAT and the shell's message if it is invalid.
 */
bool sq_sh_read(struct sq_adbd_shell *shell, struct sq_err *err);

void sq_adbd_shell_init(struct sq_adbd_shell *shell,
                        struct sq_adbd_phone *phone);
void sq_adbd_shell_finish(struct sq_adbd_shell *shell);

/*
 * Starts a script; the previous one must be done. A syntax error does not fail
 * here: the next advance prints it and sets the exit status.
 */
bool sq_adbd_shell_start(struct sq_adbd_shell *shell, struct sq_span script,
                         struct sq_err *err);

/*
 * Does all work that is due. *wake_ns is when to call again, or INT64_MAX once
 * the script is done. Fails only if out of memory.
 */
bool sq_adbd_shell_advance(struct sq_adbd_shell *shell, int64_t now_ns,
                           const struct sq_adbd_sink *sink, int64_t *wake_ns,
                           struct sq_err *err);

#endif
