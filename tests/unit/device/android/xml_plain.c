/*
 * The documents that the plain parser accepts, and that expat reads them the
 * same.
 */
#include "device/android/xml_plain.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"
#include "support/ui_xml_ways.h"
#include "util/buf.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define HEAD "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"

static enum sq_xml_plain
read_plainly(struct sq_span text, struct sq_err *err) {
    struct sq_ui_builder builder;
    sq_ui_builder_init(&builder, err);
    enum sq_xml_plain result = sq_xml_plain_read(text, &builder, err);
    sq_ui_builder_finish(&builder);
    return result;
}

/* The parser returns `want`, and its result does not differ from expat's. */
static void
check(struct sq_span text, enum sq_xml_plain want) {
    struct sq_err err = { 0 };
    bool same = T_INT(read_plainly(text, &err), want);
    T((err.code == SQ_ERR_NONE) == (want != SQ_XML_PLAIN_FAILED));
    const char *difference = ui_xml_difference(text);
    if (!T_STR(difference ? difference : "", "") || !same) {
        printf("# in %.*s\n", SQ_SPAN_ARGS(text));
    }
}

T_CASE(plain_documents_are_read) {
    static const char *const texts[] = {
        "<hierarchy/>",
        "<hierarchy></hierarchy>",
        "<hierarchy\n\t rotation='1'\r/>",
        HEAD "\r\n<hierarchy rotation=\"1\">\n\t<node  text=''\n/>\n"
             "</hierarchy >",
        "<?xml version=\"1.0\"?><hierarchy/>",
        "<?xml version='1.0' encoding=\"utf-8\"?><hierarchy/>",
        "<?xml\tversion='1.0'\nstandalone='no'?> <hierarchy/>",
        "<displays><display><window a:b=':'><hierarchy><_x.y-1/></hierarchy>"
        "</window></display></displays> after & <it",
        "<hierarchy><node text=\"it's > ]]> ;=/?! \x7f\"/></hierarchy>",
        "<hierarchy><node text='\"a\" caf\xc3\xa9 \xea\xb0\x80 "
        "\xf0\x9f\x98\x80 \xf0\x9f\xbf\xbe \xef\xbf\xbd'/></hierarchy>",
        "<hierarchy><node text='&lt;&gt;&amp;&quot;&apos;' hint='no' "
        "package='&#9;&#xA;&#13;&#128512;&#x10fFfF;&#000065;'/></hierarchy>",
        "<hierarchy><node text='a' hint='b'/><node textual='c' text='d'/>"
        "<node t='e' tex='f' hint='g'/><node hint='h' text='i'/></hierarchy>",
        "<hierarchy><node text='&amp;lt;' class='&amp;' ab='' ba=''/>"
        "</hierarchy>",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        check(sq_span_of(texts[i]), SQ_XML_PLAIN_READ);
    }
}

#define NODE(inside) "<hierarchy><node " inside "/></hierarchy>"

