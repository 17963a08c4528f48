/* The tested code calls the functions of the test through these pointers. */
struct addrinfo;

int getaddrinfo(const char *node, const char *service,
                const struct addrinfo *hints, struct addrinfo **out);
void freeaddrinfo(struct addrinfo *list);

int (*__imp_getaddrinfo)(const char *, const char *, const struct addrinfo *,
                         struct addrinfo **) = getaddrinfo;
void (*__imp_freeaddrinfo)(struct addrinfo *) = freeaddrinfo;
