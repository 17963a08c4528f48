/* docs/config.md is generated from the table; SQUINT_ACCEPT=1 writes it. */
#include "config/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "sys/file.h"
#include "unit/config/loading.h"

static struct sq_buf page;

static void
make_page(void) {
    struct sq_err err = { 0 };
    sq_buf_init(&page, 1 << 20);
    T_OK(sq_config_describe(&page, &err), &err);
}

T_CASE(page_is_up_to_date) {
    const char *source = getenv("SQUINT_SOURCE");
    struct sq_err err = { 0 };
    struct sq_buf old = { 0 };
    char path[1024];
    snprintf(path, sizeof(path), "%s/docs/config.md", source ? source : ".");
    make_page();
    if (getenv("SQUINT_ACCEPT")) {
        t_put(path, page.data, page.len);
    }
    T_OK(sq_file_read(path, 1 << 20, &old, &err), &err);
    if (!T_BYTES(page.data, page.len, old.data, old.len)) {
        printf("# %s differs from the table; SQUINT_ACCEPT=1 writes it\n",
               path);
    }
    sq_buf_finish(&old);
    sq_buf_finish(&page);
}

/* Loading the example of the page changes nothing. */
T_CASE(example_has_the_defaults) {
    static const char start[] = "```yaml\n";
    loading_start();
    make_page();
    struct sq_err err = { 0 };
    T(sq_buf_append(&page, "", 1, &err));
    const char *text = strstr((const char *)page.data, start);
    const char *end = text ? strstr(text, "\n```\n") : NULL;
    if (T(end != NULL)) {
        text += strlen(start);
        load_bytes(text, (size_t)(end - text) + 1);
        not_warned();
        T(is_default());
        T(strstr(text, "  maxImageDimension: 1000\n") != NULL);
    }
    sq_buf_finish(&page);
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
    struct sq_err err = { 0 };
    struct sq_buf help;
    sq_buf_init(&help, 1 << 20);
    T_OK(sq_config_help(NULL, NULL, &help, &err)
             && sq_buf_append(&help, "", 1, &err),
         &err);
    const char *text = (const char *)help.data;
    join_lines(text, joined, sizeof(joined));
    T(strstr(text, "  --config FILE") != NULL);
    T(strstr(joined, "--tools ui|split one tool per operation instead of the "
                     "one tool ui (ui or split; default ui) ")
      != NULL);
    T(strstr(joined, "--[no-]start-adb ") != NULL);
    T(strstr(joined, "--template-matching-enabled offer operations that find "
                     "pictures in pictures (default no) ")
      != NULL);
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
            T(strstr(joined, flag) != NULL);
        }
    }
    while (*text) {
        size_t length = strcspn(text, "\n");
        T(length <= 80);
        text += length + 1;
    }
    sq_buf_finish(&help);
}

static bool
describe(void *context, struct sq_err *err) {
    struct sq_buf out;
    sq_buf_init(&out, 1 << 20);
    bool ok =
        sq_config_describe(&out, err) && sq_config_help(NULL, NULL, &out, err);
    sq_buf_finish(&out);
    return ok;
}

T_CASE(describing_survives_every_failed_allocation) {
    T(t_alloc_torture(describe, NULL) >= 2);
}
