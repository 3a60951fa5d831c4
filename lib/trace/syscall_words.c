// SPDX-License-Identifier: BSD-2-Clause
#include <stddef.h>
#include <string.h>

#include "syscall_words.h"

/* A word for a value of Linux. The values are written as numbers, because the headers of the
 * machine that compiles this file can have other values. */
struct word {
	uint64_t value;
	const char *name;
};

/* The words of one kind, and how they are printed. */
struct pk_syscall_words {
	const char *kind;
	enum { CONSTANTS, FLAGS, FUNCTION } type;
	union {
		const struct word *words; /* the last one has the name NULL */
		void (*print)(struct buffer *out, enum pk_abi abi, uint64_t value);
	};
};

static void add_hex(struct buffer *out, uint64_t value)
{
	buffer_text(out, "0x");
	buffer_hex(out, value, 0);
}

/* Appends the names of the set flags, in the order of the words. Bits without a name are appended
 * as a number. `first` says that a "|" is needed before the first name. */
static void add_flags(struct buffer *out, const struct word *words, uint64_t value, bool first)
{
	for (; words->name; words++) {
		if ((value & words->value) != words->value)
			continue;
		if (first)
			buffer_char(out, '|');
		first = true;
		buffer_text(out, words->name);
		value &= ~words->value;
	}
	if (!value)
		return;
	if (first)
		buffer_char(out, '|');
	add_hex(out, value);
}

static const char *constant_name(const struct word *words, uint64_t value)
{
	while (words->name && words->value != value)
		words++;
	return words->name;
}

/* ---- Files ---- */

#define ACCESS_MODE 3u

/* The values of four flags of open(2) differ between x86 and arm. */
static const struct word open_x86[] = {{02, "RDWR"},	       {02000, "APPEND"},
				       {020000, "ASYNC"},      {02000000, "CLOEXEC"},
				       {0100, "CREAT"},	       {040000, "DIRECT"},
				       {0200000, "DIRECTORY"}, {0200, "EXCL"},
				       {0100000, "LARGEFILE"}, {0400000, "NOFOLLOW"},
				       {020000000, "TMPFILE"}, {01000000, "NOATIME"},
				       {0400, "NOCTTY"},       {04000, "NONBLOCK"},
				       {010000000, "PATH"},    {04010000, "SYNC"},
				       {010000, "DSYNC"},      {01000, "TRUNC"},
				       {01, "WRONLY"},	       {0}};
static const struct word open_arm[] = {{02, "RDWR"},	       {02000, "APPEND"},
				       {020000, "ASYNC"},      {02000000, "CLOEXEC"},
				       {0100, "CREAT"},	       {0200000, "DIRECT"},
				       {040000, "DIRECTORY"},  {0200, "EXCL"},
				       {0400000, "LARGEFILE"}, {0100000, "NOFOLLOW"},
				       {020000000, "TMPFILE"}, {01000000, "NOATIME"},
				       {0400, "NOCTTY"},       {04000, "NONBLOCK"},
				       {010000000, "PATH"},    {04010000, "SYNC"},
				       {010000, "DSYNC"},      {01000, "TRUNC"},
				       {01, "WRONLY"},	       {0}};

static const struct word *open_words(enum pk_abi abi)
{
	return abi == PK_ABI_AARCH64 || abi == PK_ABI_ARM ? open_arm : open_x86;
}

static void print_open(struct buffer *out, enum pk_abi abi, uint64_t value)
{
	const bool reads = !(value & ACCESS_MODE);

	if (reads)
		buffer_text(out, "RDONLY");
	add_flags(out, open_words(abi), value, reads);
}

/* Prints flags of open(2) for a call that opens no file, such as pipe2(2). */
static void print_fd_flags(struct buffer *out, enum pk_abi abi, uint64_t value)
{
	add_flags(out, open_words(abi), value, false);
}

#define AT_CWD -100

static void print_at(struct buffer *out, enum pk_abi abi, uint64_t value)
{
	(void)abi;
	if ((int32_t)value == AT_CWD)
		buffer_text(out, "CWD");
	else
		buffer_signed(out, (int32_t)value, 0);
}

static void print_access(struct buffer *out, enum pk_abi abi, uint64_t value)
{
	static const char letters[] = "XWR";

	(void)abi;
	for (int bit = 2; bit >= 0; bit--)
		if (value & 1u << bit)
			buffer_char(out, letters[bit]);
	if (value & ~UINT64_C(7))
		add_hex(out, value & ~UINT64_C(7));
	else if (!value)
		buffer_char(out, 'F');
}

