import type { ErrorCatalogue } from '../platform/http/errors/catalogue.ts'
import type { Scope } from './apiKey.ts'
import type { CallLimit } from './limits/callLimit.ts'
import type { PlanRow, Product } from './products.ts'
import type { KeyHolder } from './types.ts'

/** A product as the key check sees it. An area of the product brings it; the check knows no name. */
export type ApiProduct = {
  readonly name: Product
  readonly errors: ProductErrors
  /** Other scopes whose keys open its routes, subject to `findPlan`. */
  readonly otherScopes?: readonly Scope[]
  /** Limits of its calls, in the order in which they are checked. */
  readonly limits: readonly CallLimit[]
  /** Returns the plan of a call; null: none. Defaults to the account's plan of the product. */
  readonly findPlan?: (request: KeyedRequest) => PlanRow | null
}

/** The errors of a product, with those of the key check. */
export type ProductErrors = ErrorCatalogue & {
  readonly noKey: () => Error
  readonly unknownKey: () => Error
  readonly noPlan: (holder: KeyHolder, atMs: number) => Error
}

export type KeyedRequest = {
  readonly holder: KeyHolder
  /** Real time, also in a replay. */
  readonly atMs: number
  /** Time shown to clients: in a replay, that of the replay. */
  readonly shownMs: number
  readonly url: string
}
