/* Hostile files: each ends quickly, with one warning and the defaults. */
#include "config/yaml.h"
#include "sys/clock.h"
#include "unit/config/loading.h"
#include "util/mem.h"

/* In processor time, so that load on the machine does not matter. */
#define SOON_NS ((int64_t)10000000000)

/*
 * Loads a file of `bytes` bytes: copies of a piece between a head and a tail.
 */
static void
load_repeated(const char *head, const char *piece, size_t bytes,
              const char *tail) {
    size_t step = strlen(piece);
    size_t count = bytes / step;
    size_t len = strlen(head) + count * step + strlen(tail);
    char *text = sq_mem_alloc(len + 1, 1);
    if (!T(text != NULL)) {
        return;
    }
    memcpy(text, head, strlen(head));
    for (size_t i = 0; i < count; i++) {
        memcpy(text + strlen(head) + i * step, piece, step);
    }
    memcpy(text + len - strlen(tail), tail, strlen(tail) + 1);
    int64_t start = sq_clock_cpu_ns();
    load_bytes(text, len);
    int64_t took = sq_clock_cpu_ns() - start;
    if (!T(took < SOON_NS)) {
        printf("# %.1f s for many of %s\n", (double)took / 1e9, piece);
    }
    sq_mem_free(text);
}

static void
check_harmless(void) {
    T(loading.config.warnings.count >= 1);
    T(is_default());
}

T_FIXTURE(loading_start, loading_end);

T_CASE(deep_nesting_is_refused) {
    static const char *const pieces[] = { "[",    "{",     "- ",  "? ",
                                          "{a: ", "[{a: ", "a: ", "!a " };
    for (size_t i = 0; i < SQ_COUNT(pieces); i++) {
        load_repeated("ui: ", pieces[i], SQ_MAX_YAML_BYTES - 100, "");
        check_harmless();
        load_repeated("", pieces[i], SQ_MAX_YAML_BYTES - 100, "\n");
        check_harmless();
    }
}

T_CASE(billion_laughs_are_refused) {
    load_text("a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
              "b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
              "c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\n"
              "d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\n"
              "ui: {receipt: full}\n");
    warned(":2:8: aliases are not supported; the defaults are used");
    check_harmless();
    load_text("ui: &u\n  receipt: *u\n");
    warned(":2:12: aliases are not supported; the defaults are used");
    load_text("base: &b {receipt: full}\nui: {<<: *b}\n");
    warned(":2:10: aliases are not supported; the defaults are used");
    load_repeated("a: [", "&x y, ", 900000, "]\n");
    check_harmless();
}

T_CASE(huge_scalars_are_wrong_values) {
    load_repeated("ui:\n  receipt: ", "x", 1000000, "\n");
    warned(":2:12: ui.receipt must be one of none, fast, full, auto, not "
           "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\"; using auto");
    check_harmless();
    load_repeated("ui:\n  ", "x", 1000000, ": 1\n");
    check_harmless();
    load_repeated("ui:\n  ? ", "x", 1000000, "\n  : 1\n");
    warned(":2:5: unknown key \"ui.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\" "
           "ignored");
    load_repeated("demo:\n  seed: ", "9", 1000000, "\n");
    check_harmless();
    load_repeated("demo:\n  density: 1", "0", 1000000, "e-999000\n");
    check_harmless();
    load_repeated("output:\n  directory: ", "d", 1025, "\n");
    check_harmless();
    load_repeated("ui:\n  visualModePackages: [", "p", 1025, "]\n");
    check_harmless();
}

T_CASE(many_values_are_refused) {
    load_repeated("ui:\n  visualModePackages:\n", "  - a\n",
                  SQ_MAX_YAML_BYTES - 100, "");
    check_harmless();
    load_repeated("", "a:\n", SQ_MAX_YAML_BYTES - 100, "");
    check_harmless();
    load_repeated("", "ui:\n", 40000, "");
    check_harmless();
    load_repeated("ui:\n", "  receipt: auto\n", 200000, "");
    check_harmless();
}

T_CASE(too_large_file_is_refused) {
    load_repeated("ui: {receipt: full}\n", "# remark\n", SQ_MAX_YAML_BYTES, "");
    warned(" is larger than 1 MiB, the maximum; the defaults are "
           "used");
    check_harmless();
}

T_CASE(binary_files_are_refused) {
    uint8_t bytes[4096];
    for (int round = 0; round < 50; round++) {
        for (size_t i = 0; i < sizeof(bytes); i++) {
            bytes[i] = (uint8_t)t_random();
        }
        load_bytes(bytes, sizeof(bytes));
        check_harmless();
        T_INT(loading.config.warnings.count, 1);
    }
    load_bytes("u\0i\0:\0 \0{\0}\0", 12);
    warned(":1:2: control characters are not allowed; the defaults are used");
    load_bytes("\xff\xfeu\0i\0", 6);
    warned(":1:1: this is not UTF-8 text; the defaults are used");
}

/* Values in a file are only text. */
T_CASE(yaml_tags_are_ignored) {
    load_text("output:\n  directory: !!python/object/apply:os.system [id]\n");
    warned(":2:14: output.directory must be a text, not a list; using "
           ".squint/screenshots");
    load_text("demo:\n  seed: !!str 5\n");
    warned(":2:9: demo.seed must be a whole number from 0 to 2147483647, not a "
           "text; using 1");
    check_harmless();
}
