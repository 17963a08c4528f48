#include "unit/demo/adbd/on_host.h"

static struct host peer;

static void
start(void) {
    begin_online(&peer, NEW_VERSION, 4096);
}

static void
stop(void) {
    end(&peer);
}

T_FIXTURE(start, stop);

T_CASE(shell_output_is_sent_in_packets) {
    static const uint8_t want[] = {
        2, 7, 0, 0, 0,   'm', 'i',  's', 't', 'a', 'k', 'e', 1,
        3, 0, 0, 0, 'h', 'i', '\n', 3,   1,   0,   0,   0,   5,
    };
    struct result result =
        run(&peer, "shell,v2,TERM=xterm,raw:echo -n mistake >&2; echo hi; "
                   "exit 5");
    T_BYTES(result.bytes.data, result.bytes.len, want, sizeof(want));
    T(result.opened && result.closed);
    T_INT(result.writes, 1);
    finish(&result);
    result = run(&peer, "shell:echo hi; nosuch");
    T_BYTES(result.bytes.data, result.bytes.len,
            "hi\n/system/bin/sh: nosuch: inaccessible or not found\n", 53);
    finish(&result);
    result = run(&peer, "exec:echo 'a b'");
    T_BYTES(result.bytes.data, result.bytes.len, "a b\n", 4);
    finish(&result);
}

T_BARE_CASE(large_output_is_sent_in_acknowledged_pieces) {
    static const uint32_t payloads[] = { 512, 4096, 1 << 20 };
    static const uint32_t versions[] = { OLD_VERSION, OLD_VERSION,
                                         NEW_VERSION };
    for (int i = 0; i < 3; i++) {
        struct host host;
        begin_online(&host, versions[i], payloads[i]);
        struct result result = run(&host, "exec:screencap");
        T_INT(result.bytes.len, FRAME_BYTES);
        T_INT(result.writes, (FRAME_BYTES + payloads[i] - 1) / payloads[i]);
        T(result.closed);
        finish(&result);
        end(&host);
    }
}

T_CASE(next_piece_waits_for_the_acknowledgement) {
    struct sq_adbd_packet packet;
    struct result result = open_service(&peer, "exec:screencap");
    expect(&peer, SQ_ADBD_OKAY, &packet);
    result.theirs = packet.arg0;
    expect(&peer, SQ_ADBD_WRTE, &packet);
    advance(&peer);
    T_INT(peer.got.len, 0);
    /* Another stream is not delayed by it. */
    struct result other = run(&peer, "exec:echo a");
    T_INT(other.bytes.len, 2);
    finish(&other);
    acknowledge(&peer, &result);
    expect(&peer, SQ_ADBD_WRTE, &packet);
    T(send_packet(&peer, SQ_ADBD_CLSE, result.ours, result.theirs,
                  (struct sq_span){ 0 }));
    expect(&peer, SQ_ADBD_CLSE, &packet);
    advance(&peer);
    T_INT(peer.got.len, 0);
    finish(&result);
}

T_CASE(interactive_shell_runs_lines) {
    static const char input[] = "\0\x0f\0\0\0A=1; echo $A\nec"
                                "\0\x05\0\0\0ho b\n"
                                "\0\x06\0\0\0exit 4\4\0\0\0\0";
    struct sq_adbd_packet packet;
    struct result result = open_service(&peer, "shell,v2,pty:");
    expect(&peer, SQ_ADBD_OKAY, &packet);
    result.theirs = packet.arg0;
    for (size_t i = 0; i < sizeof(input) - 1; i++) {
        T(send_packet(&peer, SQ_ADBD_WRTE, result.ours, result.theirs,
                      (struct sq_span){ input + i, 1 }));
        T(pump(&peer, &result));
    }
    while (pump(&peer, &result)) {
    }
    T_BYTES(result.bytes.data, result.bytes.len,
            "\1\2\0\0\0001\n\1\2\0\0\0b\n\3\1\0\0\0\4", 20);
    T(result.closed);
    finish(&result);

    result = open_service(&peer, "shell:");
    expect(&peer, SQ_ADBD_OKAY, &packet);
    result.theirs = packet.arg0;
    T(send_packet(&peer, SQ_ADBD_WRTE, result.ours, result.theirs,
                  SQ_SPAN("echo x\r\nexit\n")));
    while (pump(&peer, &result)) {
    }
    T_BYTES(result.bytes.data, result.bytes.len, "x\n", 2);
    T(result.closed);
    finish(&result);
}

