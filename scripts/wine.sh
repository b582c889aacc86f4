# shellcheck shell=bash
# To be sourced by scripts that run the program under wine.

# random_numbers_for_wine PROGRAM: puts a substitute library into the program's folder if wine is older than version 9,
# because those versions lack the library of Rust's random numbers.
random_numbers_for_wine() {
    if ! wine "$1" --version >/dev/null 2>&1; then
        x86_64-w64-mingw32-gcc -shared -o "$(dirname "$1")/bcryptprimitives.dll" -x c - -ladvapi32 <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG size);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return SystemFunction036(data, (ULONG)size); }
C
        wine "$1" --version
    fi
}
