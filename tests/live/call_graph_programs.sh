# SPDX-License-Identifier: BSD-2-Clause
# long
# --call-graph unwind beside pk-unwind for programs of several kinds: what optimizers do with C++, stacks on other memory, lazy
# binding, many short processes, libraries that are loaded and unloaded, and programs of Debian. The same at tracepoints, and
# at probes of the first instruction of functions and of others.
. "$PK_TOP/tests/live/unwind_same.bash"
workload=$PK_TOP/tests/live/workload

cxx()
{
	local program=$1
	shift
	${CXX:-g++} -std=gnu++17 -fomit-frame-pointer -o "$program" "$workload/stacks.cc" -pthread "$@" 2>compile.err
}
if cxx o2 -O2; then
	same -n 40 ./o2 200
	cxx o3 -O3 && same -n 40 ./o3 200
	! cxx lto -O3 -flto || same -n 40 ./lto 200
	# Code that is seldom executed is in other places.
	cxx profile -O2 -fprofile-generate=profile.data -fprofile-update=atomic && ./profile 100 &&
		cxx split -O2 -fprofile-use=profile.data -freorder-blocks-and-partition -Wno-missing-profile && same -n 40 ./split 200
fi
compile contexts.c contexts -O2 -fomit-frame-pointer || fail "$(cat compile.err)"
same -n 40 ./contexts 300
compile linkage.c linkage -O2 -fomit-frame-pointer -fno-builtin -Wl,-z,lazy -lm || fail "$(cat compile.err)"
same -n 40 ./linkage 200
# Some of the samples are in the dynamic loader, or are taken before the maps are known.
same -n 40 -p 95 ./linkage 3 3

compile shared.c libshared.so -O2 -fomit-frame-pointer -shared -fPIC -DLOADER &&
	compile shared.c first.so -O2 -fomit-frame-pointer -shared -fPIC -DNAME=first_plugin &&
	compile shared.c second.so -O2 -fomit-frame-pointer -shared -fPIC -DNAME=second_plugin &&
	compile loader.c loader -O2 -fomit-frame-pointer -L. -lshared -Wl,-rpath,"$PWD" -ldl || fail "$(cat compile.err)"
same -n 40 ./loader ./first.so ./second.so ./first.so ./second.so ./first.so

same git -C "$PK_TOP" log --stat -n 200
same perl -e 'my %h; $h{$_ % 1000} .= $_ for 1 .. 1000000; print scalar %h'
! type /usr/bin/g++ >/dev/null 2>&1 || same /usr/bin/g++ -c -o stacks.o "$workload/stacks.cc"
! type /usr/bin/python3 >/dev/null 2>&1 || same /usr/bin/python3 -c '
import json, re
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
fib(29)
for i in range(1000): json.dumps({"a": [1, 2, 3] * 20}); re.compile("a+b%d" % i)'
! type sqlite3 >/dev/null 2>&1 || same sqlite3 :memory: '
with recursive c(x) as (select 1 union all select x + 1 from c where x < 300000) select sum(x * x), count(distinct x % 1000) from c;'

same -e 'syscalls:sys_enter_openat/stack-size=STACK/u' -n 3 git -C "$PK_TOP" log --stat -n 1

# probe FUNCTION: a probe of its first instruction, and of each tenth one.
may_define_probes || exit 0
tracefs=/sys/kernel/tracing group=pk_same_$$
events()
{
	objdump -d --no-show-raw-insn -F unwinding | awk '
		/^[0-9a-f]+ <.*> \(File Offset: / { wanted = /<(inner|middle|compare|handler|descend|calls|dynamic_frame)>/; n = 0
			sub(/.*Offset: 0x/, ""); sub(/\).*/, ""); offset = $0; start = ""; next }
		wanted && /^ *[0-9a-f]+:/ { if (n++ % 10) next; sub(/:.*/, ""); sub(/ */, "")
			printf "%s %s\n", offset, $0 }' | perl -ne '
		my ($offset, $address) = map { hex } split; $starts{$offset} //= $address;
		printf "p:%s/at_%x %s/unwinding:0x%x\n", "'$group'", $address, $ENV{PWD}, $offset + $address - $starts{$offset}'
}
compile unwinding.c unwinding -O2 -fomit-frame-pointer -fno-ipa-icf || fail "$(cat compile.err)"
trap '[ ! -e $tracefs/events/$group ] || echo 0 >$tracefs/events/$group/enable; sed -n "s|^p:\($group/[^ ]*\).*|-:\1|p" $tracefs/uprobe_events >>$tracefs/uprobe_events' EXIT
events >probes && [ "$(wc -l <probes)" -ge 7 ] && cat probes >>$tracefs/uprobe_events || fail "no probes: $(head -n 3 probes)"
# shellcheck disable=SC2046 # words
same -e "$(sed 's|^p:\([^/]*\)/\([^ ]*\).*|\1:\2/stack-size=STACK/u|' probes | paste -sd ,)" -n 20 ./unwinding calls dynamic sorts interrupted shallow
exit 0
