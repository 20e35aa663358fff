import type { Assumption } from './draft.ts'

/** Collects what is wrong, missing and assumed while a leg is completed. */
export type Findings = {
  readonly errors: string[]
  readonly missing: string[]
  readonly assumptions: Assumption[]
}

/** Adds what was taken for granted, and why. */
export function assume(found: Findings, field: string, value: string, why: string): void {
  found.assumptions.push({ field, value, why })
}
