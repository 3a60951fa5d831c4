# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests of programs that get SIGINT while they read a pipe.

# interrupted SIGNALS FILE COMMAND...: the command reads the file from a pipe of 4 KiB. Each signal, sent to the command and its
# children, follows 20,000 bytes: after the first ones, the command reads the pipe. Its children may still have to begin.
cat >interrupted.pl <<'END'
my ($signals, $file, @command) = @ARGV;
open my $in, '<', $file or die;
binmode $in;
local $/;
my $bytes = <$in>;
die 'too short' if length $bytes < 20000 * ($signals + 1);
pipe my $read, my $write;
fcntl $write, 1031, 4096 or die; # F_SETPIPE_SZ
my $pid = fork;
if (!$pid) {
	setpgrp;
	$SIG{INT} = 'DEFAULT'; # a script's jobs may ignore it
	open STDIN, '<&', $read;
	close $write;
	exec @command;
	exit 127;
}
close $read;
$SIG{PIPE} = 'IGNORE';
binmode $write;
sub status
{
	local @ARGV = "/proc/$_[0]/status";
	return scalar <>;
}
sub wait_while
{
	my ($is_so) = @_;
	for (1 .. 5000) {
		$is_so->() or return;
		select undef, undef, undef, 0.002;
	}
}
for my $part (1 .. $signals) {
	syswrite $write, substr($bytes, 0, 20000, '') or last;
	for my $child ($command[0] eq 'bash' ? split ' ', `pgrep -P $pid` : ()) {
		wait_while(sub { status($child) !~ /^Name:\tpk-.*^SigCgt:\t\w*[2367abef]$/ms });
	}
	kill '-INT', $pid;
	# Two signals that wait are one.
	wait_while(sub { status($pid) =~ /^ShdPnd:.*[2367abef]$/m }) if $part < $signals;
}
while (length $bytes) {
	my $count = syswrite $write, $bytes or last;
	substr($bytes, 0, $count, '');
}
close $write;
waitpid $pid, 0;
exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
END
interrupted()
{
	timeout 60 perl interrupted.pl "$@"
}
