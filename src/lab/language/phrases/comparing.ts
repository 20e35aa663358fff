import type { Said } from '../items.ts'
import { COMPARED, type ComparedField, type CompareOp, type RuleCondition } from '../spec.ts'

const plain = (value: number): number => Number(value.toPrecision(12)) + 0

/** A condition on a field, in the field's unit. */
export const compare = (f: ComparedField, op: CompareOp, v: number) =>
  ({
    k: 'when',
    v: { f, op, v: plain(v), u: COMPARED[f].unit } as RuleCondition,
  }) as const satisfies Said

/** The comparison that holds for a value with the other sign. */
export const OPPOSITE: Readonly<Record<CompareOp, CompareOp>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  'abs<': 'abs<',
  'abs<=': 'abs<=',
  'abs>': 'abs>',
  'abs>=': 'abs>=',
}
/** "over 10 points" counts ten points itself, as "at least" does. */
const INCLUSIVE: Readonly<Record<string, CompareOp>> = { '>': '>=', '<': '<=' }
export const inclusive = (op: CompareOp): CompareOp => INCLUSIVE[op] ?? op

/** Of a gamma: for each index point. */
export const PER = '[(per|/|a|for each|for every) (point|pt|index point|1 point)]'
