/* squint install keeps what a person set, and refuses what is no file. */
#include <sys/stat.h>

#include "unit/app/home.h"

static char file[600];

static void
start(void) {
    home_start();
    unsetenv("CODEX_HOME");
    unsetenv("CLAUDE_CONFIG_DIR");
    snprintf(file, sizeof(file), "%s/client.conf", t_scratch());
}

#define INSTALL(...)                                                           \
    RUN("install", "--config", file, "--command", "/opt/squint", __VA_ARGS__)

static const char *
slurp(void) {
    static char text[1 << 12];
    run_slurp(file, text, sizeof(text));
    return text;
}

static void
check_done(const char *words) {
    T_INT(run.status, 0);
    T_STR(run.err, "");
    run_says(run.out, words);
}

#define ENTRY(command)                                                         \
    "{\"mcpServers\":{\"squint\":{\"command\":\"" command                      \
    "\",\"args\":[\"mcp\","                                                    \
    "\"--read-only\"],\"env\":{\"KEY\":\"SECRET\"}}}}"

T_FIXTURE(start, t_album_end);

/* The flags are those that suit the client; --plain writes none. */
T_BARE_CASE(entries_have_flags_that_suit_the_client) {
    static const struct {
        const char *client;
        const char *profile; /* NULL: models of several vendors */
    } clients[] = { { "claude-desktop", "claude" },
                    { "claude-code", "claude" },
                    { "codex", "gpt-5" },
                    { "gemini", "gemini-3" },
                    { "cursor", NULL },
                    { "goose", NULL },
                    { "vscode", NULL },
                    { "zed", NULL } };
    for (size_t i = 0; i < SQ_COUNT(clients); i++) {
        char profile[64];
        start();
        INSTALL(clients[i].client);
        check_done("now knows squint");
        run_says(slurp(), "[\"mcp\", \"--format\", \"auto\", "
                          "\"--replies\", \"short\", "
                          "\"--max-dimension\", \"auto\", ");
        run_says(slurp(), "\"--template-matching-enabled\"");
#ifdef SQ_HAVE_TESSERACT
        run_says(slurp(), "\"--ocr-enabled\"");
#endif
        snprintf(profile, sizeof(profile), "\"--profile\", \"%s\"]",
                 clients[i].profile ? clients[i].profile : "");
        T((strstr(slurp(), "--profile") != NULL)
          == (clients[i].profile != NULL));
        T(!clients[i].profile || strstr(slurp(), profile) != NULL);
        INSTALL(clients[i].client);
        check_done("squint is already installed");
        T(strstr(run.out, "kept:") == NULL);
        INSTALL(clients[i].client, "--uninstall");
        INSTALL(clients[i].client, "--plain");
        T(strstr(slurp(), "[\"mcp\"]") != NULL);
        T(strstr(slurp(), "--format") == NULL);
        INSTALL(clients[i].client, "--plain");
        check_done("squint is already installed");
        /* An entry without flags gets them, and the change is shown. */
        INSTALL(clients[i].client);
        check_done("now knows squint");
        run_says(run.out, "--format");
        T(strstr(slurp(), "\"--format\", \"auto\"") != NULL);
        t_album_end();
    }
}

T_CASE(settings_are_kept_and_named) {
    t_put(file, ENTRY("/old"), strlen(ENTRY("/old")));
    INSTALL("cursor");
    check_done("Your settings in the entry are kept: args, env.\n"
               "Cursor now knows squint.");
    T(strstr(run.out, "SECRET") == NULL);
    T_STR(slurp(), ENTRY("/opt/squint"));
    INSTALL("cursor");
    check_done("squint is already installed in Cursor: ");
    run_says(run.out, "\nYour settings in the entry are kept: args, env.\n");
    INSTALL("cursor", "--json");
    check_done(",\"kept\":[\"args\",\"env\"]");
    T_STR(slurp(), ENTRY("/opt/squint"));
    INSTALL("cursor", "--uninstall");
    check_done("no longer knows squint");
    T(strstr(run.out, "kept:") == NULL);
    INSTALL("cursor");
    T(strstr(run.out, "kept:") == NULL);
}

T_CASE(only_files_are_edited) {
    t_album_folder("dir");
    RUN("install", "cursor", "--config", "-", "--command", "/opt/squint");
    run_refused(2, "--config takes the client's file, not standard input (-)");
    T_STR(run.out, "");
    RUN("install", "codex", "--config", "-", "--uninstall");
    run_refused(2, "not standard input");
    snprintf(file, sizeof(file), "%s/dir", t_scratch());
    INSTALL("cursor");
    run_refused(2, "/dir is a folder, not a file\n  Give the path of the "
                   "client's file; for Cursor it is named mcp.json.\n");
    T(strstr(run.err, "standard input") == NULL);
    RUN("install", "cursor", "--config", "/dev/null");
    run_refused(2, "/dev/null is a pipe or a device, not a file");
}

T_CASE(read_only_files_are_not_replaced) {
    static const int modes[] = { 0400, 0444 };
    struct stat st;
    for (size_t i = 0; i < SQ_COUNT(modes); i++) {
        t_put(file, ENTRY("/old"), strlen(ENTRY("/old")));
        T_INT(chmod(file, (mode_t)modes[i]), 0);
        INSTALL("cursor", "--print");
        check_done("pt/squint");
        INSTALL("cursor");
        run_refused(1, "client.conf is read-only and was not changed\n");
        run_says(run.err, "chmod u+w");
        INSTALL("cursor", "--uninstall");
        run_refused(1, "is read-only and was not changed");
        T_STR(slurp(), ENTRY("/old"));
        T(stat(file, &st) == 0 && (st.st_mode & 0777) == (mode_t)modes[i]);
        char backup[700];
        snprintf(backup, sizeof(backup), "%s.squint-backup-1", file);
        T(access(backup, F_OK) != 0);
        unlink(file);
    }
}

/* Arguments before "mcp" belong to the program that starts squint. */
T_CASE(an_entry_of_another_program_is_not_changed) {
    static const char *const entries[][2] = {
        { "cursor",
          "{\"mcpServers\":{\"squint\":{\"command\":\"npx\",\"args\":["
          "\"squint\",\"mcp\",\"--read-only\"]}}}" },
        { "codex", "[mcp_servers.squint]\ncommand = 'npx'\n"
                   "args = ['squint', 'mcp', '--read-only']\n" },
        { "goose", "extensions:\n  squint:\n    cmd: npx\n    args:\n"
                   "    - squint\n    - mcp\n    - --read-only\n" },
    };
    for (size_t i = 0; i < SQ_COUNT(entries); i++) {
        t_put(file, entries[i][1], strlen(entries[i][1]));
        INSTALL(entries[i][0]);
        T_INT(run.status, 1);
        run_says(run.err, "the entry \"squint\" starts squint by another "
                          "program, and was not changed; ");
        T_STR(slurp(), entries[i][1]);
    }
}
