import type { MinuteEt } from '../../market/calendar.ts'
import type { AlertLine } from '../kinds.ts'
import type { LineRange } from '../rules/lines.ts'

/** A line that is watched; its state changes in place. */
export type WatchedLine = {
  readonly line: AlertLine
  readonly accountId: string
  readonly firstMinute: MinuteEt | null
  armed: boolean
  firedAtMs: number | null
}

/** The lines of all accounts, found by where they are: a state asks for a few of them. */
export type LineIndex = {
  readonly add: (line: WatchedLine) => void
  readonly remove: (line: WatchedLine) => void
  /** Puts a state of a line, and whether it can be armed again. */
  readonly put: (line: WatchedLine, state: { armed: boolean; firedAtMs: number | null }) => void
  /** The lines of some ranges, each once, in the order of their ids. */
  readonly find: (ranges: readonly LineRange[]) => WatchedLine[]
}

/** Lines at one level, or at prices, by their price or offset. */
type Sorted = {
  lines: WatchedLine[]
  isSorted: boolean
  readonly removed: Set<WatchedLine>
  /** Those that fired and may be armed again. */
  readonly fired: Set<WatchedLine>
}

export function openLineIndex(): LineIndex {
  const places = new Map<string, Sorted>()
  const placeOf = (key: string): Sorted => {
    const known = places.get(key)
    if (known) return known
    const place = { lines: [], isSorted: true, removed: new Set<WatchedLine>() }
    places.set(key, { ...place, fired: new Set<WatchedLine>() })
    return places.get(key)!
  }
  const putFired = (place: Sorted, watched: WatchedLine) => {
    const canFireAgain = watched.line.mode === 'repeat' && !watched.armed
    if (canFireAgain) place.fired.add(watched)
    else place.fired.delete(watched)
  }
  return {
    add: watched => {
      const place = placeOf(keyOf(watched.line))
      place.lines.push(watched)
      place.isSorted = false
      putFired(place, watched)
    },
    remove: watched => {
      const place = placeOf(keyOf(watched.line))
      place.removed.add(watched)
      place.isSorted = false
      place.fired.delete(watched)
    },
    put: (watched, { armed, firedAtMs }) => {
      Object.assign(watched, { armed, firedAtMs })
      putFired(placeOf(keyOf(watched.line)), watched)
    },
    find: ranges => {
      const found = new Set<WatchedLine>()
      for (const range of ranges) {
        const place = places.get(range.kind === 'price' ? 'price' : `${range.book} ${range.level}`)
        if (!place) continue
        for (const watched of linesIn(place, range)) found.add(watched)
      }
      return [...found].sort((a, b) => (a.line.id < b.line.id ? -1 : 1))
    },
  }
}

const keyOf = (line: AlertLine): string =>
  line.kind === 'price' ? 'price' : `${line.book} ${line.level}`

const placedAt = ({ line }: WatchedLine): number =>
  line.kind === 'price' ? line.price : line.offset

function* linesIn(place: Sorted, { isArmed, from, to }: LineRange): Generator<WatchedLine> {
  const [low, high] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY]
  if (!isArmed) {
    for (const watched of place.fired) {
      const value = placedAt(watched)
      if (low <= value && value <= high) yield watched
    }
    return
  }
  sort(place)
  const { lines } = place
  for (let at = firstFrom(lines, low); at < lines.length && placedAt(lines[at]!) <= high; at++) {
    if (lines[at]!.armed) yield lines[at]!
  }
}

/** After changes, once for all of them: mostly sorted lines take little longer than a look. */
function sort(place: Sorted): void {
  if (place.isSorted) return
  const { lines, removed } = place
  place.lines = removed.size === 0 ? lines : lines.filter(line => !removed.has(line))
  removed.clear()
  place.lines.sort((a, b) => placedAt(a) - placedAt(b))
  place.isSorted = true
}

/** The place of the first line at a value or above it. */
function firstFrom(lines: readonly WatchedLine[], value: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (placedAt(lines[middle]!) < value) low = middle + 1
    else high = middle
  }
  return low
}
