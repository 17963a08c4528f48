#include "support/fake_device.h"
#include "support/test.h"

static struct fake_world world;

T_CASE(devices_are_listed_with_their_state) {
    fake_world_start(&world, NULL);
    T(fake_run(&world, "devices", "{}"));
    T(fake_matches(world.json,
                   "{'devices':[{'id':'fake-1','kind':'fake','name':'Fake "
                   "phone','state':'online'}],'count':1,'untrusted':true}"));
    struct sq_device_info *info = &world.device.base.info;
    info->state = SQ_DEVICE_UNAUTHORIZED;
    snprintf(info->why, sizeof(info->why), "it does not trust this computer");
    snprintf(info->hint, sizeof(info->hint), "Unlock it and allow debugging.");
    T(fake_run(&world, "devices", "{}"));
    T_SAYS("'state':'unauthorized','why':'it does not trust this computer',"
           "'hint':'Unlock it and allow debugging.'");
    fake_world_end(&world);
}