static const struct word modes[] = {{07777, "IALLUGO"},
				    {0777, "IRWXUGO"},
				    {0444, "IRUGO"},
				    {0222, "IWUGO"},
				    {0111, "IXUGO"},
				    {0170000, "IFMT"},
				    {0140000, "IFSOCK"},
				    {0120000, "IFLNK"},
				    {0100000, "IFREG"},
				    {060000, "IFBLK"},
				    {040000, "IFDIR"},
				    {020000, "IFCHR"},
				    {010000, "IFIFO"},
				    {04000, "ISUID"},
				    {02000, "ISGID"},
				    {01000, "ISVTX"},
				    {0700, "IRWXU"},
				    {0400, "IRUSR"},
				    {0200, "IWUSR"},
				    {0100, "IXUSR"},
				    {070, "IRWXG"},
				    {040, "IRGRP"},
				    {020, "IWGRP"},
				    {010, "IXGRP"},
				    {07, "IRWXO"},
				    {04, "IROTH"},
				    {02, "IWOTH"},
				    {01, "IXOTH"},
				    {0}};
static const struct word at_flags[] = {
	{0x100, "SYMLINK_NOFOLLOW"}, {0x200, "EACCESS"},     {0x400, "SYMLINK_FOLLOW"},
	{0x800, "NO_AUTOMOUNT"},     {0x1000, "EMPTY_PATH"}, {0x2000, "STATX_FORCE_SYNC"},
	{0x4000, "STATX_DONT_SYNC"}, {0x8000, "RECURSIVE"},  {0}};
static const struct word unlink_flags[] = {{0x200, "REMOVEDIR"}, {0}};
static const struct word statx_mask[] = {
	{0x7ff, "BASIC_STATS"}, {0x1, "TYPE"},	    {0x2, "MODE"},	  {0x4, "NLINK"},
	{0x8, "UID"},		{0x10, "GID"},	    {0x20, "ATIME"},	  {0x40, "MTIME"},
	{0x80, "CTIME"},	{0x100, "INO"},	    {0x200, "SIZE"},	  {0x400, "BLOCKS"},
	{0x800, "BTIME"},	{0x1000, "MNT_ID"}, {0x2000, "DIOALIGN"}, {0}};
static const struct word whences[] = {{0, "SET"},  {1, "CUR"},	{2, "END"},
				      {3, "DATA"}, {4, "HOLE"}, {0}};
static const struct word locks[] = {{1, "SH"},	  {2, "EX"},	{4, "NB"},	{8, "UN"},
				    {32, "MAND"}, {64, "READ"}, {128, "WRITE"}, {0}};
static const struct word renames[] = {{1, "NOREPLACE"}, {2, "EXCHANGE"}, {4, "WHITEOUT"}, {0}};
static const struct word fallocates[] = {{1, "KEEP_SIZE"},	  {2, "PUNCH_HOLE"},
					 {4, "NO_HIDE_STALE"},	  {8, "COLLAPSE_RANGE"},
					 {0x10, "ZERO_RANGE"},	  {0x20, "INSERT_RANGE"},
					 {0x40, "UNSHARE_RANGE"}, {0}};
static const struct word fadvises[] = {{0, "NORMAL"},
				       {1, "RANDOM"},
				       {2, "SEQUENTIAL"},
				       {3, "WILLNEED"},
				       {4, "DONTNEED"},
				       {5, "NOREUSE"},
				       {0}};
static const struct word fcntls[] = {{0, "DUPFD"},
				     {1, "GETFD"},
				     {2, "SETFD"},
				     {3, "GETFL"},
				     {4, "SETFL"},
				     {5, "GETLK"},
				     {6, "SETLK"},
				     {7, "SETLKW"},
				     {8, "SETOWN"},
				     {9, "GETOWN"},
				     {10, "SETSIG"},
				     {11, "GETSIG"},
				     {12, "GETLK64"},
				     {13, "SETLK64"},
				     {14, "SETLKW64"},
				     {15, "SETOWN_EX"},
				     {16, "GETOWN_EX"},
				     {17, "GETOWNER_UIDS"},
				     {36, "OFD_GETLK"},
				     {37, "OFD_SETLK"},
				     {38, "OFD_SETLKW"},
				     {1024, "SETLEASE"},
				     {1025, "GETLEASE"},
				     {1026, "NOTIFY"},
				     {1029, "CANCELLK"},
				     {1030, "DUPFD_CLOEXEC"},
				     {1031, "SETPIPE_SZ"},
				     {1032, "GETPIPE_SZ"},
				     {1033, "ADD_SEALS"},
				     {1034, "GET_SEALS"},
				     {1035, "GET_RW_HINT"},
				     {1036, "SET_RW_HINT"},
				     {0}};
