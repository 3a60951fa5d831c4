# SPDX-License-Identifier: BSD-2-Clause
# Help fits the columns of a terminal and ends with two examples.
pk-record --help
pk-record --help | awk 'length($0) > 90 { print "too long: " $0 }'
pk-record --version | grep -qE '^pk-record [0-9]+\.[0-9]+' || echo "no version"
