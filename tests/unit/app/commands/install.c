/* squint install on files; tests/unit/app/install has the editing of texts. */
#define _XOPEN_SOURCE 700 /* nftw */
#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>

#include "app/install/install.h"
#include "unit/app/run.h"
#include "util/fault.h"

#ifndef T_HOME /* those of Windows are in tests/windows/posix.h */
#define T_HOME "HOME"
#define T_SETTINGS "HOME"
#endif

/* A sample file for each format, and the clients that use it. */
static const struct sample {
    const char *clients[9];
    const char *text; /* %s: the section */
} samples[] = {
    { { "claude-desktop", "claude-code", "cursor", "vscode", "cline",
        "windsurf", "zed", "gemini" },
      "// Mine.\n{\n\t\"theme\" : \"dark\", /* \"%s\": { */\n"
      "\t\"%s\": {\n\t\t\"other\": { \"command\": \"x\",   // do not lose\n"
      "\t\t           \"args\": [ ] } // this\n\t},\n}" },
    { { "codex" },
      "# Mine: [%s.squint]\nmodel='o3'   # x\n\n[%s.other]\ncommand = \"y\"\n"
      "\n  [%s.other.env]\n  A=\"b\"" },
    { { "goose" },
      "# Mine: %s\nGOOSE_MODEL:   y\n\n%s:   # all\n    other:\n"
      "        type: stdio   # x\n        cmd: 'z'\n\n# below\nlast: 1" },
};

static char file[512];

static void
start(void) {
    t_scratch_start();
    setenv("HOME", t_scratch(), 1);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("CODEX_HOME");
    unsetenv("CLAUDE_CONFIG_DIR");
    snprintf(file, sizeof(file), "%s", t_scratch_path("client.conf"));
}

static int
remove_one(const char *path, const struct stat *st, int type,
           struct FTW *where) {
    return where->level > 0 ? remove(path) : 0;
}

static void
end(void) {
    nftw(t_scratch(), remove_one, 16, FTW_DEPTH | FTW_PHYS);
    t_scratch_end();
}

T_FIXTURE(start, end);

#define INSTALL(...)                                                           \
    RUN("install", "--config", file, "--command", "/opt/squint", __VA_ARGS__)

static void
check_done(const char *words) {
    T_INT(run.status, 0);
    T_STR(run.err, "");
    run_says(run.out, words);
}

static const char *
slurp(const char *path) {
    static char text[1 << 16];
    run_slurp(path, text, sizeof(text));
    return text;
}

static const char *
backup(int n) {
    static char path[600];
    snprintf(path, sizeof(path), "%s" SQ_PATH_BACKUP "%d", file, n);
    return path;
}

/* Call check for each client with its sample as a file's text. */
static void
for_each_client(void (*check)(const struct sq_install_client *client,
                              const char *text)) {
    size_t seen = 0;
    for (size_t i = 0; i < SQ_COUNT(samples); i++) {
        for (size_t j = 0; samples[i].clients[j]; j++, seen++) {
            const struct sq_install_client *client =
                sq_install_client_find(samples[i].clients[j]);
            char text[1024] = "";
            const char *from = samples[i].text;
            const char *hole;
            while ((hole = strstr(from, "%s"))) {
                snprintf(text + strlen(text), sizeof(text) - strlen(text),
                         "%.*s%s", (int)(hole - from), from, client->section);
                from = hole + 2;
            }
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s",
                     from);
            start();
            check(client, text);
            end();
        }
    }
    T(seen > 0 && sq_install_client_at(seen) == NULL);
}

static void
check_fresh(const struct sq_install_client *client, const char *text) {
    INSTALL(client->name);
    check_done(client->next);
    T_INT(t_count_entries(t_scratch()), 1);
    T(strstr(slurp(file), "/opt/squint") && strstr(slurp(file), "\"mcp\""));
    INSTALL(client->name);
    check_done("squint is already installed in");
    INSTALL(client->name, "--uninstall");
    check_done("no longer knows squint");
    T(!strstr(slurp(file), "/opt/squint"));
    INSTALL(client->name, "--uninstall");
    check_done("squint is not installed in");
    T_INT(t_count_entries(t_scratch()), 2);
}

