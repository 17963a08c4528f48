/*
 * An archive of what a device shows, in the form ManicTime has: one full
 * picture and one thumbnail each time something has changed.
 */
#ifndef SQ_APP_RECORD_H
#define SQ_APP_RECORD_H

#include "archive/fingerprint.h"
#include "device/device.h"
#include "sys/zone.h"

/* A value: zero it but for the first three. */
struct sq_recorder {
    int folder; /* of sq_folder_open: day folders are made in it */
    const struct sq_zone *zone;
    int monitor;

    struct sq_image_fingerprint last; /* what was kept last */
    uint32_t seq;
    long kept;
    long skipped; /* nothing had changed */
};

#define SQ_RECORD_NAME_SIZE 96

/*
 * Keep a capture taken at that moment, unless it looks like the last one kept.
 * *name is the file inside the folder, empty if it was skipped. On failure no
 * file is left and the recorder is as it was.
 */
bool sq_recorder_take(struct sq_recorder *recorder,
                      const struct sq_capture *capture, int64_t utc,
                      char name[SQ_RECORD_NAME_SIZE], struct sq_err *err);

#endif
