import type { Assumption } from './draft.ts'

/** Collects errors, missing parts and assumptions while a leg is completed. */
export type Findings = {
  readonly errors: string[]
  readonly missing: string[]
  readonly assumptions: Assumption[]
}

/** Adds an assumption, and its reason. */
export function assume(found: Findings, field: string, value: string, why: string): void {
  found.assumptions.push({ field, value, why })
}
