#include "fault/scenarios.h"

#include "support/album.h"
#include "support/past_maker.h"
#include "support/scratch.h"
#include "support/test.h"
#include "support/text_page.h"
#include "sys/file.h"

#define WIDTH 96
#define HEIGHT 80
#define PIXEL_BYTES 4
#define HEADER_BYTES 16
#define FRAME_BYTES (HEADER_BYTES + WIDTH * HEIGHT * PIXEL_BYTES)
#define CUT_BYTES 200

#define PAST "--archive", "shots"
#define PAST_REF "$TORTURE_REF"
#define PAST_DAY "2026-01-15", PAST, "--activity", "none"

static const struct scenario local[] = {
    { .name = "scale a raw frame to JPEG",
      .args = { "scale", "frame.raw", "-o", "out.jpg", "--max-dimension",
                "40" },
      .output = "out.jpg" },
    { .name = "scale PNG to JPEG within a budget",
      .args = { "scale", "frame.png", "-o", "out.jpg", "--budget-tokens", "5" },
      .output = "out.jpg" },
    { .name = "scale PNG to WebP",
      .args = { "scale", "frame.png", "-o", "out.webp", "--max-dimension",
                "40" },
      .output = "out.webp" },
    { .name = "scale PNG to a palette PNG",
      .args = { "scale", "frame.png", "-o", "out.png", "--max-dimension", "40",
                "--colours", "64" },
      .output = "out.png" },
    { .name = "keep a region of a palette PNG",
      .args = { "scale", "palette.png", "-o", "out.png", "--raw", "--region",
                "10,10,50,40" },
      .output = "out.png" },
    { .name = "let squint choose the format, and report as JSON",
      .args = { "scale", "frame.png", "-o", "out", "--format", "auto",
                "--json" },
      .output = "out" },
    { .name = "halve a JPEG",
      .args = { "scale", "frame.jpg", "-o", "out.jpg", "--max-dimension",
                "48" },
      .output = "out.jpg" },
    { .name = "scale a region of a JPEG",
      .args = { "scale", "frame.jpg", "-o", "out.jpg", "--max-dimension", "33",
                "--region", "5,5,70,60", "--full-chroma" },
      .output = "out.jpg" },
    { .name = "scale WebP to JPEG",
      .args = { "scale", "frame.webp", "-o", "out.jpg", "--max-dimension",
                "40" },
      .output = "out.jpg" },
    { .name = "scale from standard input to standard output",
      .args = { "scale", "-", "-o", "-", "--max-dimension", "40" },
      .input = "frame.png" },
    { .name = "refuse a JPEG cut short",
      .args = { "scale", "cut.jpg", "-o", "out.jpg", "--max-dimension", "40" },
      .output = "out.jpg",
      .status = 1,
      .fails = true },
    { .name = "refuse a file that is not there",
      .args = { "scale", "nowhere.png", "-o", "out.jpg" },
      .output = "out.jpg",
      .status = 1,
      .fails = true },
    { .name = "find two frames different",
      .args = { "diff", "frame.raw", "later.raw", "--map" },
      .status = 1 },
    { .name = "find two frames different, as JSON",
      .args = { "diff", "frame.png", "later.raw", "--json" },
      .status = 1 },
    { .name = "find two frames the same",
      .args = { "diff", "frame.png", "frame.raw" } },
    { .name = "count tokens", .args = { "tokens", "1080", "2400" } },
    { .name = "count tokens, as JSON",
      .args = { "tokens", "1080", "2400", "--budget-tokens", "600",
                "--json" } },
    { .name = "list devices", .args = { "devices" } },
    { .name = "take a screenshot",
      .args = { "screenshot", "-o", "out.jpg" },
      .output = "out.jpg",
      .varies = true,
      .calls_only = true },
    { .name = "list elements",
      .args = { "dump" },
      .varies = true,
      .calls_only = true },
    { .name = "find an element",
      .args = { "find", "--selector.text", "Login" },
      .calls_only = true },
    { .name = "tap",
      .args = { "tap", "--selector.text", "Login", "--receipt", "none" },
      .calls_only = true },
    { .name = "type where nothing can be typed",
      .args = { "input", "--text", "Ada" },
      .status = 1,
      .fails = true,
      .calls_only = true },
    { .name = "scroll",
      .args = { "scroll", "--direction", "down", "--receipt", "none" },
      .calls_only = true },
    { .name = "swipe",
      .args = { "swipe", "--from.x", "90", "--from.y", "300", "--to.x", "90",
                "--to.y", "90", "--receipt", "none" },
      .calls_only = true },
    { .name = "press a key",
      .args = { "key", "--name", "home", "--receipt", "none" },
      .calls_only = true },
    { .name = "launch an app",
      .args = { "launch", "--package-name", "com.squint.demo.clock",
                "--receipt", "none" },
      .calls_only = true },
    { .name = "stop an app",
      .args = { "stop", "--package-name", "com.squint.demo.clock" },
      .varies = true,
      .calls_only = true },
    { .name = "list apps", .args = { "apps" }, .calls_only = true },
    { .name = "wait for an element",
      .args = { "wait", "--selector.text", "Login" },
      .varies = true,
      .calls_only = true },
    { .name = "rate the elements",
      .args = { "accessibility-check" },
      .calls_only = true },
    { .name = "list past screenshots",
      .args = { "list", "--archive", "shots", "--start-date", "2026-01-15",
                "--end-date", "2026-01-15", "--activity", "none" },
      .varies = true,
      .every = 3 },
    { .name = "draw past screenshots on a sheet",
      .args = { "sheet", "--archive", "shots", "--start-date", "2026-01-15",
                "--end-date", "2026-01-15", "--activity", "none", "-o",
                "out.jpg" },
      .output = "out.jpg",
      .varies = true,
      .every = 3 },
    { .name = "count past screenshots",
      .args = { "archive", "stats", "--archive", "shots", "--json" },
      .varies = true,
      .every = 3 },
    { .name = "record",
      .args = { "record", "--count", "1", "--into", "kept" },
      .varies = true,
      .calls_only = true },
    { .name = "watch",
      .args = { "watch", "--count", "1", "-o", "seen.png" },
      .every = 5,
      .varies = true,
      .calls_only = true },
    { .name = "see the doctor",
      .args = { "doctor" },
      .varies = true,
      .calls_only = true },
    { .name = "play the demo",
      .args = { "demo", "-o", "tour" },
      .page = "tour/index.html",
      .varies = true,
      .calls_only = true,
      .every = 31 },
    { .name = "show the help", .args = { "--help" } },
    { .name = "show a command's help", .args = { "scale", "--help" } },
    { .name = "show an operation's help", .args = { "help", "tap" } },
    { .name = "show a page of the manual", .args = { "rtfm", "tap" } },
    { .name = "show the versions", .args = { "version", "--json" } },
    { .name = "count tokens of a file", .args = { "tokens", "frame.png" } },
    { .name = "find a command that was meant",
      .args = { "screnshot" },
      .status = 2,
      .fails = true },
    { .name = "print the schema", .args = { "config", "schema" } },
    { .name = "export a journal for the shell",
      .args = { "replay", "calls.jsonl", "--export", "sh" } },
    { .name = "export a journal for Maestro",
      .args = { "replay", "calls.jsonl", "--export", "maestro" } },
    { .name = "refuse what is not a journal",
      .args = { "replay", "frame.raw" },
      .status = 1,
      .fails = true },
    { .name = "replay a journal",
      .args = { "replay", "calls.jsonl" },
      .calls_only = true,
      .every = 7 },
    { .name = "get a past screenshot",
      .args = { "get", PAST_REF, PAST, "-o", "out.png" },
      .output = "out.png",
      .varies = true,
      .keeps_state = true,
      .every = 3 },
    { .name = "zoom into a past screenshot",
      .args = { "crop", PAST_REF, "0", "0", "50", "50", PAST, "-o", "out.jpg" },
      .output = "out.jpg",
      .varies = true,
      .keeps_state = true,
      .every = 3 },
    { .name = "save a past screenshot",
      .args = { "save", PAST_REF, "kept.jpg", PAST, "--save-directory",
                "saved" },
      .page = "saved/kept.jpg",
      .varies = true,
      .keeps_state = true,
      .every = 3 },
    { .name = "search past screenshots",
      .args = { "search", "invoice", PAST_DAY },
      .varies = true,
      .keeps_state = true,
      .reads_text = true,
      .every = 5 },
    { .name = "remove all texts of past screenshots",
      .args = { "archive", "index", PAST, "--delete" },
      .varies = true,
      .every = 3 },
    { .name = "read the text of past screenshots",
      .args = { "archive", "index", PAST_DAY },
      .varies = true,
      .calls_only = true,
      .reads_text = true,
      .every = 53,
      .rarely = 5 },
    { .name = "read the text of a picture",
      .args = { "ocr", "text.png" },
      .varies = true,
      .calls_only = true,
      .reads_text = true,
      .every = 17,
      .rarely = 5 },
    { .name = "find a text in a picture",
      .args = { "find-text", "Invoice", "text.png" },
      .varies = true,
      .calls_only = true,
      .reads_text = true,
      .every = 17,
      .rarely = 5 },
    { .name = "find a picture in a picture",
      .args = { "find-image", "part.png", "frame.png", "--same-scale" },
      .every = 3 },
    { .name = "print the completion of bash",
      .args = { "completion", "bash" } },
    { .name = "print the completion of zsh", .args = { "completion", "zsh" } },
    { .name = "print the completion of fish",
      .args = { "completion", "fish" } },
    { .name = "complete a word",
      .args = { "completion", "live", "2", "squint", "archive", "st" } },
    { .name = "print the man page", .args = { "man" } },
    { .name = "show the policy", .args = { "policy", "--read-only" } },
    /* It says which files are missing or cannot be read. */
    { .name = "say where the configuration is",
      .args = { "config", "path" },
      .varies = true },
    { .name = "say which past screenshots would be removed",
      .args = { "archive", "prune", PAST, "--keep", "30d", "--dry-run" },
      .varies = true,
      .every = 3 },
    { .name = "refuse an audit log that is not there",
      .args = { "audit", "verify", "nowhere" },
      .status = 1,
      .fails = true },
    { .name = "refuse to show the inspector to others",
      .args = { "inspect", "--print-only", "--listen", "192.0.2.1:1",
                "--token-file", "token" },
      .status = 2,
      .fails = true },
    { .name = "connect while Android is off",
      .args = { "connect", "127.0.0.1:1" },
      .status = 1,
      .fails = true },
    { .name = "pair while Android is off",
      .args = { "pair", "127.0.0.1:1", "123456" },
      .status = 1,
      .fails = true },
};

