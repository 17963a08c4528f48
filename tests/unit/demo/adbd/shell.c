#include "demo/adbd/shell.h"

#include "unit/demo/adbd/on_phone.h"

#define NS_PER_MS 1000000

T_FIXTURE(start, finish);

T_CASE(scripts_run_like_in_a_shell) {
    static const struct {
        const char *script;
        const char *out;
        int status;
    } rows[] = {
        { "", "", 0 },
        { "echo hello world", "hello world\n", 0 },
        { "echo  'a  b'  c", "a  b c\n", 0 },
        { "echo -n x", "x", 0 },
        { "true; echo $?", "0\n", 0 },
        { "false; echo $?", "1\n", 0 },
        { "false", "", 1 },
        { "! false", "", 0 },
        { "! false | true; echo $?", "1\n", 0 },
        { "false && echo a", "", 1 },
        { "false || echo a", "a\n", 0 },
        { "true && echo a || echo b", "a\n", 0 },
        { "false && echo a || echo b", "b\n", 0 },
        { "false || false && echo a; echo b", "b\n", 0 },
        { "false& echo $?; echo b & wait", "0\nb\n", 0 },
        { "exit 7; echo a", "", 7 },
        { "exit 300", "", 44 },
        { "echo a | cat", "a\n", 0 },
        { "false | true", "", 0 },
        { "true | false", "", 1 },
        { "echo a | A=1; cat", "", 0 },
        { "echo a; exit 3 | cat; echo b", "a\n", 3 },
        { "A=1; echo $A${A}x", "11x\n", 0 },
        { "true &&\n echo a |\n cat", "a\n", 0 },
        { "echo a2>/sdcard/f; cat /sdcard/f; >/sdcard/f; cat /sdcard/f; rm "
          "/sdcard/f",
          "a2\n", 0 },
        { "echo a > /sdcard/f 2> '/sdcard/g h' b; cat </sdcard/f", "a b\n", 0 },
        { "nosuch 2>>/sdcard/f >&2; rm /sdcard/f", "", 0 },
        { "A='x  y'; echo $A; echo \"$A\"", "x y\nx  y\n", 0 },
        { "A=; echo [$A] \"$A\"", "[] \n", 0 },
        { "A='a b'; B=$A; echo \"$B\"", "a b\n", 0 },
        { "echo $nothing a", "a\n", 0 },
        { "echo $$", "4242\n", 0 },
        { "/system/bin/echo a", "a\n", 0 },
        { "echo a 2>&1 >/dev/null", "", 0 },
        { "nosuch 2>&1 | cat", NULL, 0 },
        { "cd /sdcard && export A=1; set -e; sync; :", "", 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        const struct t_shell_run *run = t_phone_run(phone, rows[i].script);
        if (rows[i].out) {
            T_STR((const char *)run->out.data, rows[i].out);
        }
        T_INT(run->status, rows[i].status);
        T_INT(run->errors.len, 0);
    }
}

/* The words of a program, each with a "|" at its end. */
static const char *
words_of(const char *script) {
    static char words[200];
    t_phone_run(phone, script);
    snprintf(words, sizeof(words), "%s", t_phone_output(phone, "squint-argv"));
    for (char *at = words; (at = strchr(at, '\x1f')); at++) {
        *at = '|';
    }
    return words;
}

T_CASE(words_are_split_and_quoted) {
    static const struct {
        const char *script;
        const char *words;
    } rows[] = {
        { "echo a  b", "echo|a|b|" },
        { "echo 'a  b' \"c  d\"", "echo|a  b|c  d|" },
        { "echo a'b'\"c\"d", "echo|abcd|" },
        { "echo '' \"\"", "echo|||" },
        { "echo \\a\\ b \\\\", "echo|a b|\\|" },
        { "echo 'it'\\''s'", "echo|it's|" },
        { "echo \"a\\\"b\\\\c\\d\\$e\"", "echo|a\"b\\c\\d$e|" },
        { "echo '\n'", "echo|\n|" },
        { "echo ~ *.x {a,b}", "echo|~|*.x|{a,b}|" },
        { "echo a2 2a", "echo|a2|2a|" },
        { "a=A b=B d=D; echo $a $? ${b}c \"$d e\" $$",
          "echo|A|0|Bc|D e|4242|" },
        { "two='x y'; echo a${two}b \"a$two\" B=$two",
          "echo|ax|yb|ax y|B=x|y|" },
        { "two='x y'; A=$two; echo \"$A\"", "echo|x y|" },
        { "echo $ a$ \"$\" $1", "echo|$|a$|$|$1|" },
        { "a=A; echo '$a' \\$a", "echo|$a|$a|" },
        { "F=/a/b.xml; rm $F", "rm|/a/b.xml|" },
        { "A= B='x y' c=d e=f; echo $A \"$B\" $c $e", "echo|x y|d|f|" },
        { "A=1 echo b=2", "echo|b=2|" },
        { "'A'=1 1A=2 =3", "A=1|1A=2|=3|" },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_STR(words_of(rows[i].script), rows[i].words);
    }
}

T_CASE(invalid_scripts_are_refused) {
    static const struct {
        const char *script;
        const char *unexpected;
    } rows[] = {
        { "a &&", "EOF" },    { "a |", "EOF" },        { "&& a", "&" },
        { "a ; ; b", ";" },   { "a;;b", ";" },         { "; a", ";" },
        { "a & ; b", ";" },   { "a &;", ";" },         { "&", "&" },
        { "(a)", "(" },       { "a >", "EOF" },        { "a >\nb", "newline" },
        { "a <<b", "<" },     { "a 2<b", "b" },        { "a >&3", "3" },
        { "a >&12", "1" },    { "echo `a`", "`" },     { "echo \"`a`\"", "`" },
        { "echo $(a)", "(" }, { "echo ${a:-b}", "{" },
    };
    static const char *const unclosed[] = { "echo \"a", "echo \"a\\" };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_STR(t_phone_errors(phone, rows[i].script),
              t_text("/system/bin/sh: syntax error: unexpected '%s'\n",
                     rows[i].unexpected));
    }
    for (size_t i = 0; i < SQ_COUNT(unclosed); i++) {
        T_STR(t_phone_errors(phone, unclosed[i]),
              "/system/bin/sh: syntax error: no closing quote '\"'\n");
    }
}

