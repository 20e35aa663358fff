import { wallTimeEt } from '../market/calendar.ts'
import { type Html, html } from './template.ts'

/** An instant as people read it here: day and minute in New York. */
export function timeOf(atMs: number): Html {
  const { date, minute } = wallTimeEt(atMs)
  return html`<time datetime="${new Date(atMs).toISOString()}">${date} ${minute}</time>`
}

export const dayOf = (atMs: number): string => wallTimeEt(atMs).date
