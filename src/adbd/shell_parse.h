/*
 * The grammar of the phone's shell, as far as adb's users need it: words with
 * the three kinds of quotes and $NAME, redirections, pipes, lists. Pure;
 * everything lives in the arena.
 */
#ifndef SQ_ADBD_SHELL_PARSE_H
#define SQ_ADBD_SHELL_PARSE_H

#include <stdbool.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

/* A piece of a word: letters as they are, or the name of a variable. */
struct sq_sh_part {
    struct sq_sh_part *next;
    struct sq_span text;
    bool is_variable;
    bool quoted; /* its value is not taken apart at spaces */
};

struct sq_sh_word {
    struct sq_sh_word *next;
    struct sq_sh_part *parts;
    bool quoted; /* counts as a word even if nothing is in it */
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
    int fd;                  /* the one that is changed: 0, 1 or 2 */
    int from;                /* of COPY: 1 or 2 */
    struct sq_sh_word *file; /* of the others */
};

struct sq_sh_command {
    struct sq_sh_command *next; /* reads what this one writes */
    struct sq_sh_assignment *assignments;
    struct sq_sh_word *words; /* NULL: only assignments or redirections */
    struct sq_sh_redirect *redirects;
};

enum sq_sh_when {
    SQ_SH_ALWAYS,
    SQ_SH_IF_OK,     /* && */
    SQ_SH_IF_FAILED, /* || */
};

/* Commands joined by pipes, and when they run. */
struct sq_sh_step {
    struct sq_sh_step *next;
    enum sq_sh_when when;
    bool negated;    /* ! */
    bool background; /* &: nobody asks how it ends */
    struct sq_sh_command *first;
};

/*
 * Parse a script; *out is NULL where it does nothing. SQ_ERR_FORMAT, with the
 * shell's own words, for what is no script or beyond this grammar.
 */
bool sq_sh_parse(struct sq_span text, struct sq_arena *arena,
                 struct sq_sh_step **out, struct sq_err *err);

#endif
