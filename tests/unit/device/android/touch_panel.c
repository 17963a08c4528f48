/* Tests the touch screen of the kernel and the events for it. */
#include "device/android/command.h"

#include "support/test.h"

#define AXIS(code, max)                                                        \
    "                " code "  : value 0, min 0, max " max                     \
    ", fuzz 0, flat 0, resolution 0\n"

/* As "getevent -p" prints it: keys, a headset, a pad, then the screen. */
static const char listing[] =
    "add device 1: /dev/input/event9\n"
    "  name:     \"kalama-mtp-snd-card Button Jack\"\n"
    "  events:\n"
    "    KEY (0001): 0072  0073  00a4  0246 \n"
    "  input props:\n"
    "    INPUT_PROP_ACCELEROMETER\n"
    "add device 2: /dev/input/event5\n"
    "  name:     \"synaptics-pad\"\n"
    "  events:\n"
    "    ABS (0003): 002f  : value 0, min 0, max 4, fuzz 0, flat 0, resolution "
    "0\n" AXIS("0035", "999") AXIS("0036", "499") AXIS(
        "0039",
        "65535") "  input props:\n"
                 "    INPUT_PROP_POINTER\n"
                 "could not get driver version for /dev/input/mice, Not a "
                 "typewriter\n"
                 "add device 3: /dev/input/event7\n"
                 "  name:     \"goodix_ts\"\n"
                 "  events:\n"
                 "    KEY (0001): 003b  003c  003d  003e  003f  0040  0041  "
                 "0042 \n"
                 "                014a \n"
                 "    ABS (0003): 0000  : value 0, min 0, max 143999, fuzz 0, "
                 "flat 0, "
                 "resolution 0\n" AXIS("002f", "9") AXIS("0030", "255")
                     AXIS("0035", "143999") AXIS("0036", "319999") AXIS("0039",
                                                                        "65535")
                         AXIS("003a", "255") "  input props:\n"
                                             "    INPUT_PROP_DIRECT\n"
                                             "add device 4: /dev/input/event3\n"
                                             "  name:     \"gpio-keys\"\n";

T_CASE(the_screen_is_found_among_other_devices) {
    struct sq_touch_panel panel;
    T(sq_touch_panel_find(sq_span_of(listing), &panel));
    T_STR(panel.node, "/dev/input/event7");
    T_INT(panel.x.max, 143999);
    T_INT(panel.y.max, 319999);
    T_INT(panel.slot.max, 9);
    T_INT(panel.pressure.max, 255);
    T(panel.has_touch_key);
}

/* Every prefix of the list either has the whole screen or none. */
T_CASE(incomplete_lists_have_no_screen) {
    const char *end = strstr(listing, "INPUT_PROP_DIRECT");
    for (size_t len = 0; len < sizeof(listing); len++) {
        struct sq_touch_panel panel = { .node = "unchanged" };
        bool found =
            sq_touch_panel_find((struct sq_span){ listing, len }, &panel);
        bool complete = listing + len >= end + strlen("INPUT_PROP_DIRECT");
        T(found == complete);
        T_STR(panel.node, complete ? "/dev/input/event7" : "unchanged");
    }
}

static bool
finds(const char *from, const char *to) {
    const char *at = strstr(listing, from);
    struct sq_touch_panel panel;
    const char *text =
        t_text("%.*s%s%s", (int)(at - listing), listing, to, at + strlen(from));
    return sq_touch_panel_find(sq_span_of(text), &panel);
}

/* The name of the node becomes part of a command. */
T_CASE(other_nodes_are_refused) {
    T(finds("/dev/input/event7", "/dev/input/event31"));
    T(!finds("/dev/input/event7", "/dev/input/event7;reboot"));
    T(!finds("/dev/input/event7", "/dev/input/event$(id)"));
    T(!finds("/dev/input/event7", "/dev/input/event99999999"));
    T(!finds("/dev/input/event7", "/dev/input/event-7"));
    T(!finds("/dev/input/event7", "/dev/input/event"));
    T(!finds("/dev/input/event7", "/dev/input/mouse0"));
    T(!finds("0036  : value 0, min 0, max 319999",
             "0036  : value 0, min 0, max 99999999999"));
    T(!finds("0036  : value 0, min 0, max 319999",
             "0036  : value 0, min 7, max 7"));
    T(!finds("INPUT_PROP_DIRECT", "INPUT_PROP_POINTER"));
}

static const struct sq_finger_paths two_steps = {
    .finger_count = 2,
    .step_count = 2,
    .steps = { { 0, { { 100, 200 }, { 300, 200 } } },
               { 40, { { 0, 0 }, { 1079, 2399 } } } },
};
static const struct sq_size upright = { 1080, 2400 };

