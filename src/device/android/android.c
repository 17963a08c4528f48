/* Lists and opens Android devices. */
#include "device/adb.h"
#include "device/android/command.h"

#include <stdio.h>
#include <string.h>

#include "device/android/adb.h"
#include "device/android/parse.h"
#include "util/mem.h"

#define MAX_LIST ((size_t)64 << 10)
#define RECONNECT_POLL_MS 150
#define RECONNECT_LIMIT_MS 600

typedef bool (*add_info)(void *context, const struct sq_device_info *info,
                         struct sq_err *err);

/* Returns how many devices have this state and serial; NULL: any. */
static int
count_devices(const struct sq_buf *list, const char *state,
              const struct sq_span *serial) {
    struct sq_span rest = sq_buf_span(list);
    struct sq_adb_device device;
    int count = 0;
    while (sq_adb_take_device(&rest, &device)) {
        count += (!state || sq_span_is(device.state, state))
              && (!serial || sq_span_equal(device.serial, *serial));
    }
    return count;
}

static bool
update_list(struct sq_adb *adb, struct sq_buf *list,
            const struct sq_deadline *deadline, struct sq_err *err) {
    sq_buf_clear(list);
    return sq_adb_ask(adb, "host:devices-l", list, deadline, err);
}

/*
 * Tries once to reconnect offline devices. Requests a new list first: adb does
 * not report over a tracked list that a device now waits for its owner's
 * permission, and reconnecting would disconnect that device.
 */
static bool
reconnect_offline(struct sq_adb *adb, struct sq_buf *list,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    if (!count_devices(list, "offline", NULL)) {
        return true;
    }
    if (!update_list(adb, list, deadline, err)) {
        return false;
    }
    if (!count_devices(list, "offline", NULL)
        || !sq_adb_reconnect_offline(adb, deadline)) {
        return true;
    }
    const struct sq_deadline limit =
        sq_deadline_within(deadline, RECONNECT_LIMIT_MS);
    bool ok = true;
    while (ok && count_devices(list, "offline", NULL)
           && sq_wait_ms(RECONNECT_POLL_MS, &limit, NULL)) {
        ok = update_list(adb, list, deadline, err);
    }
    return ok;
}

bool
sq_android_list(struct sq_adb *adb, add_info add, void *context,
                const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_BUF(list, MAX_LIST);
    bool ok = sq_adb_list(adb, &list, deadline, err)
           && reconnect_offline(adb, &list, deadline, err);
    struct sq_span rest = sq_buf_span(&list);
    struct sq_adb_device device;
    struct sq_device_info info;
    while (ok && sq_adb_take_device(&rest, &device)) {
        bool is_usable = sq_adb_describe(&device, &info);
        if (is_usable && count_devices(&list, NULL, &device.serial) > 1) {
            sq_adb_name_transport(&info);
        }
        ok = !is_usable || add(context, &info, err);
    }
    return ok;
}

static void
android_destroy(struct sq_device *device) {
    struct sq_android *android = sq_android_of(device);
    sq_adb_abandon(&android->early_dump);
    sq_adb_abandon(&android->recording);
    sq_adb_abandon(&android->video);
    sq_event_feed_finish(&android->feed);
    sq_adb_link_finish(&android->link);
    sq_emulator_finish(&android->emulator);
    sq_gunzip_destroy(android->gunzip);
    sq_eye_finish(&android->eye);
    sq_buf_finish(&android->kept_tree.document);
    sq_buf_finish(&android->display_cache.dumpsys);
    sq_mem_free(android);
}

static const struct sq_device_ops android_ops = {
    .kind = "android",
    .is_shared = true,
    .begin = sq_android_begin,
    .screen = sq_android_screen,
    .capture = sq_android_capture,
    .drawn = sq_android_drawn,
    .keep_frame = sq_android_keep_frame,
    .watch_frames = sq_android_watch_frames,
    .fetch_part = sq_android_fetch_part,
    .compare_frames = sq_android_compare_frames,
    .tree = sq_android_tree,
    .start_tree = sq_android_start_tree,
    .abandon_tree = sq_android_abandon_tree,
    .password_focus = sq_android_password_focus_now,
    .current_app = sq_android_current_app,
    .tap = sq_android_tap,
    .swipe = sq_android_swipe,
    .text = sq_android_text,
    .key = sq_android_key,
    .launch = sq_android_launch,
    .stop = sq_android_stop,
    .apps = sq_android_apps,
    .destroy = android_destroy,
    .hand = &sq_android_hand,
    .can_type = sq_android_can_type,
    .has_text_ways = true,
    /* Assume that reading elements takes seconds until measured. */
    .elements_are_cheap = false,
    .capture_is_cheap = true,
};

