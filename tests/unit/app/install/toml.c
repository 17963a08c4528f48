#include "unit/app/install/edit.h"

#define ENTRY                                                                  \
    "[mcp_servers.squint]\ncommand = \"/opt/squint\"\nargs = [\"mcp\"]\n"

T_CASE(other_entries_and_layout_are_kept) {
    static const char *const tries[][2] = {
        { "model = \"o3\"\n", "model = \"o3\"\n\n" ENTRY },
        { "# top\n\n[mcp_servers.other]   # x\ncommand='y'\n",
          "# top\n\n[mcp_servers.other]   # x\ncommand='y'\n\n" ENTRY },
        { "[a.\"b.c\"]\nt = 1979-05-27 07:32:00Z\nu = +1_000.5e3\n"
          "v = [ # list\n  1, 'x]',\n  [true, false],\n]\n"
          "w = { x = { y = \"}\" }, \"z\" = inf }\n"
          "long = \"\"\"\n[mcp_servers.squint]\n\\\"\"\"\"\"\n"
          "raw = '''[x]\n'''\n[[b]]\n[[b]]\nd.e.f = 07:32:00\n",
          "[a.\"b.c\"]\nt = 1979-05-27 07:32:00Z\nu = +1_000.5e3\n"
          "v = [ # list\n  1, 'x]',\n  [true, false],\n]\n"
          "w = { x = { y = \"}\" }, \"z\" = inf }\n"
          "long = \"\"\"\n[mcp_servers.squint]\n\\\"\"\"\"\"\n"
          "raw = '''[x]\n'''\n[[b]]\n[[b]]\nd.e.f = 07:32:00\n\n" ENTRY },
        { "[mcp_servers.squint2]\ncommand = \"z\"\n[other.squint]\nx = 1\n",
          "[mcp_servers.squint2]\ncommand = \"z\"\n[other.squint]\nx = "
          "1\n\n" ENTRY },
        { "", ENTRY },
    };
    edit_all("codex", tries, SQ_COUNT(tries));
}

T_CASE(windows_line_ends_are_kept) {
    edit_for("codex");
    edit_adds_and_removes("a = 1\r\n",
                          "a = 1\r\n\r\n[mcp_servers.squint]\r\n"
                          "command = \"/opt/squint\"\r\nargs = [\"mcp\"]\r\n");
}

T_CASE(missing_newline_at_the_end_is_added) {
    edit_for("codex");
    edit_adds("a = 1", "a = 1\n\n" ENTRY);
    edit_adds("a = 1\n\n", "a = 1\n\n" ENTRY);
}

T_CASE(entry_is_removed_from_any_position) {
    edit_for("codex");
    edit_removes("a = 1\n\n" ENTRY "\n[b]\nc = 2\n", "a = 1\n\n[b]\nc = 2\n");
    edit_removes(ENTRY "\n# of b\n[b]\nc = 2\n", "# of b\n[b]\nc = 2\n");
    edit_removes("a = 1\n" ENTRY "[b]\n", "a = 1\n[b]\n");
    /* With its subtables. */
    edit_removes("a = 1\n\n" ENTRY "startup_timeout_sec = 5\n\n"
                 "[mcp_servers.squint.env]\nSQUINT_CONFIG = \"x\"\n\n[b]\n",
                 "a = 1\n\n[b]\n");
    edit_removes("[ mcp_servers . \"squint\" ] # x\ncommand = 'y'\n# kept\n",
                 "# kept\n");
}

T_CASE(entry_of_another_program_is_replaced) {
    edit_for("codex");
    edit_replaces(
        "[mcp_servers.squint]\ncommand = \"/old\"\nargs = [\"mcp\"]\n\n"
        "[mcp_servers.squint.env]\nA = \"b\"\n",
        ENTRY "\n[mcp_servers.squint.env]\nA = \"b\"\n");
    edit_replaces("[mcp_servers.squint]\n[b]\n", ENTRY "[b]\n");
}

