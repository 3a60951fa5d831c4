# SPDX-License-Identifier: BSD-2-Clause
# The BPF programs compile for arm64: with the rule of the Makefile, a compiler that says it is one for arm64, and the registers
# of arm64 in place of the header of this machine.
mkdir -p headers/asm
cat >headers/asm/bpf_perf_event.h <<'END'
typedef struct { unsigned long regs[31], sp, pc, pstate; } bpf_user_pt_regs_t;
END
cat >compiler <<'END'
#!/bin/sh
case $* in
-dumpmachine | -print-multiarch) echo aarch64-linux-gnu ;;
*) exec cc "$@" ;;
esac
END
chmod +x compiler
C_INCLUDE_PATH=$PWD/headers:/usr/include/$(cc -print-multiarch)
export C_INCLUDE_PATH
for name in unwind offcpu strings; do
	object=$PWD/b/pk-record/bpf/$name.bpf.o
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$PK_TOP" B="$PWD/b" CC="$PWD/compiler" WERROR=1 "$object" >said 2>&1 || cat said
	readelf -SW "$object" | sed -n "s|^ *\[[ 0-9]*\] \([^ ]*\) *PROGBITS *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*AX.*|\1 \2|p" | awk '$2 !~ /^0+$/ { print $1 }' | sed "s|^|$name: |" | sort
done
