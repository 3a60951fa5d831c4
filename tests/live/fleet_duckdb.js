// SPDX-License-Identifier: BSD-2-Clause
// fleet_duckdb.js SQL: executes SQL in a folder of fleet/lake, and prints lines "QUERY COLUMN...", separated by tabs.
'use strict';
const { readFileSync } = require('fs');
const { DuckDBInstance } = require('@duckdb/node-api');

async function main() {
	const connection = await (await DuckDBInstance.create(':memory:')).connect();
	const ask = async (name, sql) => {
		for (const row of (await connection.runAndReadAll(sql)).getRows())
			console.log([name, ...row].join('\t'));
	};
	const sums = table => `SELECT event, service, version, sum(samples), sum(weight) FROM ${table} GROUP BY ALL`;
	await connection.run(readFileSync(process.argv[2], 'utf8'));
	await ask('services', sums('samples'));
	await connection.run("COPY samples TO 'parquet' (FORMAT parquet, PARTITION_BY (day, service))");
	await ask('parquet', sums("read_parquet('parquet/*/*/*.parquet', hive_partitioning = true, hive_types = {'service': VARCHAR})"));
	await ask('top', "FROM top('1970-01-01', '2999-12-31', 'web/x')");
}
main().catch(error => {
	console.error(`Error: ${error.message}`);
	process.exit(1);
});
