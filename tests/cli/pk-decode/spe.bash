# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests of traces: streams with traces of Arm SPE. The packets are printed as hexadecimal bytes.
. "$PK_TOP/tests/cli/stream.bash"

# le WIDTH NUMBER: the bytes of a number, the least significant first
le()
{
	local hex
	printf -v hex '%0*x' $((2 * $1)) "$2"
	hex=${hex: -$((2 * $1))}
	while [ "$hex" ]; do
		printf %s "${hex: -2}"
		hex=${hex%??}
	done
}

# code INDEX ADDRESS: the address of an instruction (0), or of the target of a branch (1)
code()
{
	local level=$((($2 >> 63 & 1) << 61))
	printf 'b%x%s' "$1" "$(le 8 $(($2 & 0xffffffffffffff | 1 << 63 | level)))"
}

context() { printf 64%s "$(le 4 "$1")"; }
# operation CLASS BITS: class 0 is other, 1 memory, 2 branch
operation() { printf '%x%02x' $((0x48 + $1)) "$2"; }
events() { printf 62%s "$(le 4 "$1")"; }
latency() { printf 98%s "$(le 2 "$1")"; }
address() { printf b2%s "$(le 8 "$1")"; }
physical() { printf b3%s "$(le 8 "$1")"; }
source_of() { printf '43%02x' "$1"; }
time_of() { printf 71%s "$(le 8 "$1")"; }

# load IP TID COUNTER [EVENTS]
load()
{
	printf %s "$(code 0 "$1")$(context "$2")$(operation 1 0)$(events "${4-0x16}")$(latency 12)$(address 0x7f0000001000)$(source_of 8)$(time_of "$3")"
}

# branch IP TID COUNTER TARGET BITS EVENTS
branch()
{
	printf %s "$(code 0 "$1")$(context "$2")$(operation 2 "$5")$(events "$6")$(latency 3)$(code 1 "$4")$(time_of "$3")"
}

# head_of_trace: an event that records SPE, one for other records, and the machine, whose clock counts ms
head_of_trace()
{
	header
	echo 'HEADER_ATTR attr_type=9 sample_period=1000 id=7'
	echo '  sample_type=(IP TID TIME CPU PERIOD IDENTIFIER PHYS_ADDR) flags=(sample_id_all)'
	echo 'HEADER_ATTR attr_type=1 config=9 sample_period=1 id=8'
	echo '  sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all)'
	echo 'TIME_CONV shift=0 mult=1000000 zero=0'
	echo 'AUXTRACE_INFO aux_type=4 priv[0]=2 priv[1]=4 priv[2]=9 priv[3]=1 priv[4]=0x1010'
	echo '  priv[5]=0 priv[6]=4 priv[7]=0x413fd0c1 priv[8]=9 priv[9]=1024 priv[10]=0x800000'
	comm 5 5 prog
	comm 5 6 thread
	maps 5 0x400000 0x10000 /bin/prog
}

# trace INDEX CPU OFFSET BYTES: an AUXTRACE
trace()
{
	local bytes=$4
	while ((${#bytes} % 16)); do bytes+=00; done
	echo "AUXTRACE payload_size=$((${#bytes} / 2)) payload=$bytes idx=$1 cpu=$2 tid=-1 aux_offset=$3"
}

# aux FLAGS TIME
aux()
{
	echo "AUX aux_size=64 flags=$1 trailer.pid=5 trailer.tid=5 trailer.time=${2}000000 trailer.cpu=0"
}

# samples: the samples of a stream, with the fields of memory and of branches
samples()
{
	pk-script --no-sandbox -F comm,pid,tid,cpu,time,event,ip,addr,weight,data_src "$@" 2>/dev/null | tr -s ' '
}
