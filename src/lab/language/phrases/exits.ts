import type { NamedExit, StopUnit } from '../items.ts'
import type { Phrase } from '../phrase.ts'

const exit = (v: NamedExit) => ({ k: 'exit' as const, v })
const stop = (value: number, unit: StopUnit | null) => exit({ stop: value, unit })
const profit = (value: number, of: 'profit' | 'max' | 'debit' = 'profit') =>
  exit({ profit: value, of })

const AT = `
  [at|of|is|to|by|on|when|if|for|=|,|out at|it at|me out at|set at] [it|the loss|price|the price|
  the spread|the value] [is|are|at|reaches|hits|costs|gets to|exceeds|of] [at|a|the]
`
const STOP_HEAD = `
  [and|with|use|a|my|the|put|set|hard] [a|the] (stop|stops|stop loss|stop losses|stoploss|sl|
  stop out|stopped out|stop it out|stop me out|stop it|hard stop|cut it|cut losses|cut|bail)
`
const TAKE = `
    [and|with|use|a|the] [a|the] (take profit|take profits|tp|profit target|profit targets|
    target|profit|take the profit|take it off|take gains|lock in|book profit|book profits|take
    the win|pt)
  `
const LOSS = '(loss|down|lost|drawdown|loser)'
const MAX = '[of] [the] (max|maximum|total|full|best) [possible]'
const TIMES = '(x|times)'

