# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests that compare a stream with the perf.data file made of it.

# records FILE: the records, a line each, but for what may be different: attrs of 144 bytes become shorter; names of events
# are made of EVENT_DESC, and the times of samples are calculated; the end mark of features and rounds say nothing.
records()
{
	pk-script --dump "$1" 2>/dev/null | awk '
		function flush() { if (record != "" && !drop) print record; record = ""; drop = 0 }
		/^[0-9]+ / {
			flush()
			sub(/^[0-9]+ /, "")
			if (/^HEADER_(ATTR|FEATURE)/) sub(/ size=[0-9]+/, "")
			record = $0
			drop = /^FINISHED_ROUND/
			next
		}
		/^  feature=(12|21|27) / || /\(end mark\)/ || /^  subtype=0x2$/ || /^  definition=2 / { drop = 1 }
		/^  attr_size=(136|144)$/ { $0 = "  attr_size=128" }
		/^  byte_order=/ { next } # of parts of features, which are written in the order of this machine
		{ record = record "|" $0 }
		END { flush() }'
}
