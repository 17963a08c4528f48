#include "app/commands/show.h"

#include <string.h>

#include "json/reader.h"
#include "support/test.h"
#include "util/arena.h"

static char shown[8192];

/* Shows JSON text; returns whether that succeeded. */
static bool
show(void *json, struct sq_err *err) {
    struct sq_arena arena;
    struct sq_buf out;
    const struct sq_json *value;
    sq_arena_init(&arena, (size_t)1 << 20);
    sq_buf_init(&out, sizeof(shown) - 1);
    bool ok = sq_json_parse(sq_span_of(json), &arena, &value, err)
           && sq_show(value, &out, err);
    if (ok) {
        if (out.len > 0) {
            memcpy(shown, out.data, out.len);
        }
        shown[out.len] = '\0';
    }
    sq_buf_finish(&out);
    sq_arena_finish(&arena);
    return ok;
}

static void
shows(const char *json, const char *want) {
    struct sq_err err = { 0 };
    char copy[1024];
    T(strlen(json) < sizeof(copy));
    memcpy(copy, json, strlen(json) + 1);
    T_OK(show(copy, &err), &err);
    T_STR(shown, want);
}

static void
each_value_has_its_own_line(void) {
    shows("{\"mode\":\"inline\",\"tokens\":612,\"ok\":true,\"gone\":null}",
          "mode    inline\ntokens  612\nok      yes\ngone    \n");
    shows("{\"image\":{\"width\":450,\"height\":1000},\"names\":[\"a\",\"b\"]}",
          "image  width=450 height=1000\nnames  a, b\n");
    shows("{}", "");
}

static void
lists_of_objects_are_tables(void) {
    shows("{\"devices\":[{\"id\":\"demo\",\"state\":\"online\"},"
          "{\"id\":\"emulator-5554\",\"why\":\"booting\"}],\"count\":2}",
          "devices\n"
          "  id             state   why\n"
          "  demo           online  \n"
          "  emulator-5554          booting\n"
          "count  2\n");
}

/* Mainly the elements of a screen. */
static void
texts_with_spaces_have_their_own_lines(void) {
    shows("{\"count\":2,\"elements\":[\"0 5,6 Text A\",\"1 7,8 Button B\"]}",
          "count  2\nelements\n  0 5,6 Text A\n  1 7,8 Button B\n");
    shows("{\"guidance\":[\"Tap with the coordinates of this picture\","
          "\"dump lists the elements and find looks for one\"]}",
          "guidance\n  Tap with the coordinates of this picture\n"
          "  dump lists the elements and find looks for one\n");
    shows("{\"mixed\":[\"a,b\",1],\"none\":[]}", "mixed  a,b, 1\nnone   \n");
}

static void
quotes_are_not_escaped(void) {
    shows("{\"hint\":\"Answer \\\"Allow?\\\" in C:\\\\x\"}",
          "hint  Answer \"Allow?\" in C:\\x\n");
    shows("{\"list\":[{\"a\":\"\\\"b\\\"\",\"c\":1}]}",
          "list\n  a    c\n  \"b\"  1\n");
}

static void
columns_align_for_multibyte_characters(void) {
    shows("{\"list\":[{\"a\":\"\xc3\xa4\xc3\xb6\",\"b\":1},"
          "{\"a\":\"xyz\",\"b\":2}]}",
          "list\n"
          "  a    b\n"
          "  \xc3\xa4\xc3\xb6   1\n"
          "  xyz  2\n");
}

static void
control_characters_are_escaped(void) {
    shows("{\"text\":\"\\u001b[2Jboo\\u202e\\n\"}",
          "text  \\u001b[2Jboo\\u202e\\n\n");
    shows("{\"list\":[{\"\\u001b[2J\":\"\\u0007\"}]}",
          "list\n  \\u001b[2J\n  \\u0007\n");
}

static void
out_of_memory_is_reported(void) {
    char json[] = "{\"a\":1,\"list\":[{\"b\":\"c\"}]}";
    T(t_alloc_torture(show, json) > 0);
}

T_MAIN(T_CASE(each_value_has_its_own_line), T_CASE(lists_of_objects_are_tables),
       T_CASE(texts_with_spaces_have_their_own_lines),
       T_CASE(quotes_are_not_escaped),
       T_CASE(columns_align_for_multibyte_characters),
       T_CASE(control_characters_are_escaped),
       T_CASE(out_of_memory_is_reported))