T_CASE(unknown_services_are_closed) {
    static const char *const services[] = { "reboot:",      "tcp:80",
                                            "root:",        "",
                                            "framebuffer:", "shell,v2" };
    struct sq_adbd_packet packet;
    for (size_t i = 0; i < SQ_COUNT(services); i++) {
        struct result result = open_service(&peer, services[i]);
        expect(&peer, SQ_ADBD_CLSE, &packet);
        T_INT(packet.arg0, 0);
        T_INT(packet.arg1, result.ours);
        finish(&result);
    }
    T(send_packet(&peer, SQ_ADBD_WRTE, 1, 2, SQ_SPAN("closed")));
    expect(&peer, SQ_ADBD_CLSE, &packet);
    T(send_packet(&peer, 0x534c5453, 0, 0, SQ_SPAN("a newer packet")));
    advance(&peer);
    T_INT(peer.got.len, 0);
}

T_CASE(too_many_streams_are_refused) {
    struct sq_adbd_packet packet;
    for (int i = 0; i < 64; i++) {
        struct result result = open_service(&peer, "shell:sleep 9");
        expect(&peer, SQ_ADBD_OKAY, &packet);
        finish(&result);
    }
    struct result result = open_service(&peer, "shell:sleep 9");
    expect(&peer, SQ_ADBD_CLSE, &packet);
    finish(&result);
}

T_BARE_CASE(unauthorized_host_is_not_connected) {
    struct host host;
    struct sq_adbd_packet packet;
    begin(&host, NEW_VERSION, 4096);
    T_INT(t_phone_status(host.phone, "squint-fault unauthorized=1"), 0);
    for (int i = 0; i < 2; i++) {
        T(send_packet(&host, SQ_ADBD_CNXN, NEW_VERSION, 4096,
                      SQ_SPAN("host::")));
        if (i == 0) {
            expect(&host, SQ_ADBD_AUTH, &packet);
            T_INT(packet.arg0, SQ_ADBD_AUTH_TOKEN);
            T_INT(packet.data.len, 20);
            T(send_packet(&host, SQ_ADBD_AUTH, SQ_ADBD_AUTH_SIGNATURE, 0,
                          SQ_SPAN("signature")));
            expect(&host, SQ_ADBD_AUTH, &packet);
            T(send_packet(&host, SQ_ADBD_AUTH, SQ_ADBD_AUTH_PUBLIC_KEY, 0,
                          SQ_SPAN("key")));
            T(send_packet(&host, SQ_ADBD_OPEN, 1, 0, SQ_SPAN("shell:id")));
            advance(&host);
            T_INT(host.got.len, 0);
        }
    }
    /* The one after it is. */
    expect(&host, SQ_ADBD_CNXN, &packet);
    end(&host);

    begin(&host, NEW_VERSION, 4096);
    T_INT(t_phone_status(host.phone, "squint-fault offline"), 0);
    T(send_packet(&host, SQ_ADBD_CNXN, NEW_VERSION, 4096, SQ_SPAN("host::")));
    advance(&host);
    T_INT(host.got.len, 0);
    T(!sq_adbd_connection_is_over(host.connection));
    end(&host);
}

