/*
 * A fake simulator: programs named xcrun and idb that pass requests to a
 * server, which shows the demo phone's screens like iOS.
 */
#ifndef SQ_TEST_FAKE_H
#define SQ_TEST_FAKE_H

#include "device/device.h"
#include "util/buf.h"
#include "util/span.h"

#define FAKE_MAX_WORDS 32
#define FAKE_MAX_APPS 4
#define FAKE_BUNDLE_SIZE 100

/* The simulator that is booted. */
#define FAKE_UDID "9F2C6D1A-3B47-4E0D-8A55-1C0FFEE0D0D0"
#define FAKE_WIDTH 1179
#define FAKE_HEIGHT 2556
#define FAKE_SCALE 3

/* How the panel is rotated in landscape. */
enum fake_turn {
    FAKE_LEFT,
    FAKE_RIGHT,
    FAKE_BOTH, /* touches turn with the picture */
};

struct fake {
    struct sq_device *phone;
    struct sq_deadline deadline;
    enum fake_turn turn;
    struct sq_buf frame; /* the latest capture, and its PNG */
    struct sq_buf png;
    char installed[FAKE_MAX_APPS][FAKE_BUNDLE_SIZE]; /* empty: none */
};

/* The result of a program. */
struct fake_reply {
    int status;
    struct sq_buf output;
    struct sq_buf errors;
};

struct fake_request {
    const char *words[FAKE_MAX_WORDS + 1];
    int count;
};

/* Answer like xcrun or idb; words[0] is the program. */
void fake_xcrun(struct fake *fake, const struct fake_request *request,
                struct fake_reply *reply);
void fake_idb(struct fake *fake, const struct fake_request *request,
              struct fake_reply *reply);

/* The elements of the screen as idb prints them. */
bool fake_put_elements(struct fake *fake, bool nested, struct sq_buf *out,
                       struct sq_err *err);

/* The element at a point of the panel; false if there is none. */
bool fake_put_element_at(struct fake *fake, struct sq_dev_pt panel,
                         struct sq_buf *out, struct sq_err *err);

/* A point of the panel in pixels of the screen; false if it is outside. */
bool fake_from_panel(struct fake *fake, struct sq_dev_pt panel,
                     struct sq_dev_pt *out);

/* The process id of the foreground app. */
int fake_pid(const char *package);

/* Fail with a status and a line on standard error. */
void fake_fail(struct fake_reply *reply, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
