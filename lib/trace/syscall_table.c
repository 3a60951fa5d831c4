// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "syscall_table.h"

/* The names of system calls, in the order of their numbers. They are from asm/unistd.h of each
 * architecture. Each name ends with a NUL. An empty name means that no call has the number. The
 * comment at the start of a line is the number of the first name in the line. Calls that were added
 * since Linux 5.1 have the same number on all architectures. They are in `common`. */

static const char x86_64[] =
	/*   0 */
	"read\0write\0open\0close\0stat\0fstat\0lstat\0poll\0lseek\0mmap\0mprotect\0"
	/*  11 */ "munmap\0brk\0rt_sigaction\0rt_sigprocmask\0rt_sigreturn\0ioctl\0pread64\0"
	/*  18 */ "pwrite64\0readv\0writev\0access\0pipe\0select\0sched_yield\0mremap\0msync\0"
	/*  27 */ "mincore\0madvise\0shmget\0shmat\0shmctl\0dup\0dup2\0pause\0nanosleep\0"
	/*  36 */ "getitimer\0alarm\0setitimer\0getpid\0sendfile\0socket\0connect\0accept\0"
	/*  44 */ "sendto\0recvfrom\0sendmsg\0recvmsg\0shutdown\0bind\0listen\0getsockname\0"
	/*  52 */ "getpeername\0socketpair\0setsockopt\0getsockopt\0clone\0fork\0vfork\0execve\0"
	/*  60 */ "exit\0wait4\0kill\0uname\0semget\0semop\0semctl\0shmdt\0msgget\0msgsnd\0"
	/*  70 */ "msgrcv\0msgctl\0fcntl\0flock\0fsync\0fdatasync\0truncate\0ftruncate\0"
	/*  78 */ "getdents\0getcwd\0chdir\0fchdir\0rename\0mkdir\0rmdir\0creat\0link\0unlink\0"
	/*  88 */ "symlink\0readlink\0chmod\0fchmod\0chown\0fchown\0lchown\0umask\0"
	/*  96 */ "gettimeofday\0getrlimit\0getrusage\0sysinfo\0times\0ptrace\0getuid\0syslog\0"
	/* 104 */ "getgid\0setuid\0setgid\0geteuid\0getegid\0setpgid\0getppid\0getpgrp\0setsid\0"
	/* 113 */ "setreuid\0setregid\0getgroups\0setgroups\0setresuid\0getresuid\0setresgid\0"
	/* 120 */ "getresgid\0getpgid\0setfsuid\0setfsgid\0getsid\0capget\0capset\0"
	/* 127 */ "rt_sigpending\0rt_sigtimedwait\0rt_sigqueueinfo\0rt_sigsuspend\0sigaltstack\0"
	/* 132 */ "utime\0mknod\0uselib\0personality\0ustat\0statfs\0fstatfs\0sysfs\0"
	/* 140 */ "getpriority\0setpriority\0sched_setparam\0sched_getparam\0"
	/* 144 */ "sched_setscheduler\0sched_getscheduler\0sched_get_priority_max\0"
	/* 147 */ "sched_get_priority_min\0sched_rr_get_interval\0mlock\0munlock\0mlockall\0"
	/* 152 */ "munlockall\0vhangup\0modify_ldt\0pivot_root\0_sysctl\0prctl\0arch_prctl\0"
	/* 159 */ "adjtimex\0setrlimit\0chroot\0sync\0acct\0settimeofday\0mount\0umount2\0"
	/* 167 */ "swapon\0swapoff\0reboot\0sethostname\0setdomainname\0iopl\0ioperm\0"
	/* 174 */ "create_module\0init_module\0delete_module\0get_kernel_syms\0query_module\0"
	/* 179 */ "quotactl\0nfsservctl\0getpmsg\0putpmsg\0afs_syscall\0tuxcall\0security\0"
	/* 186 */ "gettid\0readahead\0setxattr\0lsetxattr\0fsetxattr\0getxattr\0lgetxattr\0"
	/* 193 */ "fgetxattr\0listxattr\0llistxattr\0flistxattr\0removexattr\0lremovexattr\0"
	/* 199 */ "fremovexattr\0tkill\0time\0futex\0sched_setaffinity\0sched_getaffinity\0"
	/* 205 */ "set_thread_area\0io_setup\0io_destroy\0io_getevents\0io_submit\0io_cancel\0"
	/* 211 */ "get_thread_area\0lookup_dcookie\0epoll_create\0epoll_ctl_old\0"
	/* 215 */ "epoll_wait_old\0remap_file_pages\0getdents64\0set_tid_address\0"
	/* 219 */ "restart_syscall\0semtimedop\0fadvise64\0timer_create\0timer_settime\0"
	/* 224 */ "timer_gettime\0timer_getoverrun\0timer_delete\0clock_settime\0clock_gettime\0"
	/* 229 */ "clock_getres\0clock_nanosleep\0exit_group\0epoll_wait\0epoll_ctl\0tgkill\0"
	/* 235 */ "utimes\0vserver\0mbind\0set_mempolicy\0get_mempolicy\0mq_open\0mq_unlink\0"
	/* 242 */ "mq_timedsend\0mq_timedreceive\0mq_notify\0mq_getsetattr\0kexec_load\0waitid\0"
	/* 248 */ "add_key\0request_key\0keyctl\0ioprio_set\0ioprio_get\0inotify_init\0"
	/* 254 */ "inotify_add_watch\0inotify_rm_watch\0migrate_pages\0openat\0mkdirat\0"
	/* 259 */ "mknodat\0fchownat\0futimesat\0newfstatat\0unlinkat\0renameat\0linkat\0"
	/* 266 */ "symlinkat\0readlinkat\0fchmodat\0faccessat\0pselect6\0ppoll\0unshare\0"
	/* 273 */ "set_robust_list\0get_robust_list\0splice\0tee\0sync_file_range\0vmsplice\0"
	/* 279 */ "move_pages\0utimensat\0epoll_pwait\0signalfd\0timerfd_create\0eventfd\0"
	/* 285 */ "fallocate\0timerfd_settime\0timerfd_gettime\0accept4\0signalfd4\0eventfd2\0"
	/* 291 */ "epoll_create1\0dup3\0pipe2\0inotify_init1\0preadv\0pwritev\0"
	/* 297 */ "rt_tgsigqueueinfo\0perf_event_open\0recvmmsg\0fanotify_init\0fanotify_mark\0"
	/* 302 */ "prlimit64\0name_to_handle_at\0open_by_handle_at\0clock_adjtime\0syncfs\0"
	/* 307 */ "sendmmsg\0setns\0getcpu\0process_vm_readv\0process_vm_writev\0kcmp\0"
	/* 313 */ "finit_module\0sched_setattr\0sched_getattr\0renameat2\0seccomp\0getrandom\0"
	/* 319 */ "memfd_create\0kexec_file_load\0bpf\0execveat\0userfaultfd\0membarrier\0"
	/* 325 */ "mlock2\0copy_file_range\0preadv2\0pwritev2\0pkey_mprotect\0pkey_alloc\0"
	/* 331 */ "pkey_free\0statx\0io_pgetevents\0rseq\0uretprobe\0uprobe\0";

