// Events of a whole session, written from the words of the design alone: arrays of a day instead
// of steps, looking back from every minute. Shares no code with src/alerts.

import type { ListEntry } from '../../src/alerts/kinds.ts'

type Known = {
  readonly spot: number | null
  readonly flip: number | null
  readonly flipLo: number | null
  readonly flipHi: number | null
  readonly roots: readonly number[]
  readonly callWall: number | null
  readonly putWall: number | null
  readonly netGamma: number | null
}
/** One element a minute from 09:31 on; null: there is no such state. */
export type NaiveDay = readonly (Known | null)[]

export type NaiveEvent = {
  readonly index: number
  readonly subject: string
  readonly value: number
  readonly from?: number
  readonly direction: string
}

const WALL_FIELDS = { call_wall: 'callWall', put_wall: 'putWall' } as const

/** Stretches of known minutes between which more than five in a row are unknown. */
function stretches(known: readonly boolean[]): number[][] {
  const all: number[][] = []
  let current: number[] = []
  for (const [index, isKnown] of known.entries()) {
    if (!isKnown) continue
    const last = current.at(-1)
    if (last !== undefined && index - last > 6) {
      all.push(current)
      current = []
    }
    current.push(index)
  }
  if (current.length > 0) all.push(current)
  return all
}

/** True when `count` minutes in a row up to `index`, all after `after`, pass the test. */
function stood(index: number, count: number, after: number, test: (index: number) => boolean) {
  for (let back = 0; back < count; back++) {
    const minute = index - back
    if (minute <= after || !test(minute)) return false
  }
  return true
}

/** All events of an entry that sees the day from an index on. */
export function naiveEvents(day: NaiveDay, entry: ListEntry, from = 0): NaiveEvent[] {
  const seen = day.map((state, index) => (index < from ? null : state))
  switch (entry.type) {
    case 'flip_cross':
      return flipCrosses(seen, entry)
    case 'regime_change':
      return regimeChanges(day, seen, entry.confirm)
    case 'flip_move':
      return flipMoves(seen, entry.threshold_points, entry.confirm)
    case 'wall_break':
      return entry.walls.flatMap(wall => wallBreaks(seen, wall, entry))
    case 'wall_move':
      return entry.walls.flatMap(wall => wallMoves(seen, wall, entry))
    case 'level_near':
      return entry.levels.flatMap(level => nears(seen, level, entry.threshold_points))
  }
}

function flipCrosses(day: NaiveDay, entry: ListEntry & { type: 'flip_cross' }): NaiveEvent[] {
  const events: NaiveEvent[] = []
  const followed: number[] = []
  /** Price minus the followed root, or null where that is not far enough to count. */
  const beyond = (index: number): number | null => {
    const { spot, flipLo, flipHi } = day[index]!
    const root = followed[index]!
    const away = spot! - root
    const hasBar = flipLo !== null && flipHi !== null
    const auto = hasBar ? Math.max(1, Math.min(5, (flipHi - flipLo) / 8)) : 5
    const margin = entry.margin_points === 'auto' ? auto : entry.margin_points
    if (Math.abs(away) < margin) return null
    if (!entry.certain) return away
    if (!hasBar || root > flipHi || root < flipLo) return null
    return spot! > flipHi || spot! < flipLo ? away : null
  }
  for (const stretch of stretches(day.map(s => s !== null && s.spot !== null && s.flip !== null))) {
    let isOver = false
    let since = -1
    for (const [position, index] of stretch.entries()) {
      const { spot, flip, roots } = day[index]!
      const last = position === 0 ? undefined : followed[stretch[position - 1]!]!
      let root: number | undefined
      if (last !== undefined) {
        for (const one of roots) {
          if (Math.abs(one - last) > 10) continue
          if (root === undefined || Math.abs(one - last) < Math.abs(root - last)) root = one
        }
        if (root !== undefined && Math.abs(spot! - root) > 2 * Math.abs(spot! - flip!)) {
          root = undefined
        }
      }
      if (root === undefined) {
        followed[index] = flip!
        isOver = spot! >= flip!
        since = index
        continue
      }
      followed[index] = root
      const isTurned = stood(index, entry.confirm, since, minute => {
        if (!stretch.includes(minute)) return false
        const away = beyond(minute)
        return away !== null && (isOver ? away < 0 : away >= 0)
      })
      if (!isTurned) continue
      isOver = !isOver
      since = index
      const direction = isOver ? 'above' : 'below'
      events.push({ index, subject: 'flip', value: root, direction })
    }
  }
  return events
}

