/* The program as a function, which main and the tests call. */
#ifndef SQ_APP_APP_H
#define SQ_APP_APP_H

/*
 * Runs one command line and returns its exit status (enum sq_status). Keeps no
 * state between calls.
 */
int sq_app_main(int argc, char **argv);

#endif
