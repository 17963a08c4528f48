/* The elements of the screen, and the ways in which a dump can fail. */
#include "unit/device/android/dumping.h"
#include "util/limits.h"

/* From now on, files are used, as on a phone without /dev/tty. */
static void
use_files(void) {
    ((struct sq_android *)phone)->dump_way = SQ_ANDROID_DUMP_IN_ONE_EXCHANGE;
}

#define DIRECT "uiautomator dump /dev/tty"
#define DONE_DIRECTLY "UI hierchary dumped to: /dev/tty\n"

T_FIXTURE(NULL, end);

T_CASE(elements_and_display_are_read_at_the_same_time) {
    static const struct rule table[] = {
        { .words = DIRECT, .out = XML DONE_DIRECTLY }, { 0 }
    };
    struct sq_deadline deadline = test_deadline();
    struct sq_screen screen = { 0 };
    phone_start(table);
    T_OK(list(&t_err));
    T_INT(tree.count, 1);
    T(sq_span_is(tree.root->text, "Sign in"));
    T_STR(last_command(), DIRECT);
    T_OK(sq_device_screen(phone, &screen, &deadline, &t_err));
    T_INT(screen.size.height, 16);
    T_INT(server.connections, 3); /* with that of the password's focus */
    /* It is quick enough to be done with every screenshot. */
    T(phone->ops->elements_are_cheap);
}

/* One that was started is used once; one that was abandoned is not. */
T_CASE(list_can_be_started_before_it_is_needed) {
    static const struct rule table[] = {
        { .words = DIRECT, .out = XML DONE_DIRECTLY },
        { .words = "input tap" },
        { 0 },
    };
    struct sq_deadline deadline = test_deadline();
    const struct sq_touch touch = { .count = 1 };
    phone_start(table);
    struct sq_android *android = (struct sq_android *)phone;
    sq_device_start_tree(phone, &deadline);
    T(android->early_dump.is_open);
    T_OK(sq_device_screen(phone, &(struct sq_screen){ 0 }, &deadline, &t_err));
    android->early_dump_ns -= (int64_t)400 * 1000000;
    T_OK(list(&t_err));
    T_INT(tree.count, 1);
    T_INT(dumps(), 1);
    T(!android->early_dump.is_open);
    /* It took as long as since its start. */
    T(android->dump.ns >= (int64_t)400 * 1000000);
    T_OK(list(&t_err));
    T_INT(dumps(), 2);
    sq_device_start_tree(phone, &deadline);
    sq_device_abandon_tree(phone);
    T(!android->early_dump.is_open);
    /* An action ends it as well: it shows the screen before. */
    sq_device_start_tree(phone, &deadline);
    T_OK(sq_device_tap(phone, &touch, &deadline, &t_err));
    T(!android->early_dump.is_open);
    /* Not on phones that need a file, or whose screen keeps changing. */
    use_files();
    sq_device_start_tree(phone, &deadline);
    T(!android->early_dump.is_open);
}

/* Lists with this answer of a direct dump, and a file that works. */
static void
expect_file_is_used(const char *out, const char *errors) {
    const struct rule table[] = {
        { .words = DIRECT, .out = out, .errors = errors },
        { .words = "uiautomator dump /data/", .out = XML, .errors = DONE },
        { 0 }
    };
    phone_start(table);
    T_OK(list(&t_err));
    T_INT(tree.count, 1);
    T_INT(dumps(), 2);
    /* The phone is not asked again for what it cannot do. */
    fake_adb_clear_log(&server);
    T_OK(list(&t_err));
    T_INT(dumps(), 1);
    T_LACKS(last_command(), DIRECT);
    end();
}

/* The error counts what was sent, not what remained of it. */
T_CASE(output_without_elements_is_counted) {
    static char garbage[5000];
    memset(garbage, 'x', sizeof(garbage) - 1);
    const struct rule table[] = {
        { .words = DIRECT, .out = garbage, .errors = DONE_DIRECTLY },
        { .words = "uiautomator dump /data/", .out = garbage, .errors = DONE },
        { 0 }
    };
    phone_start(table);
    T(!list(&t_err));
    T_HAS(t_err.message, "4999 bytes without a list of elements");
}

