/*
 * A client uses squint's HTTP transport while the 1st, 2nd, 3rd, ... allocation
 * or system call of the server fails. Every request gets a whole answer, or its
 * connection ends; the next client is served as if nothing had happened; and
 * nothing is left at the end.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fault/isolate.h"
#include "http/serve.h"
#include "support/leaks.h"
#include "support/mcp_host.h"
#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"
#include "util/mem.h"

#define MAX_POINTS 2000 /* per mode; more means an endless loop */
#define ANSWER_S 60
#define MAX_ANSWER ((size_t)64 << 10)
#define MAX_REQUEST 1200

static const struct mode {
    const char *name;
    enum sq_fault_seam seam;
    int how;
    bool from_then;
    bool must_succeed;
} modes[] = {
    { .name = "no memory in allocation", .seam = SQ_FAULT_ALLOC },
    { .name = "no memory in all allocations from",
      .seam = SQ_FAULT_ALLOC,
      .from_then = true },
    { .name = "EIO in call", .seam = SQ_FAULT_CALL, .how = EIO },
    { .name = "EMFILE in call", .seam = SQ_FAULT_CALL, .how = EMFILE },
    { .name = "EINTR in call",
      .seam = SQ_FAULT_CALL,
      .how = EINTR,
      .must_succeed = true },
};

/* One conversation; filled in by the client. */
struct talk {
    int port;
    struct sq_fault_plan plan;
    enum sq_fault_seam seam;
    long reached; /* allocations or calls that could have failed */
    int served;   /* requests that were answered with 200, 202 or 204 */
    int asked;
    char session[64];
    const char *wrong; /* an error found by the client; NULL: none */
    char said[200];
};

#define META                                                                   \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"         \
    "'io.modelcontextprotocol/clientCapabilities':{}}"

/* The requests of the client; ' stands for ". */
static const struct exchange {
    const char *method;
    const char *headers;
    const char *body;
    bool starts_session;
    bool is_stream; /* only the head of the answer is read */
} exchanges[] = {
    { .method = "POST",
      .headers =
          "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
          "Mcp-Name: echo\r\n",
      .body = "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':"
              "'echo','arguments':{'text':'a'}," META "}}" },
    { .method = "POST",
      .headers =
          "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
          "Mcp-Name: steps\r\n",
      .body = "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':"
              "'steps','_meta':{'progressToken':1,'io.modelcontextprotocol/"
              "protocolVersion':'2026-07-28','io.modelcontextprotocol/"
              "clientCapabilities':{}}}}" },
    { .method = "POST",
      .headers = "",
      .body = "{'jsonrpc':'2.0','id':1,'method':'initialize','params':"
              "{'protocolVersion':'2025-11-25','capabilities':{},"
              "'clientInfo':{'name':'faults','version':'1'}}}",
      .starts_session = true },
    { .method = "POST",
      .headers = "",
      .body = "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':"
              "'quick'}}" },
    { .method = "GET", .headers = "", .body = "", .is_stream = true },
    { .method = "DELETE", .headers = "", .body = "" },
};
#define EXCHANGES (SQ_COUNT(exchanges))

static char complaint[200];

static void
note_complaint(const char *message) {
    snprintf(complaint, sizeof(complaint), "%s", message);
}

static int
connect_to(int port) {
    const struct timeval patience = { ANSWER_S, 0 };
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static void
write_request(const struct exchange *exchange, const struct talk *talk,
              char out[MAX_REQUEST]) {
    bool is_legacy = talk->session[0] && !strstr(exchange->headers, "2026");
    snprintf(out, MAX_REQUEST,
             "%s /mcp HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n"
             "Content-Type: application/json\r\n%s%s%s%s"
             "Content-Length: %zu\r\n\r\n%s",
             exchange->method, talk->port, exchange->headers,
             is_legacy ? "Mcp-Session-Id: " : "",
             is_legacy ? talk->session : "", is_legacy ? "\r\n" : "",
             strlen(exchange->body), exchange->body);
    for (char *at = out; *at; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
}

/* Reads to the end, or to the end of the head. Returns the number of bytes. */
static size_t
read_answer(int fd, char out[MAX_ANSWER], bool is_stream, struct talk *talk) {
    size_t have = 0;
    while (have < MAX_ANSWER - 1 && !(is_stream && strstr(out, "\r\n\r\n"))) {
        ssize_t got = recv(fd, out + have, MAX_ANSWER - 1 - have, 0);
        if (got < 0 && errno == EAGAIN) {
            talk->wrong = "no answer and no end";
        }
        if (got <= 0) {
            break;
        }
        have += (size_t)got;
        out[have] = '\0';
    }
    return have;
}

/* Returns the number after the first occurrence of a text; 0: none. */
static size_t
number_after(const char *text, const char *before) {
    const char *at = strstr(text, before);
    size_t value = 0;
    for (at = at ? at + strlen(before) : ""; *at >= '0' && *at <= '9'; at++) {
        value = 10 * value + (size_t)(*at - '0');
    }
    return value;
}

/* Returns whether the answer is as long as its head says. */
static bool
is_whole(const char *answer, size_t length) {
    const char *body = strstr(answer, "\r\n\r\n");
    if (!body) {
        return false;
    }
    if (strstr(answer, "chunked")) {
        return length > 5 && strcmp(answer + length - 5, "0\r\n\r\n") == 0;
    }
    size_t rest = length - (size_t)(body + 4 - answer);
    return rest == number_after(answer, "Content-Length: ");
}

static void
note_session(struct talk *talk, const char *answer) {
    static const char name[] = "Mcp-Session-Id: ";
    const char *id = strstr(answer, name);
    if (id) {
        id += sizeof(name) - 1;
        snprintf(talk->session, sizeof(talk->session), "%.*s",
                 (int)strcspn(id, "\r"), id);
    }
}

/*
 * Sends a request and checks the answer. is_cut: the server may end the
 * connection in the middle of an answer. Returns the status; 0: none.
 */
static int
exchange_once(struct talk *talk, const struct exchange *exchange, bool is_cut) {
    static char answer[MAX_ANSWER];
    char request[MAX_REQUEST];
    int status = 0;
    int fd = connect_to(talk->port);
    answer[0] = '\0';
    write_request(exchange, talk, request);
    ssize_t length = (ssize_t)strlen(request);
    if (fd >= 0 && send(fd, request, (size_t)length, MSG_NOSIGNAL) == length) {
        size_t have = read_answer(fd, answer, exchange->is_stream, talk);
        status = (int)number_after(answer, "HTTP/1.1 ");
        if (!is_cut && !exchange->is_stream && !is_whole(answer, have)) {
            talk->wrong = "half an answer";
        }
        if (exchange->starts_session) {
            note_session(talk, answer);
        }
        snprintf(talk->said, sizeof(talk->said), "%.199s", answer);
    }
    if (fd >= 0) {
        close(fd);
    }
    return status;
}

static void *
be_client(void *context) {
    struct talk *talk = context;
    sq_fault_arm(talk->seam, talk->plan);
    for (size_t i = 0; i < EXCHANGES; i++) {
        /* Those after a session that could not be started need none. */
        bool needs_session = i > 2;
        if (needs_session && !talk->session[0]) {
            continue;
        }
        int status = exchange_once(talk, &exchanges[i], true);
        talk->asked++;
        talk->served += status >= 200 && status < 300;
    }
    talk->reached = sq_fault_disarm(talk->seam);
    talk->session[0] = '\0';
    if (!talk->wrong && exchange_once(talk, &exchanges[0], false) != 200) {
        talk->wrong = "the next client is not served";
    }
    kill(getpid(), SIGTERM);
    return NULL;
}

static int
listen_somewhere(int *port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    socklen_t length = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) != 0
        || listen(fd, 16) != 0
        || getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        abort();
    }
    *port = ntohs(address.sin_port);
    return fd;
}

