#ifndef SQ_POSIX_NETDB_H
#define SQ_POSIX_NETDB_H

#include <winsock2.h>
#include <ws2tcpip.h>

#define EAI_SYSTEM (-1)

#endif