static const struct word ioctls[] = {{0x5401, "TCGETS"},     {0x5402, "TCSETS"},
				     {0x5403, "TCSETSW"},    {0x5404, "TCSETSF"},
				     {0x5405, "TCGETA"},     {0x5406, "TCSETA"},
				     {0x5407, "TCSETAW"},    {0x5408, "TCSETAF"},
				     {0x5409, "TCSBRK"},     {0x540a, "TCXONC"},
				     {0x540b, "TCFLSH"},     {0x540e, "TIOCSCTTY"},
				     {0x540f, "TIOCGPGRP"},  {0x5410, "TIOCSPGRP"},
				     {0x5411, "TIOCOUTQ"},   {0x5412, "TIOCSTI"},
				     {0x5413, "TIOCGWINSZ"}, {0x5414, "TIOCSWINSZ"},
				     {0x541b, "FIONREAD"},   {0x5421, "FIONBIO"},
				     {0x5422, "TIOCNOTTY"},  {0x5429, "TIOCGSID"},
				     {0x5450, "FIONCLEX"},   {0x5451, "FIOCLEX"},
				     {0x5452, "FIOASYNC"},   {0}};
static const struct word umounts[] = {
	{1, "FORCE"}, {2, "DETACH"}, {4, "EXPIRE"}, {8, "NOFOLLOW"}, {0}};
static const struct word mounts[] = {{1, "RDONLY"},
				     {2, "NOSUID"},
				     {4, "NODEV"},
				     {8, "NOEXEC"},
				     {16, "SYNCHRONOUS"},
				     {32, "REMOUNT"},
				     {64, "MANDLOCK"},
				     {128, "DIRSYNC"},
				     {1024, "NOATIME"},
				     {2048, "NODIRATIME"},
				     {4096, "BIND"},
				     {8192, "MOVE"},
				     {16384, "REC"},
				     {32768, "SILENT"},
				     {1 << 16, "POSIXACL"},
				     {1 << 17, "UNBINDABLE"},
				     {1 << 18, "PRIVATE"},
				     {1 << 19, "SLAVE"},
				     {1 << 20, "SHARED"},
				     {1 << 21, "RELATIME"},
				     {1 << 24, "STRICTATIME"},
				     {1 << 25, "LAZYTIME"},
				     {0}};

/* ---- Memory ---- */

static const struct word prots[] = {{1, "READ"},
				    {2, "WRITE"},
				    {4, "EXEC"},
				    {8, "SEM"},
				    {0x1000000, "GROWSDOWN"},
				    {0x2000000, "GROWSUP"},
				    {0}};
static const struct word maps[] = {{3, "SHARED_VALIDATE"},
				   {1, "SHARED"},
				   {2, "PRIVATE"},
				   {0x10, "FIXED"},
				   {0x20, "ANONYMOUS"},
				   {0x40, "32BIT"},
				   {0x100, "GROWSDOWN"},
				   {0x800, "DENYWRITE"},
				   {0x1000, "EXECUTABLE"},
				   {0x2000, "LOCKED"},
				   {0x4000, "NORESERVE"},
				   {0x8000, "POPULATE"},
				   {0x10000, "NONBLOCK"},
				   {0x20000, "STACK"},
				   {0x40000, "HUGETLB"},
				   {0x80000, "SYNC"},
				   {0x100000, "FIXED_NOREPLACE"},
				   {0}};
static const struct word mremaps[] = {{1, "MAYMOVE"}, {2, "FIXED"}, {4, "DONTUNMAP"}, {0}};
static const struct word madvises[] = {{0, "MADV_NORMAL"},	    {1, "MADV_RANDOM"},
				       {2, "MADV_SEQUENTIAL"},	    {3, "MADV_WILLNEED"},
				       {4, "MADV_DONTNEED"},	    {8, "MADV_FREE"},
				       {9, "MADV_REMOVE"},	    {10, "MADV_DONTFORK"},
				       {11, "MADV_DOFORK"},	    {12, "MADV_MERGEABLE"},
				       {13, "MADV_UNMERGEABLE"},    {14, "MADV_HUGEPAGE"},
				       {15, "MADV_NOHUGEPAGE"},	    {16, "MADV_DONTDUMP"},
				       {17, "MADV_DODUMP"},	    {18, "MADV_WIPEONFORK"},
				       {19, "MADV_KEEPONFORK"},	    {20, "MADV_COLD"},
				       {21, "MADV_PAGEOUT"},	    {22, "MADV_POPULATE_READ"},
				       {23, "MADV_POPULATE_WRITE"}, {24, "MADV_DONTNEED_LOCKED"},
				       {25, "MADV_COLLAPSE"},	    {100, "MADV_HWPOISON"},
				       {101, "MADV_SOFT_OFFLINE"},  {0}};
