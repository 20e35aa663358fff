// Databases and backups of the version before products, on both engines.

import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { backUpAccounts, restoreAccounts } from '../../src/server/backup/commands.ts'
import { BOTH_ENGINES, type Engine } from '../support/engines.ts'
import { makeFirstAccounts, makeOldAccounts, type OldAccount } from '../support/oldAccounts.ts'

const COUNT_CALLS = join(import.meta.dirname, '../support/countCalls.ts')

describe.each(BOTH_ENGINES)('in %s', (_, isHere, start) => {
  const given = isHere ? describe : describe.skip

  given('an account database of the version before', () => {
    let engine: Engine
    let location: string
    let old: OldAccount[]
    let folder: string

    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'tapefold-migration-'))
      location = await engine.newPlace()
      old = await makeOldAccounts(location)
      return () => rmSync(folder, { recursive: true, force: true })
    })

    /** Contents of the accounts, by whichever way they came. */
    async function expectCarriedOver(where: string): Promise<void> {
      const store = await openAccountStore(where)
      const product = { product: 'orders', untilMs: null }
      expect(await store.listAccounts()).toEqual([
        { id: 'acc_none', name: 'desk', createdAtMs: 1_790_000_000_000, products: [] },
        ...[
          { id: 'acc_orders', plan: 'orders', atMs: 1_790_000_000_001 },
          { id: 'acc_orders_team', plan: 'orders_team', atMs: 1_790_000_000_002 },
        ].map(({ id, plan, atMs }) => {
          const products = [{ ...product, plan, fromMs: atMs }]
          return { id, name: 'desk', createdAtMs: atMs, products }
        }),
      ])
      for (const [index, { id, apiKey }] of old.entries()) {
        expect(await store.findHolder(apiKey)).toMatchObject({ accountId: id, scope: 'orders' })
        expect(await store.listKeys(id)).toMatchObject([{ name: 'laptop', createdAtMs: 2 }])
        expect(await store.listPositions(id)).toEqual([{ id: `p_${id.slice(4)}`, body: '{}' }])
        const days = ['2026-10-14', '2026-10-15'].map(dayEt => {
          return { accountId: id, product: 'orders', dayEt, calls: 0 } as const
        })
        expect(await store.countCalls(days)).toEqual([100 + index, 100 + index])
        const live = { accountId: id, product: 'live', dayEt: '2026-10-14', calls: 0 } as const
        expect(await store.countCalls([live])).toEqual([0])
        const again = { key: 'once', requestHash: 'x' }
        const request = {
          accountId: id,
          atMs: 5,
          repeat: again,
          decide: () => ({ response: 'new' }),
        }
        expect(await store.changePositions(request)).toMatchObject({ response: 'y' })
      }
      await store.close()
    }

    test('is carried over with its plans, keys, counts, positions and responses', async () => {
      await expectCarriedOver(location)
      // a second opening has nothing to do
      await expectCarriedOver(location)
    })

    test('is carried over once by four processes that open it at once', async () => {
      const ended = Array.from({ length: 4 }, () => waitForExit(fork(COUNT_CALLS, [location, '0'])))
      expect(await Promise.all(ended)).toEqual([0, 0, 0, 0])
      await expectCarriedOver(location)
    })

    test('of the very first tables is brought up to date, too', async () => {
      const first = await engine.newPlace()
      await makeFirstAccounts(first)
      const store = await openAccountStore(first)
      expect(await store.listAccounts()).toMatchObject([
        { id: 'acc_first', products: [{ product: 'orders', plan: 'orders', fromMs: 1 }] },
      ])
      await store.close()
    })

    test('is backed up, and the backup restores, here and where there is none', async () => {
      const backup = join(folder, 'backup')
      const content = 'accounts: 3, keys: 3, positions: 3'
      expect(await backUpAccounts({ location, backup, isForced: false })).toBe(content)
      const elsewhere = await engine.newPlace()
      for (const target of [location, elsewhere]) {
        expect(await restoreAccounts({ location: target, backup, isForced: true })).toBe(content)
        await expectCarriedOver(target)
      }
    })

    test('that was copied as it was restores into this engine', async () => {
      const backup = join(folder, 'old-backup')
      old = await makeOldAccounts(backup)
      sealed(backup)
      for (const target of [location, await engine.newPlace()]) {
        await restoreAccounts({ location: target, backup, isForced: true })
        await expectCarriedOver(target)
      }
      // the backup itself is only read
      const database = new DatabaseSync(backup, { readOnly: true })
      expect(database.prepare('select plan from accounts order by id').all()).toMatchObject([
        { plan: 'none' },
        { plan: 'orders' },
        { plan: 'orders_team' },
      ])
      database.close()
    })

    test('with products goes into a backup and comes back with their ends', async () => {
      const store = await openAccountStore(location)
      const live = { plan: 'live', fromMs: 5, untilMs: 1_800_000_000_000 } as const
      await store.putProduct('acc_none', live)
      await store.putProduct('acc_orders', { plan: 'geo_team', fromMs: 6, untilMs: null })
      const before = await store.listAccounts()
      await store.close()
      const backup = join(folder, 'backup')
      await backUpAccounts({ location, backup, isForced: false })
      const elsewhere = await engine.newPlace()
      await restoreAccounts({ location: elsewhere, backup, isForced: true })
      const restored = await openAccountStore(elsewhere)
      expect(await restored.listAccounts()).toEqual(before)
      expect(before[0]?.products).toEqual([{ product: 'live', ...live }])
      await restored.close()
    })
  })
})

/** Makes one file of a database, as a backup is. */
function sealed(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = delete')
  database.close()
}

const waitForExit = (child: ReturnType<typeof fork>) =>
  new Promise(resolve => child.on('exit', code => resolve(code)))