bool
sq_android_open(struct sq_adb *adb, const struct sq_device_info *info,
                struct sq_device **out, const struct sq_deadline *deadline,
                struct sq_err *err) {
    struct sq_android *android = sq_mem_zalloc(1, sizeof(*android));
    if (!android) {
        return sq_fail_nomem(err);
    }
    android->ops = android_ops;
    android->base.ops = &android->ops;
    android->base.info = *info;
    android->eye.link = &android->link;
    sq_buf_init(&android->kept_tree.document, SQ_ANDROID_MAX_CACHED);
    sq_buf_init(&android->display_cache.dumpsys, SQ_ANDROID_MAX_CACHED);
    if (!sq_adb_link_init(&android->link, adb, info, deadline, err)
        || !sq_random_name(android->file_name, err)) {
        android_destroy(&android->base);
        return false;
    }
    /* Those on another machine cannot be reached beside adb. */
    sq_emulator_init(&android->emulator, android->link.serial,
                     sq_adb_address_is_local(&adb->address)
                         ? (enum sq_emulator_mode)adb->options.emulator
                         : SQ_EMULATOR_OFF,
                     adb->keeps_connections);
    static const enum sq_android_dump_way ways[] = {
        [SQ_ADB_SHELL_V2] = SQ_ANDROID_DUMP_DIRECTLY,
        [SQ_ADB_EXEC] = SQ_ANDROID_DUMP_IN_ONE_EXCHANGE,
        [SQ_ADB_TERMINAL] = SQ_ANDROID_DUMP_TO_FILE,
    };
    android->dump_way = ways[android->link.shell];
    /* gzip has been there since Android 8, which has shell v2. */
    android->format.has_no_gzip = android->link.shell != SQ_ADB_SHELL_V2;
    android->format.has_eye =
        android->link.shell != SQ_ADB_TERMINAL
        && (adb->options.eye == SQ_EYE_ON
            || (adb->options.eye == SQ_EYE_AUTO && adb->keeps_connections));
    *out = &android->base;
    return true;
}

void
sq_android_describe_eye(const struct sq_device *device, char *out,
                        size_t size) {
    const struct sq_android *android = (const struct sq_android *)device;
    snprintf(out, size, "%s", android->eye.has_failed ? android->eye.why : "");
}

bool
sq_android_server_version(struct sq_adb *adb, int *out,
                          const struct sq_deadline *deadline,
                          struct sq_err *err) {
    SQ_BUF(answer, MAX_LIST);
    bool ok = sq_adb_ask(adb, "host:version", &answer, deadline, err);
    struct sq_span digits = sq_buf_span(&answer);
    unsigned version;
    if (ok && !sq_adb_parse_hex(digits, &version)) {
        ok = sq_fail(err, SQ_ERR_FORMAT,
                     "the adb server did not report its version");
    }
    if (ok) {
        *out = (int)version;
    }
    return ok;
}

static bool
add_android(void *list, const struct sq_device_info *info, struct sq_err *err) {
    return sq_device_list_add(list, info, err);
}

bool
sq_android_list_all(const struct sq_devices_options *options,
                    struct sq_device_list *out,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb *adb = options->adb;
    const size_t before = out->count;
    if (!adb) {
        return true;
    }
    if (!sq_android_list(adb, add_android, out, deadline, err)) {
        /* A server that the user chose must be there, adb itself not. */
        if (err && err->code == SQ_ERR_NOT_FOUND && adb->is_configured) {
            err->code = SQ_ERR_IO;
        }
        return false;
    }
    if (out->count > before) {
        /* When they go, that is not because the server is new. */
        atomic_store(&adb->has_started, false);
        return true;
    }
    if (!adb->is_configured || !atomic_load(&adb->has_started)) {
        return true;
    }
    /* The user chose an address, perhaps of a server that should be running. */
    char place[SQ_ADB_PLACE_SIZE];
    sq_adb_show_address(adb, place);
    sq_fail(err, SQ_ERR_NO_DEVICES,
            "no adb server answered at %s, so squint started one there; it "
            "has no devices",
            place);
    return sq_fail_hint(err, "If your devices are at another server, stop this "
                             "one (adb kill-server) and correct "
                             "ADB_SERVER_SOCKET or android.adbServer.");
}

bool
sq_android_open_listed(const struct sq_devices_options *options,
                       const struct sq_device_info *info,
                       struct sq_device **out,
                       const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_android_open(options->adb, info, out, deadline, err);
}

bool
sq_android_how_to_attach(const char *id, char out[SQ_ATTACH_SIZE]) {
    bool is_address = sq_adb_is_address(sq_span_of(id));
    if (is_address) {
        snprintf(out, SQ_ATTACH_SIZE, "Run: adb connect %s", id);
    }
    return is_address;
}