static const struct word msyncs[] = {{1, "ASYNC"}, {2, "INVALIDATE"}, {4, "SYNC"}, {0}};
static const struct word mlockalls[] = {{1, "CURRENT"}, {2, "FUTURE"}, {4, "ONFAULT"}, {0}};
static const struct word memfds[] = {{1, "CLOEXEC"},	 {2, "ALLOW_SEALING"}, {4, "HUGETLB"},
				     {8, "NOEXEC_SEAL"}, {16, "EXEC"},	       {0}};

/* ---- Tasks ---- */

static const struct word clones[] = {{0x100, "VM"},
				     {0x200, "FS"},
				     {0x400, "FILES"},
				     {0x800, "SIGHAND"},
				     {0x1000, "PIDFD"},
				     {0x2000, "PTRACE"},
				     {0x4000, "VFORK"},
				     {0x8000, "PARENT"},
				     {0x10000, "THREAD"},
				     {0x20000, "NEWNS"},
				     {0x40000, "SYSVSEM"},
				     {0x80000, "SETTLS"},
				     {0x100000, "PARENT_SETTID"},
				     {0x200000, "CHILD_CLEARTID"},
				     {0x400000, "DETACHED"},
				     {0x800000, "UNTRACED"},
				     {0x1000000, "CHILD_SETTID"},
				     {0x2000000, "NEWCGROUP"},
				     {0x4000000, "NEWUTS"},
				     {0x8000000, "NEWIPC"},
				     {0x10000000, "NEWUSER"},
				     {0x20000000, "NEWPID"},
				     {0x40000000, "NEWNET"},
				     {0x80000000, "IO"},
				     {0}};
static const struct word signals[] = {{1, "HUP"},   {2, "INT"},	    {3, "QUIT"},  {4, "ILL"},
				      {5, "TRAP"},  {6, "ABRT"},    {7, "BUS"},	  {8, "FPE"},
				      {9, "KILL"},  {10, "USR1"},   {11, "SEGV"}, {12, "USR2"},
				      {13, "PIPE"}, {14, "ALRM"},   {15, "TERM"}, {16, "STKFLT"},
				      {17, "CHLD"}, {18, "CONT"},   {19, "STOP"}, {20, "TSTP"},
				      {21, "TTIN"}, {22, "TTOU"},   {23, "URG"},  {24, "XCPU"},
				      {25, "XFSZ"}, {26, "VTALRM"}, {27, "PROF"}, {28, "WINCH"},
				      {29, "IO"},   {30, "PWR"},    {31, "SYS"},  {0}};
static const struct word sigmasks[] = {{0, "BLOCK"}, {1, "UNBLOCK"}, {2, "SETMASK"}, {0}};
static const struct word waits[] = {
	{1, "NOHANG"},	     {2, "UNTRACED"},	    {4, "EXITED"},
	{8, "CONTINUED"},    {0x1000000, "NOWAIT"}, {0x20000000, "NOTHREAD"},
	{0x40000000, "ALL"}, {0x80000000, "CLONE"}, {0}};
static const struct word idtypes[] = {{0, "ALL"}, {1, "PID"}, {2, "PGID"}, {3, "PIDFD"}, {0}};
static const struct word rlimits[] = {{0, "CPU"},
				      {1, "FSIZE"},
				      {2, "DATA"},
				      {3, "STACK"},
				      {4, "CORE"},
				      {5, "RSS"},
				      {6, "NPROC"},
				      {7, "NOFILE"},
				      {8, "MEMLOCK"},
				      {9, "AS"},
				      {10, "LOCKS"},
				      {11, "SIGPENDING"},
				      {12, "MSGQUEUE"},
				      {13, "NICE"},
				      {14, "RTPRIO"},
				      {15, "RTTIME"},
				      {0}};
