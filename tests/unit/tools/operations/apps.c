/* apps: a list, page by page. */
#include "unit/tools/acting.h"

T_FIXTURE(acting_start, acting_end);

T_CASE(apps_are_listed) {
    expect("apps", "{}",
           "{'apps':[{'packageName':'com.example.app','label':'Example'},"
           "{'packageName':'com.example.shop','label':'Shop'}],'count':2,"
           "'totalCount':2,'hasMore':false,<*>}");
}

T_CASE(long_lists_are_paged) {
    expect("apps", "{'limit':1}",
           "{'apps':[{'packageName':'com.example.app',<*>}],'count':1,"
           "'totalCount':2,'hasMore':true,<*>");
    expect("apps", "{'limit':1,'offset':1}",
           "{'apps':[{'packageName':'com.example.shop',<*>}],'count':1,"
           "'totalCount':2,'hasMore':false,<*>");
    expect("apps", "{'offset':2}",
           "{'apps':[],'count':0,'totalCount':2,'hasMore':false,<*>");
}

T_CASE(listing_is_allowed_in_read_only_mode) {
    world.config.tools.read_only = true;
    expect("apps", "{}", "{'apps':[<*>");
    world.device.ops.apps = NULL;
    expect_refusal("apps", "{}", "UNSUPPORTED", "<*>cannot list their apps",
                   "<*>");
}

static bool
list_once(void *context, struct sq_err *err) {
    bool ok = fake_run(&world, "apps", context);
    *err = world.err;
    return ok;
}

T_CASE(listing_survives_every_failed_allocation) {
    static char call[] = "{}";
    T(t_alloc_torture(list_once, call) >= 2);
}
