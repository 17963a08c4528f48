#include "demo/adbd/connection.h"

#include "support/test.h"

#define USB_3 200000000
#define PIECE 65536
#define PIECE_NS 327680

T_CASE(transfer_time_follows_the_data_rate) {
    T_INT(sq_adbd_link_ns(USB_3, 0), 0);
    T_INT(sq_adbd_link_ns(USB_3, PIECE), PIECE_NS);
    T_INT(sq_adbd_link_ns(1, 7), 7000000000);
    /* Rounded up: a transfer is never faster than the link. */
    T_INT(sq_adbd_link_ns(3, 1), 333333334);
    T_INT(sq_adbd_link_ns(INT64_MAX, 1), 1);
    T_INT(sq_adbd_link_ns(1, (size_t)128 << 20), 134217728000000000);
    T_INT(sq_adbd_link_ns(0, PIECE), 0);
}

/* Whether the next piece is sent at that time, and not a nanosecond before. */
static bool
goes_at(struct sq_adbd_link *link, int64_t ns) {
    int64_t due;
    return T(!sq_adbd_link_carry(link, USB_3, PIECE, ns - 1, &due))
        && T_INT(due, ns) && T(sq_adbd_link_carry(link, USB_3, PIECE, ns, &due))
        && T_INT(due, ns);
}

T_CASE(late_pieces_catch_up) {
    struct sq_adbd_link link = { 0 };
    int64_t due;
    sq_adbd_link_wanted(&link, true, 1000);
    T(goes_at(&link, 1000 + PIECE_NS));
    /* Asking again changes nothing; the second and third are late. */
    sq_adbd_link_wanted(&link, true, 1000 + 3 * PIECE_NS);
    T(sq_adbd_link_carry(&link, USB_3, PIECE, 1000 + 3 * PIECE_NS, &due));
    T_INT(due, 1000 + 2 * PIECE_NS);
    T(sq_adbd_link_carry(&link, USB_3, PIECE, 1000 + 3 * PIECE_NS, &due));
    T(goes_at(&link, 1000 + 4 * PIECE_NS));
}

T_CASE(idle_time_is_not_credited) {
    struct sq_adbd_link link = { 0 };
    sq_adbd_link_wanted(&link, true, 1000);
    T(goes_at(&link, 1000 + PIECE_NS));
    sq_adbd_link_wanted(&link, false, 2000 + PIECE_NS);
    sq_adbd_link_wanted(&link, true, 9000000);
    T(goes_at(&link, 9000000 + PIECE_NS));
}

T_CASE(link_without_a_limit_never_waits) {
    struct sq_adbd_link link = { 0 };
    int64_t due;
    sq_adbd_link_wanted(&link, true, 1000);
    for (int i = 0; i < 3; i++) {
        T(sq_adbd_link_carry(&link, 0, PIECE, 1000, &due));
    }
}

T_CASE(single_stream_has_a_schedule) {
    int64_t gone = sq_adbd_link_gone(0, USB_3, PIECE, 1000);
    T_INT(gone, 1000 + PIECE_NS);
    gone = sq_adbd_link_gone(gone, USB_3, PIECE, 2000);
    T_INT(gone, 1000 + 2 * PIECE_NS);
    gone = sq_adbd_link_gone(gone, USB_3, PIECE, 9000000);
    T_INT(gone, 9000000 + PIECE_NS);
    T_INT(sq_adbd_link_gone(gone, USB_3, 0, 99000000), 99000000);
    T_INT(sq_adbd_link_gone(0, 0, PIECE, 1000), 1000);
}
