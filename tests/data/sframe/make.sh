# SPDX-License-Identifier: BSD-2-Clause
# make.sh PREFIX VERSION [OPTION...]: assembles and links the object of a machine for tests/unit/test_sframe_rows.c. PREFIX is
# that of its assembler and linker, such as s390x-linux-gnu-. VERSION is that of the .sframe which they write: 2 with binutils
# 2.44 (its OPTION is --defsym OLD=1; it knows no s390x), 3 with binutils 2.47. For x86-64 and 3, also makes the program spin,
# which has no .eh_frame.
set -eu
cd "$(dirname "$0")"
prefix=$1 version=$2
shift 2
machine=${prefix##*/}
machine=${machine%%-*}
"${prefix}as" --gsframe "$@" -o object.o "$machine.s"
"${prefix}ld" -shared -z noseparate-code -z max-page-size=4096 -s -o "$machine-$version.so" object.o
if [ "$machine $version" = 'x86_64 3' ]; then
	"${prefix}as" --gsframe -o object.o spin.s
	"${prefix}ld" -z noseparate-code -z max-page-size=4096 -o spin object.o
	"${prefix}objcopy" --remove-section .eh_frame spin
fi
rm object.o
