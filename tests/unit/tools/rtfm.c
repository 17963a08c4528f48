/*
 * The manual: every page, and docs/tools.md with the pages of docs/tools, which
 * SQUINT_ACCEPT=1 writes.
 */
#include "tools/rtfm.h"

#include "args/arg.h"
#include "json/reader.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/file.h"
#include "tools/table.h"

#define MAX_PAGES (1 << 20)

static const struct sq_offer all = { 0 };

static struct sq_buf page;

/* The page as a C string, valid until the next call. */
static const char *
read_page(const char *tool, const char *operation) {
    sq_buf_finish(&page);
    sq_buf_init(&page, MAX_PAGES);
    T_OK(sq_rtfm(all, sq_span_of(tool), sq_span_of(operation), &page, &t_err)
         && sq_buf_append(&page, "", 1, &t_err));
    return page.len ? (const char *)page.data : "";
}

static void
has(const char *text, const char *words) {
    if (!T_HAS(text, words)) {
        printf("# not in the page: %s\n", words);
    }
}

T_CASE(overview_lists_every_operation) {
    const char *text = read_page("", "");
    has(text, "Look, act, verify");
    has(text, "Find, or fall back");
    has(text, "Survey, glance, zoom");
    has(text, "## Coordinates");
    has(text, "## Receipts");
    for (size_t i = 0; sq_tools[i]; i++) {
        char row[64];
        snprintf(row, sizeof(row), "| `%s` | ", sq_tools[i]->name);
        has(text, row);
        char does[256];
        sq_offer_write(all, sq_tools[i]->text, does, sizeof(does));
        has(text, does);
    }
    T(strlen(text) < 8000);
    has(read_page("", ""), "# squint\n");
    has(read_page("ui", ""), "# ui\n");
    has(read_page("rtfm", ""), "# rtfm\n");
}

T_CASE(page_has_three_names) {
    const char *text = read_page("ui", "tap");
    has(text, "# tap\n");
    has(text, "| `x` | number | ");
    has(text, "| `numberOfTaps` | whole number from 0 to 2 | ");
    has(text, "| `selector.textContains` | text up to 1024 bytes | ");
    has(text, "| `receipt` | `none`, `fast`, `full`, `auto` | ");
    has(text, "| `deviceId` or `udid` | ");
    has(text, "\"deviceX\":480,\"deviceY\":1200");
    char first[16384];
    snprintf(first, sizeof(first), "%s", text);
    T_STR(read_page("ui_tap", ""), first);
    T_STR(read_page("tap", ""), first);
    T_STR(read_page("", "tap"), first);
    has(read_page("ui_visual_snapshot", ""), "# visual-snapshot\n");
    has(read_page("ui", "swipe"), ", required | ");
    has(read_page("ui", "steps"), "Changes the device as its steps do");
    has(read_page("ui", "steps"), "| `steps` | list of up to 20 objects, ");
    has(read_page("ui", "remember"), "Changes stored files, and nothing on");
}

T_CASE(page_for_simulators_names_no_other_tools) {
    const char *text = read_page("ios", "");
    has(text, "# iOS simulators\n");
    has(text, "applyScreenshotScale");
    has(text, "236x512");
    has(text, "filterLevel");
    T(!strstr(text, "idb-ui-") && !strstr(text, "simctl-"));
    T_LACKS(text, "com.example");
    has(read_page("simctl-screenshot-inline", ""), "# iOS simulators\n");
}

T_CASE(every_argument_is_on_its_page) {
    for (size_t i = 0; sq_tools[i]; i++) {
        const char *text = read_page("ui", sq_tools[i]->name);
        const struct sq_arg *arg = sq_tools[i]->args;
        for (; arg && arg->name; arg++) {
            char row[64];
            snprintf(row, sizeof(row), "\n| `%s`", arg->name);
            has(text, row);
        }
    }
}

T_CASE(unknown_names_are_answered_with_known_ones) {
    sq_buf_finish(&page);
    sq_buf_init(&page, MAX_PAGES);
    T_FAILS(sq_rtfm(all, SQ_SPAN("gradle"), SQ_SPAN(""), &page, &t_err),
            SQ_ERR_NOT_FOUND);
    T_STR(t_err.message, "no tool \"gradle\"");
    has(t_err.hint, "ui, rtfm");
    T(!sq_rtfm(all, SQ_SPAN("ui"), SQ_SPAN("fly"), &page, &t_err));
    T_STR(t_err.message, "no operation \"fly\"");
    has(t_err.hint, "screenshot");
    has(t_err.hint, "tap");
    T(!sq_rtfm(all, SQ_SPAN("ui"),
               SQ_SPAN("a name that is far longer than any operation could "
                       "ever be, and then some"),
               &page, &t_err));
    T_INT(page.len, 0);
}

/* The examples are JSON, and the operations accept them. */
T_CASE(examples_can_be_called) {
    static const struct sq_arg own[] = { { .name = "operation" },
                                         { .name = "deviceId" },
                                         SQ_ARGS_END };
    for (size_t i = 0; sq_tools[i]; i++) {
        const char *text = read_page("ui", sq_tools[i]->name);
        const char *at = strstr(text, "{\"operation\"");
        const char *end = at ? strchr(at, '\n') : NULL;
        if (!end) {
            continue;
        }
        struct sq_arena arena;
        const struct sq_json *call = NULL;
        sq_arena_init(&arena, 65536);
        struct sq_span json = { at, (size_t)(end - at) };
        max_align_t args[4096 / sizeof(max_align_t)] = { 0 };
        struct sq_span name = { 0 };
        T(sq_tools[i]->args_size <= sizeof(args));
        T_OK(sq_json_parse(json, &arena, &call, &t_err)
             && sq_args_decode(sq_tools[i]->args, call, own, args, &t_err));
        T(sq_json_string(sq_json_get(call, "operation"), &name)
          && sq_span_is(name, sq_tools[i]->name));
        sq_arena_finish(&arena);
    }
}

