/* The status of sq_call_end_child: the exit code, or SQ_KILLED. */
#ifndef SQ_POSIX_SYS_WAIT_H
#define SQ_POSIX_SYS_WAIT_H

#define SQ_KILLED 0x10000
#define WIFEXITED(status) ((status) < SQ_KILLED)
#define WEXITSTATUS(status) (status)
#define WIFSIGNALED(status) ((status) >= SQ_KILLED)
#define WTERMSIG(status) 9

#endif
