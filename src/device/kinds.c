/* The table of device kinds, and the registry of open devices. */
#include "device/kinds.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "device/android/command.h"
#include "device/browser/browser.h"
#include "device/demo/demo.h"
#include "device/ios/ios.h"
#include "device/ui_xml.h"
#include "device/webdriver/webdriver.h"
#include "image/pipeline/decoder.h"
#include "sys/clock.h"
#include "sys/lock.h"
#include "util/mem.h"

#define MAX_KINDS 8
#define UNAVAILABLE_NS ((int64_t)30000 * 1000000)

const struct sq_device_kind sq_device_kinds[] = {
    { .name = "demo",
      .plural = "demo phones",
      .is_demo = true,
      .hand = &sq_demo_hand,
      .list = sq_demo_list,
      .open = sq_demo_open },
    { .name = "android",
      .plural = "Android devices",
      .hand = &sq_android_hand,
      .key_name_at = sq_android_key_name_at,
      .how_to_attach = sq_android_how_to_attach,
      .list = sq_android_list_all,
      .open = sq_android_open_listed },
    { .name = "ios",
      .plural = "iOS simulators",
      .hand = &sq_simulator_hand,
      .is_available = sq_ios_is_available,
      .keep_ms = 5000,
      .fold_id = sq_ios_fold_id,
      .list = sq_ios_list,
      .open = sq_ios_open },
    { .name = "browser",
      .plural = "browsers",
      .by_name_only = true,
      .hand = &sq_browser_hand,
      .list = sq_browser_list,
      .open = sq_browser_open },
    { .name = "webdriver",
      .plural = "WebDriver devices",
      .by_name_only = true,
      .hand = &sq_webdriver_hand,
      .keep_ms = 5000,
      .is_not_listed_when_open = true,
      .open_ms = 120000,
      .list = sq_webdriver_list,
      .open = sq_webdriver_open,
      .finish = sq_webdriver_finish },
    { .name = NULL },
};

bool
sq_devices_serve_reader(const char *what, struct sq_err *err) {
    static const struct sq_foreign_reader *const readers[] = {
        &sq_picture_reader,
        &sq_ui_xml_reader,
        &sq_plist_reader,
        NULL,
    };
    if (!what) {
        return sq_foreign_serve(readers, err);
    }
    return strcmp(what, "gunzip") == 0
             ? sq_gunzip_serve(err)
             : sq_fail(err, SQ_ERR_ARGUMENT, "\"%s\" is not known", what);
}

const char *
sq_device_key_name_at(size_t index) {
    const struct sq_device_kind *kind = sq_device_kinds;
    while (kind->name && !kind->key_name_at) {
        kind++;
    }
    return kind->name ? kind->key_name_at(index) : NULL;
}

_Static_assert(SQ_DEVICE_ID_SIZE <= SQ_TICKET_NAME_SIZE, "ids name turns");

/* A device that is open or about to be opened. */
struct slot {
    struct slot *next;
    const struct sq_device_kind *kind;
    char id[SQ_DEVICE_ID_SIZE];
    struct sq_device *device; /* set under the registry's lock */
    struct sq_ticket *ticket; /* from sq_devices_open until release */
};

/* The last list of a kind. */
struct kept_list {
    struct sq_device_list list;
    int64_t until_ns; /* 0: none */
};

struct sq_devices {
    const struct sq_device_kind *kinds;
    _Atomic int64_t unavailable_until_ns[MAX_KINDS];
    struct sq_devices_options options;
    struct sq_ticket_queue *queues; /* one queue per device id */
    struct sq_lock *lock; /* guards the fields below; held only briefly */
    struct slot *slots;
    struct kept_list kept[MAX_KINDS];
    char last_real[SQ_DEVICE_ID_SIZE]; /* last one used; no demo; or empty */
};

bool
sq_devices_create(const struct sq_device_kind *kinds,
                  const struct sq_devices_options *options,
                  struct sq_devices **out, struct sq_err *err) {
    struct sq_devices *devices = sq_mem_zalloc(1, sizeof(*devices));
    if (!devices) {
        return sq_fail_nomem(err);
    }
    devices->kinds = kinds ? kinds : sq_device_kinds;
    devices->options = *options;
    if (!sq_ticket_queue_create(&devices->queues, err)
        || !sq_lock_create(&devices->lock, err)) {
        sq_devices_destroy(devices);
        return false;
    }
    *out = devices;
    return true;
}

void
sq_devices_keep_state(struct sq_devices *devices,
                      const struct sq_demo_keeper *keeper) {
    devices->options.demo.keeper = keeper;
    devices->options.keeps_browser = true;
}

