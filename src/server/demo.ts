import { createServer, type Server } from 'node:http'
import type { CommandContext } from '../accounts/commandContext.ts'
import { systemClock } from '../core/clock.ts'
import type { Input } from '../core/commandRow.ts'
import { runPipeline } from '../core/pipeline.ts'
import { stopSignal } from '../core/stop.ts'
import { openReplayUntilClose } from '../data/published/replay.ts'
import type { Config } from '../platform/config.ts'
import { ApiError } from '../platform/http/error.ts'
import { COMMON_ERRORS, toErrorResponse } from '../platform/http/errors/catalogue.ts'
import { sendError } from '../platform/http/response.ts'
import { NO_NOTICES } from '../platform/notices/notices.ts'
import { openAccounts } from './accountStore.ts'
import type { DEMO } from './commandRows.ts'
import { startHistoryProcess } from './demoHistory.ts'
import { listenAt, listenRefusal } from './listen.ts'
import { listen, startWatcher } from './serve.ts'
import type { WatchChild } from './watchChild.ts'

/** Day that the demo simulates, and the start of its clock. */
const DEMO_START = '2026-10-15T09:31'
/** Newest session for LAB tests. */
const HISTORY_UNTIL = '2026-10-14'
const COMMAND = 'npm run tapefold --'
const WORDS = 'At 10:00 sell the 10-wide put spread 30 points below spot if net gamma is positive.'
const IDEA = `{"message": "${WORDS}"}`
const TEST = '{"id": "i_…", "kind": "backtest"}'

/** Runs `tapefold demo`: simulates and builds a session, then serves it as if it ran now. */
export async function demoCommand(
  input: Input<typeof DEMO>,
  context: Pick<CommandContext, 'config'>,
): Promise<number> {
  // the demo's account does not belong among real ones
  const alone = { databaseUrl: null, metricsPort: null, notices: NO_NOTICES }
  const config: Config = { ...context.config, ...alone }
  const positions = input['without-positions'] ? ['--without-positions'] : []
  const options = ['--prints', String(input.prints), ...positions]
  const build = () => runPipeline(['demosession', '--data', config.dataFolder, ...options])
  const { speed, history: sessions } = input
  if (input.once) return build()

  const stopped = stopSignal()
  const wanted = { ...config, port: input.port ?? config.port }
  const code = await whileHeld(wanted, build)
  if (code !== 0) return code
  const when = `${DEMO_START}x${speed}`
  const beganMs = systemClock.nowMs()
  const clock = openReplayUntilClose(config.dataFolder, when)
  const server = await listen({ ...wanted, logSeverity: 'warn', isWarmed: true }, clock)
  const { url, close } = server
  let watcher: WatchChild | null = null
  let history: { readonly stop: () => Promise<void> } | null = null
  try {
    const { id, keys, code } = await addDemoAccount(config)
    watcher = startWatcher(config, server, { when, beganMs, deliver: false })
    const curl = (key: string, path: string, body = '') =>
      `  curl -H 'Authorization: Bearer ${key}' '${url}${path}'${body}\n\n`
    const day = DEMO_START.slice(0, 10)
    const { dataFolder } = config
    process.stdout.write(
      `The API is up, with its documentation at ${url}/docs and its state at ${url}/status.\n` +
        `Its clock starts at 09:31 and runs at ${speed} times real time (--speed N).\n` +
        'Ask for the ledger as it is known by now:\n\n' +
        curl(keys.orders, '/orders/api/latest') +
        "and for the levels of the dealers' book:\n\n" +
        curl(keys.live, '/api/v1/levels?sym=SPX') +
        'and for the statistics of the simulated week that came out by now, without a key:\n\n' +
        `  curl '${url}/geo/items?kind=release'\n\n` +
        'Turn an idea into a rule:\n\n' +
        curl(keys.lab, '/api/lab/chat', ` \\\n    -d '${IDEA}'`) +
        `See the session at ${url}/sessions/${day}: it is of today, so sign in there with\n` +
        `the code ${code} (15 minutes). The account is at ${url}/account.\n` +
        'Alerts are found minute by minute; as this is a replay, none is sent. What the account\n' +
        'is told of, what the day brings, and what was found by now:\n\n' +
        `  ${COMMAND} alert list ${id} --data ${dataFolder}\n` +
        `  ${COMMAND} alert preview ${day} --account ${id} --data ${dataFolder}\n` +
        `  ${COMMAND} alert events ${id} --data ${dataFolder}\n\n` +
        (sessions > 0
          ? 'Sessions for LAB to test rules on are made beside; it will say so.\n'
          : '') +
        'Stop it with Ctrl-C.\n',
    )
    if (sessions > 0) {
      const say = (text: string) => void process.stdout.write(text)
      const nextSteps =
        'Test the idea, by the id that its answer gave; its page is in the account, at LAB:\n\n' +
        curl(keys.lab, '/api/lab/run', ` \\\n    -d '${TEST}'`)
      history = startHistoryProcess({ dataFolder, sessions, until: HISTORY_UNTIL, nextSteps, say })
    }
    await stopped
    return 0
  } finally {
    await Promise.all([watcher?.stop(), history?.stop(), close()])
  }
}

/** Runs work with the port reserved, so that a taken port is reported at once, not in minutes. */
async function whileHeld<T>(config: Config, work: () => Promise<T>): Promise<T> {
  const held = createServer((_, res) => {
    const message = 'the session of the demo is being made; ask again in a minute.'
    const headers = { 'retry-after': '60' }
    sendError(
      res as never,
      toErrorResponse(new ApiError('unavailable', { message, headers }), COMMON_ERRORS),
    )
  })
  await listenAt(held, config.host, config.port).catch(error => {
    throw listenRefusal(error, config)
  })
  try {
    return await work()
  } finally {
    await closed(held)
  }
}

const closed = (server: Server): Promise<void> =>
  new Promise(done => {
    server.close(() => done())
    server.closeAllConnections()
  })

type DemoAccount = {
  readonly id: string
  readonly keys: Readonly<Record<DemoScope, string>>
  readonly code: string
}

type DemoScope = 'orders' | 'live' | 'lab'

/** Creates the demo account, working keys and a sign-in code: each is shown only this once. */
async function addDemoAccount(config: Config): Promise<DemoAccount> {
  const accounts = await openAccounts(config)
  try {
    const createdAtMs = systemClock.nowMs()
    const { id } = await accounts.addAccount({ name: 'demo', plan: 'orders', createdAtMs })
    for (const plan of ['live', 'lab'] as const) {
      await accounts.putProduct(id, { plan, fromMs: createdAtMs, untilMs: null })
    }
    const issueKey = async (scope: DemoScope) =>
      (await accounts.addKey({ accountId: id, scope, name: `demo ${scope}`, createdAtMs }))!.apiKey
    const keys = {
      orders: await issueKey('orders'),
      live: await issueKey('live'),
      lab: await issueKey('lab'),
    }
    const { code } = (await accounts.addSignInCode(id, createdAtMs))!
    return { id, keys, code }
  } finally {
    await accounts.close()
  }
}
