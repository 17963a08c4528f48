/* Reads the pixels of recent screenshots of a device. */
#include "tools/screen/live_frame.h"

#include <string.h>

#include "device/kinds.h"
#include "tool/work.h"

static bool
fetch(struct sq_device *device, const struct sq_frame_place *place,
      struct sq_region part, struct sq_buf *out,
      const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_scaling scaling = {
        .frame = place->size,
        .part = part,
        .size = { part.width, part.height },
    };
    return sq_device_fetch_part(device, place->hash, &scaling, out, deadline,
                                err);
}

/*
 * Fetches from a device that the call does not have. Its work slot is released
 * meanwhile: the call that has the device may be waiting for one.
 */
static bool
open_and_fetch(const struct sq_live_frame_reader *reader,
               const struct sq_frame_place *place, struct sq_region part,
               struct sq_buf *out, struct sq_err *err) {
    struct sq_device *device = NULL;
    bool is_demo;
    bool had_work = reader->work && reader->work->slot.held > 0;
    sq_work_end(reader->work);
    bool ok = sq_devices_open(reader->devices, place->device_id,
                              reader->deadline, &device, &is_demo, err)
           && fetch(device, place, part, out, reader->deadline, err);
    sq_devices_release(reader->devices, device);
    return ok
        && (!had_work
            || sq_work_begin(reader->work, false, reader->deadline, err));
}

bool
sq_live_frame_read_part(const struct sq_live_frame_reader *reader,
                        struct sq_span id, const struct sq_frame_place *place,
                        struct sq_region part, struct sq_buf *out,
                        struct sq_err *err) {
    struct sq_err local_err = { .code = SQ_ERR_UNSUPPORTED };
    bool ok = false;
    if (!reader->device) {
        ok = open_and_fetch(reader, place, part, out, &local_err);
    } else if (strcmp(reader->device->info.id, place->device_id) == 0) {
        ok = fetch(reader->device, place, part, out, reader->deadline,
                   &local_err);
    }
    if (ok) {
        return true;
    }
    if (sq_is_fatal(local_err.code) || local_err.code == SQ_ERR_TIMEOUT) {
        return sq_fail_with(err, &local_err);
    }
    /* Says that the pixels are no longer stored, and what to do. */
    return sq_session_read_frame(reader->session, id, out, err);
}

bool
sq_live_frame_read(const struct sq_live_frame_reader *reader, struct sq_span id,
                   struct sq_buf *out, struct sq_err *err) {
    const struct sq_frame_place place =
        sq_session_stored_frame(reader->session, id).place;
    if (!place.device_id[0]) {
        return sq_session_read_frame(reader->session, id, out, err);
    }
    const struct sq_region whole = { 0, 0, place.size.width,
                                     place.size.height };
    return sq_live_frame_read_part(reader, id, &place, whole, out, err);
}
