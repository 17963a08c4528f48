#include "config/yaml.h"

#include "support/test.h"

#define MAX_MEMORY ((size_t)32 << 20)

static struct sq_arena arena;
static const struct sq_yaml *root;
static struct sq_yaml_place place;

static bool
parse(const char *text) {
    t_err = (struct sq_err){ 0 };
    place = (struct sq_yaml_place){ 0 };
    root = NULL;
    sq_arena_finish(&arena);
    sq_arena_init(&arena, MAX_MEMORY);
    return sq_yaml_parse(sq_span_of(text), &arena, &root, &place, &t_err);
}

static void
check_refused(const char *text, int line, int column, enum sq_err_code code,
              const char *words) {
    T(!parse(text));
    T(root == NULL);
    T_INT(t_err.code, code);
    T_STR(t_err.message, words);
    T_INT(place.line, line);
    T_INT(place.column, column);
    sq_arena_finish(&arena);
}

T_CASE(values_have_type_and_position) {
    T_OK(parse("# head\n"
               "one: 1\n"
               "two:\n"
               "    - a b\n"
               "    - 'c'\n"
               "    - \n"
               "three: {x: ~, \"y\": \"~\"}\n"
               "four: |\n"
               "    text\n"
               "    more\n"
               "\n"
               "five:\n"));
    T_INT(root->kind, SQ_YAML_MAP);
    T(!root->flow);
    const struct sq_yaml *one = sq_yaml_get(root, "one");
    T(one == root->first && one->plain && sq_span_is(one->text, "1"));
    T_INT(one->key_at.line, 2);
    T_INT(one->key_at.column, 1);
    T_INT(one->at.column, 6);
    T_INT(one->last_line, 2);
    const struct sq_yaml *two = sq_yaml_get(root, "two");
    T_INT(two->kind, SQ_YAML_LIST);
    T_INT(two->at.line, 4);
    T_INT(two->last_line, 6);
    T(two->first->plain && sq_span_is(two->first->text, "a b"));
    T(!two->first->next->plain && sq_span_is(two->first->next->text, "c"));
    T_INT(two->first->next->next->kind, SQ_YAML_NULL);
    const struct sq_yaml *three = sq_yaml_get(root, "three");
    T(three->flow && three->last_line == 7);
    T_INT(sq_yaml_get(three, "x")->kind, SQ_YAML_NULL);
    T_INT(sq_yaml_get(three, "y")->kind, SQ_YAML_SCALAR);
    T(sq_span_is(sq_yaml_get(root, "four")->text, "text\nmore\n"));
    T_INT(sq_yaml_get(root, "five")->kind, SQ_YAML_NULL);
    T_INT(root->last_line, 12);
    T(sq_yaml_get(root, "six") == NULL);
    T(sq_yaml_get(one, "x") == NULL && sq_yaml_get(NULL, "x") == NULL);
    sq_arena_finish(&arena);
}

T_CASE(columns_count_characters) {
    check_refused("\xc3\xa4\xc3\xb6: *x\n", 1, 5, SQ_ERR_UNSUPPORTED,
                  "aliases are not supported");
}

T_CASE(unsupported_yaml_is_refused) {
    check_refused("a: &x 1\nb: *x\n", 2, 4, SQ_ERR_UNSUPPORTED,
                  "aliases are not supported");
    check_refused("a: 1\n---\nb: 2\n", 2, 1, SQ_ERR_UNSUPPORTED,
                  "a second document begins; only one is allowed");
    check_refused("? [a]\n: 1\n", 1, 3, SQ_ERR_UNSUPPORTED,
                  "a key must be a single word or text");
    check_refused("a: b: c\n", 1, 5, SQ_ERR_FORMAT,
                  "mapping values are not allowed in this context");
    check_refused("a: \"b\n", 2, 1, SQ_ERR_FORMAT,
                  "found unexpected end of stream while scanning a quoted "
                  "scalar");
    check_refused("a: \xff\n", 1, 4, SQ_ERR_FORMAT, "this is not UTF-8 text");
    check_refused("a: b\nc: \x01\n", 2, 4, SQ_ERR_FORMAT,
                  "control characters are not allowed");
}

T_CASE(depth_is_limited) {
    char text[64] = "";
    memset(text, '[', SQ_MAX_YAML_DEPTH);
    memset(text + SQ_MAX_YAML_DEPTH, ']', SQ_MAX_YAML_DEPTH);
    text[2 * SQ_MAX_YAML_DEPTH] = '\0';
    T_OK(parse(text));
    memset(text, '[', SQ_MAX_YAML_DEPTH + 1);
    check_refused(text, 1, SQ_MAX_YAML_DEPTH + 1, SQ_ERR_LIMIT,
                  "this is nested too deeply");
}

static bool
parse_some(void *context, struct sq_err *error) {
    const struct sq_yaml *tree = NULL;
    struct sq_yaml_place at = { 0 };
    T_ARENA(own, MAX_MEMORY);
    bool ok = sq_yaml_parse(sq_span_of(context), &own, &tree, &at, error);
    T(ok == (tree != NULL));
    return ok;
}

T_CASE(parsing_survives_every_failed_allocation) {
    static char text[9000] = "a: ";
    memset(text + 3, 'x', sizeof(text) - 10);
    T(t_alloc_torture(parse_some, text) >= 2);
}
