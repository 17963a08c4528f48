/* squint install --json: the clients, each kind of change, and errors. */
#include <errno.h>
#include <sys/stat.h>

#include "sys/path.h"
#include "unit/app/answer.h"
#include "unit/app/home.h"
#include "util/fault.h"

static char file[600]; /* of the client, in a folder that does not exist */
static struct answer answer;

static void
start(void) {
    home_start();
    unsetenv("CODEX_HOME");
    unsetenv("CLAUDE_CONFIG_DIR");
    snprintf(file, sizeof(file), "%s/new/mcp.json", t_scratch());
}

#define INSTALL(...)                                                           \
    RUN("install", "cursor", "--config", file, "--command", "/opt/squint",     \
        "--json", __VA_ARGS__)

/* Checks the answer of a run that succeeded; answer_end follows. */
static const struct sq_json *
begin(const char *change, bool is_written) {
    bool written = !is_written;
    T_INT(run.status, 0);
    T_STR(run.err, "");
    answer_start(&answer);
    answer_is(answer.root, "client", "cursor");
    answer_is(answer.root, "file", file);
    answer_is(answer.root, "change", change);
    T(sq_json_bool(sq_json_get(answer.root, "written"), &written));
    T(written == is_written);
    return answer.root;
}

T_FIXTURE(start, t_album_end);

T_CASE(a_change_is_described) {
    char backup[700];
    INSTALL("--print");
    const struct sq_json *reply = begin("added", false);
    T(sq_span_contains(sq_json_text_of(reply, "diff"), '+'));
    T(!sq_json_get(reply, "next") && !sq_json_get(reply, "note"));
    answer_end(&answer);
    T(access(file, F_OK) != 0);

    INSTALL("--name", "squint");
    reply = begin("added", true);
    answer_is(reply, "name", "squint");
    answer_is(reply, "note", "the folder did not exist.");
    T(sq_json_text_of(reply, "next").len > 0);
    T(!sq_json_get(reply, "backup"));
    answer_end(&answer);
    T(access(file, F_OK) == 0);

    INSTALL("--name", "squint");
    reply = begin("none", false);
    T(!sq_json_get(reply, "diff") && !sq_json_get(reply, "next"));
    answer_end(&answer);

    INSTALL("--command", "/other/squint");
    reply = begin("replaced", true);
    snprintf(backup, sizeof(backup), "%s" SQ_PATH_BACKUP "1", file);
    answer_is(reply, "backup", backup);
    T(!sq_json_get(reply, "note"));
    answer_end(&answer);
    T(access(backup, F_OK) == 0);

    INSTALL("--uninstall");
    reply = begin("removed", true);
    T(!sq_json_get(reply, "next"));
    answer_end(&answer);
}

static void
check_client(const char *name, bool exists, enum sq_json_kind has_squint) {
    const struct sq_json *client =
        sq_json_first(sq_json_get(answer.root, "clients"));
    bool found = !exists;
    while (client && !sq_span_is(sq_json_text_of(client, "client"), name)) {
        client = sq_json_next(client);
    }
    T(sq_json_bool(sq_json_get(client, "exists"), &found));
    T(found == exists);
    T(sq_json_text_of(client, "file").len > 0);
    T(sq_json_is(sq_json_get(client, "hasSquint"), has_squint));
}

T_CASE(clients_are_listed) {
    RUN_EXITS(0, "install", "windsurf", "--json");
    t_album_folder("home/.gemini");
    t_album_put_bytes("home/.gemini/settings.json", "{", 1);
    RUN_EXITS(0, "install", "--json");
    T_STR(run.err, "");
    answer_start(&answer);
    check_client("cursor", false, SQ_JSON_BOOL);
    check_client("windsurf", true, SQ_JSON_BOOL);
    check_client("gemini", true, SQ_JSON_NULL);
    answer_end(&answer);
    run_says(run.out, "mcp_config.json\",\"exists\":true,\"hasSquint\":true}");
    run_says(run.out, "mcp.json\",\"exists\":false,\"hasSquint\":false}");
}

/* Links to themselves fail for root, too, unlike folders without permission. */
T_CASE(clients_in_unreadable_folders_are_listed) {
    t_album_folder("home");
    T_INT(symlink(".cursor", t_scratch_path("home/.cursor")), 0);
    t_album_put_bytes("home/.gemini", "", 0);
    RUN_EXITS(0, "install");
    run_says(run.out, "unknown      unknown     ~/.cursor/mcp.json\n");
    run_says(run.out, "no           no          ~/.gemini/settings.json\n");
    RUN_EXITS(0, "install", "--json");
    run_says(run.out, ".cursor/mcp.json\",\"exists\":null,\"hasSquint\":null}");
    run_refuses(1, "install cursor", "cannot write ");
    setenv("HOME", "relative", 1);
    run_refuses(1, "install", "cannot find your home folder");
}

T_CASE(errors_are_json) {
    RUN("install", "kursor", "--json");
    run_refused_as_json(2, "there is no client \\\"kursor\\\"");
    t_album_folder("new");
    t_put(file, "{", 1);
    INSTALL("--print");
    run_refused_as_json(1, "Nothing was changed.");
}

/* Folders that were made for the file are removed if it cannot be written. */
T_CASE(a_full_disk_leaves_no_empty_folder) {
    char folder[2][600];
    long failed = 0;
    bool reached = true;
    snprintf(folder[0], sizeof(folder[0]), "%s/new", t_scratch());
    snprintf(folder[1], sizeof(folder[1]), "%s/new/er", t_scratch());
    snprintf(file, sizeof(file), "%s/new/er/mcp.json", t_scratch());
    for (long nth = 1; reached && nth < 200; nth++) {
        sq_fault_arm(SQ_FAULT_CALL,
                     (struct sq_fault_plan){ .nth = nth, .how = ENOSPC });
        INSTALL("--name", "squint");
        reached = sq_fault_count(SQ_FAULT_CALL) >= nth;
        sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
        bool is_written = access(file, F_OK) == 0;
        T(run.status != 0 || is_written);
        T(is_written || access(folder[0], F_OK) != 0);
        if (is_written) {
            unlink(file);
            rmdir(folder[1]);
            rmdir(folder[0]);
        }
        failed += !is_written;
    }
    T(!reached && failed > 5);
}
