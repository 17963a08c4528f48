/* The program as a whole; each command has its own test file. */
#define _XOPEN_SOURCE 600 /* for the terminal */

#include "unit/app/home.h"
#include "util/fault.h"

T_FIXTURE(t_scratch_start, t_scratch_end);

T_CASE(version_is_printed) {
    RUN_EXITS(0, "--version");
    T_STR(run.out, "squint " SQ_VERSION "\n");
    T_STR(run.err, "");
}

/* Everything that a bug report needs. */
T_CASE(versions_of_libraries_are_printed) {
    static const char *const parts[] = {
        "squint " SQ_VERSION "\n",
        "\n  libjpeg-turbo ",
        "\n  libwebp ",
        "\n  libdeflate ",
        "\n  isa-l ",
        "\n  freetype ",
        "\n  expat ",
        "\n  libyaml ",
        "\n  sqlite ",
        "\n  libsodium ",
        "\n  tesseract ",
        "\n  compiler ",
        "\n  processor code ",
        "\n  fault injection ",
        "\n  sandbox ",
    };
    RUN("version");
    T_STR(run.out, "squint " SQ_VERSION "\n");
    RUN_EXITS(0, "version", "--verbose");
    for (size_t i = 0; i < SQ_COUNT(parts); i++) {
        run_says(run.out, parts[i]);
    }
    const char *build = strstr(run.out, "\nbuild:\n");
    T(build && !strstr(build + 1, "\nbuild:\n")); /* one list of each kind */
    RUN("version", "--json");
    static char details[sizeof(run.out)];
    memcpy(details, run.out, sizeof(details));
    build = strstr(run.out, "\"build\":");
    T(build && !strstr(build + 1, "\"build\":"));
    run_says(run.out, "{\"version\":\"" SQ_VERSION "\",\"libraries\":{");
    run_says(run.out, ",\"build\":{\"compiler\":\"");
    run_says(run.out, ",\"processorCode\":\"");
    run_says(run.out, ",\"faultInjection\":true,");
    RUN("version", "--json", "--verbose");
    run_refused_as_json(2, "--verbose has no effect with --json\",\"hint\":"
                           "\"Leave it out: the JSON has all details.\"");
    /* The option in place of the command takes the same options. */
    RUN("--version", "--json");
    T_STR(run.out, details);
    RUN_EXITS(0, "--version", "--verbose");
    run_says(run.out, "\n  libjpeg-turbo ");
    run_refuses(2, "--version foo",
                "squint version: takes options only, not the word "
                "\"foo\"\n");
}

/* A person gets the same page in three ways. */
T_CASE(help_of_a_command_is_printed) {
    static char want[sizeof(run.out)];
    RUN("tap", "--help");
    memcpy(want, run.out, sizeof(want));
    run_says(run.out, "Usage: squint tap X Y | TEXT [options]\n");
    RUN_EXITS(0, "help", "tap");
    T_STR(run.out, want);
    RUN_EXITS(0, "--help", "tap");
    T_STR(run.out, want);
    RUN("-h", "tap");
    T_STR(run.out, want);
    run_refuses(2, "--help tapp", "  Did you mean squint tap?\n");
    RUN("help", "list_screenshots");
    run_says(run.out, "Usage: squint list [WHEN] [WHEN] [options]\n");
    RUN("help", "scale");
    run_says(run.out, "Usage: squint scale IN... -o OUT [options]\n");
    RUN_EXITS(0, "rtfm", "tap");
    run_says(run.out, "# tap\n");
    RUN("rtfm", "crop");
    run_says(run.out, "# crop_screenshot\n");
    RUN("rtfm");
    run_says(run.out, "## Three flows\n");
}

/* Returns how many lines were printed. */
static int
lines_printed(void) {
    int count = 0;
    for (const char *at = run.out; (at = strchr(at, '\n')); at++) {
        count++;
    }
    return count;
}

/* The most used commands fit a small terminal. */
T_CASE(help_is_printed) {
    static const char *const ways[][2] = {
        { "-h", "help.txt" },
        { "help", "help.txt" },
        { "--help", "help-all.txt" },
    };
    for (size_t i = 0; i < SQ_COUNT(ways); i++) {
        RUN_EXITS(0, ways[i][0]);
        T_STR(run.err, "");
        run_matches(ways[i][1]);
    }
    RUN_EXITS(0, "help", "all");
    run_matches("help-all.txt");
    RUN_EXITS(0, "help");
    T(lines_printed() <= 32);
}

