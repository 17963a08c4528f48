/* Reads the text of past screenshots, with a line of progress. */

#include <inttypes.h>
#include <stdio.h>

#include "app/commands/command.h"
#include "json/writer.h"
#include "app/terminal/progress.h"
#include "archive/search/search.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "tools/reply.h"

#define NS_PER_S 1000000000
#define MAX_ANSWER_BYTES ((size_t)64 << 10)
#define INDEX_TIMEOUT_MS (24 * 3600 * 1000)

static void
draw(void *context, const struct sq_search_progress *progress) {
    sq_progress_report(context, "reading text; pictures",
                       (double)progress->done, (double)progress->all);
}

static bool
choose_window(const struct sq_archive_index_request *request,
              struct sq_archive_window *out, struct sq_err *err) {
    struct sq_window window = { 0, UINT32_MAX };
    char note[SQ_WINDOW_NOTE_SIZE];
    const struct sq_window_request dates = {
        .start = request->start,
        .end = request->end,
        .zone = request->past->zone,
        .now_utc = sq_clock_wall_ns() / NS_PER_S,
    };
    bool has_dates = request->start.len > 0 || request->end.len > 0;
    if (has_dates && !sq_window_read(&dates, &window, note, err)) {
        return false;
    }
    *out = (struct sq_archive_window){ window.from_utc, window.to_utc,
                                       SQ_ARCHIVE_ANY, SQ_ARCHIVE_ANY };
    return true;
}

/* What people read; "done" is only for them. */
static const char text[] =
    "[interrupted:Interrupted][!interrupted:Done]: {done} of {pictures} new or "
    "changed pictures\n"
    "[read:  read         {read}\n]"
    "[alike:  alike        {alike} that are equal to the one before\n]"
    "[changed:  changed      {changed} that were read before, and have changed "
    "since\n]"
    "[known:  known        {known} that were read before\n]"
    "[activitiesAdded:  activities   {activitiesAdded} that were added to "
    "pictures read before\n]"
    "[unreadable:  unreadable   {unreadable} whose files cannot be used now\n]"
    "[onlyThumbnails:  small        {onlyThumbnails} of which only a thumbnail "
    "is left\n]"
    "[removed:  removed      {removed} that no longer exist\n]"
    "[foldersNotPermitted:  left out     {foldersNotPermitted} "
    "folder{foldersNotPermitted:s} whose permission is not full\n]";

/* Prints what was wrong with folders and indexes. */
static bool
print_problems(const struct sq_archive_index_request *request,
               const struct sq_search_built *built, struct sq_buf *out,
               struct sq_err *err) {
    const struct sq_archive *archive = request->past->archive;
    bool has_dates = request->start.len > 0 || request->end.len > 0;
    return (built->rebuilt == 0
            || sq_buf_printf(out, err,
                             "The index was damaged, so it was begun again%s\n",
                             has_dates ? ". Run squint archive index for "
                                         "pictures of other times."
                                       : "."))
        && (built->troubled == 0
            || sq_buf_printf(
                out, err, "The folder %s %s: its texts are kept as they are.\n",
                sq_archive_root_at(archive, (size_t)built->troubled_root)->path,
                sq_search_trouble_text(built->trouble)));
}

static bool
print_built(const struct sq_archive_index_request *request,
            const struct sq_search_built *built, struct sq_buf *out,
            struct sq_err *err) {
    const struct sq_search_progress *p = &built->progress;
    const struct {
        const char *key;
        int64_t count;
    } figures[] = {
        { "pictures", (int64_t)p->all },
        { "read", (int64_t)p->read },
        { "alike", (int64_t)p->alike },
        { "changed", (int64_t)p->changed },
        { "known", (int64_t)built->known },
        { "activitiesAdded", (int64_t)built->named },
        { "unreadable", (int64_t)built->unreadable },
        { "onlyThumbnails", (int64_t)built->small },
        { "removed", built->removed },
        { "linesRead", p->lines_read },
        { "linesKnown", p->lines_known },
        { "foldersNotPermitted", built->forbidden },
        { "foldersUnreadable", built->troubled },
        { "indexesRebuilt", built->rebuilt },
    };
    struct sq_page page = { .out = out };
    struct sq_json_writer w;
    SQ_BUF(answer, MAX_ANSWER_BYTES);
    sq_json_open(&w, &answer);
    for (size_t i = 0; i < SQ_COUNT(figures); i++) {
        sq_put_int(&w, figures[i].key, figures[i].count);
    }
    sq_put_bool(&w, "interrupted", built->is_cancelled);
    if (!request->json) {
        sq_put_int(&w, "done", (int64_t)p->done);
    }
    return sq_command_end_answer(&w, request->json, text, &page, err)
        && (request->json
            || (print_problems(request, built, out, err)
                && (!built->is_cancelled
                    || sq_buf_printf(out, err,
                                     "Run it again to go on where it "
                                     "stopped.\n"))));
}

static bool
build(const struct sq_archive_index_request *request,
      struct sq_search_built *built, struct sq_err *err) {
    struct sq_reader *reader = NULL;
    struct sq_progress line;
    const struct sq_deadline deadline =
        sq_deadline_in(INDEX_TIMEOUT_MS, request->cancel);
    struct sq_search_build_request how = {
        .past = request->past,
        .redactor = request->redactor,
        .deadline = &deadline,
        .repairs = true,
        .report = draw,
        .context = &line,
    };
    sq_call_lower_priority(); /* the workers that are started inherit it */
    if (!choose_window(request, &how.window, err)
        || !sq_host_create_reader(request->language, 0, &reader, err)) {
        return false;
    }
    how.reader = reader;
    sq_progress_start(&line);
    bool ok = sq_reader_start(reader, &deadline, err)
           && sq_search_build(&how, built, err);
    sq_progress_clear(&line);
    sq_reader_destroy(reader);
    return ok;
}

/* Fails if no folder could be looked at. */
static bool
check_folders(const struct sq_archive_index_request *request,
              const struct sq_search_built *built, struct sq_err *err) {
    if (built->folders > 0 || built->is_cancelled) {
        return true;
    }
    if (built->troubled > 0) {
        return sq_search_fail_troubled(request->past, built->troubled_root,
                                       built->trouble, err);
    }
    sq_fail(err, SQ_ERR_INVALID_OPERATION,
            "no folder of screenshots may be read: text needs the permission "
            "full");
    return sq_fail_hint(err, "The permission is set in archive.roots, or after "
                             "the path: --archive DIR=full.");
}

static bool
remove_all(const struct sq_archive_index_request *request, struct sq_buf *out,
           struct sq_err *err) {
    unsigned removed;
    const struct sq_deadline deadline =
        sq_deadline_in(INDEX_TIMEOUT_MS, request->cancel);
    return sq_search_delete(request->past->archive, &deadline, &removed, err)
        && sq_buf_printf(out, err, "Removed %u ind%s of texts\n", removed,
                         removed == 1 ? "ex" : "exes");
}

bool
sq_archive_index_run(const struct sq_archive_index_request *request,
                     struct sq_buf *out, enum sq_status *status,
                     struct sq_err *err) {
    struct sq_search_built built;
    if (request->remove) {
        return remove_all(request, out, err);
    }
    if (!build(request, &built, err) || !check_folders(request, &built, err)
        || !print_built(request, &built, out, err)) {
        return false;
    }
    *status = built.is_cancelled ? SQ_STATUS_INTERRUPTED
            : built.troubled > 0 ? SQ_STATUS_FAILED
                                 : SQ_STATUS_OK;
    return true;
}
