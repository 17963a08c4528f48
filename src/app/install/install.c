/* The table of MCP clients, and the list of those on this machine. */
#include "app/install/install.h"

#include <stdio.h>
#include <stdlib.h>

#include "json/writer.h"
#include "page/page.h"
#include "sys/file.h"
#include "tools/reply.h"

#define MAX_TABLE_BYTES ((size_t)1 << 16)

static const struct sq_install_field plain_fields[] = {
    { "command", SQ_INSTALL_COMMAND, NULL },
    { "args", SQ_INSTALL_ARGS, NULL },
    { 0 },
};

static const struct sq_install_field typed_fields[] = {
    { "type", SQ_INSTALL_TEXT, "stdio" },
    { "command", SQ_INSTALL_COMMAND, NULL },
    { "args", SQ_INSTALL_ARGS, NULL },
    { 0 },
};

static const struct sq_install_field claude_code_fields[] = {
    { "type", SQ_INSTALL_TEXT, "stdio" },
    { "command", SQ_INSTALL_COMMAND, NULL },
    { "args", SQ_INSTALL_ARGS, NULL },
    { "env", SQ_INSTALL_LITERAL, "{}" },
    { 0 },
};

static const struct sq_install_field cline_fields[] = {
    { "command", SQ_INSTALL_COMMAND, NULL },
    { "args", SQ_INSTALL_ARGS, NULL },
    { "disabled", SQ_INSTALL_LITERAL, "false" },
    { 0 },
};

static const struct sq_install_field zed_fields[] = {
    { "command", SQ_INSTALL_COMMAND, NULL },
    { "args", SQ_INSTALL_ARGS, NULL },
    { "env", SQ_INSTALL_LITERAL, "{}" },
    { 0 },
};

static const struct sq_install_field goose_fields[] = {
    { "name", SQ_INSTALL_NAME, NULL },
    { "description", SQ_INSTALL_TEXT, "Eyes and hands on screens" },
    { "type", SQ_INSTALL_TEXT, "stdio" },
    { "enabled", SQ_INSTALL_LITERAL, "true" },
    { "cmd", SQ_INSTALL_COMMAND, NULL },
    { "args", SQ_INSTALL_ARGS, NULL },
    { "envs", SQ_INSTALL_LITERAL, "{}" },
    { "timeout", SQ_INSTALL_LITERAL, "300" },
    { 0 },
};

#define MACOS_SUPPORT "~/Library/Application Support/"
#define CLINE_FILE                                                             \
    "Code/User/globalStorage/saoudrizwan.claude-dev/settings/"                 \
    "cline_mcp_settings.json"

static const struct sq_install_client clients[] = {
    { .name = "claude-desktop",
      .title = "Claude Desktop",
      .profile = "claude",
      .format = &sq_install_json,
      .section = "mcpServers",
      .fields = plain_fields,
      .places = { "+/Claude/claude_desktop_config.json" },
      .macos_places = { MACOS_SUPPORT "Claude/claude_desktop_config.json" },
      .next = "Quit Claude Desktop (closing its window is not enough) and "
              "start it again." },
    { .name = "claude-code",
      .title = "Claude Code",
      .profile = "claude",
      .format = &sq_install_json,
      .section = "mcpServers",
      .fields = claude_code_fields,
      .places = { "~/.claude.json" },
      .variable = "CLAUDE_CONFIG_DIR",
      .home_file = ".claude.json",
      .next = "Start a new session; /mcp shows the server." },
    { .name = "cursor",
      .title = "Cursor",
      .format = &sq_install_json,
      .section = "mcpServers",
      .fields = plain_fields,
      .places = { "~/.cursor/mcp.json" },
      .next = "Look at Settings, Tools & MCP; if it is not there, restart "
              "Cursor." },
    { .name = "vscode",
      .title = "VS Code",
      .format = &sq_install_json,
      .section = "servers",
      .fields = typed_fields,
      .places = { "+/Code/User/mcp.json" },
      .macos_places = { MACOS_SUPPORT "Code/User/mcp.json" },
      .next = "Run \"MCP: List Servers\" from the Command Palette and start "
              "it." },
    { .name = "codex",
      .title = "Codex",
      .profile = "gpt-5",
      .format = &sq_install_toml,
      .section = "mcp_servers",
      .fields = plain_fields,
      .places = { "~/.codex/config.toml" },
      .variable = "CODEX_HOME",
      .home_file = "config.toml",
      .next = "Start a new session; /mcp shows the server." },
    { .name = "goose",
      .title = "Goose",
      .format = &sq_install_yaml,
      .section = "extensions",
      .fields = goose_fields,
      .places = { "+/goose/config.yaml" },
      /* Goose uses the XDG layout on macOS, too. */
      .macos_places = { "~/.config/goose/config.yaml" },
      .next = "Start a new session." },
    { .name = "cline",
      .title = "Cline",
      .format = &sq_install_json,
      .section = "mcpServers",
      .fields = cline_fields,
      /* The second is the old place, used by the editor extension. */
      .places = { "~/.cline/data/settings/cline_mcp_settings.json",
                  "+/" CLINE_FILE },
      .macos_places = { "~/.cline/data/settings/cline_mcp_settings.json",
                        MACOS_SUPPORT CLINE_FILE },
      .next = "Look at MCP Servers in Cline; it notices the change." },
    { .name = "windsurf",
      .title = "Windsurf",
      .format = &sq_install_json,
      .section = "mcpServers",
      .fields = plain_fields,
      .places = { "~/.codeium/windsurf/mcp_config.json" },
      .next = "Refresh the MCP servers in Cascade, or restart Windsurf." },
    { .name = "zed",
      .title = "Zed",
      .format = &sq_install_json,
      .section = "context_servers",
      .fields = zed_fields,
      .places = { "+/zed/settings.json" },
      .macos_places = { "~/.config/zed/settings.json" },
      .next = "Zed notices the change; the Agent Panel's settings show it." },
    { .name = "gemini",
      .title = "Gemini CLI",
      .profile = "gemini-3",
      .format = &sq_install_json,
      .section = "mcpServers",
      .fields = plain_fields,
      .places = { "~/.gemini/settings.json" },
      .next = "Start a new session; /mcp shows the server." },
};

