import type { AccountRequest } from '../../accounts/accountPage.ts'
import { planAt } from '../../accounts/products.ts'
import type { ArchiveAsk } from '../../archive/ask.ts'
import type { LabDeps, LabRequester } from '../ask.ts'
import type { Views } from '../desk/views.ts'
import { labError } from '../errors.ts'
import type { MessageAdmission } from '../messageAdmission.ts'
import type { RunDeps } from '../runs/queryRuns.ts'
import type { Trades } from '../runs/trades.ts'

/** Dependencies of the pages of LAB. */
export type LabPageDeps = RunDeps & {
  readonly admission: MessageAdmission
  readonly trades: Pick<Trades, 'render'>
  readonly views: Pick<Views, 'newest' | 'session'>
  readonly asks: { readonly archive: Pick<ArchiveAsk, 'listSessions'> }
}

export const TEST_KINDS = ['backtest', 'quant'] as const
export type TestKind = (typeof TEST_KINDS)[number]

/** Returns the requester from the signed-in account. */
export function readRequester(
  { account }: Pick<AccountRequest, 'account'>,
  { nowMs }: LabDeps,
): LabRequester {
  const plan = planAt(account.products, 'lab', nowMs())
  return { accountId: account.id, monthlyCredits: plan?.monthlyCredits ?? null }
}

export const hasPlan = (
  { account }: Pick<AccountRequest, 'account'>,
  { nowMs }: LabDeps,
): boolean => planAt(account.products, 'lab', nowMs()) !== null

/** Reason why a form is refused, and the status of the page that shows it. */
export type FormRefusal = { readonly status: number; readonly sentence: string }

export const noSuchIdea = () => labError('not_found', { message: 'this account has no such idea.' })

/** Path of rules without an idea, and of each of them. */
export const STRUCTS_PATH = '/account/lab/jobs'
export const structPath = (job: string): string => `${STRUCTS_PATH}/${job}`

export const ideaPath = (id: string): string => `/account/lab/ideas/${id}`
