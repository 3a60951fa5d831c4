# SPDX-License-Identifier: BSD-2-Clause
# -F: fields of memory, branches, registers and clocks of golden streams; what is refused, and why.
cd "$PK_TOP/format/vectors/good" || exit
show()
{
	echo "== $*"
	pk-script -q --symfs /nonexistent --kallsyms /dev/null "$@" | head -n 6
}
show -F event,data_src,weight,ins_lat,retire_lat,phys_addr,data_page_size,code_page_size sample-all-le.pk
show -F event,data_src,weight,phys_addr sample-all-be.pk
show -F event,brstack sample-branches-le.pk
show -F event,brstacksym sample-branches-le.pk
show -F event,brstacksym,dso sample-branches-be.pk
show -F event,iregs,uregs sample-all-le.pk
show -F comm,tid,tod,time sample-plain-le.pk
show -F comm,tid,pid,time --reltime sample-plain-le.pk
show -F comm,tid,time --deltatime --ns sample-plain-le.pk
show -G sample-callchains-le.pk
show -F +pid,-time sample-plain-le.pk
for field in insn brstackinsn srccode metric vcpu ipc nothing; do
	pk-script -F "comm,$field" sample-plain-le.pk
	echo "exit $?"
done 2>&1 | grep -v "^Try"
pk-script --reltime --deltatime sample-plain-le.pk
echo "exit $?"
# The Output of BPF programs, and the clock of the day.
perl -e '
	sub record { my ($type, $misc, $body) = @_; $body .= "\0" x (-length($body) % 8); print pack("LSS", $type, $misc, 8 + length $body), $body }
	print "PERFILE2", pack("Q", 16);
	record(64, 0, pack("LLQQQQQ x88", 1, 136, 10, 1, 0x407, 0, 1 << 18) . pack("Q", 1));
	record(80, 0, pack("QLLQQ", 29, 1, 4, 1_800_000_000_123_456_789, 1_000_000_000));
	record(9, 2, pack("QLLQ", 0x1234, 5, 5, 2_000_000_000) . pack("L", 20) . "hello\e, world\0\x01\x02\x03\x04\x05\x06");
	record(9, 2, pack("QLLQ", 0x1234, 5, 5, 2_000_000_000) . pack("L", 12) . "hello\0\0\0\0\0\0\0");
' >"$OLDPWD/bpf.perf"
cd "$OLDPWD" || exit
show -F tid,tod,time,event,bpf-output bpf.perf