T_CASE(errors_go_to_standard_error) {
    static const struct {
        const char *script;
        const char *error;
        int status;
    } rows[] = {
        { "nosuch a", "/system/bin/sh: nosuch: inaccessible or not found\n",
          127 },
        { "echo 'a", "/system/bin/sh: syntax error: no closing quote '''\n",
          1 },
        { "echo a >/system/x",
          "/system/bin/sh: can't create /system/x: Read-only file system\n",
          1 },
        { "echo a >''",
          "/system/bin/sh: can't create .: Read-only file system\n", 1 },
        { "cat </sdcard/none",
          "/system/bin/sh: can't open /sdcard/none: No such file or "
          "directory\n",
          1 },
        { "cat /sdcard/none", "cat: /sdcard/none: No such file or directory\n",
          1 },
        { "cat /sdcard", "cat: /sdcard: Is a directory\n", 1 },
        { "cat /sdcard; cat /sdcard/none",
          "cat: /sdcard: Is a directory\n"
          "cat: /sdcard/none: No such file or directory\n",
          1 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        const struct t_shell_run *run = t_phone_run(phone, rows[i].script);
        T_STR((const char *)run->errors.data, rows[i].error);
        T_INT(run->out.len, 0);
        T_INT(run->status, rows[i].status);
    }
    T_STR(t_phone_output(phone, "nosuch 2>&1"),
          "/system/bin/sh: nosuch: inaccessible or not found\n");
    T_STR(t_phone_output(phone, "nosuch 2>/dev/null; echo $?"), "127\n");
    T_STR(t_phone_errors(phone, "echo a >&2"), "a\n");
}

T_CASE(files_are_written_read_and_removed) {
    T_INT(t_phone_status(phone, "echo one >/sdcard/f; echo two >>/sdcard/f"),
          0);
    T_STR(t_phone_output(phone, "cat /sdcard/f"), "one\ntwo\n");
    T_STR(t_phone_output(phone, "cat <//storage/emulated/0//f | grep o"),
          "one\ntwo\n");
    T_STR(t_phone_output(phone, "grep -v one /sdcard/f; grep x /sdcard/none"),
          "two\n");
    T_STR(t_phone_output(phone, "nosuch >/sdcard/g 2>&1; cat /sdcard/g"),
          "/system/bin/sh: nosuch: inaccessible or not found\n");
    T_STR(t_phone_output(phone, "ls /sdcard/; ls -l /sdcard/f"),
          "f\ng\n-rw-rw---- 1 shell sdcard_rw 8 /sdcard/f\n");
    T_INT(t_phone_status(phone, "rm /sdcard/f /sdcard/g"), 0);
    T_INT(t_phone_status(phone, "rm /sdcard/f"), 1);
    T_INT(t_phone_status(phone, "rm -f /sdcard/f"), 0);
    T_INT(t_phone_status(phone, "ls /sdcard/f"), 1);
    T_STR(t_phone_output(phone, "ls /sdcard"), "");
}

T_CASE(grep_selects_lines) {
    T_INT(t_phone_status(phone, "echo one >/sdcard/f; echo Two >>/sdcard/f"),
          0);
    T_STR(t_phone_output(phone, "cat /sdcard/f | grep n"), "one\n");
    T_STR(t_phone_output(phone, "grep -i two /sdcard/f"), "Two\n");
    T_STR(t_phone_output(phone, "grep -v two /sdcard/f"), "one\nTwo\n");
    T_STR(t_phone_output(phone, "grep -E 'on|wo' /sdcard/f"), "one\nTwo\n");
    T_INT(t_phone_status(phone, "grep three /sdcard/f"), 1);
    T_INT(t_phone_status(phone, "grep"), 2);
}

static bool
ignore(void *context, int fd, struct sq_span bytes, struct sq_err *err) {
    size_t *count = context;
    *count += bytes.len;
    return true;
}

/* Delays are before their program; the test does not really wait. */
T_CASE(script_waits_for_its_delays) {
    struct sq_adbd_shell shell;
    size_t bytes = 0;
    const struct sq_adbd_sink sink = { ignore, &bytes, false };
    int64_t wake_ns = 0;
    T_OK(sq_adbd_delays_set(&phone->options.delays, SQ_SPAN("wm=40,echo=5"),
                            &t_err));
    sq_adbd_shell_init(&shell, phone);
    T_OK(sq_adbd_shell_start(&shell, SQ_SPAN("sleep 0.1; echo a; wm size"),
                             &t_err));
    T_OK(sq_adbd_shell_advance(&shell, 1000, &sink, &wake_ns, &t_err));
    T_INT(wake_ns, 1000 + 100 * NS_PER_MS);
    T_OK(sq_adbd_shell_advance(&shell, wake_ns - 1, &sink, &wake_ns, &t_err));
    T_INT(wake_ns, 1000 + 100 * NS_PER_MS);
    T_OK(sq_adbd_shell_advance(&shell, wake_ns, &sink, &wake_ns, &t_err));
    T_INT(wake_ns, 1000 + 105 * NS_PER_MS);
    T_INT(bytes, 0);
    T_OK(sq_adbd_shell_advance(&shell, wake_ns, &sink, &wake_ns, &t_err));
    T_INT(wake_ns, 1000 + 145 * NS_PER_MS);
    T_INT(bytes, 2);
    T(!shell.is_done);
    T_OK(sq_adbd_shell_advance(&shell, wake_ns, &sink, &wake_ns, &t_err));
    T(wake_ns == INT64_MAX);
    T(shell.is_done);
    T(bytes > 2);
    sq_adbd_shell_finish(&shell);
}

/* The time until a script is done, if nothing is late. */
static int64_t
charge_ms(const char *script, int *programs) {
    T_FREED(sq_adbd_shell_finish) struct sq_adbd_shell shell = { 0 };
    size_t bytes = 0;
    const struct sq_adbd_sink sink = { ignore, &bytes, false };
    int64_t now_ns = 1000;
    int64_t wake_ns = now_ns;
    sq_adbd_shell_init(&shell, phone);
    T_OK(sq_adbd_shell_start(&shell, sq_span_of(script), &t_err));
    while (!shell.is_done) {
        now_ns = wake_ns;
        T_OK(sq_adbd_shell_advance(&shell, now_ns, &sink, &wake_ns, &t_err));
    }
    *programs = shell.programs;
    return (now_ns - 1000) / NS_PER_MS;
}

/* Every program costs time, and so does the shell. */
T_CASE(programs_are_charged_and_counted) {
    static const struct {
        const char *script;
        int64_t ms;
        int programs;
    } rows[] = {
        { "getprop", 5 + 10, 2 },
        { "dumpsys window displays", 5 + 60, 2 },
        { "dumpsys power", 5 + 20, 2 },
        { "/system/bin/true", 5 + 10, 2 },
        { "screencap >/dev/null", 5 + 40, 2 },
        { "screencap -p >/dev/null", 5 + 200, 2 },
        { "screencap | gzip -1 >/dev/null", 5 + 40 + 30, 3 },
        { "echo a; true; A=1", 5, 1 },
        { "wm size; cat /sdcard/x; rm -f /sdcard/x", 5 + 30, 4 },
        { "nosuch", 5 + 10, 2 },
        { "", 0, 0 },
        { "squint-fault none", 0, 0 },
    };
    int programs;
    T_INT(charge_ms("getprop; screencap | gzip -1", &programs), 0);
    T_INT(programs, 4);
    T_OK(sq_adbd_delays_set(&phone->options.delays,
                            SQ_SPAN("shell=5,program=10,dumpsys-window=60,"
                                    "dumpsys=20,screencap=40,screencap-p=200,"
                                    "gzip=30"),
                            &t_err));
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_INT(charge_ms(rows[i].script, &programs), rows[i].ms);
        T_INT(programs, rows[i].programs);
    }
}

