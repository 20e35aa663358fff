import { neighbourSession, wallTimeEt } from '../core/market/calendar.ts'
import { ApiError } from '../platform/http/error.ts'
import type { Offers } from '../platform/http/offers.ts'
import { type GeoReader, readReleases } from './ask.ts'
import { utcText } from './wire.ts'

/** Releases for the pages of sessions. */
export const geoOffers = (geo: GeoReader, nowMs: () => number): Pick<Offers, 'releases'> => ({
  releases: async ({ day }) => {
    const days = { from: neighbourSession(day, -1).date, to: day, session: day }
    try {
      const { releases, isSimulated } = await readReleases(geo, days, nowMs())
      return releases.map(({ label, country, minute, url, knownMs }) => ({
        label,
        country,
        minute,
        url,
        simulated: isSimulated,
        known_at: utcText(knownMs),
        time: timeOn(day, knownMs),
      }))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'damaged') return null
      throw error
    }
  },
})

/** The minute of an instant in New York, with its day if that differs. */
function timeOn(day: string, atMs: number): string {
  const { date, minute } = wallTimeEt(atMs)
  return date === day ? minute : `${date} ${minute}`
}