void
sq_devices_destroy(struct sq_devices *devices) {
    if (!devices) {
        return;
    }
    while (devices->slots) {
        struct slot *slot = devices->slots;
        devices->slots = slot->next;
        sq_device_destroy(slot->device);
        sq_mem_free(slot);
    }
    for (const struct sq_device_kind *kind = devices->kinds; kind->name;
         kind++) {
        if (kind->finish) {
            kind->finish();
        }
    }
    for (size_t i = 0; i < MAX_KINDS; i++) {
        sq_device_list_finish(&devices->kept[i].list);
    }
    sq_lock_destroy(devices->lock);
    sq_ticket_queue_destroy(devices->queues);
    sq_mem_free(devices);
}

/* Whether to check again for a kind that was not available. */
enum check { USE_CACHE, CHECK_AGAIN };

/* Caches negative results, since each check costs a little time. */
static bool
is_available(struct sq_devices *devices, const struct sq_device_kind *kind,
             enum check check) {
    size_t number = (size_t)(kind - devices->kinds);
    assert(number < MAX_KINDS);
    if (!kind->is_available) {
        return true;
    }
    int64_t now = sq_clock_monotonic_ns();
    if (check == USE_CACHE
        && now < atomic_load(&devices->unavailable_until_ns[number])) {
        return false;
    }
    bool found = kind->is_available();
    atomic_store(&devices->unavailable_until_ns[number],
                 found ? 0 : now + UNAVAILABLE_NS);
    return found;
}

static bool
add_all(struct sq_device_list *list, const struct sq_device_info *items,
        size_t count, struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = sq_device_list_add(list, &items[i], err);
    }
    return ok;
}

/* Adds what was listed not long ago. Returns false if there is nothing. */
static bool
add_kept(struct sq_devices *devices, const struct kept_list *kept,
         struct sq_device_list *out) {
    size_t before = out->count;
    sq_lock_lock(devices->lock);
    bool ok = sq_clock_monotonic_ns() < kept->until_ns
           && add_all(out, kept->list.items, kept->list.count, NULL);
    sq_lock_unlock(devices->lock);
    out->count = ok ? out->count : before;
    return ok;
}

static bool
list_kind(struct sq_devices *devices, const struct sq_device_kind *kind,
          enum check check, struct sq_device_list *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct kept_list *kept = &devices->kept[kind - devices->kinds];
    size_t before = out->count;
    if (check == USE_CACHE && kind->keep_ms && add_kept(devices, kept, out)) {
        return true;
    }
    if (!is_available(devices, kind, check)) {
        return true;
    }
    if (kind->list(&devices->options, out, deadline, &local_err)) {
        if (kind->keep_ms) {
            sq_lock_lock(devices->lock);
            kept->list.count = 0;
            kept->until_ns =
                add_all(&kept->list, out->items + before, out->count - before,
                        NULL)
                    ? sq_clock_monotonic_ns() + (int64_t)kind->keep_ms * 1000000
                    : 0;
            sq_lock_unlock(devices->lock);
        }
        return true;
    }
    if (sq_is_fatal(local_err.code) || local_err.code == SQ_ERR_EXHAUSTED) {
        return sq_fail_with(err, &local_err);
    }
    struct sq_device_problem *problems = sq_mem_resize(
        out->problems, (out->problem_count + 1) * sizeof(*out->problems));
    if (!problems) {
        return sq_fail_nomem(err);
    }
    out->problems = problems;
    problems[out->problem_count++] =
        (struct sq_device_problem){ kind->name, local_err };
    return true;
}

static bool
list_all(struct sq_devices *devices, enum check check,
         struct sq_device_list *out, const struct sq_deadline *deadline,
         struct sq_err *err) {
    struct sq_device_list list = { 0 };
    bool ok = true;
    for (const struct sq_device_kind *kind = devices->kinds; ok && kind->name;
         kind++) {
        /* Those are never chosen by default, and may take long to list. */
        if (check == CHECK_AGAIN || !kind->by_name_only) {
            ok = list_kind(devices, kind, check, &list, deadline, err);
        }
    }
    if (ok) {
        *out = list;
    } else {
        sq_device_list_finish(&list);
    }
    return ok;
}

bool
sq_devices_list(struct sq_devices *devices, struct sq_device_list *out,
                const struct sq_deadline *deadline, struct sq_err *err) {
    return list_all(devices, CHECK_AGAIN, out, deadline, err);
}

static struct slot *
find_slot(struct sq_devices *devices, const char *id) {
    for (struct slot *slot = devices->slots; slot; slot = slot->next) {
        if (sq_device_id_equal(slot->id, id)) {
            return slot;
        }
    }
    return NULL;
}

