/* Which texts are JSON and which are not. */
#include "json/reader.h"

#include "support/test.h"

#define S SQ_SPAN_INIT

/* clang-format off */
static const struct sq_span accepted[] = {
    /* structure */
    S("[]"), S("{}"), S(" [ ] "), S("\t{\r\n}\n"), S("[[]]"), S("[[],[]]"),
    S("[{}]"), S("{\"a\":[]}"), S("{\"a\":{\"a\":{}}}"), S("[1,2,3]"),
    S("[1 , 2\n,\t3]"), S("{\"a\":1,\"b\":2}"), S("{ \"a\" : 1 , \"b\" : 2 }"),
    S("{\"\":0}"), S("{\"a\":1,\"A\":2}"), S("{\"a\":{\"b\":1},\"b\":1}"),
    S("{\"a\\u0000b\":1,\"a\":2}"), S("[null,true,false,0,\"\",[],{}]"),
    /* one value alone */
    S("null"), S("true"), S("false"), S("0"), S("\"\""), S(" null "),
    S("\n1\n"), S("\"text\""),
    /* numbers */
    S("-0"), S("-1"), S("10"), S("1234567890"), S("0.0"), S("-0.0"), S("1.5"),
    S("0e0"), S("0E+1"), S("1e5"), S("1E5"), S("1e+5"), S("1e-5"), S("1.5e10"),
    S("-1.5E-10"), S("0.1e1"), S("20e001"), S("1e000"), S("[0,-0,0.0]"),
    S("9223372036854775807"), S("9223372036854775808"),
    S("123456789012345678901234567890"), S("1e400"), S("-1e-400"),
    S("0.000000000000000000000000000000000000000000000000000000000001"),
    S("1.000000000000000000000000000000000000000000000000000000000000"),
    /* strings */
    S("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), S("\"\\u0000\""), S("\"\\u0041\""),
    S("\"\\u00e9\\u20AC\""), S("\"\\ud83d\\ude00\""), S("\"\\uD83D\\uDE00\""),
    S("\"\\uDBFF\\uDFFF\""), S("\"\\ud7ff\""), S("\"\\ue000\""),
    S("\"\\uffff\""), S("\"\\uFDD0\""), S("\"\\u2028\""), S("\"\xc3\xa9\""),
    S("\"\xe2\x82\xac\""), S("\"\xf0\x9f\x98\x80\""), S("\"\xef\xbf\xbf\""),
    S("\"\xf4\x8f\xbf\xbf\""), S("\"\xef\xbb\xbf\""), S("\"\x7f\""),
    S("\"\xe2\x80\xa8\""), S("\"/\""), S("\"'\""), S("\"a/*b*/c//d#e\""),
    S("\"\\\\u0041\""), S("\"\\\\\\\"\""), S("\"[{:,}]\""), S("\" \""),
    S("{\"\\u006b\":1}"), S("{\"\xc3\xa9\":1}"),
    /* half of a surrogate pair */
    S("\"\\ud800\""), S("\"\\udc00\""), S("\"\\udfff\""), S("\"\\udbff\""),
    S("\"\\ud800\\u0041\""), S("\"\\ud800\\ud800\""), S("\"\\ud800x\""),
    S("\"\\ud800\\n\""), S("\"\\udc00\\ud800\""),
    S("\"\\udc00\\udc00\""), S("{\"\\ud800\":1}"),
};

