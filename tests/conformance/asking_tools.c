/* Tools of the conformance suite that ask the client. */
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "json/writer.h"

#define TEXT_SIZE 1000

#define FORM(message, properties, required)                                    \
    "{\"message\":\"" message "\",\"requestedSchema\":{\"type\":\"object\","   \
    "\"properties\":{" properties "},\"required\":[" required "]}}"
#define SAMPLE(text)                                                           \
    "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","        \
    "\"text\":\"" text "\"}}],\"maxTokens\":100}"

static const struct sq_mcp_question user_name = {
    "user_name", "elicitation/create",
    SQ_SPAN_INIT(FORM("What is your name?", "\"name\":{\"type\":\"string\"}",
                      "\"name\""))
};
static const struct sq_mcp_question capital_question = {
    "capital_question", "sampling/createMessage",
    SQ_SPAN_INIT(SAMPLE("What is the capital of France?"))
};
static const struct sq_mcp_question greeting = {
    "greeting", "sampling/createMessage",
    SQ_SPAN_INIT(SAMPLE("Generate a greeting"))
};
static const struct sq_mcp_question client_roots = { "client_roots",
                                                     "roots/list",
                                                     { 0 } };
static const struct sq_mcp_question confirm = {
    "confirm", "elicitation/create",
    SQ_SPAN_INIT(
        FORM("Please confirm", "\"ok\":{\"type\":\"boolean\"}", "\"ok\""))
};
static const struct sq_mcp_question steps[] = {
    { "step1", "elicitation/create",
      SQ_SPAN_INIT(FORM("Step 1: What is your name?",
                        "\"name\":{\"type\":\"string\"}", "\"name\"")) },
    { "step2", "elicitation/create",
      SQ_SPAN_INIT(FORM("Step 2: What is your favorite color?",
                        "\"color\":{\"type\":\"string\"}", "\"color\"")) },
};

/* Answers with the JSON text of the client's answers. */
static bool
add_answers(struct sq_result *out, const char *before,
            const struct sq_json *const *answers, int count,
            struct sq_err *err) {
    bool ok = true;
    SQ_BUF(text, 1 << 16);
    ok = sq_buf_printf(&text, err, "%s", before);
    for (int i = 0; ok && i < count; i++) {
        struct sq_json_writer w;
        sq_json_writer_init(&w, &text);
        sq_json_put_value(&w, answers[i]);
        ok = sq_json_writer_done(&w, err);
    }
    return ok && sq_buf_append(&text, "", 1, err)
        && add_text(out, (const char *)text.data, err);
}

static bool
ask_one(struct sq_mcp_call *call, const struct sq_mcp_question *question,
        const char *before, struct sq_result *out, struct sq_err *err) {
    const struct sq_json *answer;
    return sq_mcp_call_ask(call, question, 1, &answer, err)
        && add_answers(out, before, &answer, 1, err);
}

static bool
run_input_elicitation(const struct sq_json *arguments, struct sq_mcp_call *call,
                      struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    return ask_one(call, &user_name, "Hello: ", out, err);
}

static bool
run_input_sampling(const struct sq_json *arguments, struct sq_mcp_call *call,
                   struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    return ask_one(call, &capital_question, "Sampled: ", out, err);
}

static bool
run_input_roots(const struct sq_json *arguments, struct sq_mcp_call *call,
                struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    return ask_one(call, &client_roots, "Roots: ", out, err);
}

static bool
run_input_state(const struct sq_json *arguments, struct sq_mcp_call *call,
                struct sq_result *out, struct sq_err *err) {
    const struct sq_json *answer;
    (void)arguments;
    bool has_state = sq_span_is(sq_mcp_call_state(call), "asked");
    return sq_mcp_call_keep_state(call, SQ_SPAN("asked"), err)
        && sq_mcp_call_ask(call, &confirm, 1, &answer, err)
        && add_text(out, has_state ? "state-ok" : "no state", err);
}

