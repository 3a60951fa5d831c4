# SPDX-License-Identifier: BSD-2-Clause
# If libipt or libopencsd crashes or hangs, pk-decode says so, writes all other records, and exits with status 1.
. "$PK_TOP/tests/cli/stream.bash"

# recording TYPE WORD...: a trace of this type, with the numbers of AUXTRACE_INFO
recording()
{
	local type=$1 i=0 word words=
	shift
	for word; do words+=" priv[$((i++))]=$word"; done
	header
	echo 'HEADER_ATTR attr_type=8 config=0x400 sample_period=1 id=7'
	echo '  sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all)'
	echo "AUXTRACE_INFO aux_type=$type$words"
	comm 5 5 prog
	echo 'AUX aux_offset=0 aux_size=8 flags=0x100 trailer.id=7 trailer.time=1000 trailer.pid=5 trailer.tid=5'
	echo 'AUXTRACE payload_size=8 payload=0001020304050607 idx=0 cpu=-1 tid=5'
	for time in 10 20 3000 4000; do
		echo "COMM pid=5 tid=5 comm=\"at$time\" trailer.id=7 trailer.time=$time trailer.pid=5 trailer.tid=5"
	done
	finish
}

# check LIBRARY SONAME FUNCTION SAMPLES: the samples of the steps before the crash are written
check()
{
	local library=$PK_BUILD/tests/faults/crashing_$1.so crash status commands samples
	nm -D "$library" | grep -q "$3" || { echo "the header of $1 is missing"; exit 77; }
	mkdir -p libraries
	cp "$library" "libraries/$2"
	for crash in abort write divide stack instruction hang; do
		CRASH=$crash LD_LIBRARY_PATH=$PWD/libraries pk-decode -e branches -o out.pk trace.pk 2>err
		status=$?
		[ $status = 1 ] || { echo "$1, $crash: status $status"; cat err; exit 1; }
		[ "$(grep -c "the library $1 has crashed or does not end" err)" = 1 ] || { echo "$1, $crash: $(cat err)"; exit 1; }
		commands=$(pk-script --dump out.pk | grep -c 'comm="')
		samples=$(pk-script --dump out.pk | grep -c ' SAMPLE ')
		[ "$commands" = 5 ] || { echo "$1, $crash: $commands of 5 records"; exit 1; }
		[ "$samples" = "$4" ] || { echo "$1, $crash: $samples of $4 samples"; exit 1; }
		pk-script --dump out.pk >/dev/null 2>&1 || { echo "$1, $crash: the output is damaged"; exit 1; }
	done
}

# Each block completes the branch of the block before.
recording 1 8 0 1 0 1 0x400 | assemble >trace.pk
check libipt libipt.so.2 pt_blk_next 2
# The first block is also the start of the trace.
recording 3 1 0x800000001 0 0x4040404040404040 0 7 0xc1 0x10 0x28000ea1 0x4100f400 0x488 0 0 | assemble >trace.pk
check libopencsd libopencsd_c_api.so.1 ocsd_dt_process_data 3
exit 0
