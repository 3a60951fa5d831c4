# SPDX-License-Identifier: BSD-2-Clause
# Help fits a screen of 24 lines by 80 columns and ends with two examples.
pk-record --help
pk-record --help | awk 'length($0) > 80 { print "too long: " $0 } END { if (NR > 24) print "too many lines" }'
pk-record --version | grep -qE '^pk-record [0-9]+\.[0-9]+' || echo "no version"
