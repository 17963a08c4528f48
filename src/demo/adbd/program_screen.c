/*
 * The programs screencap, screenrecord, pkill and wm, and uiautomator, which
 * dumps the elements of the screen as XML.
 */
#include <libdeflate.h>
#include <stdio.h>

#include "demo/adbd/program.h"
#include "image/png/png.h"
#include "util/bytes.h"
#include "util/utf8.h"

#define HEADER_BYTES 16
#define OLD_HEADER_BYTES 12 /* before Android 9 */
#define JPEG_QUALITY 90
#define PNG_SIGNATURE_BYTES 8
#define CHUNK_NAME_BYTES 4
#define CHUNK_EXTRA_BYTES 12 /* length, type and CRC */
#define IDAT_BYTES 8192      /* as libpng writes them */
#define MIN_SIDE 64
#define MAX_SIDE 4096
#define MIN_DPI 72
#define MAX_DPI 1280
#define NS_PER_S INT64_C(1000000000)
#define LONGEST_S 180 /* of a recording */
#define DEFAULT_FILE "/sdcard/window_dump.xml"
#define NULL_ROOT "ERROR: null root node returned by UiTestAutomationBridge.\n"
#define KILLED 137
#define TEXT(name) .text = offsetof(struct sq_node, name), .is_text = true

/* The first boxes of an MP4 file, without a picture. */
static const char video[] = "\0\0\0\x18"
                            "ftypmp42\0\0\0\0isommp42"
                            "\0\0\0\x08"
                            "mdat";

enum picture {
    PICTURE_RAW,
    PICTURE_PNG,
    PICTURE_JPEG,
};

struct shot {
    enum picture format;
    const char *display; /* NULL: default */
    const char *file;    /* NULL: stdout */
};

static void
print_text(struct sq_adbd_call *call, int status, const char *name) {
    struct sq_span text = sq_adbd_answer(name);
    sq_adbd_fail(call, status, "%.*s", SQ_SPAN_ARGS(text));
}

/* Parses the arguments. Returns false if they are invalid. */
static bool
read_args(const char *const *argv, int argc, struct shot *shot) {
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (strcmp(arg, "-p") == 0) {
            shot->format = PICTURE_PNG;
        } else if (strcmp(arg, "-j") == 0 || strcmp(arg, "--jpeg") == 0) {
            shot->format = PICTURE_JPEG;
        } else if (strcmp(arg, "-d") == 0 && i + 1 < argc) {
            shot->display = argv[++i];
        } else if (arg[0] == '-' || shot->file) {
            return false;
        } else {
            shot->file = arg;
        }
    }
    if (shot->file && sq_span_ends_with(sq_span_of(shot->file), ".png")) {
        shot->format = PICTURE_PNG;
    }
    return true;
}

const char *
sq_adbd_screencap_form(const char *const *argv, int argc) {
    static const char *const forms[] = {
        [PICTURE_RAW] = "",
        [PICTURE_PNG] = "-p",
        [PICTURE_JPEG] = "-j",
    };
    struct shot shot = { 0 };
    return read_args(argv, argc, &shot) ? forms[shot.format] : "";
}

/* Returns whether the second panel is meant. It is folded away and black. */
static bool
is_second(const struct sq_adbd_call *call, const struct shot *shot) {
    return shot->display && sq_adbd_has(call, SQ_ADBD_DISPLAY_WARNING)
        && strcmp(shot->display, SQ_ADBD_SECOND_DISPLAY_ID) == 0;
}

static bool
check_display(struct sq_adbd_call *call, const struct shot *shot) {
    const char *id = shot->display;
    uint64_t number;
    if (!id && sq_adbd_has(call, SQ_ADBD_DISPLAY_WARNING)) {
        print_text(call, 0, "screencap displays");
    }
    if (!id || strcmp(id, SQ_ADBD_DISPLAY_ID) == 0 || strcmp(id, "0") == 0
        || is_second(call, shot)) {
        return true;
    }
    if (sq_span_to_uint64(sq_span_of(id), &number)) {
        sq_adbd_fail(call, 1, "Capturing failed.\n");
    } else {
        sq_adbd_fail(call, 1, "Invalid display ID: %s\n", id);
    }
    return false;
}