T_CASE(commands_are_sent_in_order) {
    struct sq_touch_panel panel = sq_touch_panel_of(upright, 0);
    struct sq_touch_events events;
    T_BUF(out, 1 << 16);
    sq_touch_events_make(&two_steps, &panel, upright, 0, &events);
    T_OK(sq_touch_events_put_commands(&events, "N", 0, &out, &t_err));
    sq_buf_append(&out, "", 1, &t_err);
    T_STR((const char *)out.data,
          "sendevent N 3 47 0&&sendevent N 3 57 1&&sendevent N 3 53 100&&"
          "sendevent N 3 54 200&&sendevent N 3 47 1&&sendevent N 3 57 2&&"
          "sendevent N 3 53 300&&sendevent N 3 54 200&&sendevent N 1 330 1&&"
          "sendevent N 0 0 0&&sleep 0.040&&"
          "sendevent N 3 47 0&&sendevent N 3 53 0&&sendevent N 3 54 0&&"
          "sendevent N 3 47 1&&sendevent N 3 53 1079&&"
          "sendevent N 3 54 2399&&sendevent N 0 0 0&&sleep 0.020&&"
          "sendevent N 3 47 0&&sendevent N 3 57 4294967295&&"
          "sendevent N 3 47 1&&sendevent N 3 57 4294967295&&"
          "sendevent N 1 330 0&&sendevent N 0 0 0");
    sq_buf_clear(&out);
    T_OK(sq_touch_events_put_commands(&events, "N", events.first_up, &out,
                                      &t_err));
    sq_buf_append(&out, "", 1, &t_err);
    T_STR((const char *)out.data,
          "sendevent N 3 47 0&&sendevent N 3 57 4294967295&&"
          "sendevent N 3 47 1&&sendevent N 3 57 4294967295&&"
          "sendevent N 1 330 0&&sendevent N 0 0 0");
}

/* Finds the value of the nth event with the code. */
static int
value_of(const struct sq_touch_events *events, int code, int nth) {
    for (int i = 0; i < events->count; i++) {
        if (events->events[i].type == 3 && events->events[i].code == code
            && nth-- == 0) {
            return events->events[i].value;
        }
    }
    return -2;
}

T_CASE(units_are_those_of_the_panel) {
    struct sq_touch_panel panel;
    struct sq_touch_events events;
    T(sq_touch_panel_find(sq_span_of(listing), &panel));
    sq_touch_events_make(&two_steps, &panel, upright, 0, &events);
    T_INT(value_of(&events, 0x35, 2), 0);
    T_INT(value_of(&events, 0x35, 3), 143999);
    T_INT(value_of(&events, 0x36, 3), 319999);
    T_INT(value_of(&events, 0x35, 0), (100 * 143999 + 539) / 1079);
    T_INT(value_of(&events, 0x3a, 1), 128);
}

/* The panel does not turn with the screen. */
T_CASE(points_are_turned_to_the_panel) {
    const struct sq_size across = { 2400, 1080 };
    struct sq_touch_panel panel = sq_touch_panel_of(across, 1);
    struct sq_touch_events events;
    T_INT(panel.x.max, 1079);
    T_INT(panel.y.max, 2399);
    sq_touch_events_make(&two_steps, &panel, across, 1, &events);
    T_INT(value_of(&events, 0x35, 0), 1079 - 200);
    T_INT(value_of(&events, 0x36, 0), 100);
    sq_touch_events_make(&two_steps, &panel, across, 3, &events);
    T_INT(value_of(&events, 0x35, 0), 200);
    T_INT(value_of(&events, 0x36, 0), 2399 - 100);
}

T_CASE(the_longest_paths_fit) {
    struct sq_touch_panel panel;
    static struct sq_finger_paths paths = { .finger_count = SQ_MAX_FINGERS,
                                            .step_count = SQ_MAX_FINGER_STEPS };
    struct sq_touch_events events;
    T(sq_touch_panel_find(sq_span_of(listing), &panel));
    sq_touch_events_make(&paths, &panel, upright, 0, &events);
    T(events.count <= SQ_MAX_TOUCH_EVENTS);
    T(events.count > SQ_MAX_TOUCH_EVENTS - 8);
}

T_ALLOC_CASE(lack_of_memory_is_reported, 1) {
    struct sq_touch_panel panel = sq_touch_panel_of(upright, 0);
    struct sq_touch_events events;
    T_BUF(out, 1 << 16);
    sq_touch_events_make(&two_steps, &panel, upright, 0, &events);
    return sq_touch_events_put_commands(&events, "N", 0, &out, err)
        && sq_touch_events_put_uinput(&events, &panel, &out, err);
}

T_CASE(uinput_gets_one_object_per_line) {
    struct sq_touch_panel panel = sq_touch_panel_of(upright, 0);
    struct sq_touch_events events;
    T_BUF(out, 1 << 16);
    sq_touch_events_make(&two_steps, &panel, upright, 0, &events);
    T_OK(sq_touch_events_put_uinput(&events, &panel, &out, &t_err));
    sq_buf_append(&out, "", 1, &t_err);
    const char *text = (const char *)out.data;
    T(strstr(text, "{\"id\":1,\"command\":\"register\",") == text);
    T_HAS(text, "{\"code\":53,\"info\":{\"value\":0,\"minimum\":0,"
                "\"maximum\":1079,");
    /* Android must notice the touch screen before the first event. */
    T_HAS(text, "]}\n{\"id\":1,\"command\":\"delay\",\"duration\":1000}\n"
                "{\"id\":1,\"command\":\"inject\",\"events\":[3,47,0,3,57,1,"
                "3,53,100,");
    T_HAS(text, "3,47,1,3,57,-1,1,330,0,0,0,0]}\n");
}
