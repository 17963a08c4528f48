/* The checks of squint doctor for reading text, past screenshots and redaction.
 */
#ifndef SQ_APP_COMMANDS_DOCTOR_PAST_H
#define SQ_APP_COMMANDS_DOCTOR_PAST_H

#include "app/commands/doctor.h"
#include "archive/archive.h"

#define SQ_PAST_FINDINGS (3 * SQ_ARCHIVE_MAX_ROOTS)

/*
 * Starts the reader of text if it is enabled, looks at each folder of past
 * screenshots and how much of its text is read, and names the rules of
 * redaction. Fills *out and *count; fails only without memory.
 */
bool sq_doctor_past(const struct sq_setup *setup,
                    struct sq_finding out[SQ_PAST_FINDINGS], int *count,
                    struct sq_err *err);

#endif
