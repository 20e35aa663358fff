// A scenario that is the same but for its position: every level and strike some points higher.

import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sha256File } from '../../src/core/disk/files.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import {
  publishedSessions,
  readManifest,
  writeManifest,
} from '../../src/data/published/manifest.ts'
import { computeRevision } from '../../src/data/published/publish.ts'

const LEVELS = [
  'spot',
  'open',
  'previous_close',
  'forward',
  'flip',
  'flip_lo',
  'flip_hi',
  'call_wall',
  'put_wall',
]
const STRIKES = ['quoted_strike_low', 'quoted_strike_high']
const listed = (name: string) => `list_transform(${name}, strike -> strike + $points) as ${name}`
const SHIFTED = {
  market_minutes: [
    ...[...LEVELS, ...STRIKES].map(name => `${name} + $points as ${name}`),
    listed('smile_strikes'),
  ],
  large_orders: [listed('strikes')],
} as const

/** A copy of a data folder in which every level and strike of every session is shifted. */
export async function shiftedScenario(dataFolder: string, points: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-shifted-'))
  cpSync(join(dataFolder, 'published'), join(folder, 'published'), { recursive: true })
  const db = await openDatabase()
  for (const date of publishedSessions(folder)) {
    const before = readManifest(folder, date)!
    const datasets = { ...before.datasets }
    for (const [name, columns] of Object.entries(SHIFTED)) {
      const entry = before.datasets[name]!
      const temporary = join(folder, 'work', `${name}.tmp`)
      mkdirSync(dirname(temporary), { recursive: true })
      await db.run(
        `copy (select * replace (${columns.join(', ')}) from read_parquet($from))
         to $file (format parquet)`,
        { points, from: join(folder, 'published', entry.file), file: temporary },
      )
      const sha256 = await sha256File(temporary)
      const file = join(dirname(entry.file), `${sha256.slice(0, 16)}.parquet`)
      datasets[name] = { ...entry, file, sha256, bytes: statSync(temporary).size }
      renameSync(temporary, join(folder, 'published', file))
    }
    const revision = computeRevision({ datasets, ledger: before.ledger })
    writeManifest(folder, { ...before, datasets, revision })
  }
  db.close()
  rmSync(join(folder, 'work'), { recursive: true })
  return folder
}

export type Numbers = ReadonlyMap<string, number>

/** Every number of a response by its path; members of a list by their name, not their number. */
export function listNumbers(value: unknown, position = ''): Numbers {
  if (typeof value === 'number') return new Map([[position, value]])
  if (typeof value !== 'object' || value === null) return new Map()
  const findName = (member: unknown, index: string) => {
    if (!Array.isArray(value)) return index
    const { position_id, id, leg, oid, day, t } = (member ?? {}) as Record<string, unknown>
    return String(position_id ?? id ?? leg ?? oid ?? day ?? t ?? index)
  }
  return new Map(
    Object.entries(value).flatMap(([index, member]) => [
      ...listNumbers(member, `${position}/${findName(member, index)}`),
    ]),
  )
}

/** Ratios of levels, or of what is implied by one: these change a little where all is higher. */
const RATIO = /\/(short_delta|gap|skew)\/(value|margin)$/
/** Chosen by margins, ratios among them: it has to say what the conditions say. */
const CHANGE = /\/nearest_change\//
/** No ratio comes near the size of an index. */
const RATIO_MAX = 100
/** Of conditions, of which a ratio may be one more or fewer. */
const COUNT = /\/counts\/(on|off|unknown)$/
const COUNT_MAX = 15

/**
 * Numbers that reveal the position of the scenario: those of a response that differ in a shifted
 * scenario, or are not there, by their path. A distance is the same in both; a level, rounded or
 * not, is not.
 */
export function revealingNumbers(response: unknown, shifted: unknown): string[] {
  const [here, there] = [listNumbers(response), listNumbers(shifted)]
  const isSame = (index: string) => {
    const [one, other] = [here.get(index), there.get(index)]
    if (one === undefined || other === undefined) return false
    if (RATIO.test(index)) return Math.max(Math.abs(one), Math.abs(other)) < RATIO_MAX
    if (COUNT.test(index)) return Math.max(one, other) <= COUNT_MAX
    return Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(one))
  }
  return [...new Set([...here.keys(), ...there.keys()])]
    .filter(index => !CHANGE.test(index) && !isSame(index))
    .map(index => `${index}: ${here.get(index)} and ${there.get(index)}`)
}

type Reported = { readonly id: string; readonly [name: string]: unknown }

/** Numbers of a check's nearest change that its conditions do not state, by their path. */
export function unexplainedNumbers(check: {
  readonly conditions: readonly Reported[]
  readonly nearest_change: { readonly conditions: readonly Reported[] } | null
}): string[] {
  if (check.nearest_change === null) return []
  const explained = new Map<string, number>()
  for (const { id } of check.nearest_change.conditions) {
    const { threshold, margin, value } = check.conditions.find(one => one.id === id) as never
    const relative = margin === 0 ? 0 : margin / Math.abs(threshold === 0 ? value : threshold)
    explained.set(`/conditions/${id}/margin`, margin).set(`/conditions/${id}/relative`, relative)
    explained.set('/relative', Math.max(relative, explained.get('/relative') ?? 0))
  }
  return [...listNumbers(check.nearest_change)]
    .filter(([index, value]) => !(Math.abs(explained.get(index)! - value) <= 1e-6 * (1 + value)))
    .map(([index, value]) => `${index}: ${value}, not ${explained.get(index)}`)
}
