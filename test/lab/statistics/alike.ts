import { expect } from 'vitest'

/**
 * True when numbers agree to 1e-9 of the larger of 1 and their size, with nulls at the same
 * indexes.
 */
export function expectAlike(found: unknown, due: unknown, name = 'figure'): void {
  if (typeof due === 'number') {
    const isNear = Math.abs((found as number) - due) <= 1e-9 * Math.max(1, Math.abs(due))
    expect([name, isNear, found]).toEqual([name, true, found])
  } else if (due !== null && typeof due === 'object') {
    for (const [key, value] of Object.entries(due)) {
      expectAlike((found as Record<string, unknown>)[key], value, `${name}.${key}`)
    }
  } else expect([name, found]).toEqual([name, due])
}
