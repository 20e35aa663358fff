import type { NamedStrike } from '../items.ts'
import { type Phrase, phrase } from '../phrase.ts'
import type { LevelRef } from '../spec.ts'
import { toDelta } from './legs.ts'

const HEAD = `
    [with|at|from|put|struck|placed|centered|centred|set] [the|a|its|both] [short|long|sold|bought]
    [(strike|strikes|leg|legs) ,|strike|strikes|leg|legs|side|sides|shorts|short|longs|one]
    [is|are|at|of|to|=|(sits|sit|sitting|placed) [at]] [@about]
  `
/** "short strike: 20 delta": with the word itself a colon or a comma may follow. */
const LABEL = '[the] [short|long|sold|bought] (strike|strikes) (,|=|is|at)'
const strike = (v: NamedStrike) => ({ k: 'strike' as const, v })

const offsetFrom = (ref: 'spot' | LevelRef, by: number) =>
  strike({ ref, points: Math.abs(by), side: by === 0 ? 'at' : by < 0 ? 'below' : 'above' })

const NO_OTHER = 'a strike is from spot, a wall or the flip: no other price is known to a rule'
const ONE_LEVEL =
  'a strike is from one level: both sides of a condor or a strangle are as far from it'
const FROM_LEVEL = 'from a level a strike is in points, such as "10 points below the put wall"'

/**
 * Distance of the strike from its reference. In conditions the same words are distances of the
 * price.
 */
