# shellcheck shell=bash
# To be sourced by scripts that run the program under wine.

# random_numbers_for_wine PROGRAM: Rust's random numbers come from a library that wine has since version 9 only; for an older one, the
# same from another library, in the program's folder.
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