static bool
put_chunk(struct sq_buf *out, const char *name, const uint8_t *data, size_t len,
          struct sq_err *err) {
    uint8_t *space;
    if (!sq_buf_reserve(out, len + CHUNK_EXTRA_BYTES, &space, err)) {
        return false;
    }
    sq_store_be32(space, (uint32_t)len);
    memcpy(space + 4, name, CHUNK_NAME_BYTES);
    memcpy(space + 4 + CHUNK_NAME_BYTES, data, len);
    sq_store_be32(space + 4 + CHUNK_NAME_BYTES + len,
                  libdeflate_crc32(0, space + 4, CHUNK_NAME_BYTES + len));
    sq_buf_commit(out, len + CHUNK_EXTRA_BYTES);
    return true;
}

/* Appends a PNG with its data split into several chunks, as phones do. */
static bool
put_png(const struct sq_buf *png, struct sq_buf *out, struct sq_err *err) {
    size_t at = PNG_SIGNATURE_BYTES;
    bool ok = sq_buf_append(out, png->data, at, err);
    while (ok && at < png->len) {
        const uint8_t *chunk = png->data + at;
        const char *name = (const char *)chunk + 4;
        const uint8_t *data = chunk + 4 + CHUNK_NAME_BYTES;
        size_t left = sq_load_be32(chunk);
        bool is_data = memcmp(name, "IDAT", CHUNK_NAME_BYTES) == 0;
        at += left + CHUNK_EXTRA_BYTES;
        while (ok && is_data && left > IDAT_BYTES) {
            ok = put_chunk(out, name, data, IDAT_BYTES, err);
            data += IDAT_BYTES;
            left -= IDAT_BYTES;
        }
        ok = ok && put_chunk(out, name, data, left, err);
    }
    return ok;
}

static bool
put_black(struct sq_span frame, struct sq_buf *out, struct sq_err *err) {
    uint8_t *space;
    if (!sq_buf_reserve(out, frame.len, &space, err)) {
        return false;
    }
    memset(space, 0, frame.len);
    memcpy(space, frame.ptr, HEADER_BYTES);
    sq_buf_commit(out, frame.len);
    return true;
}

static size_t
limit_length(const struct sq_adbd_call *call, size_t len) {
    const struct sq_adbd_fault *cut =
        &call->phone->options.faults.of[SQ_ADBD_TRUNCATE];
    return cut->on && (uint64_t)cut->number < len ? (size_t)cut->number : len;
}

/* Appends the picture. call->large is the part that stays in the frame. */
static bool
put_picture(struct sq_adbd_call *call, const struct shot *shot,
            struct sq_span frame, struct sq_buf *out) {
    size_t before = out->len;
    if (shot->format != PICTURE_RAW) {
        enum picture format = shot->format;
        struct sq_err *err = call->err;
        struct sq_rows *rows = NULL;
        struct sq_buf png;
        const struct sq_jpeg_opts opts = { .quality = JPEG_QUALITY };
        bool ok = sq_raw_open((const uint8_t *)frame.ptr, frame.len,
                              &sq_limits_default, &rows, err);
        sq_buf_init(&png, SQ_MAX_IMAGE_BYTES);
        ok = ok
          && (format == PICTURE_PNG
                  ? sq_png_encode(rows, &png, err) && put_png(&png, out, err)
                  : sq_jpeg_encode(rows, &opts, out, err));
        sq_buf_finish(&png);
        sq_rows_destroy(rows);
        if (!ok) {
            return false;
        }
        out->len = before + limit_length(call, out->len - before);
        return true;
    }
    bool old = sq_adbd_has(call, SQ_ADBD_OLD_FRAME);
    size_t header = old ? OLD_HEADER_BYTES : HEADER_BYTES;
    size_t len = limit_length(call, frame.len - HEADER_BYTES + header);
    size_t first = len < header ? len : header;
    call->large = (struct sq_span){ frame.ptr + HEADER_BYTES, len - first };
    return sq_buf_append(out, frame.ptr, first, call->err);
}

void
sq_adbd_run_screencap(struct sq_adbd_call *call) {
    struct shot shot = { 0 };
    struct sq_span frame;
    if (!read_args(call->argv, call->argc, &shot)) {
        print_text(call, 1, "screencap usage");
        return;
    }
    if (!check_display(call, &shot)
        || !sq_adbd_check(
            call, sq_adbd_phone_frame(call->phone, &frame, call->err))) {
        return;
    }
    struct sq_buf *out =
        shot.file ? sq_adbd_create_file(call, shot.file, "Error opening file: ",
                                        " (No such file or directory)")
                  : call->out;
    bool is_black = is_second(call, &shot);
    bool ok = true;
    SQ_BUF(black, SQ_MAX_IMAGE_BYTES);
    if (out && is_black) {
        ok = put_black(frame, &black, call->err);
        frame = sq_buf_span(&black);
    }
    sq_adbd_check(call, !out || (ok && put_picture(call, &shot, frame, out)));
    /* Only the phone's own frame, on the way to stdout, needs no copy. */
    if (out && (shot.file || is_black)) {
        sq_adbd_check(call, sq_buf_append(out, call->large.ptr, call->large.len,
                                          call->err));
        call->large = (struct sq_span){ 0 };
    }
}

