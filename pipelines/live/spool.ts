/** Files of a spool folder, and the order in which they are taken. */

import { readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { FORMATS, type ImportFormat } from '../import/formats.ts'

export type SpoolFile = {
  readonly path: string
  readonly name: string
  /** Null where the name begins with none. */
  readonly format: ImportFormat | null
  /** Differs when the file has changed. */
  readonly stamp: string
}

/** A file that can be taken. */
export type FormattedFile = SpoolFile & { readonly format: ImportFormat }

/** True for a file whose name begins with its format. */
export const hasFormat = (file: SpoolFile): file is FormattedFile => file.format !== null

/** The files of a spool folder by name, which begins with their format: `prints-0931.csv`. */
export function spoolFiles(spool: string): SpoolFile[] {
  const formats = FORMATS.toSorted((a, b) => b.name.length - a.name.length)
  return readdirSync(spool)
    .filter(name => !/^\.|\.(tmp|part|partial)$/.test(name))
    .flatMap(name => {
      const format = formats.find(
        one => name.startsWith(one.name) && /^[-_.]/.test(name.slice(one.name.length)),
      )
      const path = join(spool, name)
      const stats = statSync(path, { throwIfNoEntry: false })
      if (!stats?.isFile() || stats.size === 0) return []
      return [{ path, name, format: format ?? null, stamp: formatStamp(stats) }]
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A permission that was missing may have been given since. */
const formatStamp = ({ mtimeMs, size, mode, uid, gid }: Stats): string =>
  [mtimeMs, size, mode, uid, gid].join(' ')

/**
 * Groups files into rounds, each in the order given: the files of a round are of distinct datasets,
 * so they may be imported concurrently. A file waits for all before it that may hold its rows.
 */
export function groupIntoRounds<T extends Pick<FormattedFile, 'format'>>(
  files: readonly T[],
): T[][] {
  const rounds: T[][] = []
  for (let left = files; left.length > 0; ) {
    const seen = new Set<string>()
    const isFree = ({ format }: T) => {
      const datasets = listDatasets(format)
      const free = datasets.every(dataset => !seen.has(dataset))
      for (const dataset of datasets) seen.add(dataset)
      return free
    }
    const round = left.filter(isFree)
    rounds.push(round)
    left = left.filter(file => !round.includes(file))
  }
  return rounds
}

const listDatasets = ({ datasets }: ImportFormat): readonly string[] =>
  datasets.map(([dataset]) => dataset)