static bool
has_device(const struct sq_device_list *list, const char *id) {
    bool found = false;
    for (size_t i = 0; i < list->count && !found; i++) {
        found = sq_device_id_equal(list->items[i].id, id);
    }
    return found;
}

/*
 * Lists kinds until the named device is found. Listing a kind can be slow, so
 * that of an open device comes first; some need not be listed at all.
 */
static bool
list_until(struct sq_devices *devices, const char *id,
           struct sq_device_list *out, const struct sq_deadline *deadline,
           struct sq_err *err) {
    sq_lock_lock(devices->lock);
    const struct slot *slot = find_slot(devices, id);
    const struct sq_device_kind *likely = slot ? slot->kind : NULL;
    bool found = slot && slot->device && likely->is_not_listed_when_open
              && !slot->device->is_lost
              && sq_device_list_add(out, &slot->device->info, NULL);
    sq_lock_unlock(devices->lock);
    const struct sq_device_kind *kind = likely ? likely : devices->kinds;
    bool is_first = likely != NULL;
    while (!found && kind->name) {
        if ((is_first || kind != likely)
            && !list_kind(devices, kind, is_first ? USE_CACHE : CHECK_AGAIN,
                          out, deadline, err)) {
            return false;
        }
        found = has_device(out, id);
        kind = is_first ? devices->kinds : kind + 1;
        is_first = false;
    }
    return true;
}

static struct slot *
get_slot(struct sq_devices *devices, const struct sq_device_info *info,
         struct sq_err *err) {
    const struct sq_device_kind *kind = devices->kinds;
    while (kind->name && strcmp(kind->name, info->kind) != 0) {
        kind++;
    }
    if (!kind->name) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "unknown kind of device \"%s\"",
                info->kind);
        return NULL;
    }
    sq_lock_lock(devices->lock);
    struct slot *slot = find_slot(devices, info->id);
    if (!slot && (slot = sq_mem_zalloc(1, sizeof(*slot)))) {
        slot->kind = kind;
        snprintf(slot->id, sizeof(slot->id), "%s", info->id);
        slot->next = devices->slots;
        devices->slots = slot;
    }
    sq_lock_unlock(devices->lock);
    if (!slot) {
        sq_fail_nomem(err);
    }
    return slot;
}

/* Opens the device. No other thread uses it, since it is our turn. */
static bool
open_slot(struct sq_devices *devices, struct slot *slot,
          const struct sq_device_info *info, const struct sq_deadline *deadline,
          struct sq_err *err) {
    struct sq_device *last = slot->device;
    struct sq_device *device;
    if (last && !last->is_lost && last->info.connection == info->connection) {
        return true;
    }
    struct sq_deadline limit = *deadline;
    const int64_t start_ns = sq_clock_monotonic_ns();
    if (slot->kind->open_ms) {
        limit.at_ns = start_ns + (int64_t)slot->kind->open_ms * 1000000;
    }
    if (!slot->kind->open(&devices->options, info, &device, &limit, err)) {
        return false;
    }
    if (slot->kind->open_ms) {
        device->opening_ns = sq_clock_monotonic_ns() - start_ns;
    }
    device->is_new_session = last && last->is_lost;
    sq_device_changed(device);
    sq_lock_lock(devices->lock);
    slot->device = device;
    sq_lock_unlock(devices->lock);
    sq_device_destroy(last);
    return true;
}

static bool
open_chosen(struct sq_devices *devices, struct sq_ticket *ticket,
            const struct sq_device_info *info,
            const struct sq_deadline *deadline, struct sq_device **out,
            struct sq_err *err) {
    struct slot *slot = get_slot(devices, info, err);
    if (!slot) {
        return false;
    }
    char name[SQ_DEVICE_ID_SIZE];
    sq_device_id_fold(info->id, name);
    if (!sq_ticket_await(ticket, name, deadline, err)) {
        sq_fail_in(err, "waiting for device %s", info->id);
        return sq_fail_hint(err, "Calls on a device run one after the other, "
                                 "and its clients take turns: wait for the "
                                 "earlier calls, or cancel them.");
    }
    if (!open_slot(devices, slot, info, deadline, err)) {
        return false;
    }
    if (!slot->kind->is_demo && !slot->kind->by_name_only) {
        sq_lock_lock(devices->lock);
        memcpy(devices->last_real, slot->id, sizeof(slot->id));
        sq_lock_unlock(devices->lock);
    }
    *out = slot->device;
    return true;
}

/*
 * Fails if a real device has been used before. Calls meant for it must not go
 * to a demo after it was disconnected.
 */
