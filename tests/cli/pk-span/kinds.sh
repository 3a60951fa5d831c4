# SPDX-License-Identifier: BSD-2-Clause
# The kinds of fields in what the programs print of spans: devices, errors, addresses and time stamps are text for people, numbers in data.
. "$PK_TOP/tests/cli/pk-span/scenes.bash"

try block <<'END'
event block:block_rq_issue dev_t dev, u64 sector, u32 nr_sector, size_t bytes, text rwbs, text comm
event block:block_rq_complete dev_t dev, u64 sector, u32 nr_sector, int error, text rwbs
150 9 0 block_rq_issue 266338304 1000 16 8192 WS kworker
200 0 1 block_rq_complete 266338304 1000 16 0 WS
300 9 0 block_rq_issue 8388608 2000 8 4096 R dd
900 0 0 block_rq_complete 8388608 2000 8 -5 R
END
mv out.pk block.spans
try kmem <<'END'
event kmem:kmalloc unsigned long call_site, void * ptr, size_t bytes_req, size_t bytes_alloc, u32 gfp_flags
event kmem:kfree unsigned long call_site, void * ptr
100 5 0 kmalloc 0xffffffff816cc5c4 0x1000 100 128 3264
150 5 1 kfree 0xf700 0x1000
END
mv out.pk kmem.spans
try syscalls <<'END'
event raw_syscalls:sys_enter s64 id, args args
event raw_syscalls:sys_exit s64 id, s64 ret
100 5 0 sys_enter 257 4294967196,0x7f0000001000,0x80000
110 5 0 sys_exit 257 -2
200 5 0 sys_enter 0 3,0x7f0000002000,832
210 5 0 sys_exit 0 832
END
mv out.pk calls.spans

run()
{
	echo "\$ $*"
	"$@" 2>&1
}
run pk-report -q --view block block.spans
for format in --csv --json; do
	run pk-report -q $format -e pk:device --no-children --by dev --show 'sum(bytes),max,maxtime' block.spans
done
run pk-report -q -e pk:device --no-children --by dev --show 'samples,sum(bytes)' --where 'dev == "254,0"' block.spans
run pk-report -q -e pk:device --no-children --by dev --show samples --where 'dev == 8388608' block.spans
run pk-report -q -e pk:device --no-children --by dev:1048576 --show samples block.spans
run pk-fold --by dev block.spans
run pk-script -F dev block.spans
run pk-script --format '{dev} {trace.start}' block.spans
run pk-script --json -F dev block.spans | sed -n 's/.*,"dev":\([^,}]*\).*/\1/p'
run pk-filter --split-by dev -o 'part-%v.pk' block.spans && echo part-*
run pk-report -q -e pk:alloc --no-children --by call_site --show 'samples,sum(bytes_alloc),max(call_site)' kmem.spans
run pk-report -q -e pk:syscall --no-children --by call,ret,error --show 'samples,min(ret),sum(ret)' calls.spans
for where in 'ret == ENOENT' 'ret == "ENOENT"' 'error == ENOENT' 'ret ~ "ENO*"' 'ret == -2' 'ret != ENOENT' 'ret == EPERM'; do
	run pk-report -q -e pk:syscall --no-children --by call --show samples --where "$where" calls.spans
done
