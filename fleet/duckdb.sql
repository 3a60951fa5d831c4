-- SPDX-License-Identifier: BSD-2-Clause
-- Views of a folder of fleet/lake, for DuckDB 1.1 and later: cd FOLDER && duckdb -init .../fleet/duckdb.sql
-- DuckDB reads only the files of the days and services that a condition selects.
CREATE VIEW samples AS SELECT * FROM read_csv('samples/*/*/*.tsv.zst', delim = '\t', quote = '', escape = '', header = true, auto_detect = false,
	columns = {'time': 'BIGINT', 'host': 'VARCHAR', 'service': 'VARCHAR', 'version': 'VARCHAR', 'region': 'VARCHAR', 'comm': 'VARCHAR',
	'container': 'VARCHAR', 'pod': 'VARCHAR', 'event': 'VARCHAR', 'unit': 'VARCHAR', 'samples': 'UBIGINT', 'weight': 'UBIGINT', 'stack': 'VARCHAR'},
	hive_partitioning = true, hive_types = {'day': DATE, 'service': VARCHAR});
CREATE VIEW stacks AS SELECT * FROM read_csv('stacks/*/*.tsv.zst', delim = '\t', quote = '', escape = '', header = true, auto_detect = false,
	columns = {'stack': 'VARCHAR', 'frames': 'VARCHAR', 'time': 'BIGINT'}, hive_partitioning = true, hive_types = {'day': DATE});
CREATE VIEW frames AS SELECT * FROM read_csv('frames/*/*.tsv.zst', delim = '\t', quote = '', escape = '', header = true, auto_detect = false,
	columns = {'frame': 'VARCHAR', 'object': 'VARCHAR', 'function': 'VARCHAR', 'file': 'VARCHAR', 'line': 'UBIGINT', 'address': 'UBIGINT', 'mode': 'VARCHAR',
	'inlined': 'UBIGINT', 'time': 'BIGINT'}, hive_partitioning = true, hive_types = {'day': DATE});
CREATE VIEW objects AS SELECT object, coalesce(min(path) FILTER (path != ''), '') AS path, any_value(build_id) AS build_id, any_value(kind) AS kind FROM
	read_csv('objects/*.tsv.zst', delim = '\t', quote = '', escape = '', header = true, auto_detect = false,
	columns = {'object': 'VARCHAR', 'path': 'VARCHAR', 'build_id': 'VARCHAR', 'kind': 'UBIGINT'}) GROUP BY object;
-- top(FIRST_DAY, LAST_DAY, SERVICE): event, function, own weight, weight with callees. SERVICE '%' selects all services. Frames without a
-- function have the name of their object. The key of the innermost frame is at the end of the list of frames.
CREATE MACRO top(first_day, last_day, of_service) AS TABLE
	WITH sums AS (SELECT event, stack, sum(weight) AS weight FROM samples
		WHERE day BETWEEN first_day AND last_day AND service LIKE of_service GROUP BY event, stack),
	lists AS (SELECT event, sums.stack, weight, frames FROM sums JOIN
		(SELECT stack, any_value(frames) AS frames FROM stacks WHERE day BETWEEN first_day AND last_day GROUP BY stack) USING (stack)),
	names AS (SELECT frame, any_value(replace(if(function <> '', function, '[' || if(coalesce(path, '') <> '', parse_filename(path), 'unknown') || ']'), ';', ':')) AS name
		FROM frames LEFT JOIN objects USING (object) WHERE day BETWEEN first_day AND last_day GROUP BY frame),
	each AS (SELECT DISTINCT event, stack, weight, name FROM
		(SELECT event, stack, weight, unnest(string_split(frames, ';')) AS frame FROM lists) JOIN names USING (frame)),
	own AS (SELECT event, name, sum(weight) AS self FROM (SELECT event, weight, right(frames, 16) AS frame FROM lists) JOIN names USING (frame)
		GROUP BY event, name)
	SELECT each.event, each.name AS function, coalesce(any_value(self), 0) AS self, sum(weight) AS total
		FROM each LEFT JOIN own ON own.event = each.event AND own.name = each.name
		GROUP BY each.event, each.name ORDER BY self DESC, total DESC, function;
