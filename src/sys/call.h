/*
 * Wrappers for all system calls. Each wrapper consults the fault seam first, so
 * that tests can make it fail, and repeats a call that a signal interrupted:
 * callers never see EINTR.
 */
#ifndef SQ_SYS_CALL_H
#define SQ_SYS_CALL_H

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "util/err.h"
#include "util/span.h"

/*
 * Unless noted, each function returns -1 and sets errno on failure, like the
 * call it is named after.
 */
int sq_call_openat(int dir, const char *path, int flags, mode_t mode);

/*
 * Opens a folder for use as the dir argument of other calls. Needs no
 * permission to list it.
 */
int sq_call_open_dir(const char *path);

/* Opens a folder inside dir in the same way. Refuses a symbolic link. */
int sq_call_enter_dir(int dir, const char *name);

ssize_t sq_call_read(int fd, void *into, size_t count);
ssize_t sq_call_write(int fd, const void *from, size_t count);

/* Reads at the given offset. Does not move the file position. */
ssize_t sq_call_pread(int fd, void *into, size_t count, off_t offset);

/*
 * Like fdopendir, readdir and closedir. The C library asks the system for many
 * entries at a time: only every SQ_ENTRIES_AT_ONCE-th call of readdir, counted
 * from 0 in `nth`, can be made to fail by util/fault.
 */
#define SQ_ENTRIES_AT_ONCE 256
DIR *sq_call_fdopendir(int fd);
struct dirent *sq_call_readdir(DIR *folder, size_t nth);
void sq_call_closedir(DIR *folder);

/*
 * Like sq_call_write, but fails with EPIPE and raises no signal if the reader
 * has closed the pipe.
 */
ssize_t sq_call_write_pipe(int fd, const void *from, size_t count);

/* Writes several pieces in one call. May write fewer bytes than requested. */
ssize_t sq_call_writev(int fd, const struct iovec *pieces, int count);

/* Waits until fd has one of the poll() events. */
int sq_call_wait(int fd, short events);

/*
 * Like poll(), but also returns 0 if a signal arrived; the caller then checks
 * the clock again. A negative timeout_ms waits without limit.
 */
int sq_call_poll(struct pollfd *fds, size_t count, int timeout_ms);

/*
 * Like sq_call_poll with a timeout in nanoseconds. Rounds up to milliseconds on
 * systems without ppoll.
 */
int sq_call_poll_ns(struct pollfd *fds, size_t count, int64_t timeout_ns);

/*
 * Creates a pipe. Both ends are non-blocking and close on exec. ends[0] is the
 * read end.
 */
int sq_call_pipe(int ends[2]);

/* The same for libevent, which on Windows waits for sockets only. */
int sq_call_event_pipe(int ends[2]);

/*
 * Sets whether reads and writes block or fail with EAGAIN. Returns whether they
 * blocked before.
 */
int sq_call_set_blocking(int fd, bool blocking);

/* Duplicates a descriptor; the copy closes on exec. */
int sq_call_dup(int fd);

/* The descriptor is closed even if this fails. */
int sq_call_close(int fd);

int sq_call_fstat(int fd, struct stat *out);

/* Follows a symbolic link in the last component. */
int sq_call_fstatat(int dir, const char *path, struct stat *out);

/* Does not follow a symbolic link in the last component. */
int sq_call_lstatat(int dir, const char *path, struct stat *out);

int sq_call_access(const char *path, int mode);

int sq_call_fsync(int fd);
int sq_call_fchmod(int fd, mode_t mode);

/* Returns the file mode creation mask. Cannot fail. */
mode_t sq_call_umask(void);

/*
 * Locks an open file or folder without waiting. The lock is shared by all
 * duplicates of the descriptor. Fails with EWOULDBLOCK if another process holds
 * a conflicting lock.
 */
int sq_call_lock_file(int fd, bool exclusive);

/* Both names are relative to dir. */
int sq_call_renameat(int dir, const char *from, const char *to);

/* Adds a second name to a file in dir. Fails with EEXIST if it is taken. */
int sq_call_linkat(int dir, const char *from, const char *to);

/* Renames a file in dir. Fails with EEXIST if the new name is taken. */
int sq_call_rename_new(int dir, const char *from, const char *to);

