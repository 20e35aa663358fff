import { DuckDBInstance } from '@duckdb/node-api'
const i = await DuckDBInstance.create('/tmp/an/o.duckdb',{access_mode:'READ_ONLY'}); const c = await i.connect()
for (const q of process.argv.slice(2)) { const r = await c.runAndReadAll(q); console.log(r.columnNames().join('\t')); for (const row of r.getRowsJson()) console.log(row.join('\t')) ; console.log()}
