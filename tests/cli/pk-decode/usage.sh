# SPDX-License-Identifier: BSD-2-Clause
for option in --event= --event=x --every=0 --every=x --itrace=b --frobnicate; do
	pk-decode "$option" /dev/null
	echo "$option: status $?"
done
pk-decode --help
pk-decode --version | sed 's/[0-9.]*$/N/'
