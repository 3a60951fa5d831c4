# SPDX-License-Identifier: BSD-2-Clause
# Names of samples in the kernel of a virtual machine, as perf script --guestkallsyms prints them, for a kernel at the
# addresses of that file, and for one that was moved. Code of modules has the objects of perf script, which gives it no
# names. PK_PERF is the perf.
without_recording=1
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/cli/stream.bash"
perf=${PK_PERF:-perf}
"$perf" --version >/dev/null 2>&1 || skip "no perf"
symbols=$PK_TOP/tests/data/guests/kallsyms
fields=ip,sym,symoff,dso
for base in 0xffffffff81000000 0xffffffff91000000; do
	{
		header
		event 1 7
		name 7 cycles
		comm 5 5 qemu
		echo "MMAP misc=(guest-kernel) addr=$base len=0x1000000 pgoff=$base filename=\"[guest.kernel.kallsyms]_text\""
		for offset in 0 0x1010 0x2010 0x2fff 0x3004; do
			sample_of guest-kernel 7 5 "$(printf '0x%x' $((base + offset)))" time=1 period=1000
		done
		sample_of guest-user 7 5 0x400010 time=1 period=1000
		finish
	} | assemble >guest.pk
	"$perf" script -i guest.pk --guestkallsyms "$symbols" -F "$fields" 2>perf.err >perf.text || skip "no guests: $(cat perf.err)"
	pk-script -q --guest-kallsyms "$symbols" -F "$fields" guest.pk >text 2>err || fail "$(cat err)"
	[ "$(grep -c guest_work text)" = 2 ] || fail "names: $(cat text)"
	cmp text perf.text || fail "$base: $(diff text perf.text | head -n 6)"
done

cat >modules <<'END'
nf_guest 8192 0 - Live 0xffffffffc0001000
END
for maps in recorded listed; do
	{
		header
		event 1 7
		name 7 cycles
		comm 5 5 qemu
		echo 'MMAP misc=(guest-kernel) addr=0xffffffff81000000 len=0x3e000000 pgoff=0xffffffff81000000'
		echo '  filename="[guest.kernel.kallsyms]_text"'
		[ $maps = listed ] || echo 'MMAP misc=(guest-kernel) addr=0xffffffffc0001000 len=0x2000 filename="[nf_guest]"'
		for ip in 0xffffffff81001000 0xffffffffc0001000 0xffffffffc0002fff; do
			sample_of guest-kernel 7 5 $ip time=1 period=1000
		done
		finish
	} | assemble >$maps.pk
	pk-script -q --guest-kallsyms "$symbols" --guest-modules modules -F ip,sym,dso $maps.pk >$maps.text
	pk-script -q --guest-vmlinux /dev/null --guest-modules modules -F ip,dso $maps.pk >$maps.dso
done
cmp recorded.text listed.text || fail "modules: $(cat listed.text)"
cmp recorded.dso listed.dso || fail "modules: $(cat listed.dso)"
"$perf" script -i recorded.pk --guestkallsyms "$symbols" --guestmodules modules -F ip,dso 2>perf.err >perf.dso ||
	fail "$(cat perf.err)"
cmp recorded.dso perf.dso || fail "modules: $(diff recorded.dso perf.dso)"
