import type { NamedExit } from '../items.ts'
import { type Phrase, phrase } from '../phrase.ts'

const exit = (v: NamedExit) => ({ k: 'exit' as const, v })
const stop = (value: number) => exit({ stop: value, unit: 'pct_credit' })
const profit = (value: number, of: 'profit' | 'debit' | 'double' = 'profit') =>
  exit({ profit: value, of })
const CAUGHT = '(captured|collected|kept|made|reached|earned|realized|in hand)'
const TAKEN = `
  (take profit|take profits|taking profit|taking profits|tp|profit target|target|take it off|take the profit|take|book|lock in|
  buy it back|buy back|bought back|buying back|cover|cover it|bank|keep)
`

/** Profit targets as a part of the credit, as the price of closing, and without a number. */
export const EXIT_PART_PHRASES: readonly Phrase[] = [
  phrase`stop_none stop
    (with|using) a [tight|hard|wide|reasonable] (stop|stop loss) !(at|of|is|to|when|if|on|by|=|
    ,|$|out|<num>|a|around|once|for|it|me|set|once|max|that)`({ k: 'vague', slot: 'stop' }),
  phrase`stop_if_costs stop >exit
    [and] (if|when|once) [it|the price|the spread|the premium|the value] (gets to|reaches|hits|is
    at|costs|trades at| gets up to|goes to) <num:n> (x|times) @credit [,] [then] [i am|im|i
    get|get|we are|were|i] [stopped out|stopped| stop|@exit [@it]]`(({ n }) =>
    exit({ stop: n, unit: 'x_credit' }),
  ),
  phrase`stop_vague stop
    [and] @exit [@it] (if|when|once) [it|this|things|the trade|price]
    (goes|go|gets|get|turns|turn|moves|is| are) [too] (wrong|bad|badly|against
    [me|us|you]|south|sour|ugly|nasty|hairy)|[and] (@exit|cut|bail) [@it|out] (if|when|once)
    (it|things) (hurts|hurt)`({ k: 'vague', slot: 'stop' }),
  phrase`profit_price profit >exit
    [and] (buy it back|buy back|bought back|buying back|buy them back|cover|cover it) (at|for|
    when [it is] [worth] [at]) <pct:n> of @credit|[and] @exit [@it] (when|once|if) [@it|its] [is|
    are] (worth|costs|cost|down to|decays to) <pct:n> of @credit`(({ n }) => {
    const price = n
    return price > 100 ? stop(price) : profit(100 - price)
  }),
  phrase`profit_take_part profit >exit
    [and] (take|keep|bank|capture|pocket|book|lock in|taking|keeping) <num:n> [of] (@credit|
    [the|my] profit|[the] max profit)|[and|then] (out|@exit [@it]) (at|for) <num:x> [of] @credit|
    [and] (take|keep|bank|capture|pocket|book|lock in|taking|keeping) <pct:p> of
    (@credit|[the|my] profit|[the] max profit)`(({ n, p, x }) => {
    if (p !== undefined) return profit(p)
    // only at half are the profit and the price the same
    if (x !== undefined) {
      return x === 0.5 ? profit(50) : x < 1 ? { k: 'vague', slot: 'profit target' } : null
    }
    return n > 0 && n < 1 ? profit(n * 100) : null
  }),
  phrase`profit_exit_half profit >exit
    [and] @exit [@it] [at|for] #0\\.50# [of] [the|my] [max] (profit|profits)`(profit(50)),
  phrase`profit_half profit >exit
    [and] ${TAKEN} [at|for|of|(when|once|if) it (reaches|hits|is at|gets to)] #0\\.50# [of] [@credit|[the|my] [max] (profit|gain|value|price|
    premium)] !(off|of|now|at|when|if|<num>)`(profit(50)),
  phrase`profit_half_vague profit >exit
    [and] @exit [@it] (at|for) #0\\.50# !(@credit|off|of|@pt|%|x)`({
    k: 'vague',
    slot: 'profit target',
  }),
  // bought back at half is half gained; otherwise the price and the gain differ
  phrase`profit_buy_back_vague profit >exit
    [and] (buy it back|buy back|cover|cover it|buy them back) at <pct:n> !(of|profit|gain)`(
    ({ n }) => (n === 50 ? profit(50) : { k: 'vague', slot: 'profit target' }),
  ),
  phrase`profit_captured profit >exit
    [and] (@exit [@it]|${TAKEN}) (when|once|after) (<pct:n> of|#0\\.50#) (@credit|[the] [max] profit) [is|
    has been|are] ${CAUGHT}`(({ n }) => profit(n ?? 50)),
  phrase`profit_captured_bare profit @exit,profit
    (when|once|after|if) [at|we are at] <pct:n> of (@credit|[the] [max] profit) [is|has been|are]
    [${CAUGHT}]`(({ n }) => profit(n)),
  phrase`profit_if_up profit >exit
    (if|when|once) [it is|its|it|we are|were|im|i am] (up|at) <pct:n> [profit] [,] [then] @exit
    [@it]| (sell|sell it|dump it) (when|once|if) [it is|its|it|im|we are|were] up
    <pct:n>|(sell|sell it| dump it) (at|for) [plus] <pct:n> !(of|loss|otm|@below_above)`(({ n }) =>
    profit(n),
  ),
  phrase`profit_when_up profit @exit,profit
    (if|when|once) [it is|its|it|we are|were|im|i am] up <pct:n>`(({ n }) => profit(n)),
  phrase`hold_unless exit >exit
    (hold|held|let it run|let it ride|keep it) [it] [to (expiry|expiration|settlement)] unless
    [it hits|it reaches|at|we get|there is]`(exit({ at: 'expiry' })),
  phrase`hold_unless_stopped exit >stop
    (hold|held|keep it) [it] [to (expiry|expiration|settlement)] unless (stopped|stopped out)`(
    exit({ at: 'expiry' }),
  ),
  phrase`stop_if_down stop >exit
    (if|when|once) [it is|its|it|we are|were|im|i am] down <pct:n> [,] [then] @exit [@it]|
    (sell|sell it|dump it) (when|once|if) [it is|its|it|im|we are|were] down <pct:n>`(({ n }) =>
    exit({ stop: n, unit: 'pct_loss' }),
  ),
  phrase`profit_dollars profit >exit
    [and] ${TAKEN} [at|of|for|is|when] [[it is|the price is] at] ($ <num>|<num> (dollars|bucks|
    cents|cent|@pt))|[and] @exit [@it] (at|for) ($ <num>|a (nickel|dime|penny)|<num>
    (cents|cent))`({
    k: 'bad',
    reason: 'a profit is in percent, such as "take profit at 50%", not in dollars or points',
  }),
  phrase`profit_take profit >exit
    [and] (take|bank|pocket|taking) <pct:n> [(and (go|run))|and be done] !(of|
    profit|credit|loss)`(({ n }) => profit(n)),
  phrase`profit_sell_bought profit >exit
    [and] (sell|sell it|dump it) (when|once|if) [its|it|it has|it is] (doubled|doubles)|[and]
    (sell| sell it|dump it) at [a] double`(profit(100, 'debit')),
  phrase`profit_sell_gain profit >exit
    [and] (sell|sell it) (at|for) [a] <pct:n> (gain|profit)`(({ n }) => profit(n)),
  phrase`profit_early profit
    [and] (take|taking) profits (early|quickly|fast|quick)`({ k: 'vague', slot: 'profit target' }),
]
