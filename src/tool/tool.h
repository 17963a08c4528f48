/*
 * Defines the interface between an operation and its callers. An operation is
 * one file that ends with one const struct sq_tool. Its argument table
 * generates the JSON schema, the decoding and its errors, the command-line
 * flags, the help and the documentation. Handlers append content blocks and
 * know neither JSON-RPC nor the terminal.
 */
#ifndef SQ_TOOL_TOOL_H
#define SQ_TOOL_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "args/arg.h"
#include "geom/view.h"
#include "json/reader.h"
#include "json/writer.h"
#include "sys/deadline.h"
#include "sys/path.h"
#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"

enum sq_tool_flag {
    SQ_TOOL_ACTS = 1 << 0, /* changes something: not offered in --read-only */
    SQ_TOOL_DESTRUCTIVE = 1 << 1, /* the change may be irreversible */
    SQ_TOOL_IDEMPOTENT = 1 << 2,
    SQ_TOOL_NEEDS_DEVICE = 1 << 3, /* call->device is set and locked */
    SQ_TOOL_IMAGE = 1 << 4,        /* may return a picture: no output schema */
    SQ_TOOL_ELEMENTS = 1 << 5,     /* looks at the screen; longer timeout */
    SQ_TOOL_HEAVY = 1 << 6,        /* holds its work slot from start to reply */
    SQ_TOOL_PRIVATE = 1 << 7,  /* reads more than the screen shows: not offered
                                  in --read-only */
    SQ_TOOL_BRIEF = 1 << 8,    /* the list of tools has only its name and the
                                  names of its arguments; rtfm has the rest */
    SQ_TOOL_LONG = 1 << 9,     /* may take many seconds: can be a task */
    SQ_TOOL_NUMBERS = 1 << 10, /* returns or takes numbers of hits or cells, or
                                  pixels of a past screenshot's picture: the
                                  command line keeps the session */
    SQ_TOOL_FILES = 1 << 11,   /* changes files of squint, not the device */
    /* What must be switched on; without it an operation is not listed. */
    SQ_TOOL_BY_OCR = 1 << 12,
    SQ_TOOL_BY_TEMPLATES = 1 << 13,
    SQ_TOOL_BY_INSTALL_FOLDER = 1 << 14,
    SQ_TOOL_BY_ARCHIVE = 1 << 15,
    /* Acts on a device, and may show its screen afterwards. */
    SQ_TOOL_ACTION = SQ_TOOL_ACTS | SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IMAGE,
};

struct sq_call;
struct sq_people;
struct sq_word_change;

/* Names of other tools for an operation, or for its arguments. */
struct sq_synonym {
    const char *words;   /* separated by spaces; NULL ends a list */
    const char *command; /* what a person types after squint; NULL: its verb */
    const char *call; /* what a client sends, marked: tools/offer.h; NULL: the
                         operation with its example */
};

/* A list of them. */
#define SQ_SYNONYMS(...) ((const struct sq_synonym[]){ __VA_ARGS__, { 0 } })

/* A call of an operation; `more` begins with a comma. */
#define SQ_UI_CALL(name, more) "ui {\"operation\": \"@" name "\"" more "}"

/* A call of a tool for past screenshots. */
#define SQ_OWN_CALL(name, arguments) "@" name " {" arguments "}"

#define SQ_PEOPLE_EXAMPLES 3

/* An operation on the command line: its help, and how its reply is shown. */
struct sq_people_view {
    const char *about;                        /* what it does; NULL: `text` */
    const char *examples[SQ_PEOPLE_EXAMPLES]; /* without "squint" */
    /*
     * What an action did, as "Pressed {pressed}" with members of the reply; its
     * receipt follows. NULL: `show` prints the reply (tool/people.h).
     */
    const char *line;
    bool (*show)(struct sq_people *people, struct sq_err *err);
    /* Returns whether the answer is positive. NULL: a reply always is. */
    bool (*is_done)(const struct sq_people *people);
    bool prints_data; /* remarks go to standard error, not between the data */
    bool counts_ms;   /* its progress is a time, in milliseconds */
    const char *(*word_at)(size_t index); /* what its first word may be, for
                                             completion; NULL: its choices */
};