/* Begins a recording, in the file of the last argument. */
static void
begin_recording(struct sq_adbd_call *call) {
    struct sq_adbd_phone *phone = call->phone;
    const char *limit = sq_adbd_arg_after(call, "--time-limit");
    int64_t seconds = LONGEST_S;
    if (limit && !sq_span_to_int64(sq_span_of(limit), &seconds)) {
        seconds = 0;
    }
    phone->recording.on = true;
    phone->recording.ends_ns = call->now_ns + seconds * NS_PER_S;
    snprintf(phone->recording.path, sizeof(phone->recording.path), "%s",
             call->argv[call->argc - 1]);
}

/* Appends as many bytes as the fault says, which differ by their place. */
static bool
put_more(const struct sq_adbd_phone *phone, struct sq_buf *out,
         struct sq_err *err) {
    const struct sq_adbd_fault *fault =
        &phone->options.faults.of[SQ_ADBD_VIDEO];
    bool ok = true;
    for (int64_t left = fault->on ? fault->number : 0; ok && left > 0;
         left -= 4) {
        uint32_t word = (uint32_t)left * UINT32_C(2654435761);
        ok = sq_buf_append(out, &word, left < 4 ? (size_t)left : 4, err);
    }
    return ok;
}

static void
run_screenrecord(struct sq_adbd_call *call) {
    struct sq_adbd_phone *phone = call->phone;
    if (call->seen++ == 0) {
        begin_recording(call);
    }
    call->goes_on =
        phone->recording.on && call->now_ns < phone->recording.ends_ns;
    if (call->goes_on) {
        return;
    }
    phone->recording.on = false;
    struct sq_buf *file = sq_adbd_create_file(call, phone->recording.path,
                                              "ERROR: unable to open '", "'");
    if (file) {
        sq_adbd_check(call,
                      sq_buf_append(file, video, sizeof(video) - 1, call->err)
                          && put_more(phone, file, call->err));
    }
}

/* "pkill -2 -f PATTERN" ends the recording whose file the pattern names. */
static void
run_pkill(struct sq_adbd_call *call) {
    const char *pattern = sq_adbd_arg_after(call, "-f");
    bool matches =
        pattern && call->phone->recording.on
        && strncmp(pattern, "screenrecor", 11) == 0
        && sq_span_ends_with(sq_span_of(pattern), call->phone->recording.path);
    call->phone->recording.on = call->phone->recording.on && !matches;
    call->status = !matches;
}

/* Reads WIDTHxHEIGHT, or "reset", which leaves *size as it is. */
static bool
read_size(const char *text, struct sq_size *size) {
    struct sq_span rest = sq_span_of(text);
    int64_t width;
    int64_t height;
    if (strcmp(text, "reset") == 0) {
        return true;
    }
    if (!sq_span_take_int64(&rest, &width) || !sq_span_take_prefix(&rest, "x")
        || !sq_span_to_int64(rest, &height) || width < MIN_SIDE
        || height < MIN_SIDE || width > MAX_SIDE || height > MAX_SIDE) {
        return false;
    }
    *size = (struct sq_size){ (int)width, (int)height };
    return true;
}

static void
run_wm_density(struct sq_adbd_call *call) {
    double *density = &call->phone->demo->options.density;
    int panel = sq_adbd_phone_dpi(call->phone->density);
    int64_t dpi = sq_adbd_phone_dpi(*density);
    if (call->argc > 2) {
        sq_adbd_phone_touched(call->phone);
        if (sq_adbd_arg_is(call, 2, "reset")) {
            *density = call->phone->density;
        } else if (sq_span_to_int64(sq_span_of(call->argv[2]), &dpi)
                   && dpi >= MIN_DPI && dpi <= MAX_DPI) {
            *density = (double)dpi / SQ_ADBD_DPI_OF_DENSITY;
        } else {
            sq_adbd_fail(call, 255, "Error: density must be >= 72\n");
        }
        return;
    }
    sq_adbd_print(call, "Physical density: %d\n", panel);
    if (dpi != panel) {
        sq_adbd_print(call, "Override density: %d\n", (int)dpi);
    }
}

