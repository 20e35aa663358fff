import { z } from 'zod'
import { MINUTE } from '../../core/market/calendar.ts'

/** Fields shared by the responses of several areas. */

export const Day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ id: 'Day', description: 'An ET trading day.', example: '2026-10-14' })

export const Minute = z.string().regex(MINUTE)

/** Periods of a session without prints. */
export const Gaps = z
  .array(z.looseObject({ from: Minute, to: Minute, minutes: z.int() }))
  .readonly()
  .meta({ description: 'Minutes in which nothing was printed, both ends included.' })
