# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests that need small streams of their own: functions that print little-endian pieces.
#   { header; event 1 7; name 7 cycles; comm 5 5 'a b'; sample 7 5 0x1000; } >small.pk

# num WIDTH VALUE
num()
{
	local i text=''
	for ((i = 0; i < $1; i++)); do
		text+=$(printf '\\x%02x' $((($2 >> 8 * i) & 255)))
	done
	# shellcheck disable=SC2059 # escapes on purpose
	printf "$text"
}

# nums WIDTHS VALUE...: nums 448 1 2 3
nums()
{
	local widths=$1
	shift
	while [ -n "$widths" ]; do
		num "${widths:0:1}" "$1"
		widths=${widths:1}
		shift
	done
}

# text TEXT: with printf's escapes, a NUL, and zeros up to a multiple of 8
text()
{
	# shellcheck disable=SC2059
	printf "$1" >field
	head -c $((8 - $(wc -c <field) % 8)) /dev/zero >>field
	cat field
}

# record TYPE MISC, its body on stdin
record()
{
	cat >body
	nums 422 "$1" "$2" $((8 + $(wc -c <body)))
	cat body
}

header()
{
	printf 'PERFILE2'
	num 8 16
}

# event TYPE ID [CONFIG]: of IDENTIFIER, IP, TID, TIME, PERIOD, and trailers of the first two
event()
{
	{
		nums 44888888 "$1" 64 "${3-0}" 1000 $((0x10000 | 0x107)) 0 $((1 << 18)) 0
		num 8 0
		num 8 "$2"
	} | record 64 0
}

# event_of ID SAMPLE_TYPE [FLAGS [BRANCHES [REGISTERS [STACK [CONFIG]]]]]: a software event, of IDENTIFIER, IP,
# TID, TIME and SAMPLE_TYPE, with the same trailers; masks of branches and of the user's registers, bytes of
# the user's stack
event_of()
{
	{
		nums 4488888 1 112 "${7-0}" 1000 $((0x10007 | $2)) 0 $((1 << 18 | ${3-0}))
		nums 448888448422 0 0 0 0 "${4-0}" "${5-0}" "${6-0}" 0 0 0 0 0
		num 8 "$1"
	} | record 64 0
}

# name ID NAME
name()
{
	{
		nums 88 2 "$1"
		text "$2"
	} | record 78 0
}

# trailer ID, for records that are no samples
trailer()
{
	nums 4488 0 0 0 "$1"
}

# comm PID TID TEXT
comm()
{
	{
		nums 44 "$1" "$2"
		text "$3"
		trailer 0
	} | record 3 0
}

# maps PID START SIZE FILE
maps()
{
	{
		nums 44888 "$1" "$1" "$2" "$3" 0
		text "$4"
		trailer 0
	} | record 1 2
}

# maps_as PROT PID START SIZE FILE [PGOFF]: r w x are 1 2 4
maps_as()
{
	{
		nums 44888 "$2" "$2" "$3" "$4" "${6-0}"
		nums 448844 0 0 0 0 "$1" 2
		text "$5"
		trailer 0
	} | record 10 $(($1 & 4 ? 2 : 0x2002))
}

# feature NUMBER TEXT: of the header: 3 hostname, 4 osrelease, 6 arch
feature()
{
	{
		num 8 "$1"
		num 4 64
		text "$2"
		head -c $((64 - $(wc -c <field))) /dev/zero
	} | record 80 0
}

# machine NAME: as uname -m has it
machine()
{
	feature 6 "$1"
}

# sample_of MISC ID PID IP WIDTHS VALUE...: of an event_of
sample_of()
{
	local misc=$1 id=$2 pid=$3 ip=$4
	shift 4
	{
		nums 88448 "$id" "$ip" "$pid" "$pid" 0
		nums "$@"
	} | record 9 "$misc"
}

# sample ID PID IP [PERIOD [TIME]]
sample()
{
	nums 884488 "$1" "$3" "$2" "$2" "${5-0}" "${4-1000}" | record 9 2
}

# lost COUNT
lost()
{
	{
		nums 88 0 "$1"
		trailer 0
	} | record 2 0
}

# definition KIND, its body on stdin
definition()
{
	cat >definition
	{
		nums 88 $((0x706b7374726d0000 + $1)) 0
		cat definition
	} | record 78 0
}

session()
{
	nums 211444 1 1 8 "${1-0}" 62 0 | definition 1
}

finish()
{
	nums 88 0 0 | definition 10
}
