/*
 * A device whose commands are answered from a table, and functions to use it.
 */
#ifndef SQ_TEST_SCRIPTED_H
#define SQ_TEST_SCRIPTED_H

#include <pthread.h>

#include "device/android/state.h"
#include "support/fake_adb.h"
#include "support/test.h"

#define LONG_MS T_PATIENCE_MS

/* A command is answered by the first rule whose words it contains. */
struct rule {
    const char *words; /* NULL ends a table */
    const char *out;   /* NULL: nothing, or `bytes` */
    const char *errors;
    int status;
    const void *bytes; /* output after out */
    size_t count;
    int times;   /* number of uses before the rule is removed; 0: no limit */
    bool stalls; /* the output has no end */
};

#define DISPLAYS(cur, rotation)                                                \
    "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"              \
    "  Display: mDisplayId=0\n"                                                \
    "    init=8x16 320dpi cur=" cur " app=" cur " rng=8x8-16x16\n"             \
    "  mCurrentFocus=Window{1 u0 com.example/com.example.Main}\n"              \
    "  mFocusedApp=ActivityRecord{2 u0 com.example/.Main t7}\n"                \
    "  DisplayRotation\n    mRotation=" rotation "\n"
/* Answers the query of the display state unless a rule does. */
#define DISPLAY_COMMAND "dumpsys window displays"

static struct fake_adb server;
static struct sq_adb *adb;
static struct sq_device *phone;
static struct rule rules[16];

/* Returns whether a rule has answered the command. */
static bool
answer_first_match(const char *command, struct fake_output *output) {
    for (size_t i = 0; i < 16 && rules[i].words; i++) {
        struct rule *rule = &rules[i];
        if (rule->times < 0 || !strstr(command, rule->words)) {
            continue;
        }
        rule->times = rule->times == 1 ? -1
                    : rule->times > 1  ? rule->times - 1
                                       : 0;
        fake_print(output, rule->out ? rule->out : "");
        if (rule->count > FAKE_ADB_ROOM / 2) {
            output->bytes = rule->bytes;
            output->count = rule->count;
        } else if (rule->bytes) {
            memcpy(output->out + output->out_len, rule->bytes, rule->count);
            output->out_len += rule->count;
        }
        snprintf(output->errors, sizeof(output->errors), "%s",
                 rule->errors ? rule->errors : "");
        output->status = rule->status;
        output->stalls = rule->stalls;
        return true;
    }
    return false;
}

static void
answer_by_rule(void *context, const char *command, struct fake_output *output) {
    /* Two commands may run at the same time. */
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    bool is_answered = answer_first_match(command, output);
    pthread_mutex_unlock(&mutex);
    if (!is_answered && strstr(command, DISPLAY_COMMAND) == command) {
        fake_print(output, DISPLAYS("8x16", "0"));
    } else if (!is_answered) {
        snprintf(output->errors, sizeof(output->errors), "sh: not found\n");
        output->status = 127;
    }
}

/* The file that a command of the oldest devices wrote; NULL: none. */
static const void *written;
static size_t written_len;

static bool
give_written(void *context, const char *path, struct fake_output *output) {
    if (written) {
        memcpy(output->out, written, written_len);
        output->out_len = written_len;
    }
    return written != NULL;
}

static inline struct sq_deadline
test_deadline(void) {
    return sq_deadline_in(LONG_MS, NULL);
}

static inline void
set_rules(const struct rule *table) {
    size_t i = 0;
    memset(rules, 0, sizeof(rules));
    for (; table[i].words; i++) {
        rules[i] = table[i];
    }
    fake_adb_clear_log(&server);
}

static inline void
phone_start(const struct rule *table) {
    fake_adb_start(&server);
    server.command = answer_by_rule;
    adb = fake_adb_client(&server);
    phone = fake_adb_device(adb);
    set_rules(table);
}

/* The same phone with an Android before 5; call after phone_start. */
static inline void
phone_is_oldest(void) {
    server.features = "";
    server.has_no_exec = true;
    server.file = give_written;
    sq_device_destroy(phone);
    phone = fake_adb_device(adb);
    fake_adb_clear_log(&server);
}

static inline void
phone_end(void) {
    sq_device_destroy(phone);
    sq_adb_destroy(adb);
    fake_adb_stop(&server);
}

/* Are these the words of a query that runs beside another command? */
static inline bool
is_display_query(const char *command) {
    return strcmp(command, DISPLAY_COMMAND) == 0
        || strcmp(command, "version") == 0 /* of the server itself */
        || strncmp(command, "dumpsys input_method", 20) == 0;
}

/*
 * The last command, without its service. Not one of those that query the
 * display state: they run at the same time as others, so their order is not
 * known.
 */
static inline const char *
last_command(void) {
    for (int i = server.log_count - 1; i >= 0; i--) {
        const char *colon = strchr(server.log[i], ':');
        const char *command = colon ? colon + 1 : server.log[i];
        if (!is_display_query(command)) {
            return command;
        }
    }
    return "";
}

/* A raw frame of 8x16 in one colour, red at the top left. */
#define FRAME_PIXELS (8 * 16)
#define FRAME_BYTES (16 + FRAME_PIXELS * 4)

static inline void
make_frame(unsigned char *frame, int width, int height, int colour) {
    memset(frame, 0, 16);
    frame[0] = (unsigned char)width;
    frame[4] = (unsigned char)height;
    frame[8] = 1;
    for (int i = 0; i < width * height; i++) {
        memset(frame + 16 + 4 * i, colour, 3);
        frame[16 + 4 * i + 3] = 255;
    }
}

#endif
