/* The resources of the host: health, guide and pictures. */
#include "app/host/private.h"

#include "sys/clock.h"
#include "sys/sandbox.h"
#include "tools/reply.h"
#include "tools/rtfm.h"
#include "tools/screen/live_frame.h"
#include "tools/screen/output_folder.h"

#define MAX_HEALTH_BYTES ((size_t)256 << 10)
#define NS_PER_SECOND 1000000000
#define VIEWER_FRESH_MS 3600000
/* Quality of a recent capture, which is sent in full size. */
#define LIVE_QUALITY 85

const struct sq_mcp_resource sq_host_resources[] = {
    { SQ_HEALTH_URI, "health", "Health",
      "Devices, configuration, warnings and what this conversation has cost",
      "application/json" },
    { SQ_GUIDE_URI, "guide", "How to use squint",
      "The three flows, coordinates and frames in one page", "text/markdown" },
    { SQ_MANICTIME_HEALTH_URI, "manictime-health", "Past screenshots",
      "State of the screenshot folders, in the format of the ManicTime server",
      "application/json" },
};
const size_t sq_host_resource_count = SQ_COUNT(sq_host_resources);

static void
put_devices(struct sq_json_writer *w, const struct sq_device_list *list) {
    sq_json_begin_array_of(w, "devices");
    for (size_t i = 0; i < list->count; i++) {
        const struct sq_device_info *info = &list->items[i];
        sq_json_begin_object(w);
        sq_json_put_untrusted(sq_json_at(w, "deviceId"), sq_span_of(info->id));
        sq_put_text(w, "kind", info->kind);
        sq_put_text(w, "state", sq_device_state_name(info->state));
        if (info->why[0]) {
            sq_json_put_untrusted(sq_json_at(w, "why"), sq_span_of(info->why));
        }
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

static void
put_config(struct sq_json_writer *w, const struct sq_config *config) {
    sq_json_begin_object_of(w, "config");
    if (config->file) {
        sq_json_put_untrusted(sq_json_at(w, "file"), sq_span_of(config->file));
    }
    sq_put_int(w, "maxImageDimension", sq_reply_max_dimension(config));
    sq_put_bool(w, "readOnly", config->tools.read_only);
    sq_json_begin_array_of(w, "warnings");
    for (size_t i = 0; i < config->warnings.count; i++) {
        sq_json_put_untrusted(w, sq_span_of(config->warnings.items[i]));
    }
    sq_json_end_array(w);
    sq_json_end_object(w);
}

static void
put_ledger(struct sq_json_writer *w, const struct sq_ledger *ledger) {
    const struct {
        const char *name;
        long value;
    } rows[] = {
        { "calls", ledger->calls },
        { "images", ledger->images },
        { "imageTokens", ledger->image_tokens },
        { "imageBytes", ledger->image_bytes },
        { "textBytes", ledger->text_bytes },
    };
    sq_json_begin_object_of(w, "ledger");
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        sq_json_put_int(sq_json_at(w, rows[i].name), rows[i].value);
    }
    sq_json_end_object(w);
}

static bool
read_health(struct sq_host *host, struct sq_mcp_call *call, struct sq_buf *out,
            struct sq_err *err) {
    SQ_FREED(sq_device_list_finish) struct sq_device_list list = { 0 };
    struct sq_host_archive archive = { 0 };
    if (!sq_devices_list(host->devices, &list, &call->deadline, err)
        || !sq_host_inspect_archive(host->library, &call->deadline, &archive,
                                    err)) {
        return false;
    }
    struct sq_ledger ledger = sq_session_ledger(call->state);
    char sandbox[SQ_SANDBOX_TEXT_SIZE];
    struct sq_json_writer w;
    sq_json_open(&w, out);
    sq_json_put_string(sq_json_at(&w, "status"),
                       list.problem_count || host->config->warnings.count
                               || archive.state.is_degraded
                           ? SQ_SPAN("degraded")
                           : SQ_SPAN("ok"));
    sq_put_text(&w, "version", SQ_VERSION);
    sq_put_int(&w, "uptimeSeconds",
               (sq_clock_monotonic_ns() - host->started_ns) / NS_PER_SECOND);
    sq_sandbox_describe(sq_sandbox_state(), sandbox);
    sq_put_text(&w, "sandbox", sq_sandbox_state().is_entered ? sandbox : "off");
    put_devices(&w, &list);
    sq_json_begin_array_of(&w, "problems");
    for (size_t i = 0; i < list.problem_count; i++) {
        sq_json_begin_object(&w);
        sq_put_text(&w, "kind", list.problems[i].kind);
        sq_json_put_untrusted(sq_json_at(&w, "message"),
                              sq_span_of(list.problems[i].err.message));
        sq_json_end_object(&w);
    }
    sq_json_end_array(&w);
    sq_host_put_archive(host->library, &archive, &w);
    put_config(&w, host->config);
    put_ledger(&w, &ledger);
    sq_put_mark(&w);
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}

static bool
read_manictime_health(struct sq_host *host, struct sq_mcp_call *call,
                      struct sq_buf *out, struct sq_err *err) {
    struct sq_host_archive archive = { 0 };
    struct sq_json_writer w;
    if (!sq_host_inspect_archive(host->library, &call->deadline, &archive,
                                 err)) {
        return false;
    }
    sq_json_open(&w, out);
    sq_host_put_manictime(host->library, &archive,
                          host->config->archive.manictime_source, &w);
    sq_put_mark(&w);
    return sq_json_close(&w, err);
}

const struct sq_mcp_resource sq_host_templates[] = {
    { SQ_OUTPUT_URI "{screenshotRef}", "screenshot", "A screenshot",
      "The picture of a screenshotRef, of a recent screenshotId, or of a link",
      NULL },
    { SQ_OUTPUT_ALIAS "{screenshotRef}", "manictime-screenshot", "A screenshot",
      "The same as " SQ_OUTPUT_URI "{screenshotRef}", NULL },
};
const size_t sq_host_template_count = SQ_COUNT(sq_host_templates);

static bool
read_text(bool ok, const char *mime_type, struct sq_buf *data,
          struct sq_mcp_content *out) {
    if (!ok) {
        sq_buf_finish(data);
        return false;
    }
    *out = (struct sq_mcp_content){ .mime_type = mime_type,
                                    .is_text = true,
                                    .data = *data };
    return true;
}

/* Replaces the picture in bytes by a converted one. */
static bool
convert(struct sq_buf *bytes, const struct sq_picture_opts *options,
        struct sq_err *err) {
    struct sq_picture_info info;
    struct sq_buf made;
    sq_buf_init(&made, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_picture_make(bytes->data, bytes->len, options,
                              &sq_limits_default, &made, &info, err);
    sq_buf_finish(ok ? bytes : &made);
    if (ok) {
        *bytes = made;
    }
    return ok;
}

/* Reads a recent capture of a screen. */
static bool
read_live(struct sq_host *host, struct sq_mcp_call *call, struct sq_span id,
          struct sq_mcp_content *out, struct sq_err *err) {
    const struct sq_picture_opts options = { .quality = LIVE_QUALITY };
    struct sq_host_ticket *ticket = call->ticket;
    const struct sq_live_frame_reader reader = {
        .session = call->state,
        .devices = host->devices,
        .work = ticket ? &ticket->work : NULL,
        .deadline = &call->deadline,
    };
    struct sq_buf bytes;
    sq_buf_init(&bytes, SQ_MAX_IMAGE_BYTES);
    if (!sq_live_frame_read(&reader, id, &bytes, err)
        || !convert(&bytes, &options, err)) {
        sq_buf_finish(&bytes);
        return false;
    }
    *out = (struct sq_mcp_content){
        .mime_type = sq_format_mime(SQ_FORMAT_JPEG),
        .data = bytes,
    };
    return true;
}

/*
 * Returns which picture to read: the thumbnail if nothing larger exists or may
 * be sent.
 */
static enum sq_archive_want
choose_file(const struct sq_archive_pick *pick) {
    bool may_see_all =
        sq_permission_allows(pick->permission).max_side == SQ_ARCHIVE_ANY_SIDE;
    bool has_thumb = (pick->shot.flags & SQ_SHOT_THUMB) != 0;
    bool is_small =
        !(pick->shot.flags & SQ_SHOT_FULL) || (has_thumb && !may_see_all);
    return is_small ? SQ_ARCHIVE_WANT_THUMB : SQ_ARCHIVE_WANT_TO_SHRINK;
}

static bool
read_picture(struct sq_host *host, struct sq_span ref, struct sq_mcp_call *call,
             struct sq_mcp_content *out, struct sq_err *err) {
    struct sq_buf data = { 0 };
    const char *mime_type;
    struct sq_err local_err = { 0 };
    struct sq_host_ticket *ticket = call->ticket;
    if (ticket && !sq_work_begin(&ticket->work, false, &call->deadline, err)) {
        return false;
    }
    if (sq_session_is_frame_id(ref)) {
        return read_live(host, call, ref, out, err);
    }
    if (sq_output_file_read(host->config, ref, &data, &mime_type, &local_err)) {
        *out = (struct sq_mcp_content){ .mime_type = mime_type, .data = data };
        return true;
    }
    if (local_err.code == SQ_ERR_NOT_FOUND) {
        /*
         * Reads a past screenshot, in full or as far as the root's permission
         * allows.
         */
        struct sq_archive *archive = host->library->archive;
        struct sq_archive_pick pick;
        struct sq_archive_file file = { 0 };
        if (!sq_archive_resolve(archive, ref, &call->deadline, &pick, err)) {
            return false;
        }
        if (!sq_archive_read(archive, &pick, choose_file(&pick),
                             &call->deadline, &file, err)) {
            return false;
        }
        bool is_made = file.whole.width > 0;
        *out = (struct sq_mcp_content){
            .mime_type = is_made ? sq_format_mime(SQ_FORMAT_JPEG)
                                 : sq_name_mime(&pick.shot),
            .data = file.bytes,
        };
        return true;
    }
    return sq_fail_with(err, &local_err);
}

bool
sq_host_read_resource(void *context, struct sq_span uri,
                      struct sq_mcp_call *call, struct sq_mcp_content *out,
                      struct sq_err *err) {
    struct sq_host *host = context;
    struct sq_span rest = uri;
    struct sq_buf data;
    sq_buf_init(&data, MAX_HEALTH_BYTES);
    if (sq_span_is(uri, SQ_HEALTH_URI)) {
        return read_text(read_health(host, call, &data, err),
                         "application/json", &data, out);
    }
    if (sq_span_is(uri, SQ_MANICTIME_HEALTH_URI)) {
        return read_text(read_manictime_health(host, call, &data, err),
                         "application/json", &data, out);
    }
    if (sq_span_is(uri, SQ_VIEWER_URI)) {
        /*
         * The page that shows pictures to the person. It uses nothing from
         * elsewhere, so it asks for no domain.
         */
        bool ok = read_text(
            sq_buf_append(&data, sq_viewer_page, sq_viewer_page_size, err),
            SQ_MCP_PAGE_TYPE, &data, out);
        if (ok) {
            out->meta = "{\"ui\":{\"prefersBorder\":false}}";
            out->fresh_ms = VIEWER_FRESH_MS;
        }
        return ok;
    }
    if (sq_span_is(uri, SQ_GUIDE_URI)) {
        return read_text(
            sq_rtfm(sq_host_offer(host), SQ_SPAN(""), SQ_SPAN(""), &data, err),
            "text/markdown", &data, out);
    }
    if (sq_span_take_prefix(&rest, SQ_OUTPUT_URI)
        || sq_span_take_prefix(&rest, SQ_OUTPUT_ALIAS)) {
        return read_picture(host, rest, call, out, err);
    }
    int shown = uri.len < 100 ? (int)uri.len : 100;
    return sq_fail(err, SQ_ERR_NOT_FOUND, "there is no resource \"%.*s\"",
                   shown, uri.ptr);
}
