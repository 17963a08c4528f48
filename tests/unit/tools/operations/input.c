/* input: typing, the target field, and reading it back. */

#include "unit/tools/acting.h"

#define FIELD (SQ_NODE_CLICKABLE | SQ_NODE_FOCUSABLE | SQ_NODE_EDITABLE)

static const struct fake_node form[] = {
    NODE(0, "FrameLayout", AT(0, 0, 1080, 2400)),
    NODE(1, "TextView", AT(60, 300, 1020, 380), .text = "Email", CLICKABLE),
    NODE(1, "EditText", AT(60, 400, 1020, 560), .hint = "Email",
         .resource_id = "com.example.app:id/email", .flags = FIELD),
    NODE(1, "EditText", AT(60, 600, 1020, 760), .hint = "Password",
         .flags = FIELD | SQ_NODE_PASSWORD),
    { .class_name = NULL },
};

static const struct fake_node filled[] = {
    NODE(0, "FrameLayout", AT(0, 0, 1080, 2400)),
    NODE(1, "EditText", AT(60, 400, 1020, 560), .hint = "Email",
         .text = "ada@example.com", .resource_id = "com.example.app:id/email",
         .flags = FIELD | SQ_NODE_FOCUSED),
    { .class_name = NULL },
};

static const struct fake_node secret[] = {
    NODE(0, "FrameLayout", AT(0, 0, 1080, 2400)),
    NODE(1, "EditText", AT(60, 600, 1020, 760), .hint = "Password",
         .text = "hunter2", .desc = "hunter2",
         .flags = FIELD | SQ_NODE_PASSWORD | SQ_NODE_FOCUSED),
    { .class_name = NULL },
};

T_FIXTURE(acting_start, acting_end);

T_CASE(text_goes_to_the_focused_field) {
    expect("input", "{'text':'Grüße 🎉'}",
           "{'typed':{'characters':7},<*>'deviceId':'fake-1'}");
    T_STR(last_action(), "text Grüße 🎉");
    T_INT(world.device.action_count, 1);
    T_INT(world.device.trees, 0);
}

/* Windows line ends. */
T_BARE_CASE(every_kind_of_line_end_is_one_newline) {
    static const char *const texts[][2] = {
        { "a\\nb", "text a\nb" },
        { "a\\r\\nb", "text a\nb" },
        { "\\r\\n\\r\\n", "text \n\n" },
        { "a\\tb", "text a\tb" },
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        size_t typed = strlen(texts[i][1]) - strlen("text ");
        acting_start();
        const char *arguments = t_text("{'text':'%s'}", texts[i][0]);
        expect("input", arguments,
               t_text("{'typed':{'characters':%zu},<*>", typed));
        T_STR(last_action(), texts[i][1]);
        acting_end();
    }
}

T_CASE(submit_presses_enter_afterwards) {
    expect("input", "{'text':'hi','submit':true}",
           "{'typed':{'characters':2,'submitted':true},<*>");
    T_INT(world.device.action_count, 2);
    T_STR(world.device.actions[0], "text hi");
    T_STR(world.device.actions[1], "key enter");
}

T_CASE(named_field_is_tapped_first) {
    world.device.nodes = form;
    /* The label has the same text; only the field accepts input. */
    expect("input", "{'text':'x','selector':{'text':'Email'}}",
           "{'typed':{'characters':1},'tapped':{'x':225,'y':200,'deviceX':540,"
           "'deviceY':480,'coordinateSpace':'image'},"
           "'element':{'label':'Email','type':'EditText',"
           "'resourceId':'email'},<*>");
    T_STR(world.device.actions[0], "tap 540,480 x1 0ms");
    T_STR(world.device.actions[1], "text x");
    expect("dump", "{}", "<*>");
    expect("input", "{'text':'y','elementIndex':2}", "<*>");
    T_STR(world.device.actions[2], "tap 540,680 x1 0ms");
}

T_CASE(focused_field_is_not_tapped_again) {
    world.device.nodes = filled;
    expect("input", "{'text':'x','selector':{'resourceId':'email'}}",
           "{'typed':{'characters':1},'element':<*>");
    T_INT(world.device.action_count, 1);
}

