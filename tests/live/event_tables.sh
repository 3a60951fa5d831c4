# SPDX-License-Identifier: BSD-2-Clause
# Tables of events are made from the kernel's files, found beside the programs, and read for one processor.
set -eu
fail()
{
	echo "$*"
	exit 1
}
arch=kernel/arch
mkdir -p $arch/x86/lake $arch/x86/well $arch/arm64/vendor/core prefix/bin prefix/share/pk
printf '%s\n' 'Family-model,Version,Filename,EventType' 'Vendor-6-(1|2),v1,lake,core' 'Vendor-6-3-[4-9],v1,well,core' >$arch/x86/mapfile.csv
printf '%s\n' '#	MIDR,Version,JSON/file/pathname,Type' '0x00000000410fd0c0,v1,vendor/core,core' >$arch/arm64/mapfile.csv
cat >$arch/x86/lake/cache.json <<'END'
[{"EventName": "CACHE.MISS", "EventCode": "0x24", "UMask": "0x10", "BriefDescription": "Misses", "PublicDescription": "x"},
 {"EventName": "CACHE.OLD", "EventCode": "0x25", "Deprecated": "1"},
 {"EventName": "INST_RETIRED.ANY", "EventCode": "0x0", "UMask": "0x1"},
 {"EventName": "UNC.READS", "EventCode": "1", "CounterMask": "0x0", "Unit": "CBO"},
 {"MetricName": "misses", "MetricExpr": "CACHE.MISS / duration_time", "MetricGroup": "Misses"}]
END
echo '{"Group": "about it"}' >$arch/x86/lake/metricgroups.json
echo '[{"EventName": "OTHER", "EventCode": "1"}]' >$arch/x86/well/other.json
echo '[{"EventName": "STANDARD", "EventCode": "0x11", "BriefDescription": "As all"}]' >$arch/arm64/common.json
echo '[{"ArchStdEvent": "STANDARD"}]' >$arch/arm64/vendor/core/a.json
"$PK_TOP/share/event_tables.py" kernel prefix/share/pk/events
cp "$PK_BUILD/bin/pk-record" "$PK_BUILD/bin/pk-stat" prefix/bin
ours=$PWD/prefix/bin

# Events of a processor, with their encodings. Those of others and deprecated ones are not listed.
PK_CPUID=Vendor-6-2-9 "$ours/pk-record" --list --json pmu >lake
grep '"Encoding"' lake >described
diff - described <<'END'
{"EventName":"cache.miss","Unit":"cpu","BriefDescription":"Misses","Encoding":"cpu/event=0x24,umask=0x10/","Obstacle":"not on this machine"}
{"EventName":"inst_retired.any","Unit":"cpu","Encoding":"cpu/event=0xc0,period=2000003/","Obstacle":"not on this machine"}
{"EventName":"unc.reads","Unit":"uncore_cbox","Encoding":"uncore_cbox/event=0x1/","Obstacle":"not on this machine"}
END
PK_CPUID=Vendor-6-2-9 "$ours/pk-record" --json --list pmu | cmp - lake || fail "--json before --list"
PK_CPUID=Vendor-6-3-5 "$ours/pk-record" --list '*other*' | grep -q '^other ' || fail "a processor with a stepping"
PERF_CPUID=0x00000000410fd0c0 "$ours/pk-record" --list --json standard | grep -q '"cpu/event=0x11/"' ||
	fail "an event of another architecture, and a reference"
PK_CPUID=Vendor-6-2-9 "$ours/pk-stat" --list metric >metrics
grep -q '^misses ' metrics || fail "metrics are not listed"
PK_CPUID=Vendor-6-9-9 "$ours/pk-stat" -M misses -- true 2>err && fail "a metric of an unknown processor"
grep -q 'pk-events' err || fail "no remedy: $(cat err)"
# Events of the table can be parsed where the machine has the PMU.
mkdir -p sys/bus/event_source/devices/cpu/format
echo 4 >sys/bus/event_source/devices/cpu/type
echo config:0-7 >sys/bus/event_source/devices/cpu/format/event
echo config:8-15 >sys/bus/event_source/devices/cpu/format/umask
SYSFS_PATH=$PWD/sys PK_CPUID=Vendor-6-2-9 "$ours/pk-record" --list --json 'cache.*' >known
grep '"EventName":"cache.miss"' known | grep -q 'no such' && fail "the event is not known: $(cat known)"
SYSFS_PATH=$PWD/sys PK_CPUID=Vendor-6-2-9 "$ours/pk-record" -e cache.absent -- true 2>err >/dev/null && fail "an unknown event"
grep -q 'cache.absent' err || fail "the message about an unknown event: $(cat err)"
SYSFS_PATH=$PWD/sys PK_CPUID=Vendor-6-2-9 "$ours/pk-record" -e cache.old -- true 2>err >/dev/null || :
if grep -q 'no such event\|no such PMU' err; then fail "a deprecated event is not accepted: $(cat err)"; fi

# A damaged table is an error, not an empty one.
table=prefix/share/pk/events/x86.events
head -c 150 $table >cut.events
PK_CPUID=Vendor-6-2-9 pk-record --events-dir cut.events --list 2>err && fail "a damaged table was read"
grep -q 'damaged' err || fail "damaged: $(cat err)"
PK_CPUID=Vendor-6-9-9 pk-record --events-dir $table --list 2>err && fail "a table without the processor"
grep -q 'no events for this processor' err || fail "no processor: $(cat err)"
