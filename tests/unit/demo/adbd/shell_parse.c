#include "demo/adbd/shell_parse.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"
#include "util/buf.h"

#define MAX_BYTES ((size_t)1 << 20)

/* Formats a script, so that its structure can be compared. */
static void
show_word(const struct sq_sh_word *word, struct sq_buf *out) {
    struct sq_err err = { 0 };
    sq_buf_printf(out, &err, "%s[", word->quoted ? "q" : "");
    for (const struct sq_sh_part *part = word->parts; part; part = part->next) {
        sq_buf_printf(out, &err, "%s%s%.*s", part == word->parts ? "" : "|",
                      part->is_variable ? part->quoted ? "$$" : "$" : "",
                      SQ_SPAN_ARGS(part->text));
    }
    sq_buf_printf(out, &err, "]");
}

static void
show_redirect(const struct sq_sh_redirect *one, struct sq_buf *out) {
    static const char *const signs[] = { "<", ">", ">>", ">&" };
    struct sq_err err = { 0 };
    sq_buf_printf(out, &err, "%d%s", one->fd, signs[one->kind]);
    if (one->kind == SQ_SH_COPY) {
        sq_buf_printf(out, &err, "%d", one->from);
    } else {
        show_word(one->file, out);
    }
}

static void
show_command(const struct sq_sh_command *command, struct sq_buf *out) {
    struct sq_err err = { 0 };
    for (const struct sq_sh_assignment *one = command->assignments; one;
         one = one->next) {
        sq_buf_printf(out, &err, "%.*s=", SQ_SPAN_ARGS(one->name));
        show_word(one->value, out);
    }
    for (const struct sq_sh_word *one = command->words; one; one = one->next) {
        show_word(one, out);
    }
    for (const struct sq_sh_redirect *one = command->redirects; one;
         one = one->next) {
        show_redirect(one, out);
    }
}

static void
show(const struct sq_sh_step *step, struct sq_buf *out) {
    static const char *const signs[] = { " ; ", " && ", " || " };
    struct sq_err err = { 0 };
    for (const struct sq_sh_step *one = step; one; one = one->next) {
        sq_buf_printf(out, &err, "%s%s", one == step ? "" : signs[one->when],
                      one->negated ? "! " : "");
        for (const struct sq_sh_command *command = one->first; command;
             command = command->next) {
            show_command(command, out);
            sq_buf_printf(out, &err, "%s", command->next ? " | " : "");
        }
        sq_buf_printf(out, &err, "%s", one->background ? " &" : "");
    }
}

static void
check(const char *script, const char *want) {
    struct sq_err err = { 0 };
    struct sq_arena arena;
    struct sq_sh_step *first = NULL;
    struct sq_buf out;
    sq_arena_init(&arena, MAX_BYTES);
    sq_buf_init(&out, MAX_BYTES);
    if (sq_sh_parse(sq_span_of(script), &arena, &first, &err)) {
        show(first, &out);
    } else {
        T_INT(err.code, SQ_ERR_FORMAT);
        sq_buf_printf(&out, &err, "%s", err.message);
    }
    sq_buf_append(&out, "", 1, &err);
    if (!T_STR((const char *)out.data, want)) {
        printf("# of: %s\n", script);
    }
    sq_buf_finish(&out);
    sq_arena_finish(&arena);
}

static void
words_and_quotes(void) {
    check("", "");
    check("  \n\t ", "");
    check("echo a  b", "[echo][a][b]");
    check("echo 'a  b' \"c  d\"", "[echo]q[a  b]q[c  d]");
    check("echo a'b'\"c\"d", "[echo]q[a|b|c|d]");
    check("echo '' \"\"", "[echo]q[]q[]");
    check("echo \\a\\ b \\\\", "[echo]q[a| |b]q[\\]");
    check("echo 'it'\\''s'", "[echo]q[it|'|s]");
    check("echo \"a\\\"b\\\\c\\d\\$e\"", "[echo]q[a|\"|b|\\|c|\\|d|$|e]");
    check("echo a\\\nb", "[echo][a|b]");
    check("echo '\n'", "[echo]q[\n]");
    check("echo a#b # c; d", "[echo][a#b]");
    check("echo ~ *.x {a,b}", "[echo][~][*.x][{a,b}]");
}