static const struct word rusages[] = {
	{0, "SELF"}, {1, "THREAD"}, {UINT32_MAX, "CHILDREN"}, {UINT64_MAX, "CHILDREN"}, {0}};
static const struct word priorities[] = {{0, "PROCESS"}, {1, "PGRP"}, {2, "USER"}, {0}};
static const struct word prctls[] = {{1, "SET_PDEATHSIG"},
				     {2, "GET_PDEATHSIG"},
				     {3, "GET_DUMPABLE"},
				     {4, "SET_DUMPABLE"},
				     {7, "GET_KEEPCAPS"},
				     {8, "SET_KEEPCAPS"},
				     {13, "GET_TIMING"},
				     {14, "SET_TIMING"},
				     {15, "SET_NAME"},
				     {16, "GET_NAME"},
				     {21, "GET_SECCOMP"},
				     {22, "SET_SECCOMP"},
				     {23, "CAPBSET_READ"},
				     {24, "CAPBSET_DROP"},
				     {25, "GET_TSC"},
				     {26, "SET_TSC"},
				     {27, "GET_SECUREBITS"},
				     {28, "SET_SECUREBITS"},
				     {29, "SET_TIMERSLACK"},
				     {30, "GET_TIMERSLACK"},
				     {35, "SET_MM"},
				     {36, "SET_CHILD_SUBREAPER"},
				     {37, "GET_CHILD_SUBREAPER"},
				     {38, "SET_NO_NEW_PRIVS"},
				     {39, "GET_NO_NEW_PRIVS"},
				     {40, "GET_TID_ADDRESS"},
				     {41, "SET_THP_DISABLE"},
				     {42, "GET_THP_DISABLE"},
				     {47, "CAP_AMBIENT"},
				     {0x53564d41, "SET_VMA"},
				     {0}};
static const struct word arch_prctls[] = {{0x1001, "SET_GS"},	    {0x1002, "SET_FS"},
					  {0x1003, "GET_FS"},	    {0x1004, "GET_GS"},
					  {0x1011, "GET_CPUID"},    {0x1012, "SET_CPUID"},
					  {0x2001, "MAP_VDSO_X32"}, {0x2002, "MAP_VDSO_32"},
					  {0x2003, "MAP_VDSO_64"},  {0}};
static const struct word seccomps[] = {{0, "SET_MODE_STRICT"},
				       {1, "SET_MODE_FILTER"},
				       {2, "GET_ACTION_AVAIL"},
				       {3, "GET_NOTIF_SIZES"},
				       {0}};
static const struct word futexes[] = {{0, "WAIT"},
				      {1, "WAKE"},
				      {2, "FD"},
				      {3, "REQUEUE"},
				      {4, "CMP_REQUEUE"},
				      {5, "WAKE_OP"},
				      {6, "LOCK_PI"},
				      {7, "UNLOCK_PI"},
				      {8, "TRYLOCK_PI"},
				      {9, "WAIT_BITSET"},
				      {10, "WAKE_BITSET"},
				      {11, "WAIT_REQUEUE_PI"},
				      {12, "CMP_REQUEUE_PI"},
				      {13, "LOCK_PI2"},
				      {0}};

#define FUTEX_PRIVATE 128u
#define FUTEX_CLOCK   256u

static void print_futex(struct buffer *out, enum pk_abi abi, uint64_t value)
{
	static const struct word flags[] = {
		{FUTEX_PRIVATE, "PRIVATE_FLAG"}, {FUTEX_CLOCK, "CLOCK_REALTIME"}, {0}};
	const uint64_t command = (uint32_t)value & ~(FUTEX_PRIVATE | FUTEX_CLOCK);
	const char *name = constant_name(futexes, command);

	(void)abi;
	if (name)
		buffer_text(out, name);
	else
		add_hex(out, command);
	add_flags(out, flags, value & (FUTEX_PRIVATE | FUTEX_CLOCK), true);
}

static const struct word futex_bits[] = {{UINT32_MAX, "MATCH_ANY"}, {0}};

/* ---- Time ---- */

static const struct word clocks[] = {{0, "REALTIME"},
				     {1, "MONOTONIC"},
				     {2, "PROCESS_CPUTIME_ID"},
				     {3, "THREAD_CPUTIME_ID"},
				     {4, "MONOTONIC_RAW"},
				     {5, "REALTIME_COARSE"},
				     {6, "MONOTONIC_COARSE"},
				     {7, "BOOTTIME"},
				     {8, "REALTIME_ALARM"},
				     {9, "BOOTTIME_ALARM"},
				     {10, "SGI_CYCLE"},
				     {11, "TAI"},
				     {0}};
