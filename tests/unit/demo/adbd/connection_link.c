/* Links with a data rate: when bytes are sent, and what the log contains. */

#include "unit/demo/adbd/on_host.h"

#define USB_3 200000000
#define START_NS ((int64_t)5000 * NS_PER_MS)
#define PIECE 65536
#define PIECES ((FRAME_BYTES + PIECE - 1) / PIECE)
#define FRAME_NS ((int64_t)FRAME_BYTES * 5) /* at USB_3 */

static int64_t clock_ns;
static char logged[1000];

static int64_t
tell_time(void) {
    return clock_ns;
}

static void
keep_line(void *context, const char *line) {
    snprintf(logged, sizeof(logged), "%s", line);
}

static void
move_to(struct host *host, int64_t ns) {
    host->now_ns = clock_ns = ns;
}

static void
begin_limited(struct host *host, int64_t rate) {
    begin_online(host, NEW_VERSION, 1 << 20);
    host->phone->options.link_rate = rate;
    host->phone->clock_ns = tell_time;
    host->phone->options.log = keep_line;
    logged[0] = '\0';
    move_to(host, START_NS);
}

static struct host peer;

static void
start(void) {
    begin_limited(&peer, USB_3);
}

static void
stop(void) {
    end(&peer);
}

T_FIXTURE(start, stop);

/* Reads everything from a service, waiting as long as the phone says. */
static void
take_in_time(struct host *host, struct result *result) {
    while (!result->closed) {
        if (pump(host, result)) {
            continue;
        }
        if (!T(host->wake_ns > clock_ns && host->wake_ns < INT64_MAX)) {
            return;
        }
        int64_t due_ns = host->wake_ns;
        move_to(host, due_ns - 1);
        T(!pump(host, result));
        move_to(host, due_ns);
    }
}

static void
run_in_time(struct host *host, const char *service, struct result *result) {
    *result = open_service(host, service);
    take_in_time(host, result);
}

T_CASE(bytes_are_sent_on_schedule) {
    struct result result;
    run_in_time(&peer, "exec:screencap", &result);
    T_INT(result.bytes.len, FRAME_BYTES);
    T_INT(result.writes, PIECES);
    T_INT(clock_ns, START_NS + FRAME_NS);
    T_STR(logged, "4.608\t0\t921616\t2\texec:screencap");
    finish(&result);
    /* Idle time on the link is not credited. */
    move_to(&peer, 2 * START_NS);
    run_in_time(&peer, "exec:screencap", &result);
    T_INT(clock_ns, 2 * START_NS + FRAME_NS);
    T_STR(logged, "4.608\t0\t921616\t2\texec:screencap");
    finish(&result);
}

static void
keep_line_slowly(void *context, const char *line) {
    keep_line(context, line);
    clock_ns += (int64_t)PIECE; /* less than the time of one piece */
}

T_CASE(writing_the_log_delays_nothing) {
    struct result result;
    peer.phone->options.log = keep_line_slowly;
    run_in_time(&peer, "exec:screencap", &result);
    T_INT(clock_ns, START_NS + FRAME_NS);
    T_STR(logged, "4.608\t0\t921616\t2\texec:screencap");
    finish(&result);
}

/*
 * The phone sends late pieces without delay until it has caught up with the
 * schedule. The log does not count the time lost by the client.
 */
T_BARE_CASE(delays_of_the_client_are_not_logged) {
    static const int late[] = { 3, 2 * PIECES };
    for (int i = 0; i < 2; i++) {
        struct host host;
        struct sq_adbd_packet packet;
        begin_limited(&host, USB_3);
        struct result result = open_service(&host, "exec:screencap");
        expect(&host, SQ_ADBD_OKAY, &packet);
        result.theirs = packet.arg0;
        move_to(&host, host.wake_ns);
        expect(&host, SQ_ADBD_WRTE, &packet);
        move_to(&host, START_NS + late[i] * (int64_t)PIECE * 5);
        advance(&host);
        T_INT(host.got.len, 0);
        acknowledge(&host, &result);
        while (pump(&host, &result)) {
        }
        T_INT(result.writes, late[i] < PIECES ? late[i] - 1 : PIECES - 1);
        take_in_time(&host, &result);
        int64_t took_ns = clock_ns - START_NS;
        T_INT(took_ns,
              late[i] < PIECES ? FRAME_NS : late[i] * (int64_t)PIECE * 5);
        T_STR(logged, "4.608\t0\t921616\t2\texec:screencap");
        finish(&result);
        end(&host);
    }
}