/* A look, each kind of action, and what is asked of a phone or simulator. */
#define UNSEEN "--receipt", "none"
#define ON_EACH(what, step)                                                    \
    { .name = "take a screenshot of a " what,                                  \
      .args = { "screenshot", "-o", "out.jpg" },                               \
      .output = "out.jpg",                                                     \
      .varies = true,                                                          \
      .rarely = step },                                                        \
        { .name = "list elements of a " what,                                  \
          .args = { "dump" },                                                  \
          .varies = true,                                                      \
          .rarely = step },                                                    \
        { .name = "tap a " what,                                               \
          .args = { "tap", "30", "30", UNSEEN },                               \
          .varies = true,                                                      \
          .rarely = step },                                                    \
        { .name = "press a key of a " what,                                    \
          .args = { "key", "--name", "home", UNSEEN },                         \
          .varies = true,                                                      \
          .rarely = step },                                                    \
        { .name = "launch an app of a " what,                                  \
          .args = { "launch", "--package-name", "com.squint.demo.login",       \
                    UNSEEN },                                                  \
          .varies = true,                                                      \
          .rarely = step },                                                    \
        { .name = "type on a " what,                                           \
          .args = { "input", "--text", "Ada", "--selector.text", "Username",   \
                    UNSEEN },                                                  \
          .varies = true,                                                      \
          .rarely = step },                                                    \
        { .name = "list apps of a " what,                                      \
          .args = { "apps" },                                                  \
          .varies = true,                                                      \
          .rarely = step },                                                    \
        { .name = "describe a " what,                                          \
          .args = { "info" },                                                  \
          .varies = true,                                                      \
          .rarely = step },                                                    \
    {                                                                          \
        .name = "list the " what, .args = { "devices" }, .varies = true,       \
        .rarely = step                                                         \
    }

