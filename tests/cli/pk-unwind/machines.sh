# SPDX-License-Identifier: BSD-2-Clause
# Recordings of 32-bit Arm (.ARM.exidx, .debug_frame), RISC-V and POWER, beside what perf 7.2 printed there. perf
# does not read .ARM.exidx: its stacks of Arm end before ours.
data=$PK_TOP/tests/data/unwind
for name in armhf1 armhf2 riscv64 ppc64le; do
	echo "== $name"
	pk-unwind --symfs "$data" -o unwound.pk "$data/$name.perf.zst"
	pk-script -q --no-inline -F comm,tid,time,event,ip,sym,dso --symfs "$data" unwound.pk >text
	gzip -dc "$data/$name.script.gz" >perf.text
	perl "$PK_TOP/tests/corpus/unwind_compare.pl" text perf.text
	# Who called whom; each line is a call of the program's source.
	awk '/^[^\t ]/ { called = "" }
		/\/calls-/ { f = $2; sub(/\+.*/, "", f); if (called != "") print f, called; called = f }' text | sort -u
done
