# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests beside it: streams with deferred callchains.
. "$PK_TOP/tests/cli/stream.bash"

# deferring ID: an event of IDENTIFIER, IP, TID, TIME, PERIOD and CALLCHAIN whose callchains are deferred
deferring()
{
	{
		nums 44888888 1 64 0 1000 $((0x10000 | 0x127)) 0 $((1 << 18 | 1 << 38 | 1 << 39)) 0
		num 8 0
		num 8 "$1"
	} | record 64 0
}

# waiting ID TID COOKIE TIME: a sample of the kernel
waiting()
{
	nums 884488888888 "$1" 0xffffffff81000010 7 "$2" "$4" 1000 4 -128 0xffffffff81000010 -640 "$3" 0 |
		head -c 88 | record 9 1
}

# half ID TID COOKIE TIME: its user half
half()
{
	nums 888844888 "$3" 2 0x401000 0x402000 7 "$2" "$4" "$1" 0 | head -c 56 | record 22 2
}

# exits ID TID TIME
exits()
{
	nums 4444844888 7 1 "$2" 1 "$3" 7 "$2" "$3" "$1" 0 | head -c 48 | record 4 0
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
