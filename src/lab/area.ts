import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import { planAt } from '../accounts/products.ts'
import { systemTimers } from '../outbox/sending/timers.ts'
import { throttleCalls } from '../platform/pool/throttle.ts'
import type { LabAsk } from './ask.ts'
import { openViews } from './desk/views.ts'
import { LAB_ERRORS } from './errors.ts'
import { reply } from './language/dialog.ts'
import { EXAMPLES } from './language/examples.ts'
import { openMessageAdmission } from './messageAdmission.ts'
import { openModel } from './model/client.ts'
import { openLabAsk } from './openAsk.ts'
import { labPaths } from './openapi.ts'
import type { LabPageDeps } from './page/pageDeps.ts'
import { labPages, labSection, messagesUsed } from './page/pages.ts'
import { labRouter } from './routes.ts'
import { POST_METHODS, structRouter } from './runRoutes.ts'
import { lastSessionAt } from './runs/lastSession.ts'
import { openPool } from './runs/pool.ts'
import { openRunner } from './runs/runner.ts'
import { openTrades } from './runs/trades.ts'
import { LAB_TABLES } from './store/schema.ts'
import type { LabAccounts } from './store/store.ts'

/** Entry module of the processes that compute runs. */
export const ENGINE_MODULE = join(import.meta.dirname, 'runs', 'engineChild.ts')
/** Interval at which runs left behind by other servers are looked for. */
const SWEEP_MS = 5_000

type OwnAsks = { readonly lab: LabAsk }

/**
 * LAB: ideas in plain words, compiled to rules, tested, and stored with their full conversation.
 */
export const LAB_AREA = labArea(ENGINE_MODULE)

/** Builds the LAB area with the given engine module. */
export function labArea(
  engineModule: string,
): Area<unknown, LabAccounts, LabPageDeps['asks'], OwnAsks> {
  return {
    name: 'lab',
    product: 'lab',
    // messages and runs are counted by what they do
    apiProduct: { name: 'lab', errors: LAB_ERRORS, limits: [] },
    tag: { name: 'LAB', description: 'Trading ideas in plain words, as exact rules, and tested.' },
    paths: labPaths,
    methods: {
      '/api/lab/chat': POST_METHODS,
      '/api/lab/run': POST_METHODS,
      '/api/lab/idea': POST_METHODS,
      '/api/struct/run': POST_METHODS,
    },
    tables: LAB_TABLES,
    open: deps => openLab(deps, engineModule),
  }
}

function openLab(
  given: AreaDeps<unknown, LabAccounts, LabPageDeps['asks']>,
  engineModule: string,
): OpenArea<OwnAsks> {
  const { accounts, dataFolder, elapsedMs, log } = given
  // in a replay, measured by the replay's clock
  const lastSession = () => lastSessionAt(given.nowMs())
  const pool = openPool(engineModule, dataFolder)
  const shared = { nowMs: elapsedMs, timers: systemTimers }
  const runner = openRunner({ ...shared, lastSession, store: accounts.lab, pool, log })
  const trades = openTrades(dataFolder)
  const views = openViews(given)
  // plans and monthly credits use real time, also in a replay
  const own = {
    accounts,
    model: given.model && openModel(given.model),
    admission: openMessageAdmission(accounts, elapsedMs),
  }
  const deps = { ...shared, ...own, runner, trades, views, asks: given.asks }
  let stopped: Promise<void> | null = null
  const stop = () => {
    stopped ??= runner.stop()
  }
  return {
    routes: {
      '/api/lab': [throttleCalls(elapsedMs), labRouter(deps)],
      '/api/struct': [throttleCalls(elapsedMs), structRouter(deps)],
    },
    asks: { lab: openLabAsk(deps) },
    account: {
      sections: [labSection(deps)],
      pages: labPages(deps),
      usage: request => messagesUsed(deps, request),
    },
    work: [{ name: 'look after the tests of ideas', everyMs: SWEEP_MS, run: runner.sweep }],
    warm: async () => {
      const all = await accounts.listAccounts()
      if (!all.some(({ products }) => planAt(products, 'lab', elapsedMs()))) return
      pool.warm(lastSession())
      // the patterns of phrases are compiled on first use; calls are handled in between
      for (const sentence of EXAMPLES) {
        reply(sentence, null)
        await setImmediate()
      }
    },
    stop,
    close: async () => {
      stop()
      await Promise.all([stopped, trades.close(), views.close()])
    },
  }
}
