/* Reads and plays journals for the inspector. */
#include "app/replay/replay.h"

#include <inttypes.h>
#include <stdio.h>

#include "json/writer.h"
#include "tools/reply.h"

#define MAX_EVENT_BYTES ((size_t)64 << 10)

/* A journal that is being played. */
struct playing {
    const struct sq_inspector_play *play;
    struct sq_replay_script script;
    char device[SQ_DEVICE_ID_SIZE];
    int done;
};

static bool
describe(struct sq_span journal, struct sq_json_writer *w, struct sq_err *err) {
    SQ_FREED(sq_replay_script_finish) struct sq_replay_script script = { 0 };
    bool ok = sq_replay_script_parse(journal, &script, err);
    if (ok) {
        sq_put_int(w, "calls", (int64_t)script.journal.count);
        sq_put_int(w, "actions", (int64_t)script.actions.count);
        sq_put_clean(w, "version", script.journal.version);
        sq_put_bool(w, "incomplete", script.journal.is_incomplete);
        sq_put_bool(w, "full", script.journal.is_full);
        /* Writes the numbers of the secrets that a journal needs. */
        uint64_t last = 0;
        sq_json_begin_array_of(w, "secrets");
        for (size_t i = 0; i < script.actions.count; i++) {
            uint64_t number = sq_replay_secret_of(&script.actions.items[i]);
            if (number > last) {
                sq_json_put_int(w, (int64_t)number);
                last = number;
            }
        }
        sq_json_end_array(w);
    }
    return ok;
}

static bool
find_form(struct sq_span name, enum sq_export_form *out, struct sq_err *err) {
    int form = 0;
    while (sq_export_names[form] && !sq_span_is(name, sq_export_names[form])) {
        form++;
    }
    *out = (enum sq_export_form)form;
    return sq_export_names[form]
        || sq_fail(err, SQ_ERR_ARGUMENT, "form must be sh or maestro");
}

static bool
export_journal(struct sq_span journal, struct sq_span form, struct sq_buf *out,
               struct sq_err *err) {
    SQ_FREED(sq_replay_script_finish) struct sq_replay_script script = { 0 };
    enum sq_export_form wanted;
    return find_form(form, &wanted, err)
        && sq_replay_script_parse(journal, &script, err)
        && sq_export(wanted, &script, out, err);
}

/*
 * Sends one event. If there is no memory for it the page misses a line of the
 * report, but not the summary.
 */
static void
send_step(void *context, const struct sq_replay_step *step) {
    struct playing *playing = context;
    struct sq_json_writer w;
    SQ_BUF(json, MAX_EVENT_BYTES);
    sq_json_open(&w, &json);
    sq_json_put_key(&w, "step");
    sq_replay_put_step(&w, step);
    sq_put_int(&w, "done", ++playing->done);
    sq_put_int(&w, "count", (int64_t)playing->script.actions.count);
    sq_json_end_object(&w);
    if (sq_json_writer_done(&w, NULL)) {
        playing->play->report(playing->play->report_context,
                              sq_buf_span(&json));
    }
}

static bool
send_summary(const struct playing *playing,
             const struct sq_replay_summary *summary, struct sq_err *err) {
    struct sq_json_writer w;
    SQ_BUF(json, MAX_EVENT_BYTES);
    sq_json_open(&w, &json);
    sq_json_begin_object_of(&w, "summary");
    sq_replay_put_summary(&w, summary);
    sq_json_end_object(&w);
    bool ok = sq_json_close(&w, err);
    if (ok) {
        playing->play->report(playing->play->report_context,
                              sq_buf_span(&json));
    }
    return ok;
}

/* Checks that the page has sent the text of each secret. */
static bool
check_secrets(const struct playing *playing, struct sq_err *err) {
    const struct sq_replay_actions *actions = &playing->script.actions;
    const struct sq_json *secrets = playing->play->secrets;
    for (size_t i = 0; i < actions->count; i++) {
        uint64_t number = sq_replay_secret_of(&actions->items[i]);
        struct sq_span text;
        if (number > 0
            && (!secrets || !sq_replay_secret(secrets, number, &text))) {
            return sq_fail(err, SQ_ERR_ARGUMENT,
                           "the text of secret %" PRIu64 " is missing", number);
        }
    }
    return true;
}

static bool
read_device(struct playing *playing, struct sq_err *err) {
    struct sq_span device = playing->play->device;
    if (device.len >= sizeof(playing->device)) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "the name of the device is too "
                       "long");
    }
    if (device.len > 0) {
        memcpy(playing->device, device.ptr, device.len);
    }
    return true;
}

static bool
run(struct sq_host *host, struct playing *playing, struct sq_err *err) {
    struct sq_replay_summary summary;
    struct sq_session *session = NULL;
    if (!sq_host_create_session(host, &session, err)) {
        return false;
    }
    const struct sq_replay_options options = {
        .host = host,
        .journal = &playing->script.journal,
        .device = playing->device[0] ? playing->device : NULL,
        .session = session,
        .secrets = playing->play->secrets,
        .cancel = playing->play->cancel,
        .report = send_step,
        .context = playing,
    };
    bool ok = sq_replay_run(&options, &playing->script.actions, &summary, err)
           && send_summary(playing, &summary, err);
    sq_session_destroy(session);
    return ok;
}

static bool
play(void *context, const struct sq_inspector_play *play, struct sq_err *err) {
    struct playing playing = { .play = play };
    bool ok = sq_replay_script_parse(play->journal, &playing.script, err)
           && read_device(&playing, err) && check_secrets(&playing, err)
           && run(context, &playing, err);
    sq_replay_script_finish(&playing.script);
    return ok;
}

struct sq_inspector_player
sq_replay_player(struct sq_host *host) {
    return (struct sq_inspector_player){
        .context = host,
        .describe = describe,
        .export = export_journal,
        .play = play,
    };
}
