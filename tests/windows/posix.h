/* What unit tests use of POSIX and mingw-w64 lacks. Every file includes it. */
#ifndef SQ_TEST_WINDOWS_POSIX_H
#define SQ_TEST_WINDOWS_POSIX_H

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

int setenv(const char *name, const char *value, int replaces);
int unsetenv(const char *name);
char *mkdtemp(char *path);
DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);
int sq_stat(const char *path, struct stat *out); /* stat() */
int unlink_in(DIR *folder, const char *name);

#define mkdir(path, mode) sq_call_mkdirat(AT_FDCWD, path)
#define rmdir(path) sq_call_rmdirat(AT_FDCWD, path)
#define dirfd(folder) (folder)
#define unlinkat(folder, name, flags) unlink_in(folder, name)

#include "sys/call.h"

#include <fcntl.h>

#endif
