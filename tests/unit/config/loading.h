/*
 * Loads a configuration inside a test: from a scratch folder, nothing else set.
 */
#ifndef SQ_TEST_CONFIG_LOADING_H
#define SQ_TEST_CONFIG_LOADING_H

#include "config/option.h"
#include "support/scratch.h"
#include "support/test.h"

/* The result of the last load. */
struct loading {
    struct sq_arena arena;
    struct sq_config config;
    struct sq_config_flags flags;
    struct sq_err err;
    bool ok;
};

static struct loading loading;

static inline void
loading_forget_variables(void) {
    static const char *const others[] = { "SQUINT_CONFIG", "REPLICANT_CONFIG",
                                          "XDG_CONFIG_HOME" };
    for (size_t i = 0; i < SQ_COUNT(others); i++) {
        unsetenv(others[i]);
    }
    const struct sq_config_option *option;
    for (size_t i = 0; (option = sq_config_option_at(i)); i++) {
        char name[SQ_CONFIG_VARIABLE_SIZE];
        unsetenv(sq_config_variable(option, name));
    }
}

static inline void
loading_start(void) {
    t_scratch_start();
    loading_forget_variables();
    setenv("HOME", t_scratch(), 1);
    loading = (struct loading){ 0 };
    sq_arena_init(&loading.arena, 1 << 20);
}

static inline void
loading_end(void) {
    sq_arena_finish(&loading.arena);
    loading_forget_variables();
    t_scratch_end();
}

static inline void
load(void) {
    sq_arena_reset(&loading.arena);
    loading.err = (struct sq_err){ 0 };
    loading.ok = sq_config_load(&loading.flags, &loading.arena, &loading.config,
                                &loading.err);
}

/* Load the text as the file that SQUINT_CONFIG names. */
static inline void
load_bytes(const void *bytes, size_t len) {
    const char *path = t_scratch_path("squint.yaml");
    t_put(path, bytes, len);
    setenv("SQUINT_CONFIG", path, 1);
    load();
    T_OK(loading.ok, &loading.err);
}

static inline void
load_text(const char *text) {
    load_bytes(text, strlen(text));
}

static inline void
take_flag(const char *first, const char *second) {
    static char words[2][600];
    char *argv[] = { words[0], words[1], NULL };
    int used = 0;
    snprintf(words[0], sizeof(words[0]), "%s", first);
    snprintf(words[1], sizeof(words[1]), "%s", second ? second : "");
    loading.flags = (struct sq_config_flags){ 0 };
    T_OK(sq_config_take_flag(&loading.flags, second ? 2 : 1, argv, &used,
                             &loading.err),
         &loading.err);
    T_INT(used, second ? 2 : 1);
}

/* Checks that there is one warning: the file's name followed by this text. */
static inline void
warned(const char *text) {
    char want[2048];
    snprintf(want, sizeof(want), "%s%s", t_scratch_path("squint.yaml"), text);
    if (T_INT(loading.config.warnings.count, 1)) {
        T_STR(loading.config.warnings.items[0], want);
    }
    for (size_t i = 1; i < loading.config.warnings.count; i++) {
        printf("# also: %s\n", loading.config.warnings.items[i]);
    }
}

static inline void
not_warned(void) {
    T_INT(loading.config.warnings.count, 0);
    for (size_t i = 0; i < loading.config.warnings.count; i++) {
        printf("# %s\n", loading.config.warnings.items[i]);
    }
}

/* The configuration without its warnings and file name. */
static inline bool
is_default(void) {
    struct sq_config want;
    struct sq_config got = loading.config;
    sq_config_defaults(&want);
    got.warnings = want.warnings;
    got.file = want.file;
    got.file_failed = want.file_failed;
    memset(got.places, 0, sizeof(got.places));
    if (strcmp(got.output.directory, want.output.directory) == 0) {
        got.output.directory = want.output.directory;
    }
    if (strcmp(got.browser.window, want.browser.window) == 0) {
        got.browser.window = want.browser.window;
    }
    if (strcmp(got.ui.ocr_language, want.ui.ocr_language) == 0) {
        got.ui.ocr_language = want.ui.ocr_language;
    }
    if (strcmp(got.archive.activity_watch_url, want.archive.activity_watch_url)
        == 0) {
        got.archive.activity_watch_url = want.archive.activity_watch_url;
    }
    return memcmp(&got, &want, sizeof(got)) == 0;
}

#endif
