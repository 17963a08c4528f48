/* Opens a device that a WebDriver server lends. */
#include "device/webdriver/webdriver.h"

#include "device/webdriver/private.h"
#include "util/limits.h"
#include "util/mem.h"

#define MAX_CAPABILITIES ((size_t)64 << 10)
#define MAX_MEMORY ((size_t)64 << 20) /* of one answer */
#define USUAL_TREE_MS 100             /* of a page that was not read yet */

static void
destroy(struct sq_device *device) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    sq_side_thread_end(&wd->idle);
    if (wd->lock) {
        sq_wd_end(wd);
    }
    sq_lock_destroy(wd->lock);
    sq_wd_client_finish(&wd->client);
    sq_wd_endpoint_finish(&wd->endpoint);
    sq_wd_erase(&wd->capabilities);
    sq_wd_erase(&wd->wanted);
    sq_buf_finish(&wd->body);
    sq_arena_finish(&wd->arena);
    sq_mem_free(wd);
}

static void
webdriver_begin(struct sq_device *device, int answer_ms) {
    sq_webdriver_of(device)->has_no_call = answer_ms == SQ_NO_CALL;
}

static const struct sq_device_ops ops = {
    .kind = "webdriver",
    .begin = webdriver_begin,
    .screen = sq_wd_screen,
    .capture = sq_wd_capture,
    .tree = sq_wd_tree,
    .current_app = sq_wd_current_app,
    .tap = sq_wd_tap,
    .swipe = sq_wd_swipe,
    .text = sq_wd_text,
    .key = sq_wd_key,
    .launch = sq_wd_launch,
    .stop = sq_wd_stop,
    .apps = sq_wd_apps,
    .destroy = destroy,
    .hand = &sq_webdriver_hand,
    .capture_is_cheap = true,
};

bool
sq_webdriver_open(const struct sq_devices_options *options,
                  const struct sq_device_info *info, struct sq_device **out,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_mem_zalloc(1, sizeof(*wd));
    if (!wd) {
        return sq_fail_nomem(err);
    }
    wd->ops = ops;
    wd->base.ops = &wd->ops;
    wd->base.info = *info;
    sq_buf_init(&wd->body, 2 * SQ_MAX_CAPTURE_BYTES);
    sq_buf_init(&wd->capabilities, MAX_CAPABILITIES);
    sq_buf_init(&wd->wanted, SQ_MAX_JSON_BYTES);
    sq_arena_init(&wd->arena, MAX_MEMORY);
    wd->idle_seconds = options->webdriver.idle_seconds;
    bool ok = sq_wd_await_late(info->id, deadline, err)
           && sq_lock_create(&wd->lock, err)
           && sq_wd_endpoint_find(options, info->id, &wd->endpoint,
                                  &wd->capabilities, deadline, err);
    wd->client.endpoint = &wd->endpoint;
    wd->platform = SQ_WD_IOS; /* of an agent, which needs no session yet */
    if (!ok || (!wd->endpoint.is_agent && !sq_wd_start(wd, deadline, err))) {
        sq_wd_give_up(wd);
        return false;
    }
    if (sq_wd_is_browser(wd)) {
        wd->ops.apps_are_tabs = true;
        wd->ops.elements_are_cheap = true;
        wd->ops.tree_ms = wd->last_tree_ms = USUAL_TREE_MS;
        wd->ops.has_mouse = !wd->is_emulated_phone;
        wd->ops.whole_tree = sq_wd_whole_tree;
        wd->ops.reveal = sq_wd_reveal;
    }
    *out = &wd->base;
    return true;
}
