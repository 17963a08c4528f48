/*
 * A client calls each operation while the 1st, 2nd, 3rd, ... system call of the
 * server fails. It must get one complete answer, or the server ends with an
 * error message. A failed call leaves no file and does not change the session.
 */
#define _GNU_SOURCE /* pipe2 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "app/host/private.h"
#include "fault/isolate.h"
#include "fault/served_operations.h"
#include "fault/session_print.h"
#include "image/pipeline/codec.h"
#include "json/reader.h"
#include "mcp/stdio.h"
#include "support/album.h"
#include "support/leaks.h"
#include "support/past_index.h"
#include "support/past_maker.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "tools/table.h"
#include "util/fault.h"

#define MAX_POINTS 1000 /* per mode; more means an endless loop */
#define ANSWER_MS 300000
/*
 * A server that has to end gives its calls a tenth of a second to stop and then
 * ends the process, which is this one. With a slow clock a busy machine is fast
 * enough.
 */
#define SLOWNESS 1000
#define MAX_LINE ((size_t)1 << 20)
#define CALL_ID 100
#define PING_ID 101
#define LIST_ID 102
#define FOLDER "out"
/* Used if the first folder cannot be used. */
#define SECOND_FOLDER "state/squint/screenshots"
#define SCREEN_WIDTH 240
#define SCREEN_HEIGHT 480
#define SCREEN_DENSITY 0.75

#define OPERATIONS (SQ_COUNT(operations))

static const struct mode {
    const char *name;
    int how;
    bool from_then;
    bool must_succeed;
} modes[] = {
    { .name = "EIO in call", .how = EIO },
    { .name = "EIO in all calls from", .how = EIO, .from_then = true },
    { .name = "ENOSPC in call", .how = ENOSPC },
    { .name = "EMFILE in call", .how = EMFILE },
    { .name = "ENOMEM in call", .how = ENOMEM },
    { .name = "EINTR in call", .how = EINTR, .must_succeed = true },
    { .name = "one byte by call", .how = SQ_FAULT_SHORT, .must_succeed = true },
};

/* One conversation; filled in by the client. */
struct talk {
    const struct operation *operation;
    const struct sq_session *session;
    struct sq_fault_plan plan;
    int to_server;
    int from_server;
    char *line; /* MAX_LINE bytes */
    size_t have;
    uint64_t before; /* of the session, when the call was sent */
    uint64_t after;
    long reached;      /* system calls that could have failed */
    int answers;       /* to the call */
    bool succeeded;    /* according to the answer */
    char said[200];    /* the start of the answer */
    char ref[64];      /* of a past screenshot */
    const char *wrong; /* an error found by the client; NULL: none */
};

static char complaint[200];
static char line_buffer[MAX_LINE];

static void
note_complaint(const char *message) {
    snprintf(complaint, sizeof(complaint), "%s", message);
}