static void
variables(void) {
    check("echo $a $? ${b}c \"$d e\" $$", "[echo][$a][$?][$b|c]q[$$d| e][$$]");
    check("echo $ a$ \"$\" $1", "[echo][$][a|$]q[$][$|1]");
    check("echo '$a' \\$a", "[echo]q[$a]q[$|a]");
    check("F=/a/b.xml; rm $F", "F=[/a/b.xml] ; [rm][$F]");
    check("A= B='x y' c=d e=f", "A=[]B=q[|x y]c=[d]e=[f]");
    check("A=1 echo b=2", "A=[1][echo][b=2]");
    check("'A'=1 1A=2", "q[A|=1][1A=2]");
}

static void
lists_and_pipes(void) {
    check("a; b && c || d", "[a] ; [b] && [c] || [d]");
    check("a;b&&c||d;", "[a] ; [b] && [c] || [d]");
    check("a\nb\n\n c\n", "[a] ; [b] ; [c]");
    check("a &&\n b |\n c", "[a] && [b] | [c]");
    check("! a | b", "! [a] | [b]");
    check("a !", "[a][!]");
    check("a& b 2&& c&", "[a] & ; [b][2] && [c] &");
}

static void
redirections(void) {
    check("a >f 2>&1", "[a]1>[f]2>&1");
    check("a > f 2> 'g h' <i", "[a]1>[f]2>q[g h]0<[i]");
    check("a>>f 1>&2", "[a]1>>[f]1>&2");
    check("a 2>/dev/null; b", "[a]2>[/dev/null] ; [b]");
    check("a2>b", "[a2]1>[b]");
    check(">f", "1>[f]");
    check("uiautomator dump $F >&2", "[uiautomator][dump][$F]1>&2");
}

static void
invalid_scripts_are_refused(void) {
    check("echo 'a", "syntax error: no closing quote '''");
    check("echo \"a", "syntax error: no closing quote '\"'");
    check("echo \"a\\", "syntax error: no closing quote '\"'");
    check("a &&", "syntax error: unexpected 'EOF'");
    check("a |", "syntax error: unexpected 'EOF'");
    check("&& a", "syntax error: unexpected '&'");
    check("a ; ; b", "syntax error: unexpected ';'");
    check("a;;b", "syntax error: unexpected ';'");
    check("; a", "syntax error: unexpected ';'");
    check("a & ; b", "syntax error: unexpected ';'");
    check("a &;", "syntax error: unexpected ';'");
    check("&", "syntax error: unexpected '&'");
    check("(a)", "syntax error: unexpected '('");
    check("a >", "syntax error: unexpected 'EOF'");
    check("a >\n", "syntax error: unexpected 'newline'");
    check("a <<b", "syntax error: unexpected '<'");
    check("a 2<b", "syntax error: unexpected 'b'");
    check("a >&3", "syntax error: unexpected '3'");
    check("a >&12", "syntax error: unexpected '1'");
    check("echo `a`", "syntax error: unexpected '`'");
    check("echo \"`a`\"", "syntax error: unexpected '`'");
    check("echo $(a)", "syntax error: unexpected '('");
    check("echo ${a:-b}", "syntax error: unexpected '{'");
    check("!", "[!]");
    check("! ;", "syntax error: unexpected ';'");
}

static void
nul_bytes_and_too_long_scripts_are_refused(void) {
    struct sq_err err = { 0 };
    struct sq_arena arena;
    struct sq_sh_step *first = NULL;
    static char endless[(1 << 20) + 1];
    sq_arena_init(&arena, MAX_BYTES);
    T(!sq_sh_parse((struct sq_span){ "a\0b", 3 }, &arena, &first, &err));
    T_INT(err.code, SQ_ERR_FORMAT);
    memset(endless, 'a', sizeof(endless));
    T(!sq_sh_parse((struct sq_span){ endless, sizeof(endless) }, &arena, &first,
                   &err));
    T(!first);
    sq_arena_finish(&arena);
}

static bool
parse_all(void *context, struct sq_err *err) {
    struct sq_arena arena;
    struct sq_sh_step *first = NULL;
    (void)context;
    sq_arena_init(&arena, MAX_BYTES);
    bool ok = sq_sh_parse(SQ_SPAN("A=1 b 'c' \"$d\" >f 2>&1 | e && ! g || h"),
                          &arena, &first, err);
    sq_arena_finish(&arena);
    return ok;
}

static void
out_of_memory_is_an_error(void) {
    T(t_alloc_torture(parse_all, NULL) > 0);
}

T_MAIN(T_CASE(words_and_quotes), T_CASE(variables), T_CASE(lists_and_pipes),
       T_CASE(redirections), T_CASE(invalid_scripts_are_refused),
       T_CASE(nul_bytes_and_too_long_scripts_are_refused),
       T_CASE(out_of_memory_is_an_error))
