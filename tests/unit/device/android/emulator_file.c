/* The file in which an emulator describes itself. */
#include "device/android/emulator.h"

#include "support/test.h"

static struct sq_emulator_file file;

T_CASE(values_are_read) {
    sq_emulator_file_read(SQ_SPAN("port.serial=5554\r\nport.adb=5555\n"
                                  "avd.name=Pixel\ngrpc.port = 8554\n"
                                  "grpc.token=ab.C-1_/+=\ngrpc.jwks=/x\n"
                                  "no value\n=\n"),
                          &file);
    T_INT(file.serial_port, 5554);
    T_INT(file.adb_port, 5555);
    T_INT(file.grpc_port, 8554);
    T_STR(file.token, "ab.C-1_/+=");
    T(!file.has_tls && !file.needs_signing);
}

T_CASE(unusable_servers_are_recognised) {
    sq_emulator_file_read(SQ_SPAN("grpc.port=8554\ngrpc.jwks=/x\n"), &file);
    T(file.needs_signing);
    sq_emulator_file_read(SQ_SPAN("grpc.port=8554\ngrpc.server_cert=/x\n"),
                          &file);
    T(file.has_tls);
}

T_CASE(wrong_values_are_ignored) {
    sq_emulator_file_read(SQ_SPAN("grpc.port=70000\nport.adb=-1\n"
                                  "port.serial=x\ngrpc.token=a b\n"),
                          &file);
    T_INT(file.grpc_port, 0);
    T_INT(file.adb_port, 0);
    T_INT(file.serial_port, 0);
    T_STR(file.token, "");
}

T_CASE(serial_numbers_have_a_port) {
    static const struct {
        const char *serial;
        int port; /* 0: none */
        bool by_address;
    } cases[] = {
        { "emulator-5554", 5554, false }, { "127.0.0.1:5555", 5555, true },
        { "localhost:5555", 5555, true }, { "[::1]:5555", 5555, true },
        { "192.168.0.2:5555", 0, false }, { "R58M", 0, false },
        { "emulator-", 0, false },
    };
    T_EACH(i, cases) {
        bool by_address = false;
        int port = 0;
        T_INT(sq_emulator_parse_serial(cases[i].serial, &by_address, &port),
              cases[i].port != 0);
        T_INT(port, cases[i].port);
        T_INT(by_address, cases[i].by_address);
    }
}

T_CASE(names_have_the_process) {
    int64_t pid = 0;
    T(sq_emulator_file_pid(SQ_SPAN("pid_1234.ini"), &pid));
    T_INT(pid, 1234);
    T(!sq_emulator_file_pid(SQ_SPAN("pid_.ini"), &pid));
    T(!sq_emulator_file_pid(SQ_SPAN("pid_-5.ini"), &pid));
    T(!sq_emulator_file_pid(SQ_SPAN("pid_99999999999.ini"), &pid));
    T(!sq_emulator_file_pid(SQ_SPAN("1234.ini"), &pid));
}
