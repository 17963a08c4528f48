#include "app/install/install.h"

#include "support/test.h"

static void
check(const char *before, const char *after, const char *want) {
    T_BUF(out, 4096);
    T_OK(sq_install_diff("f", sq_span_of(before), sq_span_of(after), &out,
                         &t_err)
         && sq_buf_append(&out, "", 1, &t_err));
    T_STR((const char *)out.data, want);
}

#define HEAD "--- f\n+++ f\n"

T_CASE(only_changed_lines_are_shown) {
    check("a\nb\nc\nd\n", "a\nb\nX\nc\nd\n", HEAD "@@ -2,0 +3,1 @@\n+X\n");
    check("a\nb\nc\nd\n", "a\nb\nd\n", HEAD "@@ -3,1 +2,0 @@\n-c\n");
    check("a\nb\nc\n", "a\nB\nc\n", HEAD "@@ -2,1 +2,1 @@\n-b\n+B\n");
    check("a\nb\n", "X\na\nb\n", HEAD "@@ -0,0 +1,1 @@\n+X\n");
    check("a\nb\n", "a\nb\nX\n", HEAD "@@ -2,0 +3,1 @@\n+X\n");
    check("}\n}\n", "}\n}\n}\n", HEAD "@@ -2,0 +3,1 @@\n+}\n");
}

/* The rest of the line may contain secrets of another server. */
T_CASE(only_the_changed_part_of_a_line_is_shown) {
    check("{\"a\":1}\n", "{\"a\":1,\"b\":2}\n",
          HEAD "@@ -1,1 +1,1 @@\n-\xe2\x80\xa6\n+\xe2\x80\xa6,\"b\":2}\n");
    check("{\"b\":2,\"a\":1}\n", "{\"a\":1}\n",
          HEAD "@@ -1,1 +1,1 @@\n-{\"b\":2,\xe2\x80\xa6\n"
               "+\xe2\x80\xa6\n");
    check("x\n  a: {k: 1}\n", "x\n  a: {k: 1},\n  b\n",
          HEAD "@@ -2,1 +2,2 @@\n-\xe2\x80\xa6\n+\xe2\x80\xa6,\n+  b\n");
    /* Brackets alone show nothing. */
    check("  }\n]\n", "  },\n  {}\n]\n",
          HEAD "@@ -1,1 +1,2 @@\n-  }\n+  },\n+  {}\n");
    /* So do the keys of objects. */
    check("{\n  \"servers\": {\n    \"x\": {}\n  }\n}\n",
          "{\n  \"servers\": {}\n}\n",
          HEAD "@@ -2,3 +2,1 @@\n-  \"servers\": {\n-    \"x\": {}\n-  }\n"
               "+  \"servers\": {}\n");
    check("  [\"a\", \"key\"\n", "  [\"a\", \"key\",\n",
          HEAD "@@ -1,1 +1,1 @@\n-\xe2\x80\xa6\n+\xe2\x80\xa6,\n");
    /* Multibyte characters are not split. */
    check("\xc3\xa4\n", "\xc3\xb6\n",
          HEAD "@@ -1,1 +1,1 @@\n-\xc3\xa4\n+\xc3\xb6\n");
    check("\xc4\xa4\n", "\xc3\xa4\n",
          HEAD "@@ -1,1 +1,1 @@\n-\xc4\xa4\n+\xc3\xa4\n");
    check("\xc4\xa4\n", "\xc4\xa4\xc3\xa4\n",
          HEAD "@@ -1,1 +1,1 @@\n-\xe2\x80\xa6\n+\xe2\x80\xa6\xc3\xa4\n");
}

/* Both entries begin with the same bytes: the lines of one are shown, whole. */
T_CASE(an_entry_is_shown_as_its_own_lines) {
    check("{\n  \"squint\": {\n    \"x\": 1\n  },\n  \"other\": {}\n}\n",
          "{\n  \"other\": {}\n}\n",
          HEAD "@@ -2,3 +1,0 @@\n-  \"squint\": {\n-    \"x\": 1\n-  },\n");
}

T_CASE(whole_files_are_shown) {
    check("", "a\nb\n", HEAD "@@ -0,0 +1,2 @@\n+a\n+b\n");
    check("a\nb\n", "", HEAD "@@ -1,2 +0,0 @@\n-a\n-b\n");
}

T_CASE(missing_newline_at_the_end_is_shown) {
    check("a\nb", "a\nc",
          HEAD "@@ -2,1 +2,1 @@\n-b\n\\ No newline at end of file\n+c\n"
               "\\ No newline at end of file\n");
    check("}", "}\n",
          HEAD "@@ -1,1 +1,1 @@\n-}\n\\ No newline at end of file\n+}\n");
    check("a\nb\nc", "a\nX\nc", HEAD "@@ -2,1 +2,1 @@\n-b\n+X\n");
}

T_CASE(control_characters_are_escaped) {
    check("a\n", "a\n\033[2J\tb\n", HEAD "@@ -1,0 +2,1 @@\n+\\u001b[2J\tb\n");
    check("a\n",
          "a\n\xc2\x9b"
          "2J\xe2\x80\xae"
          "b\n",
          HEAD "@@ -1,0 +2,1 @@\n+\\u009b2J\\u202eb\n");
}

static bool
show(void *context, struct sq_err *err) {
    T_BUF(out, 4096);
    return sq_install_diff("f", SQ_SPAN("a\nb\n"), SQ_SPAN("a\nc\n"), &out,
                           err);
}

T_CASE(showing_survives_every_failed_allocation) {
    T(t_alloc_torture(show, NULL) >= 1);
}
