/* The program as a function: what main calls, and what tests call instead. */
#ifndef SQ_APP_APP_H
#define SQ_APP_APP_H

/*
 * Run one command line and return its exit status. Keeps nothing between
 * calls. See struct sq_command for what the statuses mean.
 */
int sq_app_main(int argc, char **argv);

#endif
