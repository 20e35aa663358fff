import { endTurn } from '../../core/turn.ts'

export type GroupCounterDeps<Call, Total> = {
  /** Key of the row that counts a call. */
  readonly readKey: (call: Call) => string
  /** False when two calls of one row have to be counted by different writes. */
  readonly isAlike?: (one: Call, other: Call) => boolean
  /** Maximum rows of one write. */
  readonly rowsMax?: number
  /** Counts the calls of each row, and returns the totals in the same order. */
  readonly write: (rows: readonly (readonly Call[])[]) => Promise<readonly Total[]>
}

export type Counted<Total> = {
  readonly total: Total
  /** Calls in `total` that came after this one. */
  readonly later: number
}

type Waiting<Call, Total> = {
  readonly call: Call
  readonly settle: (counted: Counted<Total>) => void
  readonly fail: (error: unknown) => void
}

/**
 * Counts calls exactly with few writes: calls that arrive in one tick of the event loop, or while
 * others are written, share one. Resolves once the call is stored.
 */
export function openGroupCounter<Call, Total>(
  deps: GroupCounterDeps<Call, Total>,
): (call: Call) => Promise<Counted<Total>> {
  let waiting: Waiting<Call, Total>[] = []
  let isWriting = false

  const writeRows = async (rows: readonly Waiting<Call, Total>[][]) => {
    try {
      const totals = await deps.write(rows.map(calls => calls.map(({ call }) => call)))
      for (const [row, calls] of rows.entries()) {
        for (const [index, { settle }] of calls.entries()) {
          settle({ total: totals[row]!, later: calls.length - index - 1 })
        }
      }
    } catch (error) {
      for (const { fail } of rows.flat()) fail(error)
    }
  }
  const writeAll = async () => {
    while (waiting.length > 0) {
      const { rows, rest } = groupRows(waiting, deps)
      waiting = rest
      await writeRows(rows)
    }
    isWriting = false
  }
  return call =>
    new Promise((settle, fail) => {
      waiting.push({ call, settle, fail })
      if (isWriting) return
      isWriting = true
      setImmediate(writeAll)
      // calls that are counted, and then served from memory, are over in the same turn
      endTurn()
    })
}

/** Selects the calls of one write, in their order. */
function groupRows<Call, Total>(
  waiting: readonly Waiting<Call, Total>[],
  {
    readKey,
    isAlike = () => true,
    rowsMax = Number.POSITIVE_INFINITY,
  }: GroupCounterDeps<Call, Total>,
) {
  const rows = new Map<string, Waiting<Call, Total>[]>()
  const rest: Waiting<Call, Total>[] = []
  for (const one of waiting) {
    const key = readKey(one.call)
    const row = rows.get(key)
    if (!row && rows.size < rowsMax) rows.set(key, [one])
    else if (row && isAlike(row[0]!.call, one.call)) row.push(one)
    else rest.push(one)
  }
  return { rows: [...rows.values()], rest }
}
