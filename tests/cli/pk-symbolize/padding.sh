# SPDX-License-Identifier: BSD-2-Clause
# A signal handler returns to the first byte of a function that nothing called. The byte before it is
# padding: the function's own name is shown.
mkdir -p fs/tmp
printf '1000 10 leaf\n1020 10 runtime.sigreturn.abi0\n1040 10 main\n' >fs/tmp/perf-100005.map
"$PK_BUILD/tests/assemble/assemble" >go.pk <<'STREAM'
BEGIN
HEADER_ATTR attr_type=1 sample_period=1 sample_type=(IP TID TIME CALLCHAIN IDENTIFIER) id=7
COMM pid=100005 tid=100005 comm="prog"
MMAP misc=(user) pid=100005 tid=100005 addr=0x1000 len=0x1000 filename="//anon"
SAMPLE misc=(user) ip=0x1005 pid=100005 tid=100005 time=1 ips[0]=(user) ips[1]=0x1005 ips[2]=0x1020 ips[3]=0x1045
STREAM
pk-symbolize -q --symfs=fs go.pk | pk-fold -q
# Unwinders subtract one from return addresses. Other addresses of padding have no name.
"$PK_BUILD/tests/assemble/assemble" >minus.pk <<'STREAM'
BEGIN
HEADER_ATTR attr_type=1 sample_period=1 sample_type=(IP TID TIME CALLCHAIN IDENTIFIER) id=7
COMM pid=100005 tid=100005 comm="prog"
MMAP misc=(user) pid=100005 tid=100005 addr=0x1000 len=0x1000 filename="//anon"
SAMPLE misc=(user) ip=0x1005 pid=100005 tid=100005 time=1 ips[0]=(user) ips[1]=0x1005 ips[2]=0x101f ips[3]=0x1045
SAMPLE misc=(user) ip=0x1005 pid=100005 tid=100005 time=2 ips[0]=(user) ips[1]=0x1005 ips[2]=0x1035 ips[3]=0x103e
STREAM
pk-symbolize -q --symfs=fs minus.pk | pk-fold -q