T_BARE_CASE(missing_file_is_created) {
    for_each_client(check_fresh);
}

static void
check_existing(const struct sq_install_client *client, const char *text) {
    t_put(file, text, strlen(text));
    INSTALL(client->name);
    check_done("The old file is kept as");
    run_says(run.out, "+++ ");
    T_STR(slurp(backup(1)), text);
    /* All earlier content is still there, in its order. */
    const char *with = slurp(file);
    const char *from = text;
    for (const char *at = with; *at; at++) {
        from += *from == *at;
    }
    T(*from == '\0' && strlen(with) > strlen(text));
    INSTALL(client->name);
    check_done("already installed");
    T_INT(t_count_entries(t_scratch()), 2);
    INSTALL(client->name, "--uninstall");
    check_done("no longer knows squint");
    T_STR(slurp(file), text);
    T_INT(t_count_entries(t_scratch()), 3);
}

T_BARE_CASE(other_entries_survive_and_uninstall_restores_every_byte) {
    for_each_client(check_existing);
}

static void
check_print(const struct sq_install_client *client, const char *text) {
    INSTALL(client->name, "--print");
    check_done("+++ ");
    T_INT(t_count_entries(t_scratch()), 0);
    t_put(file, text, strlen(text));
    INSTALL(client->name, "--print");
    check_done("/opt/squint");
    T_STR(slurp(file), text);
    T_INT(t_count_entries(t_scratch()), 1);
    INSTALL(client->name);
    INSTALL(client->name, "--uninstall", "--print");
    run_says(run.out, "\n-");
    T(strstr(slurp(file), "/opt/squint") != NULL);
}

T_BARE_CASE(print_writes_nothing) {
    for_each_client(check_print);
}

static void
check_malformed(const struct sq_install_client *client, const char *text) {
    char broken[1100];
    snprintf(broken, sizeof(broken), "%s\n\x01]}\"[", text);
    t_put(file, broken, strlen(broken));
    INSTALL(client->name);
    run_refused(1, "client.conf: line ");
    run_says(run.err, "Nothing was changed.");
    INSTALL(client->name, "--uninstall");
    run_refused(1, "client.conf: line ");
    T_STR(slurp(file), broken);
    T_INT(t_count_entries(t_scratch()), 1);
}

T_BARE_CASE(malformed_files_are_refused_and_unchanged) {
    for_each_client(check_malformed);
}

static void
check_empty_section(const struct sq_install_client *client, const char *text) {
    static const char *const empty[] = { "{}", "{\"%s\":{}}",
                                         "{ \"%s\" : { } }" };
    for (size_t i = 0;
         client->format == &sq_install_json && i < SQ_COUNT(empty); i++) {
        char before[256];
        const char *hole = strstr(empty[i], "%s");
        int len = hole ? (int)(hole - empty[i]) : (int)strlen(empty[i]);
        snprintf(before, sizeof(before), "%.*s%s%s", len, empty[i],
                 hole ? client->section : "", hole ? hole + 2 : "");
        t_put(file, before, strlen(before));
        INSTALL(client->name);
        check_done("now knows squint");
        INSTALL(client->name, "--uninstall");
        T_STR(slurp(file), before);
    }
}

/* Editing cannot tell whether the section existed before; the backup can. */
T_BARE_CASE(created_section_is_removed_again) {
    for_each_client(check_empty_section);
}

T_CASE(backups_are_never_overwritten) {
    t_put(file, "{}", 2);
    t_put(backup(1), "precious", 8);
    t_put(backup(3), "dear", 4);
    INSTALL("cursor");
    check_done(".squint-backup-2\n");
    T_STR(slurp(backup(2)), "{}");
    RUN("install", "cursor", "--config", file, "--command", "/opt/other");
    check_done(".squint-backup-4\n");
    T(strstr(slurp(backup(4)), "/opt/squint") != NULL);
    T_STR(slurp(backup(1)), "precious");
    T_STR(slurp(backup(3)), "dear");
    /*
     * The backup from before squint was installed, not the one with another
     * squint.
     */
    RUN("install", "cursor", "--config", file, "--command", "/opt/other",
        "--uninstall");
    T_STR(slurp(file), "{}");
}