static const char i386[] =
	/*   0 */
	"restart_syscall\0exit\0fork\0read\0write\0open\0close\0waitpid\0creat\0link\0"
	/*  10 */ "unlink\0execve\0chdir\0time\0mknod\0chmod\0lchown\0break\0oldstat\0lseek\0"
	/*  20 */ "getpid\0mount\0umount\0setuid\0getuid\0stime\0ptrace\0alarm\0oldfstat\0"
	/*  29 */ "pause\0utime\0stty\0gtty\0access\0nice\0ftime\0sync\0kill\0rename\0mkdir\0"
	/*  40 */ "rmdir\0dup\0pipe\0times\0prof\0brk\0setgid\0getgid\0signal\0geteuid\0"
	/*  50 */ "getegid\0acct\0umount2\0lock\0ioctl\0fcntl\0mpx\0setpgid\0ulimit\0"
	/*  59 */ "oldolduname\0umask\0chroot\0ustat\0dup2\0getppid\0getpgrp\0setsid\0"
	/*  67 */ "sigaction\0sgetmask\0ssetmask\0setreuid\0setregid\0sigsuspend\0sigpending\0"
	/*  74 */ "sethostname\0setrlimit\0getrlimit\0getrusage\0gettimeofday\0settimeofday\0"
	/*  80 */ "getgroups\0setgroups\0select\0symlink\0oldlstat\0readlink\0uselib\0swapon\0"
	/*  88 */ "reboot\0readdir\0mmap\0munmap\0truncate\0ftruncate\0fchmod\0fchown\0"
	/*  96 */ "getpriority\0setpriority\0profil\0statfs\0fstatfs\0ioperm\0socketcall\0"
	/* 103 */ "syslog\0setitimer\0getitimer\0stat\0lstat\0fstat\0olduname\0iopl\0vhangup\0"
	/* 112 */ "idle\0vm86old\0wait4\0swapoff\0sysinfo\0ipc\0fsync\0sigreturn\0clone\0"
	/* 121 */ "setdomainname\0uname\0modify_ldt\0adjtimex\0mprotect\0sigprocmask\0"
	/* 127 */ "create_module\0init_module\0delete_module\0get_kernel_syms\0quotactl\0"
	/* 132 */ "getpgid\0fchdir\0bdflush\0sysfs\0personality\0afs_syscall\0setfsuid\0"
	/* 139 */ "setfsgid\0_llseek\0getdents\0_newselect\0flock\0msync\0readv\0writev\0"
	/* 147 */ "getsid\0fdatasync\0_sysctl\0mlock\0munlock\0mlockall\0munlockall\0"
	/* 154 */ "sched_setparam\0sched_getparam\0sched_setscheduler\0sched_getscheduler\0"
	/* 158 */ "sched_yield\0sched_get_priority_max\0sched_get_priority_min\0"
	/* 161 */ "sched_rr_get_interval\0nanosleep\0mremap\0setresuid\0getresuid\0vm86\0"
	/* 167 */ "query_module\0poll\0nfsservctl\0setresgid\0getresgid\0prctl\0rt_sigreturn\0"
	/* 174 */ "rt_sigaction\0rt_sigprocmask\0rt_sigpending\0rt_sigtimedwait\0"
	/* 178 */ "rt_sigqueueinfo\0rt_sigsuspend\0pread64\0pwrite64\0chown\0getcwd\0capget\0"
	/* 185 */ "capset\0sigaltstack\0sendfile\0getpmsg\0putpmsg\0vfork\0ugetrlimit\0mmap2\0"
	/* 193 */ "truncate64\0ftruncate64\0stat64\0lstat64\0fstat64\0lchown32\0getuid32\0"
	/* 200 */ "getgid32\0geteuid32\0getegid32\0setreuid32\0setregid32\0getgroups32\0"
	/* 206 */ "setgroups32\0fchown32\0setresuid32\0getresuid32\0setresgid32\0getresgid32\0"
	/* 212 */ "chown32\0setuid32\0setgid32\0setfsuid32\0setfsgid32\0pivot_root\0mincore\0"
	/* 219 */ "madvise\0getdents64\0fcntl64\0\0\0gettid\0readahead\0setxattr\0lsetxattr\0"
	/* 228 */ "fsetxattr\0getxattr\0lgetxattr\0fgetxattr\0listxattr\0llistxattr\0"
	/* 234 */ "flistxattr\0removexattr\0lremovexattr\0fremovexattr\0tkill\0sendfile64\0"
	/* 240 */ "futex\0sched_setaffinity\0sched_getaffinity\0set_thread_area\0"
	/* 244 */ "get_thread_area\0io_setup\0io_destroy\0io_getevents\0io_submit\0io_cancel\0"
	/* 250 */ "fadvise64\0\0exit_group\0lookup_dcookie\0epoll_create\0epoll_ctl\0"
	/* 256 */ "epoll_wait\0remap_file_pages\0set_tid_address\0timer_create\0timer_settime\0"
	/* 261 */ "timer_gettime\0timer_getoverrun\0timer_delete\0clock_settime\0clock_gettime\0"
	/* 266 */ "clock_getres\0clock_nanosleep\0statfs64\0fstatfs64\0tgkill\0utimes\0"
	/* 272 */ "fadvise64_64\0vserver\0mbind\0get_mempolicy\0set_mempolicy\0mq_open\0"
	/* 278 */ "mq_unlink\0mq_timedsend\0mq_timedreceive\0mq_notify\0mq_getsetattr\0"
	/* 283 */ "kexec_load\0waitid\0\0add_key\0request_key\0keyctl\0ioprio_set\0ioprio_get\0"
	/* 291 */ "inotify_init\0inotify_add_watch\0inotify_rm_watch\0migrate_pages\0openat\0"
	/* 296 */ "mkdirat\0mknodat\0fchownat\0futimesat\0fstatat64\0unlinkat\0renameat\0"
	/* 303 */ "linkat\0symlinkat\0readlinkat\0fchmodat\0faccessat\0pselect6\0ppoll\0"
	/* 310 */ "unshare\0set_robust_list\0get_robust_list\0splice\0sync_file_range\0tee\0"
	/* 316 */ "vmsplice\0move_pages\0getcpu\0epoll_pwait\0utimensat\0signalfd\0"
	/* 322 */ "timerfd_create\0eventfd\0fallocate\0timerfd_settime\0timerfd_gettime\0"
	/* 327 */ "signalfd4\0eventfd2\0epoll_create1\0dup3\0pipe2\0inotify_init1\0preadv\0"
	/* 334 */ "pwritev\0rt_tgsigqueueinfo\0perf_event_open\0recvmmsg\0fanotify_init\0"
	/* 339 */ "fanotify_mark\0prlimit64\0name_to_handle_at\0open_by_handle_at\0"
	/* 343 */ "clock_adjtime\0syncfs\0sendmmsg\0setns\0process_vm_readv\0process_vm_writev\0"
	/* 349 */ "kcmp\0finit_module\0sched_setattr\0sched_getattr\0renameat2\0seccomp\0"
	/* 355 */ "getrandom\0memfd_create\0bpf\0execveat\0socket\0socketpair\0bind\0connect\0"
	/* 363 */ "listen\0accept4\0getsockopt\0setsockopt\0getsockname\0getpeername\0sendto\0"
	/* 370 */ "sendmsg\0recvfrom\0recvmsg\0shutdown\0userfaultfd\0membarrier\0mlock2\0"
	/* 377 */ "copy_file_range\0preadv2\0pwritev2\0pkey_mprotect\0pkey_alloc\0pkey_free\0"
	/* 383 */ "statx\0arch_prctl\0io_pgetevents\0rseq\0\0\0\0\0\0\0semget\0semctl\0shmget\0"
	/* 396 */ "shmctl\0shmat\0shmdt\0msgget\0msgsnd\0msgrcv\0msgctl\0clock_gettime64\0"
	/* 404 */ "clock_settime64\0clock_adjtime64\0clock_getres_time64\0"
	/* 407 */ "clock_nanosleep_time64\0timer_gettime64\0timer_settime64\0timerfd_gettime64\0"
	/* 411 */ "timerfd_settime64\0utimensat_time64\0pselect6_time64\0ppoll_time64\0\0"
	/* 416 */ "io_pgetevents_time64\0recvmmsg_time64\0mq_timedsend_time64\0"
	/* 419 */ "mq_timedreceive_time64\0semtimedop_time64\0rt_sigtimedwait_time64\0"
	/* 422 */ "futex_time64\0sched_rr_get_interval_time64\0";

