#include "unit/app/install/edit.h"

#define ENTRY_4                                                                \
    "    \"squint\": {\n"                                                      \
    "      \"command\": \"/opt/squint\",\n"                                    \
    "      \"args\": [\"mcp\"]\n"                                              \
    "    }"
#define ENTRY_TABS                                                             \
    "\t\t\"squint\": {\n"                                                      \
    "\t\t\t\"command\": \"/opt/squint\",\n"                                    \
    "\t\t\t\"args\": [\"mcp\"]\n"                                              \
    "\t\t}"
#define ENTRY_INLINE                                                           \
    "\"squint\": {\"command\": \"/opt/squint\", \"args\": [\"mcp\"]}"

T_CASE(other_entries_and_layout_are_kept) {
    static const char *const tries[][2] = {
        { "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"}\n  }\n}\n",
          "{\n  \"mcpServers\": {\n    \"a\": {\"command\": "
          "\"x\"},\n" ENTRY_4 "\n  }\n}\n" },
        /* Tabs, no newline at the end. */
        { "{\n\t\"mcpServers\": {\n\t\t\"a\": {}\n\t}\n}",
          "{\n\t\"mcpServers\": {\n\t\t\"a\": {},\n" ENTRY_TABS "\n\t}\n}" },
        /* On one line. */
        { "{\"mcpServers\":{\"a\":{}}}",
          "{\"mcpServers\":{\"a\":{}, " ENTRY_INLINE "}}" },
        /* A trailing comma. */
        { "{\n  \"mcpServers\": {\n    \"a\": {},\n  },\n}\n",
          "{\n  \"mcpServers\": {\n    \"a\": {},\n" ENTRY_4 ",\n  },\n}\n" },
        /* Comments after the last entry, on its line and below. */
        { "// top\n{\n  \"mcpServers\": {\n    \"a\": {} // \"note\" }\n"
          "    /* , */\n  } // end\n}\n// bottom",
          "// top\n{\n  \"mcpServers\": {\n    \"a\": {}, // \"note\" "
          "}\n" ENTRY_4 "\n    /* , */\n  } // end\n}\n// bottom" },
        { "{\n  \"mcpServers\": {\n    \"a\": {} /* one */ /* two */\n  }\n}\n",
          "{\n  \"mcpServers\": {\n    \"a\": {}, /* one */ /* two "
          "*/\n" ENTRY_4 "\n  }\n}\n" },
        /* A byte-order mark, odd spaces, other keys around. */
        { "\xef\xbb\xbf{ \"x\" : [ 1 , -2.5e3 , null ] ,\n"
          "  \"mcpServers\" :\n  {\n    \"a}\\\"\" : { }   \n  }\n"
          ", \"y\" : \"\\u00e4\" }\n\n",
          "\xef\xbb\xbf{ \"x\" : [ 1 , -2.5e3 , null ] ,\n"
          "  \"mcpServers\" :\n  {\n    \"a}\\\"\" : { },   \n" ENTRY_4
          "\n  }\n, \"y\" : \"\\u00e4\" }\n\n" },
        /* The same names in other objects belong to other programs. */
        { "{\n  \"projects\": {\"mcpServers\": {\"squint\": 1}},\n"
          "  \"mcpServers\": {\n    \"squint2\": {\"squint\": {}}\n  }\n}\n",
          "{\n  \"projects\": {\"mcpServers\": {\"squint\": 1}},\n"
          "  \"mcpServers\": {\n    \"squint2\": {\"squint\": {}},\n" ENTRY_4
          "\n  }\n}\n" },
    };
    edit_all("cursor", tries, SQ_COUNT(tries));
}

T_CASE(windows_line_ends_are_kept) {
    edit_for("cursor");
    edit_adds_and_removes(
        "{\r\n  \"mcpServers\": {\r\n    \"a\": {} // note\r\n  }\r\n}\r\n",
        "{\r\n  \"mcpServers\": {\r\n    \"a\": {}, // note\r\n"
        "    \"squint\": {\r\n      \"command\": \"/opt/squint\",\r\n"
        "      \"args\": [\"mcp\"]\r\n    }\r\n  }\r\n}\r\n");
}

