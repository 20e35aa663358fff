import { wallTimeEt } from '../../core/market/calendar.ts'

/** Background work that currently fails. */
export type BackgroundFault = {
  /** Operation that the server cannot do. */
  readonly work: string
  /** Error code of the system, such as EMFILE; null for an error of another kind. */
  readonly code: string | null
  readonly sinceMs: number
}

/** Describes a fault in one line, for clients without a key: no path, hash or stack. */
export function faultText({ work, code, sinceMs }: BackgroundFault): string {
  return `since ${timeText(sinceMs)} the server cannot ${work} (${code ?? 'its log says why'})`
}

/** Error for files that this process could never read: there is no older state to return. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  readonly code: string

  constructor(code: string) {
    super(`what is published cannot be read (${code})`)
    this.code = code
  }
}

/** Formats an instant such as `2026-10-14 20:00:00 ET`. */
export function timeText(atMs: number): string {
  const { date, minute, second } = wallTimeEt(atMs)
  return `${date} ${minute}:${second} ET`
}
