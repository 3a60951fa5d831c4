# SPDX-License-Identifier: BSD-2-Clause
# Names and lines of a kernel module's code, from its file, whose code has no addresses: where the kernel loads its
# sections is known by their order.
. "$PK_TOP/tests/live/fold.bash"
. "$PK_TOP/tests/cli/stream.bash"

cat >m.c <<'END'
extern int hot;
static inline __attribute__((always_inline)) int inlined(int x)
{
	return x * hot; /* line 4 */
}
int first(int x) { return x + hot; }
int second(int x) { return inlined(x) + 1; }
__attribute__((section(".init.text"))) int starting(int x) { return x - hot; }
__attribute__((section(".text.unlikely"))) int unlikely(int x) { return x / hot; }
__attribute__((section(".exit.text"), aligned(64))) int leaving(int x) { return x % hot; }
END
"${CC:-cc}" -g -gz=zlib -O1 -fno-pie -ffunction-sections -c -o m.o m.c && ld -r --build-id -o m.ko m.o || skip "no module can be linked"
id=$(readelf -n m.ko | awk '/Build ID/ { print $3 }')
objcopy --only-keep-debug m.ko m.debug && objcopy --strip-debug m.ko stripped.ko && xz -kf stripped.ko && gzip -kf stripped.ko && zstd -qkf stripped.ko ||
	skip "no objcopy, xz, gzip or zstd"

# "NAME START END" of the functions, counted from the start of the loaded code, by the sections that readelf lists.
readelf -SW m.ko | sed 's/^ *\[ *\([0-9]*\)\]/\1/' | awk '$8 == "AX" && $2 !~ /^\.init/ { print $1, $6, $11 }' |
	while read -r section size align; do
		end=$((${end-0} + align - 1)) && end=$((end / align * align))
		readelf -sW m.ko | awk -v s="$section" '$4 == "FUNC" && $7 == s { print $8, $3 }' |
			while read -r function bytes; do echo "$function $end $((end + bytes))"; done
		end=$((end + 16#$size))
	done >functions
[ "$(awk '{ print $1 }' functions | sort | paste -sd ' ')" = 'first leaving second unlikely' ] || fail "$(cat functions)"

recording() # PATH OUTPUT [MODE]: a sample on each address
{
	local mode=${3-kernel}
	{
		header
		event_of 7 PERIOD
		echo "MMAP misc=($mode) pid=-1 tid=0 addr=0xffffffffc0000000 len=0x1000000 filename=\"$1\""
		echo "HEADER_BUILD_ID misc=($mode) pid=-1 filename=\"$1\""
		echo "  build_id=$id"
		while read -r _ start end; do
			for ((i = start; i < end; i++)); do
				sample_of "$mode" 7 5 "$(printf '0xffffffffc%07x' $i)" period=1
			done
		done <functions
	} | assemble >"$2"
}

cat >expected <<'END'
first:m.c:6
inlined:m.c:4
leaving:m.c:10
second:m.c:7
unlikely:m.c:9
END
lines() # OPTION... FILE
{
	pk-symbolize --no-cache --lines "$@" 2>err | pk-fold -q --lines | sed 's/ [0-9]*$//; s/^[^;]*;//' | tr ';' '\n' |
		sort -u >found
}

path=/lib/modules/6.0/kernel/m.ko
recording $path plain.pk
mkdir -p plain/lib/modules/6.0/kernel packed/lib/modules/6.0/kernel "debug/.build-id/${id:0:2}"
cp m.ko plain$path
cp stripped.ko.xz packed$path.xz
cp stripped.ko.gz packed$path.gz
cp stripped.ko.zst packed$path.zst
cp m.debug "debug/.build-id/${id:0:2}/${id:2}.debug"
lines --symfs plain plain.pk
diff expected found || fail "the file with its debugging information: $(cat err)"
for suffix in xz gz zst; do
	recording $path.$suffix packed.pk
	lines --symfs packed --debug-dir "$PWD/debug" packed.pk
	diff expected found || fail "a stripped file, compressed as $suffix, and its debugging information: $(cat err)"
	# Half of it has no names, nor has one whose last byte, of the size in .gz, is another.
	file=packed$path.$suffix
	head -c $(($(stat -c %s "$file") / 2)) "$file" >half
	{
		head -c -1 "$file"
		printf "\\$(printf %o $(($(tail -c 1 "$file" | od -An -tu1) ^ 255)))"
	} >changed
	for damaged in half changed; do
		cp $damaged "$file"
		lines --symfs packed packed.pk
		! grep -q first found || fail "$damaged of $suffix: $(cat found)"
		grep -q "m.ko.$suffix: is not a file with symbols, or is damaged" err || fail "$damaged of $suffix: said $(cat err)"
	done
done
recording '[m]' name.pk
lines --debug-dir "$PWD/debug" name.pk
diff expected found || fail "only the debugging information, by the build-id: $(cat err)"

# A list of symbols with other functions at these addresses: the file was not loaded as expected, and has no lines.
awk '{ printf "ffffffffc%07x t other_%s\t[m]\n", $2, $1 }' functions >kallsyms
lines --symfs plain --kallsyms kallsyms plain.pk
grep -q other_first found || fail "$(cat found err)"
! grep -q 'm\.c' found || fail "lines of a file with other functions: $(cat found)"
# The same functions, as the kernel lists them.
sed -i 's/other_//' kallsyms
lines --symfs plain --kallsyms kallsyms plain.pk
diff expected found || fail "a list of symbols and the file: $(cat err)"
# A damaged file gives no names, and ends nothing.
head -c $(($(stat -c %s m.ko) / 2)) m.ko >plain$path
lines --symfs plain plain.pk
! grep -q 'm\.c' found || fail "lines of half of a file"

# The same file in the root of the guest of process 5: its lists have the module, and modules.dep the file. The map of the
# recording is that of the guest without a process.
mkdir -p guests/5/proc guests/5/lib/modules/6.0/kernel/a-b
cp m.ko guests/5/lib/modules/6.0/kernel/a-b/
printf 'kernel/a-b/other.ko.xz:\nkernel/a-b/m.ko: kernel/a-b/other.ko.xz\n' >guests/5/lib/modules/6.0/modules.dep
echo 'Linux version 6.0 (cc 12) #1 SMP' >guests/5/proc/version
cp kallsyms guests/5/proc/kallsyms
echo 'm 16777216 0 - Live 0xffffffffc0000000 (E)' >guests/5/proc/modules
recording '[other]' guest.pk guest-kernel
lines --guest-symfs guests guest.pk
diff expected found || fail "a module of a guest: $(cat err)"
! pk-symbolize -q --no-cache --lines guest.pk | pk-fold -q --lines | grep -q 'm\.c' || fail "lines without the option"