T_CASE(nul_bytes_and_too_long_scripts_are_refused) {
    static char endless[(1 << 20) + 1];
    const struct sq_span scripts[] = { { "echo a\0b", 8 },
                                       { endless, sizeof(endless) } };
    memset(endless, 'a', sizeof(endless));
    for (size_t i = 0; i < 2; i++) {
        struct sq_adbd_shell shell;
        size_t bytes = 0;
        const struct sq_adbd_sink sink = { ignore, &bytes, false };
        int64_t wake_ns;
        sq_adbd_shell_init(&shell, phone);
        T_OK(sq_adbd_shell_start(&shell, scripts[i], &t_err));
        T_OK(sq_adbd_shell_advance(&shell, 1, &sink, &wake_ns, &t_err));
        T_INT(bytes, strlen("/system/bin/sh: syntax error: not a script\n"));
        T(shell.is_done);
        T_INT(shell.status, 1);
        sq_adbd_shell_finish(&shell);
    }
}

T_CASE(merged_outputs_keep_their_order) {
    T_INT(t_phone_status(phone, "squint-fault display-warning"), 0);
    T(strncmp(t_phone_output(phone, "screencap 2>&1"), "[Warning] ", 10) == 0);
    T_INT(t_phone_run(phone, "screencap")->out.len, 16 + 360 * 640 * 4);
}

