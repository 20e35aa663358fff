import { type Phrase, phrase } from '../phrase.ts'

const ORDER = `
    [a|an|any|the] [single|big|large|huge|first] (
    @order [of|is|was|prints|hits|comes in|trades] [size] [<least>] <money:m>
    [[in|of] premium]|[<least>] <money:m> [premium] @order [premium]|
    @order with [a] premium [<least>] <money:m>|@order [<least>] premium [<least>]
    <money:m>|[with] premium [<least>] <money:m> @order)
  `
const DONE = `
  [prints|hits|comes in|is printed|trades|printed|came in|hit|traded|goes through|went through|
  crosses
  the tape|shows up|has printed|gets printed]
`
const EFFECT = '[,] [and] [that|which|it] [<effect:gamma>|(with|has) (<effect:gamma>)]'
const SINCE = `
  [(in|within|over|during|for) [the] (last|past|prior|previous) (<minutes:since>|<hours:since>|
  <lone_hour:since>)]
`
const VAGUE_ORDER = `
    [a|an|any|the] [very] (big|large|huge|sizable|whale|giant|block|massive) (order|print|trade|
    block|flow|orders|prints|blocks)|[a|an|any|the] @order
  `

type OrderValues = {
  readonly m?: number
  readonly since?: number
  readonly gamma?: 'adds' | 'removes'
}

function toOrder({ m, since, gamma }: OrderValues, not: boolean) {
  const rest = {
    f: 'order' as const,
    ...(gamma ? { gamma } : {}),
    ...(since ? { since_min: since } : {}),
    ...(not ? { not: true as const } : {}),
  }
  return m === undefined
    ? { k: 'when_open' as const, v: { order: rest } }
    : { k: 'when' as const, v: { ...rest, premium_musd_min: m } }
}

const ONLY_FLIP =
  'only crossings of the flip are in the rules; ' +
  'of a wall, say "within 5 points of the put wall"'
const NOT_CROSSED =
  'that something has not happened can be said of orders only, not of crossings: ' +
  'say where the price is, such as "if price is above the flip"'
const NONE = `
  (no|without|there (is|was|has) [been] no|there (hasnt|has not|was not|wasnt|isnt) [been]|with no|not)
`
const BEGIN = `
  (@after|if [there] [is|was|has been|were]|there (is|was|has) [been]|as soon as|on [a|an]|see|
  seeing|see an) [there is|there has been|there was|see|we see|we get|seeing]
`
const CROSS = `
    (crosses|crossed|cross|crossing|breaks|break|broke|moves|goes|climbs|falls|drops|rises|gets|
    comes|pushes|dips|trades|move) [back|up|down] [through|to|up|down]
  `