T_CASE(other_documents_are_declined) {
    static const char *const texts[] = {
        "<?xml?><hierarchy/>",
        "<?xml version='1.1'?><hierarchy/>",
        "<?xml version='1.0' encoding='UTF-16'?><hierarchy/>",
        "<?xml encoding='UTF-8'?><hierarchy/>",
        "<?xml version='1.0' standalone='yes' encoding='UTF-8'?><hierarchy/>",
        "<?xml version='1.0' standalone='maybe'?><hierarchy/>",
        "<?xml version='1.0' author='me'?><hierarchy/>",
        "<?xml version='1.0' ><hierarchy/>",
        HEAD "<!DOCTYPE hierarchy><hierarchy/>",
        HEAD "<!-- c --><hierarchy/>",
        HEAD "<?pi?><hierarchy/>",
        HEAD HEAD "<hierarchy/>",
        HEAD "words<hierarchy/>",
        HEAD,
        "<hierarchy><!-- c --></hierarchy>",
        "<hierarchy><![CDATA[x]]></hierarchy>",
        "<hierarchy><?pi?></hierarchy>",
        "<hierarchy>words</hierarchy>",
        "<hierarchy>&amp;</hierarchy>",
        "<hierarchy>\f</hierarchy>",
        "<hierarchy></Hierarchy>",
        "<hierarchy></hierarchy x>",
        "<hierarchy></ hierarchy>",
        "<hierarchy><node></hierarchy></node>",
        "< hierarchy/>",
        "<hierarchy / >",
        "<hierarchy><:a/></hierarchy>",
        "<hierarchy><1/></hierarchy>",
        "<hierarchy><caf\xc3\xa9/></hierarchy>",
        NODE("text"),
        NODE("text="),
        NODE("text=a"),
        NODE("text = 'a'"),
        NODE("text='a'hint='b'"),
        NODE("text='a' text='b'"),
        NODE("x='a' y='' x='b'"),
        "<hierarchy><node text='a'/><node text:'b'/></hierarchy>",
        "<hierarchy><node a='' b=''/><node b='' b=''/></hierarchy>",
        NODE("text='a\tb'"),
        NODE("text='a\nb'"),
        NODE("text='a\rb'"),
        NODE("text='a\x01'"),
        NODE("text='<'"),
        NODE("text='&'"),
        NODE("text='&amp'"),
        NODE("text='&nbsp;'"),
        NODE("text='&AMP;'"),
        NODE("text='&#;'"),
        NODE("text='&#x;'"),
        NODE("text='&#X41;'"),
        NODE("text='&#0;'"),
        NODE("text='&#11;'"),
        NODE("text='&#55357;'"),
        NODE("text='&#xfffe;'"),
        NODE("text='&#x110000;'"),
        NODE("text='&#99999999999999999999;'"),
        NODE("text='&#6' x=';'"),
        NODE("text='\xff'"),
        NODE("text='\x80'"),
        NODE("text='\xc3'"),
        NODE("text='\xc0\x80'"),
        NODE("text='\xed\xa0\xbd\xed\xb8\x80'"),
        NODE("text='\xef\xbf\xbe'"),
        NODE("text='\xef\xbf\xbf'"),
        NODE("text='\xf4\x90\x80\x80'"),
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        check(sq_span_of(texts[i]), SQ_XML_PLAIN_DECLINED);
    }
    check(SQ_SPAN("<hierarchy a='\0'/>"), SQ_XML_PLAIN_DECLINED);
}

T_CASE(errors_of_the_builder_are_passed_on) {
    static const char *const texts[] = {
        HEAD "<html><body a=1/></html>",
        HEAD "<a.name.of.more.than.forty.letters.that.is.not.quoted.whole/>",
        HEAD "<node/>",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        check(sq_span_of(texts[i]), SQ_XML_PLAIN_FAILED);
    }
}

static struct sq_span
written(const struct sq_buf *buf) {
    return (struct sq_span){ (const char *)buf->data, buf->len };
}

/* Every second name has the same hash bit as the one before. */
T_CASE(up_to_64_attributes_are_distinguished) {
    for (int count = 62; count <= 66; count++) {
        for (int twin = 0; twin < 2; twin++) {
            struct sq_buf text;
            struct sq_err err = { 0 };
            sq_buf_init(&text, 4000);
            sq_buf_printf(&text, &err, "<hierarchy><node");
            for (int i = 0; i < count; i++) {
                sq_buf_printf(&text, &err, " a%d-x='%d'", i % (count - twin),
                              i);
            }
            sq_buf_printf(&text, &err, " text='t'/></hierarchy>");
            T_OK(err.code == SQ_ERR_NONE, &err);
            check(written(&text), count < 64 && !twin ? SQ_XML_PLAIN_READ
                                                      : SQ_XML_PLAIN_DECLINED);
            sq_buf_finish(&text);
        }
    }
}

static const char small[] =
    HEAD "<hierarchy rotation=\"1\"><node NAF='true' index=\"0\" "
         "text=\"caf\xc3\xa9 &amp; &#128512;\" bounds=\"[0,0][9,9]\">\n"
         "<a.Edit text='x' hint=\"\" showing-hint=\"true\"/></node>"
         "</hierarchy>";

static bool
agrees(struct sq_span text) {
    const char *difference = ui_xml_difference(text);
    if (!difference) {
        return true;
    }
    printf("# %s of %.*s\n", difference, SQ_SPAN_ARGS(text));
    return T(false);
}