function wallBreaks(
  day: NaiveDay,
  name: 'call_wall' | 'put_wall',
  { confirm, margin_points }: ListEntry & { type: 'wall_break' },
): NaiveEvent[] {
  const events: NaiveEvent[] = []
  const isCall = name === 'call_wall'
  const wallAt = (index: number) => day[index]?.[WALL_FIELDS[name]] ?? null
  const isOut = (spot: number, wall: number) => (isCall ? spot >= wall : spot < wall)
  const isFar = (spot: number, wall: number) => Math.abs(spot - wall) >= margin_points
  const known = day.map(
    (state, index) => state !== null && state.spot !== null && wallAt(index) !== null,
  )
  for (const stretch of stretches(known)) {
    for (const index of stretch) {
      const wall = wallAt(index)!
      // all minutes of this stretch in which this was the wall
      const own = stretch.filter(minute => minute <= index && wallAt(minute) === wall)
      let isBroken = isOut(day[own[0]!]!.spot!, wall)
      let since = own[0]!
      for (const minute of own.slice(0, -1)) {
        const { spot } = day[minute]!
        if (isFar(spot!, wall) && !isOut(spot!, wall)) isBroken = false
        if (events.some(event => event.index === minute)) {
          isBroken = true
          since = minute
        }
      }
      if (isBroken) continue
      const isReported = stood(index, confirm, since, minute => {
        if (!own.includes(minute)) return false
        const { spot } = day[minute]!
        return isFar(spot!, wall) && isOut(spot!, wall)
      })
      const direction = isCall ? 'above' : 'below'
      if (isReported) events.push({ index, subject: name, value: wall, direction })
    }
  }
  return events
}

function regimeChanges(whole: NaiveDay, day: NaiveDay, confirm: number): NaiveEvent[] {
  const events: NaiveEvent[] = []
  const gammaAt = (index: number) => day[index]?.netGamma ?? null
  const isLarge = (index: number) => {
    const sizes = whole.slice(0, index + 1).map(state => Math.abs(state?.netGamma ?? 0))
    return Math.abs(gammaAt(index)!) >= 0.05 * Math.max(...sizes)
  }
  for (const stretch of stretches(day.map((_, index) => gammaAt(index) !== null))) {
    const first = stretch.find(index => gammaAt(index) !== 0)
    if (first === undefined) continue
    let sign = Math.sign(gammaAt(first)!)
    let since = first
    for (const index of stretch.filter(minute => minute > first)) {
      const isOther = (minute: number) =>
        stretch.includes(minute) && Math.sign(gammaAt(minute)!) === -sign && isLarge(minute)
      if (!stood(index, confirm, since, isOther)) continue
      const before = stretch.findLast(
        minute => minute < index && Math.sign(gammaAt(minute)!) === sign,
      )!
      sign = -sign
      since = index
      const direction = sign > 0 ? 'positive' : 'negative'
      const [value, from] = [gammaAt(index)!, gammaAt(before)!]
      events.push({ index, subject: 'net_gamma', value, from, direction })
    }
  }
  return events
}

function wallMoves(
  day: NaiveDay,
  name: 'call_wall' | 'put_wall',
  { confirm, min_points }: ListEntry & { type: 'wall_move' },
): NaiveEvent[] {
  const events: NaiveEvent[] = []
  const wallAt = (index: number) => day[index]?.[WALL_FIELDS[name]] ?? null
  for (const stretch of stretches(day.map((_, index) => wallAt(index) !== null))) {
    let reported = wallAt(stretch[0]!)!
    for (const index of stretch) {
      const wall = wallAt(index)!
      if (wall === reported || Math.abs(wall - reported) < min_points) continue
      if (!stood(index, confirm, stretch[0]!, minute => wallAt(minute) === wall)) continue
      const direction = wall > reported ? 'up' : 'down'
      events.push({ index, subject: name, value: wall, from: reported, direction })
      reported = wall
    }
  }
  return events
}

function flipMoves(day: NaiveDay, threshold: number, confirm: number): NaiveEvent[] {
  const events: NaiveEvent[] = []
  const flipAt = (index: number) => day[index]?.flip ?? null
  for (const stretch of stretches(day.map((_, index) => flipAt(index) !== null))) {
    let reported = flipAt(stretch[0]!)!
    let since = stretch[0]!
    for (const index of stretch) {
      const isFar = (minute: number) =>
        flipAt(minute) !== null && Math.abs(flipAt(minute)! - reported) >= threshold
      if (!stood(index, confirm, since, isFar)) continue
      const flip = flipAt(index)!
      const direction = flip > reported ? 'up' : 'down'
      events.push({ index, subject: 'flip', value: flip, from: reported, direction })
      reported = flip
      since = index
    }
  }
  return events
}

function nears(
  day: NaiveDay,
  name: 'flip' | 'call_wall' | 'put_wall',
  threshold: number,
): NaiveEvent[] {
  const events: NaiveEvent[] = []
  const field = name === 'flip' ? 'flip' : WALL_FIELDS[name]
  const levelAt = (index: number) => day[index]?.[field] ?? null
  const known = day.map(
    (state, index) => state !== null && state.spot !== null && levelAt(index) !== null,
  )
  for (const stretch of stretches(known)) {
    let waits = false
    for (const [position, index] of stretch.entries()) {
      const level = levelAt(index)!
      const { spot } = day[index]!
      const distance = Math.abs(spot! - level)
      const last = position === 0 ? null : levelAt(stretch[position - 1]!)!
      const stays = last !== null && Math.abs(level - last) <= (name === 'flip' ? 10 : 0)
      if (!stays) waits = distance > threshold
      else if (distance >= 2 * threshold && distance > threshold) waits = true
      else if (waits && distance <= threshold) {
        waits = false
        const direction = spot! >= level ? 'above' : 'below'
        events.push({ index, subject: name, value: level, direction })
      }
    }
  }
  return events
}
