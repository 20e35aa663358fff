// Webhooks of positions that were saved before they had a table of their own, on both engines.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { BOTH_ENGINES, type Engine } from '../../support/engines.ts'
import { forgetMigration } from '../../support/oldAccounts.ts'

const URL_SAVED = 'https://example.com/hook'
const BODIES: Readonly<Record<string, string>> = {
  p_webhook: JSON.stringify({ alert: { channel: 'webhook', url: URL_SAVED, before: 30 } }),
  p_off: JSON.stringify({ alert: { channel: 'off', url: URL_SAVED, before: 30 } }),
  p_mail: JSON.stringify({ alert: { channel: 'email', url: null, note: 'webhook' } }),
  p_broken: 'no JSON "webhook"',
}

describe.each(BOTH_ENGINES)('in %s', (_, isHere, start) => {
  const given = isHere ? describe : describe.skip

  given('positions of the version before', () => {
    let engine: Engine

    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())

    test('one whose alerts go to a webhook gets its endpoint, and no other', async () => {
      const location = await engine.newPlace()
      const before = await openAccountStore(location)
      const { id } = await before.addAccount({ name: 'desk', plan: 'orders', createdAtMs: 1 })
      for (const [position, body] of Object.entries(BODIES)) {
        const decide = () => ({ put: { id: position, body }, response: '' })
        await before.changePositions({ accountId: id, atMs: 7, repeat: null, decide })
      }
      await before.close()
      await forgetMigration(location, '010_position_hooks')
      for (let opened = 0; opened < 2; opened++) {
        const store = await openAccountStore(location)
        expect(await store.outbox.listEndpoints(id)).toEqual([
          {
            accountId: id,
            owner: 'p_webhook',
            url: URL_SAVED,
            state: 'on',
            reason: null,
            failedInARow: 0,
            sinceMs: 7,
          },
        ])
        await store.close()
      }
    })
  })
})