/* On a terminal, because a person does not type protocol messages. */
T_CASE(no_command_on_a_terminal_fails_with_help) {
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0) {
        t_skip("no terminals here");
    } else {
        run_words((struct run_streams){ .input = ptsname(terminal) },
                  (const char *const[]){ NULL });
        T_INT(run.status, 2);
        run_matches("help.txt");
    }
    if (terminal >= 0) {
        close(terminal);
    }
}

/* For people who start it by hand. */
T_CASE(server_on_a_terminal_says_what_it_waits_for) {
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0) {
        t_skip("no terminals here");
    } else {
        static const char ctrl_d = 4;
        T_INT(write(terminal, &ctrl_d, 1), 1);
        RUN_WITH(((struct run_streams){ .input = ptsname(terminal) }), "mcp");
        T_INT(run.status, 0);
        T_STR(run.out, "");
        run_says(run.err, "squint mcp: waiting for a client: JSON-RPC messages "
                          "on standard input, one per line.");
    }
    if (terminal >= 0) {
        close(terminal);
    }
    RUN("mcp");
    T_STR(run.err, "");
    RUN("mcp", "--read-onyl");
    run_refused(2, "unknown option \"--read-onyl\"\n  Did you mean "
                   "--read-only? ");
    RUN("mcp", "stdio");
    run_refused(2, "squint mcp: takes options only, not the word \"stdio\"");
}

/* An option that a command does not use is refused, and not in its help. */
T_CASE(options_of_servers_are_refused_elsewhere) {
    char journal[4096];
    snprintf(journal, sizeof(journal), "--journal=%s",
             t_scratch_path("calls.journal"));
    const char *const flags[] = { "--drain-ms=5", "--tools=split", journal,
                                  "--journal-max-megabytes=3" };
    for (size_t i = 0; i < SQ_COUNT(flags); i++) {
        char message[80];
        int len = (int)strcspn(flags[i], "=");
        snprintf(message, sizeof(message),
                 "%.*s has no effect in this command\n  Leave it out. ", len,
                 flags[i]);
        RUN("tap", "10", "10", flags[i]);
        run_refused(2, message);
        RUN("doctor", flags[i]);
        run_refused(2, message);
        snprintf(message, sizeof(message), "%.*s ", len, flags[i]);
        RUN("tap", "--help");
        T(strstr(run.out, message) == NULL);
        RUN("mcp", "--help");
        T(strstr(run.out, message) != NULL);
        RUN_EXITS(0, "mcp", flags[i]);
    }
}

/* Each level adds lines to those of the one before. */
T_CASE(log_level_selects_the_lines) {
    static const char calls[] =
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
        "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
        "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n"
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
        "{\"name\":\"ui\",\"arguments\":{\"operation\":\"devices\"}}}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":"
        "{\"name\":\"ui\",\"arguments\":{\"operation\":\"key\"}}}\n";
    t_put(t_scratch_path("calls"), calls, sizeof(calls) - 1);
    const struct run_streams streams = { .input = t_scratch_path("calls") };
    RUN_WITH(streams, "mcp", "--log-level", "warning", "--drain-ms", "600000");
    T_STR(run.err, "");
    RUN_WITH(streams, "mcp", "--log-level", "info", "--drain-ms", "600000");
    run_says(run.err, "squint: mcp: version " SQ_VERSION "; configuration: the "
                      "defaults; archive folders: ");
    run_says(run.err, "squint: mcp: the client disconnected\n");
    T(strstr(run.err, "devices") == NULL);
    RUN_WITH(streams, "mcp", "--log-level", "debug", "--drain-ms", "600000");
    run_says(run.err, "Z client 1 (t), device none: devices, ");
    run_says(run.err, " ms\n");
    run_says(run.err, " ms, failed: name is missing\n");
    setenv("SQUINT_UI_RECEIPT", "wrong", 1);
    RUN("mcp");
    run_says(run.err, "squint: SQUINT_UI_RECEIPT must be one of ");
    RUN("mcp", "--log-level", "error");
    T_STR(run.err, "");
    unsetenv("SQUINT_UI_RECEIPT");
}

/* A client that closes its input immediately is not an error. */
T_CASE(no_command_with_a_pipe_starts_the_server) {
    run_words((struct run_streams){ 0 }, (const char *const[]){ NULL });
    T_INT(run.status, 0);
    T_STR(run.out, "");
    T_STR(run.err, "");
    static const char ping[] =
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\n";
    t_put(t_scratch_path("ping"), ping, sizeof(ping) - 1);
    run_words((struct run_streams){ .input = t_scratch_path("ping") },
              (const char *const[]){ NULL });
    T_INT(run.status, 0);
    T_STR(run.out, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}\n");
}

