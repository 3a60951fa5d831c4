# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests that compare stacks of interpreters with those that the interpreter notes itself.

# The interpreters from 3.9 on that have headers of C, one of each version.
pythons_with_headers()
{
	local name
	for name in /usr/bin/python3 python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 python3.15 /root/.pyenv/versions/*/bin/python3; do
		"$name" -c 'if True:
			import os, sys, sysconfig
			if (3, 9) <= sys.version_info[:2] <= (3, 15) and os.path.exists(sysconfig.get_path("include") + "/Python.h"):
				print(*sys.version_info[:2], os.path.realpath(sys.executable))' 2>/dev/null
	done | sort -u -k 1,2 | cut -d ' ' -f 3
}

# extension PYTHON: builds the extension python_moments into the current folder.
extension()
{
	${CC:-cc} -O2 -shared -fPIC -I"$("$1" -c 'import sysconfig; print(sysconfig.get_path("include"))')" -o python_moments.so \
		"$PK_TOP/tests/live/workload/python_moments.c" 2>compile.err
}

# rubies_with_headers: the interpreters whose versions pk-record knows that have headers of C, one of each version.
rubies_with_headers()
{
	local name
	for name in /usr/bin/ruby ruby ruby3.1 ruby3.3; do
		"$name" -rrbconfig -e '
			exit unless %w[3.1 3.3].include?(RUBY_VERSION[/^\d+\.\d+/]) && File.exist?(RbConfig::CONFIG["rubyhdrdir"] + "/ruby.h")
			puts RUBY_VERSION[/^\d+\.\d+/] + " " + File.realpath(RbConfig.ruby)' 2>/dev/null
	done | sort -u -k 1,1 | cut -d ' ' -f 2
}

# extension_of_ruby RUBY: builds the extension ruby_moments into the current folder.
extension_of_ruby()
{
	local flags
	flags=$("$1" -rrbconfig -e 'puts %w[rubyhdrdir rubyarchhdrdir].map { |key| "-I" + RbConfig::CONFIG[key] }.join(" ")')
	# shellcheck disable=SC2086
	${CC:-cc} -O2 -shared -fPIC $flags -o ruby_moments.so "$PK_TOP/tests/live/workload/ruby_moments.c" 2>compile.err
}

# known_phps MODULE...: the interpreters whose versions pk-record knows that have these modules, each once.
known_phps()
{
	local name
	for name in /usr/bin/php php php8.0 php8.1 php8.2 php8.3 php8.4; do
		# shellcheck disable=SC2016 # the variables are those of PHP
		"$name" -r 'if (PHP_MAJOR_VERSION == 8 && PHP_MINOR_VERSION <= 4 && !PHP_ZTS && !array_diff(array_slice($argv, 1), get_loaded_extensions()))
			echo realpath(PHP_BINARY), "\n";' "$@" 2>/dev/null
	done | sort -u
}

# compare_moments EXTENSION COMMAND...: records the moments of a program, and compares their stacks. The buffers are large, so that no sample
# is lost if the machine is busy. The variable `marked` is the largest allowed share of moments with a mark, in percent.
compare_moments()
{
	local extension=$1
	shift
	rm -f moments
	MOMENTS=$PWD/moments PYTHONPATH=$PWD RUBYLIB=$PWD pk-record -q --call-graph unwind -m 16M -x "$PWD/${extension}_moments.so" \
		--probe "${extension}_moment n=%di" -o moments.pk -- "$@" 2>err || fail "$*: $(cat err)"
	{ pk-symbolize -q --lines moments.pk | pk-script -q -F event,trace,ip,sym,dso,srcline >script; } 2>>err || fail "$*: $(cat err)"
	perl "$PK_TOP/tests/live/interpreted_truth.pl" --show 2 --marked "${marked:-5}" moments script
}
