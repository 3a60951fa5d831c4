# SPDX-License-Identifier: BSD-2-Clause
# How pk-record and pk-stat open and write outputs while they record and count: what tests/cli/stages/outputs.sh
# tests of the programs that read.
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/cli/stages/outputs.bash"
exec >found

# What is read here is the command.
reads()
{
	args=(-e cpu-clock -- "$1")
}

same_content()
{
	pk-filter -q "$2" >/dev/null
}

cp "$(type -P true)" command
tool=pk-record
private ./command
input_stays ./command
closed ./command
full ./command
context='-x'
cp command in
ends 2 'same file as the input' pk-record -x in -o in -- true
context='-o and --pid-file'
ends 2 'same file as the input' pk-record -e cpu-clock --pid-file pid -o pid -- true
[ ! -e pid ] || complain "--pid-file is left"

# Files of --split
pk-record -e cpu-clock -o 'split-%s.pk' --split 1G -- true 2>err || complain "--split: $(cat err)"
[ "$(stat -c %a split-*.pk)" = 600 ] || complain "--split: mode $(stat -c %a split-*.pk)"
rm split-*.pk
context='--split, RLIMIT_FSIZE'
ends 1 'File too large' limited pk-record -e cpu-clock -o 'split-%s.pk' --split 1G -- true
for signal in INT TERM HUP; do
	pk-record -e cpu-clock -o 'split-%s.pk' --split 1G -p $$ 2>err &
	until [ -n "$(find . -name '.split-*.part')" ]; do :; done
	recording $!
	kill -$signal $!
	wait $! || complain "--split, SIG$signal: status $?: $(cat err)"
	pk-filter -q split-*.pk >/dev/null || complain "--split, SIG$signal: not whole"
	rm split-*.pk
done
[ -z "$(find . -name '.split*')" ] || complain "--split: left $(find . -name '.split*')"

# The recorded command has the limits, signals and descriptors that it would have had without us.
pk-record -e cpu-clock -o out.pk -- sh -c 'grep SigIgn /proc/self/status; ls /proc/self/fd' 2>err <&- >with
sh -c 'grep SigIgn /proc/self/status; ls /proc/self/fd' <&- >without
cmp with without || complain "the command has other descriptors or ignored signals"

# --pid-file: neither through a link, nor over what is no process id, nor as stdout.
echo precious >precious
ln -s precious link
context='--pid-file link'
ends 1 'symbolic link' pk-record -e cpu-clock --pid-file link -o out.pk -- true
context='--pid-file precious'
ends 1 'something else than a process id' pk-record -e cpu-clock --pid-file precious -o out.pk -- true
[ "$(cat precious)" = precious ] || complain "--pid-file: wrote over a file"
# --control: answers are not written over a file.
mkfifo fifo
context='--control'
ends 1 'precious: not a FIFO' pk-record -e cpu-clock --control fifo:fifo,precious -o out.pk -- true
ends 1 'precious: not a FIFO' pk-stat -o out -e task-clock --control fifo:fifo,precious -- true
[ "$(cat precious)" = precious ] || complain "--control: wrote over a file"
echo 4194304 >left
pk-record -e cpu-clock --pid-file left -o out.pk -- cp left seen || complain "--pid-file: a stale one: status $?"
grep -qx '[0-9]*' seen || complain "--pid-file: holds $(cat seen)"
[ ! -e left ] || complain "--pid-file is left"
context='--pid-file, stdout is closed'
ends 1 . without_stdout pk-record -e cpu-clock --pid-file pid -- cp pid seen
grep -qx '[0-9]*' seen || complain "--pid-file: the stream is in it"

tool=pk-stat
reads()
{
	args=(-e task-clock -- "$1")
}
private ./command
context='pk-stat -o COMMAND'
cp command in
ends 2 'same file as the input' pk-stat -o in -- ./in
ends 2 'same file as the input' pk-stat --stream -o in -- ./in
cmp command in
for option in '' '--stream'; do
	context="pk-stat $option -o, RLIMIT_FSIZE"
	rm -f out
	ends 1 'File too large' limited pk-stat $option -o out -e task-clock -- true
	context="pk-stat $option -o /dev/full"
	ends 1 'No space left on device' pk-stat $option -o /dev/full -e task-clock -- true
	rm -f out
	pk-stat $option -o out -e task-clock -- true
	[ "$(stat -c %a out)" = 600 ] || complain "$option -o: mode $(stat -c %a out)"
done
pk-stat --append -o out -e task-clock -- true
[ "$(stat -c %a out)" = 600 ] || complain "--append: mode $(stat -c %a out)"
context='pk-stat --stream, stdout is closed'
ends 1 'Bad file descriptor' without_stdout pk-stat --stream -e task-clock -- true
# The table on stderr
pk-stat -e task-clock -- true 2>/dev/full && complain "2>/dev/full: status 0"
pk-stat -e task-clock -- true 2>&- && complain "2>&-: status 0"
pk-stat -e task-clock -- false 2>/dev/full
[ $? = 1 ] || complain "2>/dev/full: the command's status is lost"

cat found >&2
[ ! -s found ]