const struct sq_install_client *
sq_install_client_at(size_t index) {
    size_t count = SQ_COUNT(clients);
    return index < count ? &clients[index] : NULL;
}

const struct sq_install_client *
sq_install_client_find(const char *name) {
    const struct sq_install_client *client;
    for (size_t i = 0; (client = sq_install_client_at(i)); i++) {
        if (strcmp(client->name, name) == 0) {
            break;
        }
    }
    return client;
}

/* Returns the folder that a variable names; ignores a relative path. */
static const char *
absolute_path(const char *variable) {
    const char *value = variable ? getenv(variable) : NULL;
    return value && value[0] == '/' ? value : NULL;
}

bool
sq_install_place(const struct sq_install_client *client, bool macos,
                 size_t which, struct sq_buf *out, struct sq_err *err) {
    const char *folder = absolute_path(client->variable);
    if (folder) {
        return which == 0
            && sq_buf_printf(out, err, "%s/%s", folder, client->home_file);
    }
    const char *const *places = macos && client->macos_places[0]
                                  ? client->macos_places
                                  : client->places;
    if (which >= SQ_INSTALL_PLACES || !places[which]) {
        return false;
    }
    char path[SQ_PATH_SIZE];
    enum sq_user_folder parent =
        places[which][0] == '+' ? SQ_USER_CONFIG : SQ_USER_HOME;
    if (!sq_user_path(parent, places[which] + strlen("~/"), path)) {
        sq_fail(err, SQ_ERR_NOT_FOUND,
                "cannot find your home folder: %s is not an absolute path",
                sq_user_variable(parent));
        return sq_fail_hint(err, "Give the file to change: --config FILE.");
    }
    return sq_buf_printf(out, err, "%s", path);
}

bool
sq_install_find_file(const struct sq_install_client *client, const char *config,
                     char path[SQ_PATH_SIZE], bool *exists,
                     struct sq_err *err) {
    *exists = false;
    if (config) {
        return sq_path_resolve(config, path, exists, err);
    }
    bool ok = true;
    for (size_t i = 0; ok && !*exists && i < SQ_INSTALL_PLACES; i++) {
        char found[SQ_PATH_SIZE];
        SQ_BUF(place, SQ_PATH_SIZE);
        bool is_place =
            sq_install_place(client, sq_path_is_macos(), i, &place, err)
            && sq_buf_append(&place, "", 1, err);
        ok = err->code == SQ_ERR_NONE;
        if (is_place) {
            ok = sq_path_resolve((const char *)place.data, found, exists, err);
            if (!ok) {
                snprintf(path, SQ_PATH_SIZE, "%s", (const char *)place.data);
            } else if (i == 0 || *exists) {
                memcpy(path, found, sizeof(found));
            }
        }
    }
    return ok;
}

/* Whether the file of a client exists, or has an entry of squint. */
enum state {
    STATE_NO,
    STATE_YES,
    STATE_UNKNOWN, /* the file or its folder cannot be read */
};

/* A client on this machine. */
struct found {
    const struct sq_install_client *client;
    char path[SQ_PATH_SIZE];
    enum state exists; /* the file */
    enum state has_squint;
};

/* Removes the home folder from the beginning of a path. */
static bool
take_home(struct sq_span *path) {
    char home[SQ_PATH_SIZE];
    char resolved[SQ_PATH_SIZE];
    bool exists;
    return sq_user_path(SQ_USER_HOME, "", home)
        && sq_path_resolve(home, resolved, &exists, NULL)
        && sq_span_take_prefix(path, resolved)
        && sq_span_take_prefix(path, "/");
}

