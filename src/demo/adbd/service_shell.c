/* The services shell: and exec:, with or without shell v2 packets. */
#include "demo/adbd/connection.h"
#include "demo/adbd/program.h"
#include "demo/adbd/shell.h"
#include "util/bytes.h"
#include "util/mem.h"
#include "util/minmax.h"

#define PACKET_HEADER_BYTES 5
#define MAX_PACKET_BYTES ((size_t)32 << 10) /* of output */
#define MAX_INPUT_BYTES ((size_t)2 << 20)

/* The first byte of a shell v2 packet. */
enum packet_id {
    ID_STDIN = 0,
    ID_EXIT = 3,
    ID_CLOSE_STDIN = 4,
};

struct shell_service {
    struct sq_adbd_service base;
    struct sq_adbd_shell shell;
    bool framed;      /* uses shell v2 packets */
    bool writes_crlf; /* writes CR LF, as the terminal of an old Android does */
    bool interactive; /* reads scripts line by line */
    bool input_ended;
    bool ended;
    struct sq_buf packets; /* input not yet parsed */
    struct sq_buf lines;   /* stdin not yet run */
    size_t wanted;         /* bytes of stdin to wait for before it runs */
    struct sq_buf name;    /* the complete request, for the log */
    struct sq_buf *out;    /* valid during a turn */
};

static struct shell_service *
service_of(struct sq_adbd_service *base) {
    return (struct shell_service *)base;
}

static void
shell_destroy(struct sq_adbd_service *base) {
    struct shell_service *service = service_of(base);
    sq_adbd_shell_finish(&service->shell);
    sq_buf_finish(&service->packets);
    sq_buf_finish(&service->lines);
    sq_buf_finish(&service->name);
    sq_mem_free(service);
}

static bool
put_packet(struct sq_buf *out, int id, struct sq_span data,
           struct sq_err *err) {
    uint8_t header[PACKET_HEADER_BYTES] = { (uint8_t)id };
    sq_store_le32(header + 1, (uint32_t)data.len);
    return sq_buf_append(out, header, sizeof(header), err)
        && sq_buf_append(out, data.ptr, data.len, err);
}

static bool
put_with_crlf(struct sq_buf *out, struct sq_span bytes, struct sq_err *err) {
    struct sq_span part;
    bool ok = true;
    while (ok && sq_span_take_until(&bytes, '\n', &part)) {
        ok = sq_buf_append(out, part.ptr, part.len, err)
          && sq_buf_append(out, "\r\n", 2, err);
    }
    return ok && sq_buf_append(out, bytes.ptr, bytes.len, err);
}

static bool
write_output(void *context, int fd, struct sq_span bytes, struct sq_err *err) {
    struct shell_service *service = context;
    bool ok = true;
    service->base.bytes += bytes.len;
    if (service->writes_crlf) {
        return put_with_crlf(service->out, bytes, err);
    }
    if (!service->framed) {
        return sq_buf_append(service->out, bytes.ptr, bytes.len, err);
    }
    while (ok && bytes.len > 0) {
        struct sq_span part = bytes;
        part.len = sq_min_size(part.len, MAX_PACKET_BYTES);
        ok = put_packet(service->out, fd, part, err);
        sq_span_skip(&bytes, part.len);
    }
    return ok;
}

/* Handles the complete packets; incomplete ones wait. */
static bool
handle_packets(struct shell_service *service, struct sq_err *err) {
    size_t at = 0;
    bool ok = true;
    while (ok && service->packets.len - at >= PACKET_HEADER_BYTES) {
        const char *header = (const char *)service->packets.data + at;
        size_t len = sq_load_le32((const uint8_t *)header + 1);
        if (len > SQ_ADBD_MAX_PAYLOAD) {
            return sq_fail(err, SQ_ERR_FORMAT, "a shell packet is too long");
        }
        if (service->packets.len - at - PACKET_HEADER_BYTES < len) {
            break;
        }
        if (header[0] == ID_STDIN && service->interactive) {
            ok = sq_buf_append(&service->lines, header + PACKET_HEADER_BYTES,
                               len, err);
        }
        service->input_ended =
            service->input_ended || header[0] == ID_CLOSE_STDIN;
        at += PACKET_HEADER_BYTES + len;
    }
    sq_buf_drop(&service->packets, at);
    return ok;
}

static bool
shell_receive(struct sq_adbd_service *base, struct sq_span bytes,
              struct sq_err *err) {
    struct shell_service *service = service_of(base);
    if (service->framed) {
        return sq_buf_append(&service->packets, bytes.ptr, bytes.len, err)
            && handle_packets(service, err);
    }
    return (!service->interactive && service->wanted == 0)
        || sq_buf_append(&service->lines, bytes.ptr, bytes.len, err);
}

