# SPDX-License-Identifier: BSD-2-Clause
# -M on a recording of another machine uses the metrics of the processor that the recording names. PK_CPUID chooses another one.
# A program looks for tables in share/pk beside its folder, so this test installs pk-stat and a table of its own.
. "$PK_TOP/tests/cli/stream.bash"
unset PK_CPUID PERF_CPUID

# processor PATTERN FACTOR: a processor whose metric "faults" is the number of faults times FACTOR
processor()
{
	echo "$1,v1,p$2,core" >>kernel/arch/x86/mapfile.csv
	mkdir -p "kernel/arch/x86/p$2"
	printf '[{"MetricName":"faults","MetricExpr":"page\\\\-faults * %d","BriefDescription":"x"}]\n' "$2" >"kernel/arch/x86/p$2/metrics.json"
}

# recording CPUID
recording()
{
	header
	echo "HEADER_FEATURE feature=9 cpuid=\"$1\""
	echo 'HEADER_ATTR attr_type=1 config=2 read_format=(TOTAL_TIME_ENABLED TOTAL_TIME_RUNNING) id=7'
	echo 'EVENT_UPDATE subtype=2 id=7 name="page-faults"'
	echo 'THREAD_MAP'
	echo '  entry[0].pid=5 entry[0].comm="app"'
	echo 'CPU_MAP kind=0 cpu[0]=65535'
	echo 'STAT_CONFIG term[0].tag=0 term[0].value=1 term[1].tag=1 term[1].value=0 term[2].tag=2 term[2].value=1'
	echo 'STAT id=7 cpu=0 thread=0 value=10 enabled=100 running=100'
	echo 'STAT_ROUND kind=1 time=1000000000'
}

# shown NAME COMMAND...
shown()
{
	echo "$1: $("${@:2}" 2>&1 | grep -o '# .*' || echo none)"
}

mkdir -p kernel/arch/x86 bin share/pk
echo 'Family-model,Version,Filename,EventType' >kernel/arch/x86/mapfile.csv
processor 'GenuineIntel-6-55-[01234]' 2
processor 'AuthenticAMD-25-11-[[:xdigit:]]+' 3
processor '0x004e[[:xdigit:]]{4}' 5
processor '^IBM.856[12].*3\.6.[[:xdigit:]]+$' 7
processor '0x00000000410fd0c0' 11
"$PK_TOP/share/event_tables.py" kernel share/pk/events
cp "$PK_BIN/pk-stat" bin/
for cpuid in GenuineIntel,6,85,4 AuthenticAMD,25,17,1 78,4610 IBM,8561,703,T01,3.6,002f 0x00000000410fd0c0 GenuineIntel,6,1,1; do
	recording "$cpuid" | assemble >counts.pk
	shown "$cpuid" bin/pk-stat -M faults counts.pk
done
shown PK_CPUID env PK_CPUID=GenuineIntel-6-55-4 bin/pk-stat -M faults counts.pk
