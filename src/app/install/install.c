/* The table of MCP clients, and values in their configuration files. */
#include "app/install/install.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/writer.h"
#include "sys/user_dirs.h"

#define MAX_VALUE_BYTES ((size_t)64 << 10)

/* The flag for reading text, where that is built in. */
#ifdef SQ_HAVE_TESSERACT
#define READING ", \"--ocr-enabled\""
#else
#define READING ""
#endif

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
      .editor = &sq_install_json,
      .section = "mcpServers",
      .fields = plain_fields,
      .places = { "+/Claude/claude_desktop_config.json" },
      .macos_places = { MACOS_SUPPORT "Claude/claude_desktop_config.json" },
      .next = "Quit Claude Desktop (closing its window is not enough) and "
              "start it again." },
    { .name = "claude-code",
      .title = "Claude Code",
      .profile = "claude",
      .editor = &sq_install_json,
      .section = "mcpServers",
      .fields = claude_code_fields,
      .places = { "~/.claude.json" },
      .variable = "CLAUDE_CONFIG_DIR",
      .home_file = ".claude.json",
      .next = "Start a new session; /mcp shows the server." },
    { .name = "cursor",
      .title = "Cursor",
      .editor = &sq_install_json,
      .section = "mcpServers",
      .fields = plain_fields,
      .places = { "~/.cursor/mcp.json" },
      .next = "Look at Settings, Tools & MCP; if it is not there, restart "
              "Cursor." },
    { .name = "vscode",
      .title = "VS Code",
      .editor = &sq_install_json,
      .section = "servers",
      .fields = typed_fields,
      .places = { "+/Code/User/mcp.json" },
      .macos_places = { MACOS_SUPPORT "Code/User/mcp.json" },
      .next = "Run \"MCP: List Servers\" from the Command Palette and start "
              "it." },
    { .name = "codex",
      .title = "Codex",
      .profile = "gpt-5",
      .editor = &sq_install_toml,
      .section = "mcp_servers",
      .fields = plain_fields,
      .places = { "~/.codex/config.toml" },
      .variable = "CODEX_HOME",
      .home_file = "config.toml",
      .next = "Start a new session; /mcp shows the server." },
    { .name = "goose",
      .title = "Goose",
      .editor = &sq_install_yaml,
      .section = "extensions",
      .fields = goose_fields,
      .places = { "+/goose/config.yaml" },
      /* Goose uses the XDG layout on macOS, too. */
      .macos_places = { "~/.config/goose/config.yaml" },
      .next = "Start a new session." },
    { .name = "cline",
      .title = "Cline",
      .editor = &sq_install_json,
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
      .editor = &sq_install_json,
      .section = "mcpServers",
      .fields = plain_fields,
      .places = { "~/.codeium/windsurf/mcp_config.json" },
      .next = "Refresh the MCP servers in Cascade, or restart Windsurf." },
    { .name = "zed",
      .title = "Zed",
      .editor = &sq_install_json,
      .section = "context_servers",
      .fields = zed_fields,
      .places = { "+/zed/settings.json" },
      .macos_places = { "~/.config/zed/settings.json" },
      .next = "Zed notices the change; the Agent Panel's settings show it." },
    { .name = "gemini",
      .title = "Gemini CLI",
      .profile = "gemini-3",
      .editor = &sq_install_json,
      .section = "mcpServers",
      .fields = plain_fields,
      .places = { "~/.gemini/settings.json" },
      .next = "Start a new session; /mcp shows the server." },
};

const struct sq_install_client *
sq_install_client_at(size_t index) {
    size_t count = sizeof(clients) / sizeof(clients[0]);
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
    const char *name = places[which] + strlen("~/");
    bool ok = places[which][0] == '+' ? sq_user_config_path(name, path)
                                      : sq_user_home_path(name, path);
    if (!ok) {
        sq_fail(err, SQ_ERR_NOT_FOUND,
                "cannot find your home folder: HOME is not an absolute path");
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
        struct sq_buf place;
        sq_buf_init(&place, SQ_PATH_SIZE);
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
        sq_buf_finish(&place);
    }
    return ok;
}

/*
 * Writes text in double quotes, as JSON; TOML and YAML accept the same syntax.
 */
static bool
put_text(const char *text, struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_put_string(&w, sq_span_of(text));
    return sq_json_writer_done(&w, err);
}

/* Writes the arguments that suit a client, in flags that a person can read. */
static bool
put_arguments(const struct sq_install_entry *entry, struct sq_buf *out,
              struct sq_err *err) {
    const char *profile = entry->client->profile;
    return sq_buf_printf(out, err, "[\"mcp\"")
        && (entry->is_plain
            || (sq_buf_printf(out, err,
                              ", \"--format\", \"auto\"" READING
                              ", \"--template-matching-enabled\"")
                && (!profile
                    || sq_buf_printf(out, err, ", \"--profile\", \"%s\"",
                                     profile))))
        && sq_buf_printf(out, err, "]");
}

bool
sq_install_put_value(const struct sq_install_entry *entry,
                     const struct sq_install_field *field, struct sq_buf *out,
                     struct sq_err *err) {
    switch (field->kind) {
    case SQ_INSTALL_COMMAND:
        return put_text(entry->command, out, err);
    case SQ_INSTALL_ARGS:
        return put_arguments(entry, out, err);
    case SQ_INSTALL_NAME:
        return put_text(entry->name, out, err);
    case SQ_INSTALL_TEXT:
        return put_text(field->text, out, err);
    case SQ_INSTALL_LITERAL:
        return sq_buf_printf(out, err, "%s", field->text);
    }
    return false;
}

const char *
sq_install_newline(struct sq_span text) {
    const char *end = text.len ? memchr(text.ptr, '\n', text.len) : NULL;
    return end && end > text.ptr && end[-1] == '\r' ? "\r\n" : "\n";
}

bool
sq_install_fail_at(struct sq_span text, size_t offset, const char *what,
                   struct sq_err *err) {
    int line = 1;
    for (size_t i = 0; i < offset && i < text.len; i++) {
        line += text.ptr[i] == '\n';
    }
    return sq_fail(err, SQ_ERR_FORMAT, "line %d: %s", line, what);
}

bool
sq_install_put(struct sq_buf *out, struct sq_span text, struct sq_err *err) {
    return text.len == 0 || sq_buf_append(out, text.ptr, text.len, err);
}

bool
sq_install_put_part(struct sq_buf *out, struct sq_span text, size_t from,
                    size_t to, struct sq_err *err) {
    return from >= to || sq_buf_append(out, text.ptr + from, to - from, err);
}