T_BARE_CASE(without_a_terminal_a_file_is_used) {
    expect_file_is_used("", "java.io.FileNotFoundException: /dev/tty: open "
                            "failed: ENXIO (No such device or address)\n");
    expect_file_is_used(DONE_DIRECTLY, "");
}

T_CASE(document_needs_its_end_and_success) {
    static const struct rule table[] = {
        { .words = DIRECT, .out = "<?xml version='1.0'?><hierarchy><node " },
        { 0 }
    };
    static const struct rule half[] = {
        { .words = DIRECT,
          .out = "<?xml version='1.0'?><hierarchy><node />" DONE_DIRECTLY },
        { 0 }
    };
    phone_start(table);
    T_FAILS(list(&t_err), SQ_ERR_UNSUPPORTED);
    set_rules(half);
    t_err = (struct sq_err){ 0 };
    T(!list(&t_err));
    T(t_err.code == SQ_ERR_TRUNCATED || t_err.code == SQ_ERR_FORMAT);
}

/* The display was queried before the screen changed: it is queried again. */
T_BARE_CASE(contradicting_display_is_read_again) {
    static const struct {
        const char *first;
        const char *out;
    } cases[] = {
        { "  Display: mDisplayId=0\n"
          "    init=8x16 320dpi cur=8x16 app=8x16 rng=8x8-16x16\n"
          "  mCurrentFocus=Window{1 u0 com.other/com.other.Main}\n"
          "  mFocusedApp=ActivityRecord{2 u0 com.other/.Main t7}\n"
          "  DisplayRotation\n    mRotation=0\n",
          XML DONE_DIRECTLY },
        { DISPLAYS("16x8", "1"), XML DONE_DIRECTLY },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        const struct rule table[] = {
            { .words = DISPLAY_COMMAND, .out = cases[i].first, .times = 1 },
            { .words = DIRECT, .out = cases[i].out },
            { 0 }
        };
        struct sq_deadline deadline = test_deadline();
        struct sq_screen screen = { 0 };
        phone_start(table);
        T_OK(list(&t_err));
        T_OK(sq_device_screen(phone, &screen, &deadline, &t_err));
        T_INT(screen.rotation, 0);
        T_STR(screen.app, "com.example");
        T_INT(server.connections, 4);
        end();
    }
}

/* The file that the last command dumps to. */
static void
read_file_name(char out[200]) {
    static const char words[] = "uiautomator dump ";
    const char *name = strstr(last_command(), words);
    if (T(name != NULL)) {
        name += strlen(words);
        snprintf(out, 200, "%.*s", (int)strcspn(name, " ;"), name);
    }
}

T_CASE(every_dump_has_its_own_file_and_removes_it) {
    static const struct rule table[] = {
        { .words = "uiautomator", .out = XML, .errors = DONE }, { 0 }
    };
    char file[200];
    phone_start(table);
    use_files();
    T_OK(list(&t_err));
    const char *first = t_text("%s", last_command());
    read_file_name(file);
    T_OK(list(&t_err));
    T(strcmp(first, last_command()) != 0);
    T(strncmp(file, "/data/local/tmp/squint-", 23) == 0);
    T(strstr(first, "rm -f") && strstr(strstr(first, "rm -f"), file));
}

T_CASE(abandoned_file_is_removed) {
    static const struct rule table[] = {
        { .words = "uiautomator", .out = XML, .errors = DONE }, { 0 }
    };
    phone_start(table);
    use_files();
    server.cut_at = 20;
    server.cut_connection = 2; /* after those of the display */
    T_FAILS(list(&t_err), SQ_ERR_DEVICE_OFFLINE);
    char file[200];
    read_file_name(file);
    t_err = (struct sq_err){ 0 };
    T_OK(list(&t_err));
    T(strncmp(last_command(), "rm -f ", 6) == 0);
    T(strstr(last_command(), file) == last_command() + 6);
}

