/* Reads text in a background thread. */
#include "app/host/private.h"

#include <errno.h>

#include "app/print_message.h"
#include "archive/search/search.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "sys/folder.h"
#include "util/mem.h"

#define NS_PER_S 1000000000
#define RECENT_S (2 * 86400)
#define PAUSE_MS 30000
#define ROUND_MS (24 * 3600 * 1000) /* at most, for all pictures */

struct sq_text_index {
    const struct sq_config *config;
    struct sq_library *past;
    const struct sq_redactor *redactor;
    struct sq_side_thread thread;
    struct sq_reader *reader;
};

/*
 * Locks the folder of the indexes, so that no other process reads the same
 * pictures at the same time. *fd is -1 if one does.
 */
static bool
lock_folder(int *fd, struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    *fd = -1;
    if (!sq_user_path(SQ_USER_CACHE, "squint", path)) {
        return sq_fail(err, SQ_ERR_NOT_FOUND, "there is no folder for caches");
    }
    if (!sq_folder_open(path, fd, err)) {
        return false;
    }
    /* A file system without locks is used without them. */
    if (sq_call_lock_file(*fd, true) < 0 && errno == EWOULDBLOCK) {
        sq_folder_close(*fd);
        *fd = -1;
    }
    return true;
}

/* Reads the pictures since that time. *is_done: no other process did. */
static bool
read_since(const struct sq_text_index *index, int64_t from_utc, bool *is_done,
           struct sq_err *err) {
    const struct sq_deadline deadline =
        sq_deadline_in(ROUND_MS, index->thread.cancel);
    const struct sq_search_build_request request = {
        .past = index->past,
        .redactor = index->redactor,
        .reader = index->reader,
        .window = { from_utc, UINT32_MAX, SQ_ARCHIVE_ANY, SQ_ARCHIVE_ANY },
        .deadline = &deadline,
        .repairs = from_utc == 0,
    };
    struct sq_search_built built = { 0 };
    int folder;
    *is_done = false;
    if (!lock_folder(&folder, err) || folder < 0) {
        return folder < 0 && (!err || err->code == SQ_ERR_NONE);
    }
    *is_done = true;
    bool ok = sq_search_build(&request, &built, err);
    sq_folder_close(folder);
    if (ok && built.progress.done > 0) {
        sq_log_event(index->config, SQ_LOG_INFO,
                     "index: read the text of %zu new pictures",
                     built.progress.done);
    }
    return ok;
}

static bool
open_reader(struct sq_text_index *index, struct sq_err *err) {
    const struct sq_deadline deadline =
        sq_deadline_in(PAUSE_MS, index->thread.cancel);
    return sq_host_create_reader(index->config->ui.ocr_language, 1,
                                 &index->reader, err)
        && sq_reader_start(index->reader, &deadline, err);
}

/* Reads again and again until it is stopped. */
static void
run(void *context) {
    struct sq_text_index *index = context;
    struct sq_err err = { 0 };
    bool is_old_read = false;
    sq_call_lower_priority(); /* the process that reads inherits it */
    bool ok = open_reader(index, &err);
    while (ok && !sq_cancel_is_set(index->thread.cancel)) {
        struct sq_err local_err = { 0 };
        bool is_done = false;
        int64_t now = sq_clock_wall_ns() / NS_PER_S;
        bool was_read = read_since(index, now - RECENT_S, &is_done, &local_err)
                     && (is_old_read || !is_done
                         || read_since(index, 0, &is_old_read, &local_err));
        if (!was_read && local_err.code != SQ_ERR_CANCELLED) {
            sq_log_event(index->config, SQ_LOG_WARNING, "index: %s",
                         local_err.message);
        }
        const struct sq_deadline pause =
            sq_deadline_in(2 * PAUSE_MS, index->thread.cancel);
        sq_wait_ms(PAUSE_MS, &pause, NULL);
    }
    index->past->reads_text = false;
    if (!ok && err.code != SQ_ERR_CANCELLED) {
        sq_log_event(index->config, SQ_LOG_WARNING,
                     "index: the text of pictures is not read: %s",
                     err.message);
    }
}

bool
sq_text_index_start(const struct sq_config *config, struct sq_library *past,
                    const struct sq_redactor *redactor,
                    struct sq_text_index **out, struct sq_err *err) {
    struct sq_text_index *index = sq_mem_zalloc(1, sizeof(*index));
    if (!index) {
        return sq_fail_nomem(err);
    }
    index->config = config;
    index->past = past;
    index->redactor = redactor;
    past->reads_text = true;
    if (!sq_side_thread_create(&index->thread, err)
        || !sq_pool_submit(index->thread.pool, run, index, err)) {
        sq_text_index_stop(index);
        return false;
    }
    *out = index;
    return true;
}

void
sq_text_index_stop(struct sq_text_index *index) {
    if (!index) {
        return;
    }
    sq_side_thread_end(&index->thread);
    sq_reader_destroy(index->reader);
    sq_mem_free(index);
}
