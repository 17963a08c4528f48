/* The pure parts of the browser: origins, keys, messages and element rows. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device/browser/private.h"
#include "support/test.h"

T_CASE(origins_of_urls) {
    static const struct {
        const char *url;
        const char *origin; /* NULL: refused; "~": it is local */
    } rows[] = {
        { "https://example.com/", "https example.com 443" },
        { "http://Example.COM:8080/x?y#z", "http example.com 8080" },
        { "HTTPS://a.b", "https a.b 443" },
        { "http://8.8.8.8/", "http 8.8.8.8 80" },
        { "http://172.32.0.1/", "http 172.32.0.1 80" },
        { "http://127.0.0.1/", "~http 127.0.0.1 80" },
        { "http://10.1.2.3:1/", "~http 10.1.2.3 1" },
        { "http://172.16.0.1/", "~http 172.16.0.1 80" },
        { "http://192.168.1.1/", "~http 192.168.1.1 80" },
        { "http://169.254.169.254/", "~http 169.254.169.254 80" },
        { "http://100.64.0.1/", "~http 100.64.0.1 80" },
        { "http://0.0.0.0/", "~http 0.0.0.0 80" },
        { "http://[::1]:80/", "~http [::1] 80" },
        { "http://[2001:db8::1]/", "~http [2001:db8::1] 80" },
        { "http://localhost:3000", "~http localhost 3000" },
        { "http://LOCALHOST./", "~http localhost. 80" },
        { "http://a.localhost/", "~http a.localhost 80" },
        { "http://printer/", "~http printer 80" },
        { "http://nas.local/", "~http nas.local 80" },
        { "file:///etc/passwd", NULL },
        { "javascript:alert(1)", NULL },
        { "chrome://settings", NULL },
        { "http:/example.com", NULL },
        { "http://", NULL },
        { "http:///x", NULL },
        { "http://./", NULL },
        { "http://user@example.com/", NULL },
        { "http://example.com\\@10.0.0.1/", NULL },
        { "http://example.com:99999/", NULL },
        { "http://2130706433/", NULL },
        { "http://127.1/", NULL },
        { "http://0x7f.0.0.1/", NULL },
        { "http://127.0.0.01/", NULL },
        { "http://%31%32%37.0.0.1/", NULL },
        { "http://ex\xc3\xa4mple.com/", NULL },
        { "http://[::1/", NULL },
        { "http://[x]/", NULL },
        { "view-source:http://example.com/", NULL },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_origin origin;
        char text[SQ_HOST_SIZE + 40] = "";
        struct sq_err err = { 0 };
        bool ok = sq_origin_parse(sq_span_of(rows[i].url), &origin, &err);
        if (ok) {
            snprintf(
                text, sizeof(text), "%s%s %s %d", origin.is_local ? "~" : "",
                origin.is_https ? "https" : "http", origin.host, origin.port);
        } else {
            T_INT(err.code, SQ_ERR_ARGUMENT);
            T(err.hint[0] != '\0');
        }
        T_STR(text, rows[i].origin ? rows[i].origin : "");
    }
}

T_CASE(allowed_origins) {
    static const struct {
        const char *rule;
        const char *url;
        bool is_allowed;
    } rows[] = {
        { "*", "https://example.com/", true },
        { "*", "http://localhost/", false },
        { "*", "http://192.168.0.1/", false },
        { "http://localhost:3000", "http://localhost:3000/x", true },
        { "http://localhost:3000", "http://localhost:3001/", false },
        { "http://localhost:3000", "https://localhost:3000/", false },
        { "http://localhost:3000", "https://example.com/", false },
        { "localhost", "https://localhost:99/", true },
        { "localhost:*", "http://localhost:99/", true },
        { "https://example.com", "https://example.com/", true },
        { "https://example.com", "https://example.com:444/", false },
        { "https://EXAMPLE.com/", "https://example.com/", true },
        { "https://example.com", "https://a.example.com/", false },
        { "*.example.com", "https://a.b.example.com/", true },
        { "*.example.com", "https://example.com/", true },
        { "*.example.com", "https://badexample.com/", false },
        { "*.example.com", "https://example.com.evil.org/", false },
        { "10.0.0.1", "http://10.0.0.1/", true },
        { "[::1]", "http://[::1]/", true },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        const struct sq_strings allow = { &rows[i].rule, 1 };
        struct sq_origin origin;
        struct sq_err err = { 0 };
        T_OK(sq_origin_check_rules(&allow, &t_err));
        T_OK(sq_origin_parse(sq_span_of(rows[i].url), &origin, &t_err));
        bool ok = sq_origin_check(&origin, &allow, &err);
        if (ok != rows[i].is_allowed) {
            T_STR(rows[i].url, rows[i].rule);
        }
        T(ok || (err.code == SQ_ERR_INVALID_OPERATION && err.hint[0]));
    }
    static const char *const bad[] = { "",    "https://",   "a b", "x:0",
                                       "x:y", "http://a/b", "**",  "*x" };
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        const struct sq_strings allow = { &bad[i], 1 };
        T_FAILS(sq_origin_check_rules(&allow, &t_err), SQ_ERR_ARGUMENT);
    }
}

