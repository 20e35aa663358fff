import type { NamedStrike } from '../items.ts'
import type { Phrase } from '../phrase.ts'

const HEAD = `
    [with|at|from|put] [the|a|its|both] [short|long|sold|bought] [strike|strikes|leg|legs|side|
    sides|shorts|short|one] [is|are|at|of|to] [about]
  `

const strike = (v: NamedStrike) => ({ k: 'strike' as const, v })

/** How far from what the strike is. In conditions the same words are distances of the price. */
export const STRIKE_PHRASES: readonly Phrase[] = [
  {
    id: 'strike_from_level',
    field: 'strike',
    phrase: `${HEAD} <num:n> [@pt] <dir:side> <level:ref>`,
    make: ({ n, side, ref }, { isHead, mode }) =>
      isHead && mode === 'when' ? null : strike({ ref, points: n, side }),
  },
  {
    id: 'strike_from_price',
    field: 'strike',
    phrase: `${HEAD} <num:n> [@pt] <dir:side> [@price|it]`,
    make: ({ n, side }, { isHead, mode }) =>
      isHead && mode === 'when' ? null : strike({ ref: 'spot', points: n, side }),
  },
  {
    id: 'strike_out',
    field: 'strike',
    phrase: `
      !(at #9|1[0-2]|[1-4]# out (at|by|before|after|in|when|if)) ${HEAD} <num:n> [@pt]
      ((further|farther) out|wide out|out of the money|otm|away from
      @price|from @price|out from @price|out|away|(above|below) and (above|below) [@price]) [of
      the money]
      [@sides]|${HEAD} <num:n2> [@pt] @sides
    `,
    make: ({ n, n2 }) => strike({ ref: 'spot', points: n ?? n2, side: 'out' }),
  },
  {
    id: 'strike_around_level',
    field: 'strike',
    phrase: `
      ${HEAD} <num:n> [@pt] (on each side of|on either side of|on both sides of|either side of|
      each side of|both sides of|around|out from|out of|away from|from) <level:ref>
    `,
    in: ['core', 'days', 'exit', 'profit', 'stop'],
    make: ({ n, ref }) => strike({ ref, points: n, side: 'out' }),
  },
  {
    id: 'strike_percent',
    field: 'strike',
    phrase: `${HEAD} <pct> @below_above [@price]|${HEAD} <pct> (otm|out of the money|out|away)`,
    in: ['core', 'days', 'when'],
    make: () => ({
      k: 'bad',
      reason: 'a strike is in points, expected moves or delta, not in percent',
    }),
  },
  {
    id: 'strike_fixed',
    field: 'strike',
    phrase: `${HEAD} #[2-9]\\d{3}# [c|p|put|call] [(/|and|by) #[2-9]\\d{3}# [c|p]]`,
    make: () => ({ k: 'bad', reason: 'no fixed strikes: give points from spot or from a level' }),
  },
  {
    id: 'strike_in',
    field: 'strike',
    phrase: `${HEAD} <num:n> [@pt] (in the money|itm)`,
    make: ({ n }) => strike({ ref: 'spot', points: n, side: 'in' }),
  },
  {
    id: 'strike_at_money',
    field: 'strike',
    phrase: `
      ${HEAD} [right|exactly] [at] (the money|atm|money)|${HEAD} [right|exactly] at (spot|the
      spot|the current price|the index)|[centered|centred] (atm|at the money|on spot)
    `,
    make: () => strike({ ref: 'spot', points: 0, side: 'at' }),
  },
  {
    id: 'strike_delta',
    field: 'strike',
    phrase: `
      ${HEAD} [a|at|with] <num:n> (delta|deltas) [strike|strikes|short|shorts|short strike|short
      strikes|legs|per side|each side|on each side]
    `,
    make: ({ n }) => strike({ ref: 'delta', value: deltaOf(n) }),
  },
  {
    id: 'strike_delta_short',
    field: 'strike',
    phrase: `${HEAD} <num:n> d [strike|strikes|short|shorts]`,
    // 1d to 4d would as well be days
    make: ({ n }) => (n < 1 || n >= 5 ? strike({ ref: 'delta', value: deltaOf(n) }) : null),
  },
  {
    id: 'strike_delta_of',
    field: 'strike',
    phrase: `${HEAD} [a] (delta|deltas) (of|at|to|is|=) <num:n>|${HEAD} delta <num:n2>`,
    make: ({ n, n2 }) => strike({ ref: 'delta', value: deltaOf(n ?? n2) }),
  },
  ...(['below', 'above', 'out'] as const).map(
    (side): Phrase => ({
      id: `strike_em_${side}`,
      field: 'strike',
      phrase: `${HEAD} (<num:n> [x|times|of] [the|an] @em|(one|an|the) @em) ${emSide(side)}`,
      make: ({ n }) => strike({ ref: 'em', mult: n ?? 1, side }),
    }),
  ),
  {
    id: 'strike_em_edge',
    field: 'strike',
    phrase: `${HEAD} [just] (outside|at) [of] [the edge of] [the|an] @em`,
    in: ['core', 'days'],
    make: () => strike({ ref: 'em', mult: 1, side: 'out' }),
  },
  {
    id: 'strike_at_level',
    field: 'strike',
    phrase: `${HEAD} [right|exactly] (at|on) <level:ref>`,
    make: ({ ref }) => strike({ ref, points: 0, side: 'at' }),
  },
  {
    id: 'strike_no_distance',
    field: 'strike',
    phrase: '[just|slightly|right|somewhere|well|far] <dir:side> <level:ref>',
    in: ['core', 'days'],
    make: ({ side, ref }) => ({ k: 'level_side', v: ref, side }),
  },
  {
    id: 'strike_vague',
    field: 'strike',
    phrase: `
        (just|slightly|somewhere|well|far) (below|above|out|away|out of the money|otm) [@price]|
        (otm|out of the money)
      `,
    in: ['core', 'days'],
    make: () => ({ k: 'vague', slot: 'strike' }),
  },
]

/** Sixteen delta is 16 and .16. */
const deltaOf = (n: number): number => (n >= 1 ? Number((n / 100).toPrecision(12)) : n)

function emSide(side: 'below' | 'above' | 'out'): string {
  if (side === 'below') return '(below|under|lower|down) [@price]'
  if (side === 'above') return '(above|over|higher|up) [@price]'
  return `
    [out|away|otm|out of the money|away from @price|from @price|on each side|on both sides|
    either side|each side|each way|both ways|wide]
  `
}
