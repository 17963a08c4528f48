#include "unit/app/install/edit.h"

#define ENTRY_AT(indent, in)                                                   \
    indent "squint:\n" indent in "name: \"squint\"\n" indent in                \
           "description: \"Eyes and hands on screens\"\n" indent in            \
           "type: \"stdio\"\n" indent in "enabled: true\n" indent in           \
           "cmd: \"/opt/squint\"\n" indent in "args: [\"mcp\"]\n" indent in    \
           "envs: {}\n" indent in "timeout: 300\n"
#define ENTRY ENTRY_AT("  ", "  ")

T_CASE(other_entries_and_layout_are_kept) {
    static const char *const tries[][2] = {
        { "extensions:\n  a:\n    cmd: x\n",
          "extensions:\n  a:\n    cmd: x\n" ENTRY },
        { "# top\nGOOSE_MODEL: y   # z\nextensions:   # all\n    a:\n"
          "        cmd: x   # one\n\n# below\nother: 1\n",
          "# top\nGOOSE_MODEL: y   # z\nextensions:   # all\n    a:\n"
          "        cmd: x   # one\n" ENTRY_AT("    ",
                                              "  ") "\n# below\nother: 1\n" },
        { "extensions:\n  a: {cmd: x,\n      args: [\n ]}\n\n\nother: |\n  t\n",
          "extensions:\n  a: {cmd: x,\n      args: [\n ]}\n" ENTRY
          "\n\nother: |\n  t\n" },
        { "extensions:\n  a:\n    text: |\n      one\n\n      two\n\nb: 1\n",
          "extensions:\n  a:\n    text: |\n      one\n\n      two\n" ENTRY
          "\nb: 1\n" },
        { "---\nextensions:\n  a:\n  b: ~\n",
          "---\nextensions:\n  a:\n  b: ~\n" ENTRY },
        { "extensions:\n \"gr\xc3\xbc\xc3\x9f\": 'x''y'\n",
          "extensions:\n \"gr\xc3\xbc\xc3\x9f\": "
          "'x''y'\n" ENTRY_AT(" ", "  ") },
    };
    edit_all("goose", tries, SQ_COUNT(tries));
}

T_CASE(windows_line_ends_are_kept) {
    edit_for("goose");
    static const char text[] = "extensions:\r\n  a: 1\r\nb: 2\r\n";
    edit_bytes(false, text, strlen(text));
    T_OK(edit.ok, &edit.err);
    T(strstr(edit.text, "  a: 1\r\n  squint:\r\n    name: \"squint\"\r\n"));
    T(strstr(edit.text, "    timeout: 300\r\nb: 2\r\n"));
    char with[4096];
    memcpy(with, edit.text, edit.len);
    edit_bytes(true, with, edit.len);
    T_STR(edit.text, text);
}

T_CASE(missing_parts_are_created) {
    static const char whole[] = "extensions:\n" ENTRY;
    edit_for("goose");
    edit_adds("", whole);
    edit_adds("# mine", "# mine\nextensions:\n" ENTRY);
    edit_adds("extensions:", whole);
    edit_adds("extensions: {}\n", whole);
    edit_adds("extensions: null # x\nb: 1\n",
              "extensions: # x\n" ENTRY "b: 1\n");
    edit_adds("a: 1", "a: 1\nextensions:\n" ENTRY);
    edit_adds("a: 1\n\n", "a: 1\n\nextensions:\n" ENTRY);
}

T_CASE(entry_is_removed_from_any_position) {
    edit_for("goose");
    edit_removes("extensions:\n" ENTRY "  b: 1\n", "extensions:\n  b: 1\n");
    edit_removes("extensions:\n" ENTRY, "extensions: {}\n");
    edit_removes("extensions: # all\n" ENTRY "c: 1\n",
                 "extensions: {} # all\nc: 1\n");
    edit_removes("extensions:\n  a: 1\n  squint: 5\n  b: 1\n",
                 "extensions:\n  a: 1\n  b: 1\n");
}

T_CASE(entry_of_another_program_is_replaced) {
    edit_for("goose");
    edit_replaces(
        "extensions:\n  squint:\n    cmd: /old\n    args:\n"
        "    - mcp\n  b: 1\n",
        "extensions:\n  squint:\n    cmd: \"/opt/squint\"\n    args:\n"
        "    - mcp\n  b: 1\n");
    edit_replaces("extensions:\n  squint: {}\n  b: 1\n",
                  "extensions:\n" ENTRY "  b: 1\n");
}

