#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# For tests/packages.sh: installs the packages in packages/, uses them as root and as another user, and purges them.
set -eu
files()
{
	find / -xdev \( -path /root -o -path /tmp -o -path '/var/*/apt' -o -path '/var/lib/dpkg' -o -path /var/log \
		-o -path /var/cache -o -name __pycache__ \) -prune -o -print | sort
}

# as_user COMMAND: an ordinary user who logs in
as_user()
{
	su -l user -c "$1"
}
fail()
{
	echo "packages_use.sh: $*" >&2
	exit 1
}

apt-get -qq update
useradd -m user
# Packages that pk depends on are not of interest: they are there before.
depends=$(for f in packages/*.deb; do dpkg-deb -f "$f" Depends | sed 's/([^)]*)//g; s/:any//g' | tr ',' '\n'; done | grep -v pkstream | sort -u)
# shellcheck disable=SC2086 # words on purpose
apt-get -qq install -y --no-install-recommends $depends >/dev/null
files >/tmp/before

apt-get -qq install -y --no-install-recommends ./packages/pk_*.deb >/dev/null
as_user pk | grep -q 'flame graph' || fail 'pk does not name the flame graph'
as_user 'pk flame -- app'
grep -q slow_part /home/user/flame.svg || fail 'the flame graph lacks a function of the program'
echo "two commands, pk and pk flame -- app: $(wc -c </home/user/flame.svg) bytes of SVG with slow_part"
as_user 'pk-record --check'

apt-get -qq install -y --no-install-recommends ./packages/*.deb >/dev/null
for p in $PACKAGES; do
	[ "$(dpkg-query -f '${db:Status-Status}' -W "$p")" = installed ] || fail "$p is not installed"
done
for program in /usr/bin/pk*; do
	"$program" --version >/dev/null
	for f in "man/man1/${program##*/}.1.gz" "bash-completion/completions/${program##*/}" "fish/vendor_completions.d/${program##*/}.fish"; do
		[ -e "/usr/share/$f" ] || [ -e /etc/dpkg/dpkg.cfg.d/docker ] || fail "no /usr/share/$f"
	done
done
as_user 'pk-record -g -- app | pk-symbolize -o app.pk'
as_user 'python3 -c "import pkstream; print(sum(s.period for s in pkstream.open(\"app.pk\").samples()) // 10**6, \"ms read by Python\")"'
for f in doc/pk/html/index.html doc-base/pk-doc.pk pk/fleet/pk-record.service zsh/vendor-completions/_pk man/man3/pkstream.3.gz; do
	[ -e "/usr/share/$f" ] || fail "no /usr/share/$f"
done
grep -q '^ExecStart=/usr/bin/pk-record ' /usr/share/pk/fleet/pk-record.service || fail 'pk-record.service starts another pk-record'
if grep -rl /usr/local /usr/share/pk; then fail 'a packaged file names /usr/local'; fi

# shellcheck disable=SC2086 # words on purpose
apt-get -qq purge -y $PACKAGES >/dev/null
# What users have recorded, and their cache, is theirs.
rm -r /home/user/flame.svg /home/user/app.pk /home/user/.cache
files >/tmp/after
diff /tmp/before /tmp/after || fail 'these files were left or removed'
echo "purged: nothing is left"
