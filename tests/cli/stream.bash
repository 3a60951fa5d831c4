# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests that need small streams of their own: functions that print records as text, and
# `assemble`, which makes a stream of text as pk-script --dump prints it (tests/assemble/main.c).
#   { header; event 1 7; name 7 cycles; comm 5 5 'a b'; sample 7 5 0x1000; } | assemble >small.pk
#   { header; event 1 7; echo 'LOST lost=5'; } | assemble >lost.pk

assemble()
{
	"$PK_BUILD/tests/assemble/assemble"
}

header()
{
	echo BEGIN
}

# event TYPE ID [CONFIG]: of IDENTIFIER, IP, TID, TIME, PERIOD, and trailers of all these but IP and PERIOD
event()
{
	echo "HEADER_ATTR attr_type=$1 config=${3-0} sample_period=1000 id=$2"
	echo '  sample_type=(IDENTIFIER IP TID TIME PERIOD) flags=(sample_id_all)'
}

# name ID NAME; in all texts, escapes are the assembler's
name()
{
	echo "EVENT_UPDATE subtype=2 id=$1 name=\"$2\""
}

# comm PID TID TEXT
comm()
{
	echo "COMM pid=$1 tid=$2 comm=\"$3\""
}

# maps PID START SIZE FILE
maps()
{
	echo "MMAP misc=(user) pid=$1 tid=$1 addr=$2 len=$3 filename=\"$4\""
}

# sample ID PID IP [PERIOD [TIME]]
sample()
{
	echo "SAMPLE misc=(user) id=$1 ip=$3 pid=$2 tid=$2 time=${5-0} period=${4-1000}"
}

# lost COUNT
lost()
{
	echo "LOST lost=$1"
}

session()
{
	echo "SESSION version=1 byte_order=1 word_size=8 trailers=${1-0} e_machine=62"
}

finish()
{
	echo END
}
