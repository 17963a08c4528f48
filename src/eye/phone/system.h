/*
 * The system calls of the program on the phone. It has no C library, so that it
 * is small and any compiler for the phone's processor can build it. All return
 * a negative error number on failure.
 */
#ifndef SQ_EYE_PHONE_SYSTEM_H
#define SQ_EYE_PHONE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eye_poll {
    int fd;
    short events;
    short revents;
};
#define EYE_POLL_IN 1

#define EYE_SIGKILL 9

long eye_read(int fd, void *into, size_t capacity);
long eye_write(int fd, const void *from, size_t count);
int eye_open_to_read(const char *path);
void eye_close(int fd);
void eye_unlink(const char *path);

/* Waits for any of the events, at most `ms`; 0: the time has passed. */
int eye_poll(struct eye_poll *polls, unsigned count, long ms);

/* Returns the milliseconds since some moment. */
int64_t eye_clock_ms(void);

/* Creates a pipe that programs started later do not inherit. */
int eye_pipe(int ends[2]);

/* Makes a pipe larger, so that fewer switches are needed. May fail. */
void eye_widen_pipe(int fd, int bytes);

/* Makes `as` a copy of fd that a started program inherits. */
int eye_copy_fd(int fd, int as);

/* Returns 0 in the new process. */
int eye_fork(void);

/* Kills this process when the one that started it ends. */
void eye_die_with_parent(void);

/* Returns only on failure. */
void eye_execute(const char *path, const char *const *argv,
                 const char *const *environment);

void eye_kill(int process, int signal);

/* Waits for the process. Returns its exit status, -1 if a signal ended it. */
int eye_wait(int process);

/*
 * Returns zeroed memory in whole pages, or NULL. Processes started later do not
 * have it, so that starting one costs nothing for it.
 */
void *eye_map(size_t bytes);
void eye_unmap(void *memory, size_t bytes);

_Noreturn void eye_exit(int status);

/* Called at the start; its result is the exit status. */
int eye_main(int argc, const char *const *argv, const char *const *environment);

#endif
