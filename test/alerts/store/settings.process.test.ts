// The alert settings of accounts, on both engines.

import { fork } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StoredAlertLine } from '../../../src/alerts/store/types.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../../support/engines.ts'

const ADD_LINES = join(import.meta.dirname, '../../support/addLines.ts')
const RUN = 'live'

const lineAt = (id: string, price: number): StoredAlertLine => ({
  id,
  kind: 'price',
  price,
  book: null,
  level: null,
  offset: null,
  direction: 'any',
  mode: 'once',
  note: null,
})
const levelLine = (id: string): StoredAlertLine => ({
  id,
  kind: 'level',
  price: null,
  book: 'volume',
  level: 'put_wall',
  offset: -2.5,
  direction: 'below',
  mode: 'repeat',
  note: 'd’été \u{1F4C8} <b>',
})

describe.each(ENGINES)('alert settings in %s', (name, isHere, start) => {
  let engine: Engine
  let location: string
  let store: ServerStore
  const given = isHere ? describe : describe.skip

  given('keep their contract', () => {
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())
    beforeEach(async () => {
      location = await engine.newPlace()
      store = await openAccountStore(location)
    })
    afterEach(() => store.close())

    const newAccount = async (plan: 'orders' | 'live' | null = 'orders') =>
      (await store.addAccount({ name: 'desk', plan, createdAtMs: 1 })).id
    const AT_MS = 5
    const change = (
      accountId: string,
      decided: Omit<
        ReturnType<Parameters<ServerStore['alerts']['change']>[0]['decide']>,
        'response'
      >,
    ) =>
      store.alerts.change({
        accountId,
        atMs: AT_MS,
        repeat: null,
        decide: () => ({ ...decided, response: 'done' }),
      })
    const putLine = (accountId: string, line: StoredAlertLine, isMoved = true) =>
      change(accountId, { putLine: { ...line, isMoved } })
    const watched = (sinceVersion: number, atMs = 10) =>
      store.alerts.watched({ sinceVersion, atMs, run: RUN })

    /** Runs a statement next to the store. */
    async function run(text: string): Promise<unknown[]> {
      if (name === 'SQLite') {
        const database = new DatabaseSync(location)
        const rows = database.prepare(text).all()
        database.close()
        return rows
      }
      const client = new pg.Client({ connectionString: location })
      await client.connect()
      const { rows } = await client.query(text)
      await client.end()
      return rows
    }
    const fire = (lineId: string, isArmed: 0 | 1, ofRun = RUN) =>
      run(`insert into alert_line_states (run, line_id, account_id, is_armed, fired_at, updated_at)
        select '${ofRun}', id, account_id, ${isArmed}, 77, 77 from alert_lines
        where id = '${lineId}'`)

    test('what was put is read as it was, oldest first', async () => {
      const id = await newAccount()
      expect(await store.alerts.read(id)).toEqual({ list: null, lines: [], rules: [] })
      await change(id, { list: '[1]' })
      await putLine(id, levelLine('l_1'))
      await putLine(id, lineAt('l_0', 5_999.25))
      await change(id, { putRule: { id: 'r_2', body: '{"a":1}' } })
      await change(id, { putRule: { id: 'r_1', body: '{"b":1}' } })
      await change(id, { putRule: { id: 'r_2', body: '{"a":2}' } })
      const fresh = { isArmed: true, firedAtMs: null, setAtMs: AT_MS }
      expect(await store.alerts.read(id)).toEqual({
        list: '[1]',
        lines: [
          { ...levelLine('l_1'), ...fresh },
          { ...lineAt('l_0', 5_999.25), ...fresh },
        ],
        rules: [
          { id: 'r_2', body: '{"a":2}', setAtMs: AT_MS },
          { id: 'r_1', body: '{"b":1}', setAtMs: AT_MS },
        ],
      })
      await change(id, { removeId: 'l_1' })
      await change(id, { removeId: 'r_2' })
      const { lines, rules } = await store.alerts.read(id)
      expect([...lines, ...rules].map(one => one.id)).toEqual(['l_0', 'r_1'])
    })

    test('a line that fired is off until it is armed, or moved; replays see it armed', async () => {
      const id = await newAccount()
      await putLine(id, lineAt('l_1', 6_000))
      await fire('l_1', 0)
      const state = async (ofRun = RUN) => {
        const { changed } = await store.alerts.watched({ sinceVersion: 0, atMs: 10, run: ofRun })
        const { isArmed, firedAtMs } = changed[0]!.lines[0]!
        return [isArmed, firedAtMs]
      }
      expect(await state()).toEqual([false, 77])
      expect(await state('replay_1')).toEqual([true, null])
      const [line] = (await store.alerts.read(id)).lines
      expect(line).toMatchObject({ isArmed: false, firedAtMs: 77 })
      // another note does not arm it
      await putLine(id, { ...lineAt('l_1', 6_000), note: 'x' }, false)
      expect(await state()).toEqual([false, 77])
      await change(id, { armId: 'l_1' })
      expect(await state()).toEqual([true, 77])
      await fire('l_1', 0, 'replay_1')
      await putLine(id, lineAt('l_1', 6_001))
      expect([await state(), await state('replay_1')]).toEqual([
        [true, null],
        [true, null],
      ])
      await fire('l_1', 0)
      await change(id, { removeId: 'l_1' })
      expect(await run('select * from alert_line_states')).toEqual([])
    })

    test('an account never changes what another one keeps', async () => {
      const [own, other] = [await newAccount(), await newAccount()]
      await putLine(own, lineAt('l_1', 6_000))
      await change(own, { putRule: { id: 'r_1', body: '{}' } })
      const before = await store.alerts.read(own)
      await putLine(other, lineAt('l_1', 1), false)
      await change(other, { putRule: { id: 'r_1', body: '{"other":1}' } })
      await change(other, { removeId: 'l_1' })
      await change(other, { removeId: 'r_1' })
      expect(await store.alerts.read(own)).toEqual(before)
      expect(await store.alerts.read(other)).toMatchObject({ lines: [], rules: [] })
    })

    test('what is decided against changes nothing, and no version', async () => {
      const id = await newAccount()
      await putLine(id, lineAt('l_1', 6_000))
      const before = await watched(0)
      const refused = store.alerts.change({
        accountId: id,
        atMs: 9,
        repeat: { key: 'k', requestHash: 'h' },
        decide: () => {
          throw new Error('refused')
        },
      })
      await expect(refused).rejects.toThrow('refused')
      expect(await watched(0)).toEqual(before)
      expect(await run('select * from repeats')).toEqual([])
    })

    test('a watch hears of what was changed since, and of who is on a plan now', async () => {
      const [a, b, none] = [await newAccount(), await newAccount(), await newAccount(null)]
      const live = await newAccount('live')
      const all = [a, b].toSorted()
      expect(await watched(0)).toEqual({ version: 0, isWhole: false, accountIds: all, changed: [] })
      await putLine(a, lineAt('l_a', 6_000))
      await change(b, { list: '[]' })
      await change(none, { putRule: { id: 'r_n', body: '{}' } })
      const first = await watched(0)
      expect(first).toMatchObject({ isWhole: false, accountIds: all })
      expect(first.changed.map(({ accountId }) => accountId)).toEqual([a, b, none])
      expect(first.changed[0]!.lines).toMatchObject([{ id: 'l_a', isArmed: true }])
      expect(await watched(first.version)).toMatchObject({ version: first.version, changed: [] })
      await change(a, { putRule: { id: 'r_a', body: '{"x":1}' } })
      const second = await watched(first.version)
      expect(second.version).toBeGreaterThan(first.version)
      expect(second.changed).toEqual([
        {
          accountId: a,
          list: null,
          rules: [{ id: 'r_a', body: '{"x":1}', setAtMs: AT_MS }],
          lines: [{ ...lineAt('l_a', 6_000), isArmed: true, firedAtMs: null, setAtMs: AT_MS }],
        },
      ])
      // a plan that ends or begins is no change of settings
      await store.putProduct(b, { plan: 'orders', fromMs: 1, untilMs: 20 })
      await store.putProduct(live, { plan: 'orders_team', fromMs: 20, untilMs: null })
      expect((await watched(0, 19)).accountIds).toEqual(all)
      expect((await watched(0, 20)).accountIds).toEqual([a, live].toSorted())
    })

    test('after a restore of an older database all is sent again', async () => {
      const id = await newAccount()
      await change(id, { list: '[1]' })
      const { version } = await watched(0)
      const later = await watched(version + 5)
      expect(later).toMatchObject({ version, isWhole: true })
      expect(later.changed).toMatchObject([{ accountId: id, list: '[1]' }])
      expect(await watched(version)).toMatchObject({ isWhole: false, changed: [] })
    })

    test('six processes that add 40 lines each: 50 an account, each its own version', async () => {
      const id = await newAccount()
      const others = await Promise.all([newAccount(), newAccount(), newAccount()])
      const children = [id, id, ...others.slice(1).flatMap(other => [id, other])]
      const ended = children.map(account => {
        const child = fork(ADD_LINES, [location, account, '40', '50'])
        return new Promise(resolve => child.once('exit', resolve))
      })
      // a concurrent watch sees every account that was changed, in the end with all its lines
      const seen = new Map<string, number>()
      let version = 0
      let isOver = false
      const done = Promise.all(ended).then(codes => {
        isOver = true
        return codes
      })
      for (let isLast = false; !isLast; ) {
        isLast = isOver
        const result = await watched(version)
        expect(result.version).toBeGreaterThanOrEqual(version)
        version = result.version
        for (const { accountId, lines } of result.changed) seen.set(accountId, lines.length)
        await new Promise(resolve => setImmediate(resolve))
      }
      expect(await done).toEqual(children.map(() => 0))
      expect((await store.alerts.read(id)).lines).toHaveLength(50)
      const counts = [id, ...others.slice(1)].map(account => seen.get(account))
      expect(counts).toEqual([50, 40, 40])
      // one version a change
      expect(version).toBe(50 + 80)
    })
  })
})
