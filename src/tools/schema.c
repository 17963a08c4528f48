/* Writes the JSON schemas and descriptions of the operations. */
#include "tools/schema.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "args/arg.h"
#include "tools/operations.h"
#include "tools/run.h"
#include "tools/table.h"

static void
put_type(const char *type, struct sq_json_writer *w) {
    sq_json_put_string(sq_json_at(w, "type"), sq_span_of(type));
}

static void put_brief(const struct sq_arg *arg, bool only_type,
                      struct sq_json_writer *w);

static void
put_members(const struct sq_arg *table, struct sq_json_writer *w) {
    sq_json_begin_object_of(w, "properties");
    for (; table && table->name; table++) {
        sq_json_put_key(w, table->name);
        put_brief(table, false, w);
    }
    sq_json_end_object(w);
}

/* Writes an argument without its range, or only its type or choices. */
static void
put_brief(const struct sq_arg *arg, bool only_type, struct sq_json_writer *w) {
    const char *type = sq_arg_type_name(arg);
    sq_json_begin_object(w);
    if (type) {
        put_type(type, w);
    } else {
        sq_arg_put_choices(arg, w);
    }
    if (!only_type) {
        sq_arg_put_text(arg, w);
        if (sq_arg_has_members(arg)) {
            put_members(arg->members, w);
        }
    }
    if (arg->type == SQ_ARG_LIST) {
        sq_arg_put_items(arg, w);
    }
    sq_json_end_object(w);
}

static const struct sq_arg *
find_named(const struct sq_arg *table, const char *name) {
    for (; table && table->name; table++) {
        if (strcmp(table->name, name) == 0) {
            return table;
        }
    }
    return NULL;
}

/* Returns whether an earlier offered operation has an argument of that name. */
static bool
was_written(size_t before, const char *name, struct sq_offer offer) {
    for (size_t i = 0; i < before; i++) {
        const struct sq_arg *arg = find_named(sq_tools[i]->args, name);
        if (sq_offer_lists(offer, sq_tools[i]) && arg && !arg->is_rare) {
            return true;
        }
    }
    return false;
}

static void
put_merged(struct sq_offer offer, struct sq_json_writer *w) {
    for (const struct sq_arg *arg = sq_common_args; arg->name; arg++) {
        sq_json_put_key(w, arg->name);
        put_brief(arg, false, w);
    }
    for (size_t i = 0; sq_tools[i]; i++) {
        const struct sq_arg *arg = sq_tools[i]->args;
        if (!sq_offer_lists(offer, sq_tools[i])) {
            continue;
        }
        for (; arg && arg->name; arg++) {
            if (arg->is_rare || was_written(i, arg->name, offer)) {
                continue;
            }
            sq_json_put_key(w, arg->name);
            put_brief(arg, sq_tools[i]->flags & SQ_TOOL_BRIEF, w);
        }
    }
}

static void
put_operations(struct sq_offer offer, struct sq_json_writer *w) {
    sq_json_begin_object_of(w, "operation");
    sq_json_begin_array_of(w, "enum");
    for (size_t i = 0; sq_tools[i]; i++) {
        if (sq_offer_lists(offer, sq_tools[i])) {
            sq_json_put_string(w, sq_span_of(sq_tools[i]->name));
        }
    }
    sq_json_end_array(w);
    sq_json_end_object(w);
}

bool
sq_schema_of_ui(struct sq_offer offer, struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    put_type("object", &w);
    sq_json_begin_object_of(&w, "properties");
    put_operations(offer, &w);
    put_merged(offer, &w);
    sq_json_end_object(&w);
    sq_json_begin_array_of(&w, "required");
    sq_json_put_string(&w, SQ_SPAN("operation"));
    sq_json_end_array(&w);
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}

bool
sq_text_of_ui(struct sq_offer offer, struct sq_buf *out, struct sq_err *err) {
    bool ok = sq_buf_printf(out, err,
                            "%s a phone or simulator. x,y are pixels "
                            "of the picture you saw. Operations:",
                            offer.is_read_only ? "See" : "See and use");
    for (size_t i = 0; ok && sq_tools[i]; i++) {
        if (sq_offer_lists(offer, sq_tools[i])
            && !(sq_tools[i]->flags & SQ_TOOL_BRIEF)) {
            ok = sq_buf_printf(out, err, "\n%s: ", sq_tools[i]->name)
              && sq_offer_append(offer, sq_tools[i]->text, out, err);
        }
    }
    return ok
        && (offer.is_read_only
            || sq_buf_printf(out, err, "\nOthers: see rtfm."));
}

static void
put_required(const struct sq_arg *table, struct sq_json_writer *w) {
    bool any = false;
    for (; table && table->name; table++) {
        if (!table->required) {
            continue;
        }
        if (!any) {
            sq_json_begin_array_of(w, "required");
        }
        any = true;
        sq_json_put_string(w, sq_span_of(table->name));
    }
    if (any) {
        sq_json_end_array(w);
    }
}

