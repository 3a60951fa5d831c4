# SPDX-License-Identifier: BSD-2-Clause
# Generated code without names: from 5 % of the samples on, the message has the remedy for the runtime with the most samples.
. "$PK_TOP/tests/cli/stream.bash"

# runtime PID FILE: a process that has mapped the file, and has generated code at 0x7f0000000000
runtime()
{
	comm "$1" "$1" program
	maps "$1" 0x400000 0x1000 "$2"
	maps_as 5 "$1" 0x7f0000000000 0x10000 //anon
}

# samples N PID: in generated code
samples()
{
	for ((i = 0; i < $1; i++)); do
		sample 7 "$2" "$((0x7f0000000000 + i))"
	done
}

try()
{
	echo "$*:"
	{ header; event 1 7; session; "$@"; finish; } | assemble | pk-symbolize 2>&1 >symbolized.pk | sed 's/^/  /'
}

of()
{
	runtime 5 "$1"
	samples 3 5
}

several()
{
	runtime 5 /usr/lib/jvm/libjvm.so
	runtime 6 /opt/app/app
	runtime 7 /usr/bin/node
	samples 2 5
	samples 4 6
	samples 5 7
}

# 4 of 81 samples, 4 of 80 samples
few()
{
	runtime 5 /opt/node/bin/node
	samples 4 5
	for ((i = 0; i < $1; i++)); do
		sample 7 5 0x400100
	done
}

for file in /usr/lib/jvm/libjvm.so /usr/share/dotnet/libcoreclr.so /usr/bin/node /usr/lib/x86_64-linux-gnu/libnode.so.108 \
	/usr/lib/erlang/beam.smp /usr/bin/php8.2 /usr/bin/qemu-system-x86_64 /opt/app/app; do
	try of $file
done
try several
try few 77
try few 76

# A tail that symbolizes a file.
{ header; event 1 7; session; several; finish; } | assemble >file.pk
pk-report file.pk >/dev/null
