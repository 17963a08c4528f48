#ifndef SQ_POSIX_SYS_UN_H
#define SQ_POSIX_SYS_UN_H

#include <winsock2.h>

struct sockaddr_un {
    ADDRESS_FAMILY sun_family;
    char sun_path[108];
};

#endif
