/*
 * What each capture of the demo phone saw, by the phone's own picture, compared
 * with what answers say about late changes.
 */
#ifndef SQ_TEST_TOOLS_LOOKS_MODEL_H
#define SQ_TEST_TOOLS_LOOKS_MODEL_H

#include "json/reader.h"
#include "sys/clock.h"
#include "unit/tools/phone_model.h"

static struct {
    struct sq_phone *phone;
    struct sq_device_ops plain;
    uint8_t now[PICTURE_BYTES];
    uint8_t last[PICTURE_BYTES]; /* at the last look */
    bool has_last;
    bool is_own;       /* the client has acted */
    bool is_unsure;    /* whether it has, or a step of it */
    bool is_landscape; /* at the last look */
    bool is_acting;    /* the call that runs */
    bool is_waiting;   /* it may report a later change as its own */
    int captures;      /* of that call */
    int64_t acted_ns;  /* when the last action began */
    int64_t equal_ns;  /* when the phone still showed the same */
    bool has_differed; /* at a look since then */
    int reported;      /* changes after an answer */
    int timed;         /* those that were seen between two calls */
} looks;

/* Compares what the phone shows with the last look, and remembers it. */
static inline void
looks_see(bool compares) {
    paint_phone(looks.phone, looks.now);
    if (looks.has_last && compares) {
        bool differs = memcmp(looks.last, looks.now, PICTURE_BYTES) != 0
                    || looks.is_landscape != looks.phone->landscape;
        looks.has_differed = looks.has_differed || differs;
        looks.equal_ns =
            looks.has_differed ? looks.equal_ns : sq_clock_monotonic_ns();
    }
    memcpy(looks.last, looks.now, PICTURE_BYTES);
    looks.has_last = looks.is_own;
    looks.is_landscape = looks.phone->landscape;
}

/*
 * Of a call that acts or waits, compares only the first look: those after it
 * are part of its own change, and those before the action not for the answer.
 */
static inline bool
looks_capture(struct sq_device *device,
              const struct sq_capture_request *request, struct sq_capture *out,
              const struct sq_deadline *deadline, struct sq_err *err) {
    bool ok = looks.plain.capture(device, request, out, deadline, err);
    if (ok && !out->secure && !out->other_display) {
        looks_see(looks.captures++ == 0
                  || !(looks.is_acting || looks.is_waiting));
    }
    return ok;
}

/* Notices every capture from now on. ops are those of the phone. */
static inline void
looks_start(struct sq_phone *phone, struct sq_device_ops *ops) {
    memset(&looks, 0, sizeof(looks));
    looks.phone = phone;
    looks.plain = *ops;
    ops->capture = looks_capture;
}

static inline void
looks_begin_call(bool acts, bool waits) {
    looks.is_acting = acts;
    looks.is_waiting = waits;
    looks.captures = 0;
}

/* What a look has seen is reported, nothing else, and not earlier. */
static inline void
looks_check(const struct sq_json *late) {
    int after_ms;
    if (looks.is_unsure) {
        return;
    }
    if (!T(looks.is_waiting ? late || !looks.has_differed
                            : !late == !looks.has_differed)) {
        printf("# late change: %s\n", late ? "reported" : "not reported");
    }
    if (late && number(late, "afterMs", &after_ms)) {
        T(looks.acted_ns + (after_ms + 1) * INT64_C(1000000) >= looks.equal_ns);
        looks.timed++;
    }
    looks.has_differed = false;
    looks.reported += late != NULL;
}

/* Ends a call that was answered; acted_ns: when it acted, 0 if it did not. */
static inline void
looks_end_call(const char *json, int64_t acted_ns) {
    const struct sq_json *answer = NULL;
    T_ARENA(arena, (size_t)4 << 20);
    T_OK(sq_json_parse(sq_span_of(json), &arena, &answer, &t_err));
    const struct sq_json *steps = sq_json_get(answer, "steps");
    if (steps) {
        looks.has_differed = false; /* a step has reported it */
    } else if (sq_json_get(answer, "deviceId")) {
        looks_check(sq_json_get(answer, "sinceLastAction"));
    }
    if (acted_ns) {
        looks.is_own = true;
        looks.is_unsure = false;
        looks.has_last = looks.captures > 1;
        looks.equal_ns = sq_clock_monotonic_ns();
        looks.acted_ns = steps ? looks.equal_ns : acted_ns;
    }
}

/* Ends a call that has failed, perhaps after it or some of its steps acted. */
static inline void
looks_fail_call(bool has_acted) {
    if (has_acted) {
        looks.has_last = looks.is_own = looks.has_differed = false;
        looks.is_unsure = true;
    }
}

#endif
