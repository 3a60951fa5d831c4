# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests beside it: streams with deferred callchains.
. "$PK_TOP/tests/cli/stream.bash"

# deferring ID: an event of IDENTIFIER, IP, TID, TIME, PERIOD and CALLCHAIN whose callchains are deferred
deferring()
{
	echo "HEADER_ATTR attr_type=1 sample_period=1000 id=$1"
	echo '  sample_type=(IP TID TIME CALLCHAIN PERIOD IDENTIFIER) flags=(sample_id_all defer_callchain defer_output)'
}

# waiting ID TID COOKIE TIME: a sample of the kernel
waiting()
{
	echo "SAMPLE misc=(kernel) id=$1 ip=0xffffffff81000010 pid=7 tid=$2 time=$4 period=1000"
	echo "  ips[0]=(kernel) ips[1]=0xffffffff81000010 ips[2]=(user-deferred) ips[3]=$3"
}

# half ID TID COOKIE TIME: its user half
half()
{
	echo "CALLCHAIN_DEFERRED misc=(user) cookie=$3 ips[0]=0x401000 ips[1]=0x402000"
	echo "  trailer.pid=7 trailer.tid=$2 trailer.time=$4 trailer.id=$1"
}

# exits ID TID TIME
exits()
{
	echo "EXIT pid=7 ppid=1 tid=$2 ptid=1 time=$3 trailer.pid=7 trailer.tid=$2 trailer.time=$3 trailer.id=$1"
}

# What became of the samples, and other records among them.
samples()
{
	pk-script -q --dump - | awk '
		/^[0-9]/ { if (line != "") print line; line = "" }
		/^[0-9]+ (SAMPLE|CALLCHAIN|EXIT|FINISHED)/ { line = $2 }
		line != "" && /^  (tid|time|ips.*|chain_flags)=/ { line = line " " $1 }
		END { if (line != "") print line }'
}