T_CASE(mode_of_private_files_is_kept) {
    struct stat st;
    t_put(file, "{}", 2);
    T_INT(chmod(file, 0600), 0);
    INSTALL("cursor");
    T(stat(file, &st) == 0 && (st.st_mode & 0777) == 0600);
    T(stat(backup(1), &st) == 0 && (st.st_mode & 0777) == 0600);
}

/* Users keep configuration files in one repository and link to them. */
T_CASE(symbolic_links_are_followed) {
    const char *real = t_scratch_path("real.conf");
    struct stat st;
    t_put(real, "{}", 2);
    T_INT(symlink("real.conf", file), 0);
    INSTALL("cursor");
    check_done("real.conf.squint-backup-1");
    T(lstat(file, &st) == 0 && S_ISLNK(st.st_mode));
    T(strstr(slurp(real), "/opt/squint") != NULL);
    unlink(real);
    INSTALL("cursor");
    run_refused(1, "is a link to a file that does not exist");
}

T_CASE(entry_name_can_be_chosen) {
    INSTALL("cursor", "--name", "squint-2");
    check_done("Cursor now knows squint-2.");
    INSTALL("cursor");
    T(strstr(slurp(file), "\"squint-2\": {")
      && strstr(slurp(file), "\"squint\""));
    INSTALL("cursor", "--name", "squint-2", "--uninstall");
    T(!strstr(slurp(file), "squint-2") && strstr(slurp(file), "\"squint\""));
    static const char *const wrong[] = { "a b", "a.b", "\"", "a\nb" };
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        INSTALL("cursor", "--name", wrong[i]);
        run_refused(2, "--name takes up to 64 letters, digits, - and _");
    }
}

