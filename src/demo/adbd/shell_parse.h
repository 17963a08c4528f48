/*
 * Parses the subset of shell syntax that users of adb need: words with three
 * kinds of quotes and $NAME, redirections, pipes and lists. Pure; all results
 * live in the arena.
 */
#ifndef SQ_DEMO_ADBD_SHELL_PARSE_H
#define SQ_DEMO_ADBD_SHELL_PARSE_H

#include <stdbool.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

/* A part of a word: literal text, or the name of a variable. */
struct sq_sh_part {
    struct sq_sh_part *next;
    struct sq_span text;
    bool is_variable;
    bool quoted; /* its value is not split at spaces */
};

struct sq_sh_word {
    struct sq_sh_word *next;
    struct sq_sh_part *parts;
    bool quoted; /* is a word even if it is empty */
};

struct sq_sh_assignment {
    struct sq_sh_assignment *next;
    struct sq_span name;
    struct sq_sh_word *value;
};

enum sq_sh_redirect_kind {
    SQ_SH_READ,   /* <file */
    SQ_SH_WRITE,  /* >file */
    SQ_SH_APPEND, /* >>file */
    SQ_SH_COPY,   /* >&1 */
};

struct sq_sh_redirect {
    struct sq_sh_redirect *next;
    enum sq_sh_redirect_kind kind;
    int fd;                  /* the redirected descriptor: 0, 1 or 2 */
    int from;                /* SQ_SH_COPY only: 1 or 2 */
    struct sq_sh_word *file; /* all other kinds */
};

struct sq_sh_command {
    struct sq_sh_command *next; /* next in the pipe; reads our output */
    struct sq_sh_assignment *assignments;
    struct sq_sh_word *words; /* NULL: only assignments or redirections */
    struct sq_sh_redirect *redirects;
};

enum sq_sh_when {
    SQ_SH_ALWAYS,
    SQ_SH_IF_OK,     /* && */
    SQ_SH_IF_FAILED, /* || */
};

/* A pipeline, and the condition under which it runs. */
struct sq_sh_step {
    struct sq_sh_step *next;
    enum sq_sh_when when;
    bool negated;    /* ! */
    bool background; /* &: its exit status is ignored */
    struct sq_sh_command *first;
};

/*
 * Parses a script. *out is NULL if the script is empty. Fails with
 * SQ_ERR_FORMAT and the shell's message if it is invalid or not supported.
 */
bool sq_sh_parse(struct sq_span text, struct sq_arena *arena,
                 struct sq_sh_step **out, struct sq_err *err);

#endif
