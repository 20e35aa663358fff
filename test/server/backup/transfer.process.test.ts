import { fork } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { IdeaChange } from '../../../src/lab/store/types.ts'
import { TABLES } from '../../../src/server/accountSchema.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { backUpAccounts, restoreAccounts } from '../../../src/server/backup/commands.ts'
import { doneEnd, keepIdea, sendMessage } from '../../support/labRuns.ts'
import { BODY, beginAll, findMinute, found, newContact, single } from '../../support/outbox.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'

const SCRIPT = join(import.meta.dirname, '../../support/restoreAccounts.ts')
const given = hasPostgres ? describe : describe.skip

const IDEA: IdeaChange = {
  idea: {
    name: 'straddle',
    rule: { spec: '{}', ruleHash: 'a1', say: 'Buy it.' },
    draft: null,
    missing: [],
  },
  messages: [
    { sender: 'you', text: 'buy it', kind: null, missing: null, errors: null },
    { sender: 'lab', text: 'Buy it.', kind: 'spec', missing: null, errors: null },
  ],
}

given('accounts move between a file and a PostgreSQL', () => {
  let server: PostgresServer
  let folder: string
  let file: string
  let url: string
  let backup: string

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tapefold-transfer-'))
    file = join(folder, 'data/accounts.sqlite')
    backup = join(folder, 'backup')
    url = await server.newDatabase()
    return () => rmSync(folder, { recursive: true, force: true })
  })

  const backUp = (location: string) => backUpAccounts({ location, backup, isForced: true })
  const restore = (location: string, isForced = false) =>
    restoreAccounts({ location, backup, isForced })

  /** Everything that accounts can have: revoked keys, counts, uses, positions, repeats. */
  async function fill(location: string, accountCount: number): Promise<string[]> {
    const store = await openAccountStore(location)
    const keys: string[] = []
    for (let index = 0; index < accountCount; index++) {
      const name = index % 2 === 0 ? 'desk' : "d'été \u{1F4C8}"
      const { id } = await store.addAccount({ name, plan: 'orders', createdAtMs: 1e12 + index })
      const made = { accountId: id, scope: 'orders', name: 'laptop', createdAtMs: 5 } as const
      const { apiKey, record } = (await store.addKey(made))!
      if (index % 3 === 0) await store.revokeKey(record.id, 77)
      else keys.push(apiKey)
      await store.countCalls([
        { accountId: id, product: 'orders', dayEt: '2026-10-15', calls: 19_000 + index },
      ])
      const month = { accountId: id, product: 'geo', monthUtc: '2026-10' } as const
      await store.months.count({ ...month, limit: 9 })
      await addPosition(store, id, `p_${index}`)
      await setAlerts(store, id, index)
      const live = { ...made, scope: 'live', isForAddresses: index % 2 === 0 } as const
      const { id: keyId } = (await store.addKey(live))!.record
      for (const addressHash of ['a', 'b', 'c'].slice(0, (index % 3) + 1)) {
        await store.useKeys([{ keyId, calls: 2, minute: 7, hour: 1, addressHash }])
      }
      const { code } = (await store.addSignInCode(id, 1e12))!
      await store.signIn({ code, browser: 'Firefox', atMs: 1e12 + index })
      await store.addSignInCode(id, 1e12)
      await fillOutbox(store, id, index)
      await store.lab.addCredits({ accountId: id, credits: 5, ref: 'inv', atMs: 4 })
      await sendMessage(store.lab, { accountId: id, ideaId: null, atMs: 6, decide: () => IDEA })
      await testIdea(store, id, index)
    }
    await store.close()
    return keys
  }

  const addPosition = (store: ServerStore, accountId: string, id: string) =>
    store.changePositions({
      accountId,
      atMs: 3,
      repeat: { key: 'once', requestHash: id },
      decide: () => ({ response: id, put: { id, body: `{"id": "${id}"}` } }),
    })

  const setAlerts = (store: ServerStore, accountId: string, index: number) =>
    store.alerts.change({
      accountId,
      atMs: 3,
      repeat: null,
      decide: () => ({
        response: '',
        list: '[]',
        putRule: { id: `r_${index}`, body: '{}' },
        putLine: {
          id: `l_${index}`,
          kind: 'price',
          price: 5_999.25 + index,
          isMoved: true,
          book: null,
          level: null,
          offset: null,
          direction: 'any',
          mode: 'once',
          note: index % 2 === 0 ? null : "d'été",
        },
      }),
    })

  /** A run of an idea that is done, which holds the conveyor. */
  async function testIdea(store: ServerStore, accountId: string, index: number): Promise<void> {
    const ideaId = await keepIdea(store, accountId, `idea ${index}`)
    const areRelated = () => true
    const start = { accountId, ideaId, atMs: 7, repeat: null, assume: '{}', areRelated } as const
    const begun = await store.lab.startRun({ ...start, kind: 'backtest' })
    const { id } = (begun as Extract<typeof begun, { run: unknown }>).run
    await store.lab.endRun({ id, worker: null, atMs: 8, end: doneEnd({ variants: index }) })
  }

  /** A watched minute of a run of its own, an attempted event, and a contact. */
  async function fillOutbox(store: ServerStore, accountId: string, index: number): Promise<void> {
    const { outbox } = store
    await outbox.saveEndpoint({ accountId, owner: 'alerts', url: 'https://x.example/', atMs: 1 })
    await outbox.putSecret({ accountId, sealed: `sealed ${index}`, atMs: 1 })
    await newContact(store, accountId)
    const line = { lineId: `l_${index}`, accountId, isArmed: false, firedAtMs: null }
    await outbox.takeMinute({
      ...findMinute([], { run: `replay_${index}` }),
      decide: () => ({
        states: '{}',
        findings: [{ body: BODY }],
        lineChanges: [line],
        events: [found(index, accountId)],
      }),
    })
    await beginAll(outbox)
  }

  /** Every row of every table, by the database's own list of tables. */
  function rowsOfFile(path: string) {
    const database = new DatabaseSync(path)
    const all = (text: string) =>
      database
        .prepare(text)
        .all()
        .map(row => ({ ...row }))
    const names = all(`select name from sqlite_master where type = 'table' order by name`)
    const tables = names.map(({ name }) => String(name)).filter(isOurs)
    const rows = tables.map(name => [name, sorted(all(`select * from ${name}`))] as const)
    database.close()
    return Object.fromEntries(rows)
  }

  async function rowsOfPostgres() {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    client.setTypeParser(20, Number)
    const { rows: names } = await client.query(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    const tables: Record<string, unknown[]> = {}
    for (const { name } of names) {
      if (isOurs(name)) tables[name] = sorted((await client.query(`select * from ${name}`)).rows)
    }
    await client.end()
    return tables
  }

  const isOurs = (name: string) => !name.startsWith('kysely_') && !name.startsWith('sqlite_')
  const sorted = (rows: object[]) =>
    rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

  test('every row of every table goes there and back, and keys work in both', async () => {
    const keys = await fill(file, 25)
    const before = rowsOfFile(file)
    expect(Object.keys(before)).toHaveLength(TABLES.length)
    for (const [name, rows] of Object.entries(before)) {
      const leastCount = name === 'outbox_counters' ? 1 : 25
      expect((rows as unknown[]).length, name).toBeGreaterThanOrEqual(leastCount)
    }
    expect(await backUp(file)).toBe('accounts: 25, keys: 50, positions: 25')
    expect(await restore(url)).toBe('accounts: 25, keys: 50, positions: 25')
    expect(await rowsOfPostgres()).toEqual(before)
    const store = await openAccountStore(url)
    for (const key of keys) expect(await store.findHolder(key)).not.toBeNull()
    // the moved accounts go on where they were
    const { accountId } = (await store.findHolder(keys[0]!))!
    const [count] = await store.countCalls([
      { accountId, product: 'orders', dayEt: '2026-10-15', calls: 1 },
    ])
    expect(count).toBeGreaterThan(19_000)
    expect(await store.outbox.queueEvent(single(1_000, accountId))).toBe(true)
    await store.close()

    const moved = await rowsOfPostgres()
    expect(await backUp(url)).toBe('accounts: 25, keys: 50, positions: 25')
    expect(readdirSync(folder).sort()).toEqual(['backup', 'data'])
    rmSync(join(folder, 'data'), { recursive: true })
    await restore(file)
    expect(rowsOfFile(file)).toEqual(moved)
  })

  test('accounts in a PostgreSQL are replaced only on request, and at once', async () => {
    await fill(file, 3)
    const [existing] = await fill(url, 2)
    await backUp(file)
    const before = await rowsOfPostgres()
    await expect(restore(url)).rejects.toThrow(
      'the PostgreSQL of DATABASE_URL has accounts; --force replaces all of them.',
    )
    expect(await rowsOfPostgres()).toEqual(before)
    const store = await openAccountStore(url)
    expect(await store.findHolder(existing!)).not.toBeNull()
    await restore(url, true)
    expect(await store.findHolder(existing!)).toBeNull()
    expect(await store.listAccounts()).toHaveLength(3)
    await store.close()
  })

  test('a backup that is not whole changes nothing, and no message has the address', async () => {
    await fill(url, 2)
    await backUp(url)
    const before = await rowsOfPostgres()
    writeFileSync(backup, readFileSync(backup).subarray(0, 9_000))
    await expect(restore(url, true)).rejects.toThrow(`${backup} is not a complete account database`)
    expect(await rowsOfPostgres()).toEqual(before)
    const gone = { location: url.replace('host=', 'host=/nowhere'), backup, isForced: true }
    const failure = (await backUpAccounts(gone).catch(error => error)) as Error
    expect(failure.message).toMatch(/^the PostgreSQL of DATABASE_URL cannot be copied: [^\n]+\.$/)
    expect(failure.message).not.toContain('tapefold@')
  })

  test('a restore that is killed leaves the old accounts or the new ones, whole', async () => {
    await fill(file, 1)
    const database = new DatabaseSync(file)
    const insert = database.prepare("insert into accounts values (?, 'desk', 1)")
    database.exec('begin')
    for (let index = 0; index < 30_000; index++) insert.run(`acc_${index}`)
    database.exec('commit')
    database.close()
    await backUp(file)
    await fill(url, 2)
    const store = await openAccountStore(url)
    const seen = new Set<number>()
    for (const waitMs of [0, 150, 300, 450, 600, 900, null]) {
      const child = fork(SCRIPT, [url, backup])
      const ended = new Promise(exited => child.once('exit', exited))
      await new Promise(ready => child.once('message', ready))
      // the first one is never reported: a busy machine may end any other before it is killed
      if (waitMs !== 0) child.send('go')
      if (waitMs !== null) {
        await new Promise(waited => setTimeout(waited, waitMs))
        child.kill('SIGKILL')
      }
      await ended
      const count = (await store.listAccounts()).length
      expect([2, 30_001]).toContain(count)
      seen.add(count)
    }
    await store.close()
    expect([...seen]).toEqual([2, 30_001])
  })
})