/* Output is scheduled when it is produced, even if it is not read yet. */
T_CASE(late_acknowledgement_delays_only_its_stream) {
    struct sq_adbd_packet packet;
    struct result result =
        open_service(&peer, "exec:echo a; sleep 0.01; screencap");
    expect(&peer, SQ_ADBD_OKAY, &packet);
    result.theirs = packet.arg0;
    move_to(&peer, peer.wake_ns);
    expect(&peer, SQ_ADBD_WRTE, &packet);
    move_to(&peer, START_NS + (int64_t)10 * NS_PER_MS);
    advance(&peer);
    T_INT(peer.got.len, 0);
    move_to(&peer, START_NS + (int64_t)10 * NS_PER_MS + FRAME_NS);
    acknowledge(&peer, &result);
    while (pump(&peer, &result)) {
    }
    T_INT(result.bytes.len, FRAME_BYTES);
    T(result.closed);
    finish(&result);
}

T_BARE_CASE(output_flows_while_a_program_waits) {
    static const struct {
        const char *service;
        const char *logged;
    } rows[] = {
        { "exec:screencap; sleep 0.002; echo a",
          "4.608\t0\t921618\t3\texec:screencap; sleep 0.002; echo a" },
        { "exec:screencap; sleep 0.1; echo a",
          "100.000\t0\t921618\t3\texec:screencap; sleep 0.1; echo a" },
        { "exec:sleep 0.1; screencap",
          "104.608\t0\t921616\t3\texec:sleep 0.1; screencap" },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct host host;
        struct result result;
        begin_limited(&host, USB_3);
        run_in_time(&host, rows[i].service, &result);
        T_STR(logged, rows[i].logged);
        finish(&result);
        end(&host);
    }
}

T_BARE_CASE(slow_links_send_small_pieces) {
    static const struct {
        int rate;
        int piece;
    } rows[] = {
        { 100000, 1000 }, { 1000, 512 }, { 1000000, 10000 }, { 3000000, 30000 }
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct host host;
        struct result result;
        begin_limited(&host, rows[i].rate);
        run_in_time(&host, "exec:screencap", &result);
        T_INT(result.writes, (FRAME_BYTES + rows[i].piece - 1) / rows[i].piece);
        T_INT((clock_ns - START_NS) / 1000,
              (int64_t)FRAME_BYTES * 1000000 / rows[i].rate);
        /* Rounded up: a transfer is never faster than the link. */
        T((clock_ns - START_NS) * rows[i].rate
          >= FRAME_BYTES * (int64_t)1000 * NS_PER_MS);
        finish(&result);
        end(&host);
    }
}

/* The packet headers of the shell take time as well. */
T_CASE(slow_link_can_be_set_as_fault) {
    struct result result;
    struct result control = run(&peer, "exec:squint-fault slow=1000");
    T(control.closed && control.bytes.len == 10);
    T_INT(clock_ns, START_NS);
    T_STR(logged, "0.000\t0\t10\t0\texec:squint-fault slow=1000");
    finish(&control);
    run_in_time(&peer, "shell,v2,raw:echo a", &result);
    T_INT(clock_ns, START_NS + (int64_t)13 * NS_PER_MS);
    T_STR(logged, "13.000\t0\t2\t1\tshell,v2,raw:echo a");
    finish(&result);
    control = run(&peer, "exec:squint-fault none");
    T(control.closed);
    finish(&control);
    move_to(&peer, 2 * START_NS);
    run_in_time(&peer, "exec:screencap", &result);
    T_INT(clock_ns, 2 * START_NS + FRAME_NS);
    finish(&result);
}

T_CASE(streams_share_a_link) {
    struct sq_adbd_packet packet;
    struct result first = open_service(&peer, "exec:screencap");
    expect(&peer, SQ_ADBD_OKAY, &packet);
    first.theirs = packet.arg0;
    struct result second = open_service(&peer, "exec:screencap");
    expect(&peer, SQ_ADBD_OKAY, &packet);
    second.theirs = packet.arg0;
    struct result *both[] = { &first, &second };
    struct sq_buf data;
    sq_buf_init(&data, MAX_BYTES);
    while (!first.closed || !second.closed) {
        advance(&peer);
        bool moved = false;
        while (take(&peer, &packet, &data)) {
            struct result *to = both[packet.arg1 == second.ours];
            moved = true;
            to->closed = packet.command == SQ_ADBD_CLSE;
            T_OK(sq_buf_append(&to->bytes, data.data, data.len, &t_err));
            if (!to->closed) {
                acknowledge(&peer, to);
            }
        }
        if (!moved && !T(peer.wake_ns < INT64_MAX)) {
            break;
        }
        move_to(&peer, moved ? clock_ns : peer.wake_ns);
    }
    T_INT(first.bytes.len, FRAME_BYTES);
    T_INT(second.bytes.len, FRAME_BYTES);
    T_INT(clock_ns, START_NS + 2 * FRAME_NS);
    T_STR(logged, "4.608\t0\t921616\t2\texec:screencap");
    sq_buf_finish(&data);
    finish(&first);
    finish(&second);
}