static const struct word timers[] = {{1, "ABSTIME"}, {0}};
static const struct word itimers[] = {{0, "REAL"}, {1, "VIRTUAL"}, {2, "PROF"}, {0}};

/* ---- Sockets and other kinds ---- */

static const struct word families[] = {{0, "UNSPEC"}, {1, "LOCAL"},	 {2, "INET"},
				       {3, "AX25"},   {4, "IPX"},	 {5, "APPLETALK"},
				       {8, "ATMPVC"}, {9, "X25"},	 {10, "INET6"},
				       {15, "KEY"},   {16, "NETLINK"},	 {17, "PACKET"},
				       {21, "RDS"},   {26, "LLC"},	 {29, "CAN"},
				       {30, "TIPC"},  {31, "BLUETOOTH"}, {38, "ALG"},
				       {40, "VSOCK"}, {44, "XDP"},	 {0}};
static const struct word socket_types[] = {
	{1, "STREAM"},	  {2, "DGRAM"}, {3, "RAW"},	{4, "RDM"},
	{5, "SEQPACKET"}, {6, "DCCP"},	{10, "PACKET"}, {0}};
static const struct word socket_flags[] = {{02000000, "CLOEXEC"}, {04000, "NONBLOCK"}, {0}};

static void print_socket_type(struct buffer *out, enum pk_abi abi, uint64_t value)
{
	const uint64_t type = value & 0xf;
	const char *name = constant_name(socket_types, type);

	(void)abi;
	if (name)
		buffer_text(out, name);
	else
		add_hex(out, type);
	add_flags(out, socket_flags, (uint32_t)value & ~UINT64_C(0xf), true);
}

static const struct word protocols[] = {
	{1, "ICMP"},   {2, "IGMP"},	 {6, "TCP"},   {17, "UDP"},    {41, "IPV6"}, {58, "ICMPV6"},
	{132, "SCTP"}, {136, "UDPLITE"}, {255, "RAW"}, {262, "MPTCP"}, {0}};
static const struct word messages[] = {{1, "OOB"},
				       {2, "PEEK"},
				       {4, "DONTROUTE"},
				       {8, "CTRUNC"},
				       {0x10, "PROBE"},
				       {0x20, "TRUNC"},
				       {0x40, "DONTWAIT"},
				       {0x80, "EOR"},
				       {0x100, "WAITALL"},
				       {0x200, "FIN"},
				       {0x400, "SYN"},
				       {0x800, "CONFIRM"},
				       {0x1000, "RST"},
				       {0x2000, "ERRQUEUE"},
				       {0x4000, "NOSIGNAL"},
				       {0x8000, "MORE"},
				       {0x10000, "WAITFORONE"},
				       {0x40000, "BATCH"},
				       {0x4000000, "ZEROCOPY"},
				       {0x20000000, "FASTOPEN"},
				       {0x40000000, "CMSG_CLOEXEC"},
				       {0}};
static const struct word shutdowns[] = {{0, "RD"}, {1, "WR"}, {2, "RDWR"}, {0}};
static const struct word epoll_ops[] = {{1, "ADD"}, {2, "DEL"}, {3, "MOD"}, {0}};
static const struct word eventfds[] = {
	{1, "SEMAPHORE"}, {02000000, "CLOEXEC"}, {04000, "NONBLOCK"}, {0}};
static const struct word randoms[] = {{1, "NONBLOCK"}, {2, "RANDOM"}, {4, "INSECURE"}, {0}};
static const struct word membarriers[] = {{0, "QUERY"},
					  {1, "GLOBAL"},
					  {2, "GLOBAL_EXPEDITED"},
					  {4, "REGISTER_GLOBAL_EXPEDITED"},
					  {8, "PRIVATE_EXPEDITED"},
					  {16, "REGISTER_PRIVATE_EXPEDITED"},
					  {32, "PRIVATE_EXPEDITED_SYNC_CORE"},
					  {64, "REGISTER_PRIVATE_EXPEDITED_SYNC_CORE"},
					  {128, "PRIVATE_EXPEDITED_RSEQ"},
					  {256, "REGISTER_PRIVATE_EXPEDITED_RSEQ"},
					  {0}};
