#include "support/past_index.h"

#include "archive/archive_private.h"
#include "archive/search/search.h"
#include "support/test.h"
#include "sys/folder.h"

static bool
make_folder_of(const char *path, struct sq_err *err) {
    char folder[SQ_PATH_SIZE];
    int opened;
    snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path),
             path);
    if (!sq_folder_open(folder, &opened, err)) {
        return false;
    }
    sq_folder_close(opened);
    return true;
}

/* Describes the full picture of a shot as it is now. */
static struct sq_search_file
file_of(struct sq_archive *archive, const struct sq_archive_pick *pick,
        char path[SQ_ARCHIVE_FILE_SIZE]) {
    char whole[SQ_PATH_SIZE + SQ_ARCHIVE_FILE_SIZE];
    struct stat st = { 0 };
    T(sq_archive_path(pick, pick->full, path));
    snprintf(whole, sizeof(whole), "%s/%s",
             sq_archive_root_at(archive, (size_t)pick->root)->path, path);
    T(stat(whole, &st) == 0);
    return (struct sq_search_file){
        .pick = pick,
        .path = sq_span_of(path),
        .state = { (int64_t)st.st_size, sq_file_mtime_ns(&st) },
    };
}

void
past_index_shot(struct sq_archive *archive, struct sq_span ref,
                const char *first, const char *second) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_word words[] = {
        { sq_span_of(first), { 100, 40, 160, 60 }, 90 },
        { sq_span_of(second), { 170, 40, 230, 60 }, 90 },
    };
    struct sq_text_line line = { { 100, 40, 230, 60 }, { words, 2 }, true };
    const struct sq_text text = { .lines = &line, .count = 1 };
    struct sq_archive_pick pick;
    char path[SQ_PATH_SIZE];
    char file[SQ_ARCHIVE_FILE_SIZE];
    struct sq_search_store *store = NULL;
    int64_t id;
    T_OK(sq_archive_resolve(archive, ref, &deadline, &pick, &t_err));
    const struct sq_search_page page = {
        .file = file_of(archive, &pick, file),
        .text = &text,
        .size = { 640, 400 },
    };
    T_OK(sq_search_path(archive, 0, &deadline, path, &t_err)
         && make_folder_of(path, &t_err)
         && sq_search_store_open(path, true, &deadline, &store, &t_err)
         && sq_search_store_add(store, &page, &id, &t_err));
    sq_search_store_close(store);
}
