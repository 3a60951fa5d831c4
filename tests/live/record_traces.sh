# SPDX-License-Identifier: BSD-2-Clause
# What pk-record asks of the kernel for hardware traces, and what it tells decoders about them, with sysfs of machines that have trace units.
# The attrs, filters and numbers are those of perf 7.2, but for these differences: perf wakes up when a quarter of the AUX area is full, and
# the kernel's default is a half; perf records no counts of lost samples on CPUs where it opens the events as root.
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/live/fake_sysfs.bash"
export ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 PK_REPLACE_ALL=1

[ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
for tree in pt spe cs; do fake_sysfs $tree; done

# opens TREE OPTIONS LINE...: these lines are the attrs and filters
opens()
{
	rm -f attrs
	# shellcheck disable=SC2086
	SYSFS_PATH=$PWD/$1 PK_ATTRS=$PWD/attrs LD_PRELOAD=$PK_BUILD/tests/faults/attr_log.so pk-record -q -o out.pk $2 -- true 2>err ||
		fail "$1: $2: $(cat err)"
	printf '%s\n' "${@:3}" | sort >wanted
	sed 's/ read_format=0x14//' attrs | sort -u | diff wanted - || fail "$1: $2"
	check out.pk
}

# numbers NUMBER...: those of AUXTRACE_INFO
numbers()
{
	pk-script --dump out.pk 2>err | sed -n '/ AUXTRACE_INFO /,/^[0-9]/s/^ *\(aux_type\|priv\[[0-9]*\]\)=//p' | while read -r n; do printf '%#x\n' "$n"; done >got
	for n; do printf '%#x\n' "$n"; done | diff - got || fail "AUXTRACE_INFO"
}

# refuses STATUS MESSAGE OPTION...
refuses()
{
	SYSFS_PATH=$PWD/pt pk-record -o none.pk "${@:3}" -- true 2>err
	[ $? = "$1" ] && grep -qF -- "$2" err && [ ! -e none.pk ] || fail "${*:3}: $(cat err)"
}

dummy='leader type=0x1 config=0x9 period=0x1 sample_type=0x10087 flags=0x465942362'
opens pt '-e intel_pt//u' "$dummy" 'leader type=0x9 config=0x300e601 period=0x1 sample_type=0x10087 flags=0x41063'
opens pt '-S -e intel_pt//u' "$dummy" 'leader type=0x9 config=0x300e601 period=0x1 sample_type=0x10087 flags=0x41063'
opens pt '-e intel_pt/psb_period=0,cyc=1/k' "$dummy" 'leader type=0x9 config=0xe603 period=0x1 sample_type=0x10087 flags=0x41053'
opens pt '--aux-sample -e {intel_pt//u,branch-misses:u}' "$dummy" \
	'leader type=0x9 config=0xe601 period=0x1 sample_type=0x10087 flags=0x41063' \
	'member type=0 config=0x5 period=0xfa0 sample_type=0x110107 flags=0x140462 aux=0x1000'
opens pt '-e {intel_pt//u,branch-misses/aux-sample-size=512/u,cs/aux-sample-size=0/u}' "$dummy" \
	'leader type=0x9 config=0xe601 period=0x1 sample_type=0x10087 flags=0x41063' \
	'member type=0 config=0x5 period=0xfa0 sample_type=0x110107 flags=0x140462 aux=0x200' \
	'member type=0x1 config=0x3 period=0xfa0 sample_type=0x10107 flags=0x140462'
opens pt '-e {intel_pt/aux-action=start-paused/u,branch-misses/aux-action=resume/u}' "$dummy" \
	'leader type=0x9 config=0x300e601 period=0x1 sample_type=0x10087 flags=0x41063 aux=0x100000000' \
	'member type=0 config=0x5 period=0xfa0 sample_type=0x10107 flags=0x140462 aux=0x400000000'
opens pt '-e {intel_pt//u,branch-misses/aux-output/ppu}' "$dummy" \
	'leader type=0x9 config=0x300e601 period=0x1 sample_type=0x10087 flags=0x41063' \
	'member type=0 config=0x5 period=0xfa0 sample_type=0x10107 flags=0x80150462'
opens pt '--per-thread -e intel_pt//u' 'leader type=0x1 config=0x9 period=0x1 sample_type=0x10007 flags=0x465942360' \
	'leader type=0x9 config=0x300e601 period=0x1 sample_type=0x10007 flags=0x41061'
numbers 1 9 0 0 0 0 0x400 0x800 0 0 0 0x200 0x3c000 0 0 2 24 0 1

# Address filters, in a program whose symbols nm prints, too.
printf 'int inner(int a) { return a * 3; }\nint main(void) { return inner(4) - 12; }\n' >program.c
${CC:-cc} -O0 -o program program.c || fail "no program"
range() # NAME: its offset and size in the file
{
	nm -S program | awk -v name="$1" '$4 == name { print "0x" $1, "0x" $2 }' | while read -r start size; do printf '%#x/%#x' "$start" "$size"; done
}
main=$(range main) inner=$(range inner)
filtered() # FILTER TEXT: the kernel gets this text
{
	rm -f attrs
	SYSFS_PATH=$PWD/pt PK_ATTRS=$PWD/attrs LD_PRELOAD=$PK_BUILD/tests/faults/attr_log.so pk-record -q -o out.pk -a -e intel_pt// --filter "$1" -- true 2>err ||
		fail "--filter '$1': $(cat err)"
	[ "$(sed -n 's/^filter //p' attrs | sort -u)" = "$2" ] || fail "--filter '$1': $(cat attrs)"
}
file=$(realpath program)
filtered 'filter main @ ./program' "filter $main@$file"
filtered 'filter main@program, filter inner#1 @ program' "filter $main@$file,filter $inner@$file"
filtered 'start inner @ ./program stop main @ ./program' "start ${inner%/*}@$file,stop ${main%/*}@$file"
filtered 'filter inner / main @ ./program' "filter ${inner%/*}/$(printf '%#x' $((${main%/*} + ${main#*/} - ${inner%/*})))@$file"
filtered 'tracestop 0x1130/16@./program' "stop 0x1130/0x10@$file"
filtered 'filter * @ program' "filter 0x0/$(printf '%#x' "$(stat -c %s program)")@$file"
filtered 'filter 0x1000/0x10@program' "filter 0x1000/0x10@$file"
text="filter 0x1000/0x10@$file"
pk-script --dump out.pk 2>err | grep -q "priv\[16\]=$(printf '%#x' ${#text})\$" || fail "the size of the filter"
pk-script --dump out.pk 2>err | grep -q "priv\[7\]=0x3\$" || fail "switches of CPUs"
refuses 2 'no such function: nothing' -e intel_pt// --filter 'filter nothing @ ./program'
refuses 2 'filter, start, stop or tracestop is expected, not bad' -e intel_pt// --filter 'bad main @ ./program'
refuses 2 '/none: No such file or directory' -e intel_pt// --filter 'filter main @ /none'
refuses 2 'a function or a number is expected at the end' -e intel_pt// --filter 'filter'

opens spe '-C 0-1 -e arm_spe//' 'leader type=0x1 config=0x9 period=0x1 sample_type=0x10087 flags=0x465942362' \
	'leader type=0xc config=0x1 period=0x400 sample_type=0x18087 flags=0x40003'
midr() # CPU
{
	cat /sys/devices/system/cpu/cpu$1/regs/identification/midr_el1 2>/dev/null || echo 0
}
magic=0x1010101010101010
numbers 4 2 4 12 2 $magic 0 4 "$(midr 0)" 12 1024 0xfe $magic 1 4 "$(midr 1)" 12 1024 0xfe
opens spe '-c 5000 -e arm_spe_0/ts_enable=0,pa_enable=1,load_filter=1/u' "${dummy/period=0x1 /period=0x1388 }" \
	'leader type=0xc config=0x200000002 period=0x1388 sample_type=0x98087 flags=0x41063'

# CPU 0 has an ETMv4, CPU 1 an ETE.
opens cs '-C 0-1 -e cs_etm/@tmc_etr0/' "$dummy" \
	'leader type=0xb config=0x10004000 period=0x1 sample_type=0x10087 flags=0x40003 config2=0x2a5fbbcd'
numbers 3 2 0xb00000002 0 \
	0x4040404040404040 0 8 0x840 0x10 0x8000ea1 0x4100f403 0x488 0 0xcc 0xffffffffffffffff \
	0x5050505050505050 1 9 0x840 0x12 0x28000ea1 0x4100fff3 0xc0001088 1 0xcd 0x47705a13 1
opens cs '-C 0-1 -S -e cs_etm/retstack=1,timestamp=0/u' "$dummy" \
	'leader type=0xb config=0x20004000 period=0x1 sample_type=0x10087 flags=0x40063'
pk-script --dump out.pk 2>err | grep -q 'priv\[2\]=0x1$' || fail "not marked as snapshots"

refuses 2 'this machine has no cs_etm: CoreSight needs' -e cs_etm//
refuses 2 'this machine has no arm_spe: Arm SPE needs' -e arm_spe//
refuses 2 'has no file sinks/tmc_etr0 in sysfs' -e intel_pt/@tmc_etr0/
refuses 2 'must be in the group of a hardware trace' -e cycles/aux-sample-size=100/
refuses 2 '--aux-sample needs an event in the group' --aux-sample -e intel_pt//,cycles
refuses 2 '--snapshot needs an event that writes a hardware trace' -S -e cycles
refuses 2 '-m with two sizes needs an event' -m 4,4 -e cycles
refuses 2 'exclude hardware traces' -k monotonic -e intel_pt//
refuses 2 'use --snapshot' --overwrite -e intel_pt//
refuses 2 'larger than the AUX area' -S1M -m ,64k -e intel_pt//
refuses 2 'a recording can have one hardware trace' -e intel_pt//,intel_pt/cyc=1/
SYSFS_PATH=$PWD/pt pk-record --check >checked 2>err
grep -q '^hardware trace intel_pt *no: ' checked || fail "--check: $(cat checked)"
mkdir -p none/bus/event_source/devices
SYSFS_PATH=$PWD/none pk-record --check >checked 2>err
grep -q '^hardware traces *no: no PMU of these: intel_pt, cs_etm, arm_spe$' checked || fail "--check: $(cat checked)"
exit 0
