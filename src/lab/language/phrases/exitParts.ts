import type { NamedExit } from '../items.ts'
import type { Phrase } from '../phrase.ts'

const exit = (v: NamedExit) => ({ k: 'exit' as const, v })
const stop = (value: number) => exit({ stop: value, unit: 'pct_credit' })
const profit = (value: number, of: 'profit' | 'debit' | 'double' = 'profit') =>
  exit({ profit: value, of })
const CAUGHT = '(captured|collected|kept|made|reached|earned|realized|in hand)'
const TAKEN = `
  (take profit|take profits|tp|profit target|target|take it off|take the profit|take|book|lock in|
  buy it back|buy back|bought back|buying back|cover|cover it|bank|keep)
`

/** Profit targets as a part of the credit, as the price of closing, and without a number. */
export const EXIT_PART_PHRASES: readonly Phrase[] = [
  {
    id: 'stop_none',
    field: 'stop',
    phrase: `
      (with|using) a [tight|hard|wide|reasonable] (stop|stop loss) !(at|of|is|to|when|if|on|by|=|
      ,|$|out|<num>|a|around|once|for|it|me|set|once|max|that)
    `,
    make: () => ({ k: 'vague', slot: 'stop' }),
  },
  {
    id: 'stop_if_costs',
    field: 'stop',
    phrase: `
      [and] (if|when|once) [it|the price|the spread|the premium|the value] (gets to|reaches|hits|is at|costs|trades at|
      gets up to|goes to) <num:n> (x|times) @credit [,] [then] [i am|im|i get|get|we are|were|i] [stopped out|stopped|
      stop|@exit [@it]]
    `,
    head: 'exit',
    make: ({ n }) => exit({ stop: n, unit: 'x_credit' }),
  },
  {
    id: 'stop_vague',
    field: 'stop',
    phrase: `
      [and] @exit [@it] (if|when|once) [it|this|things|the trade|price] (goes|go|gets|get|turns|turn|moves|is|
      are) [too] (wrong|bad|badly|against [me|us|you]|south|sour|ugly|nasty|hairy)|[and]
      (@exit|cut|bail) [@it|out] (if|when|once) (it|things) (hurts|hurt)
    `,
    make: () => ({ k: 'vague', slot: 'stop' }),
  },
  {
    id: 'profit_price',
    field: 'profit',
    phrase: `
      [and] (buy it back|buy back|bought back|buying back|buy them back|cover|cover it) (at|for|
      when [it is] [worth] [at]) <pct:n> of @credit|[and] @exit [@it] (when|once|if) [@it|its] [is|
      are] (worth|costs|cost|down to|decays to) <pct:n2> of @credit
    `,
    head: 'exit',
    make: ({ n, n2 }) => {
      const price = n ?? n2
      return price > 100 ? stop(price) : profit(100 - price)
    },
  },
  {
    id: 'profit_take_part',
    field: 'profit',
    phrase: `
      [and] (take|keep|bank|capture|pocket|book|lock in|taking|keeping) <num:n> [of] (@credit|
      [the|my] profit|[the] max profit)|[and|then] (out|@exit [@it]) (at|for) <num:x> [of] @credit|
      [and] (take|keep|bank|capture|pocket|book|lock in|taking|keeping) <pct:p> of (@credit|[the|my]
      profit|[the] max profit)
    `,
    head: 'exit',
    make: ({ n, p, x }) => {
      if (p !== undefined) return profit(p)
      // only at half are the profit and the price the same
      if (x !== undefined) {
        return x === 0.5 ? profit(50) : x < 1 ? { k: 'vague', slot: 'profit target' } : null
      }
      return n > 0 && n < 1 ? profit(n * 100) : null
    },
  },
  {
    id: 'profit_half',
    field: 'profit',
    phrase: `
      [and] ${TAKEN} [at|for|of] #0\\.50# [of] [@credit|[the|my] [max] (profit|gain|value|price|
      premium)] !(off|of|now|at|when|if|<num>)
    `,
    head: 'exit',
    make: () => profit(50),
  },
  {
    id: 'profit_half_vague',
    field: 'profit',
    phrase: '[and] @exit [@it] (at|for) #0\\.50# !(@credit|off|of|@pt|%|x)',
    head: 'exit',
    make: () => ({ k: 'vague', slot: 'profit target' }),
  },
  {
    id: 'profit_buy_back_vague',
    field: 'profit',
    phrase:
      '[and] (buy it back|buy back|cover|cover it|buy them back) at <pct:n> !(of|profit|gain)',
    head: 'exit',
    // bought back at half is half gained; otherwise the price and the gain differ
    make: ({ n }) => (n === 50 ? profit(50) : { k: 'vague', slot: 'profit target' }),
  },
  {
    id: 'profit_captured',
    field: 'profit',
    phrase: `
      [and] (@exit [@it]|${TAKEN}) (when|once|after) <pct:n> of (@credit|[the] [max] profit) [is|
      has been|are]
      ${CAUGHT}
    `,
    head: 'exit',
    make: ({ n }) => profit(n),
  },
  {
    id: 'profit_captured_bare',
    field: 'profit',
    phrase: `
      (when|once|after|if) [at|we are at] <pct:n> of (@credit|[the] [max] profit) [is|has been|are]
      [${CAUGHT}]
    `,
    in: ['exit', 'profit'],
    make: ({ n }) => profit(n),
  },
  {
    id: 'profit_if_up',
    field: 'profit',
    phrase: `
      (if|when|once) [it is|its|it|we are|were|im|i am] (up|at) <pct:n> [profit] [,] [then]
      @exit [@it]|
      (sell|sell it|dump it) (when|once|if) [it is|its|it|im|we are|were] up <pct:n2>|(sell|sell it|
      dump it) (at|for) [plus] <pct:n3> !(of|loss|otm|@below_above)
    `,
    head: 'exit',
    make: ({ n, n2, n3 }) => profit(n ?? n2 ?? n3),
  },
  {
    id: 'profit_when_up',
    field: 'profit',
    phrase: '(if|when|once) [it is|its|it|we are|were|im|i am] up <pct:n>',
    in: ['exit', 'profit'],
    make: ({ n }) => profit(n),
  },
  {
    id: 'hold_unless',
    field: 'exit',
    phrase: `
      (hold|held|let it run|let it ride|keep it) [it] [to (expiry|expiration|settlement)] unless [it
      hits|it reaches|at|we get|there is]
    `,
    head: 'exit',
    make: () => exit({ at: 'expiry' }),
  },
  {
    id: 'hold_unless_stopped',
    field: 'exit',
    phrase:
      '(hold|held|keep it) [it] [to (expiry|expiration|settlement)] unless (stopped|stopped out)',
    head: 'stop',
    make: () => exit({ at: 'expiry' }),
  },
  {
    id: 'stop_if_down',
    field: 'stop',
    phrase: `
      (if|when|once) [it is|its|it|we are|were|im|i am] down <pct:n> [,] [then] @exit [@it]|
      (sell|sell
      it|dump it) (when|once|if) [it is|its|it|im|we are|were] down <pct:n2>
    `,
    head: 'exit',
    make: ({ n, n2 }) => exit({ stop: n ?? n2, unit: 'pct_loss' }),
  },
  {
    id: 'profit_dollars',
    field: 'profit',
    phrase: `
      [and] ${TAKEN} [at|of|for|is|when] [[it is|the price is] at] ($ <num>|<num> (dollars|bucks|
      cents|cent|@pt))|[and] @exit [@it] (at|for) ($ <num>|a (nickel|dime|penny)|<num> (cents|cent))
    `,
    head: 'exit',
    make: () => ({
      k: 'bad',
      reason: 'a profit is in percent, such as "take profit at 50%", not in dollars or points',
    }),
  },
  {
    id: 'profit_take',
    field: 'profit',
    phrase: `
      [and] (take|bank|pocket|taking) <pct:n> [(and (go|run))|and be done] !(of|
      profit|credit|loss)
    `,
    head: 'exit',
    make: ({ n }) => profit(n),
  },
  {
    id: 'profit_sell_bought',
    field: 'profit',
    phrase: `
      [and] (sell|sell it|dump it) (when|once|if) [its|it|it has|it is] (doubled|doubles)|[and]
      (sell|
      sell it|dump it) at [a] double
    `,
    head: 'exit',
    make: () => profit(100, 'debit'),
  },
  {
    id: 'profit_sell_gain',
    field: 'profit',
    phrase: '[and] (sell|sell it) (at|for) [a] <pct:n> (gain|profit)',
    head: 'exit',
    make: ({ n }) => profit(n),
  },
  {
    id: 'profit_early',
    field: 'profit',
    phrase: '[and] (take|taking) profits (early|quickly|fast|quick)',
    make: () => ({ k: 'vague', slot: 'profit target' }),
  },
]