/** Profits that are taken and losses that are stopped. */
export const EXIT_PHRASES: readonly Phrase[] = [
  {
    id: 'exit_head',
    field: 'exit',
    phrase: `
      [and|then] @exit [@it] [at|when|if|on|by|it|up|after|once|for|either] [at|you have|it is|
      it has|we have|there is|it reaches|it hits]
    `,
    head: 'exit',
    make: () => ({ k: 'exit_head' }),
  },
  {
    id: 'profit_head',
    field: 'profit',
    phrase: `${TAKE} [at|of|is|to|when|=|,]`,
    head: 'profit',
    make: () => ({ k: 'exit_head' }),
  },
  {
    id: 'stop_head',
    field: 'stop',
    phrase: `${STOP_HEAD} [at|of|is|to|when|=]`,
    head: 'stop',
    make: () => ({ k: 'exit_head' }),
  },
  {
    id: 'profit_reaches',
    field: 'profit',
    phrase: `
      [@exit [@it]] [when|if|once|at] [the] (profit|gain) (reaches|hits|is|gets to|exceeds)
      <pct:n>
    `,
    head: 'exit',
    make: ({ n }) => profit(n),
  },
  {
    id: 'profit_pct',
    field: 'profit',
    phrase: `
      [at|for|a|of|take|up] [a] <pct:n> (profit target|of profit|profit|profits|gain|gains|
      winner|win|return|up|target|tp|take profit)|(up|gained|gains|gain of|profit of|a profit
      of|gain|made) <pct:n2>
    `,
    head: 'exit',
    make: ({ n, n2 }) => profit(n ?? n2),
  },
  {
    id: 'profit_of_max',
    field: 'profit',
    phrase: `[at|for|a|of] <pct:n> ${MAX} (profit|gain)`,
    head: 'exit',
    make: ({ n }) => profit(n, 'max'),
  },
  {
    id: 'profit_bare',
    field: 'profit',
    phrase: `[at|for|a|of] <pct:n>`,
    in: ['exit', 'profit'],
    make: ({ n }) => profit(n),
  },
  {
    id: 'profit_of_credit',
    field: 'profit',
    phrase: `[at|for|a|of|up] [a] <pct:n> of @credit`,
    in: ['exit', 'profit'],
    make: ({ n }, { mode }) => {
      if (mode === 'profit' || n === 50) return profit(n)
      // "close at 20% of the credit" is a price to one and a profit to another
      return n > 100 ? stop(n, 'pct_credit') : { k: 'vague', slot: 'profit target' }
    },
  },
  {
    id: 'profit_part',
    field: 'profit',
    phrase: `
      [at|for|a|of|up] <num:n> @credit|[at] <num:n2> ([of] [the] (max|maximum) (profit|gain)|
      profit)
    `,
    in: ['profit'],
    make: ({ n, n2 }) => ((n ?? n2) < 1 ? profit((n ?? n2) * 100, n2 ? 'max' : 'profit') : null),
  },
  {
    id: 'profit_of_debit',
    field: 'profit',
    phrase: `[at|for|a|of|up] [a] <pct:n> of @debit`,
    in: ['exit', 'profit'],
    make: ({ n }) => profit(n, 'debit'),
  },
  {
    id: 'profit_double',
    field: 'profit',
    phrase: '[at|when|if] [a] (double|it doubles|doubled)|[at] a double',
    in: ['exit', 'profit'],
    make: () => profit(100, 'debit'),
  },
  {
    id: 'profit_number',
    field: 'profit',
    phrase: '<num:n> !(@pt|x|times|%|percent|$)',
    in: ['profit'],
    make: ({ n }) => profit(n),
  },
  {
    id: 'stop_x_credit',
    field: 'stop',
    phrase: `
      [${STOP_HEAD}] ${AT} <num:n> ${TIMES} @credit [stop|stop loss]|[${STOP_HEAD}] ${AT}
      (double|twice) @credit|${STOP_HEAD} [at|when|if|once] [a] (it doubles|its doubled|it has
      doubled|the (price|spread|premium|credit) doubles|doubles|double)|[@exit] [@it]
      [at|when|if] [it] [costs|reaches|hits] <num:n2>
      ${TIMES} @credit [stop|stop loss]
    `,
    head: 'stop',
    make: ({ n, n2 }) => stop(n ?? n2 ?? 2, 'x_credit'),
  },
  {
    id: 'stop_triple',
    field: 'stop',
    phrase: `[${STOP_HEAD}] ${AT} (triple|thrice|three times) @credit`,
    head: 'stop',
    make: () => stop(3, 'x_credit'),
  },
  {
    id: 'stop_pct_credit',
    field: 'stop',
    phrase: `${STOP_HEAD} ${AT} <pct:n> [of] @credit|[at|of] <pct:n2> [of] @credit stop`,
    head: 'stop',
    make: ({ n, n2 }) => stop(n ?? n2, 'pct_credit'),
  },
  {
    id: 'stop_pct_credit_bare',
    field: 'stop',
    phrase: '[at|of] <pct:n> [of] @credit',
    in: ['stop'],
    make: ({ n }) => stop(n, 'pct_credit'),
  },
  {
    id: 'stop_loss_x',
    field: 'stop',
    phrase: `
      [and] (lose|losing) (no more than|at most|max|max of) <num:n5> ${TIMES} @credit|max loss
      [of|is|,] <num:n6> ${TIMES} @credit|[${STOP_HEAD}|@exit [@it]] ${AT} ((a|the) loss [of]
      [is|reaches|hits|exceeds] <num:n>
      ${TIMES} @credit|<num:n2> ${TIMES} @credit [in|of] loss|(losing|lose|loses|lost|down)
      <num:n3> ${TIMES} @credit|a loss of (double|twice) @credit)|(loss|losses) [of|is|reaches|
      hits|reach|hit] <num:n4> ${TIMES} @credit
    `,
    head: 'stop',
    make: ({ n, n2, n3, n4, n5, n6 }) =>
      stop(n ?? n2 ?? n3 ?? n4 ?? n5 ?? n6 ?? 2, 'loss_x_credit'),
  },
  {
    id: 'stop_loss_credit',
    field: 'stop',
    phrase: `
      [${STOP_HEAD}|@exit [@it]] ${AT} (a loss [of|equal to]|(losing|lose|loses|lost|down))
      (@credit|1 x @credit)|[${STOP_HEAD}|@exit [@it]] ${AT} ([a] loss of) <pct:n> of @credit
    `,
    head: 'stop',
    make: ({ n }) => stop((n ?? 100) / 100, 'loss_x_credit'),
  },
  {
    id: 'stop_pct_loss',
    field: 'stop',
    phrase: `
      [${STOP_HEAD}|@exit [@it]] ${AT} <pct:n> ((loss|down|lost|drawdown|loser) [stop|stop
      loss]|stop|stop loss)|
      [${STOP_HEAD}|@exit [@it]] ${AT} ([a] loss of|down|losing|(it|i|we) (loses|lose)|lost|
      loses) <pct:n2>|[at] [a] <pct:n3> (loss [stop|stop loss]|stop|stop loss)
    `,
    head: 'stop',
    make: ({ n, n2, n3 }) => stop(n ?? n2 ?? n3, 'pct_loss'),
  },
  {
    id: 'stop_pct_debit',
    field: 'stop',
    phrase: `
      [${STOP_HEAD}|@exit [@it]] ${AT} [a loss of|losing|down] <pct:n> of @debit [loss]|
      [${STOP_HEAD}|@exit [@it]] ${AT} [a loss of|losing|down] <num:n2> @debit|[${STOP_HEAD}|
      @exit [@it]] [at|if|when] (it|we|i) (halves|lose|loses) 0.5
    `,
    head: 'stop',
    make: ({ n, n2 }) => stop(n ?? (n2 === undefined ? 50 : n2 * 100), 'pct_debit'),
  },
  {
    id: 'stop_pct',
    field: 'stop',
    phrase: `${STOP_HEAD} ${AT} <pct:n>`,
    head: 'stop',
    make: ({ n }) => stop(n, 'pct'),
  },
  {
    id: 'stop_dollars',
    field: 'stop',
    phrase: `${STOP_HEAD} ${AT} ($ <num:n>|<num:n2> (dollars|usd|bucks)) [loss]`,
    head: 'stop',
    make: ({ n, n2 }) => stop(n ?? n2, 'dollars'),
  },
  {
    id: 'stop_points',
    field: 'stop',
    phrase: `${STOP_HEAD} ${AT} <num:n> @pt [loss]`,
    head: 'stop',
    make: ({ n }) => stop(n, 'points'),
  },
  {
    id: 'stop_number',
    field: 'stop',
    phrase: `
      ${STOP_HEAD} ${AT} <num:n> [x|times] !(%|percent|@pt|$)|[a] <num:n2> x (stop|stop loss|sl)
    `,
    head: 'stop',
    make: ({ n, n2 }) => stop(n ?? n2, null),
  },
  {
    id: 'stop_value',
    field: 'stop',
    phrase: `[at|of] <pct:n> ${LOSS}|[at|of] <pct:n2>`,
    in: ['stop'],
    make: ({ n, n2 }) => stop(n ?? n2, n === undefined ? 'pct' : 'pct_loss'),
  },
]
