/* Tokens of texts, compared with those of the tokenizer itself. */
#include "util/utf8.h"

#include "support/test.h"

/* Replies, calls, descriptions of tools and prose; counted by o200k. */
static const struct {
    const char *text;
    long tokens;
} rows[] = {
    { "{\"columns\":\"index x,y type:state label, or #id\",\"elem"
      "ents\":[\"0 126,213 Text Welcome back\",\"1 160,248 Text S"
      "ign in to see what your agent sees\",\"2 225,320 EditText "
      "Username\",\"3 225,399 EditText:password Password\",\"4 93"
      ",472 CheckBox Remember me\",\"5 360,472 Text Forgot passwo"
      "rd?\",\"6 225,543 Button Sign in\"],\"count\":7,\"coordina"
      "teSpace\":\"image\",\"screenshotId\":\"s3\",\"untrusted\":"
      "true,\"deviceId\":\"demo\"}",
      117 },
    { "{\"elements\":[],\"count\":0,\"visualFallback\":{\"screens"
      "hotPath\":\"…\",\"screen\":{\"width\":1080,\"height\":2400"
      ",\"density\":2.625},\"app\":{\"packageName\":\"com.squint."
      "demo.game\",\"activityName\":\".GameActivity\"},\"hint\":"
      "\"No elements matched selector. The picture is attached: t"
      "o tap, give x,y in its pixels (screenshotId s4).\",\"image"
      "\":{\"width\":450,\"height\":1000},\"scaleFactor\":2.4,\"s"
      "creenshotId\":\"s4\",\"tokens\":612},\"untrusted\":true,\""
      "deviceId\":\"demo\"}",
      123 },
    { "{\"mode\":\"inline\",\"screenshotId\":\"s5\",\"device\":{"
      "\"width\":1080,\"height\":2400},\"image\":{\"width\":540,"
      "\"height\":240},\"region\":{\"x\":0,\"y\":50,\"width\":225"
      ",\"height\":100,\"screenshotId\":\"s4\"},\"deviceRegion\":"
      "{\"x\":0,\"y\":120,\"width\":540,\"height\":240},\"scaleFa"
      "ctor\":1,\"mimeType\":\"image/jpeg\",\"sizeBytes\":9585,\""
      "tokens\":180,\"deviceId\":\"demo\"}",
      105 },
    { "{\"operation\":\"input\",\"text\":\"Ada Lovelace\",\"selec"
      "tor\":{\"resourceId\":\"username\"},\"deviceId\":\"demo\"}",
      25 },
    { "{\"name\":\"crop_screenshot\",\"title\":\"Zoom into a past"
      " screenshot\",\"description\":\"A part of a past screensho"
      "t in full detail.\",\"inputSchema\":{\"type\":\"object\","
      "\"properties\":{\"screenshotRef\":{\"type\":\"string\",\"d"
      "escription\":\"Or a live screenshotId\"},\"cell\":{\"type"
      "\":\"integer\"},\"hit\":{\"type\":\"integer\"},\"x\":{\"ty"
      "pe\":\"number\"},\"y\":{\"type\":\"number\"},\"width\":{\""
      "type\":\"number\"},\"height\":{\"type\":\"number\"},\"coor"
      "dinateUnits\":{\"description\":\"Default percent; image: o"
      "f the picture you saw\",\"enum\":[\"percent\",\"normalized"
      "\",\"pixels\",\"image\"]}}},\"annotations\":{\"readOnlyHin"
      "t\":true,\"openWorldHint\":false}}",
      137 },
    { "{\"name\":\"search_screenshots\",\"title\":\"Search past s"
      "creenshots\",\"description\":\"Find past screenshots by te"
      "xt in them.\",\"inputSchema\":{\"type\":\"object\",\"prope"
      "rties\":{\"text\":{\"type\":\"string\"},\"startDate\":{\"t"
      "ype\":\"string\"},\"endDate\":{\"type\":\"string\"},\"app"
      "\":{\"type\":\"string\"}},\"required\":[\"text\"]},\"outpu"
      "tSchema\":{\"type\":\"object\",\"properties\":{\"hits\":{"
      "\"type\":\"array\",\"items\":{\"type\":\"object\"}}},\"req"
      "uired\":[\"hits\"]},\"annotations\":{\"readOnlyHint\":true"
      ",\"openWorldHint\":false}}",
      109 },
    { "squint shows a language model a screen as a small, legible"
      " picture. The model answers in pixels of that picture; squ"
      "int converts them and acts on the device.",
      36 },
    { "2026-11-16T09:30:00+01:00 1080x2400 450x1000 x=226 y=320 ("
      "542,768)",
      38 },
    { "Die Bildschirmaufnahmen werden verkleinert und lesbar uebe"
      "rtragen.",
      15 },
    { "今天的截图在列表里", 6 },
    { "    indented\n\n    lines\n", 7 },
    { "https://example.org/squint/releases/download/v0.2.0/squint"
      ".mcpb",
      21 },
};

#define COUNT (SQ_COUNT(rows))

static long
estimate(const char *text) {
    return (long)sq_text_tokens(sq_span_of(text));
}

T_CASE(one_text_is_estimated) {
    for (size_t i = 0; i < COUNT; i++) {
        long told = estimate(rows[i].text);
        if (!T(labs(told - rows[i].tokens) * 3 <= rows[i].tokens)) {
            printf("# %ld, not %ld: %s\n", told, rows[i].tokens, rows[i].text);
        }
    }
}

/* Errors of single texts compensate each other. */
T_CASE(all_together_are_close) {
    long told = 0;
    long counted = 0;
    for (size_t i = 0; i < COUNT; i++) {
        told += estimate(rows[i].text);
        counted += rows[i].tokens;
    }
    if (!T(labs(told - counted) * 100 <= counted * 3)) {
        printf("# %ld, not %ld\n", told, counted);
    }
}

T_CASE(pieces_are_counted) {
    T_INT(estimate(""), 0);
    T_INT(estimate("a"), 1);
    T_INT(estimate(" word"), 1);
    T_INT(estimate("camelCaseName"), 3);
    T_INT(estimate("123456789"), 3);
    T_INT(estimate("\":\""), 1);
    T_INT(estimate("abcdefghi"), 1);
    T_INT(estimate("abcdefghij"), 2);
    T_INT(estimate("\n\n"), 1);
}

/* Every byte may occur, and the text need not end with a NUL. */
T_CASE(any_bytes_are_counted) {
    char bytes[512];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (char)(i * 7);
    }
    for (size_t len = 0; len <= sizeof(bytes); len++) {
        char *exact = malloc(len ? len : 1);
        memcpy(exact, bytes, len);
        T(sq_text_tokens((struct sq_span){ exact, len }) <= len);
        free(exact);
    }
}
