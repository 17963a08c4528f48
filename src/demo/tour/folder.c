/* The folder of the tour: only files that it wrote are replaced there. */
#include <stdio.h>

#include "demo/tour/private.h"
#include "sys/file.h"
#include "sys/folder.h"

#define MAX_MARKER_BYTES ((size_t)64 << 10)

/* The first line of the marker file. */
static const char marker_head[] =
    "squint demo made this folder. It replaces the files listed here, and no "
    "others.\n";

static bool
fail_not_ours(const char *folder, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(folder, true, name);
    sq_fail(err, SQ_ERR_EXISTS, "%s exists, but squint demo did not create it",
            name);
    return sq_fail_hint(err, "Move it away, or choose another folder: "
                             "squint demo -o FOLDER.");
}

/* Removes the files of an earlier tour, which its marker lists. */
static bool
clear_folder(int folder, const char *path, struct sq_err *err) {
    SQ_FREED(sq_buf_finish) struct sq_buf marker = { 0 };
    struct sq_err local_err = { 0 };
    if (!sq_folder_read(folder, SQ_SPAN(SQ_TOUR_MARKER), MAX_MARKER_BYTES,
                        &marker, &local_err)) {
        if (local_err.code == SQ_ERR_NOMEM) {
            return sq_fail_nomem(err);
        }
        return fail_not_ours(path, err);
    }
    struct sq_span rest = sq_buf_span(&marker);
    struct sq_span line;
    bool is_ours = sq_span_take_prefix(&rest, marker_head);
    while (is_ours && sq_span_take_line(&rest, &line)) {
        if (!sq_span_contains(line, '/')) {
            sq_folder_remove(folder, line);
        }
    }
    return is_ours || fail_not_ours(path, err);
}

static bool
write_marker(const struct sq_buf *marker, const char *folder,
             struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    int len = snprintf(path, sizeof(path), "%s/" SQ_TOUR_MARKER, folder);
    return ((size_t)len < sizeof(path)
            || sq_fail(err, SQ_ERR_ARGUMENT,
                       "the path of the folder is too long"))
        && sq_file_write(path, marker->data, marker->len, err);
}

/*
 * Opens or creates the folder and writes its marker. Nothing may happen in
 * between for a new folder, because only the marker makes it ours.
 */
static bool
mark_folder(const char *path, const struct sq_buf *marker, int *out,
            struct sq_err *err) {
    char resolved[SQ_PATH_SIZE];
    bool exists;
    int folder;
    if (!sq_path_resolve(path, resolved, &exists, err)
        || !sq_folder_open(path, &folder, err)) {
        return false;
    }
    *out = folder;
    return (!exists || clear_folder(folder, path, err))
        && write_marker(marker, path, err);
}

static bool
put_file_names(struct sq_buf *out, struct sq_err *err) {
    bool ok = sq_buf_printf(out, err, SQ_TOUR_PAGE "\n" SQ_TOUR_LOG "\n");
    for (size_t i = 0; ok && i < sq_tour_step_count; i++) {
        const char *file = sq_tour_steps[i].file;
        const char *before = sq_tour_steps[i].before;
        ok = (!file || sq_buf_printf(out, err, "%s\n", file))
          && (!before || sq_buf_printf(out, err, "%s\n", before));
    }
    return ok;
}

/*
 * Writes the marker first, so that all later files are known as ours even if
 * the tour fails.
 */
bool
sq_tour_folder_open(const char *path, int *folder, struct sq_err *err) {
    SQ_BUF(marker, MAX_MARKER_BYTES);
    return sq_buf_printf(&marker, err, "%s", marker_head)
        && put_file_names(&marker, err)
        && mark_folder(path, &marker, folder, err);
}
