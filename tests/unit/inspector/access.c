#include "inspector/access.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"

#define TOKEN "0123456789abcdef0123456789abcdef"
#define NOW 1000000

static struct sq_inspector_access
make(const char *token, int port) {
    struct sq_inspector_access access;
    sq_inspector_access_init(&access, token, port);
    return access;
}

static void
key_works_once(void) {
    struct sq_inspector_access access = make(TOKEN, 4477);
    char key[SQ_INSPECTOR_KEY_SIZE];
    T(sq_inspector_access_make_key(&access, NOW, key, NULL));
    T_INT((int)strlen(key), SQ_INSPECTOR_KEY_SIZE - 1);
    T(!sq_inspector_access_use_key(&access, NOW, SQ_SPAN("")));
    T(!sq_inspector_access_use_key(&access, NOW,
                                   sq_span_of("00000000000000000"
                                              "000000000000000")));
    T(sq_inspector_access_use_key(&access, NOW, sq_span_of(key)));
    T(!sq_inspector_access_use_key(&access, NOW, sq_span_of(key)));
}

static void
key_expires(void) {
    struct sq_inspector_access access = make(TOKEN, 4477);
    char key[SQ_INSPECTOR_KEY_SIZE];
    T(sq_inspector_access_make_key(&access, NOW, key, NULL));
    int64_t late = NOW + SQ_INSPECTOR_KEY_SECONDS + 1;
    T(!sq_inspector_access_use_key(&access, late, sq_span_of(key)));
    T(sq_inspector_access_make_key(&access, NOW, key, NULL));
    T(sq_inspector_access_use_key(&access, late - 1, sq_span_of(key)));
}

static void
oldest_key_is_replaced(void) {
    struct sq_inspector_access access = make(TOKEN, 4477);
    char first[SQ_INSPECTOR_KEY_SIZE];
    char other[SQ_INSPECTOR_KEY_SIZE];
    T(sq_inspector_access_make_key(&access, NOW, first, NULL));
    for (int i = 0; i < SQ_INSPECTOR_MAX_KEYS; i++) {
        T(sq_inspector_access_make_key(&access, NOW, other, NULL));
    }
    T(!sq_inspector_access_use_key(&access, NOW, sq_span_of(first)));
    T(sq_inspector_access_use_key(&access, NOW, sq_span_of(other)));
}

static bool
accepts(const struct sq_inspector_access *access, int64_t now,
        const char *header) {
    return sq_inspector_access_check(access, now, sq_span_of(header));
}

static void
cookie_is_signed(void) {
    struct sq_inspector_access access = make(TOKEN, 4477);
    char cookie[SQ_INSPECTOR_COOKIE_SIZE];
    char header[3 * SQ_INSPECTOR_COOKIE_SIZE];
    T(sq_inspector_access_make_cookie(&access, NOW, cookie, NULL));
    T(accepts(&access, NOW, cookie));
    snprintf(header, sizeof(header), "a=b; %s; c=d", cookie);
    T(accepts(&access, NOW, header));
    T(accepts(&access, NOW + SQ_INSPECTOR_COOKIE_SECONDS, cookie));
    T(!accepts(&access, NOW + SQ_INSPECTOR_COOKIE_SECONDS + 1, cookie));
    T(!accepts(&access, NOW, ""));
    T(!accepts(&access, NOW, "squint_inspector_4477="));
    T(!accepts(&access, NOW, "squint_inspector_4477=1.2.3"));
    for (size_t i = 0; cookie[i]; i++) {
        char changed[SQ_INSPECTOR_COOKIE_SIZE];
        memcpy(changed, cookie, sizeof(changed));
        changed[i] = changed[i] == '1' ? '2' : '1';
        T(!accepts(&access, NOW, changed));
        changed[i] = '\0';
        T(!accepts(&access, NOW, changed));
    }
}

static void
cookie_belongs_to_token_and_port(void) {
    struct sq_inspector_access access = make(TOKEN, 4477);
    struct sq_inspector_access restarted = make(TOKEN, 4477);
    struct sq_inspector_access other_token = make(TOKEN "0", 4477);
    struct sq_inspector_access other_port = make(TOKEN, 4478);
    char cookie[SQ_INSPECTOR_COOKIE_SIZE];
    T(sq_inspector_access_make_cookie(&access, NOW, cookie, NULL));
    T(accepts(&restarted, NOW, cookie));
    T(!accepts(&other_token, NOW, cookie));
    T(!accepts(&other_port, NOW, cookie));
}

T_MAIN(T_CASE(key_works_once), T_CASE(key_expires),
       T_CASE(oldest_key_is_replaced), T_CASE(cookie_is_signed),
       T_CASE(cookie_belongs_to_token_and_port))
