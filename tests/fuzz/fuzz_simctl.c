/*
 * Parses any bytes as output of simctl: lists of simulators, apps and
 * processes. Every returned id is valid, and texts fit their buffers.
 */
#include <assert.h>
#include <string.h>

#include "device/ios/parse.h"
#include "fuzz/fuzz.h"

static void
check_devices(struct sq_span text) {
    struct sq_device_list list = { 0 };
    struct sq_err err = { 0 };
    bool ok = sq_simctl_parse_devices(text, &list, &err);
    assert(ok || err.message[0]);
    for (size_t i = 0; i < list.count; i++) {
        const struct sq_device_info *info = &list.items[i];
        assert(sq_simctl_is_udid(sq_span_of(info->id)));
        assert(strlen(info->name) < sizeof(info->name));
        assert(info->state == SQ_DEVICE_ONLINE || info->why[0]);
    }
    sq_device_list_finish(&list);
}

static void
check_apps(struct sq_span text) {
    struct sq_app_list list = { 0 };
    struct sq_err err = { 0 };
    bool ok = sq_simctl_parse_apps(text, &list, &err);
    assert(ok || err.message[0]);
    for (size_t i = 0; i < list.count; i++) {
        assert(list.entries[i].package.ptr && list.entries[i].label.ptr);
        assert(list.entries[i].package.len <= 2 * text.len);
    }
    sq_app_list_finish(&list);
}

static void
check_processes(struct sq_span text) {
    struct sq_span bundle = { 0 };
    if (sq_simctl_find_app(text, 312, &bundle)) {
        assert(bundle.len > 0 && bundle.ptr >= text.ptr
               && bundle.ptr + bundle.len <= text.ptr + text.len);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const checks[])(struct sq_span) = { check_devices, check_apps,
                                                      check_processes };
    if (size > 0) {
        checks[data[0] % 3](
            (struct sq_span){ (const char *)data + 1, size - 1 });
    }
    return 0;
}
