/* Text arrives exactly as given, or not at all. */
#include "device/android/state.h"
#include "unit/device/android/scripted.h"
#include "util/base64.h"

#define MAX_TYPED 20000

/* The text that was typed on the fake server's device. */
static char typed[MAX_TYPED];
static size_t typed_len;
static int longest;

static void
type_one(char c) {
    if (typed_len < sizeof(typed)) {
        typed[typed_len++] = c;
    }
}

/* Parses one quoted word like a shell; NULL if there is none. */
static const char *
read_word(const char *at, char *word, size_t *len) {
    *len = 0;
    if (*at != '\'') {
        return NULL;
    }
    while (*at == '\'' || *at == '\\') {
        if (*at == '\\') {
            word[(*len)++] = at[1];
            at += 2;
            continue;
        }
        for (at++; *at != '\''; at++) {
            if (*at == '\0') {
                return NULL;
            }
            word[(*len)++] = *at;
        }
        at++;
    }
    return at;
}

static bool
skip(const char **at, const char *words) {
    size_t len = strlen(words);
    if (strncmp(*at, words, len) != 0) {
        return false;
    }
    *at += len;
    return true;
}

static void
android_runs(void *context, const char *command, struct fake_output *output) {
    static char word[65536];
    const char *at = command;
    do {
        size_t len;
        if (skip(&at, "input text ")) {
            at = read_word(at, word, &len);
            if (!at || len == 0) {
                output->status = 2;
                return;
            }
            /* Like Android's input: %s is a space. */
            longest = (int)len > longest ? (int)len : longest;
            for (size_t i = 0; i < len; i++) {
                if (word[i] == '%' && i + 1 < len && word[i + 1] == 's') {
                    type_one(' ');
                    i++;
                } else {
                    type_one(word[i]);
                }
            }
        } else if (skip(&at, "input keyevent 66")) {
            type_one('\n');
        } else if (skip(&at, "input keyevent 61")) {
            type_one('\t');
        } else {
            answer_by_rule(context, at, output);
            return;
        }
    } while (skip(&at, "&&"));
    output->status = *at ? 2 : output->status;
}

static void
start(const struct rule *table) {
    phone_start(table);
    server.command = android_runs;
    typed_len = 0;
}

static bool
type(struct sq_span text, struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    typed_len = 0;
    return sq_device_text(phone, text, &deadline, err);
}

static const struct rule nothing[] = { { 0 } };

T_FIXTURE(NULL, phone_end);

T_CASE(hostile_text_arrives_unchanged) {
    static const char *const texts[] = {
        "a",
        " ",
        "%",
        "%s",
        "%%s",
        "%s%s%s",
        "100%sure",
        "100% sure",
        "% s",
        "s%",
        "'",
        "it's",
        "\"quoted\"",
        "#hash",
        "~",
        "$(id)",
        "`id`",
        "a;b&c|d>e<f",
        "\\n\\",
        "-p",
        "--help",
        "*?[]{}",
        "line one\nline two\n",
        "\n",
        "\t",
        "name\tvalue",
        "  two  spaces  ",
        "tom&jerry (a)",
    };
    start(nothing);
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        T_OK(type(sq_span_of(texts[i]), &t_err));
        T_BYTES(typed, typed_len, texts[i], strlen(texts[i]));
    }
}

T_CASE(random_text_arrives_unchanged) {
    static char text[3000];
    static const char special[] = "%s%s '\\\"\n\t";
    start(nothing);
    for (int i = 0; i < 300; i++) {
        size_t len = (size_t)t_random_between(1, i % 30 ? 200 : sizeof(text));
        for (size_t k = 0; k < len; k++) {
            text[k] = t_random() % 2
                        ? special[t_random() % (sizeof(special) - 1)]
                        : (char)t_random_between(' ', '~');
        }
        T_OK(type((struct sq_span){ text, len }, &t_err));
        T_BYTES(typed, typed_len, text, len);
    }
    T(longest < 200);
}

T_CASE(long_text_needs_few_exchanges) {
    static char text[16384];
    start(nothing);
    memset(text, '\'', sizeof(text));
    T_OK(type((struct sq_span){ text, sizeof(text) }, &t_err));
    T_BYTES(typed, typed_len, text, sizeof(text));
    T(server.connections <= 6);
}

T_CASE(break_error_says_how_much_was_typed) {
    static char text[16384];
    start(nothing);
    memset(text, 'x', sizeof(text));
    memset(text, '\'', sizeof(text) / 2);
    server.cut_at = 9;
    server.cut_connection = 1;
    T_FAILS(type((struct sq_span){ text, sizeof(text) }, &t_err),
            SQ_ERR_DEVICE_OFFLINE);
    T_HAS(t_err.message, "characters were typed");
}

