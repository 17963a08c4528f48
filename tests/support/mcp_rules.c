#include "support/mcp_rules.h"

#include <unistd.h>

#include "support/test.h"

struct t_schema *
t_rules_load(enum sq_mcp_revision revision) {
    char name[64];
    snprintf(name, sizeof(name), "protocol/rules-%s.json",
             sq_mcp_revision_name(revision));
    const char *path = t_made_path(name);
    return path ? t_schema_load(path) : NULL;
}

struct t_schema *
t_official_load(enum sq_mcp_revision revision) {
    char path[4096];
    char name[64];
    const char *folder = getenv("SQUINT_TEST_SCHEMAS");
    snprintf(path, sizeof(path), "%s/schema-%s.json",
             folder ? folder : ".cache/mcp-schemas",
             sq_mcp_revision_name(revision));
    if (access(path, R_OK) == 0) {
        return t_schema_load(path);
    }
    snprintf(name, sizeof(name), "mcp/schema-%s.json",
             sq_mcp_revision_name(revision));
    const char *further = t_data_path(name);
    return further ? t_schema_load(further) : NULL;
}