static const struct sq_span rejected[] = {
    /* nothing, or too much */
    S(""), S(" "), S("\n\n"), S("[] []"), S("1 2"), S("{}{}"), S("[]]"),
    S("{}}"), S("null null"), S("[1]x"), S("\"a\"b"), S("true,"), S("1,"),
    S("[]\0"), S("\0"), S("[]#"), S("{}//"), S("1/**/"), S(","), S(":"),
    /* brackets */
    S("["), S("]"), S("{"), S("}"), S("[[]"), S("[}"), S("{]"), S("[1}"),
    S("{\"a\":1]"), S("[{]}"), S("[[[["), S("{\"a\":{"), S("(1)"), S("<1>"),
    /* commas and colons */
    S("[,]"), S("[1,]"), S("[,1]"), S("[1,,2]"), S("[1 2]"), S("[1;2]"),
    S("[\"a\":1]"), S("{,}"), S("{\"a\"}"), S("{\"a\":}"), S("{\"a\",1}"),
    S("{\"a\"::1}"), S("{\"a\" 1}"), S("{\"a\":1,}"), S("{,\"a\":1}"),
    S("{\"a\":1,,\"b\":2}"), S("{\"a\":1 \"b\":2}"), S("{\"a\":1;\"b\":2}"),
    S("{\"a\":1:2}"), S("{\"a\"=1}"), S("[1"), S("[1,"), S("{\"a\""),
    S("{\"a\":"), S("{\"a\":1"), S("{\"a\":1,"), S("{:1}"), S("{null}"),
    /* keys */
    S("{a:1}"), S("{'a':1}"), S("{1:1}"), S("{null:1}"), S("{[]:1}"),
    S("{\"a\":1,\"a\":1}"), S("{\"a\":1,\"\\u0061\":2}"), S("{\"\":1,\"\":2}"),
    S("[{\"k\":{},\"x\":0,\"k\":[]}]"), S("{\"\\u0000\":1,\"\\u0000\":1}"),
    /* words */
    S("nul"), S("tru"), S("fals"), S("nulll"), S("truefalse"), S("True"),
    S("NULL"), S("FALSE"), S("undefined"), S("nan"), S("NaN"), S("Infinity"),
    S("-Infinity"), S("inf"), S("-inf"), S("n"), S("t"), S("yes"), S("t rue"),
    S("[nul]"), S("[True]"), S("[a"), S("[NaN]"), S("[-NaN]"),
    /* numbers */
    S("-"), S("+"), S("+1"), S("--1"), S("-a"), S("01"), S("-01"), S("00"),
    S("-00"), S("1."), S("1.e1"), S(".5"), S("-.5"), S("0."), S("1.a"), S("1e"),
    S("1e+"), S("1E-"), S("1e1.5"), S("1ee1"), S("1e+-1"), S("1e 1"), S("1 .5"),
    S("- 1"), S("0x1"), S("0x"), S("1_000"), S("1,000"), S("1a"), S("1.2.3"),
    S("0b1"), S("0o7"), S("1f"), S("1L"), S("0e"), S("[-]"), S("[1.]"),
    S("[01]"), S("[+1]"), S("[.1]"), S("[1e]"), S("[0.3e]"), S("[9.e+]"),
    S("[-2.]"), S("[0xff]"), S("\xef\xbc\x91"), S("[1+2]"),
    /* strings */
    S("\""), S("\"a"), S("'a'"), S("\"\\\""), S("\"\\"), S("\"\\x\""),
    S("\"\\a\""), S("\"\\0\""), S("\"\\'\""), S("\"\\U0041\""), S("\"\\u\""),
    S("\"\\u1\""), S("\"\\u12\""), S("\"\\u123\""), S("\"\\u123g\""),
    S("\"\\u 041\""), S("\"\\u-041\""), S("\"\\u+041\""), S("\"\\\n\""),
    S("\"\\\xc3\xa9\""), S("\"\n\""), S("\"\t\""), S("\"\0\""), S("\"\x1f\""),
    S("\"a\rb\""), S("[\"a"), S("[\"a\""), S("[\"\\u00\"]"), S("{\"a"),
    S("{\"\t\":1}"), S("{\"\\x\":1}"), S("`a`"), S("\xe2\x80\x9cx\xe2\x80\x9d"),
    /* surrogates */
    S("\"\\ud800\\\""), S("\"\\ud800\\u\""), S("\"\\ud800\\udc0\""),
    S("\"\\ud80\""), S("{\"\\ud800\":1,\"\\udc00\":2}"),
    /* encoding */
    S("\xef\xbb\xbf[]"), S("\xff\xfe[\0]\0"), S("\0[\0]"), S("\"\xff\""),
    S("\"\x80\""), S("\"\xc0\x80\""), S("\"\xc1\xbf\""), S("\"\xe0\x80\x80\""),
    S("\"\xed\xa0\x80\""), S("\"\xed\xbf\xbf\""), S("\"\xf0\x80\x80\x80\""),
    S("\"\xf4\x90\x80\x80\""), S("\"\xf5\x80\x80\x80\""), S("\"\xc3\""),
    S("\"\xe2\x82\""), S("\"\xf0\x9f\x98\""), S("\"\xfc\x80\x80\x80\x80\x80\""),
    S("{\"\xff\":1}"), S("[\xff]"), S("\xe9"), S("[\xc2\xa0]"),
    /* white space that is not allowed in JSON */
    S("[\f]"), S("[\v]"), S("\xc2\xa0[]"), S("[\xe2\x81\xa0]"), S("[]\x1a"),
    S("\xe2\x80\xa8[]"), S("[\b]"),
};
/* clang-format on */

static bool
parses(struct sq_span text, struct sq_err *err) {
    const struct sq_json *root = NULL;
    T_ARENA(arena, 1 << 20);
    bool ok = sq_json_parse(text, &arena, &root, err);
    T(ok == (root != NULL));
    return ok;
}

T_CASE(accepts_what_the_rfc_allows) {
    T_EACH(i, accepted) {
        T_OK(parses(accepted[i], &t_err));
    }
}

T_CASE(rejects_everything_else) {
    T_EACH(i, rejected) {
        T(!parses(rejected[i], &t_err));
        T(t_err.code == SQ_ERR_FORMAT || t_err.code == SQ_ERR_TRUNCATED);
    }
}

/* No proper prefix of a text is accepted. */
T_CASE(rejects_every_prefix_of_a_text) {
    struct sq_span text =
        SQ_SPAN("{\"a\":[1.5e+3,true,null,\"\\u00e9\\ud83d\\ude00\xc3\xa9\"],"
                "\"b\":{}}");
    for (size_t len = 0; len < text.len; len++) {
        T(!parses((struct sq_span){ text.ptr, len }, &t_err));
    }
    T_OK(parses(text, &t_err));
}
