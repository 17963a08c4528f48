#include "support/scratch.h"

#include <dirent.h>
#include <unistd.h>

#include "support/test.h"

#define TURNS 8

static char scratch[256];

/* In memory if possible: thousands of fsyncs would wear out a disk. */
static const char *
scratch_parent(void) {
    const char *wish = getenv("TMPDIR");
    if (wish && *wish) {
        return wish;
    }
    return access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
}

/* What commands leave for the next is apart from the files of the test. */
static void
run_path(const char *name, char out[512]) {
    snprintf(out, 512, "%s-run%s", scratch, name);
}

void
t_scratch_start(void) {
    char path[512];
    snprintf(scratch, sizeof(scratch), "%s/squint-test-XXXXXX",
             scratch_parent());
    T(mkdtemp(scratch) != NULL);
    run_path("", path);
    setenv("XDG_RUNTIME_DIR", path, 1);
}

void
t_scratch_remove_run(void) {
    char path[512];
    run_path("/squint", path);
    if (access(path, F_OK) == 0) {
        t_remove_folder(path);
        run_path("", path);
        T_INT(rmdir(path), 0);
    }
}

void
t_remove_folder(const char *path) {
    DIR *dir = opendir(path);
    if (T(dir != NULL)) {
        for (struct dirent *entry; (entry = readdir(dir));) {
            unlinkat(dirfd(dir), entry->d_name, 0);
        }
        closedir(dir);
    }
    T_INT(rmdir(path), 0);
}

void
t_scratch_end(void) {
    t_scratch_remove_run();
    t_remove_folder(scratch);
}

const char *
t_scratch(void) {
    return scratch;
}

const char *
t_scratch_path(const char *name) {
    static char paths[TURNS][512];
    static int turn;
    char *path = paths[turn++ % TURNS];
    if (!scratch[0]) {
        fprintf(stderr, "t_scratch_start was not called\n");
        abort();
    }
    snprintf(path, sizeof(paths[0]), "%s/%s", scratch, name);
    return path;
}

int
t_count_entries(const char *folder) {
    int count = 0;
    DIR *dir = opendir(folder);
    while (dir && readdir(dir)) {
        count++;
    }
    if (dir) {
        closedir(dir);
    }
    return count - 2; /* . and .. */
}

int
t_count_open_files(void) {
    return t_count_entries("/proc/self/fd");
}

void
t_put(const char *path, const void *bytes, size_t len) {
    FILE *file = fopen(path, "wb");
    if (T(file != NULL)) {
        T_INT(fwrite(bytes, 1, len, file), len);
        T_INT(fclose(file), 0);
    }
}

bool
t_holds(const char *path, const void *bytes, size_t len) {
    const uint8_t *want = bytes;
    FILE *file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    uint8_t got[4096];
    bool same = true;
    for (size_t count; same && (count = fread(got, 1, sizeof(got), file));) {
        same = count <= len && memcmp(got, want, count) == 0;
        if (same) {
            want += count;
            len -= count;
        }
    }
    fclose(file);
    return same && len == 0;
}
