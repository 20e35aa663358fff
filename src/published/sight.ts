import { wallTimeEt } from '../market/calendar.ts'

/** Work beside the calls that fails by now. */
export type BackgroundFault = {
  /** What the server cannot do. */
  readonly work: string
  /** Of the system, such as EMFILE; null for an error of another kind. */
  readonly code: string | null
  readonly sinceMs: number
}

/** A fault in one line, for who has no key: without a path, a hash or a stack. */
export function faultText({ work, code, sinceMs }: BackgroundFault): string {
  return `since ${timeText(sinceMs)} the server cannot ${work} (${code ?? 'its log says why'})`
}

/** Files cannot be read, and never could be by this process: there is nothing older to tell. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  readonly code: string

  constructor(code: string) {
    super(`what is published cannot be read (${code})`)
    this.code = code
  }
}

/** Such as `2026-10-14 20:00:00 ET`. */
export function timeText(atMs: number): string {
  const { date, minute, second } = wallTimeEt(atMs)
  return `${date} ${minute}:${second} ET`
}
