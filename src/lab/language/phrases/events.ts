import type { Phrase } from '../phrase.ts'

const ORDER = `
    [a|an|any|the] [single] (@order [of|is|was|prints|hits|comes in|trades] [size] [<cmp>]
    <money:m> [[in|of] premium] [or more]|[<cmp:cmp2>] <money:m2> [or more] [premium] @order
    [premium]|
    @order with [a] premium [<cmp:cmp3>] <money:m3>|@order [<cmp:cmp4>] premium [<cmp:cmp5>]
    <money:m4>|[with] premium [<cmp:cmp6>] <money:m5> @order)
  `
const EFFECT = '[,] [and] [that|which|it] [<effect>|(with|has) (<effect:effect2>)]'
const SINCE = `
  [(in|within|over|during) [the] (last|past|prior|previous) (<minutes:since>|<hours:since2>|
  <lone_hour:since3>)]
`
const VAGUE_ORDER = `
    [a|an|any|the] [very] (big|large|huge|sizable|whale|giant|block|massive) (order|print|trade|
    block|flow|orders|prints|blocks)|[a|an|any|the] @order
  `

type OrderValues = {
  readonly [name in `m${'' | 2 | 3 | 4 | 5}` | 'since' | 'since2' | 'since3']?: number
} & { readonly effect?: 'adds' | 'removes'; readonly effect2?: 'adds' | 'removes' }

function orderOf(values: OrderValues, not: boolean) {
  const { m, m2, m3, m4, m5, effect, effect2 } = values
  const since = values.since ?? values.since2 ?? values.since3
  const gamma = effect ?? effect2
  const rest = {
    f: 'order' as const,
    ...(gamma ? { gamma } : {}),
    ...(since ? { since_min: since } : {}),
    ...(not ? { not: true as const } : {}),
  }
  const premium = m ?? m2 ?? m3 ?? m4 ?? m5
  return premium === undefined
    ? { k: 'when_open' as const, v: { order: rest } }
    : { k: 'when' as const, v: { ...rest, premium_musd_min: premium } }
}

const ONLY_FLIP =
  'only crossings of the flip are in the rules; ' +
  'of a wall, say "within 5 points of the put wall"'
const BEGIN = `
  (@after|if [there] [is|was|has been|were]|there (is|was|has been)|as soon as|on [a|an]|see|
  seeing|see an) [there is|there has been|there was|see|we see|we get|seeing]
`
const CROSS = `
    (crosses|crossed|cross|crossing|breaks|break|broke|moves|goes|climbs|falls|drops|rises|gets|
    comes|pushes|dips|trades|move) [back|up|down] [through|to|up|down]
  `

/** Large orders and crossings of the flip, which a rule may enter on. */
export const EVENT_PHRASES: readonly Phrase[] = [
  {
    id: 'no_order',
    field: 'order',
    phrase: `
      (no|without|there (is|was) no|there has been no|with no|not) ${ORDER} ${EFFECT} ${SINCE}
    `,
    head: 'when',
    make: values => orderOf(values, true),
  },
  {
    id: 'no_order_vague',
    field: 'order',
    phrase: `
      (no|without|there (is|was) no|there has been no|with no) (${VAGUE_ORDER}) ${EFFECT}
      ${SINCE}
    `,
    head: 'when',
    make: values => orderOf(values, true),
  },
  {
    id: 'order',
    field: 'order',
    phrase: `[${BEGIN}] ${ORDER} ${EFFECT} [prints|hits|comes in|is printed|trades] ${SINCE}`,
    head: 'when',
    make: values => orderOf(values, false),
  },
  {
    id: 'order_vague',
    field: 'order',
    phrase: `
      [${BEGIN}] (${VAGUE_ORDER}) ${EFFECT} [prints|hits|comes in|is printed|trades] ${SINCE}
    `,
    head: 'when',
    make: values => orderOf(values, false),
  },
  {
    id: 'order_effect',
    field: 'order',
    phrase: `[@when] [that|which|it|the order|they] (<effect:v>|(adds|add|adding|added) gamma|
      (has|with) <effect:v2>)`,
    head: 'when',
    make: ({ v, v2 }) => ({
      k: 'when_open',
      v: { order: { f: 'order', gamma: v ?? v2 ?? 'adds' } },
    }),
  },
  {
    id: 'order_since',
    field: 'order',
    phrase: `[@when] (in|within|over|during) the (last|past|prior|previous)
      (<minutes:since>|<hours:since2>)`,
    in: ['when', 'core'],
    make: ({ since, since2 }) => ({
      k: 'when_open',
      v: { order: { f: 'order', since_min: since ?? since2 } },
    }),
  },
  {
    id: 'cross',
    field: 'cross_flip',
    phrase: `
      [@when|after|the|on] [the] [<ordinal:nth> time] [that] [@price|it] [first] ${CROSS}
      <dir:dir>
      <level:level>
    `,
    head: 'when',
    make: values => crossOf(values),
  },
  {
    id: 'cross_noun',
    field: 'cross_flip',
    phrase: `
      [@when|after|on] [the] [a] [<ordinal:nth>] [flip] (cross|crossing|break) [of the flip]
      <dir:dir> [<level:level>]
    `,
    head: 'when',
    make: values => crossOf(values),
  },
  {
    id: 'cross_no_direction',
    field: 'cross_flip',
    phrase: `
      [@when|after|the|on] [the] [<ordinal:nth> time] [that] [@price|it] (crosses|crossed|
      crossing|breaks|touches|hits|reaches|tags|cross) [through] <level:level>
    `,
    head: 'when',
    make: ({ nth, level }) =>
      level === 'flip'
        ? { k: 'when_open', v: { cross: nth ?? 1 } }
        : {
            k: 'bad',
            reason: ONLY_FLIP,
          },
  },
]

function crossOf({ nth, dir, level = 'flip' }: Parameters<Phrase['make']>[0]) {
  if (level !== 'flip') {
    return {
      k: 'bad' as const,
      reason: ONLY_FLIP,
    }
  }
  return { k: 'when' as const, v: { f: 'cross_flip' as const, dir, nth: nth ?? 1 } }
}
