/*
 * Takes turns with other processes of the user that act on the same device, and
 * notices what they did. Each device has two files in the user's private
 * folder: who acts holds the lock of one, and writes into the other when and by
 * whom it was done.
 */
#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "sys/clock.h"
#include "sys/entropy.h"
#include "sys/folder.h"

#define NAME_SIZE (SQ_DEVICE_ID_SIZE + 16)

/* Writes the name of a file of the device. */
static void
name_file(const struct sq_device *device, const char *ending,
          char out[NAME_SIZE]) {
    int len = snprintf(out, NAME_SIZE, "device-%s", device->info.id);
    for (char *at = out; *at; at++) {
        bool is_plain = (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z')
                     || (*at >= 'A' && *at <= 'Z') || *at == '-';
        *at = is_plain ? *at : '_';
    }
    snprintf(out + len, NAME_SIZE - (size_t)len, "%s", ending);
}

/* Writes that this process acts. If that fails, the others do not notice it. */
static void
put_mark(struct sq_device *device, const struct sq_state_folder *folder) {
    struct sq_device_mark *mark = &device->shared.mark;
    char name[NAME_SIZE];
    mark->at_ns = sq_clock_monotonic_ns();
    if (!mark->process
        && sq_random_fill(&mark->process, sizeof(mark->process)) != 0) {
        return;
    }
    name_file(device, ".acts", name);
    sq_state_folder_put(folder, name, mark, sizeof(*mark));
}

/* Notices an action of another process since the last call of this one. */
static void
read_mark(struct sq_device *device, const struct sq_state_folder *folder) {
    struct sq_device_mark *mark = &device->shared.mark;
    struct sq_device_mark now = { 0 };
    SQ_BUF(bytes, sizeof(now));
    char name[NAME_SIZE];
    name_file(device, ".acts", name);
    if (!sq_state_folder_read(folder, name, sizeof(now), &bytes, NULL)) {
        return;
    }
    if (bytes.len == sizeof(now)) {
        memcpy(&now, bytes.data, sizeof(now));
    }
    if (device->shared.is_known && now.at_ns != mark->at_ns && now.process
        && now.process != mark->process) {
        sq_device_changed(device);
        device->look.client = 0;
        device->look.acted_ns = now.at_ns;
    }
    mark->at_ns = now.at_ns;
    device->shared.is_known = true;
}

bool
sq_device_enter(struct sq_device *device, bool acts,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_device_shared *shared = &device->shared;
    struct sq_state_folder folder;
    struct sq_err local_err = { 0 };
    char name[NAME_SIZE];
    if (!device->ops->is_shared || !sq_state_folder_open(&folder, NULL)) {
        return true;
    }
    name_file(device, ".lock", name);
    shared->is_locked = acts
                     && sq_state_folder_lock(&folder, name, deadline,
                                             &shared->lock, &local_err);
    bool is_late = local_err.code == SQ_ERR_TIMEOUT;
    bool ok = !is_late && local_err.code != SQ_ERR_CANCELLED;
    if (ok) {
        read_mark(device, &folder);
    }
    if (shared->is_locked) {
        put_mark(device, &folder);
    }
    sq_state_folder_close(&folder);
    if (is_late) {
        sq_fail(err, SQ_ERR_TIMEOUT,
                "another process of squint is acting on device %s",
                device->info.id);
        return sq_fail_hint(err, "Nothing was done. Try again.");
    }
    return ok || sq_fail_with(err, &local_err);
}

void
sq_device_leave(struct sq_device *device) {
    struct sq_state_folder folder;
    if (!device->shared.is_locked) {
        return;
    }
    if (sq_state_folder_open(&folder, NULL)) {
        put_mark(device, &folder);
        sq_state_folder_close(&folder);
    }
    sq_state_folder_unlock(device->shared.lock);
    device->shared.is_locked = false;
}
