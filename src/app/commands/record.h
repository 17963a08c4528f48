/*
 * Records the screen of a device in ManicTime's format: one full picture and
 * one thumbnail whenever something has changed.
 */
#ifndef SQ_APP_COMMANDS_RECORD_H
#define SQ_APP_COMMANDS_RECORD_H

#include "archive/store/fingerprint.h"
#include "device/device.h"
#include "sys/zone.h"

/* Set the first three fields and zero the rest. */
struct sq_recorder {
    int folder; /* from sq_folder_open; contains the day folders */
    const struct sq_zone *zone;
    int monitor;

    struct sq_image_fingerprint last; /* of the last saved capture */
    struct sq_size last_size;         /* of its picture */
    uint32_t seq;
    long kept;
    long skipped; /* without a change */
};

/*
 * Continues after the latest picture in the recorder's folder, also if it is
 * excluded: a capture that looks like it is not saved again. Does nothing if
 * there is none, or it cannot be read.
 */
void sq_recorder_continue(struct sq_recorder *recorder, const char *folder,
                          const struct sq_deadline *deadline);

#define SQ_RECORD_NAME_SIZE 96

/*
 * Saves a capture taken at that time, unless it looks like the last saved one.
 * *name is the file inside the folder, or empty if it was skipped. On failure
 * no file is left and the recorder is unchanged.
 */
bool sq_recorder_take(struct sq_recorder *recorder,
                      const struct sq_capture *capture, int64_t utc,
                      char name[SQ_RECORD_NAME_SIZE], struct sq_err *err);

#endif
