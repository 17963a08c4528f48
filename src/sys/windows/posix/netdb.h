#ifndef SQ_POSIX_NETDB_H
#define SQ_POSIX_NETDB_H

#include <winsock2.h>
#include <ws2tcpip.h>

#define EAI_SYSTEM (-1)

/* In English and UTF-8. */
const char *sq_gai_strerror(int number);
#undef gai_strerror
#define gai_strerror sq_gai_strerror

#endif