T_CASE(missing_parts_are_created) {
    static const char whole[] = "{\n  \"mcpServers\": {\n" ENTRY_4 "\n  }\n}\n";
    edit_for("cursor");
    edit_adds("", whole);
    edit_adds(" \n\n", whole);
    edit_adds("// mine",
              "// mine\n{\n  \"mcpServers\": {\n" ENTRY_4 "\n  }\n}\n");
    edit_adds("{}", "{\n  \"mcpServers\": {\n" ENTRY_4 "\n  }\n}");
    edit_adds("{\n  \"mcpServers\": {}\n}\n", whole);
    edit_adds("{\n  \"mcpServers\": {\n  }\n}\n", whole);
    edit_adds("{\n  \"mcpServers\": { // none yet\n  }\n}\n",
              "{\n  \"mcpServers\": {\n" ENTRY_4 " // none yet\n  }\n}\n");
    edit_adds("{\n  \"theme\": \"dark\"\n}\n",
              "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n" ENTRY_4
              "\n  }\n}\n");
    edit_adds("{\"theme\":1}",
              "{\"theme\":1, \"mcpServers\": {" ENTRY_INLINE "}}");
}

T_CASE(removing_leaves_only_the_section) {
    edit_for("cursor");
    edit_removes("{\n  \"mcpServers\": {\n" ENTRY_4 "\n  }\n}\n",
                 "{\n  \"mcpServers\": {}\n}\n");
    edit_removes("{\"mcpServers\": {" ENTRY_INLINE "}}",
                 "{\"mcpServers\": {}}");
    edit_removes("{\n  \"mcpServers\": {\n    // mine\n" ENTRY_4 ",\n  }\n}\n",
                 "{\n  \"mcpServers\": {\n    // mine\n  }\n}\n");
}

T_CASE(entry_is_removed_from_any_position) {
    edit_for("cursor");
    edit_removes("{\"mcpServers\": {" ENTRY_INLINE ", \"b\": {}}}",
                 "{\"mcpServers\": {\"b\": {}}}");
    edit_removes("{\"mcpServers\": {\"a\": {}, " ENTRY_INLINE ", \"b\": {}}}",
                 "{\"mcpServers\": {\"a\": {}, \"b\": {}}}");
    edit_removes("{\n  \"mcpServers\": {\n" ENTRY_4
                 ",\n    \"b\": {}\n  }\n}\n",
                 "{\n  \"mcpServers\": {\n    \"b\": {}\n  }\n}\n");
    /* Regardless of its current content. */
    edit_removes("{\"mcpServers\": {\"squint\": null, \"b\": 1}}",
                 "{\"mcpServers\": {\"b\": 1}}");
}

T_CASE(entry_of_another_program_is_replaced) {
    edit_for("cursor");
    edit_replaces(
        "{\n  \"mcpServers\": {\n    \"squint\": {\"command\": "
        "\"/old\", \"args\": [\"mcp\"]}, // x\n    \"b\": {}\n  }\n}\n",
        "{\n  \"mcpServers\": {\n    \"squint\": {\"command\": "
        "\"/opt/squint\", \"args\": [\"mcp\"]}, // x\n    \"b\": "
        "{}\n  }\n}\n");
    edit_replaces("{\"mcpServers\": {\"squint\": 5}}",
                  "{\"mcpServers\": {" ENTRY_INLINE "}}");
    edit_replaces(
        "{\"mcpServers\": {\"squint\": {\"command\": \"/opt/squint\"}}}",
        "{\"mcpServers\": {" ENTRY_INLINE "}}");
}

