/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FLEET_STREAM_H
#define FLEET_STREAM_H

/* pk fleet stream [EVENT | --hosts | --addresses] <LINES >STREAM: writes lines of the scripts in
 * fleet/ as a stream.
 *
 * Without an option, the lines are folded text, and each line becomes one sample with its number as
 * period. EVENT is the name of the event; "samples" is the default.
 *
 * --hosts: the lines are "HOST SAMPLES WEIGHT FUNCTION" with tabs between the columns, sorted by
 * HOST. Each host becomes a session, which is a recording for pk-report --diff. Each line becomes
 * SAMPLES samples with about equal periods, but at most 100, so that the stream is not too large.
 * All samples have the same time: they say nothing about changes within a host.
 *
 * --addresses: the lines are "KEY BUILD-ID OFFSET" with tabs between the columns, sorted by
 * BUILD-ID. Each build-id becomes a process that maps the whole file, and each line becomes a
 * sample at the offset. pk-symbolize then finds the functions. */

/* argv[0] is "stream". Returns the exit status. */
int fleet_stream(int argc, char **argv);

#endif
