import { join } from 'node:path'
import { UsageError } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { findTradingSession, isDate } from '../../src/core/market/calendar.ts'
import type { DealerKind } from './inventory.ts'
import type { SIMULATE } from './rows.ts'
import type { SideWorldName } from './sideWorlds.ts'

/** Difficulty of folding the tape. */
export type TapeKind = (typeof TAPE_KINDS)[number]

const TAPE_KINDS = ['calm', 'busy', 'noisy'] as const

/**
 * Lag of the quotes behind the trades. `stated`: 15 minutes, and every quote has its time.
 * `unstated`: 15 minutes, prints give no quote time and the minute quotes claim to be fresh.
 */
export type QuoteDelay = 'none' | 'stated' | 'unstated'

/** Options of `tapefold simulate`. */
export type SimulateOptions = {
  readonly date: string
  readonly seed: number
  /** Prints wanted, cancels included; the last order may add a few more. */
  readonly prints: number
  /** Contracts listed, about. */
  readonly contracts: number
  readonly tape: TapeKind
  /** Multi-leg prints a second while the tape is active; null: that of the kind of tape. */
  readonly pace: number | null
  /** False hides every condition letter and trade identifier, as some vendors do. */
  readonly hasConditions: boolean
  readonly hasQuotes: boolean
  readonly quoteDelay: QuoteDelay
  /** Precision of the print times. */
  readonly stamps: 'us' | 'ms'
  /** Kind of dealers: what they hold of the morning's open interest; `flip_below` by default. */
  readonly dealers?: DealerKind
  /** How customers price and size their orders, and how many of them buy. */
  readonly world: SideWorldName
  /** Folder for the files; it must not hold a session yet. */
  readonly out: string
  readonly threads: number
}

/** The session that `tapefold simulate` makes by default. */
export const DEFAULT_OPTIONS: SimulateOptions = {
  date: '2026-10-15',
  seed: 1,
  prints: 1_000_000,
  contracts: 20_000,
  tape: 'calm',
  pace: null,
  hasConditions: true,
  hasQuotes: true,
  quoteDelay: 'none',
  stamps: 'us',
  world: 'middle',
  out: 'data/simulated',
  threads: 2,
}

/** Properties that make one kind of tape harder than another. */
export type TapePreset = {
  /** Multi-leg prints a second while the tape is active. */
  readonly legPrintsPerSecond: number
  /** Share of arrivals that follow another by milliseconds. */
  readonly burstShare: number
  /** Share of packages that fill in several parts. */
  readonly partialShare: number
  /** Share of legs that print well after their package. */
  readonly lateLegShare: number
  /** Share of packages traded on the floor. */
  readonly floorShare: number
  /** Share of floor legs that are keyed seconds after the leg before. */
  readonly slowKeyShare: number
}

/** The three tapes. Calm has the market's own rate. */
const TAPE_PRESETS: Readonly<Record<TapeKind, TapePreset>> = {
  calm: {
    legPrintsPerSecond: 16,
    burstShare: 0.4,
    partialShare: 0.35,
    lateLegShare: 0.01,
    floorShare: 0.02,
    slowKeyShare: 0.04,
  },
  busy: {
    legPrintsPerSecond: 90,
    burstShare: 0.5,
    partialShare: 0.4,
    lateLegShare: 0.01,
    floorShare: 0.02,
    slowKeyShare: 0.04,
  },
  noisy: {
    legPrintsPerSecond: 50,
    burstShare: 0.45,
    partialShare: 0.4,
    lateLegShare: 0.15,
    floorShare: 0.05,
    slowKeyShare: 0.08,
  },
}

/** Returns the preset of the tape, at its own rate or the given one. */
export function buildPreset({ tape, pace }: Pick<SimulateOptions, 'tape' | 'pace'>): TapePreset {
  const preset = TAPE_PRESETS[tape]
  return { ...preset, legPrintsPerSecond: pace ?? preset.legPrintsPerSecond }
}

/** Options of the command line, checked. */
export const parseOptions = (input: Input<typeof SIMULATE>): SimulateOptions =>
  checkOptions({
    date: input.day,
    seed: input.seed,
    prints: input.prints,
    contracts: input.contracts,
    tape: input.tape,
    pace: input.pace ?? null,
    dealers: input.dealers,
    world: input.world,
    hasConditions: input.conditions === 'yes',
    hasQuotes: input.quotes === 'yes',
    quoteDelay: input['uninformative-quotes'],
    stamps: input.stamps,
    out: input.out ?? join(input.data, 'simulated'),
    threads: input.threads,
  })

/** Refuses a day without a session. */
export function checkOptions(options: SimulateOptions): SimulateOptions {
  if (!isDate(options.date)) {
    throw new UsageError(`--day must be a date such as 2026-10-15, not ${options.date}.`)
  }
  if (!findTradingSession(options.date)) {
    throw new UsageError(
      `--day must be a trading day such as 2026-10-15; ${options.date} is not one.`,
    )
  }
  return options
}
