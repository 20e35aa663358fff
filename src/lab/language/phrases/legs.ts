import type { NamedStrike, StatedItem } from '../items.ts'
import { type Phrase, phrase } from '../phrase.ts'
import type { RuleAction } from '../spec.ts'

const LEG = `(put|call|wing|wings|hedge|long|long leg|long put|long call|short put|short call|one|leg|legs|
  strike|strikes)`
/** The other leg, from which it is counted. */
const NEAR =
  '(that|it|of that|(from|of) (it|there|[the|my] (short|shorts) [leg|legs|strike|strikes]))'
/** Wings are counted from the other legs; a put or a call has its own strike. */
const FAR = '(hedge|long|long leg|one|leg|legs|strike|strikes)'
const TAKE = '[and] (buy|sell|buying|selling|with|long|short|bought|sold)'
/** Other leg of a vertical: so many points from the first, or from where it is counted. */
const WING = `
  (${TAKE} [a|the] [${LEG}] <num:w> [@pt] (lower|higher|further [out|otm|down|up|away] [${NEAR}]|(below|above|
  under|away|out|otm) ${NEAR})|${TAKE} [a|the] ${FAR} [at] <num:f> [@pt] (below|
  above|under|over|away|out of the money|out|otm) !(${NEAR}) [<spot:o>])
`

/** Sixteen delta is written 16 or .16. */
export const toDelta = (signed: number): number => {
  const n = Math.abs(signed)
  return n >= 1 ? Number((n / 100).toPrecision(12)) : n
}

type LegValues = {
  readonly [name in 'd' | 'k' | 'w' | 'f']?: number
} & { readonly a?: RuleAction; readonly s?: 'put' | 'call'; readonly o?: true }

/** "sell the 20 delta put and buy the put 10 lower": a vertical given by its legs. */
function toVertical(values: LegValues): StatedItem[] {
  const { a, d, k = 0, s } = values
  const of: NamedStrike =
    d === undefined
      ? { ref: 'spot', points: k, side: k === 0 ? 'at' : 'out' }
      : { ref: 'delta', value: toDelta(d) }
  return [{ k: 'action', v: a! }, { k: 'structure', v: `${s!}_spread` }, strike(of), toWing(values)]
}

const toWing = ({ w, f, o }: LegValues): StatedItem =>
  w === undefined ? { k: 'far', v: f!, ...(o ? { isOfSpot: true } : {}) } : { k: 'width', v: w }

const strike = (v: NamedStrike) => ({ k: 'strike' as const, v })

/** Spreads given by their legs. */
export const LEG_PHRASES: readonly Phrase[] = [
  phrase`vertical_by_legs structure >core
    <action:a> [a|the|one] (<num:d> delta <side:s>|(atm|at the money) <side:s>|<side:s> [at] <num:k>
    [@pt] (below|under|above|over|out of the money|otm|out) [@price]|<num:k> [@pt] otm
    <side:s>|<num:d> d <side:s>) [,] [and|;] ${WING}`(values => toVertical(values)),
  phrase`both_by_legs structure >core
    <action:a> [both] [a|the|an] ((atm|at the money)|<num:d> (delta|d)) (put|puts|call|calls) and
    [a|the|an] [(atm|at the money)|<num:e> (delta|d)] (put|puts|call|calls)`(({ a, d, e }) => {
    if (e !== undefined && e !== d) return null
    const at = d === undefined ? null : toDelta(d)
    return [
      { k: 'action', v: a },
      { k: 'structure', v: at === null ? 'straddle' : 'strangle', isByLegs: true },
      strike(at === null ? { ref: 'spot', points: 0, side: 'at' } : { ref: 'delta', value: at }),
    ]
  }),
  phrase`stated_leg structure @core,days,exit,profit,stop
    [and|with|plus] [the|a|my|its|one] <action:a> [the|a|one] [long|short] <side:s> [strike|leg] [@is|goes|go|
    sits|at|on|=|,] (<num:k> [@pt] (<dir:dir> [@price|<level:ref>]|(out of the money|otm|out|away)) !(${NEAR})|[at] <num:d> (delta|deltas|d)|
    [at] (atm|the money))`(({ a, s, k, d, dir, ref }) => ({
    k: 'leg',
    action: a,
    side: s,
    v:
      k === undefined
        ? d === undefined
          ? { ref: 'spot', points: 0, side: 'at' }
          : { ref: 'delta', value: toDelta(d) }
        : { ref: ref ?? 'spot', points: k, side: dir ?? 'out' },
  })),
  phrase`wing_by_leg width @core,days
    ${WING}`(values => toWing(values)),
]
