# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests of the source lines of interpreters: a stream with functions of Python.
. "$PK_TOP/tests/cli/stream.bash"

# source ADDRESS LINE FILE
source_of()
{
	echo "SOURCE image=1 count=1 address=$1 source[0].line=$2 source[0].file=\"$3\""
	echo "  source[0].column=0 source[0].flags=0 source[0].function_length=0 source[0].file_length=${#3} source[0].function=\"\""
}

# symbol START SIZE NAME
symbol()
{
	echo "SYMBOLS image=1 count=1 symbol[0].start=$1 symbol[0].size=$2 symbol[0].flags=0 symbol[0].length=${#3} symbol[0].name=\"$3\""
}

stream()
{
	header
	event 1 7
	session
	name 7 cpu-clock
	comm 5 5 python3
	echo 'IMAGE id=1 kind=7 pid=0 build_id_size=0 path="[python]"'
	maps_as 5 5 0x4000000000000000 0x400000000000 '[python]'
	symbol 0x4000000000000010 0x80 app.py:handle
	source_of 0x4000000000000010 3 /srv/app.py
	source_of 0x4000000000000038 5 /srv/app.py
	source_of 0x4000000000000048 6 /srv/app.py
	symbol 0x40000000000000a0 0x20 app.py:Server.handle
	source_of 0x40000000000000a8 10 /srv/app.py
	symbol 0x40000000000000d0 0x20 gone.py:work
	source_of 0x40000000000000d8 7 gone.py
	for ip in 38 48 48 48 58 a8 a8 d8; do
		sample 7 5 "0x40000000000000$ip" 100
	done
	finish
}
