#include "device/android/adb.h"

#include "support/test.h"

T_CASE(accepts_the_addresses_of_adb) {
    static const struct {
        const char *text;
        const char *shown; /* NULL: refused */
        bool local;
    } cases[] = {
        { "tcp:5038", "tcp:127.0.0.1:5038", true },
        { "tcp:localhost:5038", "tcp:localhost:5038", true },
        { "tcp:127.0.0.1:1", "tcp:127.0.0.1:1", true },
        { "tcp:127.8.8.8:65535", "tcp:127.8.8.8:65535", true },
        { "tcp:host.docker.internal:5037", "tcp:host.docker.internal:5037",
          false },
        { "tcp:192.168.1.2", "tcp:192.168.1.2:5037", false },
        { "192.168.1.2:99", "tcp:192.168.1.2:99", false },
        { "phonelab", "tcp:phonelab:5037", false },
        { "tcp:*:5038", "tcp:localhost:5038", true },
        { "tcp:*", "tcp:localhost:5037", true },
        { "tcp:[::1]:5037", "tcp:[::1]:5037", true },
        { "tcp:[fe80::1]", "tcp:[fe80::1]:5037", false },
        { "localfilesystem:/tmp/adb.sock", "localfilesystem:/tmp/adb.sock",
          true },
        { "", NULL, false },
        { "tcp:", NULL, false },
        { "tcp:0", NULL, false },
        { "tcp:65536", NULL, false },
        { "tcp:host:", "tcp:host:5037", false },
        { "tcp:host:x", NULL, false },
        { "tcp:host:-1", NULL, false },
        { "tcp:a:b:c", NULL, false },
        { "tcp:[::1", NULL, false },
        { "tcp:[::1]5037", NULL, false },
        { "tcp::5037", NULL, false },
        { "localfilesystem:", NULL, false },
        { "http://host/", NULL, false },
    };
    T_EACH(i, cases) {
        struct sq_adb_address address = { .port = -7 };
        char shown[SQ_ADB_PLACE_SIZE];
        bool ok =
            sq_adb_address_parse(sq_span_of(cases[i].text), &address, &t_err);
        T_INT(ok, cases[i].shown != NULL);
        if (ok && cases[i].shown) {
            sq_adb_show_address(&(struct sq_adb){ .address = address }, shown);
            T_STR(shown, cases[i].shown);
            T_INT(sq_adb_address_is_local(&address), cases[i].local);
        } else {
            T_INT(t_err.code, SQ_ERR_ARGUMENT);
            T(t_err.hint[0]);
            T_INT(address.port, -7);
        }
    }
}

T_CASE(too_long_addresses_are_refused) {
    char text[600] = "localfilesystem:/";
    struct sq_adb_address address;
    memset(text + 17, 'x', 200);
    T(!sq_adb_address_parse(sq_span_of(text), &address, &t_err));
    memset(text, 'h', 500);
    T(!sq_adb_address_parse(sq_span_of(text), &address, &t_err));
}

T_CASE(configuration_takes_precedence_over_environment) {
    static const struct {
        const char *configured;
        struct sq_adb_environment environment;
        const char *shown;
    } cases[] = {
        { NULL, { NULL, NULL, NULL }, "tcp:127.0.0.1:5037" },
        { "", { "", "", "" }, "tcp:127.0.0.1:5037" },
        { "tcp:1", { "tcp:2", "h", "3" }, "tcp:127.0.0.1:1" },
        { NULL, { "tcp:2", "h", "3" }, "tcp:127.0.0.1:2" },
        { NULL, { NULL, "h", "3" }, "tcp:h:3" },
        { NULL, { NULL, "h", NULL }, "tcp:h:5037" },
        { NULL, { NULL, NULL, "3" }, "tcp:127.0.0.1:3" },
        { NULL, { "nonsense:1:2", NULL, NULL }, NULL },
        { NULL, { NULL, NULL, "seven" }, NULL },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct sq_adb_address address;
        char shown[SQ_ADB_PLACE_SIZE] = "";
        bool ok = sq_adb_address_choose(
            cases[i].configured, &cases[i].environment, &address, &t_err);
        T_INT(ok, cases[i].shown != NULL);
        if (ok) {
            sq_adb_show_address(&(struct sq_adb){ .address = address }, shown);
            T_STR(shown, cases[i].shown);
        } else {
            T_HAS(t_err.message, "ADB_SERVER");
        }
    }
}
