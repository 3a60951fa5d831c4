-- SPDX-License-Identifier: BSD-2-Clause
-- The tables of one server of ClickHouse (18.16 and later). Keys are content keys (format/SPEC.md, appendix C). `load` is the name of the
-- load that wrote a row: fleet/ingest removes the rows of loads that did not end. `level`: pk-export rows --levels. @NAME@ is an engine.
CREATE TABLE IF NOT EXISTS files_local(key String, state UInt8, load String, host String, bytes UInt64, at DateTime DEFAULT now())
	ENGINE = @MergeTree@ ORDER BY key;
CREATE TABLE IF NOT EXISTS samples_local(
	time DateTime, service String, version String, region String, host String, comm String, container String, pod String,
	event String, unit String, stack FixedString(16), samples UInt64, weight UInt64,
	level UInt64, load String)
	ENGINE = @MergeTree@ PARTITION BY toDate(time) ORDER BY (level, service, event, toStartOfHour(time), stack, comm, version, region, load, host, time);
CREATE TABLE IF NOT EXISTS by_minute_local(
	time DateTime, service String, version String, host String, event String, unit String, samples UInt64, weight UInt64, load String)
	ENGINE = @SummingMergeTree@ PARTITION BY toYYYYMM(time) ORDER BY (service, event, unit, time, version, host, load);
CREATE MATERIALIZED VIEW IF NOT EXISTS to_minute TO by_minute_local AS
	SELECT toStartOfMinute(time) AS time, service, version, host, event, unit, sum(samples) AS samples, sum(weight) AS weight, load
	FROM samples_local GROUP BY time, service, version, host, event, unit, load;
CREATE TABLE IF NOT EXISTS by_hour_local(
	time DateTime, service String, version String, host String, event String, unit String, samples UInt64, weight UInt64, load String)
	ENGINE = @SummingMergeTree@ PARTITION BY toYYYYMM(time) ORDER BY (service, event, unit, time, version, host, load);
CREATE MATERIALIZED VIEW IF NOT EXISTS to_hour TO by_hour_local AS
	SELECT toStartOfHour(time) AS time, service, version, host, event, unit, sum(samples) AS samples, sum(weight) AS weight, load
	FROM samples_local GROUP BY time, service, version, host, event, unit, load;
-- frames: outermost first; stacks with the same callers are neighbours, and need few bytes. Rows with equal keys are equal, but for the
-- paths of objects. time: the start of the day (level 0) or hour that a row of stacks and frames is for.
CREATE TABLE IF NOT EXISTS stacks_local(stack FixedString(16), frames Array(FixedString(16)), level UInt64, time DateTime)
	ENGINE = @ReplacingMergeTree@ PARTITION BY toDate(time) ORDER BY (level, time, frames);
CREATE TABLE IF NOT EXISTS frames_local(
	frame FixedString(16), object FixedString(16), function String, file String, line UInt64, address UInt64, mode String, inlined UInt64,
	level UInt64, time DateTime)
	ENGINE = @ReplacingMergeTree@ PARTITION BY toDate(time) ORDER BY (level, time, frame);
CREATE TABLE IF NOT EXISTS objects_local(object FixedString(16), path String, build_id String, kind UInt64)
	ENGINE = @ReplacingMergeTree@ ORDER BY object;
-- The names that fleet/name has found.
CREATE TABLE IF NOT EXISTS names_local(frame FixedString(16), name String) ENGINE = @ReplacingMergeTree@ ORDER BY frame;