T_CASE(every_command_has_help) {
    static const char *const names[][2] = {
        { "scale", "help-scale.txt" },
        { "diff", "help-diff.txt" },
        { "tokens", "help-tokens.txt" },
        { "mcp", "help-mcp.txt" },
        { "demo", "help-demo.txt" },
        { "doctor", "help-doctor.txt" },
        { "watch", "help-watch.txt" },
        { "record", "help-record.txt" },
        { "archive", "help-archive.txt" },
        { "completion", "help-completion.txt" },
        { "man", "help-man.txt" },
        { "config", "help-config.txt" },
        { "help", "help-help.txt" },
        { "rtfm", "help-rtfm.txt" },
        { "version", "help-version.txt" },
        { "tap", "help-tap.txt" },
        { "crop", "help-crop.txt" },
        { "ocr", "help-ocr.txt" },
        { "find-text", "help-find-text.txt" },
        { "find-image", "help-find-image.txt" },
    };
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        RUN_EXITS(0, names[i][0], "--help");
        T_STR(run.err, "");
        run_matches(names[i][1]);
        /* Help is shown at any position, and regardless of other errors. */
        RUN_EXITS(0, names[i][0], "word", "--nonsense", "--help");
        run_matches(names[i][1]);
        /* The short help is its beginning. */
        static char all[sizeof(run.out)];
        memcpy(all, run.out, sizeof(all));
        RUN_EXITS(0, names[i][0], "word", "--nonsense", "-h");
        char *configuration = strstr(all, "\nConfiguration:\n");
        size_t len =
            configuration ? (size_t)(configuration - all) : strlen(all);
        T(strncmp(run.out, all, len) == 0);
        T((strstr(run.out + len, " --help also lists options of the ") != NULL)
          == (configuration != NULL));
    }
}

/* Lines of 80 columns fit every terminal. */
T_CASE(help_fits_80_columns) {
    static const char *const names[] = {
        "scale",      "diff",    "tokens", "mcp",       "demo",
        "doctor",     "install", "record", "archive",   "watch",
        "completion", "man",     "ocr",    "find-text", "find-image"
    };
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        RUN(names[i], "--help");
        for (const char *line = run.out; *line;) {
            size_t length = strcspn(line, "\n");
            T(length <= 80);
            line += length + (line[length] == '\n');
        }
    }
}

T_CASE(help_after_two_dashes_is_an_argument) {
    run_refuses(2, "tokens -- --help 5", "the width must be a whole number");
}

T_CASE(unknown_commands_are_named) {
    char longest[2000] = "";
    RUN("scael", "in.png");
    run_refused(2, "squint: there is no command \"scael\"\n"
                   "  Did you mean squint scale?\n");
    run_refuses(2, "click 1 2", "  Did you mean squint tap?\n");
    run_refuses(2, "home", "  Did you mean squint key home?\n");
    run_refuses(2, "help screnshot", "  Did you mean squint screenshot?\n");
    run_refuses(2, "shot", "  Did you mean squint screenshot?\n");
    run_refuses(2, "ls", "  Did you mean squint list?\n");
    run_refuses(2, "press", "  Did you mean squint key, or squint tap?\n");
    RUN_EXITS(0, "help", "archive", "index");
    run_says(run.out, "Usage: squint archive stats | index ");
    RUN_EXITS(0, "help", "config", "init");
    run_says(run.out, "Usage: squint config init|check");
    run_refuses(2, "help config wobble", "\"wobble\" is one word too many\n");
    run_refuses(2, "help tap x", "\"x\" is one word too many\n");
    RUN("ocr", "-");
    run_refused(1, "standard input is a device, not a file\n  Pass a picture "
                   "to it by a pipe or by < FILE.\n");
    RUN("rtfm", "scale");
    run_refused(2, "the manual for agents has no page about scale\n  See "
                   "squint help scale.\n");
    run_refuses(2, "rtfm swip", "  Did you mean squint rtfm swipe?\n");
    RUN("rtfm", "list_screenshot");
    run_refused(2, "  Did you mean squint rtfm list?\n");
    run_refuses(2, "rtfm double-tap", "  Did you mean squint rtfm tap?\n");
    run_refuses(2, "rtfm scle", "  Did you mean squint scale?\n");
    RUN("tap", "--hlep");
    run_refused(2, "  Did you mean --help? --help lists the options.\n");
    run_refuses(2, "--verison", "Did you mean squint --version?\n");
    run_refuses(2, "--nonsense",
                "there is no command \"--nonsense\"\n"
                "  Options come after the command; squint --help lists "
                "the commands.\n");
    RUN("");
    run_refused(2, "there is no command \"\"");
    memset(longest, 'a', sizeof(longest) - 1);
    RUN(longest);
    run_refused(2, "aaaa...\"\n");
    run_refuses(2, "-v", "Did you mean squint --version?\n");
    run_refuses(2, "tpa 1 2", "Did you mean squint tap?\n");
}

