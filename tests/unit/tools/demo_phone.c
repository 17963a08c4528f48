/* Operations that act, on the demo phone. */

#include "config/config.h"
#include "json/reader.h"
#include "support/fake_device.h"
#include "support/test.h"
#include "tool/tool.h"
#include "tools/run.h"

static struct sq_session *session;
static struct sq_devices *devices;
static struct sq_config config;
static char json[65536];

/* Always noon of a day in 2026: the clock of the status bar is stopped. */
static int64_t
noon(void *context) {
    return (int64_t)1780315200 * 1000000000;
}

static void
start(void) {
    const struct sq_session_options options = { .max_dimension = 1000 };
    const struct sq_devices_options phones = { .demo = { .now_ns = noon } };
    sq_config_defaults(&config);
    T_OK(sq_session_create(&options, &session, &t_err));
    T_OK(sq_devices_create(NULL, &phones, &devices, &t_err));
}

static void
end(void) {
    sq_devices_destroy(devices);
    sq_session_destroy(session);
}

static void
keep_answer(const struct sq_result *result) {
    const struct sq_buf *text = &result->details;
    for (int i = 0; i < result->count; i++) {
        if (result->blocks[i].kind == SQ_BLOCK_TEXT) {
            text = &result->blocks[i].data;
        }
    }
    snprintf(json, sizeof(json), "%.*s", (int)text->len,
             text->data ? (const char *)text->data : "");
}

static void
unquote(const char *from, char *to, size_t size) {
    snprintf(to, size, "%s", from);
    for (; *to; to++) {
        *to = *to == '\'' ? '"' : *to;
    }
}

static bool
run(const char *operation, const char *arguments) {
    char text[1024];
    T_FREED(sq_result_finish) struct sq_result result = { 0 };
    const struct sq_json *parsed = NULL;
    const struct sq_call given = { .session = session,
                                   .config = &config,
                                   .devices = devices };
    unquote(arguments, text, sizeof(text));
    T_ARENA(arena, 65536);
    t_err = (struct sq_err){ 0 };
    bool ok = sq_json_parse(sq_span_of(text), &arena, &parsed, &t_err)
           && sq_tools_run(operation, parsed, &given, &result, &t_err);
    keep_answer(&result);
    return ok;
}

static void
expect(const char *operation, const char *arguments, const char *pattern) {
    char quoted[1024];
    unquote(pattern, quoted, sizeof(quoted));
    if (T_OK(run(operation, arguments))) {
        T(fake_matches(json, quoted));
    }
}

T_FIXTURE(start, end);

T_CASE(signing_in_on_the_demo_phone) {
    expect("launch", "{'packageName':'com.squint.demo.login'}",
           "{'launched':'com.squint.demo.login',"
           "'settled':true,'changed':{<*>},<*>");
    expect("input", "{'text':'Ada','selector':{'text':'Username'}}",
           "{'typed':{'characters':3},'tapped':{<*>'coordinateSpace':'image',"
           "'screenshotId':'s2'},'field':{'hint':'Username','type':'EditText',"
           "'resourceId':'username','text':'Ada'},<*>");
    expect("input", "{'text':'s3cret','selector':{'text':'Password'}}",
           "<*>'field':{'hint':'Password','type':'EditText',"
           "'resourceId':'password','password':true,'characters':6},<*>");
    T(strstr(json, "s3cret") == NULL && strstr(json, "\"note\"") == NULL);
    expect("tap", "{'selector':{'text':'Sign in'},'receipt':'full'}",
           "{'tapped':{<*>},'element':{'label':'Sign in','type':'Button',"
           "'resourceId':'sign_in'},'settled':true,'changed':{<*>},<*>"
           "'elements':[<*>Ada<*>Sign out'<*>");
    T_LACKS(json, "s3cret");
}

T_CASE(scrolling_to_the_end_of_a_list) {
    expect("launch", "{'packageName':'com.squint.demo.settings'}", "<*>");
    expect("scroll", "{'direction':'down'}",
           "<*>'settled':true,'changed':{<*>");
    int steps = 0;
    while (steps++ < 40 && !strstr(json, "\"changed\":null")) {
        T_OK(run("scroll", "{'direction':'down','amount':1}"));
    }
    T(steps < 40);
    expect("scroll", "{'direction':'up'}", "<*>'changed':{<*>");
    expect("key", "{'name':'home'}",
           "{'pressed':'home','settled':true,'changed':{<*>");
}

T_CASE(game_and_secure_screens) {
    expect("launch", "{'packageName':'com.squint.demo.game'}", "<*>");
    T(!run("tap", "{'selector':{'text':'Play'}}"));
    T_STR(sq_tool_error_name(t_err.code), "ELEMENT_NOT_FOUND");
    expect("launch", "{'packageName':'com.squint.demo.secure'}",
           "<*>'note':'Looking at the screen afterwards failed: the device "
           "hides what is on its screen.'<*>");
}

static int
occurrences(const char *text) {
    int count = 0;
    for (const char *at = json; (at = strstr(at, text)); at++) {
        count++;
    }
    return count;
}

/* The first answer of the phone also says that it is the demo phone. */
T_CASE(steps_list_the_elements_once) {
    expect("steps",
           "{'elements':true,'steps':[{'operation':'launch','packageName':"
           "'com.squint.demo.login','receipt':'full'},{'operation':'launch',"
           "'packageName':'com.squint.demo.shop'}]}",
           "{'steps':[{'launched':'com.squint.demo.login',<*>},{'launched':"
           "'com.squint.demo.shop',<*>}],'done':2,'columns':<*>Studio "
           "headphones<*>");
    T_INT(occurrences("\"elements\":"), 1);
    T_INT(occurrences("\"columns\":"), 1);
    T_INT(occurrences("Studio headphones"), 1);
    T_INT(occurrences("\"deviceNote\":"), 1);
    expect("steps",
           "{'elements':true,'steps':[{'operation':'launch','packageName':"
           "'com.squint.demo.game'}]}",
           "{'steps':[{'launched':<*>}],'done':1,<*>'elements':[]<*>");
    T_INT(occurrences("\"deviceId\":"), 2);
}

/* The message is the last of the elements, of which not all are listed. */
T_CASE(a_dialog_and_the_message_after_it_are_listed) {
    static const char *const wants[] = { "Delete old downloads?", "Cancel",
                                         "12 files, 3.4 GB" };
    int64_t more = 0;
    struct sq_span number;
    T_ARENA(arena, 1 << 18);
    T_OK(run("launch", "{'packageName':'com.squint.demo.settings'}"));
    T_OK(run("tap", "{'textContains':'Storage','scroll':true}"));
    for (int i = 0; i < 3; i++) {
        T_HAS(json, wants[i]);
    }
    T(strstr(json, "Battery") == NULL && strstr(json, "\"more\"") == NULL);
    T_OK(run("tap", "{'text':'Delete'}"));
    T_HAS(json, " Text 3.4 GB are free again\"]");
    const struct sq_json *answer = NULL;
    T_OK(sq_json_parse(sq_span_of(json), &arena, &answer, &t_err));
    struct sq_span said = sq_json_text_of(answer, "more");
    T(sq_span_take_until(&said, ' ', &number)
      && sq_span_to_int64(number, &more));
    int64_t all =
        (int64_t)sq_json_count(sq_json_get(answer, "elements")) + more;
    T_OK(run("dump", "{}"));
    T_OK(sq_json_parse(sq_span_of(json), &arena, &answer, &t_err));
    T_INT(sq_json_int_of(answer, "count"), all);
}
