#include "demo/adbd/shell.h"
#include "support/test.h"

#define MAX_BYTES ((size_t)16 << 20)

static void
print_command(struct sq_buf *out, const struct sq_sh_command *command) {
    static const char *const signs[] = { "<", ">", "2>" };
    const char *word = (const char *)command->text.data;
    for (int i = 0; i < command->words; i++) {
        sq_buf_printf(out, &t_err, i < command->assignments ? "%s=" : "[%s]",
                      word);
        word += strlen(word) + 1;
    }
    for (int fd = 0; fd < 3; fd++) {
        const struct sq_sh_target *to = &command->to[fd];
        if (to->path[0]) {
            sq_buf_printf(out, &t_err, " %s%s%s", to->appends ? ">" : "",
                          signs[fd], to->path);
        } else if (to->fd != fd) {
            sq_buf_printf(out, &t_err, " %s&%d", signs[fd], to->fd);
        }
    }
}

/* Compares what is read, or the error. $two has a space; $a is "<a>". */
static void
check(const char *script, const char *expected) {
    static const char *const signs[] = { " ; ", " & ", " && ", " || ", " | " };
    static const char *const names[] = { "a", "b", "d", "F", "no" };
    struct sq_adbd_shell shell;
    struct sq_sh_command *command = &shell.command;
    T_BUF(out, MAX_BYTES);
    sq_adbd_shell_init(&shell, NULL);
    shell.rest = sq_span_of(script);
    command->end = SQ_SH_NEXT;
    bool ok = sq_adbd_store_set(&shell.variables, "two", "x y", &t_err);
    for (size_t i = 0; ok && i < SQ_COUNT(names); i++) {
        ok = sq_adbd_store_set(&shell.variables, names[i],
                               t_text("<%s>", names[i]), &t_err);
    }
    while (ok && command->end != SQ_SH_END) {
        ok = sq_sh_read(&shell, &t_err);
        if (ok) {
            print_command(&out, command);
            sq_buf_printf(&out, &t_err, "%s",
                          command->end == SQ_SH_END ? "" : signs[command->end]);
        }
    }
    if (!ok) {
        T_INT(t_err.code, SQ_ERR_FORMAT);
        sq_buf_clear(&out);
        sq_buf_printf(&out, &t_err, "%s", t_err.message);
    }
    sq_buf_append(&out, "", 1, &t_err);
    if (!T_STR((const char *)out.data, expected)) {
        printf("# of: %s\n", script);
    }
    sq_adbd_shell_finish(&shell);
}

T_CASE(words_and_quotes) {
    check("", "");
    check("  \n\t ", "");
    check("echo a  b", "[echo][a][b]");
    check("echo 'a  b' \"c  d\"", "[echo][a  b][c  d]");
    check("echo a'b'\"c\"d", "[echo][abcd]");
    check("echo '' \"\"", "[echo][][]");
    check("echo \\a\\ b \\\\", "[echo][a b][\\]");
    check("echo 'it'\\''s'", "[echo][it's]");
    check("echo \"a\\\"b\\\\c\\d\\$e\"", "[echo][a\"b\\c\\d$e]");
    check("echo '\n'", "[echo][\n]");
    check("echo ~ *.x {a,b}", "[echo][~][*.x][{a,b}]");
}

T_CASE(variables) {
    check("echo $a $? ${b}c \"$d e\" $$", "[echo][<a>][0][<b>c][<d> e][4242]");
    check("echo a${two}b \"a$two\" B=$two", "[echo][ax][yb][ax y][B=x][y]");
    check("A=$two", "A=x y=");
    check("echo $ a$ \"$\" $1", "[echo][$][a$][$][$1]");
    check("echo '$a' \\$a", "[echo][$a][$a]");
    check("F=/a/b.xml; rm $F", "F=/a/b.xml= ; [rm][<F>]");
    check("A= B='x y' c=d e=f", "A==B=x y=c=d=e=f=");
    check("A=1 echo b=2", "A=1=[echo][b=2]");
    check("'A'=1 1A=2 =3", "[A=1][1A=2][=3]");
}

T_CASE(lists_and_pipes) {
    check("a; b && c || d", "[a] ; [b] && [c] || [d]");
    check("a;b&&c||d;", "[a] ; [b] && [c] || [d] ; ");
    check("a\nb\n\n c\n", "[a] ; [b] ; [c] ; ");
    check("a &&\n b |\n c", "[a] && [b] | [c]");
    check("a& b 2&& c&", "[a] & [b][2] && [c] & ");
}

T_CASE(redirections) {
    check("a >f 2>&1", "[a] >f 2>f");
    check("a 2>&1 >f", "[a] >f 2>&1");
    check("a > f 2> 'g h' <i", "[a] <i >f 2>g h");
    check("a>>f 1>&2", "[a] >&2");
    check("a>>f b", "[a][b] >>f");
    check("a 2>/dev/null; b", "[a] 2>/dev/null ; [b]");
    check("a2>b", "[a2] >b");
    check(">f", " >f");
    check("a >'' 2>>$no\"\"", "[a] >. >2><no>");
    check("uiautomator dump $F >&2", "[uiautomator][dump][<F>] >&2");
}

T_CASE(invalid_scripts_are_refused) {
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
}