static const struct word bpfs[] = {{0, "MAP_CREATE"},
				   {1, "MAP_LOOKUP_ELEM"},
				   {2, "MAP_UPDATE_ELEM"},
				   {3, "MAP_DELETE_ELEM"},
				   {4, "MAP_GET_NEXT_KEY"},
				   {5, "PROG_LOAD"},
				   {6, "OBJ_PIN"},
				   {7, "OBJ_GET"},
				   {8, "PROG_ATTACH"},
				   {9, "PROG_DETACH"},
				   {10, "PROG_TEST_RUN"},
				   {11, "PROG_GET_NEXT_ID"},
				   {12, "MAP_GET_NEXT_ID"},
				   {13, "PROG_GET_FD_BY_ID"},
				   {14, "MAP_GET_FD_BY_ID"},
				   {15, "OBJ_GET_INFO_BY_FD"},
				   {16, "PROG_QUERY"},
				   {17, "RAW_TRACEPOINT_OPEN"},
				   {18, "BTF_LOAD"},
				   {28, "LINK_CREATE"},
				   {0}};
static const struct word perf_flags[] = {
	{1, "FD_NO_GROUP"}, {2, "FD_OUTPUT"}, {4, "PID_CGROUP"}, {8, "FD_CLOEXEC"}, {0}};

/* ---- Kinds ---- */

static const struct pk_syscall_words kinds[] = {
	{"access", FUNCTION, .print = print_access},
	{"arch_prctl", CONSTANTS, .words = arch_prctls},
	{"at", FUNCTION, .print = print_at},
	{"atflags", FLAGS, .words = at_flags},
	{"bpf", CONSTANTS, .words = bpfs},
	{"clock", CONSTANTS, .words = clocks},
	{"clone", FLAGS, .words = clones},
	{"epoll_ctl", CONSTANTS, .words = epoll_ops},
	{"eventfd", FLAGS, .words = eventfds},
	{"fadvise", CONSTANTS, .words = fadvises},
	{"fallocate", FLAGS, .words = fallocates},
	{"family", CONSTANTS, .words = families},
	{"fcntl", CONSTANTS, .words = fcntls},
	{"fdflags", FUNCTION, .print = print_fd_flags},
	{"flock", FLAGS, .words = locks},
	{"futex", FUNCTION, .print = print_futex},
	{"futexbits", CONSTANTS, .words = futex_bits},
	{"idtype", CONSTANTS, .words = idtypes},
	{"ioctl", CONSTANTS, .words = ioctls},
	{"itimer", CONSTANTS, .words = itimers},
	{"madvise", CONSTANTS, .words = madvises},
	{"map", FLAGS, .words = maps},
	{"membarrier", CONSTANTS, .words = membarriers},
	{"memfd", FLAGS, .words = memfds},
	{"mlockall", FLAGS, .words = mlockalls},
	{"mode", FLAGS, .words = modes},
	{"mount", FLAGS, .words = mounts},
	{"mremap", FLAGS, .words = mremaps},
	{"msg", FLAGS, .words = messages},
	{"msync", FLAGS, .words = msyncs},
	{"open", FUNCTION, .print = print_open},
	{"perf", FLAGS, .words = perf_flags},
	{"prctl", CONSTANTS, .words = prctls},
	{"priority", CONSTANTS, .words = priorities},
	{"prot", FLAGS, .words = prots},
	{"protocol", CONSTANTS, .words = protocols},
	{"random", FLAGS, .words = randoms},
	{"rename", FLAGS, .words = renames},
	{"rlimit", CONSTANTS, .words = rlimits},
	{"rusage", CONSTANTS, .words = rusages},
	{"seccomp", CONSTANTS, .words = seccomps},
	{"shutdown", CONSTANTS, .words = shutdowns},
	{"sigmask", CONSTANTS, .words = sigmasks},
	{"signal", CONSTANTS, .words = signals},
	{"sockflags", FLAGS, .words = socket_flags},
	{"socktype", FUNCTION, .print = print_socket_type},
	{"statx", FLAGS, .words = statx_mask},
	{"timer", FLAGS, .words = timers},
	{"umount", FLAGS, .words = umounts},
	{"unlink", FLAGS, .words = unlink_flags},
	{"wait", FLAGS, .words = waits},
	{"whence", CONSTANTS, .words = whences},
};

const struct pk_syscall_words *pk_syscall_words(const char *kind, size_t size)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(kinds[i].kind, kind, size) && !kinds[i].kind[size])
			return &kinds[i];
	return NULL;
}

