#include "support/json_schema.h"

#include "json/reader.h"
#include "json/writer.h"
#include "support/test.h"
#include "sys/file.h"
#include "util/arena.h"
#include "util/mem.h"

#define MAX_SCHEMA_BYTES ((size_t)4 << 20)
#define MAX_SCHEMA_MEMORY ((size_t)64 << 20)
#define MAX_WORDS 400

struct t_schema {
    struct sq_buf text;
    struct sq_arena arena;
    const struct sq_json *definitions;
};

/* The current place, and whether members not in the schema are refused. */
struct place {
    const struct t_schema *schema;
    const char *path;
    bool is_closed;
};

static char why[MAX_WORDS];

static bool check(const struct place *place, const struct sq_json *schema,
                  const struct sq_json *value);

struct t_schema *
t_schema_load(const char *path) {
    struct t_schema *schema = sq_mem_zalloc(1, sizeof(*schema));
    const struct sq_json *root = NULL;
    sq_arena_init(&schema->arena, MAX_SCHEMA_MEMORY);
    bool ok = sq_file_read(path, MAX_SCHEMA_BYTES, &schema->text, &t_err)
           && sq_json_parse((struct sq_span){ (char *)schema->text.data,
                                              schema->text.len },
                            &schema->arena, &root, &t_err);
    if (!T_OK(ok)) {
        t_schema_free(schema);
        return NULL;
    }
    schema->definitions = sq_json_get(root, "$defs");
    if (!schema->definitions) {
        schema->definitions = sq_json_get(root, "definitions");
    }
    return schema;
}

void
t_schema_free(struct t_schema *schema) {
    if (schema) {
        sq_arena_finish(&schema->arena);
        sq_buf_finish(&schema->text);
        sq_mem_free(schema);
    }
}

bool
t_schema_defines(const struct t_schema *schema, const char *name) {
    return sq_json_get(schema->definitions, name) != NULL;
}

static bool
wrong(const struct place *place, const char *what, struct sq_span detail) {
    snprintf(why, sizeof(why), "%s: %s %.*s", place->path, what,
             detail.len < 100 ? (int)detail.len : 100,
             detail.ptr ? detail.ptr : "");
    return false;
}

static bool
is_integer(const struct sq_json *value) {
    struct sq_span digits;
    return sq_json_number(value, &digits) && !sq_span_contains(digits, '.')
        && !sq_span_contains(digits, 'e') && !sq_span_contains(digits, 'E');
}

static bool
is_of_type(struct sq_span type, const struct sq_json *value) {
    static const struct {
        const char *name;
        enum sq_json_kind kind;
    } kinds[] = {
        { "null", SQ_JSON_NULL },     { "boolean", SQ_JSON_BOOL },
        { "number", SQ_JSON_NUMBER }, { "string", SQ_JSON_STRING },
        { "array", SQ_JSON_ARRAY },   { "object", SQ_JSON_OBJECT },
    };
    if (sq_span_is(type, "integer")) {
        return is_integer(value);
    }
    for (size_t i = 0; i < SQ_COUNT(kinds); i++) {
        if (sq_span_is(type, kinds[i].name)) {
            return sq_json_is(value, kinds[i].kind);
        }
    }
    return false;
}

static bool
check_type(const struct place *place, const struct sq_json *type,
           const struct sq_json *value) {
    struct sq_span name;
    if (sq_json_string(type, &name)) {
        return is_of_type(name, value) || wrong(place, "is not a", name);
    }
    for (const struct sq_json *item = sq_json_first(type); item;
         item = sq_json_next(item)) {
        if (sq_json_string(item, &name) && is_of_type(name, value)) {
            return true;
        }
    }
    return wrong(place, "has the wrong type", (struct sq_span){ 0 });
}

static bool
is_same(const struct sq_json *a, const struct sq_json *b) {
    struct sq_span x;
    struct sq_span y;
    bool m;
    bool n;
    if (sq_json_string(a, &x) && sq_json_string(b, &y)) {
        return sq_span_equal(x, y);
    }
    if (sq_json_number(a, &x) && sq_json_number(b, &y)) {
        return sq_span_equal(x, y);
    }
    return sq_json_bool(a, &m) && sq_json_bool(b, &n) && m == n;
}

static bool
check_const(const struct place *place, const struct sq_json *wanted,
            const struct sq_json *value) {
    return is_same(wanted, value)
        || wrong(place, "is not the constant", (struct sq_span){ 0 });
}

static bool
check_enum(const struct place *place, const struct sq_json *choices,
           const struct sq_json *value) {
    for (const struct sq_json *item = sq_json_first(choices); item;
         item = sq_json_next(item)) {
        if (is_same(item, value)) {
            return true;
        }
    }
    return wrong(place, "is none of the choices", (struct sq_span){ 0 });
}

static bool
check_required(const struct place *place, const struct sq_json *names,
               const struct sq_json *value) {
    for (const struct sq_json *item = sq_json_first(names);
         item && sq_json_is(value, SQ_JSON_OBJECT); item = sq_json_next(item)) {
        char key[100];
        struct sq_span name = { 0 };
        sq_json_string(item, &name);
        snprintf(key, sizeof(key), "%.*s", SQ_SPAN_ARGS(name));
        if (!sq_json_get(value, key)) {
            return wrong(place, "lacks", name);
        }
    }
    return true;
}

/* Members whose contents are not checked here. */
static bool
is_open(struct sq_span key) {
    static const char *const names[] = { "inputSchema", "outputSchema",
                                         "structuredContent", "_meta", "data" };
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        if (sq_span_is(key, names[i])) {
            return true;
        }
    }
    return false;
}

