import type { NamedStructure } from '../items.ts'
import { type Phrase, phrase } from '../phrase.ts'
import { BOUNDS } from '../spec.ts'

type NamedWays = {
  readonly v: NamedStructure
  /** True when the name implies that it is sold; false when bought. */
  readonly sold?: boolean
  readonly ways: string
}

const SPREAD = '(spread|spreads|vertical|verticals|vertical spread|vertical spreads)'

/** Names of each structure, and whether they imply that it is sold or bought. */
export const STRUCTURE_WORDS: readonly NamedWays[] = `
  put_spread: put ${SPREAD}|puts spread|put side ${SPREAD}|ps
  put_spread sold: put credit [${SPREAD}]|bull put [credit] [${SPREAD}]|bullish put
    ${SPREAD}|pcs|bps|credit put ${SPREAD}
  put_spread bought: put debit [${SPREAD}]|bear put [debit] [${SPREAD}]|bearish put
    ${SPREAD}|debit put ${SPREAD}|pds
  call_spread: call ${SPREAD}|calls spread|call side ${SPREAD}|cs
  call_spread sold: call credit [${SPREAD}]|bear call [credit] [${SPREAD}]|bearish call
    ${SPREAD}|ccs|bcs|credit call ${SPREAD}
  call_spread bought: call debit [${SPREAD}]|bull call [debit] [${SPREAD}]|bullish call
    ${SPREAD}|debit call ${SPREAD}|cds
  iron_condor: iron condor|iron condors|condor|condors|ic|ics|irons
  iron_condor bought: (reverse|inverse) (iron condor|iron condors|condor|ic|ics)
  iron_butterfly: iron butterfly|iron butterflies|iron fly|iron flies|ironfly|ironflies|ifly
  iron_butterfly bought: (reverse|inverse) (iron butterfly|iron fly|ironfly|ifly)
  strangle: [naked|uncovered] (strangle|strangles)
  straddle: [naked|uncovered] (straddle|straddles)
  butterfly: butterfly|butterflies|fly|flies
  spread sold: credit ${SPREAD}
  spread bought: debit ${SPREAD}
  spread: ${SPREAD}
`
  .trim()
  .split(/\n(?= {2}\S)/)
  .map(row => {
    const [head = '', ways = ''] = row.split(':')
    const [v, side] = head.trim().split(' ')
    return { v: v as NamedStructure, ways: ways.trim(), ...(side ? { sold: side === 'sold' } : {}) }
  })

const ANY_STRUCTURE = STRUCTURE_WORDS.map(({ ways }) => ways).join('|')

const structures: readonly Phrase[] = STRUCTURE_WORDS.map(({ v, sold, ways }, index) =>
  phrase`structure_${String(index + 1)} structure >core
    [the|a|an|one|any] (${ways})`({ k: 'structure', v, ...(sold === undefined ? {} : { sold }) }),
)

const width: Phrase['make'] = ({ n }) => ({ k: 'width', v: n })

/** Action, structure, width, expiry and number of contracts. */
export const CORE_PHRASES: readonly Phrase[] = [
  phrase`either action >core
    (buy or sell|sell or buy|buy or short|long or short|short or long|trade) !(at|<int>|is|,|=)`({
    k: 'either',
  }),
  phrase`sell_it_at exit >exit
    (sell|buy) (it|them) [back|again] (at|by) <clock:t>`(({ t }) => ({ k: 'exit', v: { at: t } })),
  phrase`action_it action >core
    <action:v> (it|one|them|the same)`(({ v }) => ({ k: 'action', v, isIt: true })),
  phrase`action_quantity qty >core
    <action:v> <int:n> [x] !(!([spx|spxw] (<int>|${ANY_STRUCTURE}|of the|atm|at the money)))`(
    ({ v, n }) => [
      { k: 'action', v },
      { k: 'qty', v: n },
    ],
  ),
  phrase`action action >core
    <action:v>`(({ v }) => ({ k: 'action', v })),
  ...structures,
  phrase`put_or_call structure @core
    [the] (put|puts|put side|put one|put spread one)`((_, { isHead }) =>
    isHead ? null : { k: 'side', v: 'put' },
  ),
  phrase`call_or_put structure @core
    [the] (call|calls|call side|call one)`((_, { isHead }) =>
    isHead ? null : { k: 'side', v: 'call' },
  ),
  phrase`width_wide width
    [x|each] [$] <num:n> [$|dollar|dollars] [@pt] (wide|w) [wings]`(width),
  phrase`width_wings width
    [with] [$] <num:n> [$|dollar|dollars] [@pt] (wing|wings|width)`(width),
  phrase`wings_of width
    ([and] (buy|buying|long) [the|a] (wings|wing|hedges|protection)| [with] [the|a]
    (wings|wing|width|spread width|wing width|hedges|protection)) [of|at|to|is|=|are|,] [$]
    <num:n> [dollars] [@pt] [wide|out|away|apart|further out]`(width),
  phrase`width_before width
    [$] <num:n> (@pt|dollar|$) !(!(${ANY_STRUCTURE}))`(width),
  phrase`dte dte
    (dte|days to expiry|days to expiration) [,|is|=] <int:n>|<int:n> (dte|dtes|days to (expiry|expiration)|day to (expiry|expiration)|day options)`(
    ({ n }) => ({ k: 'dte', v: n }),
  ),
  phrase`days_out dte
    (expiring|expires) [in] <int:n> (days|sessions|day|session) [out]`(({ n }) => ({
    k: 'dte',
    v: n,
  })),
  phrase`same_day dte
    [expiring|expires] (same day|the same day|todays|today) [expiry|expiration|expiring]|
    odte|same day expiry`({ k: 'dte', v: 0 }),
  phrase`next_day_expiry dte
    (expiring|expires) [on] [the] (tomorrow|next day|next session)|(tomorrows|next day|next
    days|tomorrow) (expiry|expiration)|(tomorrows|next day) !(!(${ANY_STRUCTURE}|<num>))`({
    k: 'dte',
    v: 1,
  }),
  phrase`width_vague width
    [not] (too|very|so|fairly|pretty|quite|reasonably|extra|super|nice and) (wide|narrow)`({
    k: 'vague',
    slot: 'width',
  }),
  phrase`width_percent width
    <pct> (wide|wings|wing|width)`({ k: 'bad', reason: 'a width is in points, not in percent' }),
  phrase`far_expiry dte
    (weekly|weeklies|monthly|monthlies|leaps|quarterly) [expiry|expiration|options]`({
    k: 'bad',
    reason: 'an expiry is 0 to 5 sessions away',
  }),
  // "an order over 25,000 contracts" is no size of the trade
  phrase`quantity qty @core,days,when
    <int:n> (lots|lot|contracts|contract|cars|car|units) [of]|x <int:n>`(({ n }, { mode }) =>
    mode === 'when' && n > BOUNDS.qtyMax ? null : { k: 'qty', v: n },
  ),
  phrase`quantity_is qty
    [the] (quantity|qty|size|contracts|number of contracts) [of|to|is|at|=|,] <int:n> [lots|
    contracts]`(({ n }) => ({ k: 'qty', v: n })),
  phrase`vague_trade action
    (trade|play|fade) <level>`({ k: 'vague_trade' }),
]