static const char aarch64[] =
	/*   0 */
	"io_setup\0io_destroy\0io_submit\0io_cancel\0io_getevents\0setxattr\0"
	/*   6 */ "lsetxattr\0fsetxattr\0getxattr\0lgetxattr\0fgetxattr\0listxattr\0llistxattr\0"
	/*  13 */ "flistxattr\0removexattr\0lremovexattr\0fremovexattr\0getcwd\0lookup_dcookie\0"
	/*  19 */ "eventfd2\0epoll_create1\0epoll_ctl\0epoll_pwait\0dup\0dup3\0fcntl\0"
	/*  26 */ "inotify_init1\0inotify_add_watch\0inotify_rm_watch\0ioctl\0ioprio_set\0"
	/*  31 */ "ioprio_get\0flock\0mknodat\0mkdirat\0unlinkat\0symlinkat\0linkat\0renameat\0"
	/*  39 */ "umount2\0mount\0pivot_root\0nfsservctl\0statfs\0fstatfs\0truncate\0"
	/*  46 */ "ftruncate\0fallocate\0faccessat\0chdir\0fchdir\0chroot\0fchmod\0fchmodat\0"
	/*  54 */ "fchownat\0fchown\0openat\0close\0vhangup\0pipe2\0quotactl\0getdents64\0"
	/*  62 */ "lseek\0read\0write\0readv\0writev\0pread64\0pwrite64\0preadv\0pwritev\0"
	/*  71 */ "sendfile\0pselect6\0ppoll\0signalfd4\0vmsplice\0splice\0tee\0readlinkat\0"
	/*  79 */ "newfstatat\0fstat\0sync\0fsync\0fdatasync\0sync_file_range\0timerfd_create\0"
	/*  86 */ "timerfd_settime\0timerfd_gettime\0utimensat\0acct\0capget\0capset\0"
	/*  92 */ "personality\0exit\0exit_group\0waitid\0set_tid_address\0unshare\0futex\0"
	/*  99 */ "set_robust_list\0get_robust_list\0nanosleep\0getitimer\0setitimer\0"
	/* 104 */ "kexec_load\0init_module\0delete_module\0timer_create\0timer_gettime\0"
	/* 109 */ "timer_getoverrun\0timer_settime\0timer_delete\0clock_settime\0clock_gettime\0"
	/* 114 */ "clock_getres\0clock_nanosleep\0syslog\0ptrace\0sched_setparam\0"
	/* 119 */ "sched_setscheduler\0sched_getscheduler\0sched_getparam\0sched_setaffinity\0"
	/* 123 */ "sched_getaffinity\0sched_yield\0sched_get_priority_max\0"
	/* 126 */ "sched_get_priority_min\0sched_rr_get_interval\0restart_syscall\0kill\0tkill\0"
	/* 131 */ "tgkill\0sigaltstack\0rt_sigsuspend\0rt_sigaction\0rt_sigprocmask\0"
	/* 136 */ "rt_sigpending\0rt_sigtimedwait\0rt_sigqueueinfo\0rt_sigreturn\0setpriority\0"
	/* 141 */ "getpriority\0reboot\0setregid\0setgid\0setreuid\0setuid\0setresuid\0"
	/* 148 */ "getresuid\0setresgid\0getresgid\0setfsuid\0setfsgid\0times\0setpgid\0"
	/* 155 */ "getpgid\0getsid\0setsid\0getgroups\0setgroups\0uname\0sethostname\0"
	/* 162 */ "setdomainname\0getrlimit\0setrlimit\0getrusage\0umask\0prctl\0getcpu\0"
	/* 169 */ "gettimeofday\0settimeofday\0adjtimex\0getpid\0getppid\0getuid\0geteuid\0"
	/* 176 */ "getgid\0getegid\0gettid\0sysinfo\0mq_open\0mq_unlink\0mq_timedsend\0"
	/* 183 */ "mq_timedreceive\0mq_notify\0mq_getsetattr\0msgget\0msgctl\0msgrcv\0msgsnd\0"
	/* 190 */ "semget\0semctl\0semtimedop\0semop\0shmget\0shmctl\0shmat\0shmdt\0socket\0"
	/* 199 */ "socketpair\0bind\0listen\0accept\0connect\0getsockname\0getpeername\0sendto\0"
	/* 207 */ "recvfrom\0setsockopt\0getsockopt\0shutdown\0sendmsg\0recvmsg\0readahead\0"
	/* 214 */ "brk\0munmap\0mremap\0add_key\0request_key\0keyctl\0clone\0execve\0mmap\0"
	/* 223 */ "fadvise64\0swapon\0swapoff\0mprotect\0msync\0mlock\0munlock\0mlockall\0"
	/* 231 */ "munlockall\0mincore\0madvise\0remap_file_pages\0mbind\0get_mempolicy\0"
	/* 237 */ "set_mempolicy\0migrate_pages\0move_pages\0rt_tgsigqueueinfo\0"
	/* 241 */ "perf_event_open\0accept4\0recvmmsg\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0wait4\0"
	/* 261 */ "prlimit64\0fanotify_init\0fanotify_mark\0name_to_handle_at\0"
	/* 265 */ "open_by_handle_at\0clock_adjtime\0syncfs\0setns\0sendmmsg\0process_vm_readv\0"
	/* 271 */ "process_vm_writev\0kcmp\0finit_module\0sched_setattr\0sched_getattr\0"
	/* 276 */ "renameat2\0seccomp\0getrandom\0memfd_create\0bpf\0execveat\0userfaultfd\0"
	/* 283 */ "membarrier\0mlock2\0copy_file_range\0preadv2\0pwritev2\0pkey_mprotect\0"
	/* 289 */ "pkey_alloc\0pkey_free\0statx\0io_pgetevents\0rseq\0kexec_file_load\0";

