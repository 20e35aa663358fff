// `tapefold watch` and the watcher that `serve` keeps, as processes.

import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeSecret, openSecretBox, secretAbout } from '../../../src/platform/webhooks/secretBox.ts'
import { verifyWebhook } from '../../../src/platform/webhooks/verify.ts'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { openMaker, quietStates } from '../../support/madeMinutes.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { CLI, tapefold, tapefoldOnce } from '../../support/tapefold.ts'
import { accountFile, listEvents, newAccount, shownEvents } from '../../support/watching.ts'

const DAY = '2026-10-15'
let folder: string
let accountId: string

/** A published session, and an account that wants its events. */
let made: string

beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'tapefold-watch-'))
  const maker = await openMaker(made)
  const below = Object.fromEntries(
    ['10:00', '10:01', '10:02'].map(minute => [minute, { spot: 5990 }]),
  )
  const revisions = { revisions: [] }
  const states = quietStates(DAY, below, { until: '10:02' })
  await maker.finish({ day: DAY, states, others: revisions, simulated: true })
  maker.close()
  const accounts = await openAccountStore(accountFile(made))
  accountId = await newAccount(accounts)
  await accounts.close()
})
afterAll(() => rmSync(made, { recursive: true, force: true }))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-watch-'))
  cpSync(made, folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const eventsIn = async (run?: string) => {
  const accounts = await openAccountStore(accountFile(folder))
  try {
    return await listEvents(accounts, accountId, run)
  } finally {
    await accounts.close()
  }
}

test('watch --once takes what is published, and a second one finds it done', async () => {
  const args = ['watch', '--once', '--data', folder]
  const first = await tapefold(args)
  expect(first).toMatchObject({ code: 0, error: '' })
  expect(first.out).toMatch(/2026-10-15 10:01 {2}events: 1\n.*408 minutes were taken\n$/s)
  expect((await tapefold(args)).out).toMatch(/ 0 minutes were taken\n$/)
  expect(shownEvents(await eventsIn())).toEqual(['flip_cross 10:01'])
})

const CLOCK = ['--clock', `${DAY}T10:00x60`]
const REFUSED: readonly (readonly [args: readonly string[], code: number, refusal: string])[] = [
  [['watch', '--deliver'], 2, '--deliver is of a replay; give it with --clock.'],
  [['watch', '--began', '5'], 2, '--began is of a replay; give it with --clock.'],
  [['watch', ...CLOCK, '--run', 'live'], 2, '--run is live; give one such as replay_'],
  [['watch', ...CLOCK, '--began', 'now'], 2, '--began is now; give system milliseconds'],
  [['watch', '--clock', '2026-10-14'], 1, '2026-10-14 is not published; build it first.'],
  [['serve', '--roles', 'sell'], 2, '--roles is sell; give api, watch, or both: api,watch.'],
  [['serve', '--roles', 'api,api'], 2, '--roles is api,api; give api, watch, or both'],
  [['serve', '--deliver'], 2, '--deliver is of a replay; give it with --clock.'],
  [['serve', '--roles', 'api', ...CLOCK, '--deliver'], 2, '--deliver needs the role watch; give '],
]
const refused = tapefoldOnce(REFUSED)

test.each(REFUSED)('%j ends with %i: %s', async (args, code, refusal) => {
  const ended = await refused(args)
  expect(ended).toMatchObject({ code, out: '' })
  expect(ended.error).toContain(`tapefold: ${refusal}`)
})

const { PATH, NODE_COMPILE_CACHE } = process.env
const PASSED = { PATH, NODE_COMPILE_CACHE }

/** Starts a server and waits until its account has received something. */
async function served(args: readonly string[], run: (line: string) => string | undefined) {
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', '--data', folder, ...args], {
    env: { ...PASSED, TZ: 'UTC', TAPEFOLD_LOG: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let message = ''
  const ended = new Promise<number | null>(done => child.on('close', done))
  let name: string | undefined
  child.stdout.setEncoding('utf8').on('data', text => {
    message += text
  })
  try {
    for (;;) {
      expect(child.exitCode, message).toBeNull()
      name ??= message.split('\n').map(run).find(Boolean)
      const events = name === undefined ? [] : await eventsIn(name)
      if (events.length > 0)
        return { events, said: message, url: /serves (\S+?),/.exec(message)![1]! }
      await new Promise(done => setTimeout(done, 50))
    }
  } finally {
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  }
}

test('serve runs a watcher, which logs what it does', async () => {
  const { events } = await served([], line =>
    line.includes('watching for alerts') ? 'live' : undefined,
  )
  expect(shownEvents(events)).toEqual(['flip_cross 10:01'])
})

test('serve --clock replays for the watcher too, under a name of its own', async () => {
  const { events } = await served(
    ['--clock', `${DAY}T09:59x3600`],
    line => /"run":"(replay_\w{12})"/.exec(line)?.[1],
  )
  expect(shownEvents(events)).toEqual(['flip_cross 10:01'])
  expect(events[0]!.body).toMatchObject({ replay: true, simulated: true })
})

/** The address of a receiver, saved by the account, and the watcher's means to reach it. */
async function endpointTo(receiver: Receiver) {
  const accounts = await openAccountStore(accountFile(folder))
  const { outbox } = accounts
  const url = `https://127.0.0.1:${receiver.port}/alerts`
  await outbox.saveEndpoint({ accountId, owner: 'alerts', url, atMs: 1 })
  const secret = makeSecret()
  const box = openSecretBox({ secretKey: null, databaseUrl: null, dataFolder: folder })
  await outbox.putSecret({ accountId, sealed: box.seal(secret, secretAbout(accountId)), atMs: 1 })
  await accounts.close()
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, receiver.ca)
  const env = { NODE_EXTRA_CA_CERTS: ca, TAPEFOLD_WEBHOOK_ALLOW: `127.0.0.1:${receiver.port}` }
  const deliveries = async () => {
    const opened = await openAccountStore(accountFile(folder))
    const found = await opened.outbox.listDeliveries({ accountId, limit: 10 })
    await opened.close()
    return found.map(({ state, reason }) => [state, reason])
  }
  return { secret, env, deliveries }
}

test('a replay that is to deliver sends what it finds, signed', async () => {
  const receiver = await openReceiver()
  const { secret, env, deliveries } = await endpointTo(receiver)
  const args = ['watch', '--once', '--clock', `${DAY}T16:15`, '--deliver', '--data', folder]
  expect(await tapefold(args, env)).toMatchObject({ code: 0, error: '' })
  const [call, ...others] = receiver.received
  await receiver.close()
  expect(others).toEqual([])
  const { headers, body } = call!
  const nowMs = 1000 * Number(headers['x-service-timestamp'])
  expect(verifyWebhook({ headers, body, secret, nowMs })).toBe(true)
  expect(JSON.parse(String(body))).toMatchObject({ type: 'flip_cross', replay: true })
  expect(await deliveries()).toEqual([['sent', null]])
})

test('what is found hours later is listed and not sent', async () => {
  const receiver = await openReceiver()
  const { env, deliveries } = await endpointTo(receiver)
  await tapefold(['watch', '--once', '--data', folder], env)
  const { length } = receiver.received
  await receiver.close()
  expect(length).toBe(0)
  expect(await deliveries()).toEqual([['dropped', 'late']])
  expect(shownEvents(await eventsIn())).toEqual(['flip_cross 10:01'])
})