T_CASE(full_receipt_reads_the_field_back) {
    world.device.nodes = filled;
    expect("input", "{'text':'ada@example.com','receipt':'full'}",
           "{'typed':{'characters':15},'field':{'hint':'Email',"
           "'type':'EditText','resourceId':'email',"
           "'text':'ada@example.com'},<*>");
    T_OMITS("'note'");
    expect("input", "{'text':'bob','receipt':'full'}",
           "<*>'note':'The field does not show the text as it was typed.'<*>");
}

T_CASE(fast_receipt_reads_the_field_if_that_is_cheap) {
    world.device.nodes = filled;
    expect("input", "{'text':'ada'}", "{'typed':{'characters':3},<*>");
    T_OMITS("'field'");
    world.device.ops.elements_are_cheap = true;
    expect("input", "{'text':'ada'}", "<*>'field':{<*>");
    expect("input", "{'text':'ada','receipt':'none'}",
           "{'typed':{'characters':3},<*>");
    T_OMITS("'field'");
}

T_CASE(passwords_are_never_returned) {
    world.device.nodes = secret;
    world.device.ops.elements_are_cheap = true;
    expect("input", "{'text':'hunter2','selector':{'className':'EditText'}}",
           "<*>'field':{'hint':'Password','type':'EditText','password':true,"
           "'characters':7}<*>");
    T_LACKS(world.json, "hunter2");
    expect("input", "{'text':'hunter2','receipt':'full'}", "<*>");
    T_LACKS(world.json, "hunter2");
}

static const struct fake_node terminal[] = {
    { .depth = 0,
      .class_name = "android.view.View",
      .bounds = { 0, 0, 1080, 2400 },
      .flags = SQ_NODE_FOCUSABLE | SQ_NODE_FOCUSED },
    { .class_name = NULL },
};

T_CASE(text_without_focus_is_refused_if_elements_are_cheap) {
    world.device.nodes = form;
    world.device.ops.elements_are_cheap = true;
    expect_refusal("input", "{'text':'x'}", "INVALID_OPERATION",
                   "no text field has the focus", "<*>selector<*>");
    T_INT(world.device.action_count, 0);
    /* Without a tree the focus is unknown. */
    world.device.tree_fails = SQ_ERR_TIMEOUT;
    expect("input", "{'text':'x'}",
           "<*>'note':'Reading the field back failed: <*>'<*>");
}

T_CASE(text_without_focus_gets_a_note) {
    world.device.nodes = terminal;
    world.device.ops.elements_are_cheap = true;
    expect("input", "{'text':'x'}",
           "<*>'note':'No text field has the focus<*>'<*>");
    world.device.nodes = form;
    world.device.ops.elements_are_cheap = false;
    expect("input", "{'text':'x','receipt':'full'}",
           "<*>'note':'No text field has the focus<*>'<*>");
}

/* Neither a capture nor a list of the elements is worth its time here. */
T_CASE(text_is_reported_as_unverified_if_looking_is_slow) {
    world.device.nodes = form; /* no field has the focus */
    world.device.ops.capture_is_cheap = false;
    world.device.ops.elements_are_cheap = false;
    expect("input", "{'text':'abc'}",
           "{'typed':{'characters':3},'verified':false,'reason':'<*>receipt "
           "fast<*>',<*>");
    expect("input", "{'text':'abc'}",
           "{'typed':{'characters':3},'verified':false,"
           "'reason':'slow_captures',<*>");
    T_INT(world.device.captures, 0);
    T_INT(world.device.trees, 0);
}

T_CASE(unchanged_screen_is_reported) {
    world.device.ops.capture_is_cheap = true;
    expect("input", "{'text':'x'}",
           "<*>'changed':null,<*>'note':'Nothing has changed on the screen<*>");
    expect("input", "{'text':'x','receipt':'none'}",
           "{'typed':{'characters':1},<*>");
    T_OMITS("'note'");
}

