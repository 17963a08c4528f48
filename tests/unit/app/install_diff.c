#include "app/install.h"

#include <string.h>

#include "support/test.h"

static void
check(const char *before, const char *after, const char *want) {
    struct sq_err err = { 0 };
    struct sq_buf out;
    sq_buf_init(&out, 4096);
    T_OK(sq_install_diff("f", sq_span_of(before), sq_span_of(after), &out, &err)
             && sq_buf_append(&out, "", 1, &err),
         &err);
    T_STR((const char *)out.data, want);
    sq_buf_finish(&out);
}

#define HEAD "--- f\n+++ f\n"

static void
changes_are_shown_with_a_line_around(void) {
    check("a\nb\nc\nd\n", "a\nb\nX\nc\nd\n",
          HEAD "@@ -2,2 +2,3 @@\n b\n+X\n c\n");
    check("a\nb\nc\nd\n", "a\nb\nd\n", HEAD "@@ -2,3 +2,2 @@\n b\n-c\n d\n");
    check("a\nb\nc\n", "a\nB\nc\n", HEAD "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
    check("a\nb\n", "X\na\nb\n", HEAD "@@ -1,1 +1,2 @@\n+X\n a\n");
    check("a\nb\n", "a\nb\nX\n", HEAD "@@ -2,1 +2,2 @@\n b\n+X\n");
    check("}\n}\n", "}\n}\n}\n", HEAD "@@ -2,1 +2,2 @@\n }\n+}\n");
}

static void
whole_files_are_shown(void) {
    check("", "a\nb\n", HEAD "@@ -0,0 +1,2 @@\n+a\n+b\n");
    check("a\nb\n", "", HEAD "@@ -1,2 +0,0 @@\n-a\n-b\n");
}

static void
missing_line_ends_are_told(void) {
    check("a\nb", "a\nc",
          HEAD "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"
               "\\ No newline at end of file\n");
    check("a", "a\n",
          HEAD "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
    check("a\nb\nc", "a\nX\nc",
          HEAD "@@ -1,3 +1,3 @@\n a\n-b\n+X\n c\n"
               "\\ No newline at end of file\n");
}

static void
control_characters_are_escaped(void) {
    check("a\n", "a\n\033[2J\tb\n", HEAD "@@ -1,1 +1,2 @@\n a\n+\\x1b[2J\tb\n");
}

static bool
show(void *context, struct sq_err *err) {
    struct sq_buf out;
    (void)context;
    sq_buf_init(&out, 4096);
    bool ok =
        sq_install_diff("f", SQ_SPAN("a\nb\n"), SQ_SPAN("a\nc\n"), &out, err);
    sq_buf_finish(&out);
    return ok;
}

static void
showing_survives_every_failed_allocation(void) {
    T(t_alloc_torture(show, NULL) >= 1);
}

T_MAIN(T_CASE(changes_are_shown_with_a_line_around),
       T_CASE(whole_files_are_shown), T_CASE(missing_line_ends_are_told),
       T_CASE(control_characters_are_escaped),
       T_CASE(showing_survives_every_failed_allocation))