/*
 * Creates a file in dir that has no name. It disappears when it is closed
 * unless sq_call_link_nameless gave it a name (EEXIST if the name is taken).
 * Many systems and file systems support neither these two nor
 * sq_call_rename_new.
 */
int sq_call_open_nameless(int dir, mode_t mode);
int sq_call_link_nameless(int fd, int dir, const char *to);

int sq_call_unlinkat(int dir, const char *path);

/* Removes an empty folder. */
int sq_call_rmdirat(int dir, const char *path);

/* Creates a folder that only its owner may enter. */
int sq_call_mkdirat(int dir, const char *path);

/* Reads the target of a symbolic link; not NUL-terminated. */
ssize_t sq_call_readlink(const char *path, char *into, size_t size);

/* Returns NULL on failure. into must hold PATH_MAX bytes. */
char *sq_call_realpath(const char *path, char *into);

/* Returns the effective user id. Cannot fail. */
uid_t sq_call_user(void);

/*
 * Returns the number of processors that this process may run on, or a value
 * below 1 if that is unknown.
 */
int sq_call_processors(void);

/*
 * Lets the calling thread run only when a processor is idle. Does nothing on
 * systems that cannot do this.
 */
void sq_call_lower_priority(void);

ssize_t sq_call_getrandom(void *into, size_t count);

/* Creates a non-blocking stream socket that closes on exec. */
int sq_call_socket(int family);

/*
 * Usually fails with EINPROGRESS: wait for POLLOUT, then call
 * sq_call_socket_error.
 */
int sq_call_connect(int fd, const struct sockaddr *to, socklen_t len);

/*
 * Returns the result of a connect(): 0 or an errno value, or -1 if it cannot be
 * read.
 */
int sq_call_socket_error(int fd);

/* Closes the sending side of a socket. */
int sq_call_shutdown(int fd);

int sq_call_bind(int fd, const struct sockaddr *to, socklen_t len);
int sq_call_listen(int fd);

/* Reads the address that a socket is bound to. */
int sq_call_getsockname(int fd, struct sockaddr *out, socklen_t *len);
int sq_call_getpeername(int fd, struct sockaddr *out, socklen_t *len);

/*
 * Accepts a connection. The socket has the same flags as one of sq_call_socket.
 */
int sq_call_accept(int listener);

/* Sets an integer option, such as one that is on or off. */
int sq_call_setsockopt(int fd, int level, int name, int value);

ssize_t sq_call_recv(int fd, void *into, size_t count);

/* Fails with EPIPE and raises no signal if the peer has closed. */
ssize_t sq_call_send(int fd, const void *from, size_t count);

/* Returns whether the process at the other end is of this user. */
bool sq_call_is_peer_own(int socket);

/* Gets the size of a terminal. */
int sq_call_window_size(int fd, struct winsize *out);

/*
 * Blocks signals, so that none ends the process between creating a file and
 * removing it. Signals that arrive meanwhile are delivered on release, except
 * SIGXFSZ: the call that caused it has already failed.
 */
void sq_call_hold_signals(sigset_t *saved);
void sq_call_release_signals(const sigset_t *saved);

/*
 * Makes a signal write one byte, its number, into the pipe and do nothing else.
 * *old receives the previous action.
 */
int sq_call_catch_signal(int number, int write_end, struct sigaction *old);

int sq_call_ignore_signal(int number, struct sigaction *old);

/* Restores the previous action of a signal. */
int sq_call_restore_signal(int number, const struct sigaction *old);

/* A child process: its program, and the pipe ends it receives. */
struct sq_spawn {
    const char *const *argv; /* argv[0] is a path */
    int streams[3];          /* its standard input, output and error */
    int report;  /* receives errno as an int if the program cannot be run */
    int channel; /* becomes its descriptors 3 and 4; 0: none */
    /*
     * The child stays when the thread that starts it ends. It must then end by
     * itself when its streams are closed.
     */
    bool outlives_thread;
    bool leaves_server; /* what it starts may stay when it has ended */
};

/*
 * Starts a child in a new session, with default signal handling and without our
 * other descriptors. Unless it outlives the thread, it is killed when
 * the thread that started it ends, on systems that support this. Returns its
 * id, which the caller passes to sq_call_end_child.
 */
