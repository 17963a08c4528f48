/*
 * Opens a device that a WebDriver server lends, and ends sessions that start
 * after their calls have ended: a server may need a minute to start a phone or
 * a browser, and keeps it if it is not told.
 */
#include "device/webdriver/webdriver.h"

#include <pthread.h>
#include <string.h>

#include "device/webdriver/private.h"
#include "util/limits.h"
#include "util/mem.h"

#define MAX_CAPABILITIES ((size_t)64 << 10)
#define MAX_MEMORY ((size_t)64 << 20) /* of one answer */
#define USUAL_TREE_MS 100             /* of a page that was not read yet */
#define LATE_MS 120000 /* as long as a session may take to start */
#define LOOK_MS 3000
#define END_MS 10000 /* for all of them at the end of the process */
#define CHECK_MS 50
#define MAX_THREADS 8
#define MAX_WAITING 56

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

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct sq_side_thread threads; /* guarded by the mutex, as the list */
static struct sq_webdriver *list;

static void
unlist(const struct sq_webdriver *wd) {
    pthread_mutex_lock(&mutex);
    struct sq_webdriver **at = &list;
    while (*at != wd) {
        at = &(*at)->next_late;
    }
    *at = wd->next_late;
    pthread_mutex_unlock(&mutex);
}

static bool
is_listed(const char *id) {
    pthread_mutex_lock(&mutex);
    const struct sq_webdriver *wd = list;
    while (wd && strcmp(wd->base.info.id, id) != 0) {
        wd = wd->next_late;
    }
    pthread_mutex_unlock(&mutex);
    return wd != NULL;
}

static void
await_session(void *context) {
    struct sq_webdriver *wd = context;
    const struct sq_deadline look = sq_deadline_in(LOOK_MS, wd->late_cancel);
    const struct sq_deadline limit = sq_deadline_in(LATE_MS, wd->late_cancel);
    int status;
    if (!wd->endpoint.is_grid) {
        sq_wd_endpoint_look(&wd->endpoint, &look);
    }
    /* A Grid forgets a request whose connection ends, and its session. */
    if (!wd->endpoint.is_grid && sq_wd_await(&wd->client, &status, &limit, NULL)
        && sq_wd_take_session(wd, status, NULL)) {
        sq_wd_end(wd);
    }
    unlist(wd);
    sq_device_destroy(&wd->base);
}

static bool
submit(struct sq_webdriver *wd) {
    pthread_mutex_lock(&mutex);
    bool ok =
        (threads.cancel || sq_cancel_create(&threads.cancel, NULL))
        && (threads.pool
            || sq_pool_create(MAX_THREADS, MAX_WAITING, &threads.pool, NULL));
    wd->late_cancel = threads.cancel;
    if (ok && (ok = sq_pool_submit(threads.pool, await_session, wd, NULL))) {
        wd->next_late = list;
        list = wd;
    }
    pthread_mutex_unlock(&mutex);
    return ok;
}

/*
 * Destroys a device whose session was not there in time. If it may still start,
 * a thread waits for it and ends it; at the end of the process for
 * a short time only.
 */
static void
give_up(struct sq_webdriver *wd) {
    if (!wd->client.is_waiting || !submit(wd)) {
        sq_device_destroy(&wd->base);
    }
}

/*
 * Waits while such a session of this device may still start: drivers of phones
 * do not bear two at a time.
 */
static bool
await_late(const char *id, const struct sq_deadline *deadline,
           struct sq_err *err) {
    while (is_listed(id)) {
        if (!sq_wait_ms(CHECK_MS, deadline, err)) {
            return sq_fail_in(err, "waiting for an earlier session of %s", id);
        }
    }
    return true;
}

void
sq_webdriver_finish(void) {
    pthread_mutex_lock(&mutex);
    struct sq_side_thread ending = threads;
    threads = (struct sq_side_thread){ NULL, NULL };
    pthread_mutex_unlock(&mutex);
    if (ending.pool) {
        (void)sq_pool_stop(ending.pool, END_MS);
    }
    sq_side_thread_end(&ending);
}

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
    bool ok = await_late(info->id, deadline, err)
           && sq_lock_create(&wd->lock, err)
           && sq_wd_endpoint_find(options, info->id, &wd->endpoint,
                                  &wd->capabilities, deadline, err);
    wd->client.endpoint = &wd->endpoint;
    wd->platform = SQ_WD_IOS; /* of an agent, which needs no session yet */
    if (!ok || (!wd->endpoint.is_agent && !sq_wd_start(wd, deadline, err))) {
        give_up(wd);
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
