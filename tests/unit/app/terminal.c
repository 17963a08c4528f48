/*
 * Text from other programs must not control the user's terminal: the output of
 * all commands contains no control characters, C1 and bidirectional ones
 * included.
 */

#include "app/commands/doctor.h"
#include "unit/app/run.h"
#include "util/utf8.h"

#define ESC "\033[2J"
#define OSC "\033]0;title\007"
#define C1                                                                     \
    "\xc2\x9b"                                                                 \
    "31m" /* U+009B */
#define BIDI                                                                   \
    "\xe2\x80\xae"                                                             \
    "x"                        /* U+202E */
#define ISOLATE "\xe2\x81\xa6" /* U+2066 */
#define HOSTILE "a" ESC OSC C1 BIDI ISOLATE "z"
#define SPELT "a\\u001b[2J\\u001b]0;title\\u0007\\u009b31m\\u202ex\\u2066z"

static void
start(void) {
    t_scratch_start();
    setenv("XDG_CONFIG_HOME", t_scratch(), 1);
    unsetenv("SQUINT_CONFIG");
    unsetenv("REPLICANT_CONFIG");
}

static bool
is_bidi(const unsigned char *at) {
    if (at[0] != 0xe2) {
        return false;
    }
    return at[1] == 0x80 ? (at[2] >= 0xaa && at[2] <= 0xae) || at[2] == 0x8e
                               || at[2] == 0x8f
                         : at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9;
}

static bool
is_control(const unsigned char *at) {
    return (at[0] < 0x20 && at[0] != '\n' && at[0] != '\t') || at[0] == 0x7f
        || (at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0);
}

/* Byte by byte, independent of the code under test. */
static bool
is_harmless(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    while (*at && !is_control(at) && !is_bidi(at)) {
        at++;
    }
    return *at == '\0';
}

/*
 * The last run printed no control characters, and one stream quotes the text.
 */
static void
check_quoted(const char *words) {
    T(is_harmless(run.out));
    T(is_harmless(run.err));
    if (!T(strstr(run.out, words) || strstr(run.err, words))) {
        printf("# out: %s\n# err: %s\n", run.out, run.err);
    }
}

T_FIXTURE(start, t_scratch_end);

T_CASE(error_messages_have_no_control_characters) {
    T(!is_harmless(ESC) && !is_harmless(C1) && !is_harmless(BIDI)
      && !is_harmless(ISOLATE));
    RUN_EXITS(2, HOSTILE);
    check_quoted("no command \"" SPELT "\"");
    RUN("mcp", "--" HOSTILE);
    check_quoted(SPELT);
    RUN("screenshot", "--device-id", HOSTILE);
    check_quoted(SPELT);
    RUN("scale", HOSTILE, "-o", "-");
    check_quoted(
        "cannot read a\\u001b[2J\\u001b]0;title\\u0007\\u009b31m\\u202ex");
    RUN("find", "Shop", "-o", t_scratch_path(HOSTILE ".jpg"));
    check_quoted("/" SPELT ".jpg: 450x1000 pixels, ");
    RUN("find", "Shop", "-o", HOSTILE);
    check_quoted("file name " SPELT " has no extension");
    RUN("install", HOSTILE);
    check_quoted("no client \"" SPELT "\"");
    RUN("scale", "-o", "-",
        "bad\xff\x9b"
        "31m");
    check_quoted("\\xff\\x9b31m");
}

T_CASE(configuration_warnings_and_doctor_have_no_control_characters) {
    static const char text[] = "ui:\n  \"\\u009b31m\\u202ex\": 1\n"
                               "  maxImageDimension: \"\\u009b31m\\u202ex\"\n";
    t_put(t_scratch_path("squint.yaml"), text, strlen(text));
    RUN_EXITS(0, "devices", "--config", t_scratch_path("squint.yaml"));
    check_quoted("31m\\u202ex\"");
    T(strstr(run.err, "\\u202ex\"") != NULL);
    RUN("doctor", "--config", t_scratch_path("squint.yaml"));
    T(strstr(run.out, "\\u202ex\"") != NULL);
    check_quoted("31m\\u202ex\"");
    RUN("doctor", "--output-directory", "x" BIDI);
    check_quoted("pictures are saved in x\\u202ex\n");
}

/* A device's name must not look like a separate line, either. */
T_BARE_CASE(findings_stay_on_one_line) {
    static struct sq_findings findings;
    findings.count = 1;
    findings.items[0] = (struct sq_finding){ .about = "device" };
    snprintf(findings.items[0].text, sizeof(findings.items[0].text),
             "phone" ESC C1 "\nok     fake");
    snprintf(findings.items[0].hint, sizeof(findings.items[0].hint),
             "do" BIDI "\r");
    T_BUF(out, 4096);
    T_OK(sq_findings_text(&findings, &(struct sq_page){ .out = &out }, &t_err)
         && sq_buf_append(&out, "", 1, &t_err));
    T(is_harmless((const char *)out.data));
    run_says((const char *)out.data,
             "phone\\u001b[2J\\u009b31m\\u000aok     fake\n");
    run_says((const char *)out.data, "do\\u202ex\\u000d\n");
}

T_CASE(install_diffs_have_no_control_characters) {
    static const char text[] =
        "{\"mcpServers\":{\"" C1 "\":{\"command\":\"" BIDI "\"}}}\n";
    t_put(t_scratch_path("client.json"), text, strlen(text));
    RUN_EXITS(0, "install", "cursor", "--print", "--command", "/opt/" C1 BIDI,
              "--config", t_scratch_path("client.json"));
    check_quoted("/opt/\\u009b31m\\u202ex");
}

T_BARE_CASE(harmless_text_is_unchanged) {
    static const char text[] = "Gr\xc3\xbc\xc3\x9f"
                               "e, \xe2\x82\xac \xf0\x9f"
                               "\x98\x80\t\"\\\"\n";
    T_BUF(out, 4096);
    T_OK(sq_plain_append(sq_span_of(text), true, &out, &t_err));
    T_BYTES(out.data, out.len, text, strlen(text));
    sq_buf_clear(&out);
    /* Tags are above U+FFFF: two surrogates in JSON. */
    T_OK(sq_plain_append(SQ_SPAN("\xf3\xa0\x81\x81\t"), false, &out, &t_err));
    T_BYTES(out.data, out.len, "\\udb40\\udc41\\u0009", 18);
}
