import type { Response } from 'express'
import { planAt } from '../accounts/products.ts'
import { contextOf } from '../http/request.ts'
import type { LabAsker, LabDeps } from './ask.ts'

/** The account of a call, and what its plan gives a month. */
export function askerOf(res: Response, { nowMs }: LabDeps): LabAsker {
  const { accountId, holder } = contextOf(res)
  const plan = planAt(holder!.products, 'lab', nowMs())
  return { accountId: accountId!, monthlyCredits: plan?.monthlyCredits ?? null }
}
