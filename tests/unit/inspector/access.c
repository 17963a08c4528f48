#include "inspector/inspector.h"

#include "support/test.h"

#define SECRET "the secret of a person"
#define TOKEN "0123456789abcdef0123456789abcdef"
#define NOW 1000000

static struct sq_inspector_access
make(const char *token, int port) {
    struct sq_inspector_access access;
    sq_inspector_access_init(&access, token, SECRET, port);
    return access;
}

T_CASE(key_works_once) {
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

#define HOST SQ_SPAN("127.0.0.1:4477")
#define NOW_MS ((int64_t)NOW * 1000)

static bool
proves(const char *token, struct sq_span host, int64_t started_ms,
       int64_t now_ms, const char *proof) {
    struct sq_inspector_access access = make(token, 4477);
    return sq_inspector_access_check_proof(&access, host, started_ms, now_ms,
                                           sq_span_of(proof));
}

/* It proves only that the token is known, at one address and for a minute. */
T_CASE(proof_is_bound_to_token_address_and_time) {
    struct sq_inspector_access access = make(TOKEN, 4477);
    const int64_t minute = SQ_INSPECTOR_PROOF_SECONDS * 1000;
    char proof[SQ_INSPECTOR_PROOF_SIZE];
    sq_inspector_access_make_proof(&access, HOST, NOW_MS, proof);
    T(strstr(proof, TOKEN) == NULL);
    T(proves(TOKEN, HOST, NOW_MS, NOW_MS, proof));
    T(proves(TOKEN, HOST, 0, NOW_MS + minute, proof));
    T(!proves(TOKEN, HOST, 0, NOW_MS + minute + 1, proof));
    T(proves(TOKEN, HOST, 0, NOW_MS - minute, proof));
    T(!proves(TOKEN, HOST, 0, NOW_MS - minute - 1, proof));
    T(!proves(TOKEN, HOST, NOW_MS + 1, NOW_MS + 2, proof));
    T(!proves(TOKEN "0", HOST, 0, NOW_MS, proof));
    T(!proves(TOKEN, SQ_SPAN("127.0.0.1:4478"), 0, NOW_MS, proof));
    T(!proves(TOKEN, HOST, 0, NOW_MS, ""));
    T(!proves(TOKEN, HOST, 0, NOW_MS, "1000000000."));
    proof[strlen(proof) - 1] ^= 1;
    T(!proves(TOKEN, HOST, 0, NOW_MS, proof));
}

T_CASE(key_expires) {
    struct sq_inspector_access access = make(TOKEN, 4477);
    char key[SQ_INSPECTOR_KEY_SIZE];
    T(sq_inspector_access_make_key(&access, NOW, key, NULL));
    int64_t late = NOW + SQ_INSPECTOR_KEY_SECONDS + 1;
    T(!sq_inspector_access_use_key(&access, late, sq_span_of(key)));
    T(sq_inspector_access_make_key(&access, NOW, key, NULL));
    T(sq_inspector_access_use_key(&access, late - 1, sq_span_of(key)));
}

T_CASE(oldest_key_is_replaced) {
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

T_CASE(cookie_is_signed) {
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

T_CASE(cookie_belongs_to_token_and_port) {
    struct sq_inspector_access access = make(TOKEN, 4477);
    struct sq_inspector_access restarted = make(TOKEN, 4477);
    struct sq_inspector_access other_token = make(TOKEN "0", 4477);
    struct sq_inspector_access other_port = make(TOKEN, 4478);
    struct sq_inspector_access other_secret;
    sq_inspector_access_init(&other_secret, TOKEN, SECRET "0", 4477);
    char cookie[SQ_INSPECTOR_COOKIE_SIZE];
    T(sq_inspector_access_make_cookie(&access, NOW, cookie, NULL));
    T(accepts(&restarted, NOW, cookie));
    T(!accepts(&other_token, NOW, cookie));
    T(!accepts(&other_port, NOW, cookie));
    T(!accepts(&other_secret, NOW, cookie));
}
