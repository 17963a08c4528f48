/* A program that serves the protocol with the small host of the tests. */
#include <stdio.h>

#include "mcp/stdio.h"
#include "support/mcp_host.h"

static void
complain(const char *message) {
    fprintf(stderr, "server: %s\n", message);
}

int
main(void) {
    static const struct sq_mcp_options options = { .print_message = complain };
    return sq_mcp_serve_stdio(&t_mcp_host, &options);
}
