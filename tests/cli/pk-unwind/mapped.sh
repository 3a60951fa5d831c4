# SPDX-License-Identifier: BSD-2-Clause
# A large file is mapped: the result is that of the same bytes from a pipe, also with sessions of the other byte
# order and compressed ones between the others, and if the file ends within a record.
umask 022
data=$PK_TOP/tests/data/unwind
pk-filter -q -o once "$data/x86_64.perf.zst"
size=$(wc -c <once)
for ((i = 0; i * size < 3000000; i++)); do cat once; done >many
other=$PK_TOP/format/vectors/good/sample-read-all-be.pk
size=$(wc -c <"$other")
for ((i = 0; i * size < 2500000; i++)); do cat "$other"; done >others
cat many others many "$data/x86_64.perf.zst" many >all
size=$(wc -c <once)
head -c $((5 * size / 2)) many >short
	# "one" and "two" are files here, not commands.
	# shellcheck disable=SC2238
for ((i = 0; i < 4; i++)); do cat all; done | head -c 7654321 >cut
for file in all others short cut; do
	pk-unwind -q --symfs "$data" $file 2>one.err | pk-script -q >one 2>/dev/null
	pk-unwind -q --symfs "$data" <$file 2>two.err | pk-script -q >two 2>/dev/null
	# shellcheck disable=SC2002
	cat $file | pk-unwind -q --symfs "$data" 2>three.err | pk-script -q >three 2>/dev/null
	cmp one three && cmp two three && cmp two.err three.err
	sed "s/$file:/stdin:/" one.err | cmp - three.err
	[ -s three ] || echo "nothing"
	# The STAGE record has the command line, and so its length depends on where the tests are.
	sed "s/offset [0-9]*/offset N/" three.err
done
# A record begins at the end of a compressed part and continues after it. A skippable frame makes the uncompressed
# bytes begin 8 bytes before the end of the first part that is mapped.
size=$(wc -c <once)
head -c $((size / 2 + 4)) once | zstd -q >mixed
skipped=$((2097152 - 8 - 8 - $(wc -c <mixed)))
# shellcheck disable=SC2059
{
	printf '\x50\x2a\x4d\x18'
	for ((i = 0; i < 32; i += 8)); do printf "\\x$(printf %x $((skipped >> i & 255)))"; done
	head -c $skipped /dev/zero
	tail -c +$((size / 2 + 5)) once
	cat once
} >>mixed
pk-unwind --symfs "$data" mixed 2>one.err | pk-script -q >one
# shellcheck disable=SC2002
cat mixed | pk-unwind --symfs "$data" 2>two.err | pk-script -q >two
cmp one two && cmp one.err two.err && [ -s one ] && echo "continues after a compressed part"
# The file becomes shorter while it is read, and the output waits for its reader. A file that other users can change is
# not mapped.
cp all others
chmod 600 all
chmod 622 others
for file in all others; do
	pk-unwind -q --keep --symfs "$data" $file 2>err | {
		sleep 1
		: >$file
		cat >/dev/null
	}
	echo "status ${PIPESTATUS[0]}"
	if [ $file = all ]; then
		grep -cE 'became shorter while|ends in the middle' err
	else
		grep -c 'became shorter while' err
	fi
done
# The signal of such an access has its usual effect if it has another cause.
mkfifo fifo
export ASAN_OPTIONS=${ASAN_OPTIONS-}:handle_sigbus=0
pk-unwind -q fifo >/dev/null 2>err &
exec 3>fifo
# The shell's own message comes at an unknown time.
{
	kill -BUS $!
	wait $!
	status=$?
} 2>/dev/null
echo "status $status"
cat err
