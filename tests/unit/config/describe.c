/* Parts of docs/config.md come from the table; SQUINT_ACCEPT=1 writes them. */

#include "sys/file.h"
#include "unit/config/loading.h"

#define MAX_PAGE ((size_t)1 << 20)

/* The file that squint config init writes, without the marks of comments. */
static void
put_file(struct sq_buf *out) {
    T_BUF(file, MAX_PAGE);
    T_OK(sq_config_starter(NULL, &file, &t_err));
    struct sq_span rest = sq_buf_span(&file);
    struct sq_span line;
    while (sq_span_take_until(&rest, '\n', &line)) {
        bool is_section = line.len > 1 && line.ptr[0] == '#';
        bool is_option = line.len > 3 && memcmp(line.ptr, "  #", 3) == 0;
        size_t mark = is_section ? 0 : 2;
        if (is_section && line.ptr[1] == ' ') {
            continue;
        }
        if ((is_section || is_option) && line.ptr[mark + 1] != ' ') {
            sq_buf_printf(out, &t_err, "%.*s%.*s\n", (int)mark, line.ptr,
                          (int)(line.len - mark - 1), line.ptr + mark + 1);
        } else if (line.len > 0) {
            sq_buf_printf(out, &t_err, "%.*s\n", SQ_SPAN_ARGS(line));
        }
    }
}

static void
put_names(struct sq_buf *out) {
    const struct sq_config_option *option;
    for (size_t i = 0; (option = sq_config_option_at(i)); i++) {
        char name[SQ_CONFIG_VARIABLE_SIZE];
        char value[SQ_CONFIG_VALUE_SIZE];
        char letter[] = { '-', option->arg.letter, ',', ' ', '\0' };
        sq_config_flag_value(option, value);
        /* A bar would end the table cell. */
        int before = (int)strcspn(value, "|");
        bool has_bar = value[before] != '\0';
        sq_buf_printf(out, &t_err, "| `%s` | `%s` | `%s--%s%.*s%s%s` |\n",
                      option->arg.name, sq_config_variable(option, name),
                      option->arg.letter ? letter : "", option->flag, before,
                      value, has_bar ? "\\|" : "",
                      has_bar ? value + before + 1 : "");
    }
}

static void
put_meanings(struct sq_buf *out) {
    const struct sq_config_option *option;
    for (size_t i = 0; (option = sq_config_option_at(i)); i++) {
        char expected[SQ_ARG_EXPECTED_SIZE];
        bool has_initial = option->initial && option->initial[0];
        const char *quote = has_initial ? "`" : "";
        sq_arg_expected(&option->arg, expected);
        sq_buf_printf(
            out, &t_err, "| `%s` | %s | %s%s%s | %s%s |\n", option->arg.name,
            expected, quote, has_initial ? option->initial : "none", quote,
            option->arg.text,
            option->used_by & ~(unsigned)(SQ_USE_SERVES | SQ_USE_INSPECTS)
                ? ""
                : "; only for servers");
    }
}

/* The parts of the page that the table gives, by the line before each. */
static const struct {
    const char *before;
    const char *after; /* the line after it; "": the end */
    void (*put)(struct sq_buf *out);
} parts[] = {
    { "```yaml\n", "```\n", put_file },
    { "| key | variable | flag |\n|---|---|---|\n", "\n", put_names },
    { "| key | value | default | meaning |\n|---|---|---|---|\n", "",
      put_meanings },
};

/* Appends the page with the parts as they should be. */
static void
make_page(const char *old, struct sq_buf *out) {
    for (size_t i = 0; i < SQ_COUNT(parts); i++) {
        const char *at = strstr(old, parts[i].before);
        if (!T(at != NULL)) {
            return;
        }
        at += strlen(parts[i].before);
        sq_buf_append(out, old, (size_t)(at - old), &t_err);
        parts[i].put(out);
        char mark[8];
        snprintf(mark, sizeof(mark), "\n%s", parts[i].after);
        const char *end = parts[i].after[0] ? strstr(at, mark) : NULL;
        old = end ? end + 1 : "";
    }
    sq_buf_append(out, old, strlen(old), &t_err);
}

T_CASE(page_is_up_to_date) {
    const char *source = getenv("SQUINT_SOURCE");
    T_FREED(sq_buf_finish) struct sq_buf old = { 0 };
    char path[1024];
    snprintf(path, sizeof(path), "%s/docs/config.md", source ? source : ".");
    T_OK(sq_file_read(path, MAX_PAGE, &old, &t_err));
    T_BUF(page, MAX_PAGE);
    T_OK(sq_buf_append(&old, "", 1, &t_err));
    make_page((const char *)old.data, &page);
    if (getenv("SQUINT_ACCEPT")) {
        t_put(path, page.data, page.len);
    } else if (!T_BYTES(page.data, page.len, old.data, old.len - 1)) {
        printf("# %s differs from the table; SQUINT_ACCEPT=1 writes it\n",
               path);
    }
}

/* Loading the example of the page changes nothing. */
T_CASE(example_has_the_defaults) {
    struct sq_buf file;
    loading_start();
    sq_buf_init(&file, MAX_PAGE);
    put_file(&file);
    load_bytes((const char *)file.data, file.len);
    not_warned();
    T(is_default());
    T_OK(sq_buf_append(&file, "", 1, &t_err));
    T_HAS((const char *)file.data, "  timeoutMs: 10000\n");
    sq_buf_finish(&file);
    loading_end();
}

/* Makes every run of white space one space, so that wrapping is ignored. */
static void
join_lines(const char *text, char *out, size_t size) {
    size_t used = 0;
    for (; *text && used + 1 < size; text++) {
        bool is_space = *text == ' ' || *text == '\n';
        if (!is_space || (used > 0 && out[used - 1] != ' ')) {
            out[used++] = is_space ? ' ' : *text;
        }
    }
    out[used] = '\0';
}

T_CASE(help_is_complete_and_fits_80_columns) {
    static char joined[1 << 16];
    T_BUF(help, 1 << 20);
    T_OK(sq_config_help(NULL, NULL, &help, &t_err)
         && sq_buf_append(&help, "", 1, &t_err));
    const char *text = (const char *)help.data;
    join_lines(text, joined, sizeof(joined));
    T_HAS(text, "  --config FILE");
    T_HAS(joined, "--tools ui|split one tool per operation instead of the "
                  "one tool ui (ui or split; default ui) ");
    T_HAS(joined, "--[no-]start-adb ");
    T_HAS(joined, "--template-matching-enabled offer operations that find "
                  "pictures in pictures (default no) ");
    const struct sq_config_option *option;
    for (size_t i = 0; (option = sq_config_option_at(i)); i++) {
        char flag[64];
        bool is_on = option->initial && strcmp(option->initial, "true") == 0;
        snprintf(flag, sizeof(flag), "--%s%s ", is_on ? "[no-]" : "",
                 option->flag);
        T(strstr(joined, flag) != NULL
          && strstr(joined, option->arg.text) != NULL);
        if (option->initial && option->initial[0]
            && option->arg.type != SQ_ARG_BOOL) {
            snprintf(flag, sizeof(flag), "default %s)", option->initial);
            T_HAS(joined, flag);
        }
    }
    while (*text) {
        size_t length = strcspn(text, "\n");
        T(length <= 80);
        text += length + 1;
    }
}

T_ALLOC_CASE(describing_survives_every_failed_allocation, 2) {
    T_BUF(out, 1 << 20);
    return sq_config_starter(NULL, &out, err)
        && sq_config_help(NULL, NULL, &out, err);
}
