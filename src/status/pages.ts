import { briefPage, type Page, type PageContent } from '../platform/http/page.ts'
import { JSON_TYPE } from '../platform/http/response.ts'
import { RED_RETRY_SECONDS } from './health.ts'
import { statusPage } from './page.ts'
import { publicStatus } from './publicStatus.ts'
import { wireStatus } from './routes.ts'
import type { ServiceState } from './state.ts'

/** A copy may be cached, but must be revalidated before use: it changes every second. */
const CACHING = { 'cache-control': 'no-cache' }

/**
 * The pages of the state. `/status` and `/status.json` need no account store and are always 200;
 * `/health` is 503 when it is red.
 */
export function statePages({
  status,
  health,
}: ServiceState): Record<string, () => Page | Promise<Page>> {
  return {
    '/status': openMaker(status, shownStatus =>
      textPage({
        content: statusPage(publicStatus(shownStatus)),
        contentType: 'text/html; charset=utf-8',
      }),
    ),
    '/status.json': openMaker(status, shownStatus =>
      jsonPage(wireStatus(publicStatus(shownStatus))),
    ),
    '/health': openMaker(health, async judged => {
      const shownStatus = await judged
      return shownStatus.status === 'green' ? jsonPage(shownStatus) : redPage(shownStatus)
    }),
  }
}

/** The probes of a supervisor and of a load balancer, which no limit of calls may refuse. */
export function probePages({
  ready,
}: Pick<ServiceState, 'ready'>): Record<string, () => Page | Promise<Page>> {
  const live = jsonPage({ status: 'live' })
  return {
    '/health/live': () => live,
    '/health/ready': openMaker(ready, async judged => {
      const judgement = await judged
      return judgement.status === 'ready' ? jsonPage(judgement) : redPage(judgement)
    }),
  }
}

/** Caches what is made of a frequently read object until another object is read. */
function openMaker<From extends object, Made>(look: () => From, make: (from: From) => Made) {
  let last: { readonly from: From; readonly made: Made } | null = null
  return () => {
    const from = look()
    if (last?.from !== from) last = { from, made: make(from) }
    return last.made
  }
}

const textPage = (page: Omit<PageContent, 'headers'>) => briefPage({ headers: CACHING, ...page })

const redPage = (shownStatus: object) => {
  const headers = { 'cache-control': 'no-store', 'retry-after': String(RED_RETRY_SECONDS) }
  return jsonPage(shownStatus, { status: 503, headers })
}

const jsonPage = (shownStatus: object, changes: Partial<PageContent> = {}) =>
  briefPage({
    headers: CACHING,
    content: JSON.stringify(shownStatus),
    contentType: JSON_TYPE,
    ...changes,
  })