static void
send_line(struct talk *talk, const char *text) {
    char line[600];
    int length = snprintf(line, sizeof(line), "%s\n", text);
    for (char *at = line; *at; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    /* Short enough for one write to a pipe; the server may have ended. */
    if (write(talk->to_server, line, (size_t)length) != length
        && errno != EPIPE) {
        talk->wrong = "a line could not be sent";
    }
}

static void
send_call(struct talk *talk, int id, const char *tool, const char *arguments) {
    char text[500];
    snprintf(text, sizeof(text),
             "{'jsonrpc':'2.0','id':%d,'method':'tools/call','params':{'name':"
             "'%s','arguments':%s}}",
             id, tool, arguments);
    send_line(talk, text);
}

/* Reads more of the answers; false if the server has closed or is silent. */
static bool
read_more(struct talk *talk) {
    struct pollfd more = { .fd = talk->from_server, .events = POLLIN };
    if (talk->have == MAX_LINE || poll(&more, 1, ANSWER_MS) != 1) {
        talk->wrong = "no end of the line in time";
        return false;
    }
    ssize_t got =
        read(talk->from_server, talk->line + talk->have, MAX_LINE - talk->have);
    talk->have += got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* The first shot of a list. */
static void
note_ref(struct talk *talk, const struct sq_json *message) {
    struct sq_span ref = { 0 };
    const struct sq_json *list =
        sq_json_get(sq_json_get(message, "result"), "structuredContent");
    const struct sq_json *shot =
        sq_json_first(sq_json_get(list, "screenshots"));
    sq_json_string(sq_json_get(shot, "screenshotRef"), &ref);
    snprintf(talk->ref, sizeof(talk->ref), "%.*s", SQ_SPAN_ARGS(ref));
}

/* Checks one line; returns its id, or -1 if it has none. */
static int64_t
judge_line(struct talk *talk, struct sq_span line) {
    const struct sq_json *message = NULL;
    int64_t id = -1;
    bool is_error = true;
    T_ARENA(arena, (size_t)32 << 20);
    if (!sq_json_parse(line, &arena, &message, &t_err)) {
        talk->wrong = "a line is not JSON";
    }
    sq_json_int(sq_json_get(message, "id"), &id);
    if (id == LIST_ID) {
        note_ref(talk, message);
    }
    if (id == CALL_ID) {
        sq_json_bool(sq_json_get(sq_json_get(message, "result"), "isError"),
                     &is_error);
        talk->answers++;
        snprintf(talk->said, sizeof(talk->said), "%.*s", (int)line.len,
                 line.ptr);
        talk->succeeded = !is_error;
    }
    return id;
}

/* Reads lines until one answers that id; false if the server ended. */
static bool
await(struct talk *talk, int64_t id) {
    int64_t seen = -1;
    while (seen != id) {
        const char *end = memchr(talk->line, '\n', talk->have);
        if (end) {
            size_t length = (size_t)(end - talk->line) + 1;
            seen = judge_line(talk, (struct sq_span){ talk->line, length - 1 });
            talk->have -= length;
            memmove(talk->line, talk->line + length, talk->have);
        } else if (!read_more(talk)) {
            return false;
        }
    }
    return true;
}

/* Starts a conversation: takes a frame and a list. */
static bool
get_ready(struct talk *talk) {
    const char *before = talk->operation->before;
    send_line(talk, "{'jsonrpc':'2.0','id':1,'method':'initialize','params':"
                    "{'protocolVersion':'2025-11-25','capabilities':{},"
                    "'clientInfo':{'name':'faults','version':'1'}}}");
    send_line(talk, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
    send_call(talk, 2, "ui", OP("screenshot") "}");
    send_call(talk, 3, "ui", OP("dump") "}");
    if (before) {
        send_call(talk, 4, "ui", before);
    }
    bool ok = await(talk, 1) && await(talk, 2) && await(talk, 3)
           && (!before || await(talk, 4));
    if (ok && strstr(talk->operation->call, REF)) {
        send_call(talk, LIST_ID, "list_screenshots", "{" DAY "}");
        ok = await(talk, LIST_ID) && talk->ref[0];
    }
    return ok;
}

static void
send_operation(struct talk *talk) {
    const struct operation *operation = talk->operation;
    char call[300];
    const char *hole = strstr(operation->call, REF);
    int before = hole ? (int)(hole - operation->call) : 0;
    if (hole) {
        snprintf(call, sizeof(call), "%.*s'screenshotRef':'%s'%s", before,
                 operation->call, talk->ref, hole + strlen(REF));
    }
    send_call(talk, CALL_ID, operation->tool ? operation->tool : "ui",
              hole ? call : operation->call);
}

static void *
be_client(void *context) {
    struct talk *talk = context;
    if (!get_ready(talk)) {
        talk->wrong = "could not even begin";
    } else {
        talk->before = session_print(talk->session);
        sq_fault_arm(SQ_FAULT_CALL, talk->plan);
        send_operation(talk);
        bool alive = await(talk, CALL_ID);
        talk->reached = sq_fault_disarm(SQ_FAULT_CALL);
        talk->after = session_print(talk->session);
        if (alive) {
            char ping[80];
            snprintf(ping, sizeof(ping),
                     "{'jsonrpc':'2.0','id':%d,'method':'ping'}", PING_ID);
            send_line(talk, ping);
            await(talk, PING_ID);
        }
    }
    close(talk->to_server);
    return NULL;
}

/* Serves the client; returns the server's exit status. */
static int
serve(const struct sq_host *host, struct talk *talk) {
    const struct sq_mcp_options options = { .print_message = note_complaint };
    int in[2];
    int out[2];
    pthread_t client;
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
        abort();
    }
    int saved_in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
    int saved_out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    fflush(stdout);
    fault_restore(STDIN_FILENO, in[0]);
    fault_restore(STDOUT_FILENO, out[1]);
    talk->to_server = in[1];
    talk->from_server = out[0];
    if (pthread_create(&client, NULL, be_client, talk) != 0) {
        abort();
    }
    int status = sq_mcp_serve_stdio(&host->mcp, &options);
    /* Closes the pipes, so that a waiting client sees the end. */
    fault_restore(STDOUT_FILENO, saved_out);
    fault_restore(STDIN_FILENO, saved_in);
    pthread_join(client, NULL);
    close(talk->from_server);
    return status;
}

static bool
is_whole_picture(const char *path) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_BUF(bytes, MAX_LINE);
    return sq_file_read(path, MAX_LINE, &bytes, &t_err)
        && sq_image_decode(bytes.data, bytes.len, &sq_limits_default, &image,
                           &t_err);
}

/*
 * Every saved file is a complete picture, unless removing it failed too.
 * Returns the number of files.
 */
static int
judge_folder(struct fault_progress *progress, const char *folder,
             bool cannot_remove) {
    DIR *listing = opendir(folder);
    struct dirent *entry;
    int count = 0;
    while (listing && (entry = readdir(listing))) {
        char path[sizeof(SECOND_FOLDER) + sizeof(entry->d_name)];
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") == 0
            || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        count++;
        if (!cannot_remove && !is_whole_picture(path)) {
            fault_complain(progress, "%s is not a whole picture", path);
        }
        unlink(path);
    }
    if (listing) {
        closedir(listing);
    }
    return count;
}

static void
judge_files(struct fault_progress *progress, const struct talk *talk,
            bool has_gone_on) {
    const struct operation *operation = talk->operation;
    bool stuck = talk->plan.from_then;
    int count = judge_folder(progress, FOLDER, stuck);
    count += judge_folder(progress, SECOND_FOLDER, stuck);
    int least = talk->succeeded && operation->saves;
    int most = talk->succeeded && (operation->saves || operation->may_save);
    if (has_gone_on && talk->answers == 1 && !stuck
        && (count < least || count > most)) {
        fault_complain(progress, "%d files were saved: %s", count, talk->said);
    }
}

static void
judge(struct fault_progress *progress, const struct talk *talk, int status,
      bool must_succeed) {
    if (talk->wrong) {
        fault_complain(progress, "%s", talk->wrong);
    }
    if (talk->have > 0) {
        fault_complain(progress, "half a line was left");
    }
    if (talk->answers > 1 || (talk->answers == 0 && status == 0)) {
        fault_complain(progress, "%d answers", talk->answers);
    }
    if (status != 0 && !complaint[0]) {
        fault_complain(progress, "ended with status %d without a word", status);
    }
    if (must_succeed && (status != 0 || !talk->succeeded)) {
        fault_complain(progress, "failed with status %d: %s%s", status,
                       complaint, talk->said);
    }
    /* A server that has to end answers running calls as cancelled, also those
     * that have just finished. */
    bool has_gone_on = status == 0;
    if (has_gone_on && talk->answers == 1 && !talk->succeeded
        && talk->after != talk->before) {
        fault_complain(progress, "failed, but the session has changed: %s",
                       talk->said);
    }
    judge_files(progress, talk, has_gone_on);
}

/* The next run has to create them again, which can fail too. */
static void
remove_folders(void) {
    static const char *const folders[] = { FOLDER, SECOND_FOLDER,
                                           "state/squint", "state" };
    for (size_t i = 0; i < SQ_COUNT(folders); i++) {
        rmdir(folders[i]);
    }
}

static void
set_config(struct sq_config *config) {
    static const char *const roots[] = { "shots" };
    sq_config_defaults(config);
    config->demo.width = SCREEN_WIDTH;
    config->demo.height = SCREEN_HEIGHT;
    config->demo.density = SCREEN_DENSITY;
    config->output.directory = FOLDER;
    config->ui.template_matching_enabled = true;
    config->archive.roots = (struct sq_strings){ roots, 1 };
    config->archive.save_directory = FOLDER;
    config->archive.activity = SQ_ACTIVITY_NONE;
    config->android.adb_server = "off";
}

/* Makes a word that a search finds. */
static void
index_first_shot(void) {
    static const char listing[] = "{\"startDate\":\"2026-01-15\","
                                  "\"endDate\":\"2026-01-15\"}";
    static const char key[] = "\"screenshotRef\":\"";
    struct sq_config config;
    struct sq_host *host = NULL;
    T_FREED(sq_result_finish) struct sq_result result = { 0 };
    const struct sq_json *arguments;
    set_config(&config);
    T_ARENA(arena, (size_t)1 << 20);
    T_OK(sq_host_create(&config, &host, &t_err)
         && sq_json_parse(sq_span_of(listing), &arena, &arguments, &t_err)
         && sq_host_run(host, "list_screenshots", arguments, NULL, &result,
                        &t_err)
         && sq_buf_append(&result.blocks[0].data, "", 1, &t_err));
    const char *ref = strstr((const char *)result.blocks[0].data.data, key);
    if (T(ref != NULL)) {
        ref += strlen(key);
        past_index_shot(host->library->archive,
                        (struct sq_span){ ref, strcspn(ref, "\"") }, "Invoice",
                        "4711");
    }
    sq_host_destroy(host);
}

/* One conversation in which the nth call fails; returns the number of calls. */
static long
try_point(struct fault_progress *progress, const struct operation *operation,
          const struct mode *mode, long nth) {
    struct sq_config config;
    struct sq_host *host = NULL;
    int open_files = t_count_open_files();
    set_config(&config);
    complaint[0] = '\0';
    if (!sq_host_create(&config, &host, &t_err)) {
        fault_complain(progress, "no host: %s", t_err.message);
        return 0;
    }
    struct talk talk = {
        .operation = operation,
        .session = host->session,
        .plan = { .nth = nth, .from_then = mode->from_then, .how = mode->how },
        .line = line_buffer,
    };
    int status = serve(host, &talk);
    judge(progress, &talk, status, mode->must_succeed || talk.reached < nth);
    sq_host_destroy(host);
    remove_folders();
    if (t_count_open_files() != open_files) {
        fault_complain(progress, "%d descriptors are open, not %d",
                       t_count_open_files(), open_files);
    }
    fault_check_leaks(progress);
    return talk.reached;
}

static const struct past_shot first_shot = { .folder = "shots/2026-01-15",
                                             .time = "2026-01-15_10-30-45",
                                             .width = 96,
                                             .height = 80 };

static void
try_operation(struct fault_progress *progress, const void *context) {
    const struct operation *operation = context;
    sq_clock_slow_down(SLOWNESS);
    signal(SIGPIPE, SIG_IGN);
    setenv("XDG_STATE_HOME", t_scratch_path("state"), 1);
    past_put_series(&first_shot, 3, 60);
    t_album_age_all(); /* so that their index is written */
    if (operation->tool && strcmp(operation->tool, "search_screenshots") == 0) {
        index_first_shot();
    }
    t_leaks_start();
    for (size_t i = 0; i < SQ_COUNT(modes); i++) {
        long step = fault_step(operation->every);
        long nth = 1 + (long)i % step;
        bool reached = true;
        while (reached && nth < MAX_POINTS && progress->problems == 0) {
            fault_begin_point(progress, "%s, %s %ld", operation->name,
                              modes[i].name, nth);
            reached = try_point(progress, operation, &modes[i], nth) >= nth;
            progress->points += reached;
            nth += step;
        }
        if (nth >= MAX_POINTS) {
            fault_complain(progress, "there is no end to it");
        }
    }
}

static void
run_next_case(void) {
    static size_t next;
    struct fault_progress progress = { 0 };
    const struct operation *operation = &operations[next++];
    fault_isolate(operation->name, try_operation, operation, &progress);
    T(progress.points > 0);
}

/*
 * The first two need Tesseract, which is not always installed; the others need
 * a phone with adb, and tests/adb/hands.py and vanish.c try them there.
 */
static bool
is_tried_elsewhere(const char *name) {
    static const char *const names[] = {
        "ocr",  "visual-find-text", "permission", "appearance", "location",
        "logs", "notifications",    "video",      "install",    "uninstall",
    };
    bool found = false;
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        found = found || strcmp(name, names[i]) == 0;
    }
    return found;
}

/* A new operation must be added to the table above. */
T_CASE(every_operation_is_tried) {
    const struct sq_tool *tool;
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        const char *name = tool->name;
        bool tried = is_tried_elsewhere(name);
        for (size_t j = 0; j < OPERATIONS; j++) {
            tried = tried || strcmp(operations[j].name, name) == 0;
        }
        if (!T(tried)) {
            printf("# %s\n", name);
        }
    }
}

int
main(void) {
    for (size_t i = 0; i < OPERATIONS; i++) {
        t_add(operations[i].name, run_next_case);
    }
    return t_run();
}