static const char arm[] =
	/*   0 */
	"restart_syscall\0exit\0fork\0read\0write\0open\0close\0\0creat\0link\0"
	/*  10 */ "unlink\0execve\0chdir\0\0mknod\0chmod\0lchown\0\0\0lseek\0getpid\0mount\0\0"
	/*  23 */ "setuid\0getuid\0\0ptrace\0\0\0pause\0\0\0\0access\0nice\0\0sync\0kill\0"
	/*  38 */ "rename\0mkdir\0rmdir\0dup\0pipe\0times\0\0brk\0setgid\0getgid\0\0geteuid\0"
	/*  50 */ "getegid\0acct\0umount2\0\0ioctl\0fcntl\0\0setpgid\0\0\0umask\0chroot\0ustat\0"
	/*  63 */ "dup2\0getppid\0getpgrp\0setsid\0sigaction\0\0\0setreuid\0setregid\0"
	/*  72 */ "sigsuspend\0sigpending\0sethostname\0setrlimit\0\0getrusage\0gettimeofday\0"
	/*  79 */ "settimeofday\0getgroups\0setgroups\0\0symlink\0\0readlink\0uselib\0swapon\0"
	/*  88 */ "reboot\0\0\0munmap\0truncate\0ftruncate\0fchmod\0fchown\0getpriority\0"
	/*  97 */ "setpriority\0\0statfs\0fstatfs\0\0\0syslog\0setitimer\0getitimer\0stat\0"
	/* 107 */ "lstat\0fstat\0\0\0vhangup\0\0\0wait4\0swapoff\0sysinfo\0\0fsync\0sigreturn\0"
	/* 120 */ "clone\0setdomainname\0uname\0\0adjtimex\0mprotect\0sigprocmask\0\0"
	/* 128 */ "init_module\0delete_module\0\0quotactl\0getpgid\0fchdir\0bdflush\0sysfs\0"
	/* 136 */ "personality\0\0setfsuid\0setfsgid\0_llseek\0getdents\0_newselect\0flock\0"
	/* 144 */ "msync\0readv\0writev\0getsid\0fdatasync\0_sysctl\0mlock\0munlock\0mlockall\0"
	/* 153 */ "munlockall\0sched_setparam\0sched_getparam\0sched_setscheduler\0"
	/* 157 */ "sched_getscheduler\0sched_yield\0sched_get_priority_max\0"
	/* 160 */ "sched_get_priority_min\0sched_rr_get_interval\0nanosleep\0mremap\0setresuid\0"
	/* 165 */ "getresuid\0\0\0poll\0nfsservctl\0setresgid\0getresgid\0prctl\0rt_sigreturn\0"
	/* 174 */ "rt_sigaction\0rt_sigprocmask\0rt_sigpending\0rt_sigtimedwait\0"
	/* 178 */ "rt_sigqueueinfo\0rt_sigsuspend\0pread64\0pwrite64\0chown\0getcwd\0capget\0"
	/* 185 */ "capset\0sigaltstack\0sendfile\0\0\0vfork\0ugetrlimit\0mmap2\0truncate64\0"
	/* 194 */ "ftruncate64\0stat64\0lstat64\0fstat64\0lchown32\0getuid32\0getgid32\0"
	/* 201 */ "geteuid32\0getegid32\0setreuid32\0setregid32\0getgroups32\0setgroups32\0"
	/* 207 */ "fchown32\0setresuid32\0getresuid32\0setresgid32\0getresgid32\0chown32\0"
	/* 213 */ "setuid32\0setgid32\0setfsuid32\0setfsgid32\0getdents64\0pivot_root\0mincore\0"
	/* 220 */ "madvise\0fcntl64\0\0\0gettid\0readahead\0setxattr\0lsetxattr\0fsetxattr\0"
	/* 229 */ "getxattr\0lgetxattr\0fgetxattr\0listxattr\0llistxattr\0flistxattr\0"
	/* 235 */ "removexattr\0lremovexattr\0fremovexattr\0tkill\0sendfile64\0futex\0"
	/* 241 */ "sched_setaffinity\0sched_getaffinity\0io_setup\0io_destroy\0io_getevents\0"
	/* 246 */ "io_submit\0io_cancel\0exit_group\0lookup_dcookie\0epoll_create\0epoll_ctl\0"
	/* 252 */ "epoll_wait\0remap_file_pages\0\0\0set_tid_address\0timer_create\0"
	/* 258 */ "timer_settime\0timer_gettime\0timer_getoverrun\0timer_delete\0clock_settime\0"
	/* 263 */ "clock_gettime\0clock_getres\0clock_nanosleep\0statfs64\0fstatfs64\0tgkill\0"
	/* 269 */ "utimes\0arm_fadvise64_64\0pciconfig_iobase\0pciconfig_read\0pciconfig_write\0"
	/* 274 */ "mq_open\0mq_unlink\0mq_timedsend\0mq_timedreceive\0mq_notify\0mq_getsetattr\0"
	/* 280 */ "waitid\0socket\0bind\0connect\0listen\0accept\0getsockname\0getpeername\0"
	/* 288 */ "socketpair\0send\0sendto\0recv\0recvfrom\0shutdown\0setsockopt\0getsockopt\0"
	/* 296 */ "sendmsg\0recvmsg\0semop\0semget\0semctl\0msgsnd\0msgrcv\0msgget\0msgctl\0"
	/* 305 */ "shmat\0shmdt\0shmget\0shmctl\0add_key\0request_key\0keyctl\0semtimedop\0"
	/* 313 */ "vserver\0ioprio_set\0ioprio_get\0inotify_init\0inotify_add_watch\0"
	/* 318 */ "inotify_rm_watch\0mbind\0get_mempolicy\0set_mempolicy\0openat\0mkdirat\0"
	/* 324 */ "mknodat\0fchownat\0futimesat\0fstatat64\0unlinkat\0renameat\0linkat\0"
	/* 331 */ "symlinkat\0readlinkat\0fchmodat\0faccessat\0pselect6\0ppoll\0unshare\0"
	/* 338 */ "set_robust_list\0get_robust_list\0splice\0arm_sync_file_range\0tee\0"
	/* 343 */ "vmsplice\0move_pages\0getcpu\0epoll_pwait\0kexec_load\0utimensat\0signalfd\0"
	/* 350 */ "timerfd_create\0eventfd\0fallocate\0timerfd_settime\0timerfd_gettime\0"
	/* 355 */ "signalfd4\0eventfd2\0epoll_create1\0dup3\0pipe2\0inotify_init1\0preadv\0"
	/* 362 */ "pwritev\0rt_tgsigqueueinfo\0perf_event_open\0recvmmsg\0accept4\0"
	/* 367 */ "fanotify_init\0fanotify_mark\0prlimit64\0name_to_handle_at\0"
	/* 371 */ "open_by_handle_at\0clock_adjtime\0syncfs\0sendmmsg\0setns\0process_vm_readv\0"
	/* 377 */ "process_vm_writev\0kcmp\0finit_module\0sched_setattr\0sched_getattr\0"
	/* 382 */ "renameat2\0seccomp\0getrandom\0memfd_create\0bpf\0execveat\0userfaultfd\0"
	/* 389 */ "membarrier\0mlock2\0copy_file_range\0preadv2\0pwritev2\0pkey_mprotect\0"
	/* 395 */ "pkey_alloc\0pkey_free\0statx\0rseq\0io_pgetevents\0migrate_pages\0"
	/* 401 */ "kexec_file_load\0\0clock_gettime64\0clock_settime64\0clock_adjtime64\0"
	/* 406 */ "clock_getres_time64\0clock_nanosleep_time64\0timer_gettime64\0"
	/* 409 */ "timer_settime64\0timerfd_gettime64\0timerfd_settime64\0utimensat_time64\0"
	/* 413 */ "pselect6_time64\0ppoll_time64\0\0io_pgetevents_time64\0recvmmsg_time64\0"
	/* 418 */ "mq_timedsend_time64\0mq_timedreceive_time64\0semtimedop_time64\0"
	/* 421 */ "rt_sigtimedwait_time64\0futex_time64\0sched_rr_get_interval_time64\0";

