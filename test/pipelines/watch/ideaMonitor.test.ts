// Ideas that are on run as minutes are published, and their events are queued once.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openIdeaMonitor } from '../../../pipelines/watch/ideaMonitor.ts'
import { AlertBody } from '../../../src/alerts/bodies/schema.ts'
import type { Run } from '../../../src/alerts/finding/run.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import type { Found } from '../../../src/data/published/catalog.ts'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { canonicalJson, type RuleSpec } from '../../../src/lab/language/spec.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { publishMarket, publishRunning } from '../../lab/market/publish.ts'
import { randomMarket } from '../../lab/randomMarket.ts'
import { ENGINES, type Engine } from '../../support/engines.ts'
import { newFolder } from '../../support/import.ts'
import { doneEnd, keepIdea } from '../../support/labRuns.ts'

const LIVE: Run = { id: 'live', isReplay: false, isDelivered: true }
const SPEC: RuleSpec = {
  v: 1,
  core: {
    action: 'sell',
    structure: 'strangle',
    strike: { ref: 'spot', offset: 10 },
    dte: 0,
    qty: 1,
    entry: { at: '10:00' },
    exit: [{ at: '10:20' }],
  },
  when: [],
}

const NO_ORDERS = {
  fromState: new Int32Array(),
  untilState: new Int32Array(),
  printedState: new Int32Array(),
  premiumUsd: new Float64Array(),
  gamma: new Float64Array(),
}

let dataFolder: string
let day: string
beforeAll(async () => {
  const market = randomMarket({ seed: 9, sessionCount: 2, hasHoles: false, dteMax: 0 })
  dataFolder = newFolder()
  await publishMarket(dataFolder, market, { minutes: { expected: 405, present: 405, missing: [] } })
  day = market.sessions.at(-1)!.date
})

/** The session as it is known at a minute. */
const foundAt = (minute: string) =>
  ({ manifest: readManifest(dataFolder, day)!, knownBeforeMs: instantMs(day, minute) }) as Found

