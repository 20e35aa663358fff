// Files of public records as their sources write them, and a second way to add them up, which
// shares nothing with the product: plain loops over the rows as they were made.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GeoImport, runGeoImport } from '../../pipelines/import/geo.ts'

/** An event of GDELT, in words of its own codebook. */
export type MadeEvent = {
  readonly id: string
  readonly day: string
  readonly root: string
  readonly quad: number
  readonly goldstein: string
  readonly mentions: number
  readonly fips: string
  /** 'YYYYMMDDHHMMSS' */
  readonly added: string
  readonly url: string
}

export const EVENT: MadeEvent = {
  id: '1',
  day: '20261014',
  root: '19',
  quad: 4,
  goldstein: '-10.0',
  mentions: 12,
  fips: 'UP',
  added: '20261014134500',
  url: 'https://news.example/1',
}

/** The 61 cells of the codebook, by its numbers from 1. */
export function eventLine(event: MadeEvent): string {
  const cells = new Map<number, string>([
    ...([
      [1, event.id],
      [2, event.day],
    ] as const),
    ...([
      [29, event.root],
      [30, String(event.quad)],
      [31, event.goldstein],
    ] as const),
    ...([
      [32, String(event.mentions)],
      [54, event.fips],
    ] as const),
    ...([
      [60, event.added],
      [61, event.url],
    ] as const),
  ])
  return Array.from({ length: 61 }, (_, index) => cells.get(index + 1) ?? '').join('\t')
}

export const eventsText = (events: readonly MadeEvent[]): string =>
  events.map(event => `${eventLine(event)}\n`).join('')

export const findGeoFolder = (): string => mkdtempSync(join(tmpdir(), 'tapefold-geo-'))

let count = 0

/** Imports a text as a file of a format; returns the report. */
export function importText(
  dataFolder: string,
  format: string,
  text: string | Uint8Array,
  more: Partial<GeoImport> = {},
) {
  mkdirSync(join(dataFolder, 'in'), { recursive: true })
  const file = join(dataFolder, 'in', `${format}-${count++}.txt`)
  writeFileSync(file, text)
  return runGeoImport({ dataFolder, format, files: [file], ...more })
}

/** FIPS 10-4 to ISO 3166, of the codes that differ most: written down from the two standards. */
export const ISO: Readonly<Record<string, string>> = {
  UP: 'UA',
  IS: 'IL',
  RS: 'RU',
  GM: 'DE',
  SZ: 'CH',
  CH: 'CN',
  AU: 'AT',
  AS: 'AU',
  SF: 'ZA',
  SP: 'ES',
  UK: 'GB',
  EI: 'IE',
  GZ: 'PS',
  WE: 'PS',
  RI: 'RS',
  NI: 'NG',
  NG: 'NE',
  US: 'US',
  JA: 'JP',
  KS: 'KR',
  KN: 'KP',
  IZ: 'IQ',
  BM: 'MM',
  SU: 'SD',
}

type Added = {
  events: number
  mentions: number
  goldstein: number
  known: string
  updated: string
  url: string | null
}

/** Events by day, country and root, of what was added up to a stamp: `YYYY-MM-DD UA 19`. */
export function addUp(events: readonly MadeEvent[], until: string): Map<string, Added> {
  const sums = new Map<string, Added & { best: MadeEvent }>()
  for (const event of events) {
    if (event.quad < 3 || event.mentions < 10 || event.fips === '' || event.added > until) continue
    const day = event.day.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')
    const key = `${day} ${ISO[event.fips]} ${event.root}`
    const sum = sums.get(key)
    if (!sum) {
      const first = { known: event.added, updated: event.added, url: event.url, best: event }
      const { mentions } = event
      sums.set(key, { events: 1, mentions, goldstein: Number(event.goldstein), ...first })
      continue
    }
    sum.events += 1
    sum.mentions += event.mentions
    sum.goldstein += Number(event.goldstein)
    if (event.added < sum.known) sum.known = event.added
    if (event.added > sum.updated) sum.updated = event.added
    if (isBetter(event, sum.best)) {
      sum.best = event
      sum.url = event.url
    }
  }
  return new Map(
    [...sums].map(([key, { best: _, ...sum }]) => {
      return [key, { ...sum, goldstein: sum.goldstein / sum.events }]
    }),
  )
}

/** The most named, of those the first, of those the one with the smaller name. */
function isBetter(one: MadeEvent, other: MadeEvent): boolean {
  if (one.mentions !== other.mentions) return one.mentions > other.mentions
  if (one.added !== other.added) return one.added < other.added
  return one.id < other.id
}

/** 2026-10-14T13:45:00Z of 20261014134500. */
export const findUtc = (stamp: string): string =>
  stamp.replace(/(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6Z')
