import { readWeek, recordedWeeks } from '../data/geo/records.ts'
import { isShared } from './reference.ts'
import { readable, type WeekReader } from './weekItems.ts'

type NewestReader = { readonly dataFolder: string; readonly reader: Pick<WeekReader, 'read'> }

/** Returns the newest instant of each shareable source among all that is known at an instant. */
export async function newestKnown(
  { dataFolder, reader }: NewestReader,
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const newest = new Map<string, number>()
  const raise = (source: string, atMs: number) => {
    if (isShared(source)) newest.set(source, Math.max(newest.get(source) ?? atMs, atMs))
  }
  for (const week of recordedWeeks(dataFolder)) {
    const { batches } = readable(() => readWeek(dataFolder, week))
    let isDivided = false
    for (const [source, { from, to }] of batches.flatMap(({ known }) => Object.entries(known))) {
      if (to <= nowMs) raise(source, to)
      else if (from <= nowMs) isDivided = true
    }
    // a part of a batch lies in the future: its records show how far the source is known
    if (!isDivided) continue
    for (const { source, updatedMs } of (await reader.read(week, nowMs)).items) {
      raise(source, updatedMs)
    }
  }
  return newest
}