describe.each(ENGINES)('in %s', (_, isHere, start) => {
  const given = isHere ? describe : describe.skip

  given('ideas of the desk', () => {
    let engine: Engine
    let accounts: ServerStore
    let accountId: string
    let ideaId: string
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())
    beforeEach(async () => {
      accounts = await openAccountStore(await engine.newPlace())
      accountId = (await accounts.addAccount({ name: 'a', plan: 'lab', createdAtMs: 1 })).id
      ideaId = await keepIdea(accounts, accountId, canonicalJson(SPEC))
      await accounts.lab.addCredits({ accountId, credits: 9, ref: 'x', atMs: 1 })
      await putOnDesk()
    })

    async function putOnDesk(): Promise<void> {
      const requested = { accountId, ideaId, atMs: 1, repeat: null, assume: '{}' } as const
      for (const kind of ['backtest', 'quant'] as const) {
        const begun = await accounts.lab.startRun({
          ...requested,
          kind,
          areRelated: (a, b) => a === b,
        })
        if (begun.kind !== 'started') throw new Error(begun.kind)
        await accounts.lab.endRun({ id: begun.run.id, worker: null, atMs: 2, end: doneEnd() })
      }
      await accounts.lab.changeIdea({ accountId, ideaId, action: 'desk', atMs: 3 })
    }

    const batch = (isOn: boolean, atMs: number) =>
      accounts.lab.changeIdea({
        accountId,
        ideaId,
        atMs,
        action: { set: { isOn, alert: 'webhook' } },
      })
    const deskAt = (minute: string, run = LIVE) => {
      const nowMs = () => instantMs(day, minute) + 2_000
      return openIdeaMonitor({ dataFolder, accounts, run, marketMs: nowMs, systemMs: nowMs })
    }
    const requested = { afterSeq: 0, limit: 100, hasPutSupport: false }
    const events = async () =>
      (await accounts.outbox.listEvents({ accountId, ...requested })).map(
        ({ body }) => JSON.parse(body) as Record<string, unknown>,
      )

    test('tell what they did at its minute, once, and nothing before', async () => {
      await batch(true, 5)
      expect(await deskAt('09:59').take(foundAt('09:59'))).toBe(0)
      expect(await deskAt('10:00').take(foundAt('10:00'))).toBe(1)
      expect(await deskAt('10:01').take(foundAt('10:01'))).toBe(0)
      expect(await deskAt('10:20').take(foundAt('10:20'))).toBe(1)
      const reported = await events()
      expect(reported.map(({ type, minute }) => [type, minute])).toEqual([
        ['idea_triggered', '10:00'],
        ['idea_closed', '10:20'],
      ])
      for (const body of reported) {
        expect(AlertBody.safeParse(body).error).toBeUndefined()
        expect(JSON.stringify(body)).not.toMatch(/sell|sold|buy|bought|short|long/i)
      }
    })

    test('run in a session that has no settlement yet, nor any large order', async () => {
      await batch(true, 5)
      const running = newFolder()
      const { sessions } = randomMarket({ seed: 9, sessionCount: 2, hasHoles: false, dteMax: 0 })
      const session = { ...sessions.at(-1)!, orders: NO_ORDERS }
      for (const [minute, count] of [
        ['09:59', 0],
        ['10:00', 1],
        ['10:20', 1],
      ] as const) {
        await publishRunning(running, session, minute)
        const manifest = readLiveManifest(running, day)!
        const nowMs = () => instantMs(day, minute) + 2_000
        const times = { run: LIVE, marketMs: nowMs, systemMs: nowMs }
        const scheduler = openIdeaMonitor({ dataFolder: running, accounts, ...times })
        const found = { manifest, isNewest: true, knownBeforeMs: instantMs(day, minute) }
        expect(await scheduler.take(found)).toBe(count)
      }
    })

    test('that hold to expiry are closed when the settlement is known, and once', async () => {
      const held: RuleSpec = { ...SPEC, core: { ...SPEC.core, exit: [{ at: 'expiry' }] } }
      ideaId = await keepIdea(accounts, accountId, canonicalJson(held), ideaId)
      await putOnDesk()
      await batch(true, 5)
      const running = newFolder()
      const { sessions } = randomMarket({ seed: 9, sessionCount: 2, hasHoles: false, dteMax: 0 })
      const session = sessions.at(-1)!
      const close = session.isHalfDay ? 13 : 16
      const reported: number[] = []
      for (const minute of ['10:00', `${close}:00`, `${close}:13`, `${close}:14`, `${close}:15`]) {
        await publishRunning(running, session, minute)
        const manifest = readLiveManifest(running, day)!
        const nowMs = () => instantMs(day, minute) + 2_000
        const times = { run: LIVE, marketMs: nowMs, systemMs: nowMs }
        const scheduler = openIdeaMonitor({ dataFolder: running, accounts, ...times })
        const knownBeforeMs = instantMs(day, minute)
        reported.push(await scheduler.take({ manifest, isNewest: true, knownBeforeMs }))
      }
      expect(reported).toEqual([1, 0, 0, 1, 0])
      const closed = (await events()).at(-1)!
      expect(AlertBody.safeParse(closed).error).toBeUndefined()
      expect(closed).toMatchObject({ type: 'idea_closed', minute: `${close}:14` })
    })

    test('off, or on only later, sends nothing; events that a dead watcher left are sent', async () => {
      expect(await deskAt('10:00').take(foundAt('10:00'))).toBe(0)
      await batch(true, instantMs(day, '10:01'))
      expect(await deskAt('10:02').take(foundAt('10:02'))).toBe(0)
      await batch(false, instantMs(day, '10:02'))
      await batch(true, 5)
      expect(await deskAt('10:03').take(foundAt('10:03'))).toBe(1)
      expect(await deskAt('10:25').take(foundAt('10:25'))).toBe(0)
    })

    test('of an account whose plan has ended tell nothing', async () => {
      await batch(true, 5)
      await accounts.removeProduct(accountId, 'lab')
      expect(await deskAt('10:00').take(foundAt('10:00'))).toBe(0)
    })
  })
})