T_CASE(entry_starts_this_program) {
    char self[1024] = "";
    char want[1100];
    T(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
    RUN("install", "cursor", "--config", file);
    check_done("now knows squint");
    snprintf(want, sizeof(want), "\"command\": \"%s\"", self);
    T(strstr(slurp(file), want) != NULL);
    RUN("install", "cursor", "--config", file, "--command", "a\tb");
    run_refused(2, "the program's path has control characters");
    RUN("install", "cursor", "--config", file, "--command", "/a \"b\\c\"");
    check_done("now knows");
    T(strstr(slurp(file), "\"/a \\\"b\\\\c\\\"\"") != NULL);
}

/* The path of each client's file, on both systems. */
static const struct place {
    const char *client;
    size_t which;
    const char *linux_path;
    const char *macos_path; /* NULL: the same */
} places[] = {
    { "claude-desktop", 0, "/h/.config/Claude/claude_desktop_config.json",
      "/h/Library/Application Support/Claude/claude_desktop_config.json" },
    { "claude-code", 0, "/h/.claude.json", NULL },
    { "cursor", 0, "/h/.cursor/mcp.json", NULL },
    { "vscode", 0, "/h/.config/Code/User/mcp.json",
      "/h/Library/Application Support/Code/User/mcp.json" },
    { "codex", 0, "/h/.codex/config.toml", NULL },
    { "goose", 0, "/h/.config/goose/config.yaml", NULL },
    { "cline", 0, "/h/.cline/data/settings/cline_mcp_settings.json", NULL },
    { "cline", 1,
      "/h/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/"
      "cline_mcp_settings.json",
      "/h/Library/Application Support/Code/User/globalStorage/"
      "saoudrizwan.claude-dev/settings/cline_mcp_settings.json" },
    { "windsurf", 0, "/h/.codeium/windsurf/mcp_config.json", NULL },
    { "zed", 0, "/h/.config/zed/settings.json", NULL },
    { "gemini", 0, "/h/.gemini/settings.json", NULL },
};

static void
check_place(const char *client, bool macos, size_t which, const char *want) {
    T_BUF(out, 4096);
    T_OK(sq_install_place(sq_install_client_find(client), macos, which, &out,
                          &t_err)
         && sq_buf_append(&out, "", 1, &t_err));
    T_STR((const char *)out.data, want);
}

T_CASE(every_client_has_its_path) {
    setenv("HOME", "/h", 1);
    for (size_t i = 0; i < SQ_COUNT(places); i++) {
        const char *macos =
            places[i].macos_path ? places[i].macos_path : places[i].linux_path;
        check_place(places[i].client, false, places[i].which,
                    places[i].linux_path);
        check_place(places[i].client, true, places[i].which, macos);
    }
    setenv("XDG_CONFIG_HOME", "/x", 1);
    check_place("zed", false, 0, "/x/zed/settings.json");
    check_place("cursor", false, 0, "/h/.cursor/mcp.json");
    setenv("XDG_CONFIG_HOME", "not/absolute", 1);
    check_place("zed", false, 0, "/h/.config/zed/settings.json");
    setenv("CODEX_HOME", "/c", 1);
    check_place("codex", false, 0, "/c/config.toml");
    setenv("CLAUDE_CONFIG_DIR", "/d", 1);
    check_place("claude-code", true, 0, "/d/.claude.json");
    setenv("HOME", t_scratch(), 1);
}

T_CASE(missing_folders_are_created) {
    char path[600];
    snprintf(path, sizeof(path), "%s/.cursor/mcp.json", t_scratch());
    RUN("install", "cursor", "--command", "/opt/squint");
    check_done("Note: the folder did not exist. Is Cursor installed here?\n");
    T(strstr(slurp(path), "/opt/squint") != NULL);
    RUN("install", "cursor", "--command", "/opt/squint");
    check_done("already installed");
}

/* Cline: the file that exists is used. */
T_CASE(second_path_is_used_if_only_it_exists) {
    char path[700];
    RUN("install", "cline", "--print");
    run_says(run.out, "/.cline/data/settings/cline_mcp_settings.json\n");
    setenv("XDG_CONFIG_HOME", t_scratch(), 1);
    static const char *const folders[] = {
        "Code", "Code/User", "Code/User/globalStorage",
        "Code/User/globalStorage/saoudrizwan.claude-dev",
        "Code/User/globalStorage/saoudrizwan.claude-dev/settings"
    };
    for (size_t i = 0; i < SQ_COUNT(folders); i++) {
        snprintf(path, sizeof(path), "%s/%s", t_scratch(), folders[i]);
        T_INT(mkdir(path, 0700), 0);
    }
    size_t used = strlen(path);
    snprintf(path + used, sizeof(path) - used, "/cline_mcp_settings.json");
    t_put(path, "{}", 2);
    RUN("install", "cline", "--command", "/opt/squint");
    check_done("now knows squint");
    T(strstr(slurp(path), "/opt/squint") != NULL);
}

T_CASE(clients_are_listed) {
    t_put(t_scratch_path(".claude.json"), "{}", 2);
    RUN("install");
    check_done("CLIENT");
    for (size_t i = 0; i < SQ_COUNT(places); i++) {
        run_says(run.out, places[i].client);
    }
    run_says(run.out, "/.claude.json\n");
    run_says(run.out, "no           no          ~/.cursor/mcp.json\n");
    RUN("install", "cursor", "--command", "/opt/squint");
    RUN("install");
    run_says(run.out, "yes          yes         ~/.cursor/mcp.json\n");
    RUN("install", "cursor", "--uninstall");
    RUN("install");
    run_says(run.out, "yes          no          ~/.cursor/mcp.json\n");
    t_put(t_scratch_path(".cursor/mcp.json"), "{{", 2);
    RUN("install");
    run_says(run.out, "yes          unknown     ~/.cursor/mcp.json\n");
}

T_CASE(wrong_arguments_are_explained) {
    RUN("install", "--print");
    run_refused(2, "CLIENT is missing\n  squint install lists the clients.\n");
    RUN("install", "emacs");
    run_refused(2, "there is no client \"emacs\"\n  Choose from: "
                   "claude-desktop, claude-code, cursor, vscode, codex, goose, "
                   "cline, windsurf, zed, gemini.\n");
    RUN("install", "foo.apk");
    run_refused(2, "there is no client \"foo.apk\"\n  squint install-app "
                   "foo.apk installs an app.\n");
    RUN("install", "claud");
    run_refused(2, "there is no client \"claud\"; did you mean claude-");
    RUN("install", "crusor");
    run_refused(2, "there is no client \"crusor\"; did you mean cursor?\n");
    RUN("install", "cursor", "--config", t_scratch());
    run_refused(2, "is a folder, not a file");
    unsetenv("HOME");
    RUN("install", "cursor");
    run_refused(1, "cannot find your home folder: " T_HOME
                   " is not an absolute path");
    run_says(run.err, "--config FILE");
    RUN("install", "claude-desktop");
    run_refused(1, "cannot find your home folder: " T_SETTINGS
                   " is not an absolute path");
    setenv("HOME", t_scratch(), 1);
}

T_CASE(help_is_printed) {
    RUN_EXITS(0, "install", "--help");
    run_matches("help-install.txt");
    for (const char *line = run.out; *line;) {
        size_t length = strcspn(line, "\n");
        T(length <= 80);
        line += length + (line[length] == '\n');
    }
}

static const char faulty_text[] = "{\"mcpServers\": {\"a\": {}}}\n";

/* Either the old file alone, or the new one with a backup. */
static void
check_whole(void) {
    /* The change is kept even if printing the result fails. */
    bool is_untold = strstr(run.err, "cannot write standard output") != NULL;
    if (run.status == 0 || is_untold) {
        T(strstr(slurp(file), "/opt/squint") != NULL);
        T_STR(slurp(backup(1)), faulty_text);
        T_INT(t_count_entries(t_scratch()), 2);
    } else {
        T_INT(run.status, 1);
        T(run.err[0]);
        T_STR(slurp(file), faulty_text);
        T_INT(t_count_entries(t_scratch()), 1);
    }
    unlink(backup(1));
}

static void
fail_every(enum sq_fault_seam seam, int how, bool must_succeed, long at_least) {
    start();
    long n = 1;
    for (bool reached = true; reached && n < 500; n++) {
        t_put(file, faulty_text, strlen(faulty_text));
        sq_fault_arm(seam, (struct sq_fault_plan){ .nth = n, .how = how });
        INSTALL("claude-code");
        reached = sq_fault_count(seam) >= n;
        sq_fault_arm(seam, (struct sq_fault_plan){ 0 });
        T(run.status == 0 || (reached && !must_succeed));
        check_whole();
    }
    T(n > at_least);
    end();
}

T_BARE_CASE(installing_survives_every_failed_call) {
    static const int hows[] = { EIO, ENOSPC, EACCES, EMFILE };
    for (size_t i = 0; i < SQ_COUNT(hows); i++) {
        fail_every(SQ_FAULT_CALL, hows[i], false, 15);
    }
    fail_every(SQ_FAULT_CALL, EINTR, true, 15);
    fail_every(SQ_FAULT_CALL, SQ_FAULT_SHORT, true, 15);
}

T_BARE_CASE(installing_survives_every_failed_allocation) {
    fail_every(SQ_FAULT_ALLOC, 0, false, 3);
}

/* Entries of other servers may contain secrets. */
T_BARE_CASE(secrets_of_other_servers_are_not_printed) {
    static const char *const texts[] = {
        "{\"mcpServers\":{\"other\":{\"env\":{\"KEY\":\"SECRET\"}}}}",
        "{\"mcpServers\":{\"other\":{\"env\":{\"KEY\":\"SECRET\"}}}}\n",
        "{\n  \"mcpServers\": {\n    \"other\": {\"env\": {\"K\": "
        "\"SECRET\"}}\n"
        "  }\n}\n",
        "{\n  \"mcpServers\": {\n    \"other\": {\n      \"env\": {\n"
        "        \"KEY\": \"SECRET\"\n      }\n    }\n  },\n"
        "  \"token\": \"SECRET\"\n}\n",
        "{\"token\":\"SECRET\",\"mcpServers\":{}}",
        "{\"token\":\"SECRET\"}",
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        start();
        t_put(file, texts[i], strlen(texts[i]));
        INSTALL("cursor", "--print");
        check_done("/opt/squint");
        T(strstr(run.out, "SECRET") == NULL);
        INSTALL("cursor");
        T(strstr(run.out, "SECRET") == NULL);
        INSTALL("cursor", "--uninstall", "--print");
        check_done("/opt/squint");
        T(strstr(run.out, "SECRET") == NULL);
        unlink(backup(1));
        INSTALL("cursor", "--uninstall");
        check_done("/opt/squint");
        T(strstr(run.out, "SECRET") == NULL);
        T(strstr(slurp(file), "SECRET") != NULL);
        end();
    }
}
