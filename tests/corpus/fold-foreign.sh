# SPDX-License-Identifier: BSD-2-Clause
# Recordings of big-endian s390x, of arm64 and of 32-bit Arm, folded here, have the frames that perf
# printed on the machine that recorded them, but inlined ones. arm64's perf adds callers from the link
# register: so does pk-unwind; without it these frames are left out. (Not 05-static and 06-cxx: there perf
# prints functions that have two names only as inlined ones.)
. "$PK_TOP/tests/corpus/corpus.bash"

prepare()
{
	own=$PK_CORPUS/own/$1
	mkdir "$1"
	xz -dc "$own/symfs.tar.xz" | tar -xf - -C "$1"
	gzip -dc "$own/kallsyms.gz" >"$1/kallsyms"
	cp "$own"/vdso/*/vdso "$1/symfs/$2"
}

# fold MACHINE NAME [OPTIONS OF collapse.pl]; how: the program that comes before pk-symbolize
how=(cat)
fold()
{
	local machine=$1 name=$2
	shift 2
	: >err
	"${how[@]}" <"$own/data/$name.data" 2>>err |
		pk-symbolize --no-inline --symfs "$machine/symfs" --kallsyms "$machine/kallsyms" 2>>err |
		pk-fold >folded 2>>err || complain "$machine $name: status ${PIPESTATUS[*]}: $(cat err)"
	gzip -dc "$own/ref/$name.data/script.txt.gz" | perl "$collapse" "$@" >expected
}

# Before Linux 6.9, callchains of user samples have no address on s390x. pk then counts a sample at its own address;
# stackcollapse-perf.pl has no frame for it. So stacks of at most one frame are added up.
short_stacks()
{
	awk '{ n = split($0, frames, ";"); weight = $NF }
		n > 2 { print; next } { sub(/[; ].*/, ""); sum[$0] += weight }
		END { for (comm in sum) printf "%s %.0f\n", comm, sum[comm] }' "$1" | LC_ALL=C sort >short && mv short "$1"
}

prepare s390x-6.1 vdso64.so
for name in 03-pipe 01-file 17-buildidmmap; do
	fold s390x-6.1 $name
	short_stacks expected
	short_stacks folded
	same s390x-6.1/$name
done

prepare s390x-7.2 vdso64.so
for name in 03-pipe 01-file 02-file-z 14-group-read 17-nobuildidmmap 20-uprobe; do
	fold s390x-7.2 $name
	# perf extends this symbol, which has no size, to the next one.
	sed -i 's/;__tls_get_offset /;[ld64.so.1] /' expected
	same s390x-7.2/$name
done

prepare arm64-7.2 vdso64.so
for name in 03-pipe 01-file 09-tp-g-pipe; do
	pk-script --dump "$own/data/$name.data" >dump 2>err || complain "pk-script: $(cat err)"
	fold arm64-7.2 $name --chains dump
	if [ $name = 09-tp-g-pipe ]; then
		without_objects <folded >kept
		mv kept folded
	fi
	same arm64-7.2/$name
done

# Of a stack of one frame perf does not look for the caller: _start, of a function of the dynamic linker.
how=(pk-unwind -q --symfs arm64-7.2/symfs)
for name in 03-pipe 01-file 09-tp-g-pipe; do
	fold arm64-7.2 $name
	case $name in
	01-file) sed -i 's/^work-dyn;\(\[ld-linux-aarch64.so.1\] 1001001\)$/work-dyn;_start;\1/' expected ;;
	09-tp-g-pipe) without_objects <folded >kept && mv kept folded ;;
	esac
	same "arm64-7.2/$name after pk-unwind"
done
how=(cat)

# 32-bit Arm's perf does not know that the lowest bit of an IFUNC (memchr) says Thumb; and it prints a
# function that has two names as inlined into nothing.
prepare armhf-7.2 vdso32.so
fold armhf-7.2 03-pipe
sed -E -e 's/^(work-dyn;\[unknown\]);\[libc\.so\.6\](;ret_from_exception;.*;folio_add_file_rmap_ptes 1001001)$/\1;memchr\2/' \
	-e 's/^work-dyn( 1001001|;__irq_usr;call_with_stack;irq_exit;__irq_exit_rcu;handle_softirqs;rcu_core;_raw_spin_unlock_irqrestore 1001001)$/work-dyn;__aeabi_uidiv\1/' \
	expected | sum >mended
mv mended expected
same armhf-7.2/03-pipe
exit $status
