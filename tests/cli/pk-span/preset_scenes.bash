# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Small recordings of the events of each preset. Sourced by tests that define try PRESET <SCENE.

try syscalls <<'END'
event raw_syscalls:sys_enter s64 id, args args
event raw_syscalls:sys_exit s64 id, s64 ret
100 5 0 sys_enter 257 4294967196,0x7f0000001000,0x80000
110 5 0 sys_exit 257 3
200 5 0 sys_enter 0 3,0x7f0000002000,832
205 6 1 sys_enter 1 1,0x7f0000003000,5
210 5 1 sys_exit 0 832
215 6 1 sys_exit 1 -32
300 5 0 sys_enter 600 1,2,3
310 5 0 sys_exit 600 -38
END
ARCH=aarch64 try syscalls <<'END'
event raw_syscalls:sys_enter s64 id, args args
event raw_syscalls:sys_exit s64 id, s64 ret
event syscalls:sys_enter_openat int __syscall_nr, int folder, void * text, int flags, u32 mode
100 5 0 sys_enter 56 4294967196,0x7f0000001000,040000
110 5 0 sys_exit 56 3
END
for ARCH in x86_64 aarch64; do
	echo "-- 32-bit programs on $ARCH: task 5, not task 6, and task 7 after its execve"
	ARCH=$ARCH try syscalls <<'END'
