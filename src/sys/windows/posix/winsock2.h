/* Keeps the pollfd of poll.h and that of Winsock apart. */
#pragma GCC system_header
#pragma push_macro("pollfd")
#undef pollfd
#include_next <winsock2.h>
#pragma pop_macro("pollfd")