bool pk_syscall_word(struct buffer *out, const struct pk_syscall_words *words, enum pk_abi abi,
		     uint64_t value)
{
	const char *name;

	switch (words->type) {
	case FLAGS: add_flags(out, words->words, value, false); return true;
	case FUNCTION: words->print(out, abi, value); return true;
	default: name = constant_name(words->words, value);
	}
	if (name)
		buffer_text(out, name);
	return name;
}

bool pk_syscall_word_for_zero(const struct pk_syscall_words *words)
{
	return words->type == CONSTANTS && constant_name(words->words, 0);
}

/* ---- Errors ---- */

const char *pk_errno_name(uint64_t number)
{
	static const char names[] =
		"EPERM\0ENOENT\0ESRCH\0EINTR\0EIO\0ENXIO\0E2BIG\0ENOEXEC\0EBADF\0ECHILD\0"
		"EAGAIN\0ENOMEM\0EACCES\0EFAULT\0ENOTBLK\0EBUSY\0EEXIST\0EXDEV\0ENODEV\0"
		"ENOTDIR\0EISDIR\0EINVAL\0ENFILE\0EMFILE\0ENOTTY\0ETXTBSY\0EFBIG\0"
		"ENOSPC\0ESPIPE\0EROFS\0EMLINK\0EPIPE\0EDOM\0ERANGE\0EDEADLK\0"
		"ENAMETOOLONG\0ENOLCK\0ENOSYS\0ENOTEMPTY\0ELOOP\0\0ENOMSG\0EIDRM\0"
		"ECHRNG\0EL2NSYNC\0EL3HLT\0EL3RST\0ELNRNG\0EUNATCH\0ENOCSI\0EL2HLT\0"
		"EBADE\0EBADR\0EXFULL\0ENOANO\0EBADRQC\0EBADSLT\0\0EBFONT\0ENOSTR\0"
		"ENODATA\0ETIME\0ENOSR\0ENONET\0ENOPKG\0EREMOTE\0ENOLINK\0EADV\0ESRMNT\0"
		"ECOMM\0EPROTO\0EMULTIHOP\0EDOTDOT\0EBADMSG\0EOVERFLOW\0ENOTUNIQ\0"
		"EBADFD\0EREMCHG\0ELIBACC\0ELIBBAD\0ELIBSCN\0ELIBMAX\0ELIBEXEC\0EILSEQ\0"
		"ERESTART\0ESTRPIPE\0EUSERS\0ENOTSOCK\0EDESTADDRREQ\0EMSGSIZE\0"
		"EPROTOTYPE\0ENOPROTOOPT\0EPROTONOSUPPORT\0ESOCKTNOSUPPORT\0EOPNOTSUPP\0"
		"EPFNOSUPPORT\0EAFNOSUPPORT\0EADDRINUSE\0EADDRNOTAVAIL\0ENETDOWN\0"
		"ENETUNREACH\0ENETRESET\0ECONNABORTED\0ECONNRESET\0ENOBUFS\0EISCONN\0"
		"ENOTCONN\0ESHUTDOWN\0ETOOMANYREFS\0ETIMEDOUT\0ECONNREFUSED\0EHOSTDOWN\0"
		"EHOSTUNREACH\0EALREADY\0EINPROGRESS\0ESTALE\0EUCLEAN\0ENOTNAM\0ENAVAIL\0"
		"EISNAM\0EREMOTEIO\0EDQUOT\0ENOMEDIUM\0EMEDIUMTYPE\0ECANCELED\0ENOKEY\0"
		"EKEYEXPIRED\0EKEYREVOKED\0EKEYREJECTED\0EOWNERDEAD\0ENOTRECOVERABLE\0"
		"ERFKILL\0EHWPOISON\0";
	/* Error numbers that the kernel uses internally. Programs see them only in tracers. */
	static const struct word internal[] = {
		{512, "ERESTARTSYS"}, {513, "ERESTARTNOINTR"},	      {514, "ERESTARTNOHAND"},
		{515, "ENOIOCTLCMD"}, {516, "ERESTART_RESTARTBLOCK"}, {0}};
	const char *at = names, *const end = names + sizeof(names) - 1;

	if (number >= 512)
		return constant_name(internal, number);
	while (number > 1 && at < end) {
		at += strlen(at) + 1;
		number--;
	}
	return number == 1 && at < end && *at ? at : NULL;
}

bool pk_is_errno_name(const char *text, size_t size)
{
	for (uint64_t number = size && *text == 'E' ? 1 : 1024; number < 1024; number++) {
		const char *name = pk_errno_name(number);

		if (name && strlen(name) == size && !memcmp(name, text, size))
			return true;
	}
	return false;
}
