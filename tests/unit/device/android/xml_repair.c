#include "device/android/parse.h"
#include "device/ui_xml.h"

#include "support/test.h"
#include "util/utf8.h"

#define BAD "\xef\xbf\xbd"
#define FACE "\xf0\x9f\x98\x80"

/* Input, and output; NULL: the same text, not copied. */
static const char *const repairs[][2] = {
    { "", NULL },
    { "<a b='c'>\t\r\n &amp; &#10; &#x1F600; \x7f " FACE, NULL },
    { "&#;&#x;&#xg;&#12a;&#12", NULL },
    { "&# 5;&", NULL },
    { "a\x01z", "a" BAD "z" },
    { "\xc3", BAD },
    { "\xc3\xa9\xa9", "\xc3\xa9" BAD },
    { "\xc0\x80", BAD BAD },
    { "\xf0\x9f\x98", BAD BAD BAD },
    { "\xef\xbf\xbe\xef\xbf\xbf", BAD BAD },
    { "\xed\xa0\xbd\xed\xb8\x80", FACE },
    { "\xed\xa0\xbd", BAD },
    { "\xed\xb8\x80\xed\xa0\xbd", BAD BAD },
    { "\xed\xa0\xbd&#56832;", FACE },
    { "\xed\xa0", BAD BAD },
    { "&#55357;&#56832;", FACE },
    { "&#55357;&#55357;&#56832;", BAD FACE },
    { "&#56832;", BAD },
    { "&#0;&#11;&#xFFFF;&#x110000;", BAD BAD BAD BAD },
    { "&#99999999999999999999999999999999;", BAD },
    { "&#xD83D;x&#xDE00;", BAD "x" BAD },
};

T_CASE(repairs_what_xml_forbids) {
    for (size_t i = 0; i < SQ_COUNT(repairs); i++) {
        struct sq_span out;
        struct sq_span text = sq_span_of(repairs[i][0]);
        const char *want = repairs[i][1] ? repairs[i][1] : repairs[i][0];
        T_BUF(scratch, 1000);
        T_OK(sq_xml_repair(text, &scratch, &out, &t_err));
        T_BYTES(out.ptr, out.len, want, strlen(want));
        T(repairs[i][1] ? scratch.len > 0 : out.ptr == text.ptr);
    }
}

/* For any bytes: the result is valid, not much longer, and stable. */
T_CASE(any_bytes_become_valid) {
    for (int round = 0; round < 3000; round++) {
        char bytes[60];
        static const char often[] = "&#x;d8\xed\xa0\xb0\x80\xf0\x9f<> ";
        for (size_t i = 0; i < sizeof(bytes); i++) {
            int64_t pick = t_random_between(0, (int64_t)sizeof(often) * 2);
            bytes[i] =
                (size_t)pick < sizeof(often) ? often[pick] : (char)t_random();
        }
        struct sq_span once;
        struct sq_span twice;
        T_BUF(scratch, sizeof(bytes) * SQ_XML_REPAIR_GROWTH);
        T_BUF(again, 1000);
        T_OK(sq_xml_repair((struct sq_span){ bytes, sizeof(bytes) }, &scratch,
                           &once, &t_err));
        T(sq_utf8_valid_len(once) == once.len);
        T(!sq_span_contains(once, '\0') && !sq_span_contains(once, '\x1f'));
        T_OK(sq_xml_repair(once, &again, &twice, &t_err));
        T(twice.ptr == once.ptr);
    }
}

T_CASE(full_buffer_is_an_error) {
    struct sq_span out = { 0 };
    T_BUF(scratch, 2);
    T_FAILS(sq_xml_repair(SQ_SPAN("\x01"), &scratch, &out, &t_err),
            SQ_ERR_LIMIT);
    T(out.ptr == NULL);
}
