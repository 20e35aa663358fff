import type { NamedStructure } from '../items.ts'
import type { Phrase } from '../phrase.ts'
import { BOUNDS } from '../spec.ts'

type NamedWays = {
  readonly v: NamedStructure
  /** True when the name implies that it is sold; false when bought. */
  readonly sold?: boolean
  readonly ways: string
}

const SPREAD = '(spread|spreads|vertical|verticals|vertical spread|vertical spreads)'

/** Names of each structure; the first one is used in replies. */
export const STRUCTURE_WORDS: readonly NamedWays[] = [
  { v: 'put_spread', ways: `put ${SPREAD}|puts spread|put side ${SPREAD}|ps` },
  {
    v: 'put_spread',
    sold: true,
    ways: `
      put credit [${SPREAD}]|bull put [credit] [${SPREAD}]|bullish put ${SPREAD}|pcs|bps|credit put
      ${SPREAD}
    `,
  },
  {
    v: 'put_spread',
    sold: false,
    ways: `
      put debit [${SPREAD}]|bear put [debit] [${SPREAD}]|bearish put ${SPREAD}|debit put
      ${SPREAD}|pds
    `,
  },
  { v: 'call_spread', ways: `call ${SPREAD}|calls spread|call side ${SPREAD}|cs` },
  {
    v: 'call_spread',
    sold: true,
    ways: `
      call credit [${SPREAD}]|bear call [credit] [${SPREAD}]|bearish call ${SPREAD}|ccs|bcs|credit
      call ${SPREAD}
    `,
  },
  {
    v: 'call_spread',
    sold: false,
    ways: `
      call debit [${SPREAD}]|bull call [debit] [${SPREAD}]|bullish call ${SPREAD}|debit call
      ${SPREAD}|cds
    `,
  },
  { v: 'iron_condor', ways: 'iron condor|iron condors|condor|condors|ic|ics|irons' },
  {
    v: 'iron_condor',
    sold: false,
    ways: '(reverse|inverse) (iron condor|iron condors|condor|ic|ics)',
  },
  {
    v: 'iron_butterfly',
    ways: 'iron butterfly|iron butterflies|iron fly|iron flies|ironfly|ironflies|ifly',
  },
  {
    v: 'iron_butterfly',
    sold: false,
    ways: '(reverse|inverse) (iron butterfly|iron fly|ironfly|ifly)',
  },
  { v: 'strangle', ways: '[naked|uncovered] (strangle|strangles)' },
  { v: 'straddle', ways: '[naked|uncovered] (straddle|straddles)' },
  { v: 'butterfly', ways: 'butterfly|butterflies|fly|flies' },
  { v: 'spread', sold: true, ways: `credit ${SPREAD}` },
  { v: 'spread', sold: false, ways: `debit ${SPREAD}` },
  { v: 'spread', ways: SPREAD },
]

const ANY_STRUCTURE = STRUCTURE_WORDS.map(({ ways }) => ways).join('|')

const structures: readonly Phrase[] = STRUCTURE_WORDS.map(({ v, sold, ways }, index) => ({
  id: `structure_${index + 1}`,
  field: 'structure',
  phrase: `[the|a|an|one|any] (${ways})`,
  head: 'core',
  make: () => ({ k: 'structure', v, ...(sold === undefined ? {} : { sold }) }),
}))

const width: Phrase['make'] = ({ n }) => ({ k: 'width', v: n })

