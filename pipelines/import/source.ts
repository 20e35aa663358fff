import { closeSync, openSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sha256, sha256File } from '../../src/core/disk/files.ts'
import { missingResource, Refusal } from '../../src/core/disk/refusal.ts'
import { detectContent, isJson, writeLines } from '../../src/core/disk/text.ts'
import type { Database } from '../../src/core/engine/database.ts'
import type { RowLayout, Source } from '../../src/core/engine/header.ts'
import { readColumns } from '../../src/core/engine/rows.ts'
import { type ChainStatement, DELAYED_LAYOUT, writeDelayedQuotes } from './delayedQuotes.ts'
import type { ImportFormat } from './formats.ts'
import { readZip } from './zip.ts'

/** A copy of some lines of a file, read instead of the file. */
export type FileLines = {
  readonly path: string
  /** The file as the user knows it; messages repeat it. */
  readonly label: string
  /** Lines of the file that are left out between the first line of the copy and its second. */
  readonly leftOut: number
}

/** Lines to read of a file of a request. */
export const toFileLines = (file: string | FileLines): FileLines =>
  typeof file === 'string' ? { path: file, label: file, leftOut: 0 } : file

export type OpenedSource = Source & {
  /** File name without folders. */
  readonly name: string
  readonly sha256: string
  /** Lines of the file that are not read, after its first one. */
  readonly leftOut: number
  /** Columns of the lines where they are not those of the format's text files. */
  readonly layout?: RowLayout
  /** Times and index that a chain of JSON states. */
  readonly chain?: ChainStatement
}

/**
 * Makes one file of the format readable, or the requested lines of it. `onBytes` gets the number of
 * bytes that were read of a text file, a piece at a time.
 */
export async function openSource(
  db: Database,
  format: ImportFormat,
  { path, label, leftOut }: FileLines,
  workFolder: string,
  onBytes?: (count: number) => void,
): Promise<OpenedSource> {
  const target = join(workFolder, 'rows.csv')
  const opened = { label, name: basename(label), leftOut }
  if (format.readsJson && (await isJson(path, label))) {
    const { sha256: hash, chain } = await writeDelayedQuotes(path, label, target)
    const rows = { path: target, columns: null, layout: DELAYED_LAYOUT }
    return { ...opened, ...rows, chain, sha256: hash }
  }
  const content = detectContent(path, label)
  if (format.container === 'lean zip') {
    if (content !== 'zip')
      throw new Refusal(`${label} is not a zip file; ${format.name} reads LEAN's zip files.`)
    return { ...opened, path: target, columns: null, sha256: writeMembers(path, label, target) }
  }
  if (content === 'zip') {
    throw new Refusal(`${label} is a zip archive; unpack it, ${format.name} reads its CSV.`)
  }
  if (content === 'parquet') {
    if (format.container === 'csv') {
      throw new Refusal(
        `${label} is a Parquet file; ${format.name} reads CSV, plain, gzip or zstd.`,
      )
    }
    const source = { label, path }
    const columns = await readColumns(db, source)
    return { ...opened, ...source, columns, sha256: await sha256File(path) }
  }
  const hash = await writeLines(path, label, content, target, onBytes)
  return { ...opened, path: target, columns: null, sha256: hash }
}

/** Reads the content of a source: Parquet that cannot be read is refused. */
export async function refusingDamage<T>(
  format: ImportFormat,
  { label, columns }: Source,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!columns || error instanceof Refusal || missingResource(error)) throw error
    throw new Refusal(`${label} cannot be read as ${format.name}: its pages are damaged.`)
  }
}

/** Every line of a LEAN zip, after the name of its member. Returns the hash of the zip. */
function writeMembers(path: string, label: string, target: string): string {
  const { bytes, members } = readZip(path, label)
  const output = openSync(target, 'w')
  try {
    writeSync(output, `member,milliseconds,${CELLS.join(',')}\n`)
    for (const { name, bytes: member } of members) {
      const kind = memberKind(label, name)
      if (kind === 'option trade') {
        throw new Refusal(
          `${label} holds trades summed by the minute, not prints; ` +
            "import LEAN's quote, openinterest and index zips.",
        )
      }
      const lines = member.toString('latin1').replaceAll('\r', '').trim()
      if (lines !== '') writeSync(output, `${name},${lines.replaceAll('\n', `\n${name},`)}\n`)
    }
  } finally {
    closeSync(output)
  }
  return sha256(bytes)
}

const CELLS = Array.from({ length: 10 }, (_, index) => `cell_${index + 1}`)

const OPTION =
  /^\d{8}_[a-z0-9]+_minute_(quote|trade|openinterest)_[a-z]+_(call|put)_\d+_\d{8}\.csv$/
const INDEX = /^\d{8}_spx_minute_trade\.csv$/

function memberKind(label: string, name: string): 'option' | 'option trade' | 'index' {
  if (INDEX.test(name)) return 'index'
  const kind = OPTION.exec(name)?.[1]
  if (kind === 'trade') return 'option trade'
  if (kind) return 'option'
  throw new Refusal(
    `${label} holds ${name.slice(0, 80)}; its files must be named like ` +
      '20210104_spxw_minute_quote_european_call_37000000_20210104.csv.',
  )
}
