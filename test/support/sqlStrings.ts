/**
 * SQL in strings of TypeScript. A query stands in a file of `sql`; a string may name a table, or
 * make, empty and hand over one as it is.
 */

/** Files that write queries into strings, and why these cannot stand in a file of `sql`. */
export const WRITES_SQL: Readonly<Record<string, string>> = {
  'src/core/engine/bulk.ts': 'makes files of the queries that stand in files',
  'src/core/engine/database.ts': 'makes databases, and asks the engine what they hold',
  'src/core/engine/filling.ts': 'makes tables and views of the queries that stand in files',
  'src/core/engine/rows.ts': "the names and places of columns are those of a vendor's file",
  'src/core/engine/stages.ts': 'makes the roots of the query that stands in a file',
  'src/core/engine/space.ts': 'asks the engine of its memory',
  'src/levels/readDataset.ts': 'the columns of a dataset stand in the dictionary',
  'src/data/tape/session.ts': 'asks which session is open',
  'src/data/tape/tables.ts': 'the columns of a dataset stand in the dictionary',
  'src/data/published/growing.ts':
    'looks rows up by a list of parameters, as long as there are such',
  'src/data/published/liveManifest.ts': 'the columns of a dataset stand in the dictionary',
  'src/data/published/positionTables.ts': 'the columns of a dataset stand in the dictionary',
  'src/data/published/parquet.ts': 'the columns of a dataset stand in the dictionary',
  'src/data/published/restatements.ts': 'the columns and keys of a dataset stand in the dictionary',
  'src/data/published/views.ts': 'the columns of a dataset stand in the dictionary',
  'pipelines/command/remoteCatalog.ts': 'the columns of a dataset stand in the dictionary',
  'pipelines/import/canonical.ts': 'the columns of a dataset stand in the dictionary',
  'pipelines/import/judge.ts': 'a filter of what is read of the files of the tape',
  'pipelines/live/handoffs.ts': 'which rows and columns of a table are handed over',
  'src/platform/database/advisoryLock.ts': 'takes a lock of PostgreSQL, which is not the engine',
  'src/platform/database/migrations.ts': 'asks PostgreSQL whose tables it has',
  'src/server/commandRows.ts': 'an example for people',
  'src/site/datasetPages.ts': 'statements that a reader copies',
  'pipelines/measure/bench/bareInserts.ts': 'bare statements of another engine, to compare with',
}

/** The queries in the strings of a file, each with its line. */
export function findSqlStrings(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, found => ' '.repeat(found.length))
  return [...code.matchAll(BEGINS), ...code.matchAll(HOLDS)]
    .map(({ index }) => [index, queryAt(code, index)] as const)
    .filter(([, query]) => !WHOLE_TABLE.some(form => form.test(query)))
    .map(([index, query]) => `line ${code.slice(0, index).split('\n').length}: ${query}`)
}

/** Beginnings of statements alone. */
const STARTS = [
  'select',
  'insert into',
  'copy \\(',
  'with \\w+ as( materialized)? \\(',
  'truncate',
  'update [\\w.]+ (as \\w+ )?set',
  'delete from',
  'drop (table|view)',
  'alter table',
  'create (or replace )?(table|view|macro|temp)',
  'from (\\(|read_|[^ ]+\\.[\\w$]|\\$\\{\\w+\\} (semi|where|union))',
]

/** It, behind the quote that opens a string. */
const BEGINS = new RegExp(`(?<![\\w\\])])['"\`]\\s*(?=(${STARTS.join('|')}))`, 'g')

/** A part of a query within a string that begins otherwise. */
const HOLDS = /\b(in|exists) \(\s*(?=select\b)/g

/** Text from there up to the end of its string, on one line. */
function queryAt(code: string, index: number): string {
  const quote = '\'"`'.includes(code[index]!) ? code[index]! : '`'
  const rest = code.slice(index + 1)
  const end = rest.indexOf(quote)
  return rest
    .slice(0, end < 0 ? 200 : end)
    .replace(/\s+/g, ' ')
    .trim()
}

const TABLE = String.raw`[\w$\{}."]+`
const COLUMNS = String.raw`(\* exclude \(\w+\)|\w+(, \w+)*)`

/** Statements about a table as it is. */
const WHOLE_TABLE = [
  `^(select ${COLUMNS} )?from ${TABLE}( limit 0)?$`,
  `^from ${TABLE} union all by name from ${TABLE}$`,
  `^delete from ${TABLE}( where \\w+ in \\(from ${TABLE}\\))?$`,
  // a macro of a table
  `^from \\w+\\('${TABLE}'\\)$`,
  `^truncate ${TABLE}$`,
  `^drop (table|view) (if exists )?${TABLE}$`,
  `^create (or replace )?table (if not exists )?${TABLE} \\((\\w+ \\w+(, )?)+\\)$`,
  // of columns of the dictionary
  `^create (or replace )?table ${TABLE} \\(\\$\\{columnTypes\\(\\w+\\)\\}\\)$`,
  `^create table ${TABLE} as from ${TABLE}( limit 0)?$`,
].map(form => new RegExp(form))
