#ifndef SQ_POSIX_DIRENT_H
#define SQ_POSIX_DIRENT_H

/* 255 units of UTF-16 are at most 765 bytes of UTF-8. */
struct dirent {
    char d_name[772];
    unsigned char d_type;
};

typedef struct sq_dir DIR;

enum { DT_UNKNOWN, DT_REG, DT_DIR, DT_LNK };

#endif