/* One stream has both outputs, except output that is redirected to a file. */
T_CASE(redirected_output_excludes_standard_error) {
    struct sq_adbd_shell shell;
    size_t bytes = 0;
    const struct sq_adbd_sink sink = { ignore, &bytes, true };
    int64_t wake_ns;
    sq_adbd_shell_init(&shell, phone);
    T_OK(sq_adbd_shell_start(&shell, SQ_SPAN("nosuch >/sdcard/f"), &t_err));
    T_OK(sq_adbd_shell_advance(&shell, 1, &sink, &wake_ns, &t_err));
    T(bytes > 0);
    T_STR(t_phone_output(phone, "cat /sdcard/f"), "");
    sq_adbd_shell_finish(&shell);
}

T_CASE(full_file_is_reported) {
    T_INT(t_phone_status(phone, "echo a >/sdcard/f"), 0);
    struct sq_adbd_file *file = sq_adbd_files_find(&phone->files, "/sdcard/f");
    if (T(file != NULL)) {
        T_INT(file->modified_s,
              sq_phone_now_ns(phone->demo) / (1000 * (int64_t)NS_PER_MS));
        file->bytes.max = file->bytes.len;
    }
    const struct t_shell_run *run = t_phone_run(phone, "echo b >>/sdcard/f");
    T_STR((const char *)run->errors.data,
          "/system/bin/sh: write: No space left on device\n");
    T_INT(run->status, 1);
    T_STR(t_phone_output(phone, "cat /sdcard/f"), "a\n");
}

