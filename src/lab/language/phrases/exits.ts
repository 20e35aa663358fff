import type { NamedExit, StopUnit } from '../items.ts'
import type { Phrase } from '../phrase.ts'

const exit = (v: NamedExit) => ({ k: 'exit' as const, v })
const stop = (value: number, unit: StopUnit | null) => exit({ stop: value, unit })
const profit = (value: number, of: 'profit' | 'max' | 'debit' | 'double' = 'profit') =>
  exit({ profit: value, of })

const AT = `
  [at|of|is|to|by|on|when|if|once|for|=|,|out at|it at|me out at|set at] [it|price|the
  price|
  the spread|the value|the premium] [is|are|at|reaches|hits|costs|gets to|exceeds|of|is at|
  trades at|
  trades for|trading at|is trading at|is worth|worth|comes to|goes to] [at|a|the]
`
const STOP_HEAD = `
  [and|with|use|a|my|the|put|set|hard|add] [a|the] (stop|stops|stop loss|stop losses|stoploss|sl|
  stop out|stopped out|stop it out|stop me out|stop it|hard stop|cut it|cut losses|cut|bail)
`
const TAKE = `
    [and|with|use|a|the|add] [a|the] (take profit|take profits|tp|profit target|profit targets|
    target|profit|take the profit|take it off|take gains|lock in|book profit|book profits|take
    the win|pt|profit taker)
  `
const LOSS = '(loss|down|lost|drawdown|loser)'
const MAX = '[of] [the] (max|maximum|total|full|best) [possible]'
const TIMES = '(x|times)'

/** Profit targets and stops. */
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
    id: 'exit_label_pct',
    field: 'profit',
    phrase:
      '(exit|exits|close|out|management) , [at] <pct:n> [profit|of profit|gain|of max profit] !(loss|of @debit|debit|down)',
    head: 'exit',
    make: ({ n }) => profit(n),
  },
  {
    id: 'profit_pct',
    field: 'profit',
    phrase: `
      [at|for|a|of|take|up] [a] [profit] <pct:n> (profit target|profit taker|pt|of profit|profit|profits|gain|gains|
      winner|win|return|up|target|tp|pt|take profit)|(up|gained|gains|gain of|profit of|a profit
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
    id: 'profit_of_max_bare',
    field: 'profit',
    phrase: `[at|for|a|of] <pct:n> ${MAX}`,
    in: ['exit', 'profit'],
    make: ({ n }) => profit(n, 'max'),
  },
  {
    id: 'profit_times',
    field: 'profit',
    phrase: `[at|of|is] [a] (<num> ${TIMES} [@debit]|double|triple) !(@credit|stop|sl|loss)`,
    in: ['profit'],
    // ambiguous: twice the price, or twice of it on top
    make: () => ({ k: 'vague', slot: 'profit target' }),
  },
  {
    id: 'exit_times',
    field: 'stop',
    phrase: `
      [and] @exit [@it] (at|when|for) [it is] [at] <num:n> ${TIMES}
      !(@credit|stop|sl|loss|@debit)
    `,
    head: 'stop',
    make: ({ n }) => stop(n, null),
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
      // "close at 20% of the credit" is ambiguous: a price or a profit
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
    phrase: `
      [at|when|if|once] [a] (double|it doubles|doubled|its doubled|it has doubled|@credit doubles|
      the (price|spread|premium) doubles|[the] (price|value|cost) of @it doubles)|[at] a double
    `,
    in: ['exit'],
    make: () => profit(100, 'double'),
  },
  {
    id: 'profit_number',
    field: 'profit',
    phrase: '[plus] <num:n> !(@pt|x|times|%|percent|$)',
    in: ['profit'],
    // a percentage without its sign; numbers below 5 are ambiguous
    make: ({ n }) => (n >= 5 ? profit(n) : { k: 'vague', slot: 'profit target' }),
  },
  {
    id: 'stop_x_credit',
    field: 'stop',
    phrase: `
      [${STOP_HEAD}] ${AT} <num:n> ${TIMES} @credit [stop|stop loss|sl]|[${STOP_HEAD}] ${AT}
      (double|twice) @credit|${STOP_HEAD} [at|when|if|once] [a] (it doubles|its doubled|it has
      doubled|the (price|spread|premium|credit) doubles|doubles|double)|[@exit] [@it]
      [at|when|if|once] [it|its|it is] [costs|reaches|hits|is worth|worth|trades at|at] <num:n2>
      ${TIMES} @credit [stop|stop loss|sl]
    `,
    head: 'stop',
    make: ({ n, n2 }) => stop(n ?? n2 ?? 2, 'x_credit'),
  },
  {
    id: 'stop_triple',
    field: 'stop',
    phrase: `
      [${STOP_HEAD}] ${AT} (triple|thrice|three times) @credit|${STOP_HEAD} [at|when|if|once]
      [a] (it
      triples|triples|its tripled|it has tripled|the (price|spread|premium|credit) triples|triple)
    `,
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
      (@credit|1 x @credit)|${STOP_HEAD} [at|when|if|once] [the|my|a] loss (equals|is|reaches|
      hits|is
      equal to) [1 x|<pct:p> of] @credit|[${STOP_HEAD}|@exit [@it]] ${AT} ([a] loss of) <pct:n>
      of @credit
    `,
    head: 'stop',
    make: ({ n, p }) => stop((n ?? p ?? 100) / 100, 'loss_x_credit'),
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
    make: ({ n, n2, n3 }) => stop(Math.abs(n ?? n2 ?? n3), 'pct_loss'),
  },
  {
    id: 'stop_pct_debit',
    field: 'stop',
    phrase: `
      [${STOP_HEAD}|@exit [@it]] ${AT} [a loss of|losing|down] <pct:n> of @debit [loss]|
      [${STOP_HEAD}|@exit [@it]] ${AT} [a loss of|losing|down] <num:n2> @debit|[${STOP_HEAD}|
      @exit [@it]] [at|if|when] (it|we|i) (halves|(lose|loses) #0\\.50?# [[of] (its|the) (value|
      price|cost|premium)])
    `,
    head: 'stop',
    make: ({ n, n2 }) => stop(n ?? (n2 === undefined ? 50 : n2 * 100), 'pct_debit'),
  },
  {
    id: 'stop_pct',
    field: 'stop',
    phrase: `${STOP_HEAD} ${AT} (<pct:n>|#0\\.50# [of it])`,
    head: 'stop',
    make: ({ n }) => stop(Math.abs(n ?? 50), 'pct'),
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
      ${STOP_HEAD} ${AT} <num:n> [x|times] !(%|percent|@pt|$)|[a] <num:n2> x (stop|stop loss|sl)|
      (max|
      maximum) loss [of|is|,] <num:n3> ${TIMES}
    `,
    head: 'stop',
    make: ({ n, n2, n3 }) => stop(n ?? n2 ?? n3, null),
  },
  {
    id: 'stop_value',
    field: 'stop',
    phrase: `[at|of] <pct:n> ${LOSS}|[at|of] <pct:n2>`,
    in: ['stop'],
    make: ({ n, n2 }) => stop(Math.abs(n ?? n2), n === undefined ? 'pct' : 'pct_loss'),
  },
]