T_CASE(settings_of_the_entry_are_kept) {
    edit_for("cursor");
    edit_keeps("{\"mcpServers\":{\"squint\":{\"command\":\"/old\",\"args\":"
               "[\"mcp\",\"--read-only\",\"--archive\",\"/data=labels\"],"
               "\"env\":{\"SQUINT_REDACT_PRESETS\":\"cards\"}}}}",
               "{\"mcpServers\":{\"squint\":{\"command\":\"/opt/squint\","
               "\"args\":[\"mcp\",\"--read-only\",\"--archive\","
               "\"/data=labels\"],\"env\":{\"SQUINT_REDACT_PRESETS\":"
               "\"cards\"}}}}",
               "args\nenv\n");
    /* In any order, with comments. */
    edit_keeps(
        "{\"mcpServers\": {\"squint\": {\n  \"args\": [ // a\n  /*/ b */ "
        "\"mcp\", \"x\"],\n  \"command\": \"/old\" // c\n}}}",
        "{\"mcpServers\": {\"squint\": {\n  \"args\": [ // a\n  /*/ b */ "
        "\"mcp\", \"x\"],\n  \"command\": \"/opt/squint\" // c\n}}}",
        "args\n");
    /* Arguments of another program. */
    edit_keeps("{\"mcpServers\": {\"squint\": {\"args\": [\"-y\", \"run\"], "
               "\"env\": {}, \"command\": \"npx\"}}}",
               "{\"mcpServers\": {\"squint\": {\"args\": [\"mcp\"], "
               "\"env\": {}, \"command\": \"/opt/squint\"}}}",
               "env\n");
    edit_keeps("{\"mcpServers\": {\"squint\": {\"args\": [\"mcpx\"], "
               "\"command\": \"/opt/squint\"}}}",
               "{\"mcpServers\": {\"squint\": {\"args\": [\"mcp\"], "
               "\"command\": \"/opt/squint\"}}}",
               "");
    /* No arguments. */
    edit_keeps("{\"mcpServers\": {\"squint\": {\r\n\t\"command\": "
               "\"/opt/squint\",\r\n\t\"a\\\"b\": 1\r\n}}}",
               "{\"mcpServers\": {\"squint\": {\r\n\t\"command\": "
               "\"/opt/squint\",\r\n\t\"args\": [\"mcp\"],\r\n"
               "\t\"a\\\"b\": 1\r\n}}}",
               "a\\\"b\n");
    edit_refuses_entry(
        "{\"mcpServers\": {\"squint\": {\"url\": \"http://x\"}}}");
    edit_for("cline");
    edit_keeps("{\"mcpServers\": {\"squint\": {\"command\": \"/old\", "
               "\"args\": [\"mcp\"], \"disabled\": true}}}",
               "{\"mcpServers\": {\"squint\": {\"command\": \"/opt/squint\", "
               "\"args\": [\"mcp\"], \"disabled\": true}}}",
               "disabled\n");
}

/* The client may have reformatted the entry, and the user added to it. */
T_CASE(entry_of_the_same_program_is_unchanged) {
    static const char text[] =
        "{\"mcpServers\":{\"squint\":{\"args\":[ \"mcp\" ],\"env\":"
        "{\"SQUINT_CONFIG\":\"x\"},\"command\":\"/opt/squint\"}}}";
    edit_for("cursor");
    edit_leaves(text);
    T_STR(edit_kept, "env\n");
}

T_CASE(unreadable_text_is_refused) {
    static const char *const tries[][2] = {
        { "{", "line 1: expected a key in double quotes" },
        { "[]", "line 1: the file is not a JSON object" },
        { "{}\n{}", "line 2: unexpected text after the object" },
        { "{\"a\": 1\n \"b\": 2}", "line 2: expected \",\" or \"}\"" },
        { "{\"a\": [1 2]}", "line 1: expected \",\" or \"]\"" },
        { "{'a': 1}", "line 1: expected a key in double quotes" },
        { "{\"a\" 1}", "line 1: expected \":\"" },
        { "{\"a\": }", "line 1: expected a value" },
        { "{\"a\": nope}", "line 1: expected a value" },
        { "{\"a\": \"x\ny\"}", "line 1: this string is not closed" },
        { "{\"a\": \"x", "line 1: this string is not closed" },
        { "{}\n/* x", "line 2: unexpected text after the object" },
        { "{,}", "line 1: expected a key in double quotes" },
        { "{\"a\": 1,,}", "line 1: expected a key in double quotes" },
        { "{\"a\": \"\xff\"}", "line 1: not valid UTF-8" },
        { "{\"mcpServers\": []}",
          "line 1: the list of servers is not an object" },
        { "{\"mcpServers\": {},\n\"mcpServers\": {}}",
          "line 2: duplicate key" },
        { "{\"mcpServers\": {\"squint\": 1,\n\"squint\": 2}}",
          "line 2: duplicate key" },
    };
    edit_refuses_all("cursor", tries, SQ_COUNT(tries));
    char deep[400] = "{\"a\": ";
    memset(deep + strlen(deep), '[', 100);
    edit_refuses(deep, SQ_ERR_FORMAT, "line 1: nested too deeply");
}