/* Returns whether the rules of these entries contain a text. */
static bool
rules_have(const char *const *entries, size_t count, const char *text) {
    T_BUF(rules, SQ_MAX_RULES_BYTES);
    const struct sq_strings allow = { entries, count };
    T_OK(sq_origin_resolver_rules(&allow, &rules, &t_err));
    T_OK(sq_buf_append_byte(&rules, '\0', &t_err));
    return strstr((const char *)rules.data, text) != NULL;
}

T_CASE(rules_of_the_resolver) {
    static const char *const all[] = { "*", "http://localhost:3000" };
    static const char *const few[] = { "*.example.com" };
    T(rules_have(all, 2, "EXCLUDE localhost"));
    T(rules_have(all, 2, "MAP 192.168.* ~NOTFOUND"));
    T(rules_have(all, 2, "MAP 172.31.* ~NOTFOUND"));
    T(rules_have(all, 2, "MAP localhost. ~NOTFOUND"));
    T(!rules_have(all, 2, "172.32."));
    T(!rules_have(all, 2, "MAP * ~NOTFOUND"));
    T(rules_have(few, 1, "MAP * ~NOTFOUND"));
    T(rules_have(few, 1, "EXCLUDE *.example.com"));
    T(rules_have(few, 1, "EXCLUDE example.com"));
}

T_CASE(names_of_keys) {
    static const struct {
        const char *name;
        const char *want; /* key code number text modifiers; NULL: unknown */
    } rows[] = {
        { "enter", "Enter Enter 13 \r 0" },
        { "ctrl-a", "a KeyA 65  2" },
        { "ctrl+shift+z", "Z KeyZ 90  10" },
        { "shift-b", "B KeyB 66 B 8" },
        { "7", "7 Digit7 55 7 0" },
        { "shift-tab", "Tab Tab 9  8" },
        { "page_down", "PageDown PageDown 34  0" },
        { "dpad_left", "ArrowLeft ArrowLeft 37  0" },
        { "del", "Backspace Backspace 8  0" },
        { "f12", "F12 F12 123  0" },
        { "f13", NULL },
        { "volume_up", NULL },
        { "ctrl-", NULL },
        { "ctrl", NULL },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_browser_key key;
        char own[16];
        int modifiers;
        char text[80] = "";
        struct sq_err err = { 0 };
        if (sq_browser_key_find(rows[i].name, &key, own, &modifiers, &err)) {
            snprintf(text, sizeof(text), "%s %s %d %s %d", key.key, key.code,
                     key.number, key.text, modifiers);
        } else {
            T_INT(err.code, SQ_ERR_ARGUMENT);
        }
        T_STR(text, rows[i].want ? rows[i].want : "");
    }
}

T_CASE(messages) {
    T_ARENA(arena, 1 << 16);
    struct sq_cdp_message message;
    T_OK(sq_cdp_parse(SQ_SPAN("{\"id\":7,\"result\":{\"a\":1},"
                              "\"sessionId\":\"S\"}"),
                      &arena, &message, &t_err));
    T_INT(message.id, 7);
    T(sq_span_is(message.session, "S"));
    T_INT(sq_json_int_of(message.params, "a"), 1);
    T_OK(sq_cdp_parse(SQ_SPAN("{\"id\":8,\"error\":{\"message\":\"no\"}}"),
                      &arena, &message, &t_err));
    T(message.is_error && sq_span_is(message.error, "no"));
    T_OK(sq_cdp_parse(SQ_SPAN("{\"method\":\"A.b\",\"params\":{}}"), &arena,
                      &message, &t_err));
    T(message.id == 0 && sq_span_is(message.method, "A.b"));
    T_FAILS(sq_cdp_parse(SQ_SPAN("{}"), &arena, &message, &t_err),
            SQ_ERR_FORMAT);
    T_FAILS(sq_cdp_parse(SQ_SPAN("{\"id\":-1}"), &arena, &message, &t_err),
            SQ_ERR_FORMAT);
    T(!sq_cdp_parse(SQ_SPAN("nonsense"), &arena, &message, &t_err));
}

/* Reads rows into a tree of a screen of 100x100. */
static bool
read_rows(const char *text, struct sq_tree *tree, struct sq_err *err) {
    T_ARENA(arena, 1 << 20);
    const struct sq_json *answer;
    char json[1000];
    static struct sq_opaque_frames opaque;
    const struct sq_frame_place place = { .clip = { 0, 0, 100, 100 },
                                          .opaque = &opaque };
    sq_arena_init(&tree->arena, 1 << 20);
    snprintf(json, sizeof(json), "{\"rows\":%s}", text);
    T_OK(sq_json_parse(sq_span_of(json), &arena, &answer, &t_err));
    return sq_page_add(tree, answer, &place, err);
}