T_CASE(acting_operations_have_an_example) {
    for (size_t i = 0; sq_tools[i]; i++) {
        if (sq_tools[i]->flags & SQ_TOOL_ACTS) {
            has(read_page("ui", sq_tools[i]->name), "```json\n{\"operation\"");
        }
    }
}

/* The pages of docs/tools, each with its operations. */
static const struct group {
    const char *file;
    const char *title;
    const char *names;
} groups[] = {
    { "look", "Look at a screen",
      "devices screenshot visual-snapshot dump find wait accessibility-check" },
    { "act", "Touch and type", "tap input scroll swipe pinch key steps" },
    { "apps", "Apps",
      "launch stop apps open permission reset install uninstall" },
    { "device", "Settings and records of a device",
      "rotate appearance location clipboard notifications logs info wake "
      "video" },
    { "vision", "Text and pictures in the pixels",
      "visual-find-text ocr visual-find-image remember forget" },
    { "past", "Past screenshots",
      "list_screenshots get_screenshot crop_screenshot save_screenshot "
      "contact_sheet search_screenshots" },
};

#define WRITTEN_BY                                                             \
    "<!-- Written from the tables in src/tools by a test:\n"                   \
    "     SQUINT_ACCEPT=1 meson test tools/rtfm -->\n\n"

/* Returns the next operation of a group; NULL after the last. */
static const struct sq_tool *
next_of(struct sq_span *names) {
    const size_t len = names->len;
    const struct sq_span name = { names->ptr, strcspn(names->ptr, " ") };
    sq_span_skip(names, name.len + (name.len < len));
    return len ? sq_tools_find(name) : NULL;
}

/* A row of the index, whose name leads to its section. */
static void
put_row(struct sq_buf *out, const char *file, const struct sq_tool *tool) {
    char does[256];
    sq_offer_write(all, tool->text, does, sizeof(does));
    T_OK(sq_buf_printf(out, &t_err, "| [`%s`](tools/%s.md#%s) | %s | %s |\n",
                       tool->name, file, tool->name,
                       tool->flags & SQ_TOOL_ACTS ? "yes" : "", does));
}

/* Compares a file of docs with what it should be, or writes it. */
static void
is_up_to_date(const char *name, const struct sq_buf *wanted) {
    const char *source = getenv("SQUINT_SOURCE");
    T_FREED(sq_buf_finish) struct sq_buf old = { 0 };
    char path[1024];
    snprintf(path, sizeof(path), "%s/docs/%s", source ? source : ".", name);
    if (getenv("SQUINT_ACCEPT")) {
        t_put(path, wanted->data, wanted->len);
    }
    T_OK(sq_file_read(path, MAX_PAGES, &old, &t_err));
    if (!T_BYTES(wanted->data, wanted->len, old.data, old.len)) {
        printf("# %s differs from the tables; SQUINT_ACCEPT=1 writes it\n",
               path);
    }
}

T_CASE(documents_are_up_to_date) {
    size_t listed = 0;
    size_t known = 0;
    T_BUF(index, MAX_PAGES);
    T_OK(sq_buf_printf(
        &index, &t_err,
        "# The tools\n\n" WRITTEN_BY
        "An agent reads these pages with the tool `rtfm`. The tool `ui` takes "
        "an `operation` and its arguments; those for past screenshots are "
        "tools of their own.\n\n"));
    for (size_t i = 0; i < SQ_COUNT(groups); i++) {
        const struct group *group = &groups[i];
        const struct sq_tool *tool;
        struct sq_span names = sq_span_of(group->names);
        char file[64];
        T_BUF(text, MAX_PAGES);
        T_OK(sq_buf_printf(&text, &t_err,
                           "# %s\n\n" WRITTEN_BY
                           "[All operations](../tools.md)\n",
                           group->title)
             && sq_buf_printf(&index, &t_err,
                              "## %s\n\n| operation | acts | does |\n"
                              "|---|---|---|\n",
                              group->title));
        for (; (tool = next_of(&names)); listed++) {
            put_row(&index, group->file, tool);
            T_OK(sq_buf_printf(&text, &t_err, "\n#%s",
                               read_page("", tool->name)));
        }
        T_INT(names.len, 0);
        T_OK(sq_buf_append(&index, "\n", 1, &t_err));
        snprintf(file, sizeof(file), "tools/%s.md", group->file);
        is_up_to_date(file, &text);
    }
    while (sq_tools_at(known)) {
        known++;
    }
    T_INT(listed, known);
    T_OK(sq_buf_printf(&index, &t_err, "%s",
                       strstr(read_page("", ""), "## Three flows")));
    is_up_to_date("tools.md", &index);
    sq_buf_finish(&page);
}

T_ALLOC_CASE(pages_survive_every_failed_allocation, 3) {
    T_BUF(out, MAX_PAGES);
    bool ok = sq_rtfm(all, SQ_SPAN(""), SQ_SPAN(""), &out, err);
    size_t before = out.len;
    ok = ok && sq_rtfm(all, SQ_SPAN("ui"), SQ_SPAN("tap"), &out, err);
    T(ok || out.len == before);
    return ok;
}
