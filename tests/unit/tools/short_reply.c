/* Replies lose what models do not need, and nothing else. */
#include "tools/short_reply.h"

#include "support/test.h"
#include "util/utf8.h"

#define MAX_BYTES 4096

/* Tokens of an ordinary tap, without the words of its element. */
#define TAP_TOKENS 40

/* Writes the short form to a text, which is valid until the next call. */
static const char *
shorten(const char *reply, bool has_picture) {
    static char text[MAX_BYTES];
    const struct sq_json *json;
    T_ARENA(arena, 1 << 20);
    T_BUF(out, MAX_BYTES);
    T_OK(sq_json_parse(sq_span_of(reply), &arena, &json, &t_err));
    T_OK(sq_short_reply_write(json, has_picture, &out, &t_err));
    snprintf(text, sizeof(text), "%.*s", SQ_SPAN_ARGS(sq_buf_span(&out)));
    return text;
}

T_CASE(members_are_left_out_or_written_as_text) {
    static const struct {
        const char *full;
        bool has_picture;
        const char *expected;
    } cases[] = {
        { "{}", false, "{}" },
        { "{\"tapped\":{\"x\":1,\"y\":2,\"deviceX\":3,\"deviceY\":5,"
          "\"coordinateSpace\":\"image\",\"screenshotId\":\"s1\"}}",
          false, "{\"tapped\":\"1,2\"}" },
        { "{\"tapped\":{\"x\":1,\"y\":2,\"numberOfTaps\":2}}", false,
          "{\"tapped\":{\"x\":1,\"y\":2,\"numberOfTaps\":2}}" },
        { "{\"tapped\":{\"x\":1.5,\"y\":2}}", false,
          "{\"tapped\":{\"x\":1.5,\"y\":2}}" },
        { "{\"changed\":[{\"x\":1,\"y\":2,\"width\":3,\"height\":4},null]}",
          false, "{\"changed\":[\"1,2 3x4\",null]}" },
        { "{\"changed\":{\"x\":1,\"y\":2,\"width\":3,\"height\":4,"
          "\"screenshotId\":\"s9\"},\"settled\":true}",
          false, "{\"changed\":\"1,2 3x4 of s9\"}" },
        { "{\"settled\":false,\"changed\":{}}", false,
          "{\"settled\":false,\"changed\":{}}" },
        { "{\"settled\":true,\"waitedMs\":9}", false,
          "{\"settled\":true,\"waitedMs\":9}" },
        { "{\"screenshotPath\":\"/a\"}", true, "{}" },
        { "{\"screenshotPath\":\"/a\"}", false, "{\"screenshotPath\":\"/a\"}" },
        { "{\"mode\":\"inline\"}", true, "{}" },
        { "{\"mode\":\"file\"}", false, "{\"mode\":\"file\"}" },
        { "{\"screen\":\"1x2\",\"device\":\"a\"}", false,
          "{\"screen\":\"1x2\",\"device\":\"a\"}" },
        { "{\"screen\":{\"width\":1},\"device\":{}}", false, "{}" },
        { "{\"element\":{\"type\":\"Image\",\"resourceId\":\"a\"}}", false,
          "{\"element\":{\"type\":\"Image\",\"resourceId\":\"a\"}}" },
        { "{\"element\":{\"label\":\"A\",\"type\":\"Image\",\"checked\":true}}",
          false, "{\"element\":{\"label\":\"A\",\"checked\":true}}" },
        { "{\"elements\":[1,2],\"count\":2}", false, "{\"elements\":[1,2]}" },
        { "{\"elements\":[1,2],\"count\":3}", false,
          "{\"elements\":[1,2],\"count\":3}" },
        /* What could deceive a reader stays visible. */
        { "{\"label\":\"a\\u202eb\"}", false, "{\"label\":\"a\\u202eb\"}" },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        T_STR(shorten(cases[i].full, cases[i].has_picture), cases[i].expected);
    }
}

T_CASE(a_tap_costs_little) {
    const char *text = shorten(
        "{\"tapped\":{\"x\":225,\"y\":500,\"deviceX\":540,\"deviceY\":1200,"
        "\"coordinateSpace\":\"image\",\"screenshotId\":\"s4\"},\"element\":{"
        "\"label\":\"Sign in\",\"type\":\"Button\",\"resourceId\":\"sign_in\"},"
        "\"settled\":true,\"changed\":{\"x\":360,\"y\":455,\"width\":55,"
        "\"height\":33},\"watchedMs\":700,\"untrusted\":true,\"deviceId\":"
        "\"emulator-5554\"}",
        false);
    T_STR(text, "{\"tapped\":\"225,500\",\"element\":{\"label\":\"Sign in\"},"
                "\"changed\":\"360,455 55x33\"}");
    T(sq_text_tokens(sq_span_of(text)) <= TAP_TOKENS);
}

T_CASE(texts_that_are_no_replies_stay) {
    static const char *const texts[] = { "# Manual", "[1]", "{\"a\":" };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        T_FREED(sq_result_finish) struct sq_result result = { 0 };
        struct sq_block *block;
        T(sq_result_add(&result, SQ_BLOCK_TEXT, MAX_BYTES, &block, NULL));
        T(sq_buf_printf(&block->data, NULL, "%s", texts[i]));
        sq_short_reply(&result);
        T(sq_span_is(sq_buf_span(&result.blocks[0].data), texts[i]));
    }
}
