# SPDX-License-Identifier: BSD-2-Clause
# Probes in modules of the kernel: a relocatable file with the debugging information of a module. Nothing is recorded.
without_recording=1
. "$PK_TOP/tests/live/record.bash"
[ "$(uname -m)" = x86_64 ] || skip "registers are named for x86_64"
cat >known-module.c <<'C'
struct request {
	long size;
	struct {
		int code;
		char name[8];
	} header;
};
int known_counter;
static int __attribute__((noinline)) helper(struct request *r, int flags)
{
	int sum = 0;

	for (int i = 0; i < flags; i++)
		sum += r->header.code * i;
	known_counter += sum;
	return sum;
}
int known_entry(struct request *r, int flags)
{
	if (flags > 3)
		return helper(r, flags);
	return (int)r->size;
}
C
"${CC:-gcc}" -g -O1 -fno-pic -fcf-protection=none -c -o known-module.o known-module.c 2>err || skip "no compiler: $(head -n 1 err)"
cp known-module.o known-module.ko
xz -k known-module.ko
mkdir -p sysfs/bus/event_source/devices/kprobe
echo 8 >sysfs/bus/event_source/devices/kprobe/type
export SYSFS_PATH=$PWD/sysfs

# The addresses of the compiler's own table of lines are those of the probes.
addresses() # LINE: where its statements start, as MODULE:SYMBOL+OFFSET
{
	{ nm known-module.o; objdump --dwarf=decodedline known-module.o; } | perl -ne '
		BEGIN { $line = pop }
		$start{$2} = hex $1 if /^([0-9a-f]{16}) [tT] (.*)/;
		next unless /^known-module\.c +$line +(0x[0-9a-f]+|0)/;
		for (keys %start) { print "known_module:$_+", hex($1) - $start{$_}, "\n" if $start{$_} <= hex $1 }' "$1"
}
for file in known-module.ko known-module.ko.xz; do
	for line in 14 15 16 20 22; do
		pk-record -x $file --probe known-module.c:$line --dry-run >got 2>err || fail "line $line: $(cat err)"
		addresses $line >wanted
		sed -n 's/^  p:[^ ]* //p' got | grep -qxFf wanted || fail "$file: line $line: not at $(cat wanted): $(cat got)"
	done
	pk-record -x $file --probe 'helper:5 sum flags' --probe 'known_entry r->header.code r->header.name' \
		--probe 'helper%return flags $retval' --dry-run >got 2>err || fail "$(cat err)"
	sed -n 's/^  \([pr]:.*\)/\1/p' got | sed 's/%[a-z0-9]*/%R/g; s/\(L5 .*+\)[0-9]*/\1N/' >definitions
	cat >wanted <<-END
		p:probe/helper_L5 known_module:helper+N sum=%R:s32 flags=%R:s32
		p:probe/known_entry known_module:known_entry+0 code=+8(%R):s32 name=+12(%R):string
		r:probe/helper__return known_module:helper+0 flags=\$arg2:s32 arg2=\$retval:s32
	END
	diff wanted definitions || fail "definitions of $file"
	pk-record -x $file --list-functions '*' >got 2>err || fail "$(cat err)"
	printf 'helper\nknown_entry\n' | cmp -s - <(cut -f 1 got) || fail "functions: $(cat got err)"
done
pk-record -x known-module.ko --list-lines helper 2>err | sed -n 's/^ *\([0-9][0-9]*\)  .*/\1/p' | tr '\n' ' ' >got
[ "$(cat got)" = '0 4 5 6 7 ' ] || [ "$(cat got)" = '0 4 5 6 7 8 ' ] || fail "lines: $(cat got err)"

refused() # WORDS PROBE
{
	! pk-record -x known-module.ko --probe "$2" --dry-run >got 2>err || fail "$2 is not refused"
	grep -q -- "$1" err || fail "$2: $(cat err)"
}
refused 'global variables of modules cannot be read' 'helper known_counter'
refused 'no such USDT\|no USDT probe\|is not an ELF file' 'provider:name'
exit 0
