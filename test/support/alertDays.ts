import type { ListEntry } from '../../src/alerts/kinds.ts'
import { groupEntries } from '../../src/alerts/rules/groups.ts'
import type { BookState, MinuteInput } from '../../src/alerts/rules/inputs.ts'
import { type LevelFinding, stepMinute, type WatchStates } from '../../src/alerts/rules/minute.ts'
import { minutesAfter } from '../../src/core/market/calendar.ts'
import { randomNumbers } from './random.ts'

/** Sessions for the rules of alerts: written by hand, or random. */

/** An ordinary session, and a half one. */
export const WHOLE_DAY = '2026-11-25'
export const HALF_DAY = '2026-11-27'

/** A state at which nothing happens: the price is well between the walls and over the flip. */
export const quiet = (minute: string, over: Partial<BookState> = {}): BookState => {
  const flip = over.flip === undefined ? 6000 : over.flip
  return {
    minute,
    spot: 6020,
    flip,
    flipLo: flip === null ? null : flip - 8,
    flipHi: flip === null ? null : flip + 8,
    roots: flip === null ? [] : [flip],
    callWall: 6050,
    putWall: 5950,
    netGamma: 100,
    ...over,
  }
}

const UNKNOWN: Omit<BookState, 'minute'> = {
  spot: null,
  flip: null,
  flipLo: null,
  flipHi: null,
  roots: [],
  callWall: null,
  putWall: null,
  netGamma: null,
}

/** A state of which nothing is known. */
export const unknownAt = (minute: string): BookState => ({ minute, ...UNKNOWN })

export const findInput = (state: BookState, day = WHOLE_DAY): MinuteInput => ({
  day,
  minute: state.minute,
  books: { measured: state, volume: state, open_interest: state },
  orders: [],
})

/** The minute of a number of minutes after 09:31. */
export const minuteAt = (index: number): string => minutesAfter('09:31', index)

type Requested = { readonly entry: ListEntry; readonly firstMinute: string | null }

/** Judges states one after the other, each from the JSON stored of the one before. */
export function stepDay(
  states: readonly (BookState | null)[],
  requested: readonly Requested[],
  day = WHOLE_DAY,
  before: WatchStates | null = null,
): { states: WatchStates | null; findings: LevelFinding[] } {
  const groups = [...groupEntries(requested).values()]
  const findings: LevelFinding[] = []
  let stored = before
  for (const state of states) {
    if (state === null) continue
    const step = stepMinute(stored, findInput(state, day), groups)
    stored = JSON.parse(JSON.stringify(step.states))
    findings.push(...step.findings)
  }
  return { states: stored, findings }
}

/** A random session on quarters of points: with several roots, jumps, and gaps of both kinds. */
export function randomDay(seed: number, length: number): (BookState | null)[] {
  const random = randomNumbers(seed)
  const chance = (share: number) => random() < share
  const quarters = (range: number) => Math.round(8 * range * (random() - 0.5)) / 4
  let [spot, flip, callWall, putWall, gamma, threshold] = [6000, 6000, 6025, 5975, 40, 12]
  let gap = { left: 0, kind: 'none' }
  const days: (BookState | null)[] = []
  for (let index = 0; index < length; index++) {
    // the price comes back to the flip, and now and then jumps
    spot += quarters(6) + Math.round((flip - spot) / 8) + (chance(0.03) ? quarters(40) : 0)
    flip += chance(0.5) ? quarters(1) : 0
    if (chance(0.03)) flip += quarters(30)
    if (chance(0.05)) callWall = 6005 + 5 * Math.floor(8 * random())
    if (chance(0.05)) putWall = 5960 + 5 * Math.floor(8 * random())
    if (chance(0.1)) threshold = Math.round(200 * random()) / 4
    gamma = Math.round(4 * (0.6 * gamma + 120 * (random() - 0.5))) / 4
    if (gap.left === 0 && chance(0.03)) {
      const kinds = ['state', 'all', 'spot', 'flip', 'walls', 'gamma']
      const kind = kinds[Math.floor(kinds.length * random())]!
      gap = { left: 1 + Math.floor(9 * random()), kind }
    }
    const roots = [flip]
    if (chance(0.4)) roots.push(flip + quarters(24))
    if (chance(0.2)) roots.push(flip + quarters(60))
    roots.sort((a, b) => a - b)
    const nearest = roots.toSorted((a, b) => Math.abs(a - spot) - Math.abs(b - spot))[0]!
    const isAway = (kind: string) => gap.left > 0 && (gap.kind === kind || gap.kind === 'all')
    const hasFlip = !isAway('spot') && !isAway('flip')
    const hasBar = hasFlip && !chance(0.05)
    const isMissing = isAway('state') && gap.kind === 'state'
    days.push(
      isMissing
        ? null
        : {
            minute: minuteAt(index),
            spot: isAway('spot') ? null : spot,
            flip: hasFlip ? nearest : null,
            flipLo: hasBar ? nearest - threshold / 2 : null,
            flipHi: hasBar ? nearest + threshold / 2 + (chance(0.1) ? 10 : 0) : null,
            roots: hasFlip ? roots : [],
            callWall: isAway('walls') ? null : callWall,
            putWall: isAway('walls') ? null : putWall,
            netGamma: isAway('gamma') ? null : chance(0.02) ? 0 : gamma,
          },
    )
    gap = { left: Math.max(0, gap.left - 1), kind: gap.kind }
  }
  return days
}
