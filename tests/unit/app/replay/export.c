/* Scripts and flows of journals with hostile texts. */
#include "app/replay/replay.h"

#include <yaml.h>

#include "support/test.h"

#define HEADER "{\"journal\":1,\"version\":\"1\"}\n"
#define CALL(number, operation, arguments, reply)                              \
    "{\"call\":" #number ",\"client\":1,\"tool\":\"ui\",\"operation\":"        \
    "\"" operation "\",\"arguments\":" arguments ",\"content\":[{\"type\":"    \
    "\"text\",\"text\":\"" reply "\"}]}\n"

/* A text that a shell, YAML or Maestro could take for more than text. */
#define HOSTILE "'; rm -rf ~; $(id) `id` ${x} \\\\ \\\" # - : \\n.*\xc3\xa9"

static const char text[] = HEADER CALL(
    1, "launch", "{\"packageName\":\"Login\"}",
    "{\\\"launched\\\":\\\"com.example.login\\\"}")
    CALL(2, "screenshot", "{}",
         "{\\\"device\\\":{\\\"width\\\":1000,\\\"height\\\":2000}}")
        CALL(3, "tap", "{\"x\":10,\"y\":20,\"screenshotId\":\"s1\"}",
             "{\\\"tapped\\\":{\\\"x\\\":10,\\\"y\\\":20,\\\"deviceX\\\":"
             "100,\\\"deviceY\\\":500},\\\"element\\\":{\\\"label\\\":"
             "\\\"Name\\\",\\\"resourceId\\\":\\\"${f(1)}.x\\\"}}")
            CALL(4, "input", "{\"text\":\"" HOSTILE "\",\"submit\":true}", "{}")
                CALL(5, "input",
                     "{\"text\":\"[secret 2]\",\"selector\":{\"text\":"
                     "\"" HOSTILE "\",\"ignoreCase\":true}}",
                     "{}") CALL(6, "tap", "{\"x\":10,\"y\":20}",
                                "{\\\"tapped\\\":{\\\"x\\\":10,\\\"y\\\":20,"
                                "\\\"deviceX\\\":250,\\\"deviceY\\\":500}}")
                    CALL(7, "key", "{\"name\":\"home\"}", "{}") CALL(
                        8, "rotate", "{\"orientation\":\"landscape\"}", "{}")
                        CALL(9, "find", "{\"selector\":{\"text\":\"A.B\"}}",
                             "{\\\"count\\\":1}")
                            CALL(10, "key", "{\"name\":\"volume_up\"}", "{}")
                                CALL(11, "wait",
                                     "{\"selector\":{\"text\":\"Hi\"},"
                                     "\"timeoutMs\":900}",
                                     "{}")
    /* One of several with the same id, and a place in a container. */
    CALL(12, "tap", "{\"x\":10,\"y\":20}",
         "{\\\"tapped\\\":{\\\"x\\\":10,\\\"y\\\":20,\\\"deviceX\\\":250,"
         "\\\"deviceY\\\":500},\\\"element\\\":{\\\"label\\\":\\\"Shop\\\","
         "\\\"resourceId\\\":\\\"icon\\\",\\\"sameIds\\\":8}}")
        CALL(13, "tap", "{\"x\":10,\"y\":20}",
             "{\\\"tapped\\\":{\\\"x\\\":10,\\\"y\\\":20,\\\"deviceX\\\":900,"
             "\\\"deviceY\\\":500},\\\"element\\\":{\\\"resourceId\\\":"
             "\\\"canvas\\\",\\\"at\\\":\\\"90%,20%\\\"}}")
            CALL(14, "wait",
                 "{\"until\":\"gone\",\"selector\":{\"text\":\"Hi\"}}", "{}")
                CALL(15, "find", "{\"selector\":{\"resourceId\":\"pay\"}}",
                     "{\\\"count\\\":0}");

static struct sq_replay_script script;
static struct sq_buf out;

