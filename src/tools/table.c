/* Lists all operations and tools. */
#include "tools/table.h"

#include "tools/operations.h"
#include "tools/synonyms.h"

#define ROW(name) &sq_tool_##name,

const struct sq_tool *const sq_tools[] = { SQ_OPERATIONS(ROW) NULL };

const struct sq_tool *const sq_archive_tools[] = { SQ_ARCHIVE_OPERATIONS(ROW)
                                                       NULL };

bool
sq_tool_is_own(const struct sq_tool *tool) {
    return tool->flags & SQ_TOOL_BY_ARCHIVE;
}

const struct sq_tool *
sq_tools_at(size_t index) {
    for (size_t i = 0; sq_tools[i]; i++) {
        if (index-- == 0) {
            return sq_tools[i];
        }
    }
    for (size_t i = 0; sq_archive_tools[i]; i++) {
        if (index-- == 0) {
            return sq_archive_tools[i];
        }
    }
    return NULL;
}

const char *
sq_tool_verb(const struct sq_tool *tool) {
    return tool->verb ? tool->verb : tool->name;
}

unsigned
sq_tool_uses(const struct sq_tool *tool) {
    bool has_device = tool->flags & SQ_TOOL_NEEDS_DEVICE;
    return SQ_USE_CALLS | (has_device ? SQ_USE_DEVICES : 0) | tool->uses;
}

const struct sq_tool *
sq_tools_find(struct sq_span name) {
    const struct sq_tool *tool;
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        if (sq_name_matches(name, tool->name)) {
            return tool;
        }
    }
    return NULL;
}

const struct sq_tool *
sq_tools_find_verb(struct sq_span verb) {
    const struct sq_tool *tool;
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        if (sq_span_is(verb, sq_tool_verb(tool))) {
            return tool;
        }
    }
    return NULL;
}

bool
sq_tools_may_type(struct sq_span operation, struct sq_span argument) {
    static const char *const common[] = { "operation", "deviceId", "udid",
                                          "toolName" };
    for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++) {
        if (sq_span_is(argument, common[i])) {
            return false;
        }
    }
    sq_span_take_prefix(&operation, "ui_");
    const struct sq_tool *tool = sq_tools_find(operation);
    return !tool || !sq_args_find(tool->args, argument)
        || (tool->typed && sq_span_is(argument, tool->typed));
}
