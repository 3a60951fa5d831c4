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
for field in brcntr srccode metric vcpu ipc nothing; do
	pk-script -F "comm,$field" sample-plain-le.pk
	echo "exit $?"
done 2>&1 | grep -v "^Try"
pk-script --reltime --deltatime sample-plain-le.pk
echo "exit $?"
# The output of BPF programs ("hello\e, world" and bytes, "hello" and NULs), and the clock of the day.
"$PK_BUILD/tests/assemble/assemble" >"$OLDPWD/bpf.perf" <<STREAM
BEGIN
HEADER_ATTR attr_type=1 config=10 sample_period=1 sample_type=(IP TID TIME RAW) flags=(sample_id_all) id=1
HEADER_FEATURE feature=(CLOCK_DATA) version=1 clockid=4 wall_ns=1800000000123456789 clockid_ns=1000000000
SAMPLE misc=(user) ip=0x1234 pid=5 tid=5 time=2000000000 raw=68656c6c6f1b2c20776f726c6400010203040506
SAMPLE misc=(user) ip=0x1234 pid=5 tid=5 time=2000000000 raw=68656c6c6f00000000000000
STREAM
cd "$OLDPWD" || exit
show -F tid,tod,time,event,bpf-output bpf.perf