#define MAX_WORDS 16384

/* Runs "echo a a ..." with this number of words. */
static bool
echo_words(size_t words, size_t *bytes, struct sq_err *err) {
    static char script[4 + 2 * MAX_WORDS];
    const struct sq_adbd_sink sink = { ignore, bytes, false };
    T_FREED(sq_adbd_shell_finish) struct sq_adbd_shell shell = { 0 };
    int64_t wake_ns;
    size_t len = 4 + 2 * (words - 1);
    memcpy(script, "echo", 4);
    for (size_t i = 4; i < len; i += 2) {
        memcpy(script + i, " a", 2);
    }
    *bytes = 0;
    sq_adbd_shell_init(&shell, phone);
    T_OK(sq_adbd_shell_start(&shell, (struct sq_span){ script, len }, err),
         err);
    return sq_adbd_shell_advance(&shell, 1, &sink, &wake_ns, err);
}

T_CASE(command_has_a_limited_number_of_words) {
    size_t bytes;
    T_OK(echo_words(MAX_WORDS, &bytes, &t_err));
    T_INT(bytes, 2 * (MAX_WORDS - 1));
    T_FAILS(echo_words(MAX_WORDS + 1, &bytes, &t_err), SQ_ERR_LIMIT);
    T_INT(bytes, 0);
}

/* An interactive shell runs several scripts in the same memory. */
T_CASE(shell_forgets_the_previous_script) {
    struct sq_adbd_shell shell;
    static char script[1 << 19];
    size_t bytes = 0;
    const struct sq_adbd_sink sink = { ignore, &bytes, false };
    int64_t wake_ns;
    memset(script, 'a', sizeof(script));
    memcpy(script, "echo ", 5);
    sq_adbd_shell_init(&shell, phone);
    for (size_t i = 1; i <= 40; i++) {
        T_OK(sq_adbd_shell_start(
            &shell, (struct sq_span){ script, sizeof(script) }, &t_err));
        T_OK(sq_adbd_shell_advance(&shell, 1, &sink, &wake_ns, &t_err));
        T_INT(bytes, i * (sizeof(script) - 4));
    }
    sq_adbd_shell_finish(&shell);
}

static bool
run_much(void *context, struct sq_err *err) {
    size_t bytes = 0;
    const struct sq_adbd_sink sink = { ignore, &bytes, false };
    T_FREED(sq_adbd_shell_finish) struct sq_adbd_shell shell = { 0 };
    int64_t wake_ns;
    sq_adbd_shell_init(&shell, context);
    return sq_adbd_shell_start(&shell,
                               SQ_SPAN("A='b c'; echo $A \"$A\" >/sdcard/f; "
                                       "cat /sdcard/f | grep b 2>&1; nosuch; "
                                       "settings put global a b; "
                                       "uiautomator dump; input tap 1 1; "
                                       "monkey -p com.squint.demo.login 1; "
                                       "input text a; gzip </sdcard/f; "
                                       "getprop; rm /sdcard/f"),
                               err)
        && sq_adbd_shell_advance(&shell, 1, &sink, &wake_ns, err);
}

T_CASE(out_of_memory_is_an_error) {
    T(t_alloc_torture(run_much, phone) > 12);
}
