/* Commands that follow each other: one story on the demo phone. */
#include "unit/app/home.h"

/* Declared here because <sys/file.h> would include our own sys/file.h. */
int flock(int fd, int how);

static void
expect(int status, const char *part) {
    T_INT(run.status, status);
    T_STR(run.err, "");
    run_says(run.out, part);
}

static const char *
state_file(const char *name) {
    static char path[700];
    snprintf(path, sizeof(path), "%s/squint/%s", getenv("XDG_RUNTIME_DIR"),
             name);
    return path;
}

T_FIXTURE(home_start, t_album_end);

T_CASE(the_phone_keeps_its_state) {
    RUN("launch", "--package-name", "Login");
    expect(0, "Launched com.squint.demo.login; the screen changed");
    RUN("tap", "--selector.text", "Username");
    expect(0, "Tapped \"Username\" at ");
    RUN("input", "--text", "Ada");
    expect(0, "Typed 3 characters into \"Username\"");
    RUN("find", "--selector.text", "Ada");
    expect(0, "1 element found");
    RUN("clipboard", "copied");
    run_says(run.out, "Set the clipboard on demo\n");
    RUN("clipboard");
    T_STR(run.out, "copied\n");
    RUN("demo", "--reset");
    expect(0, "The demo phone was reset.\n");
    RUN("find", "--selector.text", "Ada");
    expect(1, "No element found");
    RUN("clipboard");
    run_says(run.out, "The clipboard is empty\n");
    T(access(state_file("demo-phone.json"), F_OK) != 0);
}