T_BARE_CASE(invalid_packets_are_refused) {
    static const struct sq_adbd_packet packets[] = {
        { SQ_ADBD_CNXN, 0x00ffffff, 4096, { 0 } },
        { SQ_ADBD_CNXN, NEW_VERSION, 511, { 0 } },
        { SQ_ADBD_OPEN, 0, 0, SQ_SPAN_INIT("shell:id") },
    };
    for (size_t i = 0; i < SQ_COUNT(packets); i++) {
        struct host host;
        begin_online(&host, NEW_VERSION, 4096);
        T(!send_packet(&host, packets[i].command, packets[i].arg0,
                       packets[i].arg1, packets[i].data));
        end(&host);
    }
    struct host host;
    begin(&host, NEW_VERSION, 4096);
    T_FAILS(sq_adbd_connection_receive(
                host.connection, SQ_SPAN("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
                1, &t_err),
            SQ_ERR_FORMAT);
    end(&host);
}

T_CASE(hang_fault_stops_in_the_middle) {
    T_INT(t_phone_status(peer.phone, "squint-fault hang=5000"), 0);
    struct result result = run(&peer, "exec:screencap");
    T_INT(result.bytes.len, 5000);
    T(!result.closed);
    T_INT(t_phone_status(peer.phone, "squint-fault hang=off"), 0);
    while (pump(&peer, &result)) {
    }
    T_INT(result.bytes.len, FRAME_BYTES);
    T(result.closed);
    finish(&result);
    struct result control = run(&peer, "exec:squint-fault hang");
    T(control.closed && control.bytes.len == 5);
    finish(&control);
    result = run(&peer, "exec:echo a");
    T_INT(result.bytes.len, 0);
    T(!result.closed);
    finish(&result);
}

/* Exactly at[i] bytes arrive; then the connection breaks, once. */
T_BARE_CASE(break_fault_at_any_byte) {
    static const int64_t at[] = { 0, 1, 2, 3, 4, 5, 6, 7, 10 };
    for (size_t i = 0; i < SQ_COUNT(at); i++) {
        struct host host;
        begin_online(&host, NEW_VERSION, 4096);
        char command[80];
        snprintf(command, sizeof(command), "exec:squint-fault disconnect=%d",
                 (int)at[i]);
        struct result result = run(&host, command);
        T(result.closed && result.bytes.len > 0);
        finish(&result);
        result = run(&host, "shell,v2,raw:echo abcd");
        /*
         * Ten bytes of output and six of its end: every length except the full
         * one breaks.
         */
        T_INT(result.bytes.len, at[i]);
        T(!result.closed);
        T(sq_adbd_connection_is_over(host.connection));
        T_INT(host.phone->options.faults.of[SQ_ADBD_DISCONNECT].on, 0);
        finish(&result);
        end(&host);
    }
}

T_BARE_CASE(old_phones_use_the_old_shell_protocol) {
    struct host host;
    struct sq_adbd_packet packet;
    struct sq_buf data;
    begin(&host, NEW_VERSION, 4096);
    sq_buf_init(&data, MAX_BYTES);
    T_INT(t_phone_status(host.phone, "squint-fault old-shell"), 0);
    T(send_packet(&host, SQ_ADBD_CNXN, NEW_VERSION, 4096, SQ_SPAN("host::")));
    advance(&host);
    T(take(&host, &packet, &data));
    T(sq_span_starts_with(packet.data, "device::ro.product.name=squint_demo;"));
    T(packet.data.ptr[packet.data.len - 1] == '=');
    sq_buf_finish(&data);
    struct result result = run(&host, "shell:echo a; echo b");
    T_BYTES(result.bytes.data, result.bytes.len, "a\r\nb\r\n", 6);
    finish(&result);
    result = run(&host, "exec:echo a");
    T_BYTES(result.bytes.data, result.bytes.len, "a\n", 2);
    finish(&result);
    T_INT(t_phone_status(host.phone, "squint-fault no-exec"), 0);
    result = run(&host, "exec:echo a");
    T(result.closed);
    T_INT(result.bytes.len, 0);
    finish(&result);
    result = run(&host, "shell:echo a");
    T_BYTES(result.bytes.data, result.bytes.len, "a\r\n", 3);
    finish(&result);
    end(&host);
}

T_CASE(delays_set_the_next_wake_time) {
    struct result result = open_service(&peer, "exec:sleep 2; echo a");
    while (pump(&peer, &result)) {
    }
    T_INT(result.bytes.len, 0);
    T_INT(peer.wake_ns, 1000 + (int64_t)2000 * NS_PER_MS);
    peer.now_ns = peer.wake_ns;
    while (pump(&peer, &result)) {
    }
    T_INT(result.bytes.len, 2);
    T(peer.wake_ns == INT64_MAX);
    T(result.closed);
    finish(&result);
}

static bool
talk(void *context, struct sq_err *err) {
    static const struct sq_adbd_packet packets[] = {
        { SQ_ADBD_CNXN, NEW_VERSION, 4096, SQ_SPAN_INIT("host::") },
        { SQ_ADBD_OPEN, 1, 0, SQ_SPAN_INIT("shell,v2,raw:echo a; id") },
        { SQ_ADBD_OPEN, 2, 0, SQ_SPAN_INIT("sync:") },
        { SQ_ADBD_WRTE, 2, 2, SQ_SPAN_INIT("LIST\1\0\0\0/") },
        { SQ_ADBD_OKAY, 1, 1, { 0 } },
    };
    struct sq_adbd_connection *connection = NULL;
    int64_t wake_ns;
    T_BUF(bytes, MAX_BYTES);
    bool ok = sq_adbd_connection_create(context, &connection, err);
    for (size_t i = 0; ok && i < SQ_COUNT(packets); i++) {
        sq_buf_clear(&bytes);
        ok =
            sq_adbd_packet_put(&bytes, &packets[i], false, err)
            && sq_adbd_connection_receive(
                connection,
                (struct sq_span){ (const char *)bytes.data, bytes.len }, 1, err)
            && sq_adbd_connection_advance(connection, 1, &wake_ns, err);
    }
    sq_adbd_connection_destroy(connection);
    return ok;
}

T_BARE_CASE(out_of_memory_is_an_error) {
    struct sq_adbd_phone *phone = t_phone_create();
    T(t_alloc_torture(talk, phone) > 10);
    sq_adbd_phone_destroy(phone);
    sq_adbd_connection_destroy(NULL);
}