static bool
may_use_demo(struct sq_devices *devices, struct sq_err *err) {
    char id[SQ_DEVICE_ID_SIZE];
    sq_lock_lock(devices->lock);
    memcpy(id, devices->last_real, sizeof(id));
    sq_lock_unlock(devices->lock);
    if (id[0] == '\0') {
        return true;
    }
    sq_fail(err, SQ_ERR_NO_DEVICES, "device %s is no longer attached", id);
    char how[SQ_ATTACH_SIZE] = "Connect it again";
    sq_device_how_to_attach(id, how);
    return sq_fail_hint(
        err,
        "%s. The operation @devices lists the attached devices. If you mean "
        "the demo phone, set $deviceId to \"" SQ_DEMO_ID "\".",
        how);
}

static const char *
default_id(const struct sq_devices *devices) {
    const char *id = devices->options.default_id;
    return id ? id : "";
}

bool
sq_devices_queue(struct sq_devices *devices, const char *id, uint64_t client,
                 struct sq_ticket **out, struct sq_err *err) {
    char name[SQ_DEVICE_ID_SIZE];
    sq_device_id_fold(id && id[0] ? id : default_id(devices), name);
    return sq_ticket_queue_join(devices->queues, name, client, out, err);
}

/* The device of a call, in the list of those that could have been chosen. */
struct choice {
    struct sq_device_list list;
    const struct sq_device_info *info;
    bool is_demo_by_default;
};

static bool
choose_once(struct sq_devices *devices, const char *id, struct choice *out,
            const struct sq_deadline *deadline, struct sq_err *err) {
    const char *by_default = default_id(devices);
    if (!(id[0] ? list_until(devices, id, &out->list, deadline, err)
                : list_all(devices, USE_CACHE, &out->list, deadline, err))) {
        return false;
    }
    if (sq_devices_choose(&out->list, id, &out->info, &out->is_demo_by_default,
                          err)) {
        return !out->is_demo_by_default || may_use_demo(devices, err);
    }
    /* It may be the one of the configuration. */
    return by_default[0] && sq_device_id_equal(id, by_default)
        && sq_fail_in(err, SQ_DEFAULT_DEVICE);
}

/*
 * Chooses the device of a call; once more without the lists that were kept, if
 * there were any. The caller finishes out->list in any case.
 */
static bool
choose(struct sq_devices *devices, const char *id, struct choice *out,
       const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool had_any = false;
    if (choose_once(devices, id, out, deadline, &local_err)) {
        return true;
    }
    if (!sq_is_fatal(local_err.code)) {
        sq_lock_lock(devices->lock);
        for (size_t i = 0; i < MAX_KINDS; i++) {
            had_any = had_any || devices->kept[i].until_ns;
            devices->kept[i].until_ns = 0;
        }
        sq_lock_unlock(devices->lock);
    }
    if (!had_any) {
        return sq_fail_with(err, &local_err);
    }
    sq_device_list_finish(&out->list);
    return choose_once(devices, id, out, deadline, err);
}

bool
sq_devices_open_in_turn(struct sq_devices *devices, struct sq_ticket *ticket,
                        const struct sq_deadline *deadline,
                        struct sq_device **out, bool *demo_by_default,
                        struct sq_err *err) {
    struct choice choice = { 0 };
    bool ok = choose(devices, sq_ticket_name(ticket), &choice, deadline, err)
           && open_chosen(devices, ticket, choice.info, deadline, out, err);
    if (ok && demo_by_default) {
        *demo_by_default = choice.is_demo_by_default;
    }
    sq_device_list_finish(&choice.list);
    return ok;
}

static struct slot *
slot_of(struct sq_devices *devices, const struct sq_device *device) {
    sq_lock_lock(devices->lock);
    struct slot *slot = devices->slots;
    while (slot && slot->device != device) {
        slot = slot->next;
    }
    sq_lock_unlock(devices->lock);
    assert(slot);
    return slot;
}

bool
sq_devices_open(struct sq_devices *devices, const char *id,
                const struct sq_deadline *deadline, struct sq_device **out,
                bool *demo_by_default, struct sq_err *err) {
    struct sq_ticket *ticket = NULL;
    if (!sq_devices_queue(devices, id, 0, &ticket, err)) {
        return false;
    }
    if (!sq_devices_open_in_turn(devices, ticket, deadline, out,
                                 demo_by_default, err)) {
        sq_ticket_leave(ticket);
        return false;
    }
    slot_of(devices, *out)->ticket = ticket;
    return true;
}

void
sq_devices_release(struct sq_devices *devices, struct sq_device *device) {
    if (device) {
        struct slot *slot = slot_of(devices, device);
        struct sq_ticket *ticket = slot->ticket;
        slot->ticket = NULL;
        sq_ticket_leave(ticket);
    }
}
