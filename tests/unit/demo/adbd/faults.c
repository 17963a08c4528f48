#include "demo/adbd/phone.h"

#include "support/test.h"

#define MAX_BYTES 1000

static const char *
list(const struct sq_adbd_faults *faults) {
    static char text[MAX_BYTES];
    T_BUF(out, MAX_BYTES);
    T_OK(sq_adbd_faults_list(faults, &out, &t_err));
    memcpy(text, out.data ? (const char *)out.data : "", out.len);
    text[out.len] = '\0';
    return text;
}

T_CASE(faults_are_set_by_name) {
    struct sq_adbd_faults faults = { 0 };
    T_STR(list(&faults), "");
    T_OK(
        sq_adbd_faults_set(&faults, SQ_SPAN("truncate=5,hang,secure"), &t_err));
    T_STR(list(&faults), "truncate=5\nhang\nsecure\n");
    T_OK(sq_adbd_faults_set(&faults, SQ_SPAN("hang=7"), &t_err));
    T_OK(sq_adbd_faults_set(&faults, SQ_SPAN("truncate=off"), &t_err));
    T_OK(sq_adbd_faults_set(&faults, SQ_SPAN(""), &t_err));
    T_STR(list(&faults), "hang=7\nsecure\n");
    T_OK(sq_adbd_faults_set(&faults, SQ_SPAN("none,idle"), &t_err));
    T_STR(list(&faults), "idle\n");
}

T_CASE(invalid_faults_are_refused_and_change_nothing) {
    static const char *const texts[] = {
        "nosuch",
        "truncate",
        "truncate=",
        "truncate=x",
        "slow=0",
        "secure=1",
        "truncate=-1",
        "idle,nosuch",
        "idle=1=2",
        ",",
        "truncate=99999999999999999999",
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        struct sq_adbd_faults faults = { 0 };
        T_FAILS(sq_adbd_faults_set(&faults, sq_span_of(texts[i]), &t_err),
                SQ_ERR_ARGUMENT);
        T_STR(list(&faults), "");
    }
    struct sq_adbd_faults faults = { 0 };
    T(!sq_adbd_faults_set(&faults, SQ_SPAN("nosuch"), &t_err));
    T(strstr(t_err.hint, "truncate") && strstr(t_err.hint, "clipboard-helper"));
}

T_CASE(counted_fault_ends) {
    struct sq_adbd_faults faults = { 0 };
    T(!sq_adbd_fault_spend(&faults, SQ_ADBD_IDLE));
    T_OK(sq_adbd_faults_set(&faults, SQ_SPAN("idle=2,crash,null-root=0"),
                            &t_err));
    T(sq_adbd_fault_spend(&faults, SQ_ADBD_IDLE));
    T(sq_adbd_fault_spend(&faults, SQ_ADBD_IDLE));
    T(!sq_adbd_fault_spend(&faults, SQ_ADBD_IDLE));
    T(!sq_adbd_fault_spend(&faults, SQ_ADBD_NULL_ROOT));
    for (int i = 0; i < 5; i++) {
        T(sq_adbd_fault_spend(&faults, SQ_ADBD_CRASH));
    }
    T_STR(list(&faults), "crash\n");
}

T_CASE(delays_are_set_by_program) {
    struct sq_adbd_delays delays = { 0 };
    T(!sq_adbd_delay_of(&delays, "wm"));
    T_OK(sq_adbd_delays_set(&delays, SQ_SPAN("screencap=40,wm=1"), &t_err));
    T_OK(sq_adbd_delays_set(&delays, SQ_SPAN("wm=3"), &t_err));
    T_INT(sq_adbd_delay_of(&delays, "screencap")->ms, 40);
    T_INT(sq_adbd_delay_of(&delays, "wm")->ms, 3);
    T_OK(sq_adbd_delays_set(&delays, SQ_SPAN("wm=silent"), &t_err));
    T_INT(sq_adbd_delay_of(&delays, "wm")->ending, SQ_ADBD_IS_SILENT);
    T_INT(sq_adbd_delay_of(&delays, "wm")->ms, 0);
    T_OK(sq_adbd_delays_set(&delays, SQ_SPAN("wm=3"), &t_err));
    T_INT(sq_adbd_delay_of(&delays, "wm")->ending, SQ_ADBD_WORKS);
    T_INT(delays.count, 2);
    static const char *const mistakes[] = {
        "wm",
        "wm=",
        "=1",
        "wm=-1",
        "wm=600001",
        "wm=x",
        "a-program-with-a-very-long-name-indeed=1",
        "screencp=100",
    };
    for (size_t i = 0; i < SQ_COUNT(mistakes); i++) {
        T_FAILS(sq_adbd_delays_set(&delays, sq_span_of(mistakes[i]), &t_err),
                SQ_ERR_ARGUMENT);
    }
    T(!sq_adbd_delays_set(&delays,
                          SQ_SPAN("am=1,cat=1,cmd=1,echo=1,getprop=1,grep=1,"
                                  "head=1,id=1,ime=1,input=1,ls=1,pm=1,rm=1,"
                                  "sleep=1,stat=1,wc=1"),
                          &t_err));
    T_INT(delays.count, 2);
}
