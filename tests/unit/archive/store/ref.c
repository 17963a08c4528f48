/* References: opaque, permanent, and only valid with the user's key. */
#include "archive/store/ref.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static const struct sq_ref example = {
    .root = 0x01020304,
    .utc = 1772172884,
    .stem = 0xa1b2c3d4e5,
    .monitor = 3,
};

static struct sq_ref_key
make_key(void) {
    struct sq_ref_key key;
    T_OK(sq_ref_key_make(&key, &t_err));
    return key;
}

T_CASE(reference_contains_what_was_encoded) {
    struct sq_ref_key key = make_key();
    for (int i = 0; i < 10000; i++) {
        struct sq_ref ref = {
            .root = (uint32_t)t_random(),
            .utc = (uint32_t)t_random(),
            .stem = t_random() & 0xffffffffff,
            .monitor = (uint8_t)t_random(),
        };
        struct sq_ref again = { 0 };
        char text[SQ_REF_SIZE];
        sq_ref_write(&key, &ref, text);
        T_INT(strlen(text), 32);
        T(text[0] == '.' || strchr(alphabet, text[0]));
        T_INT(strspn(text + 1, alphabet), 31);
        T(sq_ref_read(&key, sq_span_of(text), &again));
        T(again.root == ref.root && again.utc == ref.utc
          && again.stem == ref.stem && again.monitor == ref.monitor);
    }
}

/* Earlier versions wrote the dash; their references stay valid. */
T_CASE(reference_does_not_begin_with_a_dash) {
    const struct sq_ref ref = { .root = 62u << 26 | 5, .utc = 7 };
    struct sq_ref_key key = make_key();
    struct sq_ref again = { 0 };
    char text[SQ_REF_SIZE];
    sq_ref_write(&key, &ref, text);
    T(text[0] == '.');
    T(sq_ref_has_form(sq_span_of(text)));
    T(sq_ref_read(&key, sq_span_of(text), &again) && again.utc == 7);
    text[0] = '-';
    T(sq_ref_has_form(sq_span_of(text)));
    again.utc = 0;
    T(sq_ref_read(&key, sq_span_of(text), &again) && again.utc == 7);
    text[1] = '.';
    T(!sq_ref_has_form(sq_span_of(text)));
}

T_CASE(reference_needs_the_key) {
    struct sq_ref_key key = make_key();
    struct sq_ref_key other = make_key();
    struct sq_ref ref = { 0 };
    char good[SQ_REF_SIZE];
    int hits = 0;
    sq_ref_write(&key, &example, good);
    for (int i = 0; i < 100000; i++) {
        char text[SQ_REF_SIZE];
        memcpy(text, good, sizeof(text));
        if (i % 4 == 0) {
            sq_ref_write(&other, &example, text);
            text[t_random_between(0, 31)] = alphabet[t_random_between(0, 63)];
        } else if (i % 4 == 1) {
            for (int k = 0; k < 32; k++) {
                text[k] = alphabet[t_random_between(0, 63)];
            }
        } else {
            size_t at = (size_t)t_random_between(0, 31);
            char old = text[at];
            while (text[at] == old) {
                text[at] = alphabet[t_random_between(0, 63)];
            }
        }
        hits += sq_ref_read(&key, sq_span_of(text), &ref);
    }
    T_INT(hits, 0);
    T(sq_ref_read(&key, sq_span_of(good), &ref));
    T(!sq_ref_read(&other, sq_span_of(good), &ref));
}

T_CASE(other_texts_are_refused) {
    struct sq_ref_key key = make_key();
    struct sq_ref ref = { 0 };
    char good[SQ_REF_SIZE + 8];
    static const char *const texts[] = {
        "",
        "x",
        "../../etc/passwd",
        "2026-02-27_06-14-44_01-00_8_6_5_1.jpg",
        "////////////////////////////////",
        "++++++++++++++++++++++++++++++++",
        "================================",
    };
    sq_ref_write(&key, &example, good);
    for (size_t len = 0; len < 32; len++) {
        T(!sq_ref_read(&key, (struct sq_span){ good, len }, &ref));
    }
    good[32] = 'A';
    T(!sq_ref_read(&key, (struct sq_span){ good, 33 }, &ref));
    good[7] = '\0';
    T(!sq_ref_read(&key, (struct sq_span){ good, 32 }, &ref));
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        T(!sq_ref_read(&key, sq_span_of(texts[i]), &ref));
    }
    T_INT(ref.utc, 0);
}