/* A stack trace before them is not a document. */
T_BARE_CASE(old_device_uses_one_stream) {
    static const char *const outputs[] = {
        DONE XML,
        "java.io.FileNotFoundException: /data/system/theme_config/"
        "theme_compatibility.xml (No such file or directory)\n"
        "\tat java.io.FileInputStream.<init>(FileInputStream.java)\n" DONE XML,
    };
    T_EACH(i, outputs) {
        const struct rule table[] = {
            { .words = "uiautomator", .out = outputs[i] }, { 0 }
        };
        phone_start(table);
        server.features = "";
        sq_device_destroy(phone);
        phone = fake_adb_device(adb);
        T_OK(list(&t_err));
        T_INT(tree.count, 1);
        end();
    }
}

T_CASE(oldest_device_gives_a_file) {
    static const struct rule table[] = {
        { .words = "uiautomator dump /data/local/tmp/squint-", .out = DONE },
        { .words = "rm /data/local/tmp/squint-", .out = "" },
        { 0 }
    };
    phone_start(table);
    phone_is_oldest();
    written = XML;
    written_len = sizeof(XML) - 1;
    T_OK(list(&t_err));
    T_INT(tree.count, 1);
    T_INT(server.connections, 3);
    /* An old file is removed first, and no file remains. */
    T(strncmp(server.log[0], "shell:rm /data/", 15) == 0);
    T(strncmp(last_command(), "rm /data/", 9) == 0);
    T_LACKS(last_command(), "uiautomator");
}

T_CASE(file_of_the_oldest_device_needs_success) {
    static const struct rule busy[] = { { .words = "uiautomator", .out = IDLE },
                                        { .words = "rm ", .out = "" },
                                        { 0 } };
    static const struct rule done[] = { { .words = "uiautomator", .out = DONE },
                                        { .words = "rm ", .out = "" },
                                        { 0 } };
    phone_start(busy);
    phone_is_oldest();
    written = XML;
    written_len = sizeof(XML) - 1;
    T_FAILS(list(&t_err), SQ_ERR_UNSUPPORTED);
    sq_idle_forget(idle());
    /* It reports success, but there is no document, or only a part. */
    set_rules(done);
    written = NULL;
    T(!list(&t_err));
    T(t_err.code == SQ_ERR_TRUNCATED || t_err.code == SQ_ERR_FORMAT);
    written = XML;
    written_len = sizeof(XML) - 20;
    T(!list(&t_err));
    T(t_err.code == SQ_ERR_TRUNCATED || t_err.code == SQ_ERR_FORMAT);
    written_len = sizeof(XML) - 1;
    T_OK(list(&t_err));
}

T_CASE(document_without_success_is_refused) {
    static const struct rule table[] = {
        { .words = "uiautomator", .out = XML, .errors = "Killed\n" }, { 0 }
    };
    phone_start(table);
    T_FAILS(list(&t_err), SQ_ERR_UNSUPPORTED);
    T_INT(dumps(), 2); /* one retry */
    T(tree.root == NULL);
}

T_CASE(too_many_elements_are_refused_with_a_hint) {
    static const char head[] = "<hierarchy rotation=\"0\">";
    static const char node[] = "<node text=\"a\" bounds=\"[0,0][8,4]\" />";
    static char document[2 << 20];
    size_t len = sizeof(head) - 1;
    memcpy(document, head, len);
    for (int i = 0; i <= SQ_MAX_TREE_NODES; i++) {
        memcpy(document + len, node, sizeof(node) - 1);
        len += sizeof(node) - 1;
    }
    memcpy(document + len, "</hierarchy>", 12);
    const struct rule table[] = { { .words = "uiautomator",
                                    .errors = DONE,
                                    .bytes = document,
                                    .count = len + 12 },
                                  { 0 } };
    phone_start(table);
    T_FAILS(list(&t_err), SQ_ERR_LIMIT);
    T_HAS(t_err.hint, "screenshot");
}

