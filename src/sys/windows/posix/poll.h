/* poll() is sq_call_poll. The values are those of winsock2.h. */
#ifndef SQ_POSIX_POLL_H
#define SQ_POSIX_POLL_H

#define pollfd sq_pollfd /* winsock2.h has another one */
struct pollfd {
    int fd;
    short events;
    short revents;
};

#ifndef POLLIN
#define POLLERR 0x0001
#define POLLHUP 0x0002
#define POLLNVAL 0x0004
#define POLLWRNORM 0x0010
#define POLLOUT (POLLWRNORM)
#define POLLRDNORM 0x0100
#define POLLRDBAND 0x0200
#define POLLIN (POLLRDNORM | POLLRDBAND)
#define POLLPRI 0x0400
#endif

#endif
