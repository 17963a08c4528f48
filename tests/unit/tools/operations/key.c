/* key: names as users write them. */
#include "unit/tools/acting.h"

T_FIXTURE(acting_start, acting_end);

T_CASE(names_are_normalised) {
    static const char *const same[] = {
        "{'name':'back'}",
        "{'name':'BACK'}",
        "{'name':'KEYCODE_BACK'}",
        "{'name':'keycode_back'}",
    };
    for (size_t i = 0; i < SQ_COUNT(same); i++) {
        expect("key", same[i], "{'pressed':'back',<*>");
        T_STR(last_action(), "key back");
    }
    expect("key", "{'name':'keycode_'}", "{'pressed':'keycode_',<*>");
}

T_CASE(invalid_names_are_refused) {
    static const char *const bad[] = {
        "{'name':''}",
        "{'name':'a b'}",
        "{'name':'back;reboot'}",
        "{'name':'zur\\u00fcck'}",
        "{'name':'a\\u0000b'}",
    };
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        expect_refusal("key", bad[i], "INPUT_VALIDATION_FAILED",
                       "name is not the name of a key", "<*>back<*>");
    }
    expect_refusal("key", "{}", "INPUT_VALIDATION_FAILED", "name is missing",
                   "<*>");
}

T_CASE(failures_are_passed_on) {
    static const char call[] = "{'name':'home'}";
    acting_torture("key", call);
    action_fails = SQ_ERR_ARGUMENT;
    T(!fake_run(&world, "key", "{'name':'warp'}"));
    T_STR(world.err.message, "the phone says no");
    world.device.ops.key = NULL;
    expect_refusal("key", "{'name':'home'}", "UNSUPPORTED",
                   "<*>cannot receive keys", "<*>");
}
