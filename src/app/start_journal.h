/* Starts the journal of a server, if the configuration names one. */
#ifndef SQ_APP_START_JOURNAL_H
#define SQ_APP_START_JOURNAL_H

#include "app/setup.h"
#include "journal/journal.h"

/*
 * *out is NULL if no journal is kept. Destroy it before the setup.
 * print_message prints a line for the user.
 */
bool sq_start_journal(const struct sq_setup *setup,
                      void (*print_message)(const char *message),
                      struct sq_journal_writer **out, struct sq_err *err);

#endif