T_CASE(settings_of_the_entry_are_kept) {
    edit_for("codex");
    edit_keeps("[mcp_servers.squint] # mine\nargs = ['mcp', \"--read-only\"]\n"
               "startup_timeout_sec = 20 # slow\n  command = '/old' # here\n"
               "env.B = \"c\"\n[mcp_servers.squint.env]\nA = \"b\"\n",
               "[mcp_servers.squint] # mine\nargs = ['mcp', \"--read-only\"]\n"
               "startup_timeout_sec = 20 # slow\n  command = \"/opt/squint\" # "
               "here\nenv.B = \"c\"\n[mcp_servers.squint.env]\nA = \"b\"\n",
               "args\nstartup_timeout_sec\nenv\n");
    edit_keeps("[mcp_servers.squint]\n  command = '/opt/squint'\nenabled = "
               "false",
               "[mcp_servers.squint]\n  command = '/opt/squint'\n"
               "  args = [\"mcp\"]\nenabled = false",
               "enabled\n");
    edit_keeps("[mcp_servers.squint]\nargs = [\n  # first\n  \"mcp\", \"x\" "
               "]\ncommand = \"a\"",
               "[mcp_servers.squint]\nargs = [\n  # first\n  \"mcp\", \"x\" "
               "]\ncommand = \"/opt/squint\"",
               "args\n");
    edit_keeps("[mcp_servers.squint]\nargs = [\"x\"]\ncommand = \"a\"",
               "[mcp_servers.squint]\nargs = [\"mcp\"]\n"
               "command = \"/opt/squint\"",
               "");
    edit_keeps("[mcp_servers.squint]\ncommand = \"a\"",
               "[mcp_servers.squint]\ncommand = \"/opt/squint\"\n"
               "args = [\"mcp\"]",
               "");
    edit_refuses_entry("[mcp_servers.squint]\nurl = \"http://x\"\n");
}

T_CASE(entry_of_the_same_program_is_unchanged) {
    static const char text[] = "[mcp_servers.squint]\nargs = [\n  \"mcp\"\n]\n"
                               "enabled = true\ncommand = \"/opt/squint\" # x\n"
                               "[mcp_servers.squint.env]\ncommand = \"x\"\n";
    edit_for("codex");
    edit_leaves(text);
}

T_CASE(unreadable_text_is_refused) {
    static const char *const tries[][2] = {
        { "a", "line 1: expected a key and \"=\"" },
        { "a = 1\nb = \n", "line 2: expected a value" },
        { "a = 1\nb = # x\n", "line 2: expected a value" },
        { "[a\n", "line 1: a bracket is not closed" },
        { "[[a]\n", "line 1: a bracket is not closed" },
        { "[a] b\n", "line 1: expected \"]\"" },
        { "[]\n", "line 1: expected \"]\"" },
        { "a = \"x\n", "line 1: this string is not closed" },
        { "a = \"\"\"x\n", "line 1: this string is not closed" },
        { "\n\na = [1, 2\n", "line 3: a bracket is not closed" },
        { "a = {b = 1\n", "line 1: a bracket is not closed" },
        { "a = [\n]]\n", "line 1: a bracket is not closed" },
        { "= 1\n", "line 1: expected a key and \"=\"" },
        { "a = \"\xff\"\n", "line 1: not valid UTF-8" },
        { "{}", "line 1: expected a key and \"=\"" },
    };
    edit_refuses_all("codex", tries, SQ_COUNT(tries));
}

T_CASE(other_forms_are_refused) {
    static const char *const tries[] = {
        "\nmcp_servers = { a = {} }\n",
        "\nmcp_servers.squint = {}\n",
        "\nmcp_servers.squint.command = \"x\"\n",
        "[mcp_servers]\nsquint = {}\n",
        "[mcp_servers]\nsquint.command = \"x\"\n",
        "\n[[mcp_servers]]\n",
        "\n[[mcp_servers.squint]]\n",
        "\n[mcp_servers.squint.env]\n[mcp_servers.squint]\n",
        "[mcp_servers.squint]\n[mcp_servers.squint]\n",
    };
    edit_for("codex");
    for (size_t i = 0; i < SQ_COUNT(tries); i++) {
        edit_refuses(
            tries[i], SQ_ERR_UNSUPPORTED,
            "line 2: squint cannot edit servers that are not separate tables");
    }
    /* Entries of other servers may use any form. */
    edit_adds("mcp_servers.other.command = \"x\"\n",
              "mcp_servers.other.command = \"x\"\n\n" ENTRY);
    edit_adds("[mcp_servers]\nother = {}\n",
              "[mcp_servers]\nother = {}\n\n" ENTRY);
}

T_CASE(every_prefix_is_refused_or_edited) {
    static const char text[] =
        "# c\na = [1, '''x''', { b = \"\\\"\" }] # d\n[x.'y']\n\"z\" = "
        "\"\"\"\n\"\"\"\nt = 1979-05-27 07:32:00\n[mcp_servers.squint]\n"
        "command = 'x'\r\n[[q]]\n";
    edit_prefixes("codex", text);
}

T_CASE(editing_survives_every_failed_allocation) {
    static char text[] = "a = 1\n\n[b]\nc = [1]\n";
    edit_for("codex");
    T(t_alloc_torture(edit_again, text) >= 3);
}
