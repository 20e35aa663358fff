import type { MinuteEt } from '../../core/market/calendar.ts'
import type { Catalog, Found } from './catalog.ts'
import { latestMinute } from './stateMinutes.ts'

/** Interval at which a server looks for a new minute. */
const LOOK_EVERY_MS = 1_000

/**
 * Background work that runs once for each new minute or revision of the newest session; `minute` is
 * the newest one that can be judged. A failure is retried with the next minute, or by a client's
 * request.
 */
export function workOfNewMinutes(
  { catalog, nowMs }: { readonly catalog: Catalog; readonly nowMs: () => number },
  name: string,
  run: (newest: Found, minute: MinuteEt | null) => unknown,
) {
  let done = ''
  const look = async () => {
    const newest = catalog.newest()
    if (!newest) return
    const minute = latestMinute(newest, nowMs())
    const seen = `${newest.manifest.revision} ${newest.knownBeforeMs} ${minute}`
    if (seen === done) return
    done = seen
    await run(newest, minute)
  }
  return { name, everyMs: LOOK_EVERY_MS, run: look }
}
