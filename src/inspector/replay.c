/* Plays and exports journals for the page. */
#include "inspector/private.h"
#include "tools/reply.h"

#define MAX_SCRIPT_BYTES ((size_t)8 << 20)

bool
sq_inspector_journal(const struct sq_inspector_request *request,
                     struct sq_json_writer *w, struct sq_err *err) {
    const struct sq_inspector_player *player =
        &request->inspector->options.player;
    struct sq_buf text = { 0 };
    bool ok = sq_inspector_read_journal(request, &text, err)
           && player->describe(sq_buf_span(&text), w, err);
    sq_buf_finish(&text);
    return ok;
}

bool
sq_inspector_export(const struct sq_inspector_request *request,
                    struct sq_json_writer *w, struct sq_err *err) {
    const struct sq_inspector_player *player =
        &request->inspector->options.player;
    struct sq_buf text = { 0 };
    struct sq_buf script;
    sq_buf_init(&script, MAX_SCRIPT_BYTES);
    bool ok = sq_inspector_read_journal(request, &text, err)
           && player->export(sq_buf_span(&text),
                             sq_json_text_of(request->arguments, "form"),
                             &script, err);
    if (ok) {
        sq_json_put_key(w, "script");
        sq_json_put_string(w, sq_buf_span(&script));
    }
    sq_buf_finish(&script);
    sq_buf_finish(&text);
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
    sq_json_put_key(&w, "replay");
    sq_json_put_raw(&w, json);
    return sq_inspector_send_event(request, message, &w);
}

static void
send_failure(const struct sq_inspector_request *request,
             const struct sq_err *err) {
    struct sq_json_writer w;
    struct sq_mcp_message *message = sq_inspector_begin_event(&w);
    if (message) {
        sq_inspector_put_error(&w, err);
        sq_inspector_send_event(request, message, &w);
    }
}

void
sq_inspector_replay(struct sq_inspector_request *request) {
    const struct sq_inspector_player *player =
        &request->inspector->options.player;
    struct sq_err err = { 0 };
    struct sq_buf text = { 0 };
    bool ok = sq_inspector_read_journal(request, &text, &err);
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
        send_failure(request, &err);
    }
    sq_buf_finish(&text);
}
