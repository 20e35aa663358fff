import { join } from 'node:path'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { findTradingSession, isDate } from '../../src/core/market/calendar.ts'
import { DEALER_KINDS, type DealerKind } from './inventory.ts'
import { SIDE_WORLDS, type SideWorldName } from './sideWorlds.ts'

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

const MAX_PRINTS = 8_000_000
const MAX_CONTRACTS = 40_000

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

const USAGE = `usage: tapefold simulate [--out FOLDER] [--day YYYY-MM-DD] ... [--data DIR]

Writes a simulated session, and the truth about its orders, into a new folder.

  --out FOLDER              a new or empty folder (simulated, in the data folder)
  --day YYYY-MM-DD          the session (${DEFAULT_OPTIONS.date})
  --seed N                  the same seed gives the same bytes (${DEFAULT_OPTIONS.seed})
  --prints N                about how many prints (${DEFAULT_OPTIONS.prints})
  --contracts N             about how many contracts are listed (${DEFAULT_OPTIONS.contracts})
  --tape KIND               calm, busy or noisy
  --pace N                  multi-leg prints a second while trading is active (${TAPE_KINDS.map(
    kind => `${kind} ${TAPE_PRESETS[kind].legPrintsPerSecond}`,
  ).join(', ')})
  --dealers KIND            what dealers hold: ${DEALER_KINDS.slice(0, 5).join(', ')},
                            ${DEALER_KINDS.slice(5).join(', ')}
  --world WORLD             how customers trade: ${Object.keys(SIDE_WORLDS).slice(0, 5).join(', ')},
                            ${Object.keys(SIDE_WORLDS).slice(5, 10).join(', ')},
                            ${Object.keys(SIDE_WORLDS).slice(10).join(', ')}
  --conditions yes|no       whether prints have trade conditions
  --quotes yes|no           whether there are quotes besides those of the prints
  --uninformative-quotes Q  quotes that are 15 minutes late: none, stated or unstated
  --stamps us|ms            precision of the times
  --threads N               threads of the engine (${DEFAULT_OPTIONS.threads})
`

/** Options of the command line. Throws one sentence that names the option and a good value. */
export function parseOptions(args: readonly string[]): SimulateOptions {
  const { values } = readArguments(args, {
    usage: USAGE,
    options: {
      data: { type: 'string', default: 'data' },
      day: { type: 'string', default: DEFAULT_OPTIONS.date },
      seed: { type: 'string', default: '1' },
      prints: { type: 'string', default: '1000000' },
      contracts: { type: 'string', default: '20000' },
      tape: { type: 'string', default: 'calm' },
      pace: { type: 'string' },
      dealers: { type: 'string', default: 'flip_below' },
      world: { type: 'string', default: DEFAULT_OPTIONS.world },
      conditions: { type: 'string', default: 'yes' },
      quotes: { type: 'string', default: 'yes' },
      'uninformative-quotes': { type: 'string', default: 'none' },
      stamps: { type: 'string', default: 'us' },
      out: { type: 'string' },
      threads: { type: 'string', default: '2' },
    },
  })
  return checkOptions({
    date: values.day,
    seed: wholeNumber('seed', values.seed, 0, 2 ** 31),
    prints: wholeNumber('prints', values.prints, 100, MAX_PRINTS),
    contracts: wholeNumber('contracts', values.contracts, 200, MAX_CONTRACTS),
    tape: parseChoice('tape', values.tape, TAPE_KINDS),
    pace: values.pace === undefined ? null : wholeNumber('pace', values.pace, 1, 1_000),
    dealers: parseChoice('dealers', values.dealers, DEALER_KINDS),
    world: parseChoice('world', values.world, Object.keys(SIDE_WORLDS) as SideWorldName[]),
    hasConditions: parseChoice('conditions', values.conditions, ['yes', 'no']) === 'yes',
    hasQuotes: parseChoice('quotes', values.quotes, ['yes', 'no']) === 'yes',
    quoteDelay: parseChoice('uninformative-quotes', values['uninformative-quotes'], [
      'none',
      'stated',
      'unstated',
    ]),
    stamps: parseChoice('stamps', values.stamps, ['us', 'ms']),
    out: values.out ?? join(values.data, 'simulated'),
    threads: wholeNumber('threads', values.threads, 1, 16),
  })
}

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

function wholeNumber(name: string, text: string, low: number, high: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= low && value <= high) return value
  throw new UsageError(`--${name} must be a whole number from ${low} to ${high}, not ${text}.`)
}

function parseChoice<const T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find(value => value === text)
  if (found) return found
  throw new UsageError(`--${name} must be one of ${allowed.join(', ')}, not ${text}.`)
}