/* A server has a phone of its own, and leaves that of the commands alone. */
T_CASE(a_server_starts_afresh) {
    static const char calls[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
        "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
        "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n"
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":"
        "{\"name\":\"ui\",\"arguments\":{\"operation\":\"launch\","
        "\"packageName\":\"Shop\"}}}\n";
    RUN("launch", "--package-name", "Login");
    t_put(t_scratch_path("calls"), calls, sizeof(calls) - 1);
    /* A call that outlives the drain time ends the process: this one. */
    RUN_WITH(((struct run_streams){ .input = t_scratch_path("calls") }), "mcp",
             "--drain-ms", "600000");
    run_says(run.out, "com.squint.demo.shop");
    RUN("find", "--selector.text", "Username");
    expect(0, "1 element found");
}

T_CASE(points_count_in_the_latest_picture) {
    const char *file = t_scratch_path("a.jpg");
    RUN("screenshot", "--max-dimension", "500", "-o", file);
    expect(0, "squint tap X Y now counts in the pixels of this picture (s1).");
    RUN("tap", "x=86", "y=394");
    expect(0, "Tapped \"Login\" at 86,394 (413,1891 on the device)");
    RUN("key", "name=home");
    RUN("screenshot", "-o", file);
    RUN("tap", "x=86", "y=394", "--receipt", "none");
    expect(0, "Tapped at 86,394 (206,946 on the device)");
    RUN("tap", "x=86", "y=394", "--screenshot-id", "s1", "--receipt", "none");
    expect(0, "Tapped at 86,394 (413,1891 on the device)");
    RUN("tap", "x=1", "y=1", "--screenshot-id", "s99");
    run_refused(1, "there is no recent screenshot \"s99\"");
}

/* After a picture of another app, points count in the current screen. */
T_CASE(points_follow_the_app_in_front) {
    const char *file = t_scratch_path("a.jpg");
    RUN("find", "Shop");
    expect(0, "1 element found");
    RUN("launch", "Shop");
    RUN("tap", "188", "362");
    expect(0, "Tapped ");
    run_says(run.out, "at 188,362 (451,869 on the device)");
    /* A pixel of a smaller picture has another place. */
    RUN("screenshot", "--max-dimension", "500", "-o", file);
    /* A receipt with a list would say where points count now. */
    RUN("launch", "Login", "--receipt", "fast");
    RUN("tap", "113", "160");
    run_refused(1, "shows com.squint.demo.shop, but com.squint.demo.login");
    RUN("tap", "113", "160", "--screenshot-id", "s1");
    run_refused(1, "screenshot s1 shows com.squint.demo.launcher");
    RUN("dump");
    RUN("tap", "188", "362");
    expect(0, "at 188,362 (451,869 on the device)");
}

/* The pictures of other devices stay known. */
T_CASE(reset_forgets_the_pictures_of_the_phone) {
    static const char other[] =
        "{\"squintSession\":1,\"savedAt\":%ld,\"lastId\":7,\"frames\":["
        "{\"id\":\"s7\",\"device\":\"other\",\"app\":\"a.b\",\"numbers\":"
        "[100,200,50,100,0,0,100,200,0,0,0,0]}],\"devices\":[]}";
    char text[sizeof(other) + 32];
    const char *file = t_scratch_path("a.jpg");
    RUN("launch", "Login");
    int len = snprintf(text, sizeof(text), other, (long)time(NULL));
    t_put(state_file("session.json"), text, (size_t)len);
    RUN("screenshot", "--max-dimension", "500", "-o", file);
    expect(0, "(s8)");
    RUN("demo", "--reset");
    expect(0, "The demo phone was reset.\n");
    RUN("tap", "200", "500");
    expect(0, "at 200,500 (480,1200 on the device)");
    RUN("tap", "200", "500", "--screenshot-id", "s8");
    run_refused(1, "there is no recent screenshot \"s8\"");
    run_slurp(state_file("session.json"), run.out, sizeof(run.out));
    run_says(run.out, "{\"id\":\"s7\",\"device\":\"other\"");
}

/* One from another program, an older version, or half written. */
T_CASE(files_that_cannot_be_used_are_replaced) {
    static const char *const bad[] = { "garbage", "{}", "[1,2",
                                       "{\"squintDemoPhone\":99}" };
    RUN("launch", "--package-name", "Login");
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        t_put(state_file("demo-phone.json"), bad[i], strlen(bad[i]));
        RUN_EXITS(0, "dump");
        T(strncmp(run.err, "squint: the demo phone starts again: ", 37) == 0);
        run_says(run.err, i < 3 ? "/demo-phone.json: " : " has version 99");
        run_says(run.out, "Settings");
        RUN("dump");
        expect(0, "Settings");
    }
    t_put(state_file("session.json"), "{\"x\":", 5);
    RUN_EXITS(0, "dump");
    run_says(run.err, "squint: earlier pictures are forgotten: ");
    RUN("dump");
    expect(0, "Settings");
    /* Another size is another phone. */
    RUN_EXITS(0, "dump", "--demo-width", "800");
    run_says(run.err, "had another size, density or seed before");
}

T_CASE(a_locked_phone_is_waited_for_not_forever) {
    RUN_EXITS(0, "key", "name=home");
    int lock = open(state_file("demo-phone.lock"), O_RDWR | O_CLOEXEC);
    T(lock >= 0 && flock(lock, LOCK_EX) == 0);
    RUN("key", "name=home", "--timeout-ms", "1000");
    run_refused(1, "another command is using the demo phone\n  Wait until");
    RUN("dump");
    expect(0, "Settings"); /* looking needs no lock */
    close(lock);
    RUN_EXITS(0, "key", "name=home");
}

/* A convenience: without a place for it, commands still work. */
T_CASE(without_a_folder_it_says_so) {
    setenv("XDG_RUNTIME_DIR", "/dev/null/nowhere", 1);
    setenv("XDG_STATE_HOME", "/dev/null/nowhere", 1);
    RUN_EXITS(0, "key", "name=home");
    run_says(run.err, "squint: this command leaves nothing for the next: ");
    run_refuses(1, "demo --reset", "squint demo: cannot write ");
    RUN("list", "--archive", t_scratch());
    T_STR(run.err, "");
}
