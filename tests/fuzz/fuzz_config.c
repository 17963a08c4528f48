/*
 * Any bytes are parsed to a tree or refused with a reason. A tree is within its
 * limits, and every value is after its key and inside the text.
 */
#include <assert.h>
#include <string.h>

#include "config/option.h"
#include "config/yaml.h"
#include "fuzz/fuzz.h"

#define MAX_MEMORY ((size_t)64 << 20)
#define OPTIONS 3

static int
check_tree(const struct sq_yaml *node, int depth, int lines) {
    int count = 1;
    assert(depth <= SQ_MAX_YAML_DEPTH + 1);
    assert(node->at.line >= 1 && node->at.line <= lines);
    assert(node->at.column >= 1);
    assert(node->last_line >= 1 && node->last_line <= lines);
    assert(!node->first || node->kind >= SQ_YAML_LIST);
    assert(node->text.ptr || node->kind >= SQ_YAML_LIST);
    for (const struct sq_yaml *child = node->first; child;
         child = child->next) {
        assert(node->kind == SQ_YAML_LIST || child->key.ptr);
        count += check_tree(child, depth + 1, lines);
    }
    return count;
}

/* An option that refuses a value leaves the configuration unchanged. */
static void
check_option(const struct sq_config_option *option, struct sq_span text,
             struct sq_arena *arena) {
    struct sq_err err = { 0 };
    struct sq_config config;
    struct sq_config before;
    sq_config_defaults(&config);
    before = config;
    const struct sq_arg_source source = { .name = option->arg.name,
                                          .arena = arena };
    if (!sq_arg_parse(&option->arg, text, &source, &config, &err)) {
        assert(err.code == SQ_ERR_ARGUMENT && err.message[0]);
        assert(memcmp(&config, &before, sizeof(config)) == 0);
    }
}

/* Each value is given to OPTIONS of the options; its bytes choose them. */
static void
check_store(struct sq_span text, struct sq_arena *arena) {
    size_t count = 0;
    size_t first = text.len;
    while (sq_config_option_at(count)) {
        count++;
    }
    for (size_t i = 0; i < text.len; i++) {
        first = first * 31 + (uint8_t)text.ptr[i];
    }
    for (size_t i = 0; i < OPTIONS; i++) {
        check_option(sq_config_option_at((first + i) % count), text, arena);
    }
    char quoted[SQ_ARG_QUOTED_SIZE];
    sq_arg_quote(text, quoted);
    assert(strlen(quoted) < sizeof(quoted));
    /* Slow if every comparison is recorded. */
    if (text.len < 16) {
        struct sq_nearest nearest;
        sq_config_nearest_key(text, &nearest);
        assert(strlen(nearest.found) < sizeof(nearest.found));
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span text = { (const char *)data, size };
    struct sq_err err = { 0 };
    struct sq_arena arena;
    struct sq_yaml_place place = { 0 };
    const struct sq_yaml *root = NULL;
    int lines = 2; /* an empty value may be after the last line */
    for (size_t i = 0; i < size; i++) {
        /* YAML 1.1 also ends lines at NEL, LS and PS; never more than bytes. */
        lines += data[i] == '\n' || data[i] == '\r' || data[i] >= 0x80;
    }
    sq_arena_init(&arena, MAX_MEMORY);
    if (sq_yaml_parse(text, &arena, &root, &place, &err)) {
        assert(!root || check_tree(root, 1, lines) <= SQ_MAX_YAML_NODES);
    } else {
        assert(!root && err.code != SQ_ERR_NONE && err.message[0]);
        assert(place.line <= lines);
    }
    if (size < 2000) {
        check_store(text, &arena);
    }
    sq_arena_finish(&arena);
    return 0;
}
