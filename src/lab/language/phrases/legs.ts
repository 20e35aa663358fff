import type { NamedStrike, StatedItem } from '../items.ts'
import type { Phrase } from '../phrase.ts'
import type { RuleAction } from '../spec.ts'

/** Other leg of a vertical, a number of points away. */
const WING = `
  (buy|sell|buying|selling|with|long|short) [a|the] (put|call|wing|wings|hedge|long|long leg|
  long put|
  long call|one) <num:w> [@pt] (lower|higher|further|further out|further otm|below|above|under|
  away|out|
  otm) [that|it|of that|from it|from there]
`

/** Sixteen delta is written 16 or .16. */
export const toDelta = (signed: number): number => {
  const n = Math.abs(signed)
  return n >= 1 ? Number((n / 100).toPrecision(12)) : n
}

type LegValues = {
  readonly [name in 'd' | 'd2' | 'k' | 'k2' | 'w']?: number
} & { readonly [name in 's' | 's2' | 's3' | 's4' | 's5']?: 'put' | 'call' } & {
  readonly a?: RuleAction
}

/** "sell the 20 delta put and buy the put 10 lower": a vertical given by its legs. */
function toVertical({ a, d, d2, k, k2, w, s, s2, s3, s4, s5 }: LegValues): StatedItem[] {
  const side = s ?? s2 ?? s3 ?? s4 ?? s5!
  const delta = d ?? d2
  const points = k ?? k2 ?? 0
  const of: NamedStrike =
    delta === undefined
      ? { ref: 'spot', points, side: points === 0 ? 'at' : 'out' }
      : { ref: 'delta', value: toDelta(delta) }
  return [
    { k: 'action', v: a! },
    { k: 'structure', v: `${side}_spread` },
    strike(of),
    { k: 'width', v: w! },
  ]
}

const strike = (v: NamedStrike) => ({ k: 'strike' as const, v })

/** Spreads given by their legs. */
export const LEG_PHRASES: readonly Phrase[] = [
  {
    id: 'vertical_by_legs',
    field: 'structure',
    phrase: `
      <action:a> [a|the|one] (<num:d> delta <side:s>|(atm|at the money) <side:s2>|<side:s3>
      <num:k> [@pt]
      (below|under|above|over|otm|out) [@price]|<num:k2> [@pt] otm <side:s4>|<num:d2> d
      <side:s5>) [,]
      [and|;] ${WING}
    `,
    head: 'core',
    make: values => toVertical(values),
  },
  {
    id: 'wing_by_leg',
    field: 'width',
    phrase: WING,
    in: ['core', 'days'],
    make: ({ w }) => ({ k: 'width', v: w }),
  },
]
