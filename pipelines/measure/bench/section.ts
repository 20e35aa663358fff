/** Sections of a bench: their measurements, and the targets that they have to reach. */

/** Measured rows by their name, each with its figures by theirs. */
export type Rows = Readonly<Record<string, Readonly<Record<string, number>>>>

/** One requirement on the speed, its measurement, and whether it is met. */
export type Target = {
  readonly what: string
  readonly measured: number
  readonly demand: 'at most' | 'at least'
  readonly limit: number
  readonly unit: 'x' | 's' | 'MiB' | 'KB' | 'ms' | 'requests' | 'of the window'
  readonly is_met: boolean
}

/** Work of a bench that several sections share: a session is simulated and built once. */
export type Bench = {
  /** The private work folder. */
  readonly folder: string
  readonly prints: number
  readonly contracts: number
  readonly inversions: number
  /** Rounds of each load on each server, and how long one is. */
  readonly rounds: number
  readonly roundSeconds: number
  /** Duration of each load, with careful accounts calling at the same time. */
  readonly fairSeconds: number
  /** Sessions that an idea is tested on. */
  readonly labSessions: number
  readonly prototypeFile?: string
  readonly say: (line: string) => void
}

export type Section = {
  readonly name: string
  /** Its measurements in words, for the help and for the heading of its table. */
  readonly about: string
  /** True when it takes many minutes: measured on request alone. */
  readonly isLong?: true
  readonly measure: (bench: Bench) => Promise<Rows>
  /** Its targets; of a size that is not the full one some are not judged. */
  readonly targets?: (rows: Rows, all: Readonly<Record<string, Rows>>) => readonly Target[]
}

/** A figure of a row; fails when it was not measured. */
export function figure(rows: Rows | undefined, row: string, name: string): number {
  const value = rows?.[row]?.[name]
  if (value === undefined) throw new Error(`${name} of ${row} was not measured`)
  return value
}

export function atMost(
  what: string,
  measured: number,
  limit: number,
  unit: Target['unit'] = 'x',
): Target {
  return { what, measured, demand: 'at most', limit, unit, is_met: measured <= limit }
}

export function atLeast(what: string, measured: number, limit: number): Target {
  return { what, measured, demand: 'at least', limit, unit: 'x', is_met: measured >= limit }
}

/** 1,000,000. */
export const count = (value: number): string => Math.round(value).toLocaleString('en-US')