T_CASE(stems_are_distinguished) {
    struct sq_ref_key key = make_key();
    struct sq_ref_key other = make_key();
    uint64_t a = sq_ref_stem(&key, SQ_SPAN("a"));
    T(a == sq_ref_stem(&key, SQ_SPAN("a")));
    T(a != sq_ref_stem(&key, SQ_SPAN("b")));
    T(a != sq_ref_stem(&other, SQ_SPAN("a")));
    T(a >> 40 == 0);
}

T_CASE(key_is_created_once_with_private_mode) {
    struct sq_ref_key first;
    struct sq_ref_key second;
    struct stat st;
    t_scratch_start();
    T_OK(sq_ref_key_load(t_scratch_path("state/squint"), &first, &t_err));
    T_OK(sq_ref_key_load(t_scratch_path("state/squint"), &second, &t_err));
    T(memcmp(&first, &second, sizeof(first)) == 0);
    T_INT(t_count_entries(t_scratch_path("state/squint")), 1);
    const char *path = t_scratch_path("state/squint/screenshot-ref.key");
    T(stat(path, &st) == 0);
    T_INT(st.st_mode & 0777, 0600);
    T_INT(st.st_size, SQ_REF_KEY_BYTES);
    /* A key that others may read is refused. */
    T(chmod(path, 0640) == 0);
    T_FAILS(sq_ref_key_load(t_scratch_path("state/squint"), &second, &t_err),
            SQ_ERR_IO);
    T(t_err.hint[0]);
    T(chmod(path, 0600) == 0);
    /* So are an incomplete key, and a link. */
    T(truncate(path, 31) == 0);
    T(!sq_ref_key_load(t_scratch_path("state/squint"), &second, &t_err));
    T(unlink(path) == 0);
    T(symlink("/dev/zero", path) == 0);
    T(!sq_ref_key_load(t_scratch_path("state/squint"), &second, &t_err));
    t_album_end();
}

static void *
load(void *context) {
    T_OK(sq_ref_key_load(t_scratch(), context, &t_err));
    return NULL;
}

T_CASE(concurrent_processes_get_the_same_key) {
    for (int round = 0; round < 20; round++) {
        pthread_t threads[4];
        struct sq_ref_key keys[4];
        t_scratch_start();
        for (int i = 0; i < 4; i++) {
            T_INT(pthread_create(&threads[i], NULL, load, &keys[i]), 0);
        }
        for (int i = 0; i < 4; i++) {
            pthread_join(threads[i], NULL);
            T(memcmp(&keys[0], &keys[i], sizeof(keys[0])) == 0);
        }
        T_INT(t_count_entries(t_scratch()), 1);
        t_album_end();
    }
}

T_CASE(failed_calls_leave_no_partial_key) {
    static const int ways[] = { EIO, ENOSPC, EINTR, SQ_FAULT_SHORT };
    for (size_t w = 0; w < SQ_COUNT(ways); w++) {
        bool last = false;
        for (long nth = 1; nth < 60 && !last; nth++) {
            const struct sq_fault_plan plan = { .nth = nth, .how = ways[w] };
            const struct sq_fault_plan none = { 0 };
            struct sq_ref_key key;
            struct sq_ref_key again;
            t_scratch_start();
            int open = t_count_open_files();
            sq_fault_arm(SQ_FAULT_CALL, plan);
            bool ok = sq_ref_key_load(t_scratch(), &key, &t_err);
            last = sq_fault_count(SQ_FAULT_CALL) < nth;
            sq_fault_arm(SQ_FAULT_CALL, none);
            T_INT(t_count_open_files(), open);
            T(ok || ways[w] > 0);
            T(ok || ways[w] != EINTR);
            T_OK(sq_ref_key_load(t_scratch(), &again, &t_err));
            T(!ok || memcmp(&key, &again, sizeof(key)) == 0);
            t_album_end();
        }
        T(last);
    }
}
