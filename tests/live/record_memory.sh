# SPDX-License-Identifier: BSD-2-Clause
# pk-record --mem and --c2c open the attrs of perf mem record and perf c2c record, on machines with such events.
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/live/fake_sysfs.bash"
export ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 PK_REPLACE_ALL=1
[ "$(uname -m)" = x86_64 ] || skip "the processors are those of x86-64"

# attrs FILE COMMAND...: the attrs that a command opens, without the build-ids of maps that perf 6.1 does not ask for
attrs()
{
	local file=$1
	shift
	rm -f log
	PK_ATTRS=$PWD/log LD_PRELOAD=$PK_BUILD/tests/faults/attr_log.so "$@" >out 2>&1
	[ -s log ] || return 1
	sed '/ flags=0x40044000 wakeup/d' log | while read -r line; do
		flags=$(sed -n 's/.* flags=\(0x[0-9a-f]*\).*/\1/p' <<<"$line")
		sed "s/ flags=$flags/$(printf ' flags=%#x' $((flags & ~0x400000000)))/" <<<"$line"
	done | sort >"$file"
}

for tree in intel amd arm; do
	fake_sysfs $tree
done
cp -r intel aux
echo event=0x03,umask=0x82 >aux/bus/event_source/devices/cpu/events/mem-loads-aux
cp -r amd zen5
echo config1:0-11 >zen5/bus/event_source/devices/ibs_op/format/ldlat
fake_sysfs spe
cp -r intel hybrid
for pmu in cpu_core cpu_atom; do cp -r hybrid/bus/event_source/devices/{cpu,$pmu}; done
echo 30 >hybrid/bus/event_source/devices/cpu_atom/type
rm -r hybrid/bus/event_source/devices/cpu

# same MACHINE OPTIONS TEXT...: the options open what the options in the text spell out
same()
{
	export SYSFS_PATH=$PWD/$1
	# shellcheck disable=SC2086
	attrs short pk-record $2 -o out.pk -- true || fail "$1: $2: $(cat out)"
	attrs long pk-record "${@:3}" -o out.pk -- true || fail "$1: ${*:3}: $(cat out)"
	diff short long || fail "$1: $2"
	compared=$((compared + 1))
}
compared=0
same intel --mem -d -W -e cpu/mem-loads,ldlat=30/P,cpu/mem-stores/P
same intel --mem=load -d -W -e cpu/mem-loads,ldlat=30/P
same intel --mem=store -d -W -e cpu/mem-stores/P
same intel '--mem=load --ldlat 50' -d -W -e cpu/mem-loads,ldlat=50/P
same intel '-e cpu-clock --mem=store' -d -W -e cpu-clock,cpu/mem-stores/P
same aux --mem -d -W -e '{cpu/mem-loads-aux/,cpu/mem-loads,ldlat=30/}:P,cpu/mem-stores/P'
same hybrid --mem=store -d -W -e cpu_core/mem-stores/P,cpu_atom/mem-stores/P
same amd '--mem=load --ldlat 50' -d -W -e ibs_op//
same spe '--mem --ldlat 50' -d -W -e arm_spe_0/load_filter=1,store_filter=1,min_latency=50/
same spe --mem=store -d -W -e arm_spe_0/store_filter=1/
[ $compared = 10 ] || fail "$compared compared"
physical=
if pk-record -q -e cpu-clock --phys-data -o out.pk -- true 2>err; then
	physical=1
	same intel --c2c -d -W --phys-data --sample-cpu -e cpu/mem-loads,ldlat=30/P,cpu/mem-stores/P
	same zen5 '--c2c --ldlat 200' -d -W --phys-data --sample-cpu -e ibs_op/ldlat=200/
else
	grep -q 'no permission to record physical addresses' err || fail "--phys-data: $(cat err)"
	echo "not tried: --c2c: $(cat err)" >&2
fi

# perf knows its processor without sysfs, so it can be asked on such a machine only.
if grep -q AuthenticAMD /proc/cpuinfo && perf --version 2>/dev/null | grep -q ' 6\.1\.'; then
	export SYSFS_PATH=$PWD/amd
	ln -s ../bus/event_source/devices/ibs_op amd/devices/ibs_op
	attrs perf perf mem record -o out.data -- true || fail "perf mem record: $(cat out)"
	attrs pk pk-record --mem -o out.pk -- true || fail "$(cat out)"
	diff pk perf || fail "--mem is not what perf mem record opens"
	if [ -n "$physical" ]; then
		attrs perf perf c2c record -o out.data -- true || fail "perf c2c record: $(cat out)"
		attrs pk pk-record --c2c -o out.pk -- true || fail "$(cat out)"
		diff pk perf || fail "--c2c is not what perf c2c record opens"
	fi
else
	echo "not tried: perf mem record and perf c2c record, because perf 6.1 or a processor of AMD is missing" >&2
fi

# lacks MACHINE MESSAGE: there are no such events
lacks()
{
	SYSFS_PATH=$PWD/$1 pk-record --mem -o none.pk -- true 2>err
	[ $? = 1 ] && grep -q "$2" err && [ "$(wc -l <err)" = 1 ] && [ ! -e none.pk ] || fail "$1: $(cat err)"
}
lacks arm 'has no event that samples memory accesses'
pk-record --ldlat 30 -- true 2>err
[ $? = 2 ] && grep -q 'ldlat needs --mem or --c2c' err || fail "--ldlat alone: $(cat err)"
exit 0
