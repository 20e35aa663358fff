// A server whose pages of LAB show stored results, and an account with ideas on them.

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { LabResult } from '../../src/lab/result.ts'
import { summarizeResult } from '../../src/lab/runs/summary.ts'
import { writeTrades } from '../../src/lab/runs/tradesFile.ts'
import { tradeRows } from '../../src/lab/runs/tradeTable.ts'
import type { ServerOptions } from '../../src/server/main.ts'
import { type LabAccount, type LabApi, startLabApi } from './labApi.ts'
import { ledgerTrade } from './labLedger.ts'
import { newCode, type Seen, signedIn, type Visitor } from './visitor.ts'

export type LabSite = LabApi & {
  readonly account: LabAccount
  readonly visitor: Visitor
  readonly post: (form: string, fields: Record<string, string>) => Promise<Seen>
  /** Begins an idea; returns its id and its page. */
  readonly begin: (message: string) => Promise<{ id: string; path: string }>
  /** Stores a result as that of a test of an idea, with a trade each session; returns its job. */
  readonly store: (id: string, result: LabResult) => Promise<string>
}

export async function startLabSite(options: Partial<ServerOptions> = {}): Promise<LabSite> {
  const lab = await startLabApi(options)
  const { api } = lab
  const account = await lab.newAccount()
  const visitor = await signedIn(api, account.accountId)
  const post: LabSite['post'] = (form, fields) => visitor.post(`/account/lab/${form}`, fields)
  const begin: LabSite['begin'] = async message => {
    const { location } = await post('chat', { message })
    const path = location!.split('#')[0]!
    return { path, id: path.split('/').at(-1)! }
  }
  const store: LabSite['store'] = async (ideaId, made) => {
    const { accountId } = account
    const kind = made.kind === 'quant' ? 'quant' : 'backtest'
    const requested = { accountId, atMs: api.clock.atMs, repeat: null, assume: '{}', kind } as const
    const started = await api.accounts.lab.startRun({
      ...requested,
      ideaId,
      areRelated: () => true,
    })
    if (!('run' in started)) throw new Error(JSON.stringify(started))
    const { id, rule } = started.run
    const result = { ...made, job: id, rule_hash: rule.ruleHash }
    const { sha256 } = writeTrades(api.dataFolder, id, listTrades(result))
    const ended = await api.accounts.lab.endRun({
      id,
      worker: null,
      atMs: api.clock.atMs,
      end: {
        state: 'done',
        result: JSON.stringify(result),
        tradesSha256: sha256,
        variants: 1,
        summary: JSON.stringify(summarizeResult(result)),
        // before the sessions of the small market, which the account's own tests seal
        testedTo: '2025-12-31',
        testedKind: 'simulated',
        holdoutFrom: null,
        sealed: null,
      },
    })
    expect(ended?.state).toBe('done')
    return id
  }
  return { ...lab, account, visitor, post, begin, store }
}

/** A trade each session, one chance in ten missed. */
function listTrades({ legs, holdout }: LabResult) {
  const dates = legs[0]!.series.day
  const all = dates.map((_, session) => session)
  const isMissed = (session: number) => session % 10 === 3
  return tradeRows(
    {
      trades: all.filter(one => !isMissed(one)).map(session => ledgerTrade({ session, r: 0.1 })),
      missed: all.filter(isMissed).map(session => {
        return { ruleLeg: 0, session, decidedAt: 600, isInRule: true, reason: 'no_price' as const }
      }),
    },
    { dates, holdout, firstTestedTo: null },
  )
}

/** Signs a browser in. */
export async function enter({ api, account }: LabSite, page: Page): Promise<void> {
  const code = await newCode(api, account.accountId)
  await page.goto(`${api.url}/account/enter`)
  await page.getByLabel('Code').fill(code)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Products' }).waitFor()
}
