#ifndef SQ_POSIX_ARPA_INET_H
#define SQ_POSIX_ARPA_INET_H

#include <winsock2.h>
#include <ws2tcpip.h>

#endif
