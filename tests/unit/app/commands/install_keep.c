/* squint install keeps what a person set, and says so. */
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

static void
settings_are_kept_and_named(void) {
    start();
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
    t_album_end();
}

T_MAIN(T_CASE(settings_are_kept_and_named))