T_CASE(rows_become_a_tree) {
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    T_OK(
        read_rows("[[1,0,\"page\",\"\",\"\",\"\",\"\",0,0,100,100,\"s\"],"
                  "[2,1,\"button\",\"\",\"Buy\",\"\",\"b\",10,10,20,20,\"cf\"],"
                  "[3,2,\"link\",\"\",\"In it\",\"\",\"\",11,11,12,12,\"cd\"],"
                  "[4,1,\"textbox\",\"x\",\"Name\",\"hint\",\"\",-5,90,50,900,"
                  "\"ceF\"]]",
                  &tree, &t_err));
    T_INT(tree.count, 4);
    const struct sq_node *root = tree.root;
    T(root->flags & SQ_NODE_SCROLLABLE);
    const struct sq_node *button = root->first_child;
    T(sq_span_is(button->text, "Buy") && button->desc.len == 0);
    T(button->flags & SQ_NODE_CLICKABLE && button->flags & SQ_NODE_ENABLED);
    T(!(button->first_child->flags & SQ_NODE_ENABLED));
    const struct sq_node *field = button->next;
    T(sq_span_is(field->text, "x") && sq_span_is(field->desc, "Name"));
    T_INT(field->bounds.left, 0);
    T_INT(field->bounds.bottom, 100);
    T_INT(field->depth, 1);
}

T_CASE(malformed_rows_are_refused) {
    static const char *const bad[] = {
        "{}",
        "1",
        "[1]",
        "[[]]",
        "[[5,0,\"page\",\"\",\"\",\"\",\"\",0,0,100,100]]",
        "[[6,\"0\",\"page\",\"\",\"\",\"\",\"\",0,0,100,100,\"\"]]",
        "[[7,0,\"page\",\"\",\"\",\"\",\"\",0.5,0,100,100,\"\"]]",
    };
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
        T_FAILS(read_rows(bad[i], &tree, &t_err), SQ_ERR_FORMAT);
    }
    /* Depths that no walk has do no harm. */
    struct sq_tree tree = { 0 };
    T_OK(read_rows("[[8,9,\"a\",\"\",\"\",\"\",\"\",0,0,1,1,\"\"],"
                   "[9,-3,\"b\",\"\",\"\",\"\",\"\",0,0,1,1,\"\"],"
                   "[10,99999,\"c\",\"\",\"\",\"\",\"\",0,0,1,1,\"\"]]",
                   &tree, &t_err));
    T_INT(tree.root->first_child->first_child->depth, 2);
    sq_tree_finish(&tree);
}

/* A connection whose other end the test writes to. */
struct wire {
    struct sq_cdp cdp;
    int other;
    int events;
};

static void
count_event(void *context, const struct sq_cdp_message *event) {
    struct wire *wire = context;
    (void)event;
    wire->events++;
}

static bool
never_blocked(void *context, struct sq_err *err) {
    (void)context;
    (void)err;
    return false;
}

static void
connect_wire(struct wire *wire) {
    int ends[2];
    T(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    *wire = (struct wire){ .other = ends[1] };
    wire->cdp.context = wire;
    wire->cdp.on_event = count_event;
    wire->cdp.is_blocked = never_blocked;
    T(sq_cdp_adopt(&wire->cdp, ends[0], false, NULL));
}

/* Writes a message with as many bytes inside; a thread reads it meanwhile. */
static void *
write_large(void *context) {
    const struct wire *wire = context;
    static const char *const texts[] = {
        "{\"id\":7,\"result\":\"",
        "{\"method\":\"x\",\"params\":\"",
    };
    static char filler[1 << 16];
    memset(filler, 'x', sizeof(filler));
    for (size_t i = 0; i < 2; i++) {
        T(write(wire->other, texts[i], strlen(texts[i])) > 0);
        for (size_t sent = 0; sent < SQ_MAX_JSON_BYTES + sizeof(filler);) {
            ssize_t count = write(wire->other, filler, sizeof(filler));
            if (count <= 0) {
                return NULL;
            }
            sent += (size_t)count;
        }
        T(write(wire->other, "\"}", 3) == 3);
    }
    for (int i = 0; i < SQ_MAX_JSON_DEPTH + 1; i++) {
        T(write(wire->other, i == 0 ? "{\"id\":8,\"result\":[" : "[",
                i == 0 ? 18 : 1)
          > 0);
    }
    T(write(wire->other, "", 1) == 1);
    T(write(wire->other, "{\"id\":9,\"result\":{}}", 21) == 21);
    T(write(wire->other, "{\"id\":10,\"res", 13) == 13);
    close(wire->other);
    return NULL;
}

T_CASE(messages_that_cannot_be_read_are_left_out) {
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct wire wire;
    pthread_t writer;
    connect_wire(&wire);
    T(pthread_create(&writer, NULL, write_large, &wire) == 0);
    for (int64_t id = 7; id <= 10; id++) {
        static const enum sq_err_code codes[] = { SQ_ERR_IO, SQ_ERR_IO,
                                                  SQ_ERR_NONE,
                                                  SQ_ERR_DEVICE_OFFLINE };
        struct sq_err err = { 0 };
        sq_cdp_await(&wire.cdp, id, NULL, &deadline, &err);
        T_INT(err.code, codes[id - 7]);
        T(id > 8 || strstr(err.message, "too large"));
    }
    T_INT(wire.events, 1);
    pthread_join(writer, NULL);
    sq_cdp_finish(&wire.cdp);
}
