#ifndef SQ_POSIX_SYS_IOCTL_H
#define SQ_POSIX_SYS_IOCTL_H

struct winsize {
    unsigned short ws_row;
    unsigned short ws_col;
    unsigned short ws_xpixel;
    unsigned short ws_ypixel;
};

#endif
