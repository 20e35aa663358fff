import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openCatalog } from '../../src/data/published/catalog.ts'
import { ORDERS_AREA } from '../../src/orders/area.ts'
import { createHttpServer } from '../../src/platform/http/server.ts'
import { NO_NOTICES, openNotices } from '../../src/platform/notices/notices.ts'
import type { RequestScheduler } from '../../src/platform/pool/requestScheduler.ts'
import { webhookTools } from '../../src/platform/webhooks/tools.ts'
import { openPositions, POSITIONS_AREA } from '../../src/positions/area.ts'
import type { Judge } from '../../src/positions/marketValues.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { createApp } from '../../src/server/app.ts'
import { createBackground } from '../../src/server/background.ts'

export type ServedScheduler = {
  readonly url: string
  readonly accounts: ServerStore
  /** A new account of the largest plan, with a key and with strangles of these short puts. */
  readonly addAccount: (
    shortPuts: readonly number[],
  ) => Promise<{ accountId: string; key: string; ids: readonly string[] }>
  readonly close: () => Promise<void>
}

/**
 * Serves a folder of 2026-10-15 by a scheduler and a judge of the test's own, after the session.
 */
export async function serveScheduler(options: {
  readonly dataFolder: string
  readonly scheduler: RequestScheduler
  readonly judge: Judge
  /** Takes the messages of errors. */
  readonly errors: string[]
}): Promise<ServedScheduler> {
  const { dataFolder, scheduler, judge, errors } = options
  const nowMs = () => Date.parse('2026-10-16T04:00:00Z')
  const log = { info: () => {}, error: (_: object, message: string) => void errors.push(message) }
  const accounts = await openAccountStore(join(dataFolder, 'accounts.sqlite'))
  const background = createBackground({ log, nowMs })
  const notices = openNotices(NO_NOTICES, nowMs)
  const webhooks = webhookTools({ dataFolder })
  const shared = { accounts, notices, webhooks, log, nowMs, elapsedMs: nowMs }
  const deps = {
    ...shared,
    dataFolder,
    scheduler,
    catalog: openCatalog({ dataFolder, nowMs, log }),
    isWarmed: false,
    isLive: false,
    isReplay: false,
    sharesPrints: false,
    publishGraceMs: 0,
    alarmEveryMs: 1_000,
    judgedForMs: undefined,
    faults: background.faults,
    asks: {},
    others: () => [],
    publicUrl: null,
    oauthIssuer: null,
    model: null,
  }
  const positions = { area: POSITIONS_AREA, open: openPositions(deps, judge) }
  const orders = { area: ORDERS_AREA, open: ORDERS_AREA.open(deps) }
  const server = createHttpServer(createApp({ ...shared, areas: [orders, positions] }), log)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    accounts,
    addAccount: async shortPuts => {
      const account = { name: 'desk', plan: 'orders_team', createdAtMs: 0 } as const
      const { id: accountId } = await accounts.addAccount(account)
      const made = { accountId, scope: 'orders', name: 'a', createdAtMs: 0 } as const
      const key = (await accounts.addKey(made))!.apiKey
      const headers = { authorization: `Bearer ${key}` }
      const ids: string[] = []
      for (const sp of shortPuts) {
        const position = { kind: 'strangle', legs: { sp, sc: 6100 }, entry: '10:30' }
        const body = JSON.stringify({ op: 'add', position })
        const response = await fetch(`${url}/api/positions`, { method: 'POST', headers, body })
        ids.push(((await response.json()) as { id: string }).id)
      }
      return { accountId, key, ids }
    },
    close: async () => {
      server.close()
      await accounts.close()
      await orders.open.close?.()
    },
  }
}
