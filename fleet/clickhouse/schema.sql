-- SPDX-License-Identifier: BSD-2-Clause
-- The tables of one server of ClickHouse (18.16 and later). Keys are content keys in hexadecimal digits (format/SPEC.md, appendix C).
-- `load` is the number of the load that wrote a row: fleet/ingest removes the rows of loads that did not end.
CREATE TABLE IF NOT EXISTS files_local(key FixedString(32), state UInt8, load UInt64, samples UInt64, at DateTime DEFAULT now())
	ENGINE = MergeTree ORDER BY key;
CREATE TABLE IF NOT EXISTS samples_local(
	time DateTime, service String, version String, region String, host String, comm String, container String, pod String,
	event String, unit String, stack FixedString(32), samples UInt32, weight UInt64, load UInt64)
	ENGINE = MergeTree PARTITION BY toDate(time) ORDER BY (service, event, toStartOfMinute(time), stack, version, host, comm, time);
CREATE TABLE IF NOT EXISTS by_minute_local(
	time DateTime, service String, version String, host String, event String, samples UInt64, weight UInt64, load UInt64)
	ENGINE = SummingMergeTree((samples, weight)) PARTITION BY toYYYYMM(time) ORDER BY (service, event, time, version, host, load);
CREATE MATERIALIZED VIEW IF NOT EXISTS to_minute TO by_minute_local AS
	SELECT toStartOfMinute(time) AS time, service, version, host, event, sum(samples) AS samples, sum(weight) AS weight, load
	FROM samples_local GROUP BY time, service, version, host, event, load;
CREATE TABLE IF NOT EXISTS by_hour_local(
	time DateTime, service String, version String, host String, event String, samples UInt64, weight UInt64, load UInt64)
	ENGINE = SummingMergeTree((samples, weight)) PARTITION BY toYYYYMM(time) ORDER BY (service, event, time, version, host, load);
CREATE MATERIALIZED VIEW IF NOT EXISTS to_hour TO by_hour_local AS
	SELECT toStartOfHour(time) AS time, service, version, host, event, sum(samples) AS samples, sum(weight) AS weight, load
	FROM samples_local GROUP BY time, service, version, host, event, load;
-- frames: outermost first. Rows with equal keys are equal.
CREATE TABLE IF NOT EXISTS stacks_local(stack FixedString(32), frames Array(FixedString(32))) ENGINE = ReplacingMergeTree ORDER BY stack;
CREATE TABLE IF NOT EXISTS frames_local(frame FixedString(32), build_id String, path String, kind UInt8, function String, address UInt64)
	ENGINE = ReplacingMergeTree ORDER BY frame;