static bool
run_input_several(const struct sq_json *arguments, struct sq_mcp_call *call,
                  struct sq_result *out, struct sq_err *err) {
    const struct sq_mcp_question questions[] = { user_name, greeting,
                                                 client_roots };
    const struct sq_json *answers[3];
    (void)arguments;
    return sq_mcp_call_keep_state(call, SQ_SPAN("several"), err)
        && sq_mcp_call_ask(call, questions, 3, answers, err)
        && add_answers(out, "All: ", answers, 3, err);
}

/* The state says which step was asked last. */
static bool
run_input_rounds(const struct sq_json *arguments, struct sq_mcp_call *call,
                 struct sq_result *out, struct sq_err *err) {
    const struct sq_json *answer;
    bool is_second = sq_span_is(sq_mcp_call_state(call), "2");
    (void)arguments;
    if (!is_second) {
        return sq_mcp_call_keep_state(call, SQ_SPAN("1"), err)
            && sq_mcp_call_ask(call, &steps[0], 1, &answer, err)
            && sq_mcp_call_keep_state(call, SQ_SPAN("2"), err)
            && sq_mcp_call_ask(call, &steps[1], 1, &answer, err)
            && add_text(out, "All steps were answered", err);
    }
    return sq_mcp_call_keep_state(call, SQ_SPAN("2"), err)
        && sq_mcp_call_ask(call, &steps[1], 1, &answer, err)
        && add_text(out, "All steps were answered", err);
}

/* Asks only what the client can answer. */
static bool
run_input_capabilities(const struct sq_json *arguments,
                       struct sq_mcp_call *call, struct sq_result *out,
                       struct sq_err *err) {
    unsigned can = sq_mcp_call_capabilities(call);
    struct sq_mcp_question questions[2];
    const struct sq_json *answers[2];
    int count = 0;
    (void)arguments;
    if (can & SQ_MCP_ELICITATION) {
        questions[count++] = user_name;
    }
    if (can & SQ_MCP_SAMPLING) {
        questions[count++] = capital_question;
    }
    return (count == 0 || sq_mcp_call_ask(call, questions, count, answers, err))
        && add_text(out, count ? "capabilities-ok" : "Nothing can be asked",
                    err);
}

/* A question that contains an argument of the call. */
struct about {
    const char *method;
    const char *before; /* the parameters before and after the text */
    const char *after;
    const char *label; /* of the answer */
};

static bool
ask_about(struct sq_mcp_call *call, const struct about *about,
          struct sq_span text, struct sq_result *out, struct sq_err *err) {
    struct sq_json_writer w;
    SQ_BUF(params, 1 << 16);
    bool ok = sq_buf_printf(&params, err, "%s", about->before);
    sq_json_writer_init(&w, &params);
    sq_json_put_string(&w, text);
    ok = ok && sq_json_writer_done(&w, err)
      && sq_buf_printf(&params, err, "%s", about->after);
    const struct sq_mcp_question question = { "question", about->method,
                                              sq_buf_span(&params) };
    return ok && ask_one(call, &question, about->label, out, err);
}

static bool
run_sampling(const struct sq_json *arguments, struct sq_mcp_call *call,
             struct sq_result *out, struct sq_err *err) {
    static const struct about about = {
        "sampling/createMessage",
        "{\"messages\":[{\"role\":\"user\",\"content\":{"
        "\"type\":\"text\",\"text\":",
        "}}],\"maxTokens\":100}", "LLM response: "
    };
    return ask_about(call, &about, sq_json_text_of(arguments, "prompt"), out,
                     err);
}

