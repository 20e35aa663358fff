import type { Response } from 'express'
import { callContext } from '../accounts/callContext.ts'
import { planAt } from '../accounts/products.ts'
import type { LabDeps, LabRequester } from './ask.ts'

/** Reads the account of a request and the monthly credits of its plan. */
export function readRequester(res: Response, { nowMs }: LabDeps): LabRequester {
  const { accountId, holder } = callContext(res)
  const plan = planAt(holder!.products, 'lab', nowMs())
  return { accountId: accountId!, monthlyCredits: plan?.monthlyCredits ?? null }
}