static const char common[] =
	/* 424 */
	"pidfd_send_signal\0io_uring_setup\0io_uring_enter\0io_uring_register\0"
	/* 428 */ "open_tree\0move_mount\0fsopen\0fsconfig\0fsmount\0fspick\0pidfd_open\0"
	/* 435 */ "clone3\0close_range\0openat2\0pidfd_getfd\0faccessat2\0process_madvise\0"
	/* 441 */ "epoll_pwait2\0mount_setattr\0quotactl_fd\0landlock_create_ruleset\0"
	/* 445 */ "landlock_add_rule\0landlock_restrict_self\0memfd_secret\0process_mrelease\0"
	/* 449 */ "futex_waitv\0set_mempolicy_home_node\0cachestat\0fchmodat2\0"
	/* 453 */ "map_shadow_stack\0futex_wake\0futex_wait\0futex_requeue\0statmount\0"
	/* 458 */ "listmount\0lsm_get_self_attr\0lsm_set_self_attr\0lsm_list_modules\0mseal\0"
	/* 463 */ "setxattrat\0getxattrat\0listxattrat\0removexattrat\0open_tree_attr\0"
	/* 468 */ "file_getattr\0file_setattr\0listns\0";

#define COMMON_FIRST 424u
#define X32_BIT	     0x40000000u /* set in numbers of x32 calls */

