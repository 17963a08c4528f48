/*
 * Confines a server: it can use only the files and ports that it was given, and
 * starts programs through a helper process that is forked before.
 */
#ifndef SQ_SYS_SANDBOX_H
#define SQ_SYS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

/* What the kernel enforces for this process. */
struct sq_sandbox {
    bool is_entered;   /* sq_sandbox_enter has succeeded */
    bool has_no_dump;  /* no core dump, and no other process can read it */
    bool has_filter;   /* no programs, namespaces, mounts, debugging */
    int file_rules;    /* version of landlock; 0: none */
    bool limits_ports; /* TCP connections only to the listed ports */
};

struct sq_sandbox_path {
    const char *path; /* of a file or folder; one that is missing is skipped */
    bool may_write;
    bool may_remove; /* nothing else but removing files in the folder */
};

struct sq_sandbox_plan {
    const struct sq_sandbox_path *paths;
    size_t path_count;
    const uint16_t *ports; /* of TCP connections */
    size_t port_count;
    bool allows_any_port; /* instead of these */
};

/*
 * Forks the process from which all later programs are started. Call it before
 * any secret is read. It ends with this process. Where the system cannot do
 * this, programs are started directly, and the sandbox has no filter.
 */
bool sq_sandbox_fork_helper(struct sq_err *err);

/* Ends the helper. Programs are started directly again, unless confined. */
void sq_sandbox_end_helper(void);

/*
 * Confines this process for good, as far as the kernel can; only the thread
 * that calls it may exist. Fails if the kernel could, but refused.
 */
bool sq_sandbox_enter(const struct sq_sandbox_plan *plan, struct sq_err *err);

/* No core dump, no debugger of the same user, no new privileges. */
bool sq_sandbox_forbid_dumps(void);

/* Returns what is enforced for this process. */
struct sq_sandbox sq_sandbox_state(void);

/* Returns what the kernel could enforce. Changes nothing. */
struct sq_sandbox sq_sandbox_available(void);

#define SQ_SANDBOX_TEXT_SIZE 160

/* Describes it in words: "landlock 7 (files, ports), system calls, no dumps".
 */
void sq_sandbox_describe(struct sq_sandbox sandbox,
                         char out[SQ_SANDBOX_TEXT_SIZE]);

#endif
