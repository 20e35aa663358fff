import { readArguments, UsageError } from '../core/command.ts'
import { Refusal } from '../core/disk/refusal.ts'
import { PUBLISHED_DATASETS } from '../data/dictionary/dictionary.ts'
import { FORMATS, type Format, formatRows, runQuery } from '../data/published/analyst.ts'
import { nothingPublished } from '../data/published/nothingPublished.ts'
import type { RunCommand } from './runCommand.ts'

/** Names of the datasets in lines that fit a terminal of 100 columns. */
function datasetLines(): string {
  const lines = ['Answers one DuckDB query over the published datasets:']
  for (const [index, { name }] of PUBLISHED_DATASETS.entries()) {
    const word = ` ${name}${index < PUBLISHED_DATASETS.length - 1 ? ',' : '.'}`
    const line = lines.at(-1)!
    if (line.length + word.length > 100) lines.push(word.trim())
    else lines[lines.length - 1] = line + word
  }
  return lines.join('\n')
}

const usage = () => `usage: tapefold sql "<query>" [--format table|csv|json] [--data DIR]

${datasetLines()}
`

/** `tapefold sql`: prints the rows of one query. */
export const runSql: RunCommand = async ({ dataFolder }, args) => {
  const { values, positionals } = readArguments(args, {
    usage: usage(),
    allowPositionals: true,
    options: { format: { type: 'string', default: 'table' } },
  })
  const format = FORMATS.find(known => known === values.format)
  if (!format) {
    throw new UsageError(`--format is ${values.format}; it can be ${FORMATS.join(', ')}.`)
  }
  const [query] = positionals
  if (query === undefined || positionals.length > 1) {
    throw new UsageError('sql takes one query in quotes, such as "select count(*) from orders".')
  }
  const text = await queryText(dataFolder, query, format)
  const namesDataset = PUBLISHED_DATASETS.some(({ name }) =>
    new RegExp(`\\b${name}\\b`).test(query),
  )
  const nothing = namesDataset ? nothingPublished(dataFolder) : null
  if (nothing !== null) process.stderr.write(`tapefold: ${nothing}\n`)
  process.stdout.write(text)
  return 0
}

async function queryText(dataFolder: string, query: string, format: Format): Promise<string> {
  try {
    return formatRows(await runQuery(dataFolder, query), format)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const [first] = (error as Error).message.split('\n')
    throw new Refusal(`the query failed: ${first?.replace(/^Failed to extract statements: /, '')}`)
  }
}