/** Action, structure, width, expiry and number of contracts. */
export const CORE_PHRASES: readonly Phrase[] = [
  {
    id: 'either',
    field: 'action',
    phrase: '(buy or sell|sell or buy|buy or short|long or short|short or long|trade) !(at|<int>)',
    head: 'core',
    make: () => ({ k: 'either' }),
  },
  {
    id: 'sell_it_at',
    field: 'exit',
    phrase: '(sell|buy) (it|them) [back] (at|by) <clock:t>',
    head: 'exit',
    make: ({ t }) => ({ k: 'exit', v: { at: t } }),
  },
  {
    id: 'action_it',
    field: 'action',
    phrase: '<action:v> (it|one|them|the same)',
    head: 'core',
    make: ({ v }) => ({ k: 'action', v, isIt: true }),
  },
  {
    id: 'action_quantity',
    field: 'qty',
    phrase: `<action:v> <int:n> [x] !(!([spx|spxw] (<int>|${ANY_STRUCTURE}|of the|atm|at the money)))`,
    head: 'core',
    make: ({ v, n }) => [
      { k: 'action', v },
      { k: 'qty', v: n },
    ],
  },
  {
    id: 'action',
    field: 'action',
    phrase: '<action:v>',
    head: 'core',
    make: ({ v }) => ({ k: 'action', v }),
  },
  ...structures,
  {
    id: 'put_or_call',
    field: 'structure',
    phrase: '[the] (put|puts|put side|put one|put spread one)',
    in: ['core'],
    make: (_, { isHead }) => (isHead ? null : { k: 'side', v: 'put' }),
  },
  {
    id: 'call_or_put',
    field: 'structure',
    phrase: '[the] (call|calls|call side|call one)',
    in: ['core'],
    make: (_, { isHead }) => (isHead ? null : { k: 'side', v: 'call' }),
  },
  {
    id: 'width_wide',
    field: 'width',
    phrase: '[$] <num:n> [$|dollar|dollars] [@pt] (wide|w) [wings]',
    make: width,
  },
  {
    id: 'width_wings',
    field: 'width',
    phrase: '[with] [$] <num:n> [$|dollar|dollars] [@pt] (wing|wings|width)',
    make: width,
  },
  {
    id: 'wings_of',
    field: 'width',
    phrase: `
        ([and] (buy|buying|long) [the|a] (wings|wing|hedges|protection)|
        [with] [the|a] (wings|wing|width|spread width|wing width|hedges|protection))
        [of|at|to|is|=|are|,] [$] <num:n> [dollars] [@pt] [wide|out|away|apart|further out]
      `,
    make: width,
  },
  {
    id: 'width_before',
    field: 'width',
    phrase: `[$] <num:n> (@pt|dollar|$) !(!(${ANY_STRUCTURE}))`,
    make: width,
  },
  {
    id: 'dte',
    field: 'dte',
    phrase: '<int:n> (dte|dtes|days to (expiry|expiration)|day to (expiry|expiration)|day options)',
    make: ({ n }) => ({ k: 'dte', v: n }),
  },
  {
    id: 'days_out',
    field: 'dte',
    phrase: '(expiring|expires) [in] <int:n> (days|sessions|day|session) [out]',
    make: ({ n }) => ({ k: 'dte', v: n }),
  },
  {
    id: 'same_day',
    field: 'dte',
    phrase: `
        [expiring|expires] (same day|the same day|todays|today) [expiry|expiration|expiring]|
        odte|same day expiry
      `,
    make: () => ({ k: 'dte', v: 0 }),
  },
  {
    id: 'next_day_expiry',
    field: 'dte',
    phrase: `
        (expiring|expires) [on] [the] (tomorrow|next day|next session)|(tomorrows|next day|next
        days|tomorrow) (expiry|expiration)|(tomorrows|next day) !(!(${ANY_STRUCTURE}|<num>))
      `,
    make: () => ({ k: 'dte', v: 1 }),
  },
  {
    id: 'width_percent',
    field: 'width',
    phrase: '<pct> (wide|wings|wing|width)',
    make: () => ({ k: 'bad', reason: 'a width is in points, not in percent' }),
  },
  {
    id: 'far_expiry',
    field: 'dte',
    phrase: '(weekly|weeklies|monthly|monthlies|leaps|quarterly) [expiry|expiration|options]',
    make: () => ({ k: 'bad', reason: 'an expiry is 0 to 5 sessions away' }),
  },
  {
    id: 'quantity',
    field: 'qty',
    phrase: '<int:n> (lots|lot|contracts|contract|cars|car|units) [of]|x <int:n2>',
    in: ['core', 'days', 'when'],
    // "an order over 25,000 contracts" is no size of the trade
    make: ({ n, n2 }, { mode }) =>
      mode === 'when' && (n ?? n2) > BOUNDS.qtyMax ? null : { k: 'qty', v: n ?? n2 },
  },
  {
    id: 'quantity_is',
    field: 'qty',
    phrase: `
        [the] (quantity|qty|size|contracts|number of contracts) [of|to|is|at|=|,] <int:n> [lots|
        contracts]
      `,
    make: ({ n }) => ({ k: 'qty', v: n }),
  },
  {
    id: 'vague_trade',
    field: 'action',
    phrase: '(trade|play|fade) <level>',
    make: () => ({ k: 'vague_trade' }),
  },
]
