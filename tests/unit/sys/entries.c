#include "sys/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/features.h"
#include "util/fault.h"

static struct sq_entries *entries;
static int folder;

static void
start(void) {
    t_scratch_start();
    T_OK(sq_entries_create(&entries, &t_err));
    folder = open(t_scratch(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    T(folder >= 0);
}

static void
stop(void) {
    close(folder);
    sq_entries_destroy(entries);
    t_album_end();
}

/* How many entries of that kind a listing from the start finds. */
static int
count_kind(enum sq_entry_kind kind) {
    struct sq_entry entry;
    int count = 0;
    lseek(folder, 0, SEEK_SET);
    sq_entries_start(entries, folder);
    while (sq_entries_next(entries, &entry)) {
        T_INT(strlen(entry.name.ptr), entry.name.len);
        count += entry.kind == kind;
    }
    T_INT(sq_entries_error(entries), 0);
    return count;
}

T_CASE(every_entry_is_found_once) {
    start();
    T_INT(count_kind(SQ_ENTRY_FILE), 0);
    for (int i = 0; i < 3000; i++) {
        char name[100];
        snprintf(name, sizeof(name),
                 "2026-02-27_06-14-44_01-00_3866_2330_%d_1.thumbnail.jpg", i);
        t_put(t_scratch_path(name), "", 0);
    }
    mkdir(t_scratch_path("folder"), 0700);
    T(symlink("folder", t_scratch_path("link")) == 0);
    T(mkfifo(t_scratch_path("pipe"), 0600) == 0);
    T_INT(count_kind(SQ_ENTRY_FILE), 3000);
    T_INT(count_kind(SQ_ENTRY_FOLDER), 1);
    T_INT(count_kind(SQ_ENTRY_OTHER), 2);
    stop();
}

T_CASE(errors_are_reported) {
    struct sq_entry entry;
    start();
    t_put(t_scratch_path("one"), "", 0);
    sq_entries_start(entries, -1);
    T(!sq_entries_next(entries, &entry));
    T_INT(sq_entries_error(entries), EBADF);
    sq_entries_start(entries, folder);
    T(sq_entries_next(entries, &entry));
    T_INT(sq_entries_error(entries), 0);
    stop();
}

static bool
create(void *context, struct sq_err *err) {
    struct sq_entries *made;
    if (!sq_entries_create(&made, err)) {
        return false;
    }
    sq_entries_destroy(made);
    return true;
}

T_CASE(out_of_memory_is_reported) {
    T_INT(t_alloc_torture(create, NULL), 1);
    sq_entries_destroy(NULL);
}
