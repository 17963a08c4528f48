#include "support/demo_shell.h"

#include "demo/adbd/shell.h"
#include "support/test.h"

#define MAX_BYTES ((size_t)64 << 20)
#define NS_PER_MS 1000000
#define NOON_NS ((int64_t)1767268800 * 1000000000)

static struct t_shell_run latest;
/* Runs are far apart in time, so that two taps are not a double tap. */
static int64_t now_ns = 1;

static int64_t
noon(void *context) {
    (void)context;
    return NOON_NS;
}

struct sq_adbd_phone *
t_phone_create(void) {
    struct sq_adbd_phone *phone = NULL;
    const struct sq_adbd_options options = {
        .demo = { .width = 360,
                  .height = 640,
                  .density = 1,
                  .seed = 1,
                  .now_ns = noon },
        .serial = "TEST01",
    };
    T_OK(sq_adbd_phone_create(&options, &phone, &t_err));
    return phone;
}

static bool
keep(void *context, int fd, struct sq_span bytes, struct sq_err *err) {
    (void)context;
    return sq_buf_append(fd == 1 ? &latest.out : &latest.errors, bytes.ptr,
                         bytes.len, err);
}

static void
terminate(struct sq_buf *buf) {
    uint8_t *room;
    T_OK(sq_buf_reserve(buf, 1, &room, &t_err));
    *room = '\0';
}

const struct t_shell_run *
t_phone_run(struct sq_adbd_phone *phone, const char *script) {
    struct sq_adbd_shell shell;
    const struct sq_adbd_sink sink = { keep, NULL, false };
    t_phone_free_result();
    sq_buf_init(&latest.out, MAX_BYTES);
    sq_buf_init(&latest.errors, MAX_BYTES);
    sq_adbd_shell_init(&shell, phone);
    T_OK(sq_adbd_shell_start(&shell, sq_span_of(script), &t_err));
    now_ns += (int64_t)1000 * NS_PER_MS;
    while (!shell.is_done) {
        int64_t wake_ns;
        if (!T_OK(sq_adbd_shell_advance(&shell, now_ns, &sink, &wake_ns,
                                        &t_err))) {
            break;
        }
        now_ns = wake_ns < INT64_MAX ? wake_ns : now_ns;
    }
    latest.status = shell.status;
    latest.is_control = shell.is_control;
    sq_adbd_shell_finish(&shell);
    terminate(&latest.out);
    terminate(&latest.errors);
    return &latest;
}

const char *
t_phone_output(struct sq_adbd_phone *phone, const char *script) {
    return (const char *)t_phone_run(phone, script)->out.data;
}

const char *
t_phone_errors(struct sq_adbd_phone *phone, const char *script) {
    return (const char *)t_phone_run(phone, script)->errors.data;
}

int
t_phone_status(struct sq_adbd_phone *phone, const char *script) {
    return t_phone_run(phone, script)->status;
}

void
t_phone_free_result(void) {
    sq_buf_finish(&latest.out);
    sq_buf_finish(&latest.errors);
}