T_CASE(every_prefix_is_refused_or_edited) {
    static const char text[] =
        "/* c */{ // d\n  \"x\": [1, {\"y\": \"\\u00e4\\n\"}, null],\n"
        "  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"}, // e\n  }\n}\n";
    edit_prefixes("cursor", text);
}

static void
put_random(char *text, const char *const *words, size_t count) {
    size_t which = (size_t)t_random_between(0, (int64_t)count - 1);
    snprintf(text + strlen(text), 8192 - strlen(text), "%s", words[which]);
}

static void
put_trivia(char *text) {
    static const char *const words[] = { "",     " ",         "\n",
                                         "\n  ", "\t",        "// x }\n",
                                         " ",    "/* \", */", "\n\n    " };
    put_random(text, words, SQ_COUNT(words));
}

static void
put_value(char *text) {
    static const char *const words[] = { "1",           "\"a\\\"b\"",
                                         "[1, \"x\" ]", "{\"k\": {}}",
                                         "{ }",         "null" };
    put_random(text, words, SQ_COUNT(words));
}

static void
put_members(char *text, const char *prefix, int count) {
    for (int i = 0; i < count; i++) {
        char key[32];
        const char *const keys[] = { key };
        snprintf(key, sizeof(key), "\"%s%d\":", prefix, i);
        put_trivia(text);
        put_random(text, keys, 1);
        put_trivia(text);
        put_value(text);
        put_trivia(text);
        const char *const ends[] = { ",", i + 1 < count ? "," : "" };
        put_random(text, ends, 2);
    }
}

/* With any layout, adding and removing an entry restores the text. */
T_CASE(random_files_are_restored) {
    static char before[8192];
    static char after[sizeof(edit.text)];
    edit_for("cursor");
    for (int round = 0; round < 3000; round++) {
        before[0] = '\0';
        put_trivia(before);
        strncpy(before + strlen(before), "{", 2);
        const char *const open[] = { "\"mcpServers\":{" };
        const char *const close[] = { "}" };
        int more = (int)t_random_between(0, 2);
        put_members(before, "k", more);
        if (more && before[strlen(before) - 1] != ',') {
            const char *const comma[] = { "\n," };
            put_random(before, comma, 1);
        }
        put_random(before, open, 1);
        put_members(before, "s", (int)t_random_between(1, 3));
        put_trivia(before);
        put_random(before, close, 1);
        put_trivia(before);
        put_random(before, close, 1);
        put_trivia(before);
        edit_bytes(false, before, strlen(before));
        bool ok =
            T_OK(edit.ok, &edit.err) && T_INT(edit.change, SQ_INSTALL_ADDED);
        memcpy(after, edit.text, edit.len + 1);
        edit_bytes(false, after, strlen(after));
        ok = T_INT(edit.change, SQ_INSTALL_UNCHANGED) && ok;
        edit_bytes(true, after, strlen(after));
        if (!T_STR(edit.text, before) || !ok) {
            printf("# it was between:\n# %s\n", after);
            return;
        }
    }
}

T_CASE(editing_survives_every_failed_allocation) {
    static char text[] = "{\n  \"mcpServers\": {\n    \"a\": {} // x\n  }\n}\n";
    edit_for("claude-code");
    T(t_alloc_torture(edit_again, text) >= 3);
}