static void
begin_with(const char *journal) {
    t_err = (struct sq_err){ 0 };
    script = (struct sq_replay_script){ 0 };
    sq_buf_init(&out, 1 << 20);
    T_OK(sq_replay_script_parse(sq_span_of(journal), &script, &t_err));
}

static void
begin(void) {
    begin_with(text);
    T_INT(script.actions.count, 15);
}

static void
end(void) {
    sq_replay_script_finish(&script);
    sq_buf_finish(&out);
}

#define QUOTED "''\\''; rm -rf ~; $(id) `id` ${x} \\ \" # - : \n.*\xc3\xa9'"

T_CASE(a_script_quotes_every_text) {
    static const char want[] =
        "run launch --package-name='Login'\n"
        "run tap --selector.resource-id='${f(1)}.x' --selector.text='Name'\n"
        "run input --text=" QUOTED " --submit\n"
        "run input --text=\"$SQUINT_SECRET_2\" --selector.text=" QUOTED
        " --selector.ignore-case\n"
        "run tap --x='10' --y='20'\n"
        "run key --name='home'\n"
        "run rotate --orientation='landscape'\n"
        "run find --selector.text='A.B'\n"
        "run key --name='volume_up'\n"
        "run wait --selector.text='Hi' --timeout-ms='900'\n"
        "run tap --selector.resource-id='icon' --selector.text='Shop'\n"
        "run tap --x='10' --y='20'\n"
        "run wait --until='gone' --selector.text='Hi'\n";
    begin();
    T_OK(sq_export(SQ_EXPORT_SH, &script, &out, &t_err));
    T_OK(sq_buf_append(&out, "", 1, &t_err));
    const char *body = strstr((const char *)out.data, "run launch");
    T(strncmp((const char *)out.data, "#!/bin/sh\n", 10) == 0);
    T_STR(body ? body : "", want);
    end();
}

/* Appends all scalars of a YAML text, each on a line. */
static bool
read_yaml(char *into, size_t size) {
    yaml_parser_t parser;
    yaml_event_t event;
    size_t used = 0;
    bool ok = true;
    bool is_end = false;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, out.data, out.len);
    into[0] = '\0';
    while (ok && !is_end) {
        ok = yaml_parser_parse(&parser, &event);
        if (!ok) {
            break;
        }
        if (event.type == YAML_SCALAR_EVENT) {
            used += (size_t)snprintf(into + used, size - used, "%s\n",
                                     (const char *)event.data.scalar.value);
        }
        is_end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return ok;
}

T_CASE(a_flow_is_yaml) {
    static char scalars[8192];
    static const char want[] =
        "appId\ncom.example.login\n"
        "launchApp\nappId\ncom.example.login\nstopApp\nfalse\n"
        "takeScreenshot\ncall-2\n"
        "tapOn\nid\n(.*:id/)?\\$\\{f\\(1\\)\\}\\.x\n"
        "inputText\n"
        "'; rm -rf ~; $(id) `id` \\${x} \\ \" # - : \n.*\xc3\xa9\n"
        "pressKey\nEnter\n"
        "tapOn\ntext\n"
        "'; rm -rf ~; \\$\\(id\\) `id` \\$\\{x\\} \\\\ \" # - : \n"
        "\\.\\*\xc3\xa9\n"
        "inputText\n${SQUINT_SECRET_2}\n"
        "tapOn\npoint\n25%,25%\n"
        "pressKey\nHome\n"
        "setOrientation\nLANDSCAPE_LEFT\n"
        "assertVisible\ntext\nA\\.B\n"
        "pressKey\nVolume Up\n"
        "extendedWaitUntil\nvisible\nHi\ntimeout\n900\n"
        "tapOn\nid\n(.*:id/)?icon\ntext\nShop\n"
        "tapOn\npoint\n90%,25%\n"
        "extendedWaitUntil\nnotVisible\nHi\ntimeout\n5000\n"
        "assertNotVisible\nid\n(.*:id/)?pay\n";
    begin();
    T_OK(sq_export(SQ_EXPORT_MAESTRO, &script, &out, &t_err));
    T(read_yaml(scalars, sizeof(scalars)));
    T_STR(scalars, want);
    T_OK(sq_buf_append(&out, "", 1, &t_err));
    T(strstr((const char *)out.data, "\n---\n"));
    end();
}