T_CASE(wrong_number_of_arguments_shows_usage) {
    RUN("scale");
    run_refused(2, "squint scale: IN... is missing\n"
                   "  Usage: squint scale IN... -o OUT [options]\n");
    RUN("scale", "a.png", "b.jpg");
    run_refused(2, "squint scale: \"b.jpg\" is one word too many\n"
                   "  Write squint scale a.png -o b.jpg.\n");
    RUN("scale", "a", "b", "-o", "c.jpg");
    run_refused(2, "squint scale: 2 pictures cannot be written to c.jpg\n"
                   "  Name a folder: -o c.jpg/\n");
    RUN("diff", "a");
    run_refused(2, "squint diff: B is missing\n"
                   "  Usage: squint diff A B [options]\n");
    run_refuses(2, "diff a b c", "\"c\" is one word too many");
    run_refuses(2, "find-image", "squint find-image: TEMPLATE is missing\n");
    RUN("pair", "1.2.3.4:5");
    run_refused(2, "squint pair: CODE is missing\n"
                   "  Usage: squint pair HOST:PORT CODE [options]\n");
    RUN("connect", "a", "b");
    run_refused(2, "squint connect: \"b\" is one word too many\n");
    RUN("connect", "a", "b", "--json");
    run_refused_as_json(2, "\\\"b\\\" is one word too many");
    RUN("pair", "1.2.3.4:5", "123456", "--json", "--adb-server", "off");
    run_refused_as_json(1, "Android is switched off");
    run_refuses(2, "replay", "squint replay: JOURNAL is missing\n");
    run_refuses(2, "replay a b", "squint replay: \"b\" is one word too many\n");
    RUN("mcp", "now");
    run_refused(2, "squint mcp: takes options only, not the word \"now\"\n"
                   "  Usage: squint mcp [options]\n");
    RUN("tokens", "-5", "10");
    run_refused(2, "the width must be a whole number from 1 to 65535, not "
                   "\"-5\"");
    run_refuses(2, "tokens", "squint tokens: WIDTHxHEIGHT is missing\n");
    run_refuses(2, "tokens 1 2 3 4 5", "\"3\" is one word too many");
}

T_CASE(unwritable_output_fails) {
    static const struct run_streams full = { .output = "/dev/full" };
    RUN_WITH(full, "--version");
    T_INT(run.status, 1);
    run_says(run.err, "cannot write standard output");
    RUN_WITH(full, "tokens", "1", "1");
    T_INT(run.status, 1);
    run_says(run.err, "squint tokens: cannot write standard output");
}

/* The error cannot be JSON on standard output then. */
T_BARE_CASE(unwritable_json_is_reported_as_text) {
    static const struct run_streams full = { .output = "/dev/full" };
    static const char message[] = "cannot write standard output: ";
    home_start();
    RUN_WITH(full, "tokens", "1", "1", "--json");
    T_INT(run.status, 1);
    run_says(run.err, message);
    RUN_WITH(full, "find", "Login", "--json");
    T_INT(run.status, 1);
    run_says(run.err, message);
    RUN_WITH(full, "record", "--count", "1", "--json", "--into", t_scratch());
    T_INT(run.status, 1);
    run_says(run.err, message);
    /* Nor can another error. */
    RUN_WITH(full, "tap", "Nowhere", "--json");
    T_INT(run.status, 1);
    run_says(run.err, "squint: no element on the screen matches\n");
    RUN_WITH(full, "tap", "--wobble", "--json");
    T_INT(run.status, 2);
    run_says(run.err, "squint: unknown option \"--wobble\"\n");
    RUN_WITH(full, "record", "--count", "1", "--json", "--device", "none",
             "--into", t_scratch());
    run_says(run.err, "no device \"none\"\n");
    RUN_WITH(full, "watch", "--count", "1", "--json", "--device", "none", "-o",
             t_scratch_path("a.jpg"));
    run_says(run.err, "no device \"none\"\n");
    t_album_end();
}

/* If memory for the help text is missing, the exit status says so. */
T_CASE(out_of_memory_fails) {
    static const struct {
        const char *words[5];
        int status;
    } lines[] = {
        { { "--version" }, 1 },       { { "--help" }, 1 },
        { { "scale", "--help" }, 1 }, { { "tokens", "1", "1" }, 1 },
        { { "diff", "--help" }, 2 },
    };
    for (size_t i = 0; i < SQ_COUNT(lines); i++) {
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ .nth = 1 });
        run_words((struct run_streams){ 0 }, lines[i].words);
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ 0 });
        run_refused(lines[i].status, "out of memory");
    }
}
