#include "util/tzif.h"

#include "support/test.h"
#include "util/time_text.h"

/* Seconds since 1970 of a UTC time. */
static int64_t
at(const char *text) {
    struct sq_time_text time = { 0 };
    T(sq_time_parse(sq_span_of(text), &time, NULL));
    return time.wall_s - time.offset_s;
}

static struct sq_zone_rule
rule_of(const char *text) {
    struct sq_zone_rule rule = { 0 };
    T(sq_zone_rule_parse(sq_span_of(text), &rule));
    return rule;
}

T_CASE(rules_give_the_offset) {
    static const struct {
        const char *rule;
        const char *utc;
        int offset_s;
    } rows[] = {
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-01-15T12:00Z", 3600 },
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59Z", 3600 },
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 7200 },
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T00:59:59Z", 7200 },
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 3600 },
        { "EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:59Z", -18000 },
        { "EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", -14400 },
        { "EST5EDT", "2026-07-01T00:00Z", -14400 },
        { "EST5EDT", "2026-12-01T00:00Z", -18000 },
        /* In the southern hemisphere summer includes the new year. */
        { "AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-12-31T23:59Z", 39600 },
        { "AEST-10AEDT,M10.1.0,M4.1.0/3", "2027-01-01T00:00Z", 39600 },
        { "AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-07-01T00:00Z", 36000 },
        /* Changes before midnight and long after it. */
        { "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7200 },
        { "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3600 },
        { "IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-26T23:59:59Z", 7200 },
        { "IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-27T00:00:00Z", 10800 },
        /* Ireland defines winter as the other time. */
        { "IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00Z", 3600 },
        { "IST-1GMT0,M10.5.0,M3.5.0/1", "2026-12-01T00:00Z", 0 },
        /* Summer all year. */
        { "XXX3EDT4,0/0,J365/23", "2026-12-31T23:30Z", -14400 },
        { "XXX3EDT4,0/0,J365/23", "2027-01-01T03:00Z", -14400 },
        { "XXX3EDT4,0/0,J365/23", "2026-06-01T00:00Z", -14400 },
        { "AAA0BBB,J60/0,J300/0", "2024-02-29T23:59:59Z", 0 },
        { "AAA0BBB,J60/0,J300/0", "2024-03-01T00:00:00Z", 3600 },
        { "AAA0BBB,59/0,300/0", "2024-02-29T00:00:00Z", 3600 },
        { "<+0545>-5:45", "2026-01-01T00:00Z", 20700 },
        { "UTC0", "2026-01-01T00:00Z", 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_zone_rule rule = rule_of(rows[i].rule);
        if (!T_INT(sq_zone_rule_offset(&rule, at(rows[i].utc)),
                   rows[i].offset_s)) {
            T_STR(rows[i].rule, rows[i].utc);
        }
    }
    /* Times outside all representable years have an offset, too. */
    struct sq_zone_rule rule = rule_of("CET-1CEST,M3.5.0,M10.5.0/3");
    (void)sq_zone_rule_offset(&rule, INT64_MAX);
    (void)sq_zone_rule_offset(&rule, INT64_MIN);
}

T_CASE(invalid_rules_are_refused) {
    static const char *const texts[] = {
        "",
        "C1",
        "CET",
        "CET-25",
        "<>0",
        "<+03",
        "CET-1CEST,",
        "CET-1CEST,M3.5.0",
        "CET-1x",
        "CET-1CEST,M13.1.0,M1.1.0",
        "CET-1CEST,M3.6.0,M1.1.0",
        "CET-1CEST,M3.5.7,M1.1.0",
        "CET-1CEST,J0,J5",
        "CET-1CEST,J366,J5",
        "CET-1CEST,366,5",
        "CET-1CEST,M3.5.0/168,M10.5.0",
        "CET-1:60",
        "CET-1CEST,M3.5.0,M10.5.0 ",
        "CET-99999999999999999999",
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        struct sq_zone_rule rule = { .offset_s = 77 };
        if (!T(!sq_zone_rule_parse(sq_span_of(texts[i]), &rule))) {
            T_STR(texts[i], "refused");
        }
        T_INT(rule.offset_s, 77);
    }
}

/* A file that is being built. */
struct maker {
    uint8_t bytes[2048];
    size_t len;
};

static void
put(struct maker *maker, uint64_t number, int bytes) {
    while (bytes-- > 0) {
        maker->bytes[maker->len++] = (uint8_t)(number >> (8 * bytes));
    }
}

static void
put_header(struct maker *maker, char version, uint32_t leaps, uint32_t steps,
           uint32_t kinds) {
    memcpy(maker->bytes + maker->len, "TZif", 4);
    maker->len += 4;
    put(maker, (uint64_t)version, 1);
    for (int i = 0; i < 15; i++) {
        put(maker, 0, 1);
    }
    put(maker, 0, 4);
    put(maker, 0, 4);
    put(maker, leaps, 4);
    put(maker, steps, 4);
    put(maker, kinds, 4);
    put(maker, 4, 4);
}

/* Two steps: +1 h from 1000 on, back to 0 from 2000 on. */
static void
put_body(struct maker *maker, int time_bytes) {
    put(maker, 1000, time_bytes);
    put(maker, 2000, time_bytes);
    put(maker, 1, 1);
    put(maker, 0, 1);
    for (int kind = 0; kind < 2; kind++) {
        put(maker, (uint64_t)kind * 3600, 4);
        put(maker, (uint64_t)kind, 1);
        put(maker, 0, 1);
    }
    put(maker, 0x41414100, 4);
}

static void
make(struct maker *maker, char version, const char *footer) {
    *maker = (struct maker){ 0 };
    put_header(maker, version, 0, 2, 2);
    put_body(maker, 4);
    if (version) {
        put_header(maker, version, 0, 2, 2);
        put_body(maker, 8);
        size_t len = strlen(footer);
        memcpy(maker->bytes + maker->len, footer, len);
        maker->len += len;
    }
}

T_CASE(tables_give_the_offset_until_their_end) {
    struct maker maker;
    struct sq_tzif tzif = { 0 };
    make(&maker, '2', "\nCET-1CEST,M3.5.0,M10.5.0/3\n");
    T_OK(sq_tzif_parse(maker.bytes, maker.len, &tzif, &t_err));
    T_INT(sq_tzif_offset(&tzif, -5000), 0);
    T_INT(sq_tzif_offset(&tzif, 999), 0);
    T_INT(sq_tzif_offset(&tzif, 1000), 3600);
    T_INT(sq_tzif_offset(&tzif, 1999), 3600);
    /* After the last transition the rule applies. */
    T_INT(sq_tzif_offset(&tzif, at("2026-07-01T00:00Z")), 7200);
    sq_tzif_finish(&tzif);
    sq_tzif_finish(&tzif);
    make(&maker, '3', "\n\n");
    T_OK(sq_tzif_parse(maker.bytes, maker.len, &tzif, &t_err));
    T_INT(sq_tzif_offset(&tzif, at("2026-07-01T00:00Z")), 0);
    sq_tzif_finish(&tzif);
    make(&maker, '\0', "");
    T_OK(sq_tzif_parse(maker.bytes, maker.len, &tzif, &t_err));
    T_INT(sq_tzif_offset(&tzif, 1500), 3600);
    T_INT(sq_tzif_offset(&tzif, 2500), 0);
    sq_tzif_finish(&tzif);
}

T_CASE(broken_files_are_refused) {
    struct maker maker;
    struct sq_tzif tzif = { .first_offset_s = 77 };
    make(&maker, '2', "\nCET-1\n");
    for (size_t len = 0; len < maker.len; len++) {
        struct sq_err err = { 0 };
        T(!sq_tzif_parse(maker.bytes, len, &tzif, &err));
        T_INT(err.code, SQ_ERR_TRUNCATED);
        T_INT(tzif.first_offset_s, 77);
    }
    static const struct {
        size_t at;
        uint8_t byte;
    } changes[] = {
        { 0, 'X' },   /* no such file */
        { 36, 0xff }, /* a billion types */
        { 93, 'X' },  /* the second header */
    };
    for (size_t i = 0; i < SQ_COUNT(changes); i++) {
        struct sq_err err = { 0 };
        make(&maker, '2', "\nCET-1\n");
        maker.bytes[changes[i].at] = changes[i].byte;
        T(!sq_tzif_parse(maker.bytes, maker.len, &tzif, &err));
        T(err.code != SQ_ERR_NONE && err.message[0]);
    }
    struct sq_err err = { 0 };
    make(&maker, '2', "\nnonsense\n");
    T(!sq_tzif_parse(maker.bytes, maker.len, &tzif, &err));
    T_INT(err.code, SQ_ERR_FORMAT);
}

T_CASE(leap_seconds_are_not_counted) {
    struct sq_tzif tzif = { 0 };
    struct maker maker = { 0 };
    put_header(&maker, '\0', 1, 2, 2);
    put_body(&maker, 4);
    put(&maker, 0, 8);
    T_FAILS(sq_tzif_parse(maker.bytes, maker.len, &tzif, &t_err),
            SQ_ERR_UNSUPPORTED);
    T(t_err.hint[0]);
}

static bool
build(void *context, struct sq_err *err) {
    struct maker *maker = context;
    T_FREED(sq_tzif_finish) struct sq_tzif tzif = { 0 };
    return sq_tzif_parse(maker->bytes, maker->len, &tzif, err);
}

T_CASE(every_allocation_can_fail) {
    struct maker maker;
    make(&maker, '2', "\nCET-1\n");
    T_INT(t_alloc_torture(build, &maker), 1);
}
