/*
 * Writes texts that name only operations which the client can call, under the
 * names that it knows. A text marks the name of an operation or tool with '@':
 *
 *   "@dump"             dump, or ui_dump with --tools split
 *   "ui @dump"          ui dump, or ui_dump
 *   "operation @dump"   operation dump, or tool ui_dump
 *   "{"operation": "@tap", "x": 9}"   the same, or ui_tap {"x": 9}
 *   The same for a person: squint dump, squint dump, squint dump, tap.
 *   "@Tap"              Tap, an ordinary word, but only where tap can be called
 *
 * A sentence with an operation that is not offered is left out. "\@tap" is no
 * mark: text of others in a hint has it.
 */
#ifndef SQ_TOOLS_OFFER_H
#define SQ_TOOLS_OFFER_H

#include <stdbool.h>

#include "tool/tool.h"
#include "util/buf.h"
#include "util/err.h"

struct sq_config;

/* What a server offers. Zeroed: the tool `ui` with all operations. */
struct sq_offer {
    bool is_split;     /* one tool per operation */
    bool is_person;    /* types commands: squint tap */
    bool is_read_only; /* only operations that change and reveal nothing */
    const struct sq_config *config; /* what else is allowed; NULL: not known */
    unsigned off;                   /* what is switched off: SQ_TOOL_BY_... */
};

struct sq_library;
struct sq_offer sq_offer_of(const struct sq_config *config,
                            const struct sq_library *past);

/* Returns what is offered to the caller; a person always has commands. */
struct sq_offer sq_offer_to(const struct sq_call *call);

/* Returns whether an operation may be called at all. */
bool sq_tool_is_offered(struct sq_offer offer, const struct sq_tool *tool);

/*
 * Returns whether an operation is listed. One that is switched off can still be
 * called, and then says how to switch it on.
 */
bool sq_offer_lists(struct sq_offer offer, const struct sq_tool *tool);

/* Fails because the server does not offer this operation. Returns false. */
bool sq_fail_not_offered(struct sq_offer offer, const struct sq_tool *tool,
                         struct sq_err *err);

/* Writes the name by which a client calls an operation: "ui_tap" or "tap". */
#define SQ_CALLABLE_NAME_SIZE 64
void sq_offer_name(struct sq_offer offer, const struct sq_tool *tool,
                   char out[SQ_CALLABLE_NAME_SIZE]);

/* Writes a marked text as this client must read it, cut off at `size`. */
void sq_offer_write(struct sq_offer offer, const char *text, char *out,
                    size_t size);

/* Appends a marked text of any length, such as a page. */
bool sq_offer_append(struct sq_offer offer, const char *text,
                     struct sq_buf *out, struct sq_err *err);

/* Rewrites the marked hint of an error; the reply must always have one. */
void sq_offer_hint(struct sq_offer offer, struct sq_err *err);

#endif
