#include "support/kill.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/test.h"
#include "util/fault.h"

#define MAX_CALLS 5000

long
t_kill_everywhere(bool (*work)(void *context), void (*check)(void *context),
                  void *context) {
    bool ended = false;
    long nth = 0;
    while (!ended && nth < MAX_CALLS) {
        nth++;
        int status = 0;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){
                                            .nth = nth, .how = SQ_FAULT_KILL });
            _exit(work(context) ? 0 : 1);
        }
        if (!T(child > 0) || !T(waitpid(child, &status, 0) == child)) {
            return nth;
        }
        ended = !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        T(!ended || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
        check(context);
    }
    T(ended);
    return nth - 1;
}
