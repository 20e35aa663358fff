import type { Response } from 'express'
import { planAt } from '../accounts/products.ts'
import { requestContext } from '../platform/http/request.ts'
import type { LabDeps, LabRequester } from './ask.ts'

/** Reads the account of a request and the monthly credits of its plan. */
export function readRequester(res: Response, { nowMs }: LabDeps): LabRequester {
  const { accountId, holder } = requestContext(res)
  const plan = planAt(holder!.products, 'lab', nowMs())
  return { accountId: accountId!, monthlyCredits: plan?.monthlyCredits ?? null }
}
