/*
 * What a person has chosen for the calls that act: a mode, and rules for some
 * of them. As JSON, and as the last line of a file that all processes obey.
 */
#ifndef SQ_TOOL_GATE_STATE_H
#define SQ_TOOL_GATE_STATE_H

#include <sys/types.h>

#include "json/reader.h"
#include "json/writer.h"
#include "tool/policy.h"

enum sq_gate_mode {
    SQ_GATE_RUN,     /* nothing is held */
    SQ_GATE_HOLD,    /* the agent is paused */
    SQ_GATE_APPROVE, /* a person decides on each call */
};

/* "run", "hold" and "approve", for files and pages; ends with NULL. */
extern const char *const sq_gate_mode_names[];

/* Which calls are held in another mode than the others. */
struct sq_gate_rule {
    enum sq_gate_mode mode; /* not SQ_GATE_RUN */
    struct sq_policy_scope about;
};

#define SQ_GATE_MAX_RULES 16

/* Writes an array of objects, and reads one. */
void sq_gate_put_rules(struct sq_json_writer *w,
                       const struct sq_gate_rule *rules, int count);
bool sq_gate_read_rules(const struct sq_json *array,
                        struct sq_gate_rule out[SQ_GATE_MAX_RULES], int *count,
                        struct sq_err *err);

/* Returns the mode of that name; -1: none. */
int sq_gate_find_mode(struct sq_span name);

struct sq_gate_state {
    enum sq_gate_mode mode;
    struct sq_gate_rule rules[SQ_GATE_MAX_RULES];
    int count;
};

/* Appends a line to a file, and its length to the size. */
bool sq_gate_state_write(int file, const struct sq_gate_state *state,
                         off_t *size);

/*
 * Reads the last line. If the file ends within a line, ends it, so that the
 * next one can be read. What cannot be read holds all calls; an empty file,
 * none.
 */
void sq_gate_state_read(int file, off_t size, struct sq_gate_state *out);

#endif
