/*
 * Records the calls of all clients for the page, and keeps the journals in the
 * user's state folder.
 */
#include "inspector/private.h"

#include <stdio.h>

#include "journal/journal.h"
#include "sys/clock.h"
#include "sys/folder.h"
#include "tools/reply.h"
#include "util/mem.h"

#define FOLDER "squint/journals"
#define ENDING ".jsonl"
#define MAX_LISTED 1000
#define NS_PER_MS 1000000
#define MS_PER_DAY INT64_C(86400000)
#define NAME_SIZE SQ_FOLDER_NAME_SIZE

void
sq_inspector_put_recording(struct sq_json_writer *w,
                           const struct sq_inspector *inspector) {
    sq_json_put_key(w, "recording");
    SQ_LOCKED(inspector->journal_lock);
    const struct sq_journal_writer *writer = inspector->journal;
    if (writer) {
        const struct sq_journal_progress progress =
            sq_journal_writer_progress(writer);
        sq_json_begin_object(w);
        sq_put_text(w, "journal", sq_path_base(sq_journal_writer_path(writer)));
        sq_put_int(w, "calls", (int64_t)progress.calls);
        sq_put_int(w, "bytes", (int64_t)progress.bytes);
        if (progress.ended) {
            sq_put_text(w, "ended", progress.ended);
        }
        sq_json_end_object(w);
    } else {
        sq_json_put_null(w);
    }
    sq_lock_unlock(inspector->journal_lock);
}

static bool
is_journal(struct sq_span name) {
    return name.len > strlen(ENDING) && name.len < NAME_SIZE
        && name.ptr[0] != '.' && sq_span_ends_with(name, ENDING);
}

/* Calls one for each journal of the folder, in any order. */
static bool
for_each(const struct sq_state_folder *folder,
         void (*one)(void *context, const struct sq_state_folder *folder,
                     struct sq_span name),
         void *context, struct sq_err *err) {
    struct sq_entries *entries = NULL;
    struct sq_entry entry;
    int list;
    int count = 0;
    if (!sq_state_folder_open_list(folder, &list, err)) {
        return false;
    }
    bool ok = sq_entries_create(&entries, err);
    if (ok) {
        sq_entries_start(entries, list);
    }
    while (ok && count < MAX_LISTED && sq_entries_next(entries, &entry)) {
        if (is_journal(entry.name)) {
            one(context, folder, entry.name);
            count++;
        }
    }
    sq_entries_destroy(entries);
    sq_folder_close(list);
    return ok;
}

/*
 * Removes a journal that was begun before *context, by its name. One that
 * cannot be removed stays in the list.
 */
static void
remove_old(void *context, const struct sq_state_folder *folder,
           struct sq_span name) {
    const int64_t *first_kept_ms = context;
    struct sq_span rest = name;
    int64_t begun_ms;
    if (sq_span_take_prefix(&rest, "squint-")
        && sq_span_take_int64(&rest, &begun_ms) && begun_ms < *first_kept_ms) {
        sq_state_folder_remove(folder, name.ptr, NULL);
    }
}

static bool
remove_all_old(const struct sq_inspector *inspector,
               const struct sq_state_folder *folder, struct sq_err *err) {
    int days = inspector->options.config->journal.keep_days;
    int64_t first_kept_ms = sq_clock_wall_ns() / NS_PER_MS - days * MS_PER_DAY;
    return days == 0 || for_each(folder, remove_old, &first_kept_ms, err);
}

/* Creates a journal in the folder. Called with the lock held. */
static bool
start(struct sq_inspector *inspector, struct sq_err *err) {
    const struct sq_inspector_options *options = &inspector->options;
    struct sq_state_folder folder;
    if (inspector->journal) {
        return true;
    }
    if (!sq_state_folder_open_kept(FOLDER, &folder, err)) {
        return false;
    }
    const struct sq_journal_options journal = {
        .path = folder.path,
        .max_bytes = (size_t)options->config->journal.max_megabytes << 20,
        .version = options->version,
    };
    bool ok = remove_all_old(inspector, &folder, err)
           && sq_journal_writer_create(&journal, options->calls,
                                       &inspector->journal, err);
    sq_state_folder_close(&folder);
    return ok;
}

bool
sq_inspector_set_recording(const struct sq_inspector_request *request,
                           struct sq_json_writer *w, struct sq_err *err) {
    struct sq_inspector *inspector = request->inspector;
    struct sq_span action = sq_json_text_of(request->arguments, "action");
    bool ok = true;
    sq_lock_lock(inspector->journal_lock);
    if (sq_span_is(action, "start")) {
        ok = start(inspector, err);
    } else if (sq_span_is(action, "stop")) {
        sq_journal_writer_destroy(inspector->journal);
        inspector->journal = NULL;
    } else {
        ok = sq_fail(err, SQ_ERR_ARGUMENT, "action must be start or stop");
    }
    sq_lock_unlock(inspector->journal_lock);
    if (ok) {
        sq_inspector_tell(inspector);
        sq_inspector_put_recording(w, inspector);
    }
    return ok;
}

static void
put_journal(void *context, const struct sq_state_folder *folder,
            struct sq_span name) {
    struct sq_json_writer *w = context;
    sq_json_begin_object(w);
    sq_put_clean(w, "name", name);
    sq_put_int(w, "bytes", (int64_t)sq_state_folder_size(folder, name.ptr));
    sq_json_end_object(w);
}