static pthread_t client;
static struct talk talk;

/* The client begins when signals are handled. */
static void
start_client(const struct sq_http_options *options) {
    (void)options;
    if (pthread_create(&client, NULL, be_client, &talk) != 0) {
        abort();
    }
}

static void
judge(struct fault_progress *progress, int status, bool must_succeed) {
    if (talk.wrong) {
        fault_complain(progress, "%s: %s", talk.wrong, talk.said);
    }
    if (status != 0) {
        fault_complain(progress, "ended with status %d: %s", status, complaint);
    }
    if (must_succeed && talk.served != (int)EXCHANGES) {
        fault_complain(progress, "only %d of %d requests were served: %s",
                       talk.served, talk.asked, talk.said);
    }
}

/* One server in which the nth call fails; returns the number of calls. */
static long
try_point(struct fault_progress *progress, const struct mode *mode, long nth) {
    const struct sq_mcp_options mcp = { .print_message = note_complaint,
                                        .drain_ms = 2000 };
    /* A connection that cannot be served is closed soon. */
    struct sq_http_options options = {
        .listener_count = 1,
        .started = start_client,
        .limits = { .head_ms = 100, .body_ms = 100, .idle_ms = 100 },
    };
    int open_files = t_count_open_files();
    talk = (struct talk){
        .plan = { .nth = nth, .from_then = mode->from_then, .how = mode->how },
        .seam = mode->seam,
    };
    complaint[0] = '\0';
    options.listeners[0] = listen_somewhere(&talk.port);
    options.access.port = talk.port;
    int status = sq_http_serve(&t_mcp_host, &mcp, &options);
    pthread_join(client, NULL);
    judge(progress, status, mode->must_succeed || talk.reached < nth);
    if (t_count_open_files() != open_files) {
        fault_complain(progress, "%d descriptors are open, not %d",
                       t_count_open_files(), open_files);
    }
    fault_check_leaks(progress);
    return talk.reached;
}

static void *
take_memory(size_t bytes) {
    return sq_mem_zalloc(1, bytes ? bytes : 1);
}

static void *
change_memory(void *old, size_t bytes) {
    return sq_mem_resize(old, bytes ? bytes : 1);
}

static void
try_mode(struct fault_progress *progress, const void *context) {
    const struct mode *mode = context;
    long nth = 1;
    bool reached = true;
    signal(SIGPIPE, SIG_IGN);
    /* The memory of the event library fails, too. */
    event_set_mem_functions(take_memory, change_memory, sq_mem_free);
    t_leaks_start();
    while (reached && nth < MAX_POINTS && progress->problems == 0) {
        fault_begin_point(progress, "%s %ld", mode->name, nth);
        reached = try_point(progress, mode, nth) >= nth;
        progress->points += reached;
        nth++;
    }
    if (nth >= MAX_POINTS) {
        fault_complain(progress, "there is no end to it");
    }
}

#define MODES (SQ_COUNT(modes))

static void
run_next_mode(void) {
    static size_t next;
    struct fault_progress progress = { 0 };
    const struct mode *mode = &modes[next++];
    fault_isolate(mode->name, try_mode, mode, &progress);
    T(progress.points > 0);
    printf("# %ld points\n", progress.points);
}

int
main(void) {
    for (size_t i = 0; i < MODES; i++) {
        t_add(modes[i].name, run_next_mode);
    }
    return t_run();
}