T_CASE(text_that_cannot_be_typed_is_refused_first) {
    static const struct {
        struct sq_span text;
        enum sq_err_code code;
    } cases[] = {
        { SQ_SPAN_INIT("plain, then \xc3\xa5"), SQ_ERR_UNSUPPORTED },
        { SQ_SPAN_INIT("\xf0\x9f\x98\x80"), SQ_ERR_UNSUPPORTED },
        { SQ_SPAN_INIT("broken \xff"), SQ_ERR_ARGUMENT },
        { SQ_SPAN_INIT("bell\a"), SQ_ERR_ARGUMENT },
        { SQ_SPAN_INIT("a\rb"), SQ_ERR_ARGUMENT },
        { SQ_SPAN_INIT("del\x7f"), SQ_ERR_ARGUMENT },
        { SQ_SPAN_INIT("nul\0"), SQ_ERR_ARGUMENT },
    };
    start(nothing);
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        T_FAILS(type(cases[i].text, &t_err), cases[i].code);
        T(t_err.hint[0] || cases[i].code == SQ_ERR_ARGUMENT);
        T_INT(typed_len, 0);
        T(!fake_adb_received(&server, "input text"));
    }
}

#define PHRASE "h\xc3\xa9llo \xe2\x82\xac \xf0\x9f\x98\x80"
#define PHRASE_64 "aMOpbGxvIOKCrCDwn5iA"
#define USUAL "com.google.android.inputmethod.latin/.LatinIME"
#define HELPER "com.android.adbkeyboard/.AdbIME"
#define SENT "Broadcasting: Intent { }\nBroadcast completed: result=0\n"

T_CASE(helper_keyboard_types_any_text) {
    static const struct rule table[] = {
        { .words = "ime list",
          .out = USUAL "\n" HELPER "\n--squint--\n" HELPER "\n--squint--\n" },
        { .words = "am broadcast", .out = SENT },
        { 0 }
    };
    start(table);
    T_OK(type(SQ_SPAN(PHRASE), &t_err));
    T_STR(last_command(),
          "am broadcast -a ADB_INPUT_B64 "
          "-p com.android.adbkeyboard --es msg '" PHRASE_64 "'");
    T(!fake_adb_received(&server, "ime set"));
}

T_CASE(previous_keyboard_is_restored) {
    static const struct rule table[] = {
        { .words = "ime list",
          .out = USUAL "\n" HELPER "\n--squint--\n" USUAL "\n--squint--\n" },
        { .words = "ime set", .out = "Input method selected\n" },
        { .words = "am broadcast", .out = SENT },
        { 0 }
    };
    start(table);
    T_OK(type(SQ_SPAN(PHRASE), &t_err));
    T_INT(server.log_count, 5);
    T_HAS(server.log[1], "getprop ro.build.version.sdk");
    T_HAS(server.log[2], "ime set '" HELPER "'");
    T_HAS(server.log[3], PHRASE_64);
    T_HAS(server.log[4], "ime set '" USUAL "'");
    /* Also if typing the text failed. */
    rules[2] = (struct rule){ .words = "am broadcast",
                              .errors = "java.lang.Exception\n" };
    fake_adb_clear_log(&server);
    T(!type(SQ_SPAN(PHRASE), &t_err));
    T_HAS(last_command(), "ime set '" USUAL "'");
}

T_CASE(clipboard_pastes_any_text) {
    static const struct rule table[] = {
        { .words = "ime list",
          .out = USUAL "\n--squint--\n" USUAL "\n--squint--\n"
                       "package:/data/app/devicekit/base.apk\n" },
        { .words = "am broadcast", .out = SENT },
        { 0 }
    };
    start(table);
    T_OK(type(SQ_SPAN(PHRASE), &t_err));
    T_HAS(last_command(), "clipboard.set");
    T_HAS(last_command(), PHRASE_64);
    T_HAS(last_command(), "&&input keyevent 279&&");
    T_HAS(last_command(), "clipboard.clear");
}

static bool
type_both(void *context, struct sq_err *err) {
    return type(SQ_SPAN("plain"), err) && type(SQ_SPAN(PHRASE), err);
}

T_CASE(out_of_memory_is_reported) {
    static const struct rule table[] = {
        { .words = "ime list",
          .out = HELPER "\n--squint--\n" HELPER "\n--squint--\n" },
        { .words = "am broadcast", .out = SENT },
        { 0 }
    };
    start(table);
    T(t_alloc_torture(type_both, NULL) > 5);
}