/* What acts in each of the ways that a flow has a command for. */
static const char ways[] = HEADER CALL(1, "launch", "{\"packageName\":\"A\"}",
                                       "{\\\"launched\\\":\\\"a.b\\\"}")
    CALL(2, "tap", "{\"selector\":{\"text\":\"A\"},\"durationMs\":900}",
         "{}") CALL(3, "tap",
                    "{\"selector\":{\"text\":\"A\"},\"numberOfTaps\":2}", "{}")
        CALL(4, "input",
             "{\"selector\":{\"text\":\"A\"},\"text\":\"b\",\"clear\":"
             "true,\"submit\":true,\"hideKeyboard\":true}",
             "{}") CALL(5, "key", "{\"name\":\"back\"}",
                        "{}") CALL(6, "key", "{\"name\":\"power\"}", "{}")
            CALL(7, "open", "{\"url\":\"https://a.example\"}", "{}") CALL(
                8, "stop", "{\"packageName\":\"a.b\"}",
                "{}") CALL(9, "wait", "{}",
                           "{}") CALL(10, "find",
                                      "{\"selector\":{\"text\":\"A\"}}",
                                      "{\\\"count\\\":0}")
                CALL(11, "rotate", "{\"orientation\":\"portrait\"}", "{}") CALL(
                    12, "screenshot", "{}",
                    "{\\\"device\\\":{\\\"width\\\":1000,\\\"height\\\":2000}}")
                    CALL(
                        13, "swipe", "{\"direction\":\"up\"}",
                        "{\\\"swiped\\\":{\\\"from\\\":{\\\"deviceX\\\":500,"
                        "\\\"deviceY\\\":1500},\\\"to\\\":{\\\"deviceX\\\":500,"
                        "\\\"deviceY\\\":500},\\\"durationMs\\\":300}}");

/* Of docs.maestro.dev/reference/commands-available, seen on 2026-11-19. */
static const char commands[] =
    " addMedia assertNoDefectsWithAI assertNotVisible assertScreenshot "
    "assertTrue assertVisible assertWithAI back clearKeychain clearState "
    "copyTextFrom doubleTapOn eraseText evalScript extendedWaitUntil "
    "extractTextWithAI hideKeyboard inputText killApp launchApp longPressOn "
    "openLink pasteText pressKey repeat retry runFlow runScript scroll "
    "scrollUntilVisible setAirplaneMode setClipboard setLocation "
    "setOrientation setPermissions startRecording stopApp stopRecording swipe "
    "takeScreenshot tapOn toggleAirplaneMode travel waitForAnimationToEnd ";

/* Checks the commands of a flow: the lines that begin an item of its list. */
static int
count_commands(const char *flow) {
    int count = 0;
    for (const char *line = flow; line; line = strchr(line, '\n')) {
        char name[60];
        line += *line == '\n';
        if (strncmp(line, "- ", 2) == 0) {
            snprintf(name, sizeof(name), " %.*s ",
                     (int)strcspn(line + 2, ":\n"), line + 2);
            T(strstr(commands, name));
            count++;
        }
    }
    return count;
}

T_CASE(every_command_is_one_of_maestro) {
    static char scalars[8192];
    begin_with(ways);
    T_OK(sq_export(SQ_EXPORT_MAESTRO, &script, &out, &t_err));
    T(read_yaml(scalars, sizeof(scalars)));
    T_OK(sq_buf_append(&out, "", 1, &t_err));
    T_INT(count_commands((const char *)out.data), 17);
    T(!strstr((const char *)out.data, "# call"));
    end();
}
