/* The output schemas of operations without pictures, and their answers. */

#include "json/reader.h"
#include "support/fake_device.h"
#include "support/json_schema.h"
#include "support/test.h"
#include "tools/schema.h"
#include "tools/table.h"

static struct fake_world world;

static const struct fake_node page[] = {
    { 0, "a.Root", .bounds = { 0, 0, 1080, 2400 } },
    { 1, "a.Button", .text = "OK", .bounds = { 240, 480, 480, 720 },
      .flags = SQ_NODE_CLICKABLE },
    { 1, "a.Text", .text = "A label", .bounds = { 0, 0, 480, 240 } },
    { .class_name = NULL },
};

/* Runs it, and checks the answer with the output schema of the operation. */
static void
holds(const char *operation, const char *arguments) {
    const struct sq_tool *tool = sq_tools_find(sq_span_of(operation));
    const struct sq_json *answer = NULL;
    T_ARENA(arena, (size_t)1 << 20);
    T_BUF(schema, 65536);
    T_OK(fake_run(&world, operation, arguments), &world.err);
    T_INT(world.result.count, 1);
    T_OK(sq_schema_of_output(tool, &schema, &t_err));
    T_OK(sq_json_parse(sq_span_of(world.json), &arena, &answer, &t_err));
    const char *why = t_schema_check_text(
        (struct sq_span){ (char *)schema.data, schema.len }, answer);
    if (!T(why == NULL)) {
        printf("# %s %s: %s\n", operation, arguments, why);
    }
}

T_CASE(answers_match_their_schema) {
    fake_world_start(&world, NULL);
    world.device.screen.size = (struct sq_size){ 54, 120 };
    for (int visible = 0; visible < 2; visible++) {
        world.device.nodes = visible ? page : NULL;
        holds("devices", "{}");
        holds("apps", "{}");
        holds("apps", "{'limit':1,'offset':1}");
        holds("accessibility-check", "{}");
        holds("dump", "{}");
        holds("dump", "{'limit':1}");
        holds("dump", "{'limit':1,'offset':1}");
        holds("dump", "{'compact':false}");
        holds("wait", "{'stableMs':0}");
    }
    holds("wait", "{'text':'label'}");
    holds("wait", "{'text':'nowhere','timeoutMs':0}");
    world.device.patch_frames = 1;
    holds("wait", "{'stableMs':0}");
    world.device.base.info.state = SQ_DEVICE_OFFLINE;
    holds("devices", "{}");
    fake_world_end(&world);
}

/* The check itself must be able to fail. */
T_CASE(schema_violation_is_detected) {
    const struct sq_json *answer = NULL;
    T_ARENA(arena, 65536);
    T_BUF(schema, 65536);
    T_OK(sq_schema_of_output(sq_tools_find(SQ_SPAN("apps")), &schema, &t_err));
    const struct sq_span text = { (char *)schema.data, schema.len };
    static const char *const wrong[] = {
        "{}",
        "{\"apps\":[{}],\"count\":1,\"totalCount\":1,\"hasMore\":false,"
        "\"deviceId\":\"x\"}",
        "{\"apps\":[],\"count\":\"1\",\"totalCount\":1,\"hasMore\":false,"
        "\"deviceId\":\"x\"}",
        "{\"apps\":[],\"count\":1,\"totalCount\":1,\"hasMore\":false,"
        "\"deviceId\":\"x\",\"more\":1}",
    };
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        T_OK(sq_json_parse(sq_span_of(wrong[i]), &arena, &answer, &t_err));
        T(t_schema_check_text(text, answer) != NULL);
    }
}

T_CASE(operations_with_pictures_have_no_output_schema) {
    for (size_t i = 0; sq_tools[i]; i++) {
        const struct sq_tool *tool = sq_tools[i];
        bool shows = tool->flags & SQ_TOOL_IMAGE;
        T_BUF(schema, 65536);
        T_OK(sq_schema_of_output(tool, &schema, &t_err));
        if (!T(shows == (schema.len == 0) && shows == !tool->output)) {
            printf("# %s\n", tool->name);
        }
    }
}
