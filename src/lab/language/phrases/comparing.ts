import type { StatedItem } from '../items.ts'
import { COMPARED, type ComparedField, type CompareOp, type RuleCondition } from '../spec.ts'

const plain = (value: number): number => Number(value.toPrecision(12)) + 0

/** A condition on a field, in the field's unit. */
export const compare = (f: ComparedField, op: CompareOp, v: number) =>
  ({
    k: 'when',
    v: { f, op, v: plain(v), u: COMPARED[f].unit } as RuleCondition,
  }) as const satisfies StatedItem

/** Comparison that holds for the negated value. */
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
/** "over 10 points" includes ten points, as "at least" does. */
const INCLUSIVE: Readonly<Record<string, CompareOp>> = { '>': '>=', '<': '<=' }
export const inclusive = (op: CompareOp): CompareOp => INCLUSIVE[op] ?? op

/** "no more than 10 below" is ambiguous: near and below, or anywhere but far below. */
export const twoWays = (side: string) => ({
  k: 'bad' as const,
  reason:
    `"no more than" so far ${side} has two meanings: say "less than" if it has to be ${side}, ` +
    'or turn the other case round with "unless"',
})

/** Per index point, for gamma. */
export const PER = '[(per|/|a|for each|for every) (point|pt|index point|1 point)]'

/** Comparison of an absolute size: within is at most. */
export const sized = (f: ComparedField, op: CompareOp, v: number) =>
  op.startsWith('abs') ? compare(f, op === 'abs<=' ? '<=' : '>=', v) : compare(f, op, v)
