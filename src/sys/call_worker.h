/*
 * Wrappers of the system calls that worker processes need: shared memory, and
 * giving up rights. See sys/call.h for what all wrappers do.
 */
#ifndef SQ_SYS_CALL_WORKER_H
#define SQ_SYS_CALL_WORKER_H

#include <sys/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Creates two connected stream sockets that close on exec. The first is
 * non-blocking.
 */
int sq_call_socket_pair(int ends[2]);

/*
 * Creates memory of that size that processes can share. Returns a descriptor,
 * which closes on exec.
 */
int sq_call_share_memory(size_t bytes);

/* Maps shared memory. Returns NULL and sets errno on failure. */
void *sq_call_map(int fd, size_t bytes, bool is_writable);

/* Accepts NULL. */
void sq_call_unmap(void *memory, size_t bytes);

/* The limits of a process; 0: unchanged. */
struct sq_process_limits {
    size_t memory_bytes; /* private memory that it may allocate */
    int cpu_seconds;     /* processor time, after which it is killed */
};

/*
 * Limits this process: no core dump, no new files, no larger files, no further
 * processes. Returns -1 if a limit cannot be set.
 */
int sq_call_limit_process(const struct sq_process_limits *limits);

/*
 * Gives up every access to the file system that is not open yet. Returns -1
 * with ENOSYS or EOPNOTSUPP if the system cannot do this.
 */
int sq_call_leave_files(void);

/*
 * From now on only system calls for computing and for open descriptors work;
 * others fail with EPERM: no files, sockets, programs or executable memory.
 * Returns -1 with ENOSYS if squint has no filter for this system, with
 * EOPNOTSUPP if the kernel has no filters: one without seccomp, or qemu-user.
 */
int sq_call_leave_system(void);

/*
 * Opens a shared library by name, as dlopen() does, and finds a symbol of it.
 * Both return NULL on failure. The library stays open.
 */
void *sq_call_open_library(const char *name);
void *sq_call_find_symbol(void *library, const char *name);

/* Sets a variable of the environment of this process. */
int sq_call_set_variable(const char *name, const char *value);

/* Returns whether a process exists. Sends it nothing. Cannot fail. */
bool sq_call_process_exists(pid_t pid);

#endif
