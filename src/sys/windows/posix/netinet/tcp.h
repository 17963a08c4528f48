#ifndef SQ_POSIX_NETINET_TCP_H
#define SQ_POSIX_NETINET_TCP_H

#include <winsock2.h>
#include <ws2tcpip.h>

#endif
