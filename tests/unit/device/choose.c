/* Which of the attached devices a call uses. */
#include "device/kinds.h"

#include "support/test.h"

#define UDID_UPPER "9F2C6D1A-3B47-4E0D-8A55-1C0FFEE0D0D0"
#define UDID_LOWER "9f2c6d1a-3b47-4e0d-8a55-1c0ffee0d0d0"

static struct sq_device_info
info_of(const char *kind, const char *id, enum sq_device_state state) {
    struct sq_device_info info = { .kind = kind, .state = state };
    size_t len = strlen(id);
    T(len < sizeof(info.id));
    memcpy(info.id, id, len);
    return info;
}

/* "demo", "a" and "b" usable, "off", "new" and "away" not. */
static void
add(struct sq_device_list *list, const char *id) {
    bool demo = strcmp(id, "demo") == 0;
    struct sq_device_info info =
        info_of(demo ? "demo" : "android", id, SQ_DEVICE_ONLINE);
    if (strcmp(id, "off") == 0) {
        info.state = SQ_DEVICE_OFFLINE;
    }
    if (strcmp(id, "new") == 0) {
        info.state = SQ_DEVICE_UNAUTHORIZED;
        snprintf(info.why, sizeof(info.why), "it asks for permission");
        snprintf(info.hint, sizeof(info.hint), "Accept on its screen.");
    }
    if (strcmp(id, "away") == 0) {
        info.state = SQ_DEVICE_OFFLINE;
        info.is_stopped = true;
        snprintf(info.hint, sizeof(info.hint), "Start it.");
    }
    T_OK(sq_device_list_add(list, &info, &t_err));
}

static const struct choice {
    const char *attached[4];
    const char *id;
    const char *chosen; /* NULL: refused */
    enum sq_err_code code;
    bool demo_by_default;
    const char *says; /* in message or hint */
} choices[] = {
    { { "demo" }, NULL, "demo", 0, true, NULL },
    { { "demo" }, "", "demo", 0, true, NULL },
    { { "demo" }, "demo", "demo", 0, false, NULL },
    { { "demo", "a" }, NULL, "a", 0, false, NULL },
    { { "a", "demo" }, "demo", "demo", 0, false, NULL },
    { { "demo", "away" }, NULL, "demo", 0, true, NULL },
    { { "demo", "off", "a" }, NULL, "a", 0, false, NULL },
    { { "demo", "off" }, NULL, NULL, SQ_ERR_NO_DEVICES, false, "off" },
    { { "demo", "off" }, NULL, NULL, SQ_ERR_NO_DEVICES, false, "offline" },
    { { "demo", "new" },
      NULL,
      NULL,
      SQ_ERR_NO_DEVICES,
      false,
      "new is unauthorized: it asks for permission" },
    { { "demo", "away", "new", "off" },
      "",
      NULL,
      SQ_ERR_NO_DEVICES,
      false,
      "Accept on its screen. If you mean the demo phone, set deviceId to "
      "\"demo\"." },
    { { "demo", "away", "new", "off" },
      NULL,
      NULL,
      SQ_ERR_NO_DEVICES,
      false,
      "and 1 more" },
    { { "demo", "new" }, "demo", "demo", 0, false, NULL },
    { { "away" }, NULL, NULL, SQ_ERR_NO_DEVICES, false, "Start it." },
    { { "demo", "a", "off" }, NULL, "a", 0, false, NULL },
    { { "demo", "a", "b" }, "b", "b", 0, false, NULL },
    { { "demo", "a", "b" },
      NULL,
      NULL,
      SQ_ERR_MULTIPLE_DEVICES,
      false,
      "a, b" },
    { { "demo", "off" }, "off", NULL, SQ_ERR_DEVICE_OFFLINE, false, "offline" },
    { { "demo", "new" },
      "new",
      NULL,
      SQ_ERR_DEVICE_OFFLINE,
      false,
      "it asks for permission" },
    { { "demo", "new" },
      "new",
      NULL,
      SQ_ERR_DEVICE_OFFLINE,
      false,
      "Accept on its screen." },
    { { "demo", "a" }, "c", NULL, SQ_ERR_DEVICE_NOT_FOUND, false, "demo, a" },
    { { "demo", "a" },
      "dmo",
      NULL,
      SQ_ERR_DEVICE_NOT_FOUND,
      false,
      "no device \"dmo\"; did you mean demo?" },
    { { "demo", "a" },
      "10.0.0.7:5555",
      NULL,
      SQ_ERR_DEVICE_NOT_FOUND,
      false,
      "Run: adb connect 10.0.0.7:5555. Known devices: demo, a." },
    /* Only ids of simulators are compared without case. */
    { { "demo", UDID_UPPER }, UDID_LOWER, UDID_UPPER, 0, false, NULL },
    { { "demo", UDID_LOWER }, UDID_UPPER, UDID_LOWER, 0, false, NULL },
    { { "demo", "a" }, "A", NULL, SQ_ERR_DEVICE_NOT_FOUND, false, "demo, a" },
    { { "demo", UDID_UPPER },
      UDID_LOWER "0",
      NULL,
      SQ_ERR_DEVICE_NOT_FOUND,
      false,
      "demo" },
    { { NULL }, "c", NULL, SQ_ERR_DEVICE_NOT_FOUND, false, "none" },
    { { NULL }, NULL, NULL, SQ_ERR_NO_DEVICES, false, "demo" },
    { { "new" },
      NULL,
      NULL,
      SQ_ERR_NO_DEVICES,
      false,
      "Accept on its screen." },
};