static bool
check_member(const struct place *place, const struct sq_json *schema,
             const struct sq_json *member) {
    struct sq_span key = sq_json_key(member);
    char name[100];
    char path[MAX_WORDS / 2];
    snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(key));
    snprintf(path, sizeof(path), "%s.%s", place->path, name);
    const struct place inner = { place->schema, path,
                                 place->is_closed && !is_open(key) };
    const struct sq_json *properties = sq_json_get(schema, "properties");
    const struct sq_json *known = sq_json_get(properties, name);
    if (known) {
        return check(&inner, known, member);
    }
    const struct sq_json *others = sq_json_get(schema, "additionalProperties");
    bool allowed;
    if (sq_json_bool(others, &allowed)) {
        return allowed || wrong(place, "may not have", key);
    }
    if (others) {
        return check(&inner, others, member);
    }
    /* Older schemas define it in the envelope only, so allow it anywhere. */
    bool is_envelope = sq_span_is(key, "jsonrpc");
    if (sq_json_count(properties) && place->is_closed && !is_envelope) {
        return wrong(place, "has the unknown member", key);
    }
    return true;
}

static bool
check_items(const struct place *place, const struct sq_json *schema,
            const struct sq_json *value) {
    int64_t most;
    int index = 0;
    if (sq_json_int(sq_json_get(schema, "maxItems"), &most)
        && sq_json_count(value) > (size_t)most) {
        return wrong(place, "has too many items", (struct sq_span){ 0 });
    }
    for (const struct sq_json *item = sq_json_first(value); item;
         item = sq_json_next(item)) {
        char path[MAX_WORDS / 2];
        snprintf(path, sizeof(path), "%s[%d]", place->path, index++);
        const struct place inner = { place->schema, path, place->is_closed };
        const struct sq_json *items = sq_json_get(schema, "items");
        if (items && !check(&inner, items, item)) {
            return false;
        }
    }
    return true;
}

static bool
check_children(const struct place *place, const struct sq_json *schema,
               const struct sq_json *value) {
    if (sq_json_is(value, SQ_JSON_ARRAY)) {
        return check_items(place, schema, value);
    }
    for (const struct sq_json *member = sq_json_first(value);
         member && sq_json_is(value, SQ_JSON_OBJECT);
         member = sq_json_next(member)) {
        if (!check_member(place, schema, member)) {
            return false;
        }
    }
    return true;
}

static bool
check_range(const struct place *place, const struct sq_json *schema,
            const struct sq_json *value) {
    double number;
    double limit;
    if (!sq_json_double(value, &number)) {
        return true;
    }
    bool low = sq_json_double(sq_json_get(schema, "minimum"), &limit)
            && number < limit;
    bool high = sq_json_double(sq_json_get(schema, "maximum"), &limit)
             && number > limit;
    return (!low && !high)
        || wrong(place, "is out of range", (struct sq_span){ 0 });
}

static bool
check_ref(const struct place *place, const struct sq_json *ref,
          const struct sq_json *value) {
    struct sq_span target = { 0 };
    char name[100];
    sq_json_string(ref, &target);
    if (!sq_span_take_prefix(&target, "#/$defs/")
        && !sq_span_take_prefix(&target, "#/definitions/")) {
        return wrong(place, "refers to", target);
    }
    snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(target));
    const struct sq_json *definition =
        sq_json_get(place->schema->definitions, name);
    return definition ? check(place, definition, value)
                      : wrong(place, "refers to nothing", target);
}

static bool
check_any(const struct place *place, const struct sq_json *schemas,
          const struct sq_json *value) {
    for (const struct sq_json *item = sq_json_first(schemas); item;
         item = sq_json_next(item)) {
        if (check(place, item, value)) {
            return true;
        }
    }
    return false;
}

/* Each schema of allOf names only some members, so others are allowed. */
static bool
check_all(const struct place *place, const struct sq_json *schemas,
          const struct sq_json *value) {
    const struct place open = { place->schema, place->path, false };
    for (const struct sq_json *item = sq_json_first(schemas); item;
         item = sq_json_next(item)) {
        if (!check(&open, item, value)) {
            return false;
        }
    }
    return true;
}

static bool
check(const struct place *place, const struct sq_json *schema,
      const struct sq_json *value) {
    static const struct {
        const char *keyword;
        bool (*holds)(const struct place *, const struct sq_json *,
                      const struct sq_json *);
    } keywords[] = {
        { "$ref", check_ref },          { "type", check_type },
        { "const", check_const },       { "enum", check_enum },
        { "required", check_required }, { "anyOf", check_any },
        { "allOf", check_all },
    };
    for (size_t i = 0; i < SQ_COUNT(keywords); i++) {
        const struct sq_json *rule = sq_json_get(schema, keywords[i].keyword);
        if (rule && !keywords[i].holds(place, rule, value)) {
            return false;
        }
    }
    return check_range(place, schema, value)
        && check_children(place, schema, value);
}

const char *
t_schema_check(const struct t_schema *schema, const char *name,
               const struct sq_json *value) {
    const struct place place = { schema, name, true };
    const struct sq_json *definition = sq_json_get(schema->definitions, name);
    if (!definition) {
        snprintf(why, sizeof(why), "%s is not defined", name);
        return why;
    }
    return check(&place, definition, value) ? NULL : why;
}

const char *
t_schema_check_text(struct sq_span text, const struct sq_json *value) {
    struct t_schema schema = { 0 };
    const struct place place = { &schema, "answer", true };
    const struct sq_json *root = NULL;
    sq_arena_init(&schema.arena, MAX_SCHEMA_MEMORY);
    bool ok = T_OK(sq_json_parse(text, &schema.arena, &root, &t_err))
           && check(&place, root, value);
    sq_arena_finish(&schema.arena);
    return ok ? NULL : why;
}
