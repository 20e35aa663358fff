import type { MinuteEt } from '../../core/market/calendar.ts'
import type { AlertLine } from '../kinds.ts'
import type { LineRange } from '../rules/lines.ts'

/** A watched line; its state changes in place. */
export type WatchedLine = {
  readonly line: AlertLine
  readonly accountId: string
  readonly firstMinute: MinuteEt | null
  armed: boolean
  firedAtMs: number | null
}

/** The lines of all accounts, indexed by price or offset: a state looks up only a few of them. */
export type LineIndex = {
  readonly add: (line: WatchedLine) => void
  readonly remove: (line: WatchedLine) => void
  /** Stores the state of a line. */
  readonly put: (line: WatchedLine, state: { armed: boolean; firedAtMs: number | null }) => void
  /** Lines within some ranges, each once, in the order of their ids. */
  readonly find: (ranges: readonly LineRange[]) => WatchedLine[]
}

/** Lines at one level, or at prices, by their price or offset. */
type Sorted = {
  lines: WatchedLine[]
  isSorted: boolean
  readonly removed: Set<WatchedLine>
  /** Lines that fired and may be rearmed. */
  readonly fired: Set<WatchedLine>
}

export function openLineIndex(): LineIndex {
  const lists = new Map<string, Sorted>()
  const ensureList = (key: string): Sorted => {
    const known = lists.get(key)
    if (known) return known
    const list = { lines: [], isSorted: true, removed: new Set<WatchedLine>() }
    lists.set(key, { ...list, fired: new Set<WatchedLine>() })
    return lists.get(key)!
  }
  const putFired = (list: Sorted, watched: WatchedLine) => {
    const canFireAgain = watched.line.mode === 'repeat' && !watched.armed
    if (canFireAgain) list.fired.add(watched)
    else list.fired.delete(watched)
  }
  return {
    add: watched => {
      const list = ensureList(listKey(watched.line))
      list.lines.push(watched)
      list.isSorted = false
      putFired(list, watched)
    },
    remove: watched => {
      const list = ensureList(listKey(watched.line))
      list.removed.add(watched)
      list.isSorted = false
      list.fired.delete(watched)
    },
    put: (watched, { armed, firedAtMs }) => {
      Object.assign(watched, { armed, firedAtMs })
      putFired(ensureList(listKey(watched.line)), watched)
    },
    find: ranges => {
      const found = new Set<WatchedLine>()
      for (const range of ranges) {
        const list = lists.get(range.kind === 'price' ? 'price' : `${range.book} ${range.level}`)
        if (!list) continue
        for (const watched of linesIn(list, range)) found.add(watched)
      }
      return [...found].sort((a, b) => (a.line.id < b.line.id ? -1 : 1))
    },
  }
}

const listKey = (line: AlertLine): string =>
  line.kind === 'price' ? 'price' : `${line.book} ${line.level}`

const sortKey = ({ line }: WatchedLine): number =>
  line.kind === 'price' ? line.price : line.offset

function* linesIn(list: Sorted, { isArmed, from, to }: LineRange): Generator<WatchedLine> {
  const [low, high] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY]
  if (!isArmed) {
    for (const watched of list.fired) {
      const value = sortKey(watched)
      if (low <= value && value <= high) yield watched
    }
    return
  }
  sort(list)
  const { lines } = list
  for (let at = firstFrom(lines, low); at < lines.length && sortKey(lines[at]!) <= high; at++) {
    if (lines[at]!.armed) yield lines[at]!
  }
}

/** Sorts once after a set of changes: nearly sorted lines take little longer than a scan. */
function sort(list: Sorted): void {
  if (list.isSorted) return
  const { lines, removed } = list
  list.lines = removed.size === 0 ? lines : lines.filter(line => !removed.has(line))
  removed.clear()
  list.lines.sort((a, b) => sortKey(a) - sortKey(b))
  list.isSorted = true
}

/** Returns the index of the first line at or above a value. */
function firstFrom(lines: readonly WatchedLine[], value: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sortKey(lines[middle]!) < value) low = middle + 1
    else high = middle
  }
  return low
}