static const struct fake_node buttons[] = {
    NODE(0, "FrameLayout", AT(0, 0, 1080, 2400)),
    { .depth = 1,
      .class_name = "com.google.android.material.button.MaterialButton",
      .text = "Sign in",
      .bounds = { 60, 300, 1020, 380 },
      .flags = SQ_NODE_CLICKABLE },
    { .depth = 1,
      .class_name = "com.example.Tick",
      .text = "Remember me",
      .bounds = { 60, 400, 1020, 560 },
      .flags = SQ_NODE_CLICKABLE | SQ_NODE_CHECKABLE },
    { .depth = 1,
      .class_name = "com.example.Canvas",
      .text = "Notes",
      .bounds = { 60, 600, 1020, 760 },
      .flags = SQ_NODE_CLICKABLE },
    { .class_name = NULL },
};

T_CASE(buttons_take_no_text) {
    world.device.nodes = buttons;
    expect_refusal("input", "{'text':'x','selector':{'text':'Sign in'}}",
                   "INVALID_OPERATION",
                   "text cannot be typed into a MaterialButton",
                   "Nothing was pressed.<*>");
    expect("dump", "{}", "<*>");
    expect_refusal("input", "{'text':'x','elementIndex':1}",
                   "INVALID_OPERATION", "text cannot be typed into a Tick",
                   "<*>");
    T_INT(world.device.action_count, 0);
    /* Elements that draw their own fields may accept text. */
    expect("input", "{'text':'x','selector':{'text':'Notes'}}", "<*>");
    T_INT(world.device.action_count, 2);
}

T_CASE(invalid_arguments_are_refused) {
    expect_refusal("input", "{}", "INPUT_VALIDATION_FAILED", "text is missing",
                   "<*>");
    expect_refusal("input", "{'text':''}", "INPUT_VALIDATION_FAILED",
                   "text is empty", "<*>key<*>");
    static const char *const controls[] = { "\\u0000", "\\u0007", "\\r\\r\\n",
                                            "\\u007f" };
    for (size_t i = 0; i < SQ_COUNT(controls); i++) {
        char arguments[80];
        snprintf(arguments, sizeof(arguments),
                 "{'text':'a%sb','clear':true,'elementIndex':1}", controls[i]);
        expect_refusal("input", arguments, "INPUT_VALIDATION_FAILED",
                       "text contains the control character <*>",
                       "Remove it. Nothing was done.");
    }
    T_INT(world.device.action_count, 0);
    expect_refusal("input",
                   "{'text':'a','elementIndex':1,'selector':{'text':'b'}}",
                   "INPUT_VALIDATION_FAILED",
                   "the field is named in more than one way", "<*>");
    world.device.nodes = form;
    expect_refusal("input", "{'text':'a','selector':{'text':'Phone'}}",
                   "ELEMENT_NOT_FOUND", "<*>", "<*>");
}

static void
fail_text(struct fake_device *fake) {
    action_fails = SQ_ERR_UNSUPPORTED; /* from the second action on */
}

T_CASE(partial_input_is_reported) {
    world.device.nodes = form;
    on_action = fail_text;
    T(!fake_run(&world, "input", "{'text':'a','selector':{'text':'Email'}}"));
    T_STR(world.err.message, "after the field was tapped: the phone says no");
    action_fails = SQ_ERR_NONE;
    T(!fake_run(&world, "input", "{'text':'a','submit':true}"));
    T_STR(world.err.message, "the text was typed, but enter not pressed: the "
                             "phone says no");
    action_fails = SQ_ERR_DEVICE_OFFLINE;
    T(!fake_run(&world, "input", "{'text':'a'}"));
    T_STR(world.err.message, "the phone says no");
}

T_CASE(typing_survives_every_failed_allocation) {
    static const char call[] = "{'text':'ada@example.com',"
                               "'selector':{'resourceId':'email'}}";
    world.device.nodes = filled;
    world.device.ops.elements_are_cheap = true;
    acting_torture("input", call);
}

enum {
    END = 1,
    BEFORE, /* deletes before the cursor */
    AFTER,
};

