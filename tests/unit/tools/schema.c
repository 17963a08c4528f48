#include "tools/schema.h"

#include "args/arg.h"
#include "json/reader.h"
#include "support/test.h"
#include "tools/offer.h"
#include "tools/table.h"

/* The size in bytes, paid in every conversation: about 3.6 make a token. */
#define MAX_UI_BYTES 4400

static const struct sq_offer whole = { 0 };
static const struct sq_offer looking = { .is_read_only = true };

static struct sq_buf text;
static struct sq_arena arena;

static void
start(void) {
    sq_buf_init(&text, (size_t)1 << 20);
    sq_arena_init(&arena, (size_t)1 << 20);
}

static void
stop(void) {
    sq_buf_finish(&text);
    sq_arena_finish(&arena);
}

static struct sq_span
written(void) {
    return (struct sq_span){ (const char *)text.data, text.len };
}

static const struct sq_json *
parsed(void) {
    const struct sq_json *json = NULL;
    T_OK(sq_json_parse(written(), &arena, &json, &t_err));
    return json;
}

static bool
enumerates(const struct sq_json *schema, const char *operation) {
    const struct sq_json *word = sq_json_first(sq_json_get(
        sq_json_get(sq_json_get(schema, "properties"), "operation"), "enum"));
    struct sq_span name;
    for (; word; word = sq_json_next(word)) {
        if (sq_json_string(word, &name) && sq_span_is(name, operation)) {
            return true;
        }
    }
    return false;
}

T_CASE(ui_tool_has_every_argument_once) {
    start();
    T_OK(sq_schema_of_ui(whole, &text, &t_err));
    const struct sq_json *schema = parsed();
    const struct sq_json *properties = sq_json_get(schema, "properties");
    for (size_t i = 0; sq_tools[i]; i++) {
        T(enumerates(schema, sq_tools[i]->name));
        const struct sq_arg *arg = sq_tools[i]->args;
        for (; arg && arg->name; arg++) {
            /* rtfm describes those that are left out to save tokens. */
            T((sq_json_get(properties, arg->name) != NULL) == !arg->is_rare);
        }
    }
    T(sq_json_get(properties, "deviceId") != NULL);
    T(sq_json_get(schema, "required") != NULL);
    stop();
}

/* A model that sees only the list must know the words and the unit. */
T_CASE(words_and_units_are_in_the_schema) {
    static const struct {
        const char *name;
        const char *words;
    } rows[] = {
        { "dark", "off on auto " },
        { "change", "grant revoke reset " },
        { "orientation",
          "portrait landscape portraitReversed landscapeReversed auto " },
        { "record", "start stop " },
    };
    start();
    T_OK(sq_schema_of_ui(whole, &text, &t_err));
    const struct sq_json *properties = sq_json_get(parsed(), "properties");
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        char words[100] = "";
        const struct sq_json *word = sq_json_first(
            sq_json_get(sq_json_get(properties, rows[i].name), "enum"));
        for (; word; word = sq_json_next(word)) {
            struct sq_span name = { 0 };
            size_t used = strlen(words);
            T(sq_json_string(word, &name));
            snprintf(words + used, sizeof(words) - used, "%.*s ",
                     SQ_SPAN_ARGS(name));
        }
        T_STR(words, rows[i].words);
    }
    struct sq_span unit =
        sq_json_text_of(sq_json_get(properties, "amount"), "description");
    T(sq_span_is(unit, "Of the screen"));
    stop();
}

T_CASE(arguments_of_one_name_have_one_type) {
    for (size_t i = 0; sq_tools[i]; i++) {
        const struct sq_arg *a = sq_tools[i]->args;
        for (; a && a->name; a++) {
            for (size_t j = 0; j < i; j++) {
                const struct sq_arg *b = sq_tools[j]->args;
                while (b && b->name && strcmp(a->name, b->name) != 0) {
                    b++;
                }
                if (b && b->name
                    && !T(a->type == b->type && a->members == b->members)) {
                    printf("# %s of %s and %s\n", a->name, sq_tools[i]->name,
                           sq_tools[j]->name);
                }
            }
        }
    }
}

T_CASE(schema_stays_small) {
    start();
    T_OK(sq_schema_of_ui(whole, &text, &t_err));
    size_t schema = text.len;
    T_OK(sq_text_of_ui(whole, &text, &t_err));
    printf("# ui: schema %zu, description %zu bytes\n", schema,
           text.len - schema);
    T(text.len <= MAX_UI_BYTES);
    size_t all = text.len;
    sq_buf_clear(&text);
    T_OK(sq_schema_of_ui(looking, &text, &t_err));
    T_OK(sq_text_of_ui(looking, &text, &t_err));
    T(text.len < all);
    stop();
}

T_CASE(read_only_mode_hides_actions) {
    start();
    T_OK(sq_schema_of_ui(looking, &text, &t_err));
    const struct sq_json *schema = parsed();
    for (size_t i = 0; sq_tools[i]; i++) {
        bool acts = sq_tools[i]->flags & (SQ_TOOL_ACTS | SQ_TOOL_PRIVATE);
        T(enumerates(schema, sq_tools[i]->name) == !acts);
        T(sq_tool_is_offered(looking, sq_tools[i]) == !acts);
        T(sq_tool_is_offered((struct sq_offer){ 0 }, sq_tools[i]));
    }
    stop();
}

/* Operations that are switched off are not listed. */
T_CASE(what_is_switched_off_is_hidden) {
    static const struct {
        unsigned off;
        const char *operations; /* separated by spaces */
    } features[] = {
        { SQ_TOOL_BY_OCR, " ocr visual-find-text " },
        { SQ_TOOL_BY_TEMPLATES, " visual-find-image remember forget " },
        { SQ_TOOL_BY_INSTALL_FOLDER, " install uninstall " },
        { SQ_TOOL_BY_ARCHIVE, " " },
    };
    for (size_t f = 0; f < SQ_COUNT(features); f++) {
        start();
        const struct sq_offer offer = { .off = features[f].off };
        T_OK(sq_schema_of_ui(offer, &text, &t_err));
        const struct sq_json *schema = parsed();
        for (size_t i = 0; sq_tools[i]; i++) {
            char word[64];
            snprintf(word, sizeof(word), " %s ", sq_tools[i]->name);
            T(enumerates(schema, sq_tools[i]->name)
              == !strstr(features[f].operations, word));
        }
        for (size_t i = 0; sq_archive_tools[i]; i++) {
            T(sq_offer_lists(offer, sq_archive_tools[i])
              == (features[f].off != SQ_TOOL_BY_ARCHIVE));
        }
        stop();
    }
}

T_CASE(split_tools_have_all_usual_arguments) {
    for (size_t i = 0; sq_tools[i]; i++) {
        start();
        T_OK(sq_schema_of_tool(sq_tools[i], &text, &t_err));
        const struct sq_json *schema = parsed();
        const struct sq_json *properties = sq_json_get(schema, "properties");
        size_t listed = sq_tools[i]->flags & SQ_TOOL_NEEDS_DEVICE ? 1 : 0;
        const struct sq_arg *arg = sq_tools[i]->args;
        for (; arg && arg->name; arg++) {
            listed += !arg->is_rare;
        }
        T_INT(sq_json_count(properties), listed);
        stop();
    }
}

T_ALLOC_CASE(every_allocation_can_fail, 1) {
    T_BUF(out, (size_t)1 << 20);
    return sq_schema_of_ui(whole, &out, err) && sq_text_of_ui(whole, &out, err)
        && sq_schema_of_tool(sq_tools[1], &out, err);
}