/* Starts the next line. *found is false if there is none yet. */
static bool
next_line(struct shell_service *service, bool *found, struct sq_err *err) {
    struct sq_span rest = sq_buf_span(&service->lines);
    struct sq_span line;
    *found = sq_span_take_until(&rest, '\n', &line);
    if (!*found && service->input_ended && rest.len > 0) {
        line = rest;
        rest.len = 0;
        *found = true;
    }
    if (!*found) {
        return true;
    }
    if (line.len > 0 && line.ptr[line.len - 1] == '\r') {
        line.len--;
    }
    bool ok = sq_adbd_shell_start(&service->shell, line, err);
    sq_buf_drop(&service->lines, service->lines.len - rest.len);
    return ok;
}

/* After a script is done, starts the next one or ends the service. */
static bool
end_script(struct shell_service *service, bool *more, struct sq_err *err) {
    *more = false;
    if (service->interactive && !service->shell.exited) {
        if (!next_line(service, more, err)) {
            return false;
        }
        if (*more || !service->input_ended) {
            return true;
        }
    }
    char status = (char)service->shell.status;
    service->ended = true;
    return !service->framed
        || put_packet(service->out, ID_EXIT, (struct sq_span){ &status, 1 },
                      err);
}

static bool
shell_advance(struct sq_adbd_service *base, struct sq_adbd_turn *turn,
              struct sq_err *err) {
    struct shell_service *service = service_of(base);
    struct sq_adbd_sink sink = { write_output, service, !service->framed };
    bool more = true;
    bool ok = true;
    size_t before = turn->out->len;
    service->out = turn->out;
    if (service->lines.len < service->wanted) {
        return true;
    }
    if (service->wanted > 0) {
        service->shell.input = sq_buf_span(&service->lines);
    }
    while (ok && more && !service->ended) {
        ok = sq_adbd_shell_advance(&service->shell, turn->now_ns, &sink,
                                   &turn->wake_ns, err);
        more = false;
        if (ok && service->shell.is_done) {
            ok = end_script(service, &more, err);
        }
    }
    turn->made_ns = service->base.phone->clock_ns();
    turn->ended = service->ended;
    turn->is_control = service->shell.is_control;
    sq_adbd_service_sent(base, turn->out->len - before, turn->made_ns,
                         turn->is_control);
    if (ok && service->ended) {
        sq_adbd_service_log(base, sq_buf_span(&service->name),
                            service->shell.status, service->shell.programs);
    }
    return ok;
}

static const struct sq_adbd_service_ops ops = {
    .receive = shell_receive,
    .advance = shell_advance,
    .destroy = shell_destroy,
};

static bool
has_argument(struct sq_span list, const char *name) {
    struct sq_span item;
    while (sq_span_take_until(&list, ',', &item)) {
        if (sq_span_is(item, name)) {
            return true;
        }
    }
    return sq_span_is(list, name);
}

static bool
start(struct shell_service *service, struct sq_span name, struct sq_err *err) {
    struct sq_span arguments;
    struct sq_span script = name;
    if (!sq_span_take_until(&script, ':', &arguments)) {
        return sq_fail(err, SQ_ERR_NOT_FOUND, "there is no such service");
    }
    bool old = sq_adbd_phone_has(service->base.phone, SQ_ADBD_OLD_SHELL);
    service->framed = has_argument(arguments, "v2") && !old;
    service->writes_crlf = old && sq_span_starts_with(name, "shell");
    service->interactive = script.len == 0;
    service->wanted = sq_adbd_input_wanted(script);
    return sq_buf_append(&service->name, name.ptr, name.len, err)
        && (service->interactive
            || sq_adbd_shell_start(&service->shell, script, err));
}

bool
sq_adbd_shell_open(struct sq_adbd_phone *phone, struct sq_span name,
                   int64_t now_ns, struct sq_adbd_service **out,
                   struct sq_err *err) {
    struct shell_service *service = sq_mem_zalloc(1, sizeof(*service));
    if (!service) {
        return sq_fail_nomem(err);
    }
    service->base = (struct sq_adbd_service){ .ops = &ops,
                                              .phone = phone,
                                              .began_ns = now_ns };
    sq_adbd_shell_init(&service->shell, phone);
    sq_buf_init(&service->packets, MAX_INPUT_BYTES);
    sq_buf_init(&service->lines, MAX_INPUT_BYTES);
    sq_buf_init(&service->name, MAX_INPUT_BYTES);
    if (!start(service, name, err)) {
        shell_destroy(&service->base);
        return false;
    }
    *out = &service->base;
    return true;
}