static bool
run_elicitation(const struct sq_json *arguments, struct sq_mcp_call *call,
                struct sq_result *out, struct sq_err *err) {
    static const struct about about = {
        "elicitation/create", "{\"message\":",
        ",\"requestedSchema\":{\"type\":\"object\","
        "\"properties\":{\"username\":{\"type\":\"string\"},"
        "\"email\":{\"type\":\"string\"}},\"required\":["
        "\"username\",\"email\"]}}",
        "User response: "
    };
    return ask_about(call, &about, sq_json_text_of(arguments, "message"), out,
                     err);
}

static bool
run_defaults(const struct sq_json *arguments, struct sq_mcp_call *call,
             struct sq_result *out, struct sq_err *err) {
    static const struct sq_mcp_question question = {
        "defaults", "elicitation/create",
        SQ_SPAN_INIT(
            FORM("Please review the defaults",
                 "\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},"
                 "\"age\":{\"type\":\"integer\",\"default\":30},"
                 "\"score\":{\"type\":\"number\",\"default\":95.5},"
                 "\"status\":{\"type\":\"string\",\"enum\":[\"active\","
                 "\"inactive\",\"pending\"],\"default\":\"active\"},"
                 "\"verified\":{\"type\":\"boolean\",\"default\":true}",
                 ""))
    };
    (void)arguments;
    return ask_one(call, &question, "Elicitation completed: ", out, err);
}

#define OPTION(value, name) "{\"const\":\"" value "\",\"title\":\"" name "\"}"
#define THREE "\"option1\",\"option2\",\"option3\""
#define THREE_TITLED                                                           \
    OPTION("value1", "First Option")                                           \
    "," OPTION("value2", "Second Option") "," OPTION("value3", "Third Option")

static bool
run_enums(const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_result *out, struct sq_err *err) {
    static const struct sq_mcp_question question = {
        "enums", "elicitation/create",
        SQ_SPAN_INIT(FORM(
            "Please choose",
            "\"untitledSingle\":{\"type\":\"string\",\"enum\":[" THREE "]},"
            "\"titledSingle\":{\"type\":\"string\",\"oneOf\":[" THREE_TITLED
            "]},"
            "\"legacyEnum\":{\"type\":\"string\",\"enum\":[\"opt1\",\"opt2\","
            "\"opt3\"],\"enumNames\":[\"Option One\",\"Option Two\","
            "\"Option Three\"]},"
            "\"untitledMulti\":{\"type\":\"array\",\"items\":{\"type\":"
            "\"string\",\"enum\":[" THREE "]}},"
            "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":"
            "[" THREE_TITLED "]}}",
            ""))
    };
    (void)arguments;
    return ask_one(call, &question, "Elicitation completed: ", out, err);
}

#define PROMPT_SCHEMA                                                          \
    "{\"type\":\"object\",\"properties\":{\"prompt\":{\"type\":\"string\"}},"  \
    "\"required\":[\"prompt\"]}"
#define MESSAGE_SCHEMA                                                         \
    "{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}}," \
    "\"required\":[\"message\"]}"

const struct fixture_tool fixture_asking_tools[] = {
    { "test_sampling", PROMPT_SCHEMA, run_sampling },
    { "test_elicitation", MESSAGE_SCHEMA, run_elicitation },
    { "test_elicitation_sep1034_defaults", NULL, run_defaults },
    { "test_elicitation_sep1330_enums", NULL, run_enums },
    { "test_input_required_result_elicitation", NULL, run_input_elicitation },
    { "test_input_required_result_sampling", NULL, run_input_sampling },
    { "test_input_required_result_list_roots", NULL, run_input_roots },
    { "test_input_required_result_request_state", NULL, run_input_state },
    { "test_input_required_result_multiple_inputs", NULL, run_input_several },
    { "test_input_required_result_multi_round", NULL, run_input_rounds },
    { "test_input_required_result_tampered_state", NULL, run_input_state },
    { "test_input_required_result_capabilities", NULL, run_input_capabilities },
};
const size_t fixture_asking_tool_count =
    sizeof(fixture_asking_tools) / sizeof(fixture_asking_tools[0]);