static void
run_wm(struct sq_adbd_call *call) {
    if (sq_adbd_arg_is(call, 1, "size")) {
        struct sq_demo_options *options = &call->phone->demo->options;
        struct sq_size panel = call->phone->panel;
        struct sq_size size = panel;
        if (call->argc == 2) {
            sq_adbd_print(call, "Physical size: %dx%d\n", panel.width,
                          panel.height);
            if (options->width != panel.width
                || options->height != panel.height) {
                sq_adbd_print(call, "Override size: %dx%d\n", options->width,
                              options->height);
            }
        } else if (read_size(call->argv[2], &size)) {
            options->width = size.width;
            options->height = size.height;
            sq_adbd_phone_touched(call->phone);
        } else {
            sq_adbd_fail(call, 255, "Error: bad size %s\n", call->argv[2]);
        }
    } else if (sq_adbd_arg_is(call, 1, "density")) {
        run_wm_density(call);
    } else if (!sq_adbd_arg_is(call, 1, "dismiss-keyguard")) {
        /* That does nothing: the lock screen has a secret, or is not there. */
        sq_adbd_fail(call, 255, "Unknown command: %s\n",
                     call->argc > 1 ? call->argv[1] : "(null)");
    }
}

/* In the order of uiautomator: texts of the node, then its flags. */
static const struct {
    const char *name;
    enum sq_node_flag flag;
    bool is_text;
    size_t text; /* where it is in the node */
} attributes[] = {
    { "text", TEXT(text) },
    { "resource-id", TEXT(resource_id) },
    { "class", TEXT(class_name) },
    { "package", TEXT(package) },
    { "content-desc", TEXT(desc) },
    { "checkable", .flag = SQ_NODE_CHECKABLE },
    { "checked", .flag = SQ_NODE_CHECKED },
    { "clickable", .flag = SQ_NODE_CLICKABLE },
    { "enabled", .flag = SQ_NODE_ENABLED },
    { "focusable", .flag = SQ_NODE_FOCUSABLE },
    { "focused", .flag = SQ_NODE_FOCUSED },
    { "scrollable", .flag = SQ_NODE_SCROLLABLE },
    { "long-clickable", .flag = SQ_NODE_LONG_CLICKABLE },
    { "password", .flag = SQ_NODE_PASSWORD },
    { "selected", .flag = SQ_NODE_SELECTED },
};

/* Characters that XML forbids are written as a dot, as uiautomator does. */
static void
put_escaped(struct sq_adbd_call *call, struct sq_span text) {
    while (text.len > 0) {
        uint32_t code = 0;
        size_t len = sq_utf8_decode(text, &code);
        static const char *const entities[] = {
            ['&'] = "&amp;",  ['<'] = "&lt;",   ['>'] = "&gt;",
            ['"'] = "&quot;", ['\n'] = "&#10;", ['\r'] = "&#13;",
            ['\t'] = "&#9;",
        };
        const char *entity = code < SQ_COUNT(entities) ? entities[code] : NULL;
        bool is_invalid =
            len == 0 || code < ' ' || code == 0xfffe || code == 0xffff;
        len = len ? len : 1;
        sq_adbd_put(call, entity       ? sq_span_of(entity)
                          : is_invalid ? SQ_SPAN(".")
                                       : (struct sq_span){ text.ptr, len });
        sq_span_skip(&text, len);
    }
}

/* Returns whether the node is clickable but has no description (NAF). */
static bool
is_not_accessible(const struct sq_node *node) {
    unsigned both = SQ_NODE_CLICKABLE | SQ_NODE_ENABLED;
    const struct sq_node *end = node;
    if ((node->flags & both) != both) {
        return false;
    }
    while (end && !end->next) {
        end = end->parent;
    }
    end = end ? end->next : NULL;
    while (node && node != end && !node->text.len && !node->desc.len) {
        node = sq_node_after(node);
    }
    return node == end;
}

static int
index_in_parent(const struct sq_node *node) {
    int index = 0;
    const struct sq_node *one = node->parent ? node->parent->first_child : node;
    while (one && one != node) {
        one = one->next;
        index++;
    }
    return index;
}

