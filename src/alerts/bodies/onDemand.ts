import { isoTimeEt, wallTimeEt } from '../../core/market/calendar.ts'
import type { BodyPart } from './bodyPart.ts'

/** Bodies of tests that an account requests, without their id. */

/** Of the alerts. */
export const alertsTestBody = (atMs: number): BodyPart => ({
  type: 'test',
  symbol: 'SPX',
  ts: isoTimeEt(atMs),
  day: wallTimeEt(atMs).date,
  text: 'Test of the alerts webhook, sent on demand.',
})

/** Of one position. */
export const positionTestBody = (positionId: string, atMs: number): BodyPart => ({
  type: 'test',
  ts: isoTimeEt(atMs),
  day: wallTimeEt(atMs).date,
  position_id: positionId,
  text: `Test of the webhook of position ${positionId}, sent on demand.`,
})