/* The table of arguments of a tool, and the struct that its rows fill. */
#define SQ_ARGS(table, type) .args = (table), .args_size = sizeof(struct type)

struct sq_tool {
    const char *name;          /* operation name: "visual-snapshot" */
    const char *verb;          /* command-line verb; NULL: same as name */
    const char *title;         /* "Look at the screen" */
    const char *text;          /* one sentence for the model */
    const char *manual;        /* Markdown for rtfm; an example follows it */
    unsigned flags;            /* enum sq_tool_flag */
    const struct sq_arg *args; /* NULL: only the common ones */
    size_t args_size;
    /*
     * Arguments that the command line takes by position: "x y | selector.text".
     * "|" separates alternatives, and "?" ends the name of an optional one.
     * NULL: none.
     */
    const char *words;
    /*
     * The four arguments that --region X,Y,W,H of the command line sets, such
     * as "x y width height"; NULL: none.
     */
    const char *region;
    int timeout_ms;
    /*
     * The members of the reply: "count:int hint?:text"; with "?" those that may
     * be missing. The types: text, int, bool, object; texts and objects are
     * arrays; objectsOrNull is one object, or an array of several. What objects
     * have may follow: "apps:objects(label?:text)". NULL only with IMAGE.
     */
    const char *output;
    struct sq_people_view people;
    const char *synonyms; /* its names in other tools, separated by spaces */
    const char *example;  /* arguments of a call; NULL: it needs none */
    const char *manual_example; /* those that rtfm shows; NULL: example */
    const struct sq_synonym *other_names;     /* of special calls; NULL: none */
    const struct sq_synonym *other_arguments; /* of similar tools; NULL: none */
    const char *typed; /* the argument that is typed, and may be a secret; NULL:
                          none */
    unsigned uses; /* which options of the configuration have an effect: enum
                      sq_config_use, beside those of its flags */
    /*
     * Refuses decoded arguments that contradict each other, before a device is
     * used. Pure. NULL: there is nothing to check.
     */
    bool (*check)(const void *args, struct sq_err *err);
    bool (*run)(struct sq_call *call, const void *args, struct sq_err *err);
};

/* The intended reader of a block, for hosts that support it. */
enum sq_audience {
    SQ_FOR_BOTH,
    SQ_FOR_MODEL,
    SQ_FOR_USER,
};

enum sq_block_kind {
    SQ_BLOCK_TEXT,           /* data is UTF-8, usually JSON */
    SQ_BLOCK_IMAGE,          /* data is the encoded picture */
    SQ_BLOCK_LINK,           /* a resource that can be read later */
    SQ_BLOCK_AUDIO,          /* data is the encoded sound */
    SQ_BLOCK_RESOURCE_TEXT,  /* the content of a resource, UTF-8 */
    SQ_BLOCK_RESOURCE_BYTES, /* the content of a resource, not text */
};

struct sq_block {
    enum sq_block_kind kind;
    enum sq_audience audience;
    double priority; /* 0 to 1 */
    struct sq_buf data;
    const char *mime_type; /* constant */
    char uri[128];         /* of a LINK or RESOURCE */
    char name[128];        /* of a LINK */
    size_t size;           /* of a LINK's target; 0: unknown */
};

#define SQ_MAX_BLOCKS 128
#define SQ_SAVED_PATH_SIZE (SQ_PATH_SIZE + 256) /* folder and name */

/*
 * The result of a call. A plain value: empty when zeroed or after
 * sq_result_init, and safe to finish then.
 */
struct sq_result {
    struct sq_block *blocks;
    int count;
    int capacity;
    int64_t device_ns;     /* time in operations of the device; 0: used none */
    struct sq_buf details; /* JSON object sent with an error; may be empty */
    /*
     * Bit N: the text that step N typed went into a field that does not hide
     * it. Bit 0 of a call without steps is its own.
     */
    uint32_t harmless_texts;
    bool may_change_later;               /* see tools/screen/late_change.h */
    char saved_path[SQ_SAVED_PATH_SIZE]; /* file of a saved picture; "": none */
};

/* Makes a result empty, without writing all bytes of its path. */
void sq_result_init(struct sq_result *result);

