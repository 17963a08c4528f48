/*
 * Runs a fuzz target on every file of the given directories, in the order of
 * their names, and prints TAP. Needs neither libFuzzer nor clang.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "util/buf.h"
#include "util/mem.h"

#define MAX_INPUT_BYTES ((size_t)64 << 20)

static int replayed;
static bool all_ok = true;

static void
report(bool ok, const char *path) {
    printf("%s %d %s\n", ok ? "ok" : "not ok", ++replayed, path);
    all_ok = all_ok && ok;
}

static bool
read_all(FILE *file, struct sq_buf *out) {
    struct sq_err err = { 0 };
    size_t got;
    do {
        uint8_t *room;
        if (!sq_buf_reserve(out, 4096, &room, &err)) {
            return false;
        }
        got = fread(room, 1, 4096, file);
        sq_buf_commit(out, got);
    } while (got > 0);
    return !ferror(file);
}

static bool
read_file(const char *path, struct sq_buf *out) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    bool ok = read_all(file, out);
    fclose(file);
    return ok;
}

/* The block has the exact size, so that the sanitizer sees an overrun. */
static bool
run(const uint8_t *bytes, size_t size) {
    uint8_t *exact = sq_mem_alloc(size ? size : 1, 1);
    if (!exact) {
        return false;
    }
    if (size) {
        memcpy(exact, bytes, size);
    }
    LLVMFuzzerTestOneInput(exact, size);
    sq_mem_free(exact);
    return true;
}

static void
replay_file(const char *directory, const char *name) {
    char path[4096];
    struct sq_buf input;
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    /*
     * Printed before the run: if the target aborts, the last line names its
     * input.
     */
    printf("# %s\n", path);
    sq_buf_init(&input, MAX_INPUT_BYTES);
    report(read_file(path, &input) && run(input.data, input.len), name);
    sq_buf_finish(&input);
}

static int
is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static void
replay_directory(const char *directory) {
    struct dirent **entries;
    int count = scandir(directory, &entries, is_visible, alphasort);
    if (count <= 0) {
        report(false, directory);
    }
    for (int i = 0; i < count; i++) {
        replay_file(directory, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
}

int
main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    report(run(NULL, 0), "nothing at all");
    for (int i = 1; i < argc; i++) {
        replay_directory(argv[i]);
    }
    printf("1..%d\n", replayed);
    return all_ok ? 0 : 1;
}