pid_t sq_call_spawn(const struct sq_spawn *spawn);

/*
 * Starts a child that outlives this thread. Returns its id, or -1. *report is
 * then our end of spawn->report, for sq_read_report; `name` is for messages.
 */
pid_t sq_start_child(struct sq_spawn *spawn, const char *name, int *report,
                     struct sq_err *err);

/* Returns why the child cannot run its program, as errno; 0: not known. */
int sq_read_report(int report);

/* Closes a descriptor unless it is -1, which it then is. Keeps errno. */
void sq_close_fd(int *fd);

/* Declares a descriptor that is closed at the end of its scope. */
#define SQ_FD SQ_FREED(sq_close_fd) int

/* Returns 1 if the child has ended, else 0. Does not reap it. */
int sq_call_has_ended(pid_t child);

/* Sends SIGINT to the process group of the child. */
void sq_call_interrupt_child(pid_t child);

/*
 * Kills the child and its process group and waits for it. Cannot fail. Returns
 * the status that waitpid reports.
 */
int sq_call_end_child(pid_t child);

/*
 * Creates two connected stream sockets that close on exec. The first is
 * non-blocking.
 */
int sq_call_socket_pair(int ends[2]);

/*
 * Sends bytes to a process with a descriptor that it gets, and receives them.
 * *fd is -1 if there is none; otherwise it closes on exec.
 */
ssize_t sq_call_send_fd(int socket, const void *from, size_t count, int fd);
ssize_t sq_call_receive_fd(int socket, void *into, size_t count, int *fd);

/*
 * Creates memory of that size that processes can share. Returns a descriptor,
 * which closes on exec.
 */
int sq_call_share_memory(size_t bytes);

/*
 * Makes the memory constant for good. Fails with EBUSY if a process can still
 * write to it, and with ENOSYS where the system cannot do this.
 */
int sq_call_freeze_memory(int fd);

/*
 * Maps shared memory from an offset on, a multiple of 64 KB. Changes are seen
 * by this process alone if it is private. Returns NULL and sets errno on
 * failure.
 */
void *sq_call_map(int fd, size_t offset, size_t bytes, bool is_private);

/* Accepts NULL. */
void sq_call_unmap(void *memory, size_t bytes);

/* The limits of a process; 0: unchanged. */
struct sq_process_limits {
    size_t memory_bytes; /* private memory that it may allocate */
    int cpu_seconds;     /* processor time, after which it is killed */
    bool opens_files;    /* a few; else none */
};

/*
 * Limits this process: no core dump, no new files, no larger files, no further
 * processes. Returns -1 if a limit cannot be set.
 */
int sq_call_limit_process(const struct sq_process_limits *limits);

/*
 * Gives up every access to the file system that is not open yet, except reading
 * what is in a folder, unless it is NULL. Returns -1 with ENOSYS or EOPNOTSUPP
 * if the system cannot do this.
 */
int sq_call_leave_files(const char *folder);

/*
 * From now on only system calls for computing and for open descriptors work;
 * others fail with EPERM: no files, sockets, programs or executable memory.
 * With reads_files, those that open, lock and read files work too. Returns -1
 * with ENOSYS if squint has no filter for this system, with EOPNOTSUPP if the
 * kernel has no filters: one without seccomp, or qemu-user.
 */
int sq_call_leave_system(bool reads_files);

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

#define SQ_ERRNO_TEXT_SIZE 80

/* Writes the description of an errno value. */
void sq_errno_text(int number, char out[SQ_ERRNO_TEXT_SIZE]);

/*
 * Sets the error "cannot <format>: <description of errno>" with the code
 * SQ_ERR_IO, or SQ_ERR_EXHAUSTED if no descriptor is left. Returns false.
 */
bool sq_errno_fail(struct sq_err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The hint for an error caused by that limit. */
#define SQ_DESCRIPTORS_HINT                                                    \
    "Send fewer calls at a time, or raise the limit of open files (ulimit "    \
    "-n 1024) before squint starts."

/*
 * Returns how many descriptors this process may open; INT_MAX if no limit is
 * known.
 */
int sq_descriptor_limit(void);

/* Returns whether an errno value means that no descriptor is left. */
bool sq_is_out_of_descriptors(int number);

#endif
