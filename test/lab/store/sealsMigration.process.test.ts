// Ideas that were tested before holdouts were sealed, on both engines.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { BOTH_ENGINES, type Engine } from '../../support/engines.ts'
import { makeOldIdeas } from '../../support/oldAccounts.ts'

const ACCOUNT = 'acc_lab'

describe.each(BOTH_ENGINES)('in %s', (_, isHere, start) => {
  const given = isHere ? describe : describe.skip

  given('ideas of the version before', () => {
    let engine: Engine

    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())

    test('results that show a holdout are gone, the looks stay, and the first test seals', async () => {
      const location = await engine.newPlace()
      await makeOldIdeas(location)
      const { lab, close } = await openAccountStore(location)
      const ideas = await lab.listIdeas(ACCOUNT)
      expect(ideas.map(({ id, stage }) => [id, stage])).toEqual([
        ['i_tested', 'rule'],
        ['i_desk', 'desk'],
      ])
      expect(await lab.conveyor(ACCOUNT)).toEqual({ holder: null, run: null })
      for (const id of ['j_tested', 'j_desk']) {
        expect(await lab.readResult(ACCOUNT, id)).toBeNull()
        expect(await lab.findRun(ACCOUNT, id)).toMatchObject({ tradesSha256: null, summary: null })
      }
      expect(await lab.findDone(ACCOUNT, 'i_tested', 'backtest')).toBeNull()
      expect(await lab.listDone(ACCOUNT)).toEqual([])
      // a rule alone has seen no holdout
      expect(await lab.readResult(ACCOUNT, 'j_alone')).toBe('{}')
      await lab.addCredits({ accountId: ACCOUNT, credits: 1, ref: 'x', atMs: 3 })
      const begun = await lab.startRun({
        accountId: ACCOUNT,
        ideaId: 'i_tested',
        kind: 'backtest',
        atMs: 4,
        repeat: null,
        assume: '{}',
        areRelated: () => true,
      })
      expect(begun).toMatchObject({
        kind: 'started',
        run: {
          holdoutFrom: '2026-06-01',
          firstTestedTo: '2026-08-31',
          sealedKind: 'real',
          lineage: { familyTrials: 16, familyLooks: 3 },
        },
      })
      await close()
    })
  })
})
