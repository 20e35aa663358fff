import type { Row } from '../../src/core/engine/database.ts'

/** Offsets at which tapes are put next to each other in a session, microseconds from 09:30 ET. */
export type Stretch = { readonly fromUs: number; readonly overUs: number }

/** Tapes one after the other over a stretch of one session, numbered through. */
export function sideBySide(
  tapes: readonly (readonly Row[])[],
  { fromUs, overUs }: Stretch = { fromUs: 300e6, overUs: 20_000e6 },
): Row[] {
  let sequence = 0
  return tapes.flatMap((rows, index) => {
    const first = Math.min(...rows.map(row => listMicroseconds(row.printed_at)))
    const shift = fromUs + Math.floor((index * overUs) / tapes.length) - first
    const shifted = (at: Row[string]) => findInstant(listMicroseconds(at) + shift)
    return rows.map(row => ({
      ...row,
      sequence: ++sequence,
      printed_at: shifted(row.printed_at),
      known_at: shifted(row.known_at),
    }))
  })
}

/** The instant so many microseconds after 09:30 ET of the test session. */
export function findInstant(us: number): string {
  const second = Math.floor(us / 1e6)
  const clock = new Date(Date.UTC(2026, 9, 13, 13, 30, second)).toISOString().slice(0, 19)
  return `${clock.replace('T', ' ')}.${String(us - second * 1e6).padStart(6, '0')}`
}

/** Microseconds of such an instant after 09:30 ET of the test session. */
export function listMicroseconds(instant: Row[string]): number {
  const [second, fraction] = String(instant).split('.')
  const seconds = (Date.parse(`${second}Z`) - Date.UTC(2026, 9, 13, 13, 30)) / 1_000
  return seconds * 1e6 + Number(fraction)
}