static const struct scenario phone[] = {
    ON_EACH("phone", 23),
    { .name = "read the log of a phone",
      .args = { "logs" },
      .varies = true,
      .rarely = 23 },
    { .name = "list notifications of a phone",
      .args = { "notifications" },
      .varies = true,
      .rarely = 23 },
    { .name = "see the doctor with a phone",
      .args = { "doctor" },
      .varies = true,
      .calls_only = true,
      .every = 5,
      .rarely = 23 },
};

static const struct scenario network[] = {
    { .name = "list phones in the network",
      .args = { "connect" },
      .varies = true,
      .rarely = 5 },
    { .name = "connect to a phone",
      .args = { "connect", "127.0.0.1:1" },
      .status = 1,
      .fails = true,
      .rarely = 5 },
    { .name = "pair with a phone",
      .args = { "pair", "192.0.2.7:37123", "123456" },
      .varies = true,
      .rarely = 5 },
    { .name = "fail to pair with a phone",
      .args = { "pair", "192.0.2.7:37123", "000000" },
      .status = 1,
      .fails = true,
      .rarely = 5 },
};

static const struct scenario server[] = {
    { .name = "print a link to the inspector",
      .args = { "inspect", "--print-only", "--listen", "$TORTURE_ADDRESS",
                "--token-file", "$TORTURE_TOKEN" },
      .varies = true },
};

static const struct scenario simulator[] = { ON_EACH("simulator", 31) };