/* The block has the exact size, so that sanitizers see an overrun. */
T_CASE(every_truncation_agrees_with_expat) {
    for (size_t len = 0; len < sizeof(small); len++) {
        struct sq_buf text;
        struct sq_err err = { 0 };
        sq_buf_init(&text, len);
        T_OK(len == 0 || sq_buf_append(&text, small, len, &err), &err);
        agrees(written(&text));
        sq_buf_finish(&text);
    }
}

T_CASE(every_changed_byte_agrees_with_expat) {
    static const char odd[] = "<>&\"'/= \n\t\0\x80\xff\xed\xef!?;#a:0";
    char text[sizeof(small)];
    for (size_t at = 0; at < sizeof(small) - 1; at++) {
        for (size_t i = 0; i < sizeof(odd) - 1; i++) {
            memcpy(text, small, sizeof(small));
            text[at] = odd[i];
            agrees((struct sq_span){ text, sizeof(small) - 1 });
        }
    }
}

/* Pieces that fit together, and some that do not. */
static const char *const fine[] = {
    "<node ",
    "<node>",
    "</node>",
    "/>",
    ">",
    " text='",
    "' ",
    " bounds='[1,2][3,4]'",
    " hint=\"",
    "\"",
    "x",
    "&amp;",
    "&#10;",
    "caf\xc3\xa9",
    "\n",
    "<hierarchy>",
    "</hierarchy>",
    " NAF='true'",
    "<node/>",
    "<a.EditText text='y'/>",
    " index='0'",
    " class='b.C'/>",
    "<display>",
    "</display>",
};
static const char *const odd_pieces[] = {
    "<!-- -->", "<![CDATA[", "]]>",  "\xed\xa0\xbd",
    "&#xd83d;", "&x;",       "\xff", "\t",
    "<",        "&",         "=",    "<?p?>",
};

static void
write_pieces(struct sq_buf *text, bool odd) {
    struct sq_err err = { 0 };
    sq_buf_printf(text, &err, "%s<hierarchy>",
                  t_random_between(0, 1) ? HEAD : "");
    int64_t count = t_random_between(0, 12);
    for (int64_t i = 0; i < count; i++) {
        bool strange = odd && t_random_between(0, 7) == 0;
        const char *const *pieces = strange ? odd_pieces : fine;
        int64_t last = (int64_t)(strange ? COUNT(odd_pieces) : COUNT(fine)) - 1;
        sq_buf_printf(text, &err, "%s", pieces[t_random_between(0, last)]);
    }
    sq_buf_printf(text, &err, "</hierarchy>");
    T_OK(err.code == SQ_ERR_NONE, &err);
}

/* Nested elements, like a device writes them. */
static void
write_elements(struct sq_buf *text, int depth, struct sq_err *err) {
    static const char *const names[] = { "text", "hint", "class",  "NAF",
                                         "x:y",  "z",    "focused" };
    static const char *const values[] = {
        "", "true", "a &lt; b", "&#9;", "\xc2\xb0", "android.EditText"
    };
    int64_t children = t_random_between(0, depth > 0 ? 3 : 0);
    sq_buf_printf(text, err, "<n%d", depth);
    for (size_t i = 0; i < COUNT(names); i++) {
        if (t_random_between(0, 1)) {
            sq_buf_printf(text, err, " %s=\"%s\"", names[i],
                          values[t_random_between(0, COUNT(values) - 1)]);
        }
    }
    sq_buf_printf(text, err, children ? ">" : "/>");
    for (int64_t i = 0; i < children; i++) {
        write_elements(text, depth - 1, err);
    }
    if (children) {
        sq_buf_printf(text, err, "</n%d>\n", depth);
    }
}

T_CASE(random_documents_agree_with_expat) {
    int results[3] = { 0 };
    for (int i = 0; i < 6000; i++) {
        struct sq_buf text;
        struct sq_err err = { 0 };
        sq_buf_init(&text, 100000);
        if (i % 3 == 0) {
            sq_buf_printf(&text, &err, "<hierarchy>");
            write_elements(&text, 3, &err);
            sq_buf_printf(&text, &err, "</hierarchy>");
        } else {
            write_pieces(&text, i % 3 == 1);
        }
        agrees(written(&text));
        results[read_plainly(written(&text), &err)]++;
        sq_buf_finish(&text);
    }
    T(results[SQ_XML_PLAIN_READ] > 2000);
    T(results[SQ_XML_PLAIN_DECLINED] > 2000);
}