export const STRIKE_PHRASES: readonly Phrase[] = [
  phrase`strike_from_level strike
    ${HEAD} <num:n> [@pt] <dir:side> <level:ref>`(({ n, side, ref }, { isHead, mode }) =>
    isHead && mode === 'when' ? null : strike({ ref, points: n, side }),
  ),
  phrase`strike_from_price strike
    ${HEAD} <num:n> [@pt] <dir:side> [@price]`(({ n, side }, { isHead, mode }) =>
    isHead && mode === 'when' ? null : strike({ ref: 'spot', points: n, side }),
  ),
  // next to a named level, "it" may be the price or the level
  phrase`strike_from_it strike
    ${HEAD} <num:n> [@pt] <dir:side> (it|that|there)`(({ n, side }, { isHead, mode, level }) => {
    if (isHead && mode === 'when') return null
    return level ? { k: 'vague', slot: 'strike' } : strike({ ref: 'spot', points: n, side })
  }),
  phrase`strike_from_other strike
    ${HEAD} <num> [@pt] <dir> [the|todays|this mornings] (open|opening price|opening print|
    high|low| mid|close|last price of)`((_, { isHead, mode }) =>
    isHead && mode === 'when' ? null : { k: 'bad', reason: NO_OTHER },
  ),
  phrase`strike_moves_from_level strike @core,days,exit,profit,stop
    ${HEAD} (<num> [x|times|of] [the|an] @em|(one|an|the) @em|<num> delta) <dir> <level>`({
    k: 'bad',
    reason: FROM_LEVEL,
  }),
  phrase`strike_signed strike @core,days
    ${HEAD} [@price] <neg:by> [@pt] !(@pt|%|percent|delta|d|x|put|call|ic|ics|iron|straddle|
    strangle|dte)|${HEAD} @price <offset:by> [@pt]`(({ by }) => offsetFrom('spot', by)),
  phrase`strike_level_formula strike @core,days
    ${HEAD} [at] <level:ref> <offset:by> [@pt]|${LABEL} [at] <level:ref>`(({ ref, by = 0 }) =>
    offsetFrom(ref, by),
  ),
  phrase`strike_labelled_delta strike
    ${LABEL} [@about] <num:n> (delta|deltas|d)`(({ n }) =>
    strike({ ref: 'delta', value: toDelta(n) }),
  ),
  phrase`strike_both_sides strike @core,days
    ${HEAD} [puts|put side] <num:a> [@pt] (below|under) [@price] [,] [and|/|,] [calls|call side]
    <num:b> [@pt] (above|over) [@price] !(<level>)| ${HEAD} <num:c> [@pt] (above|over) [@price]
    [,] (and|/|,) <num:d> [@pt] (below|under) [@price] !(<level>)|[at] plusminus <num:n> [@pt]
    [@sides]`(({ a, b, c, d, n }) => {
    const [one, two] = [a ?? c ?? n, b ?? d ?? n]
    if (one !== two)
      return { k: 'bad', reason: 'both sides are as far from the index: give one distance' }
    return strike({ ref: 'spot', points: one, side: 'out' })
  }),
  phrase`strike_both_deltas strike
    [the] (put|puts) [side] [at] <num:a> (delta|d) [,] [and] [the] (call|calls) [side] [at] <num:b>
    (delta|d)`(({ a, b }) =>
    a === b
      ? strike({ ref: 'delta', value: toDelta(a) })
      : { k: 'bad', reason: 'both sides have one delta: give one' },
  ),
  // the nearer one of a vertical is traded, the other one is its width away
  phrase`strike_near_far strike @core,days
    [with|at] [the] (strikes|legs) [is|are|at|of|to|=|,] [@about] <num:a> [@pt] (and|to|–) <num:b> (@pt <dir:side> [@price]|@pt (out|otm|away)
    [from @price] [@sides]|<dir:side> @price)`(({ a, b, side }) => {
    const points = Math.min(a, b)
    const near = strike({ ref: 'spot', points, side: side ?? 'out' })
    return [near, { k: 'width', v: Math.max(a, b) - points }]
  }),
  // ambiguous: both strikes, or the width and a strike
  phrase`strike_pair strike @core,days
    ${HEAD} #\\d{1,3}# / #\\d{1,3}# ([@pt] <dir> [@price]|[@pt] (out|otm)|delta|deltas|!(!(put|
    call|ic| iron|spread|condor|pcs|ccs)))`([
    { k: 'vague', slot: 'strike' },
    { k: 'vague', slot: 'width' },
  ]),
  phrase`strike_range strike @core,days
    ${HEAD} <num> – <num> (delta|deltas)|${HEAD} (between|from) <num> (and|to|–) <num> (delta|
    deltas)| [with|at] [a|the] <least> <num> (delta|deltas)|[with|at] [a|the] (under|below|less
    than|at most|no more than|up to|max) <num> (delta|deltas)`({ k: 'vague', slot: 'strike' }),
  phrase`strike_cushion strike
    with [a] <num:n> [@pt] [of] (cushion|room|buffer)`(({ n }) =>
    strike({ ref: 'spot', points: n, side: 'out' }),
  ),
  phrase`strike_out strike
    !(at #9|1[0-2]|[1-4]# out (at|by|before|after|in|when|if)) ${HEAD} <num:n> [@pt]
    ((further|farther) out|wide out|out of the money|otm|away from @price|from @price|out from
    @price|out|away|(above|below) and (above|below) [@price]) [of the money] [@sides]|${HEAD}
    <num:n> [@pt] @sides`(({ n }) => strike({ ref: 'spot', points: n, side: 'out' })),
  phrase`strike_around_level strike @core,days,exit,profit,stop
    ${HEAD} <num:n> [@pt] (on each side of|on either side of|on both sides of|either side of|
    each side of|both sides of|around|out from|out of|away from|from) <level:ref>`(({ n, ref }) =>
    strike({ ref, points: n, side: 'out' }),
  ),
  phrase`strike_percent strike @core,days,when
    ${HEAD} <pct> @below_above [@price]|${HEAD} <pct> (otm|out of the money|out|away)`({
    k: 'bad',
    reason: 'a strike is in points, expected moves or delta, not in percent',
  }),
  phrase`strike_fixed strike
    ${HEAD} #[2-9]\\d{3}# [c|p|put|call] [(/|and|by) #[2-9]\\d{3}# [c|p]]`({
    k: 'bad',
    reason: 'no fixed strikes: give points from spot or from a level',
  }),
  phrase`strike_in strike
    ${HEAD} <num:n> [@pt] (in the money|itm)`(({ n }) =>
    strike({ ref: 'spot', points: n, side: 'in' }),
  ),
  phrase`strike_at_money strike
    ${HEAD} [right|exactly] [at] (the money|atm|money)|${HEAD} [right|exactly] at (spot|the
    spot|the current price|the index)|[centered|centred] (atm|at the money|on spot)`(
    strike({ ref: 'spot', points: 0, side: 'at' }),
  ),
  phrase`strike_delta strike
    ${HEAD} [a|at|with|the] <num:n> (delta|deltas) [strike|strikes|short|shorts|short strike|short
    strikes|legs|per side|@sides]`(({ n }) => strike({ ref: 'delta', value: toDelta(n) })),
  // 1d to 4d may also be days
  phrase`strike_delta_short strike
    ${HEAD} <num:n> d [strike|strikes|short|shorts]`(({ n }) =>
    Math.abs(n) < 1 || Math.abs(n) >= 5 ? strike({ ref: 'delta', value: toDelta(n) }) : null,
  ),
  phrase`strike_delta_of strike
    ${HEAD} [a] (delta|deltas) (of|at|to|is|=|,) <num:n>|${HEAD} (delta|deltas) <num:n>`(({ n }) =>
    strike({ ref: 'delta', value: toDelta(n) }),
  ),
  ...(['below', 'above', 'out'] as const).map(
    (side): Phrase =>
      phrase`strike_em_${side} strike
    ${HEAD} (<num:n> [x|times|of] [the|an] @em|(one|an|the) @em) ${emSide(side)}`(({ n }) =>
        strike({ ref: 'em', mult: n ?? 1, side }),
      ),
  ),
  phrase`strike_em_edge strike @core,days
    ${HEAD} [right] at [the (edge|edges) of] [the|an] @em`(
    strike({ ref: 'em', mult: 1, side: 'out' }),
  ),
  phrase`strike_at_walls strike @core,days
    ${HEAD} (at|on|outside|beyond) [the|both] walls|${HEAD} (at|on) [the] put wall and [the] call
    wall`({ k: 'bad', reason: ONE_LEVEL }),
  phrase`strike_at_level strike
    ${HEAD} [right|exactly] (at|on) <level:ref>`(({ ref }) =>
    strike({ ref, points: 0, side: 'at' }),
  ),
  phrase`strike_no_wall strike @core,days
    [just|slightly|right|somewhere|well|far] [<num> [@pt]] (<dir>|at|on) [the|a] (wall|walls)`(
    (_, { isHead }) => (isHead ? null : { k: 'vague', slot: 'strike' }),
  ),
  phrase`strike_no_distance strike @core,days
    [just|slightly|right|somewhere|well|far] <dir:side> <level:ref>`(({ side, ref }) => ({
    k: 'level_side',
    v: ref,
    side,
  })),
  phrase`strike_vague strike @core,days
    (just|slightly|somewhere|well|far) (below|above|out|away|out of the money|otm) [@price]|
    [not] (too|very|so|fairly|pretty|quite) (far|close) [out|away|to @price|from @price]|
    [just| slightly|well] (outside|beyond|inside) [of] [the|an] @em| (otm|out of the money|itm|in
    the money)|(<num>|a|one|two|three) (strike|strikes) (below| above|out|otm| under|over|away)
    [<level>|@price]`({ k: 'vague', slot: 'strike' }),
]

function emSide(side: 'below' | 'above' | 'out'): string {
  if (side === 'below') return '(below|under|lower|down) [@price]'
  if (side === 'above') return '(above|over|higher|up) [@price]'
  return `
    [out|away|otm|out of the money|away from @price|from @price|wide] [@sides]
  `
}
