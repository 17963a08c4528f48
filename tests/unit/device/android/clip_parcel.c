/* The words of a clip by version; the demo phone checks them, too. */
#include "device/android/command.h"

#include "support/test.h"

static struct sq_buf out;

static const char *
set_command(int api, const char *text) {
    sq_buf_finish(&out);
    sq_buf_init(&out, 65536);
    T_OK(sq_clip_put_set(&out, api, sq_span_of(text), &t_err));
    sq_buf_append(&out, "", 1, &t_err);
    return (const char *)out.data;
}

#define START                                                                  \
    "service call clipboard 1 i32 1 i32 1 i32 -1 i32 1 s16 text/plain "        \
    "i32 -1 i64 0"

T_CASE(layout_depends_on_the_version) {
    T_STR(set_command(26, "a'b"),
          START " i32 0 i32 1 i32 1 s16 'a'\\''b' i32 -1 i32 0 i32 0 s16 "
                "com.android.shell i32 0");
    T_STR(set_command(29, "ab"),
          START " i32 0 i32 1 i32 1 s16 'ab' i32 0 i32 -1 i32 0 i32 0 s16 "
                "com.android.shell i32 0");
    T_STR(set_command(30, "abc"),
          START " i32 0 i32 1 i32 1 i32 3 i32 6513249 i32 -1 i32 0 i32 0 s16 "
                "com.android.shell i32 0");
    T_STR(set_command(34, "abcd"),
          START " i32 0 i32 1 i32 0 i32 0 i32 1 i32 1 i32 4 i32 1684234849 "
                "i32 0 i32 -1 i32 0 i32 0 i32 0 i32 0 s16 com.android.shell "
                "i32 -1 i32 0 i32 0");
    sq_buf_finish(&out);
}

static void
content_is(const char *reply, int api, enum sq_clip_content wanted,
           const char *text) {
    enum sq_clip_content content;
    T_BUF(read, 4096);
    T_OK(sq_clip_read(sq_span_of(reply), api, &read, &content, &t_err));
    T_INT(content, wanted);
    T_BYTES((const char *)read.data, read.len, text, strlen(text));
}

static const char api_34[] =
    "Result: Parcel(\n"
    "  0x00000000: 00000000 00000001 00000001 ffffffff '................'\n"
    "  0x00000010: 00000001 0000000a 00650074 00740078 '....t.e.x.t.'0x'\n"
    "  0x00000020: 0070002f 0061006c 006e0069 00000000 '/.p.l.a.i.n...'\n"
    "  0x00000030: ffffffff 12345678 0000019a 00000000 '................'\n"
    "  0x00000040: 00000003 00000000 00000000 00000001 '................'\n"
    "  0x00000050: 00000001 00000003 00636261 ffffffff '........abc.....')\n";

static const char api_28[] =
    "Result: Parcel(\n"
    "  0x00000000: 00000000 00000001 00000001 ffffffff '................'\n"
    "  0x00000010: 00000000 ffffffff 00000000 00000000 '................'\n"
    "  0x00000020: 00000000 00000001 00000001 00000003 '................'\n"
    "  0x00000030: d83d0061 0000de42                   'a.=.B...')\n";

T_CASE(clips_are_read) {
    content_is(api_34, 34, SQ_CLIP_TEXT, "abc");
    content_is(api_28, 28, SQ_CLIP_TEXT, "a\xf0\x9f\x99\x82");
    content_is("Result: Parcel(00000000 00000000   '........')\n", 34,
               SQ_CLIP_EMPTY, "");
    T(sq_clip_is_done(SQ_SPAN("Result: Parcel(00000000    '....')\n")));
}

T_CASE(other_replies_are_unknown) {
    static const char *const replies[] = {
        "",
        "Result: Parcel(",
        "Result: Parcel(fffffffd 0000000a 00610042  '......')",
        "service: Service clipboard does not exist\n",
        "Result: Parcel(00000000 00000001 'x')",
        "Result: Parcel(00000000 00000001 00000001 7fffffff '....')",
    };
    for (size_t i = 0; i < SQ_COUNT(replies); i++) {
        content_is(replies[i], 34, SQ_CLIP_UNKNOWN, "");
        content_is(replies[i], 28, SQ_CLIP_UNKNOWN, "");
    }
    T(!sq_clip_is_done(SQ_SPAN("Result: Parcel(fffffffd 00000001  '...')")));
    /* Cut at every byte: never more than a prefix of the words. */
    for (size_t len = 0; len + 40 < sizeof(api_34); len++) {
        enum sq_clip_content content;
        T_BUF(read, 4096);
        T_OK(sq_clip_read((struct sq_span){ api_34, len }, 34, &read, &content,
                          &t_err));
        T(content == SQ_CLIP_UNKNOWN && read.len == 0);
    }
}
