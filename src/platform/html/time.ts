import { wallTimeEt } from '../../core/market/calendar.ts'
import { type Html, html } from './template.ts'

/** Formats an instant for people: day and minute in New York. */
export function renderTime(atMs: number): Html {
  const { date, minute } = wallTimeEt(atMs)
  return html`<time datetime="${new Date(atMs).toISOString()}">${date} ${minute}</time>`
}

export const formatDay = (atMs: number): string => wallTimeEt(atMs).date
