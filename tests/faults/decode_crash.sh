# SPDX-License-Identifier: BSD-2-Clause
# If libipt crashes or hangs, pk-decode says so, writes all other records, and exits with status 1.
. "$PK_TOP/tests/cli/stream.bash"
library=$PK_BUILD/tests/faults/crashing_libipt.so
nm -D "$library" | grep -q pt_blk_next || { echo "the header of libipt is missing"; exit 77; }
mkdir -p libraries
cp "$library" libraries/libipt.so.2
{
	header
	echo 'HEADER_ATTR attr_type=8 config=0x400 sample_period=1 id=7'
	echo '  sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all)'
	echo 'AUXTRACE_INFO aux_type=1 priv[0]=8 priv[1]=0 priv[2]=1 priv[3]=0 priv[4]=1 priv[5]=0x400'
	comm 5 5 prog
	echo 'AUXTRACE payload_size=8 payload=0001020304050607 idx=0 cpu=-1 tid=5'
	for time in 10 20 3000 4000; do
		echo "COMM pid=5 tid=5 comm=\"at$time\" trailer.id=7 trailer.time=$time trailer.pid=5 trailer.tid=5"
	done
	finish
} | assemble >pt.pk
for crash in abort write divide stack instruction hang; do
	CRASH=$crash LD_LIBRARY_PATH=$PWD/libraries pk-decode -e branches -o out.pk pt.pk 2>err
	status=$?
	[ $status = 1 ] || { echo "$crash: status $status"; cat err; exit 1; }
	[ "$(grep -c 'the library libipt has crashed or does not end' err)" = 1 ] || { echo "$crash: $(cat err)"; exit 1; }
	commands=$(pk-script --dump out.pk | grep -c 'comm="')
	samples=$(pk-script --dump out.pk | grep -c ' SAMPLE ')
	[ "$commands" = 5 ] || { echo "$crash: $commands of 5 records"; exit 1; }
	# Each block completes the branch of the block before.
	[ "$samples" = 2 ] || { echo "$crash: $samples of 2 samples"; exit 1; }
	pk-script --dump out.pk >/dev/null 2>&1 || { echo "$crash: the output is damaged"; exit 1; }
done
exit 0