static void
put_node(struct sq_adbd_call *call, const struct sq_node *node) {
    struct sq_dev_rect at = node->bounds;
    int index = index_in_parent(node);
    sq_adbd_print(call, "<node%s index=\"%d\"",
                  is_not_accessible(node) ? " NAF=\"true\"" : "", index);
    for (size_t i = 0; i < SQ_COUNT(attributes); i++) {
        bool is_set = node->flags & attributes[i].flag;
        const void *text = (const char *)node + attributes[i].text;
        sq_adbd_print(call, " %s=\"", attributes[i].name);
        put_escaped(call, attributes[i].is_text ? *(const struct sq_span *)text
                          : is_set              ? SQ_SPAN("true")
                                                : SQ_SPAN("false"));
        sq_adbd_put(call, SQ_SPAN("\""));
    }
    sq_adbd_print(call,
                  " bounds=\"[%d,%d][%d,%d]\" drawing-order=\"%d\" hint=\"",
                  at.left, at.top, at.right, at.bottom, index);
    put_escaped(call, node->hint);
    sq_adbd_print(call, "\" display-id=\"0\"%s",
                  node->first_child ? ">" : " />");
    /* The end tags of all ancestors that end with this node. */
    bool is_last = !node->first_child;
    while (is_last && !node->next && node->parent) {
        node = node->parent;
        sq_adbd_put(call, SQ_SPAN("</node>"));
    }
}

static void
write_document(struct sq_adbd_call *call, const struct sq_tree *tree,
               const char *path) {
    struct sq_buf *out = call->out;
    bool is_stdout = strcmp(path, "/dev/tty") == 0
                  || strcmp(path, "/dev/stdout") == 0
                  || strcmp(path, "/proc/self/fd/1") == 0;
    call->out = is_stdout
                  ? out
                  : sq_adbd_create_file(
                      call, path, "java.io.FileNotFoundException: ",
                      ": open failed: ENOENT (No such file or directory)\n"
                      "\tat libcore.io.IoBridge.open(IoBridge.java:574)");
    if (call->out) {
        sq_adbd_print(call,
                      "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
                      "<hierarchy rotation=\"%d\">",
                      call->phone->demo->landscape);
        for (const struct sq_node *node = tree->root; node;
             node = sq_node_after(node)) {
            put_node(call, node);
        }
        sq_adbd_put(call, SQ_SPAN("</hierarchy>"));
    }
    call->out = out;
    if (call->status == 0) {
        sq_adbd_print(call, "UI hierchary dumped to: %s\n", path);
    }
}

/* Simulates failures. Returns whether a fault has produced the output. */
static bool
inject_fault(struct sq_adbd_call *call) {
    struct sq_adbd_faults *faults = &call->phone->options.faults;
    if (sq_adbd_fault_spend(faults, SQ_ADBD_CRASH)) {
        call->status = KILLED;
    } else if (sq_adbd_fault_spend(faults, SQ_ADBD_IDLE)) {
        sq_adbd_fail(call, 0, "ERROR: could not get idle state.\n");
    } else if (sq_adbd_fault_spend(faults, SQ_ADBD_NULL_ROOT)) {
        sq_adbd_fail(call, 0, NULL_ROOT);
    } else {
        return false;
    }
    return true;
}

static void
run_uiautomator(struct sq_adbd_call *call) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_deadline deadline = { .at_ns = INT64_MAX };
    const char *path = DEFAULT_FILE;
    if (!sq_adbd_arg_is(call, 1, "dump")) {
        sq_adbd_fail(call, 1,
                     "Usage: uiautomator <subcommand> [options]\n\n"
                     "Available subcommands:\n"
                     "help: displays help message\n"
                     "dump: creates an XML dump of current UI hierarchy\n");
        return;
    }
    for (int i = 2; i < call->argc; i++) {
        path = call->argv[i][0] == '-' ? path : call->argv[i];
    }
    if (inject_fault(call)
        || !sq_adbd_check(call,
                          sq_device_tree(sq_adbd_phone_device(call->phone),
                                         &tree, &deadline, call->err))) {
        return;
    }
    if (tree.root) {
        write_document(call, &tree, path);
    } else {
        sq_adbd_fail(call, 0, NULL_ROOT);
    }
}

const struct sq_adbd_program sq_adbd_screen_programs[] = {
    { "pkill", run_pkill, SQ_ADBD_PROGRAM },
    { "screencap", sq_adbd_run_screencap, SQ_ADBD_PROGRAM },
    { "screenrecord", run_screenrecord, SQ_ADBD_PROGRAM },
    { "wm", run_wm, SQ_ADBD_PROGRAM },
    { "window", run_wm, SQ_ADBD_SERVICE },
    { "uiautomator", run_uiautomator, SQ_ADBD_PROGRAM },
    { 0 },
};