T_CASE(uiautomator_failures_are_reported) {
    static const struct {
        const char *errors;
        enum sq_err_code code;
        const char *says;
    } cases[] = {
        { "Killed\n", SQ_ERR_UNSUPPORTED, "another program may use" },
        { NO_ROOT, SQ_ERR_UNSUPPORTED, "no window" },
        { "", SQ_ERR_UNSUPPORTED, "may have crashed" },
        { "java.lang.NullPointerException: x\n", SQ_ERR_UNSUPPORTED,
          "NullPointerException" },
        { "write failed: ENOSPC\n", SQ_ERR_IO, "could not write" },
        { "Killed\njava.io.IOException: write failed: EDQUOT (Quota "
          "exceeded)\n",
          SQ_ERR_IO, "could not write" },
    };
    phone_start((const struct rule[]){ { 0 } });
    use_files();
    T_EACH(i, cases) {
        const struct rule table[] = {
            { .words = "uiautomator", .errors = cases[i].errors }, { 0 }
        };
        set_rules(table);
        T_FAILS(list(&t_err), cases[i].code);
        T_INT(dumps(), 2);
        T(t_err.hint[0]);
        T_HAS(t_err.message, cases[i].says);
        /* The failure is often temporary: nothing is remembered. */
        T(!sq_idle_is_set(idle()));
    }
}

T_CASE(temporary_failures_are_tried_again) {
    static const struct rule table[] = {
        { .words = "uiautomator", .errors = NO_ROOT, .times = 1 },
        { .words = "uiautomator", .out = XML, .errors = DONE },
        { 0 }
    };
    phone_start(table);
    T_OK(list(&t_err));
    T_INT(tree.count, 1);
    T_INT(dumps(), 2);
}

T_CASE(waiting_for_a_dump_leaves_time_for_a_picture) {
    phone_start((const struct rule[]){ { 0 } });
    server.device_hangs = true;
    struct sq_deadline deadline = sq_deadline_in(6100, NULL);
    T(!sq_device_tree(phone, &tree, &deadline, &t_err));
    /* A timeout does not say that the screen keeps changing. */
    T_INT(t_err.code, SQ_ERR_TIMEOUT);
    T_HAS(t_err.message, "uiautomator did not list");
    T_LACKS(t_err.message, "idle");
    T(t_err.hint[0]);
    T(sq_deadline_left_ms(&deadline) > 0);
    T(!sq_idle_is_set(idle()));
}

T_CASE(next_folder_is_tried_if_one_is_not_writable) {
    static const struct rule table[] = {
        { .words = "/dev/tty",
          .errors = "open failed: ENXIO, FileNotFoundException\n" },
        { .words = "/data/local/tmp",
          .errors = "java.io.FileNotFoundException: /data/local/tmp/x: "
                    "open failed: EACCES\n" },
        { .words = "/sdcard/squint-", .out = XML, .errors = DONE },
        { 0 }
    };
    phone_start(table);
    T_OK(list(&t_err));
    T_INT(dumps(), 3); /* directly, and in both folders */
    T_OK(list(&t_err));
    T_INT(dumps(), 4);
}

T_CASE(truncated_document_is_an_error) {
    char part[sizeof(XML)];
    phone_start((const struct rule[]){ { 0 } });
    for (size_t len = 0; len + 1 < sizeof(XML); len += 9) {
        memcpy(part, XML, len);
        part[len] = '\0';
        const struct rule table[] = {
            { .words = "uiautomator", .out = part, .errors = DONE }, { 0 }
        };
        set_rules(table);
        t_err = (struct sq_err){ 0 };
        T(!list(&t_err));
        T(t_err.code == SQ_ERR_TRUNCATED || t_err.code == SQ_ERR_FORMAT);
        T(t_err.hint[0]);
    }
}

static bool
list_one(void *context, struct sq_err *err) {
    return list(err);
}

T_CASE(out_of_memory_is_reported) {
    static const struct rule table[] = {
        { .words = "uiautomator", .out = XML, .errors = DONE }, { 0 }
    };
    phone_start(table);
    T(t_alloc_torture(list_one, NULL) > 4);
}
