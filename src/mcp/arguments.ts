import { z } from 'zod'
import { BOOKS } from '../data/published/books.ts'
import { argument } from './tool.ts'

/** Arguments shared by several tools. */

const DAY = z.iso.date()
const dayText = 'a session written YYYY-MM-DD, such as 2026-10-14'
const MINUTE = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

export const day = argument(DAY, dayText)
/** An optional day; `what` describes the default. */
export const dayOr = (without: string) => argument(DAY.optional(), dayText, `left out: ${without}`)
export const minuteOr = (without: string) =>
  argument(MINUTE.optional(), 'an ET minute HH:MM, such as 10:37', `left out: ${without}`)
export const book = argument(
  z.enum(BOOKS).optional(),
  'measured, vol or oi, such as measured',
  "the dealers' book; left out: measured",
)
export const cursor = argument(
  z.string().min(1).max(200).optional(),
  'next_cursor of the answer before, such as eyJvZiI6',
  'left out: the start',
)
/** Minimum of an amount. */
export const atLeast = (what: string) =>
  argument(z.number().min(0).max(1_000_000).optional(), `a number from 0 on, such as 1.5`, what)
