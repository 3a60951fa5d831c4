-- SPDX-License-Identifier: BSD-2-Clause
-- The tables of one server of ClickHouse (18.16 and later). Keys are content keys (format/SPEC.md, appendix C). `load` is the name of the
-- load that wrote a row: fleet/ingest removes the rows of loads that did not end. @Name@ is an engine, and @name@ the columns of a table,
-- from pk-export rows --schema.
CREATE TABLE IF NOT EXISTS recordings_local(key String, state UInt8, load String, host String, bytes UInt64, loaded DateTime DEFAULT now())
	ENGINE = @MergeTree@ ORDER BY key;
CREATE TABLE IF NOT EXISTS samples_local(@samples@)
	ENGINE = @MergeTree@ PARTITION BY toDate(time) ORDER BY (service, event, toStartOfHour(time), stack, comm, version, region, load, host, time);
-- Sums of samples_local. fleet/ingest reads the SELECT of each view of this file, to make the sums of an hour again. Each table has the
-- columns of its view, in the same order.
CREATE TABLE IF NOT EXISTS by_minute_local(
	time DateTime, service String, version String, host String, event String, unit String, samples UInt64, weight UInt64)
	ENGINE = @SummingMergeTree@ PARTITION BY toYYYYMM(time) ORDER BY (service, event, unit, time, version, host);
CREATE MATERIALIZED VIEW IF NOT EXISTS to_minute TO by_minute_local AS
	SELECT toStartOfMinute(time) AS time, service, version, host, event, unit, sum(samples) AS samples, sum(weight) AS weight
	FROM samples_local GROUP BY time, service, version, host, event, unit;
CREATE TABLE IF NOT EXISTS by_hour_local(
	time DateTime, service String, version String, host String, event String, unit String, samples UInt64, weight UInt64)
	ENGINE = @SummingMergeTree@ PARTITION BY toYYYYMM(time) ORDER BY (service, event, unit, time, version, host);
CREATE MATERIALIZED VIEW IF NOT EXISTS to_hour TO by_hour_local AS
	SELECT toDateTime(intDiv(toUInt32(time), 3600) * 3600) AS time, service, version, host, event, unit, sum(samples) AS samples, sum(weight) AS weight
	FROM samples_local GROUP BY time, service, version, host, event, unit;
CREATE TABLE IF NOT EXISTS by_load_local(time DateTime, load String, samples UInt64)
	ENGINE = @SummingMergeTree@ PARTITION BY toDate(time) ORDER BY (time, load);
CREATE MATERIALIZED VIEW IF NOT EXISTS to_load TO by_load_local AS
	SELECT toDateTime(intDiv(toUInt32(time), 3600) * 3600) AS time, load, sum(samples) AS samples FROM samples_local GROUP BY time, load;
-- Summaries: the sums of an hour by function and by folded stack, which fleet/summarize makes. In by_function_local, self is the weight of
-- samples in the function, total that with its callees. The function '' has the weight of all samples. In summaries_local, the row of an hour with the
-- highest number is valid; if its summary is '', the hour has none. mark identifies the samples from which the summary was made.
CREATE TABLE IF NOT EXISTS by_function_local(
	summary String, time DateTime, event String, service String, version String, function String, self UInt64, total UInt64)
	ENGINE = @MergeTree@ PARTITION BY summary ORDER BY (service, event, function, version);
CREATE TABLE IF NOT EXISTS by_path_local(
	summary String, time DateTime, event String, service String, version String, folded String, weight UInt64)
	ENGINE = @MergeTree@ PARTITION BY summary ORDER BY (service, event, folded, version);
CREATE TABLE IF NOT EXISTS summaries_local(time DateTime, summary String, mark UInt64, number UInt64) ENGINE = @MergeTree@ ORDER BY (time, number);
-- The hours that have samples. fresh: the summary was made from all of them.
CREATE VIEW IF NOT EXISTS hours_local AS
	SELECT time, mark, last, summary, summary != '' AND mark = summary_mark AS fresh FROM
	(SELECT time, groupBitXor(cityHash64(load, all_samples)) AS mark FROM
		(SELECT time, load, sum(samples) AS all_samples FROM by_load_local GROUP BY time, load) GROUP BY time)
	ANY LEFT JOIN (SELECT time, max(number) AS last, argMax(mark, number) AS summary_mark, argMax(summary, number) AS summary
		FROM summaries_local GROUP BY time) USING time;
-- frames: outermost first; stacks with the same callers are neighbours, and need few bytes. Rows with equal keys are equal, but for the
-- paths of objects, of which the least one is valid. time: the start of the hour that a row of stacks and frames is for.
CREATE TABLE IF NOT EXISTS stacks_local(@stacks@)
	ENGINE = @ReplacingMergeTree@ PARTITION BY toDate(time) ORDER BY (time, frames);
CREATE TABLE IF NOT EXISTS frames_local(@frames@)
	ENGINE = @ReplacingMergeTree@ PARTITION BY toDate(time) ORDER BY (time, frame);
CREATE TABLE IF NOT EXISTS objects_local(@objects@)
	ENGINE = @ReplacingMergeTree@ ORDER BY (object, path);
-- The names that fleet/name has found.
CREATE TABLE IF NOT EXISTS names_local(frame FixedString(8), name String) ENGINE = @ReplacingMergeTree@ ORDER BY frame;