bool
sq_inspector_journals(const struct sq_inspector_request *request,
                      struct sq_json_writer *w, struct sq_err *err) {
    struct sq_state_folder folder;
    if (!sq_state_folder_open_kept(FOLDER, &folder, err)) {
        return false;
    }
    char home[SQ_PATH_SIZE];
    char shown[SQ_PATH_SIZE + 2];
    struct sq_span rest = sq_span_of(folder.path);
    bool is_home = sq_user_path(SQ_USER_HOME, "", home) && strlen(home) > 1
                && sq_span_take_prefix(&rest, home);
    snprintf(shown, sizeof(shown), "%s%.*s", is_home ? "~/" : "",
             SQ_SPAN_ARGS(rest));
    sq_put_clean(w, "folder", sq_span_of(shown));
    sq_put_int(w, "keepDays",
               request->inspector->options.config->journal.keep_days);
    sq_json_begin_array_of(w, "journals");
    bool ok = remove_all_old(request->inspector, &folder, err)
           && for_each(&folder, put_journal, w, err);
    sq_json_end_array(w);
    sq_state_folder_close(&folder);
    if (ok) {
        sq_inspector_put_recording(w, request->inspector);
    }
    return ok;
}

/* Copies the name of a journal from a request. */
static bool
read_name(const struct sq_inspector_request *request, char out[NAME_SIZE],
          struct sq_err *err) {
    struct sq_span name = sq_json_text_of(request->arguments, "journal");
    if (!is_journal(name) || sq_span_contains(name, '/')
        || !sq_folder_check_name(name, NULL)) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "this is not a journal's name");
    }
    memcpy(out, name.ptr, name.len);
    out[name.len] = '\0';
    return true;
}

/*
 * Reads the journal that a request names. *out must hold no memory before; the
 * caller finishes it, also after a failure.
 */
static bool
inspector_read_journal(const struct sq_inspector_request *request,
                       struct sq_buf *out, struct sq_err *err) {
    struct sq_state_folder folder;
    char name[NAME_SIZE];
    if (!read_name(request, name, err)
        || !sq_state_folder_open_kept(FOLDER, &folder, err)) {
        return false;
    }
    sq_buf_init(out, SQ_JOURNAL_MAX_BYTES);
    bool ok =
        sq_state_folder_read(&folder, name, SQ_JOURNAL_MAX_BYTES, out, err);
    sq_state_folder_close(&folder);
    if (ok && out->len == 0) {
        return sq_fail(err, SQ_ERR_NOT_FOUND, "this journal no longer exists");
    }
    return ok;
}

bool
sq_inspector_delete_journal(const struct sq_inspector_request *request,
                            struct sq_json_writer *w, struct sq_err *err) {
    struct sq_inspector *inspector = request->inspector;
    struct sq_state_folder folder;
    char name[NAME_SIZE];
    (void)w;
    if (!read_name(request, name, err)
        || !sq_state_folder_open_kept(FOLDER, &folder, err)) {
        return false;
    }
    sq_lock_lock(inspector->journal_lock);
    bool is_open =
        inspector->journal
        && strcmp(sq_path_base(sq_journal_writer_path(inspector->journal)),
                  name)
               == 0;
    bool ok = is_open ? sq_fail(err, SQ_ERR_INVALID_OPERATION,
                                "this journal is being written: stop the "
                                "recording first")
                      : sq_state_folder_remove(&folder, name, err);
    sq_lock_unlock(inspector->journal_lock);
    sq_state_folder_close(&folder);
    return ok;
}

#define MAX_SCRIPT_BYTES ((size_t)8 << 20)

bool
sq_inspector_journal(const struct sq_inspector_request *request,
                     struct sq_json_writer *w, struct sq_err *err) {
    const struct sq_inspector_player *player =
        &request->inspector->options.player;
    SQ_FREED(sq_buf_finish) struct sq_buf text = { 0 };
    return inspector_read_journal(request, &text, err)
        && player->describe(sq_buf_span(&text), w, err);
}

bool
sq_inspector_export(const struct sq_inspector_request *request,
                    struct sq_json_writer *w, struct sq_err *err) {
    const struct sq_inspector_player *player =
        &request->inspector->options.player;
    SQ_FREED(sq_buf_finish) struct sq_buf text = { 0 };
    SQ_BUF(script, MAX_SCRIPT_BYTES);
    bool ok = inspector_read_journal(request, &text, err)
           && player->export(sq_buf_span(&text),
                             sq_json_text_of(request->arguments, "form"),
                             &script, err);
    if (ok) {
        sq_json_put_string(sq_json_at(w, "script"), sq_buf_span(&script));
    }
    return ok;
}

/* Sends one event: a JSON object. Returns false if the page has gone. */
static bool
report(void *context, struct sq_span json) {
    const struct sq_inspector_request *request = context;
    struct sq_json_writer w;
    struct sq_mcp_message *message = sq_inspector_begin_event(&w);
    if (!message) {
        return false;
    }
    sq_json_put_raw(sq_json_at(&w, "replay"), json);
    return sq_inspector_send_event(request, message, &w);
}

void
sq_inspector_replay(struct sq_inspector_request *request) {
    const struct sq_inspector_player *player =
        &request->inspector->options.player;
    struct sq_err err = { 0 };
    SQ_FREED(sq_buf_finish) struct sq_buf text = { 0 };
    bool ok = inspector_read_journal(request, &text, &err);
    if (ok) {
        const struct sq_inspector_play play = {
            .journal = sq_buf_span(&text),
            .device = sq_json_text_of(request->arguments, "device"),
            .secrets = sq_json_get(request->arguments, "secrets"),
            .cancel = request->call->cancel,
            .report = report,
            .report_context = request,
        };
        ok = player->play(player->context, &play, &err);
    }
    if (!ok) {
        struct sq_json_writer w;
        struct sq_mcp_message *message = sq_inspector_begin_event(&w);
        if (message) {
            sq_inspector_put_error(&w, &err);
            sq_inspector_send_event(request, message, &w);
        }
    }
}
