/* swipe: from one point to another, in their coordinate space. */
#include "unit/tools/acting.h"

T_FIXTURE(acting_start, acting_end);

T_CASE(both_ends_are_converted) {
    expect("screenshot", "{}", "<*>");
    expect("swipe", "{'from':{'x':200,'y':500},'to':{'x':50,'y':100}}",
           "{'swiped':{'from':{'x':200,'y':500,'deviceX':480,'deviceY':1200},"
           "'to':{'x':50,'y':100,'deviceX':120,'deviceY':240},'durationMs':300,"
           "'coordinateSpace':'image','screenshotId':'s1'}<*>");
    T_STR(last_action(), "swipe 480,1200 120,240 300ms");
}

T_CASE(points_of_pictures_and_of_the_device) {
    expect("screenshot", "{}", "<*>");
    expect("screenshot", "{'maxDimension':500}", "<*>");
    expect("swipe",
           "{'from':{'x':200,'y':400},'to':{'x':0,'y':0},'durationMs':1000,"
           "'screenshotId':'s1'}",
           "<*>'screenshotId':'s1'<*>");
    T_STR(last_action(), "swipe 480,960 0,0 1000ms");
    expect("swipe",
           "{'from':{'x':1079,'y':2399},'to':{'x':3,'y':4},'deviceSpace':true}",
           "<*>'coordinateSpace':'device'<*>");
    T_STR(last_action(), "swipe 1079,2399 3,4 300ms");
}

T_CASE(invalid_points_are_refused) {
    expect_refusal("swipe", "{'from':{'x':1,'y':1}}", "INPUT_VALIDATION_FAILED",
                   "to is missing", "<*>");
    expect_refusal("swipe", "{'from':{'x':1},'to':{'x':1,'y':1}}",
                   "INPUT_VALIDATION_FAILED", "from.y is missing", "<*>");
    expect_refusal("swipe", "{'from':{'x':1,'y':1},'to':{'x':450,'y':1}}",
                   "INPUT_VALIDATION_FAILED",
                   "to: the point 450,1 is outside the 450x1000 image", "<*>");
    expect_refusal("swipe", "{'from':{'x':-1,'y':1},'to':{'x':4,'y':1}}",
                   "INPUT_VALIDATION_FAILED",
                   "from: the point -1,1 is outside the 450x1000 image", "<*>");
    expect_refusal("swipe",
                   "{'from':{'x':1,'y':1},'to':{'x':4,'y':1},"
                   "'screenshotId':'s1','deviceSpace':true}",
                   "INPUT_VALIDATION_FAILED",
                   "the points are given in more than one space", "<*>");
    expect_refusal("swipe",
                   "{'from':{'x':1,'y':1},'to':{'x':4,'y':1},"
                   "'screenshotId':'s7'}",
                   "UNKNOWN_SCREENSHOT_ID", "<*>", "<*>");
}

T_CASE(failures_are_passed_on) {
    static const char call[] =
        "{'from':{'x':200,'y':500},'to':{'x':50,'y':100}}";
    acting_torture("swipe", call);
    action_fails = SQ_ERR_DEVICE_OFFLINE;
    T(!fake_run(&world, "swipe", call));
    T_STR(sq_tool_error_name(world.err.code), "DEVICE_OFFLINE");
}