/*
 * A field with a cursor. Its keys arrive late; the key "end" moves to the end
 * of the line only, so that text after the cursor may be left.
 */
static struct {
    char text[64];
    size_t cursor;
    struct {
        int64_t at_ns;
        char key; /* END, BEFORE, AFTER, or a character */
    } keys[300];
    size_t count;
    size_t taken;
    int delay_ms;
} held;

static void
take_key(char key) {
    size_t len = strlen(held.text);
    char *at = held.text + held.cursor;
    if (key == END) {
        held.cursor += strcspn(at, "\n");
    } else if (key == BEFORE && held.cursor > 0) {
        memmove(at - 1, at, len - held.cursor + 1);
        held.cursor--;
    } else if (key == AFTER && held.cursor < len) {
        memmove(at, at + 1, len - held.cursor);
    } else if (key != BEFORE && key != AFTER && len + 1 < sizeof(held.text)) {
        memmove(at + 1, at, len - held.cursor + 1);
        *at = key;
        held.cursor++;
    }
}

static void
take_due_keys(int64_t now_ns) {
    while (held.taken < held.count && held.keys[held.taken].at_ns <= now_ns) {
        take_key(held.keys[held.taken++].key);
    }
}

static void
send_key(char key) {
    int64_t last = held.count ? held.keys[held.count - 1].at_ns : 0;
    int64_t now = sq_clock_monotonic_ns();
    if (T(held.count < sizeof(held.keys) / sizeof(held.keys[0]))) {
        held.keys[held.count].at_ns =
            (last > now ? last : now) + (int64_t)held.delay_ms * 1000000;
        held.keys[held.count++].key = key;
    }
}

static bool
delete_late(struct sq_device *device, const struct sq_hand *hand,
            const struct sq_deadline *deadline, struct sq_err *err) {
    (void)device, (void)deadline, (void)err;
    bool is_before = hand->choice == SQ_CLEAR_BEFORE;
    if (is_before) {
        send_key(END);
    }
    for (int i = 0; i < hand->number; i++) {
        send_key(is_before ? BEFORE : AFTER);
    }
    return true;
}

static bool
type_late(struct sq_device *device, struct sq_span text,
          const struct sq_deadline *deadline, struct sq_err *err) {
    (void)device, (void)deadline, (void)err;
    for (size_t i = 0; i < text.len; i++) {
        send_key(text.ptr[i]);
    }
    return true;
}

static bool
read_late(struct sq_device *device, struct sq_tree *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    struct fake_node nodes[3] = { form[0], form[2] };
    (void)device, (void)deadline;
    take_due_keys(sq_clock_monotonic_ns());
    nodes[1].text = held.text;
    nodes[1].flags = FIELD | SQ_NODE_FOCUSED;
    return fake_tree_build(nodes, out, err);
}

/* Wherever the cursor is, and however late keys arrive. */
T_BARE_CASE(cleared_field_has_exactly_the_new_text) {
    static const struct sq_hand_ops hand = {
        .act = { [SQ_HAND_CLEAR_FIELD] = delete_late },
    };
    for (int i = 0; i < 500; i++) {
        acting_start();
        memset(&held, 0, sizeof(held));
        size_t len = (size_t)t_random_between(0, 40);
        for (size_t at = 0; at < len; at++) {
            held.text[at] = t_random() % 8 ? 'o' : '\n';
        }
        held.cursor = (size_t)t_random_between(0, (int64_t)len);
        held.delay_ms = (int)t_random_between(0, 300);
        world.device.ops.hand = &hand;
        world.device.ops.has_text_ways = true;
        world.device.ops.text = type_late;
        world.device.ops.tree = read_late;
        bool ok = fake_run(&world, "input",
                           "{'text':'new text','clear':true,'receipt':'none'}");
        take_due_keys(INT64_MAX);
        if (!T_OK(ok, &world.err) || !T_STR(held.text, "new text")) {
            printf("# %zu characters, the cursor at %zu, %d ms\n", len,
                   held.cursor, held.delay_ms);
        }
        acting_end();
    }
}