void sq_result_finish(struct sq_result *result);

/* Returns the first block of that kind, or NULL. */
const struct sq_block *sq_result_first(const struct sq_result *result,
                                       enum sq_block_kind kind);

/*
 * Reserves memory for the first SQ_FEW_BLOCKS blocks, so that an operation that
 * acts cannot fail to report it afterwards.
 */
#define SQ_FEW_BLOCKS 8
bool sq_result_reserve(struct sq_result *result, struct sq_err *err);

/*
 * Appends a block whose buffer is empty and limited to max_bytes. *out is valid
 * until the next block is added.
 */
bool sq_result_add(struct sq_result *result, enum sq_block_kind kind,
                   size_t max_bytes, struct sq_block **out, struct sq_err *err);

struct sq_library;
struct sq_config;
struct sq_device;
struct sq_devices;
struct sq_reader;
struct sq_redactor;
struct sq_session;
struct sq_ticket;
struct sq_work;
struct sq_action_rate;

/* One running call. Its small allocations come from the arena. */
struct sq_call {
    /* What the caller of sq_tools_run gives; the call owns none of it. */
    struct sq_session *session;
    const struct sq_config *config;
    struct sq_devices *devices;
    const struct sq_library *past;      /* archived screenshots */
    struct sq_reader *reader;           /* of text; NULL: not enabled */
    const struct sq_redactor *redactor; /* of pictures and texts; NULL: for
                                           tests without one */
    struct sq_span client;              /* name of the client; may be empty */
    uint64_t client_number; /* tells clients apart: sq_devices_queue */
    bool is_alone;          /* one-shot session: no later call follows */
    bool keeps_frames;      /* but a later process knows its frames */
    bool is_short;          /* ui.replies: short */
    bool is_recorded;       /* find out whether typed text may be stored */
    bool needs_picture;     /* a look at no change shows the whole screen, steps
                               end with a picture of it, and no picture is only a
                               file */
    bool lists_later;       /* the elements follow: receipts have no list */
    struct sq_cancel *cancel; /* NULL: the call cannot be cancelled */
    struct sq_ticket *turn;   /* owns the device; from sq_tools_queue. NULL: the
                                 call opens it */
    /*
     * For heavy work; NULL: no limit. Work that a SQ_TOOL_HEAVY operation has
     * begun is ended by the caller, so that its reply is sent before the next
     * one is made.
     */
    struct sq_work *work;
    /* Reports progress to the caller; may be NULL. */
    void (*progress)(struct sq_call *call, double done, double total,
                     const char *message);
    void *progress_context;
    /*
     * Waits until a step of this call may act, and may give the device to
     * others meanwhile: `device` is then another value. May be NULL.
     */
    bool (*before_step)(struct sq_call *call, const struct sq_tool *tool,
                        const struct sq_json *step, bool is_first,
                        struct sq_err *err);
    void *before_step_context;
    struct sq_action_rate *rate; /* of all clients; NULL: not limited */

    /* What sq_tools_run sets. */
    const struct sq_tool *tool;
    const struct sq_json *arguments; /* of the request; NULL: none */
    struct sq_device *device;        /* with SQ_TOOL_NEEDS_DEVICE */
    bool acts;            /* this call, or the one whose step it is */
    bool demo_by_default; /* no other device is attached: report it */
    bool other_acted; /* another client did, since the last answer or look */
    bool other_may_react; /* what has changed may be the effect of that */
    /* What has changed since the last receipt, to be reported first; or empty.
     */
    struct sq_img_rects late_change;
    int late_ms; /* when it was seen; 0: not known */
    /* In the arena; NULL: not known. See tools/screen/word_change.h. */
    const struct sq_word_change *late_words;
    bool reports_late_change; /* the answer has it */
    bool has_receipt;         /* this call has acted and looked afterwards */
    struct sq_arena *arena;
    struct sq_deadline deadline;
    struct sq_result *result;
    int64_t busy_ns; /* of the device, when the call got it: tools/run.c */
};

/* Returns the public name of an error code, which is stable and upper case,
   such as "INPUT_VALIDATION_FAILED"; never NULL. */
const char *sq_tool_error_name(enum sq_err_code code);

#endif