struct scenarios
scenario_table(void) {
    static const struct {
        const char *name;
        struct scenarios table;
    } tables[] = {
        { "phone", { phone, SQ_COUNT(phone) } },
        { "network", { network, SQ_COUNT(network) } },
        { "server", { server, SQ_COUNT(server) } },
        { "simulator", { simulator, SQ_COUNT(simulator) } },
    };
    const char *wanted = getenv("TORTURE_ON");
    for (size_t i = 0; wanted && i < SQ_COUNT(tables); i++) {
        if (strcmp(wanted, tables[i].name) == 0) {
            return tables[i].table;
        }
    }
    return (struct scenarios){ local, SQ_COUNT(local) };
}

static const struct scenario conversions[] = {
    { .name = "make a PNG",
      .args = { "scale", "frame.raw", "-o", "frame.png", "--raw" } },
    { .name = "make a JPEG",
      .args = { "scale", "frame.raw", "-o", "frame.jpg", "--raw" } },
    { .name = "make a WebP",
      .args = { "scale", "frame.raw", "-o", "frame.webp", "--raw" } },
    { .name = "make a part to look for",
      .args = { "scale", "frame.raw", "-o", "part.png", "--raw", "--region",
                "16,16,30,20" } },
    { .name = "make a palette PNG",
      .args = { "scale", "frame.raw", "-o", "palette.png", "--raw", "--colours",
                "16" } },
};

static const struct past_shot first_shot = { .folder = "shots/2026-01-15",
                                             .time = "2026-01-15_10-30-45",
                                             .width = 96,
                                             .height = 80 };

/* Calls of a client: a look, a tap on an element, and a failure. */
static const char journal[] =
    "{\"journal\":1,\"version\":\"1.2.3\",\"started\":5}\n"
    "{\"picture\":1,\"mimeType\":\"image/jpeg\",\"data\":\"AAEC\"}\n"
    "{\"call\":1,\"client\":1,\"tool\":\"ui\",\"operation\":\"screenshot\","
    "\"arguments\":{\"operation\":\"screenshot\"},\"content\":[{\"type\":"
    "\"image\",\"picture\":1},{\"type\":\"text\",\"text\":"
    "\"{\\\"screenshotId\\\":\\\"s1\\\",\\\"device\\\":{\\\"width\\\":1080,"
    "\\\"height\\\":2400}}\"}]}\n"
    "{\"call\":2,\"client\":1,\"tool\":\"ui\",\"operation\":\"tap\",\"acts\":"
    "true,\"arguments\":{\"operation\":\"tap\",\"selector\":{\"text\":"
    "\"Login\"},\"receipt\":\"none\"},\"content\":[{\"type\":\"text\",\"text\":"
    "\"{\\\"element\\\":{\\\"label\\\":\\\"Login\\\",\\\"resourceId\\\":"
    "\\\"icon\\\"}}\"}]}\n"
    "{\"call\":3,\"client\":1,\"tool\":\"ui\",\"operation\":\"tap\",\"acts\":"
    "true,\"arguments\":{\"operation\":\"tap\"},\"content\":[],\"error\":{"
    "\"code\":\"TIMEOUT\",\"message\":\"late\"}}\n";

/* A raw Android frame with edges and colours, different for each seed. */
static void
write_frame(const char *path, int seed) {
    static uint8_t frame[FRAME_BYTES] = { WIDTH, 0, 0, 0, HEIGHT,
                                          0,     0, 0, 1 /* RGBA */ };
    uint8_t *pixel = frame + HEADER_BYTES;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            pixel[0] = (uint8_t)(x * 2);
            pixel[1] = (uint8_t)(y * 3);
            pixel[2] = (x / 8 + y / 8 + seed) % 2 ? 255 : 0;
            pixel[3] = 255;
            pixel += PIXEL_BYTES;
        }
    }
    t_put(path, frame, sizeof(frame));
}

static bool
write_cut(const char *path, const char *from) {
    T_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    bool ok = T_OK(sq_file_read(from, FRAME_BYTES, &bytes, &t_err))
           && T(bytes.len > CUT_BYTES);
    if (ok) {
        t_put(path, bytes.data, bytes.len - CUT_BYTES);
    }
    return ok;
}

bool
scenario_make_samples(int (*run)(const struct scenario *scenario)) {
    write_frame("frame.raw", 0);
    write_frame("later.raw", 1);
    t_put("calls.jsonl", journal, sizeof(journal) - 1);
    past_put_series(&first_shot, 3, 60);
    t_album_age_all(); /* so that their index is written */
    T_FREED(sq_buf_finish) struct sq_buf page = { 0 };
    t_text_line_write("Invoice 4711", &page);
    t_put("text.png", page.data, page.len);
    t_put("shots/2026-01-15/Screenshot_20260115-110000.png", page.data,
          page.len);
    bool ok = true;
    for (size_t i = 0; i < SQ_COUNT(conversions); i++) {
        ok = T_INT(run(&conversions[i]), 0) && ok;
    }
    return ok && write_cut("cut.jpg", "frame.jpg");
}