bool
sq_schema_of_tool(const struct sq_tool *tool, struct sq_buf *out,
                  struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    put_type("object", &w);
    sq_json_begin_object_of(&w, "properties");
    sq_args_put_schema(sq_tool_common_args(tool), &w);
    sq_args_put_schema(tool->args, &w);
    sq_json_end_object(&w);
    put_required(tool->args, &w);
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}

bool
sq_schema_for_stateless(struct sq_span schema, struct sq_buf *out,
                        struct sq_err *err) {
    static const char latest[] = "\"" SQ_LATEST_PICTURE "\"";
    static const char named[] = "\"Required for points and regions\"";
    const char *end = schema.ptr + schema.len;
    const char *done = schema.ptr;
    for (const char *at = done; end - at >= (ptrdiff_t)strlen(latest); at++) {
        if (memcmp(at, latest, strlen(latest)) != 0) {
            continue;
        }
        if (!sq_buf_append(out, done, (size_t)(at - done), err)
            || !sq_buf_append(out, named, strlen(named), err)) {
            return false;
        }
        done = at + strlen(latest);
    }
    return done == schema.ptr
        || sq_buf_append(out, done, (size_t)(end - done), err);
}

/* The members that every reply about a device may have. */
static const char device_output[] =
    "deviceId:text sinceLastAction?:object otherClientActed?:bool "
    "deviceNote?:text";

/* A member of a reply, as struct sq_tool describes it. */
struct member {
    struct sq_span name;
    struct sq_span type;
    struct sq_span members; /* of objects; empty: any */
    bool always;
};

/* Takes the next member: "count:int ", "hint?:text" or "apps:objects(...)". */
static bool
take_member(struct sq_span *rest, struct member *out) {
    *out = (struct member){ 0 };
    if (!sq_span_take_until(rest, ':', &out->name)) {
        return false;
    }
    out->always = !sq_span_ends_with(out->name, "?");
    out->name.len -= !out->always;
    out->type.ptr = rest->ptr;
    while (rest->len > 0 && rest->ptr[0] != ' ' && rest->ptr[0] != '(') {
        sq_span_skip(rest, 1);
        out->type.len++;
    }
    if (sq_span_take_prefix(rest, "(")) {
        (void)sq_span_take_until(rest, ')', &out->members);
    }
    (void)sq_span_take_prefix(rest, " ");
    return true;
}

static void put_object(struct sq_span members, struct sq_span more,
                       struct sq_json_writer *w);

static void
put_member(const struct member *member, struct sq_json_writer *w) {
    static const struct {
        const char *type;
        const char *schema;
    } types[] = {
        { "text", "\"type\":\"string\"" },
        { "int", "\"type\":\"integer\"" },
        { "bool", "\"type\":\"boolean\"" },
        { "object", "\"type\":\"object\"" },
        { "objectsOrNull", "\"type\":[\"object\",\"array\",\"null\"]" },
        { "texts", "\"type\":\"array\",\"items\":{\"type\":\"string\"}" },
        { "objects", "\"type\":\"array\",\"items\":{\"type\":\"object\"}" },
    };
    sq_json_put_key_span(w, member->name);
    sq_json_begin_object(w);
    if (member->members.len > 0) {
        put_type("array", w);
        sq_json_put_key(w, "items");
        put_object(member->members, (struct sq_span){ 0 }, w);
    }
    for (size_t i = 0; i < SQ_COUNT(types) && !member->members.len; i++) {
        if (sq_span_is(member->type, types[i].type)) {
            sq_json_put_raw_members(w, sq_span_of(types[i].schema));
        }
    }
    sq_json_end_object(w);
}

/* Writes one object with the members of both lists. */
static void
put_object(struct sq_span members, struct sq_span more,
           struct sq_json_writer *w) {
    struct member member;
    sq_json_begin_object(w);
    put_type("object", w);
    sq_json_begin_object_of(w, "properties");
    for (struct sq_span a = members, b = more;
         take_member(&a, &member) || take_member(&b, &member);) {
        put_member(&member, w);
    }
    sq_json_end_object(w);
    sq_json_begin_array_of(w, "required");
    for (struct sq_span a = members, b = more;
         take_member(&a, &member) || take_member(&b, &member);) {
        if (member.always) {
            sq_json_put_string(w, member.name);
        }
    }
    sq_json_end_array(w);
    sq_json_end_object(w);
}

bool
sq_schema_of_output(const struct sq_tool *tool, struct sq_buf *out,
                    struct sq_err *err) {
    bool on_device = tool->flags & SQ_TOOL_NEEDS_DEVICE;
    if (!tool->output) {
        return true;
    }
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    put_object(sq_span_of(tool->output),
               sq_span_of(on_device ? device_output : ""), &w);
    return sq_json_writer_done(&w, err);
}
