/* Only names of types: winsock2.h also has many names without a prefix. */
#ifndef SQ_POSIX_SYS_SOCKET_H
#define SQ_POSIX_SYS_SOCKET_H

struct sockaddr;
typedef int socklen_t;

#endif
