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

# event_of ID TYPES [FIELD...]: a software event of IDENTIFIER, IP, TID, TIME and TYPES, with the same trailers
event_of()
{
	echo "HEADER_ATTR attr_type=1 sample_period=1000 id=$1 ${*:3}"
	echo "  sample_type=(IDENTIFIER IP TID TIME $2) flags=(sample_id_all)"
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

# maps_as PROT PID START SIZE FILE [PGOFF]: r w x are 1 2 4
maps_as()
{
	echo "MMAP2 misc=$(($1 & 4 ? 2 : 0x2002)) pid=$2 tid=$2 addr=$3 len=$4 pgoff=${6-0}"
	echo "  prot=$1 flags=2 filename=\"$5\""
}

# feature NAME [FIELD...]: of the header
feature()
{
	echo "HEADER_FEATURE feature=($1) ${*:2}"
}

# build_id MODE PATH: of a file, in MODE user or kernel
build_id()
{
	echo "HEADER_BUILD_ID misc=($1) pid=-1 filename=\"$2\""
	echo "  build_id=1111111111111111222222222222222233333333"
}

# sample_of MODE ID PID IP [FIELD...]: of an event_of, in MODE user or kernel
sample_of()
{
	echo "SAMPLE misc=($1) id=$2 ip=$4 pid=$3 tid=$3 ${*:5}"
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
