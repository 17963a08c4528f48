/* location: sets where the device believes to be. */
#include <stdio.h>

#include "tools/device/verb.h"
#include "tools/operations.h"

struct location_args {
    struct sq_opt_double latitude;
    struct sq_opt_double longitude;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_NUMBER(location_args, latitude, "latitude", -90, 90, "",
              .required = true, .help = "degrees north"),
    SQ_NUMBER(location_args, longitude, "longitude", -180, 180, "",
              .required = true, .help = "degrees east"),
    SQ_RECEIPT_ROWS(location_args),
    SQ_ARGS_END,
};

static bool
location_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct location_args *args = raw_args;
    char place[64];
    struct sq_verb verb = { .is_off_screen = true,
                            .hand = { .verb = SQ_HAND_LOCATION,
                                      .latitude = args->latitude.value,
                                      .longitude = args->longitude.value },
                            .name = "location",
                            .value = place };
    snprintf(place, sizeof(place), "%.8g,%.8g", args->latitude.value,
             args->longitude.value);
    return sq_verb_run(call, &verb, SQ_ACT_OPTIONS(args), err);
}

const struct sq_tool sq_tool_location = {
    .name = "location",
    .title = "Set the location",
    .text = "Set the GPS location.",
    .manual =
        "Degrees north and east. On Android 12 and newer squint becomes the "
        "test provider of GPS; the location is reported once, and stays the "
        "last known one until the device restarts. Simulators keep it until "
        "it is changed.",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_ACTION,
    SQ_ARGS(table, location_args),
    .words = "latitude longitude",
    .timeout_ms = 30000,
    .people = { .examples = { "location 52.52 13.405" },
                .line = "Set the location to {location}" },
    .uses = SQ_USES_ACTS,
    .synonyms = "location set-location gps geo set-gps",
    .example = "\"latitude\": 52.52, \"longitude\": 13.405",
    .run = location_run,
};
