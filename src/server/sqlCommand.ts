import type { Input } from '../core/commandRow.ts'
import { Refusal } from '../core/disk/refusal.ts'
import { PUBLISHED_DATASETS } from '../data/dictionary/dictionary.ts'
import { type Format, formatRows, runQuery } from '../data/published/analyst.ts'
import { nothingPublished } from '../data/published/nothingPublished.ts'
import type { SQL } from './commandRows.ts'

/** Runs `tapefold sql`. */
export async function sqlCommand({ words, format, data }: Input<typeof SQL>): Promise<void> {
  const [query] = words
  const text = await queryText(data, query, format)
  const namesDataset = PUBLISHED_DATASETS.some(({ name }) =>
    new RegExp(`\\b${name}\\b`).test(query),
  )
  const nothing = namesDataset ? nothingPublished(data) : null
  if (nothing !== null) process.stderr.write(`tapefold: ${nothing}\n`)
  process.stdout.write(text)
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