/** Large orders and crossings of the flip, which a rule may enter on. */
export const EVENT_PHRASES: readonly Phrase[] = [
  phrase`no_order order >when
    ${NONE} ${ORDER} ${EFFECT} ${DONE} ${SINCE}`(values => toOrder(values, true)),
  phrase`no_order_vague order >when
    ${NONE} (${VAGUE_ORDER}) ${EFFECT} ${DONE} ${SINCE}`(values => toOrder(values, true)),
  phrase`order order >when
    [${BEGIN}] ${ORDER} ${EFFECT} ${DONE} ${SINCE}`(values => toOrder(values, false)),
  phrase`order_vague order >when
    [${BEGIN}] (${VAGUE_ORDER}) ${EFFECT} ${DONE} ${SINCE}`(values => toOrder(values, false)),
  phrase`order_each order >when
    [after|on|upon|for|when] (each|every) [time there is] ${ORDER} ${EFFECT} ${DONE}`(values => [
    toOrder(values, false),
    { k: 'each' },
  ]),
  phrase`order_later order >when
    (<minutes>|<hours>) (after|following|later than) (${ORDER}|${VAGUE_ORDER}|the cross|the
    crossing)| within (<minutes>|<hours>) of (${ORDER}|${VAGUE_ORDER}|the cross|the crossing)`({
    k: 'bad',
    reason: 'an entry on an event is at its minute, not so many later',
  }),
  phrase`order_no_unit order >when
    [${BEGIN}] [a|an|any|the] @order [of|with] [[a] premium] <least> [$] <num> [dollars|usd|
    premium] !(@money|@pt|%|percent|contracts|lots|lot|contract|delta|@order) ${EFFECT}`(values =>
    toOrder(values, false),
  ),
  phrase`order_under order >when
    [${BEGIN}] [no] [a|an|any|the] @order [of|with|is|was] [[a] premium] (less than|under|
    below|smaller than|at most|no more than|up to|not over|between <money> and) <money>
    [premium]|[${BEGIN}] [a|an| any|the] @order [of|with|is|was] [[a] premium] <least> <money>
    [premium] (and|but) (less than| under|below|at most|no more than|up to) <money> [premium]`({
    k: 'bad',
    reason: 'an order is over a premium, such as $25M, and has no upper bound',
  }),
  phrase`order_effect order >when
    [@when] [that|which|it|the order|they] (<effect:v>|(adds|add|adding|added) gamma| (has|with)
    <effect:v>) !(positive|negative|above|below|over|under|@is)`(({ v }) => ({
    k: 'when_open',
    v: { order: { f: 'order', gamma: v ?? 'adds' } },
  })),
  phrase`order_since order @when,core
    [@when] (in|within|over|during) the (last|past|prior|previous)
    (<minutes:since>|<hours:since>)`(({ since }) => ({
    k: 'when_open',
    v: { order: { f: 'order', since_min: since } },
  })),
  phrase`cross cross_flip >when
    [@when|after|the|on] [the] [<ordinal:nth> time] [that] [@price|it] [first] ${CROSS} <dir:dir>
    <level:level> [for the <ordinal:nth2> time]`(values => toCross(values)),
  phrase`cross_noun cross_flip >when
    [@when|after|on] [the] [a] [<ordinal:nth>] [flip] (cross|crossing|break) [of the flip]
    <dir:dir> [<level:level>]`(values => toCross(values)),
  phrase`cross_way cross_flip >when
    [@when|after|the|on] [the] [<ordinal:nth> time] [that] [@who] [first]
    ((crosses|crossed|cross| crossing|breaks|broke|break|comes|goes|moves|gets|got|punches|pops)
    (up|upward|upwards|up through| back up through|up over|back over|back above)
    <level:up>|(reclaims|reclaimed|reclaim| regains|regained|recovers|recovered|takes back|took
    back|retakes|retook|gets back|gets back above) <level:up>|(crosses|crossed|cross|crossing|
    breaks| broke|break|goes|passes) <level:up> from (below|under|underneath) [to (above|over)])`(
    ({ nth, up }) => toCross({ nth, dir: 'above', level: up }),
  ),
  phrase`cross_way_down cross_flip >when
    [@when|after|the|on] [the] [<ordinal:nth> time] [that] [@who] [first]
    ((crosses|crossed|cross|
    crossing|breaks|broke|break|comes|goes|moves|falls|drops|slices|slips|cuts) (down|downward|
    downwards|down through|back down through|back below|back under) <level:down>|(loses|lost|
    gives up| gave up|falls through|drops through|slices through)
    <level:down>|(crosses|crossed|cross| crossing| breaks|broke|break|goes|passes) <level:down>
    from (above|over) [to (below|under)])`(({ nth, down }) =>
    toCross({ nth, dir: 'below', level: down }),
  ),
  phrase`cross_each cross_flip >when
    [on|after|at] (each|every) [flip] (cross|crossing|break) [of the flip] <dir:dir>
    [<level:level>]`(values => [toCross(values), { k: 'each' }]),
  phrase`cross_not cross_flip >when
    [@when] [@who] (doesnt|does not|hasnt|has not|didnt|did not|never|havent|have not|wont) [yet]
    (cross| crossed|crosses|break|broken|broke|touch|touched|lose|lost|reclaim|reclaimed)
    [through| back] [<dir>] [<level>]`({ k: 'bad', reason: NOT_CROSSED }),
  phrase`cross_either cross_flip >when
    [@when|after|the|on] [the] [<ordinal:nth> time] [@who] (crosses|crossed|cross|breaks) (above
    or below|over or under|below or above|up or down|either way [through]) <level:level>`(
    ({ nth, level }) =>
      level === 'flip'
        ? { k: 'when_open', v: { cross: nth ?? 1 } }
        : { k: 'bad', reason: ONLY_FLIP },
  ),
  phrase`cross_by_points cross_flip >when
    [@when|after] [@who] ${CROSS} (<dir> <level> by <num> [@pt]|<num> [@pt] <dir> <level>)|
    [@when|after] [@who] (crosses|crossed|breaks) <level> by <num> [@pt]`({
    k: 'bad',
    reason: 'a crossing has no points: say "when price crosses above the flip"',
  }),
  phrase`cross_no_direction cross_flip >when
    [@when|after|the|on] [the] [<ordinal:nth> time] [that] [@who] (crosses|crossed|
    crossing|breaks|break|broke|touches|touched|touch|hits|hit|reaches|tags|cross) [through]
    <level:level>|[@when|after|on|at] [the|a|any] [<ordinal:nth>] flip (cross|crossing)`(
    ({ nth, level = 'flip' }) =>
      level === 'flip'
        ? { k: 'when_open', v: { cross: nth ?? 1 } }
        : {
            k: 'bad',
            reason: ONLY_FLIP,
          },
  ),
]

function toCross({ nth, nth2, dir, level = 'flip' }: Parameters<Phrase['make']>[0]) {
  if (level !== 'flip') {
    return {
      k: 'bad' as const,
      reason: ONLY_FLIP,
    }
  }
  return { k: 'when' as const, v: { f: 'cross_flip' as const, dir, nth: nth ?? nth2 ?? 1 } }
}