/* Writes the path of a client's file, with ~ for the home folder. */
static void
name_file(const char *path, char out[SQ_FILE_NAME_SIZE]) {
    char name[SQ_PATH_SIZE + 2];
    struct sq_span rest = sq_span_of(path);
    if (take_home(&rest)) {
        snprintf(name, sizeof(name), "~/%.*s", SQ_SPAN_ARGS(rest));
        path = name;
    }
    sq_file_name(path, true, out);
}

static bool
find_state(struct found *found, struct sq_err *err) {
    const struct sq_install_entry entry = { .client = found->client,
                                            .name = "squint",
                                            .command = "squint" };
    enum sq_install_change change = SQ_INSTALL_UNCHANGED;
    struct sq_err local_err = { 0 };
    SQ_FREED(sq_buf_finish) struct sq_buf before = { 0 };
    SQ_BUF(after, SQ_INSTALL_MAX_BYTES);
    bool ok =
        sq_file_read(found->path, SQ_INSTALL_MAX_BYTES, &before, &local_err)
        && sq_install_edit(&entry, true, sq_buf_span(&before), &after, &change,
                           &local_err);
    found->has_squint = !ok                          ? STATE_UNKNOWN
                      : change == SQ_INSTALL_REMOVED ? STATE_YES
                                                     : STATE_NO;
    return local_err.code != SQ_ERR_NOMEM || sq_fail_nomem(err);
}

/* A client whose files may not be looked at does not hide the others. */
static bool
find_client(const struct sq_install_client *client, struct found *out,
            struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool exists;
    *out = (struct found){ .client = client };
    if (sq_install_find_file(client, NULL, out->path, &exists, &local_err)) {
        out->exists = exists ? STATE_YES : STATE_NO;
        return !exists || find_state(out, err);
    }
    if (!out->path[0] || sq_is_fatal(local_err.code)) {
        return sq_fail_with(err, &local_err);
    }
    if (local_err.code != SQ_ERR_NOT_FOUND) {
        out->exists = STATE_UNKNOWN;
        out->has_squint = STATE_UNKNOWN;
    }
    return true;
}

static bool
add_row(const struct found *found, struct sq_table *table, struct sq_err *err) {
    static const char *const states[] = { "no", "yes", "unknown" };
    char name[SQ_FILE_NAME_SIZE];
    name_file(found->path, name);
    return sq_table_printf(table, SQ_INK_STRONG, err, "%s", found->client->name)
        && sq_table_printf(table, SQ_INK_PLAIN, err, "%s",
                           states[found->exists])
        && sq_table_printf(table, SQ_INK_PLAIN, err, "%s",
                           states[found->has_squint])
        && sq_table_printf(table, SQ_INK_PLAIN, err, "%s", name);
}

/* Writes a boolean, or null if it is unknown. */
static void
put_state(struct sq_json_writer *w, const char *key, enum state state) {
    sq_json_put_key(w, key);
    if (state == STATE_UNKNOWN) {
        sq_json_put_null(w);
    } else {
        sq_json_put_bool(w, state == STATE_YES);
    }
}

static void
put_client(struct sq_json_writer *w, const struct found *found) {
    sq_json_begin_object(w);
    sq_put_text(w, "client", found->client->name);
    sq_json_put_clean_member(w, "file", sq_span_of(found->path));
    put_state(w, "exists", found->exists);
    put_state(w, "hasSquint", found->has_squint);
    sq_json_end_object(w);
}

/* The JSON is {"clients": [{"client", "file", "exists", "hasSquint"}]}. */
bool
sq_install_list(bool json, struct sq_buf *out, struct sq_err *err) {
    static const struct sq_column columns[] = {
        { "CLIENT", false }, { "FILE EXISTS", false }, { "HAS SQUINT", false },
        { "FILE", false },   { NULL, false },
    };
    const struct sq_install_client *client;
    struct found found;
    struct sq_page page = { .out = out,
                            .paper =
                                sq_paper_of_output((struct sq_opt_int){ 0 }) };
    SQ_FREED(sq_arena_finish) struct sq_arena arena = { 0 };
    struct sq_table table = { .arena = &arena,
                              .columns = columns,
                              .whole = "FILE" };
    struct sq_json_writer w;
    bool ok = true;
    sq_arena_init(&arena, MAX_TABLE_BYTES);
    page.paper.color = false;
    if (json) {
        sq_json_open(&w, out);
        sq_json_begin_array_of(&w, "clients");
    }
    for (size_t i = 0; ok && (client = sq_install_client_at(i)); i++) {
        ok = find_client(client, &found, err);
        if (ok && json) {
            put_client(&w, &found);
        } else {
            ok = ok && add_row(&found, &table, err);
        }
    }
    if (ok && json) {
        sq_json_end_array(&w);
        ok = sq_json_end_line(&w, err);
    } else {
        ok = ok && sq_table_print(&table, &page, err);
    }
    return ok;
}