event raw_syscalls:sys_enter s64 id, args args
event raw_syscalls:sys_exit s64 id, s64 ret
record MMAP2 misc=(user) pid=5 tid=5 addr=0x8048000 len=0x1000 prot=5 filename="/x/small" trailer.id=100 trailer.time=1
record MMAP2 misc=(user) pid=5 tid=5 addr=0xfffff000 len=0x1000 prot=5 filename="[vdso]" trailer.id=100 trailer.time=2
record MMAP2 misc=(user) pid=6 tid=6 addr=0x400000 len=0x1000 prot=5 filename="/x/big" trailer.id=100 trailer.time=3
record MMAP2 misc=(user) pid=6 tid=6 addr=0x100000000 len=0x1000 prot=5 filename="[vdso]" trailer.id=100 trailer.time=4
record FORK pid=7 ppid=6 tid=7 ptid=6 time=5000 trailer.id=100 trailer.time=5000
100 5 0 sys_enter 4 1,0xf7001000,5
110 5 0 sys_exit 4 5
200 6 0 sys_enter 4 1,0xf7001000,5
210 6 0 sys_exit 4 5
300 7 0 sys_enter 4 1,0xf7001000,5
310 7 0 sys_exit 4 5
record COMM misc=0x2000 pid=7 tid=7 comm="seven" trailer.id=100 trailer.time=320000
record MMAP2 misc=(user) pid=7 tid=7 addr=0x8048000 len=0x1000 prot=5 filename="/x/small" trailer.id=100 trailer.time=330000
record MMAP2 misc=(user) pid=7 tid=7 addr=0xffff0000 len=0x1000 prot=5 filename="[vectors]" trailer.id=100 trailer.time=340000
400 7 0 sys_enter 4 4294967295,0xf7001000,5
410 7 0 sys_exit 4 -9
500 8 0 sys_enter 4 1,0xf7001000,5
510 8 0 sys_exit 4 5
END
done
unset ARCH
try syscalls -v <<'END'
event syscalls:sys_enter_close int __syscall_nr, u64 fd
event syscalls:sys_exit_close int __syscall_nr, s64 ret
100 5 0 sys_enter_close 3 4294967295
110 5 0 sys_exit_close 3 -9
END
try locks <<'END'
event lock:contention_begin void * lock_addr, u32 flags
event lock:contention_end void * lock_addr, int ret
100 5 0 contention_begin 0xffff8880 33
110 5 0 contention_begin 0xffff8880 32
120 6 1 contention_begin 0xffff8880 33
150 5 0 contention_end 0xffff8880 0
190 6 1 contention_end 0xffff8880 0
200 7 1 contention_begin 0xffff9990 2
260 7 1 contention_end 0xffff9990 -4
END
try futex <<'END'
event syscalls:sys_enter_futex int __syscall_nr, void * uaddr, u64 op, u64 val
event syscalls:sys_exit_futex int __syscall_nr, s64 ret
event syscalls:sys_enter_futex_wait int __syscall_nr, void * uaddr, u64 val
event syscalls:sys_exit_futex_wait int __syscall_nr, s64 ret
100 5 0 sys_enter_futex 202 0x7f0000001000 128 2
105 6 1 sys_enter_futex 202 0x7f0000001000 129 1
108 6 1 sys_exit_futex 202 1
120 5 0 sys_exit_futex 202 0
200 5 0 sys_enter_futex_wait 455 0x7f0000002000 7
230 5 0 sys_exit_futex_wait 455 -110
END
try block <<'END'
event block:block_rq_insert u32 dev, u64 sector, u32 nr_sector, u32 bytes, text rwbs, text comm
event block:block_rq_issue u32 dev, u64 sector, u32 nr_sector, u32 bytes, text rwbs, text comm
event block:block_rq_complete u32 dev, u64 sector, u32 nr_sector, int error, text rwbs
event block:block_rq_merge u32 dev, u64 sector, u32 nr_sector, u32 bytes, text rwbs, text comm
event block:block_rq_requeue u32 dev, u64 sector, u32 nr_sector, text rwbs
100 5 0 block_rq_insert 8388608 1000 8 4096 WS dd
110 5 0 block_rq_insert 8388608 1008 8 4096 WS dd
120 5 0 block_rq_merge 8388608 1008 8 4096 WS dd
150 9 0 block_rq_issue 8388608 1000 16 8192 WS kworker
200 0 1 block_rq_complete 8388608 1000 16 0 WS
300 9 0 block_rq_issue 8388608 2000 8 0 R dd
310 9 0 block_rq_requeue 8388608 2000 8 R
400 9 0 block_rq_issue 8388608 2000 8 0 R dd
900 0 0 block_rq_complete 8388608 2000 8 -5 R
END
try files <<'END'
event ext4:ext4_sync_file_enter u32 dev, u64 ino, u64 parent, int datasync
event ext4:ext4_sync_file_exit u32 dev, u64 ino, int ret
event ext4:ext4_da_write_begin u32 dev, u64 ino, s64 pos, u32 len
event ext4:ext4_da_write_end u32 dev, u64 ino, s64 pos, u32 len, u32 copied
event jbd2:jbd2_start_commit u32 dev, text sync_commit, u32 transaction
event jbd2:jbd2_end_commit u32 dev, text sync_commit, u32 transaction, u32 head
100 5 0 ext4_da_write_begin 259 77 4096 100
110 5 0 ext4_da_write_end 259 77 4096 100 100
200 5 0 ext4_sync_file_enter 259 77 2 0
210 8 1 jbd2_start_commit 259 0 9
280 8 1 jbd2_end_commit 259 0 9 5
300 5 0 ext4_sync_file_exit 259 77 -5
END
try net <<'END'
event net:net_dev_queue void * skbaddr, u32 len, text name
event net:net_dev_xmit void * skbaddr, u32 len, int rc, text name
event net:netif_receive_skb void * skbaddr, u32 len, text name
event skb:consume_skb void * skbaddr, void * location
event skb:kfree_skb void * skbaddr, void * location
event skb:skb_copy_datagram_iovec void * skbaddr, int len
event sock:inet_sock_set_state void * skaddr, int oldstate, int newstate, u32 sport, u32 dport
100 5 0 net_dev_queue 0xaa00 60 eth0
103 5 0 net_dev_xmit 0xaa00 60 0 eth0
109 0 1 consume_skb 0xaa00 0x1
200 0 1 netif_receive_skb 0xbb00 90 eth0
208 5 0 skb_copy_datagram_iovec 0xbb00 40
210 0 1 netif_receive_skb 0xcc00 91 eth0
212 0 1 kfree_skb 0xcc00 0x2
300 5 0 inet_sock_set_state 0xdd00 7 2 4000 80
340 0 1 inet_sock_set_state 0xdd00 2 1 4000 80
900 5 0 inet_sock_set_state 0xdd00 4 7 4000 80
END
try irq <<'END'
event irq:irq_handler_entry int irq, text name
event irq:irq_handler_exit int irq, int ret
event irq:softirq_raise u32 vec
event irq:softirq_entry u32 vec
event irq:softirq_exit u32 vec
event timer:timer_expire_entry void * timer, void * function
event timer:timer_expire_exit void * timer
event timer:hrtimer_expire_entry void * hrtimer, void * function
event timer:hrtimer_expire_exit void * hrtimer
event workqueue:workqueue_queue_work void * work, void * function, text workqueue
event workqueue:workqueue_execute_start void * work, void * function
event workqueue:workqueue_execute_end void * work, void * function
100 5 0 irq_handler_entry 24 virtio0
101 6 1 irq_handler_entry 24 virtio0
102 5 0 softirq_raise 3
104 5 0 irq_handler_exit 24 1
106 6 1 irq_handler_exit 24 0
110 5 0 softirq_entry 3
118 5 0 softirq_exit 3
120 5 0 timer_expire_entry 0xa000 0xf000
121 5 0 timer_expire_exit 0xa000
130 5 0 hrtimer_expire_entry 0xa100 0xf100
133 5 0 hrtimer_expire_exit 0xa100
140 5 0 workqueue_queue_work 0xa200 0xf200 events
150 9 0 workqueue_execute_start 0xa200 0xf200
190 9 0 workqueue_execute_end 0xa200 0xf200
END
try kmem <<'END'
event kmem:kmalloc u64 call_site, void * ptr, u64 bytes_req, u64 bytes_alloc, u64 gfp_flags
event kmem:kfree u64 call_site, void * ptr
event kmem:kmem_cache_alloc u64 call_site, void * ptr, u64 bytes_req, u64 bytes_alloc, u64 gfp_flags
event kmem:kmem_cache_free u64 call_site, void * ptr
event kmem:mm_page_alloc u64 pfn, u32 order, u64 gfp_flags, int migratetype
event kmem:mm_page_free u64 pfn, u32 order
50 5 0 kfree 0xf300 0x9000
100 5 0 kmalloc 0xf000 0x1000 100 128 3264
110 5 0 kmem_cache_alloc 0xf100 0x2000 200 256 3264
150 6 1 kfree 0xf200 0x1000
160 5 0 mm_page_alloc 4096 2 3264 1
170 5 0 mm_page_alloc -1 2 3264 1
190 5 0 mm_page_free 4096 2
END
try malloc --pass <<'END'
event probe_libc:malloc u64 size
event probe_libc:malloc__return void * ret
event probe_libc:free void * ptr
100 5 0 malloc 100
105 5 0 malloc__return 0x1000
110 5 0 malloc 200
118 5 0 malloc__return 0x2000
300 5 0 free 0x1000
END
try functions <<'END'
event probe_app:f u64 n
event probe_app:f__return u64 ret
event probe_app:g u64 n
event probe_app:g__return u64 ret
100 5 0 f 3
110 5 0 f 2
120 5 0 g 1
130 5 0 g__return 7
140 5 0 f__return 8
150 5 0 f__return 9
END
try faults <<'END'
event probe:handle_mm_fault u64 address
event probe:handle_mm_fault__return u64 ret
100 5 0 handle_mm_fault 0x7f0000001000
107 5 0 handle_mm_fault__return 0
END
try kvm <<'END'
event kvm:kvm_exit u32 exit_reason, u64 guest_rip, u32 isa, u64 info1, u64 info2, u32 vcpu_id
event kvm:kvm_entry u32 vcpu_id, u64 rip
event kvm:kvm_mmio u32 type, u32 len, u64 gpa, u64 val
event kvm:kvm_pio u32 rw, u32 port, u32 size, u32 count, u32 val
100 5 0 kvm_exit 30 0x1000 1 0 0 0
103 5 0 kvm_pio 1 1016 1 1 65
109 5 0 kvm_entry 0 0x1002
200 5 0 kvm_exit 48 0x1010 1 0 0 0
204 5 0 kvm_mmio 1 4 0xfee00000 7
208 5 0 kvm_entry 0 0x1014
300 5 0 kvm_exit 48 0x1020 1 0 0 0
305 5 0 kvm_mmio 2 4 0xfee00010 8
311 5 0 kvm_entry 0 0x1024
END
