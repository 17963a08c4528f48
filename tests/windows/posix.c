#include "windows/posix.h"

#include <stdio.h>
#include <string.h>

#include "support/leaks.h"

#define MAX_VARIABLES 1000

extern char **environ;

int
unsetenv(const char *name) {
    const char *value;
    while ((value = getenv(name))) {
        char **at = environ;
        while (*at + strlen(name) + 1 != value) {
            at++;
        }
        do {
            at[0] = at[1];
        } while (*at++);
    }
    return 0;
}

int
setenv(const char *name, const char *value, int replaces) {
    static char *variables[MAX_VARIABLES];
    size_t size = strlen(name) + strlen(value) + 2;
    size_t count = 0;
    char *text = malloc(size);
    if (!text || (getenv(name) && !replaces)) {
        abort();
    }
    snprintf(text, size, "%s=%s", name, value);
    unsetenv(name);
    while (environ[count] && count < MAX_VARIABLES - 2) {
        variables[count] = environ[count];
        count++;
    }
    variables[count] = text;
    variables[count + 1] = NULL;
    environ = variables;
    return 0;
}

char *
mkdtemp(char *path) {
    char *end = path + strlen(path) - strlen("XXXXXX");
    for (int i = 0; i < 1000000; i++) {
        snprintf(end, sizeof("XXXXXX"), "%06d", i);
        if (mkdir(path, 0700) == 0) {
            return path;
        }
    }
    return NULL;
}

/* A folder of the tested code, which knows its descriptor. */
struct open_folder {
    DIR *list;
    int fd;
};
static struct open_folder open_folders[8];

DIR *
opendir(const char *path) {
    struct open_folder *free_one = open_folders;
    while (free_one->list) {
        free_one++;
    }
    free_one->fd =
        sq_call_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    free_one->list = free_one->fd < 0 ? NULL : sq_call_fdopendir(free_one->fd);
    return free_one->list;
}

static struct open_folder *
find(DIR *folder) {
    struct open_folder *found = open_folders;
    while (found->list != folder) {
        found++;
    }
    return found;
}

struct dirent *
readdir(DIR *folder) {
    return sq_call_readdir(folder, 1);
}

int
closedir(DIR *folder) {
    find(folder)->list = NULL;
    sq_call_closedir(folder);
    return 0;
}

int
unlink_in(DIR *folder, const char *name) {
    return sq_call_unlinkat(find(folder)->fd, name);
}

/* No sanitizer counts memory here. */

void
t_leaks_learn(void) {
}

int
sq_stat(const char *path, struct stat *out) {
    return sq_call_fstatat(AT_FDCWD, path, out);
}