T_CASE(chooses_by_the_rules) {
    for (size_t i = 0; i < SQ_COUNT(choices); i++) {
        T_FREED(sq_device_list_finish) struct sq_device_list list = { 0 };
        const struct sq_device_info *chosen = NULL;
        bool by_default = false;
        for (int k = 0; k < 4 && choices[i].attached[k]; k++) {
            add(&list, choices[i].attached[k]);
        }
        t_err = (struct sq_err){ 0 };
        bool ok = sq_devices_choose(&list, choices[i].id, &chosen, &by_default,
                                    &t_err);
        T_INT(ok, choices[i].chosen != NULL);
        T_INT(t_err.code, choices[i].code);
        T_INT(by_default, choices[i].demo_by_default);
        T(ok || t_err.hint[0]);
        if (ok) {
            T_STR(chosen->id, choices[i].chosen);
        } else if (!strstr(t_err.message, choices[i].says)) {
            T_HAS(t_err.hint, choices[i].says);
        }
    }
}

/* The error of listing one kind. */
static struct sq_device_problem
problem_of(const char *kind, enum sq_err_code code) {
    struct sq_device_problem problem = { .kind = kind };
    sq_fail(&problem.err, code, "it said nothing useful");
    sq_fail_hint(&problem.err, "Ask it again.");
    return problem;
}

/* The demo phone does not replace one that may be attached. */
T_CASE(failed_list_is_not_an_empty_list) {
    static const struct {
        const char *attached[3];
        const char *id;
        const char *broken_kind;
        enum sq_err_code broken_by;
        const char *chosen; /* NULL: refused with the error of the list */
    } cases[] = {
        { { "demo" }, NULL, "android", SQ_ERR_NOT_FOUND, "demo" },
        { { "demo" }, NULL, "ios", SQ_ERR_NOT_FOUND, "demo" },
        { { "demo" }, NULL, "android", SQ_ERR_NO_DEVICES, "demo" },
        { { "demo" }, NULL, "android", SQ_ERR_IO, NULL },
        { { "demo" }, NULL, "android", SQ_ERR_TIMEOUT, NULL },
        { { "demo" }, NULL, "android", SQ_ERR_FORMAT, NULL },
        { { "demo" }, NULL, "android", SQ_ERR_TRUNCATED, NULL },
        { { "demo" }, NULL, "ios", SQ_ERR_LIMIT, NULL },
        { { "demo", "off" }, "", "ios", SQ_ERR_IO, NULL },
        { { "demo" }, "demo", "android", SQ_ERR_IO, "demo" },
        /* Known devices are used, unless the list of their own kind failed. */
        { { "demo", "a" }, NULL, "ios", SQ_ERR_IO, "a" },
        { { "demo", "a" }, NULL, "android", SQ_ERR_IO, NULL },
        { { "demo", "a" }, "a", "android", SQ_ERR_IO, "a" },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct sq_device_problem problems[] = {
            problem_of("desktop", SQ_ERR_NOT_FOUND),
            problem_of(cases[i].broken_kind, cases[i].broken_by),
        };
        T_FREED(sq_device_list_finish) struct sq_device_list list = { 0 };
        const struct sq_device_info *chosen = NULL;
        for (int k = 0; k < 3 && cases[i].attached[k]; k++) {
            add(&list, cases[i].attached[k]);
        }
        list.problems = problems;
        list.problem_count = 2;
        if (cases[i].chosen) {
            T_OK(sq_devices_choose(&list, cases[i].id, &chosen, NULL, &t_err));
            T_STR(chosen->id, cases[i].chosen);
        } else {
            T_FAILS(
                sq_devices_choose(&list, cases[i].id, &chosen, NULL, &t_err),
                cases[i].broken_by);
            T_HAS(t_err.message, cases[i].broken_kind);
            T_HAS(t_err.message, "it said nothing useful");
            T_HAS(t_err.hint, "Ask it again.");
            T_HAS(t_err.hint, "deviceId to \"" SQ_DEMO_ID "\"");
        }
        list.problems = NULL;
    }
}

T_CASE(names_many_devices_in_a_short_hint) {
    T_FREED(sq_device_list_finish) struct sq_device_list list = { 0 };
    const struct sq_device_info *chosen;
    for (int i = 0; i < 100; i++) {
        char id[32];
        snprintf(id, sizeof(id), "emulator-%d", 5554 + 2 * i);
        add(&list, id);
    }
    T(!sq_devices_choose(&list, NULL, &chosen, NULL, &t_err));
    T_HAS(t_err.hint, "emulator-5554, emulator-5556");
    T_HAS(t_err.hint, " more");
}
