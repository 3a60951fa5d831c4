# SPDX-License-Identifier: BSD-2-Clause
# long
# Recordings of other machines, with their files at hand, are folded into the same lines without these
# files: with what pk-inject has put into the stream, and with what pk-archive has put into a build-id
# folder.
. "$PK_TOP/tests/corpus/corpus.bash"

prepare()
{
	own=$PK_CORPUS/own/$1
	mkdir "$1"
	xz -dc "$own/symfs.tar.xz" | tar -xf - -C "$1"
	gzip -dc "$own/kallsyms.gz" >"$1/kallsyms"
	cp "$own"/vdso/*/vdso "$1/symfs/vdso64.so"
	files=(--symfs "$1/symfs" --kallsyms "$1/kallsyms")
}

# fold OUTPUT INPUT [OPTION...]
fold()
{
	HOME=$PWD/home pk-symbolize -q "${@:3}" "$2" 2>err | pk-fold -q >"$1" 2>>err || complain "$2: $(cat err)"
}

# compare NAME: the files expected and folded.
offsite()
{
	local data=$own/data/$2.data
	rm -rf home
	mkdir -p home/.debug
	fold expected "$data" "${files[@]}"
	HOME=$PWD/home pk-inject -q "${files[@]}" -o portable.pk "$data" 2>err || complain "$1/$2: $(cat err)"
	fold folded portable.pk
	same "$1/$2 injected"
	HOME=$PWD/home pk-inject -q --build-ids "${files[@]}" -o ids.pk "$data"
	HOME=$PWD/home pk-archive -q "${files[@]}" ids.pk 2>err | tar -xf - -C home/.debug || complain "$1/$2: $(cat err)"
	fold folded ids.pk
	same "$1/$2 archived"
}

prepare s390x-7.2
for name in 03-pipe 01-file 06-cxx 17-nobuildidmmap 20-uprobe; do
	offsite s390x-7.2 $name
done
prepare arm64-7.2
for name in 03-pipe 01-file 05-static 06-cxx; do
	offsite arm64-7.2 $name
done

# Deferred callchains: merged before pk-inject, or after it.
own=$PK_CORPUS/own/x86_64-7.2
xz -dc "$own/kallsyms.boot1.xz" >kallsyms
files=(--symfs "$own/rootfs" --kallsyms kallsyms)
mkdir -p home
for name in forker.defer threads.defer.a syscalls.defer.pipe; do
	[ -e "$own/data/$name.data" ] || continue
	pk-merge-callchains -q -o merged.pk "$own/data/$name.data" || complain "$name: pk-merge-callchains"
	fold expected merged.pk "${files[@]}"
	pk-inject -q "${files[@]}" -o portable.pk merged.pk || complain "$name: pk-inject"
	fold folded portable.pk
	same "$name injected behind"
	pk-inject -q "${files[@]}" "$own/data/$name.data" | pk-merge-callchains -q -o portable.pk ||
		complain "$name: pk-inject in front"
	fold folded portable.pk
	same "$name injected in front"
done
exit $status
