import { lastDayBefore, listPlans, type Product } from './products.ts'
import type { KeyHolder } from './types.ts'

/** Messages of the key check, for the products that word them themselves. */

/** Message for a request without a valid key: the same for every reason. */
export const sendKey = (shape: string) => `send a valid key as \`Authorization: Bearer ${shape}\`.`

/** States why an account may not use a product, and what it needs. */
export function lacksPlan(product: Product, { products }: KeyHolder, atMs: number): string {
  const held = products.find(one => one.product === product)
  const end = held?.untilMs ?? null
  const seen =
    end !== null && end <= atMs
      ? `the ${product} plan of this account ended with ${lastDayBefore(end)} (ET)`
      : `the account of this key has no ${product} plan`
  const plans = listPlans(product).map(({ plan }) => plan)
  return `${seen}; it needs the plan ${plans.join(' or ')}.`
}
