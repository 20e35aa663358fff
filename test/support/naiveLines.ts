// Times at which lines are reported, written from the words of the design alone, with all
// minutes at once. Shares no code with src/alerts.

type Requested = {
  readonly mode: 'once' | 'repeat'
  readonly direction: 'any' | 'above' | 'below'
}

/** A line at a price over the spots of sessions, one after the other; null: not known. */
export function naiveLine(
  sessions: readonly (readonly (number | null)[])[],
  line: Requested & { readonly price: number },
): { session: number; index: number; direction: string }[] {
  const reported: { session: number; index: number; direction: string }[] = []
  let isArmed = true
  let last: { session: number; index: number; spot: number } | null = null
  for (const [session, spots] of sessions.entries()) {
    for (const [index, spot] of spots.entries()) {
      if (spot === null) continue
      const before: typeof last = last
      last = { session, index, spot }
      if (before === null) continue
      const isLost = before.session === session && index - before.index > 6
      if (isLost) continue
      const wasOver = before.spot >= line.price
      const isOver = spot >= line.price
      const isHit = wasOver !== isOver || (spot === line.price && before.spot !== line.price)
      const direction = isOver ? 'above' : 'below'
      if (isHit && isArmed && (line.direction === 'any' || line.direction === direction)) {
        reported.push({ session, index, direction })
        isArmed = false
      }
      if (line.mode === 'repeat' && Math.abs(spot - line.price) >= 2) isArmed = true
    }
  }
  return reported
}

/** A line at a level of one session; null: the spot, or the level, is not known. */
export function naiveLevelLine(
  spots: readonly (number | null)[],
  levels: readonly (number | null)[],
  line: Requested & { readonly offset: number; readonly mayMove: number },
): { index: number; direction: string }[] {
  const reported: { index: number; direction: string }[] = []
  const lastKnown = (list: readonly (number | null)[], index: number) => {
    for (let back = 1; back <= 6; back++) {
      const value = list[index - back]
      if (value !== null && value !== undefined) return value
    }
    return null
  }
  let isArmed = true
  for (const [index, spot] of spots.entries()) {
    const level = levels[index] ?? null
    const [before, levelBefore] = [lastKnown(spots, index), lastKnown(levels, index)]
    if (spot === null || level === null || before === null || levelBefore === null) continue
    if (Math.abs(level - levelBefore) > line.mayMove) continue
    const position = level + line.offset
    const isOver = spot >= position
    const isHit = isOver !== before >= position || (spot === position && before !== position)
    const direction = isOver ? 'above' : 'below'
    if (isHit && isArmed && (line.direction === 'any' || line.direction === direction)) {
      reported.push({ index, direction })
      isArmed = false
    }
    if (line.mode === 'repeat' && Math.abs(spot - position) >= 2) isArmed = true
  }
  return reported
}