struct names {
	const char *text;
	size_t size;
};

static const struct names tables[PK_ABIS] = {
	[PK_ABI_X86_64] = {x86_64, sizeof(x86_64)},
	[PK_ABI_I386] = {i386, sizeof(i386)},
	[PK_ABI_AARCH64] = {aarch64, sizeof(aarch64)},
	[PK_ABI_ARM] = {arm, sizeof(arm)},
};
static const struct names since_5_1 = {common, sizeof(common)};

enum pk_abi pk_abi_of(uint32_t e_machine, bool is_32bit)
{
	switch (e_machine) {
	case EM_X86_64: return is_32bit ? PK_ABI_I386 : PK_ABI_X86_64;
	case EM_386: return PK_ABI_I386;
	case EM_AARCH64: return is_32bit ? PK_ABI_ARM : PK_ABI_AARCH64;
	case EM_ARM: return PK_ABI_ARM;
	default: return PK_ABI_UNKNOWN;
	}
}

static const char *name_at(const struct names *names, uint64_t index)
{
	const char *at = names->text, *const end = names->text + names->size - 1;

	for (; index && at < end; index--)
		at += strlen(at) + 1;
	return at < end && *at ? at : NULL;
}

const char *pk_syscall_name(enum pk_abi abi, uint64_t number)
{
	if (abi == PK_ABI_UNKNOWN)
		return NULL;
	if (abi == PK_ABI_X86_64)
		number &= ~(uint64_t)X32_BIT;
	return number < COMMON_FIRST ? name_at(&tables[abi], number)
				     : name_at(&since_5_1, number - COMMON_FIRST);
}