T_CASE(settings_of_the_entry_are_kept) {
    edit_for("goose");
    edit_keeps(
        "extensions:\n  squint:\n    enabled: false\n    name: squint\n"
        "    cmd: /old # here\n    args: [mcp, --read-only] # mine\n"
        "    envs:\n      A: b\n    timeout: 10\n  b: 1\n",
        "extensions:\n  squint:\n    enabled: false\n    name: squint\n"
        "    cmd: \"/opt/squint\" # here\n    args: [mcp, --read-only] # "
        "mine\n    envs:\n      A: b\n    timeout: 10\n  b: 1\n",
        "enabled\nargs\nenvs\ntimeout\n");
    edit_keeps("extensions:\n  squint:\n    args:\n    - -y\n    - run\n"
               "    envs: {}\n    timeout: 300\n    cmd: '/old'",
               "extensions:\n  squint:\n    args: [\"mcp\"]\n"
               "    envs: {}\n    timeout: 300\n    cmd: \"/opt/squint\"",
               "");
    edit_keeps("extensions:\n  squint:\n    cmd: >-\n      /old\n\n    x: 1\n",
               "extensions:\n  squint:\n    cmd: \"/opt/squint\"\n"
               "    args: [\"mcp\"]\n\n    x: 1\n",
               "x\n");
    edit_keeps("extensions:\n  squint:\n    \"a\\e\\n\": 1\n    cmd: a",
               "extensions:\n  squint:\n    \"a\\e\\n\": 1\n"
               "    cmd: \"/opt/squint\"\n    args: [\"mcp\"]",
               "a\\u001b\\u000a\n");
    edit_refuses_entry("extensions:\n  squint:\n    uri: http://x\n");
    static const char flow[] =
        "extensions:\n  squint: {cmd: x, envs: {A: b}}\n";
    edit_bytes(false, flow, strlen(flow));
    T(!edit.ok);
    T_STR(edit.err.message, "squint cannot edit this form of YAML");
}

T_CASE(entry_of_the_same_program_is_unchanged) {
    static const char text[] = "extensions:\n  squint:\n    args:\n    - mcp\n"
                               "    enabled: false\n    cmd: /opt/squint\n";
    edit_for("goose");
    edit_leaves(text);
}

T_CASE(unreadable_text_is_refused) {
    edit_for("goose");
    edit_refuses("a: b: c\n", SQ_ERR_FORMAT,
                 "line 1: mapping values are not allowed in this context");
    edit_refuses("a:\n\tb: 1\n", SQ_ERR_FORMAT,
                 "line 2: found character that cannot start any token while "
                 "scanning for the next token");
    edit_refuses("a: \xff\n", SQ_ERR_FORMAT, "line 1: not valid UTF-8");
}

T_CASE(other_forms_are_refused) {
    static const char words[] = "line 1: squint cannot edit this form of YAML";
    edit_for("goose");
    edit_refuses("{extensions: {}}\n", SQ_ERR_UNSUPPORTED, words);
    edit_refuses("- a\n", SQ_ERR_UNSUPPORTED, words);
    edit_refuses("extensions: {a: 1}\n", SQ_ERR_UNSUPPORTED, words);
    edit_refuses("extensions: [a]\n", SQ_ERR_UNSUPPORTED, words);
    edit_refuses("extensions: text\n", SQ_ERR_UNSUPPORTED, words);
    edit_refuses("a: &x 1\nb: *x\n", SQ_ERR_UNSUPPORTED,
                 "line 2: aliases are not supported");
    edit_refuses("a: 1\rb: 2\r", SQ_ERR_UNSUPPORTED,
                 "squint cannot edit files with these line breaks");
    /* Errors that are found only in the result: the file is not changed. */
    const char *ended = "a: 1\n...\n";
    edit_bytes(false, ended, strlen(ended));
    T(!edit.ok);
    T_INT(edit.err.code, SQ_ERR_UNSUPPORTED);
    T_STR(edit.err.message, "squint cannot edit this form of YAML");
}

T_CASE(every_prefix_is_refused_or_edited) {
    static const char text[] =
        "# c\na: [1, 'x', {b: \"\\\"\"}] # d\nextensions: # e\n  f:\n    g: |\n"
        "      h\n\n  squint:\n    cmd: x\n  i: ~\nj: >-\n  k\n";
    edit_prefixes("goose", text);
}

T_CASE(editing_survives_every_failed_allocation) {
    static char text[] = "a: 1\nextensions:\n  b:\n    c: 1\n\nd: 1\n";
    edit_for("goose");
    T(t_alloc_torture(edit_again, text) >= 5);
}
