# SPDX-License-Identifier: BSD-2-Clause
# Inlined functions and lines of other machines' recordings: those that perf printed on the recorded machine, but for
# the differences that docs/symbols.md explains; lines.counts has how many there were when it was written.
# UPDATE=1 writes it anew.
. "$PK_TOP/tests/corpus/corpus.bash"

for machine in s390x-7.2 s390x-6.1 arm64-7.2 armhf-7.2; do
	own=$PK_CORPUS/own/$machine
	mkdir $machine && tar -xJf "$own/symfs.tar.xz" -C $machine && gzip -dc "$own/kallsyms.gz" >$machine/kallsyms ||
		complain "$machine: no symfs"
	for f in "$own"/data/*.data; do
		name=$(basename "$f")
		[ -s "$own/ref/$name/script-srcline.txt.gz" ] || continue
		gzip -dc "$own/ref/$name/script-srcline.txt.gz" >expected
		pk-symbolize -q --lines --symfs $machine/symfs --kallsyms $machine/kallsyms "$f" 2>err |
			pk-script -q -F comm,tid,time,event,ip,sym,symoff,dso,srcline >actual 2>>err
		perl "$PK_TOP/tests/corpus/lines.pl" expected actual >counted 2>left ||
			complain "$machine/$name: $(head -n 6 left | cut -c1-300)"
		echo "$machine/$name $(cat counted)" >>counts
	done
done
counts=$PK_TOP/tests/corpus/lines.counts
[ -z "${UPDATE-}" ] || cp counts "$counts"
cmp -s counts "$counts" || complain "not as before:" "$(diff "$counts" counts)"
exit $status
