import type { NamedExit, StopUnit } from '../items.ts'
import { type Phrase, phrase } from '../phrase.ts'

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
  stop out|stopped out|stop it out|stop me out|stop it|hard stop|cut it|cut losses|cut|bail) [back] [in|on] [,]
`
const TAKE = `
    [and|with|use|a|the|add] [a|the] (take profit|take profits|taking profit|taking profits|tp|profit target|profit targets|
    target|profit|take the profit|take it off|take gains|lock in|book profit|book profits|take
    the win|pt|profit taker)
  `
const WHEN_LOSS =
  '[at|when|if|once] [the|my|a] (loss|losses) [=|of|is|equals|reaches|hits|reach|hit|exceeds|gets to]'
const LOSS = '(loss|down|lost|drawdown|loser)'
const MAX = '[of] [the] (max|maximum|total|full|best) [possible]'
const TIMES = '(x|times)'

/** Profit targets and stops. */
export const EXIT_PHRASES: readonly Phrase[] = [
  phrase`exit_head exit >exit
    [and|then] @exit [@it] [at|when|if|on|by|it|up|after|once|for|either] [at|you have|it is| it
    has|we have|there is|it reaches|it hits]`({ k: 'exit_head' }),
  phrase`profit_head profit >profit
    ${TAKE} [at|of|is|to|when|=|,]`({ k: 'exit_head' }),
  phrase`stop_head stop >stop
    ${STOP_HEAD} [at|of|is|to|when|=]`({ k: 'exit_head' }),
  phrase`profit_reaches profit >exit
    [@exit [@it]] [when|if|once|at] [the] (profit|gain) (reaches|hits|is|gets to|exceeds) <pct:n>`(
    ({ n }) => profit(n),
  ),
  phrase`exit_label_pct profit >exit
    (exit|exits|close|out|management) , [at] <pct:n> [profit|of profit|gain|of max profit]
    !(loss|of @debit|debit|down)`(({ n }) => profit(n)),
  phrase`profit_pct profit >exit
    [at|for|a|of|take|up] [a] [profit] <pct:n> (profit target|profit taker|pt|of
    profit|profit|profits|gain|gains| winner|win|return|up|target|tp|pt|take
    profit)|(up|gained|gains|gain of|profit of|a profit of|gain|made) <pct:n>`(({ n }) =>
    profit(n),
  ),
  phrase`profit_of_max profit >exit
    [at|for|a|of] <pct:n> ${MAX} (profit|gain)`(({ n }) => profit(n, 'max')),
  phrase`profit_of_max_bare profit @exit,profit
    [at|for|a|of] <pct:n> ${MAX}`(({ n }) => profit(n, 'max')),
  // ambiguous: twice the price, or twice of it on top
  phrase`profit_times profit @profit
    [at|of|is] [a] (<num> ${TIMES} [@debit]|double|triple) !(@credit|stop|sl|loss)`({
    k: 'vague',
    slot: 'profit target',
  }),
  phrase`exit_times stop >stop
    [and] @exit [@it] (at|when|for) [it is] [at] <num:n> ${TIMES} !(@credit|stop|sl|loss|@debit)`(
    ({ n }) => stop(n, null),
  ),
  phrase`profit_bare profit @exit,profit
    [at|for|a|of] <pct:n>`(({ n }) => profit(n)),
  phrase`profit_of_credit profit @exit,profit
    [at|for|a|of|up] [a] <pct:n> of @credit`(({ n }, { mode }) => {
    if (mode === 'profit' || n === 50) return profit(n)
    // "close at 20% of the credit" is ambiguous: a price or a profit
    return n > 100 ? stop(n, 'pct_credit') : { k: 'vague', slot: 'profit target' }
  }),
  phrase`profit_part profit @profit
    [at|for|a|of|up] <num:n> @credit|[at] <num:n2> ([of] [the] (max|maximum) (profit|gain)|
    profit)`(({ n, n2 }) =>
    (n ?? n2) < 1 ? profit((n ?? n2) * 100, n2 ? 'max' : 'profit') : null,
  ),
  phrase`profit_of_debit profit @exit,profit
    [at|for|a|of|up] [a] <pct:n> of @debit`(({ n }) => profit(n, 'debit')),
  phrase`profit_double profit @exit
    [at|when|if|once] [a] (double|it doubles|doubled|its doubled|it has doubled|@credit doubles|
    the (price|spread|premium) doubles|[the] (price|value|cost) of @it doubles)|[at] a double`(
    profit(100, 'double'),
  ),
  // a percentage without its sign; numbers below 5 are ambiguous
  phrase`profit_number profit @profit
    [plus] <num:n> !(@pt|x|times|%|percent|$)`(({ n }) =>
    n >= 5 ? profit(n) : { k: 'vague', slot: 'profit target' },
  ),
  phrase`stop_x_credit stop >stop
    [${STOP_HEAD}] ${AT} <num:n> ${TIMES} @credit [stop|stop loss|sl]|[${STOP_HEAD}] ${AT}
    (double|twice) @credit|${STOP_HEAD} [at|when|if|once] [a] (it doubles|its doubled|it has
    doubled|the (price|spread|premium|credit) doubles|doubles|double)|[@exit] [@it]
    [at|when|if|once] [it|its|it is] [costs|reaches|hits|is worth|worth|trades at|at] <num:n>
    ${TIMES} @credit [stop|stop loss|sl]`(({ n }) => stop(n ?? 2, 'x_credit')),
  phrase`stop_triple stop >stop
    [${STOP_HEAD}] ${AT} (triple|thrice|three times) @credit|${STOP_HEAD} [at|when|if|once] [a]
    (it triples|triples|its tripled|it has tripled|the (price|spread|premium|credit)
    triples|triple)|@exit [@it] (when|if|once) [it|the price|the spread|the premium] (triples|has
    tripled)`(stop(3, 'x_credit')),
  phrase`stop_pct_credit stop >stop
    ${STOP_HEAD} ${AT} <pct:n> [of] @credit|[at|of] <pct:n> [of] @credit stop`(({ n }) =>
    stop(n, 'pct_credit'),
  ),
  phrase`stop_pct_credit_bare stop @stop
    [at|of] <pct:n> [of] @credit`(({ n }) => stop(n, 'pct_credit')),
  phrase`stop_loss_x stop >stop
    [and] (lose|losing) (no more than|at most|max|max of) <num:n> ${TIMES} @credit|max loss
    [of|is|,] <num:n> ${TIMES} @credit|[${STOP_HEAD}|@exit [@it]] ${AT} ((a|the) loss [of]
    [is|reaches|hits|exceeds] <num:n> ${TIMES} @credit|<num:n> ${TIMES} @credit [in|of]
    loss [stop]|(losing|lose|loses|lost|down) <num:n> ${TIMES} @credit|a loss of (double|twice)
    @credit)|(loss|losses) [of|is|reaches| hits|reach|hit] <num:n> ${TIMES} @credit|
    [${STOP_HEAD}|@exit [@it]] ${WHEN_LOSS} (<num:n> ${TIMES}|double|twice) @credit|[${STOP_HEAD}|
    @exit [@it]] [at|when|if|once] [i am|im|we are|it is|its] (down|losing) (double|twice) @credit`(
    ({ n }) => stop(n ?? 2, 'loss_x_credit'),
  ),
  phrase`stop_loss_credit stop >stop
    [${STOP_HEAD}|@exit [@it]] ${AT} (a loss [of|equal to]|(losing|lose|loses|lost|down))
    (@credit|1 x @credit)|${STOP_HEAD} [at|when|if|once] [the|my|a] loss (equals|is|reaches|
    hits|is equal to) [1 x|<pct:n> of] @credit|[${STOP_HEAD}|@exit [@it]] ${AT} ([a] loss of)
    <pct:n> of @credit|[${STOP_HEAD}|@exit [@it]] [if|when|once|at] [the|my|a] (loss|losses) (of|is|reaches|hits|
    exceeds|reach|hit) <pct:n> of @credit`(({ n }) => stop((n ?? 100) / 100, 'loss_x_credit')),
  phrase`stop_pct_loss stop >stop
    [${STOP_HEAD}|@exit [@it]] ${AT} <pct:n> ((loss|down|lost|drawdown|loser) [stop|stop
    loss]|stop|stop loss)| [${STOP_HEAD}|@exit [@it]] ${AT} ([a] loss of|down|losing|(it|i|we)
    (loses|lose)|lost| loses) <pct:n>|[at] [a] <pct:n> (loss [stop|stop loss]|stop|stop loss)`(
    ({ n }) => stop(Math.abs(n), 'pct_loss'),
  ),
  phrase`stop_pct_debit stop >stop
    [${STOP_HEAD}|@exit [@it]] ${AT} [a loss of|losing|down] <pct:n> of @debit [loss]|
    [${STOP_HEAD}|@exit [@it]] ${AT} [a loss of|losing|down] <num:n2> [x|times] @debit|[${STOP_HEAD}| @exit
    [@it]] [at|if|when] (it|we|i) (halves|(lose|loses) #0\\.50?# [[of] (its|the) (value|
    price|cost|premium)])`(({ n, n2 }) =>
    stop(n ?? (n2 === undefined ? 50 : n2 * 100), 'pct_debit'),
  ),
  phrase`stop_most_of_debit stop >stop
    [and] (lose|losing|risk|risking) (no more than|at most|max|max of|up to) (<pct:n> of|#0\\.50#) @debit`(
    ({ n }) => stop(n ?? 50, 'pct_debit'),
  ),
  phrase`stop_pct stop >stop
    ${STOP_HEAD} ${AT} (<pct:n>|#0\\.50# [of it])`(({ n }) => stop(Math.abs(n ?? 50), 'pct')),
  phrase`stop_dollars stop >stop
    ${STOP_HEAD} ${AT} ($ <num:n>|<num:n> (dollars|usd|bucks)) [loss]`(({ n }) =>
    stop(n, 'dollars'),
  ),
  phrase`stop_points stop >stop
    ${STOP_HEAD} ${AT} <num:n> @pt [loss]`(({ n }) => stop(n, 'points')),
  phrase`stop_number stop >stop
    ${STOP_HEAD} ${AT} <num:n> [x|times] !(%|percent|@pt|$)|[a] <num:n> x (stop|stop loss|sl)|
    (max| maximum) loss [of|is|,] <num:n> ${TIMES}`(({ n }) => stop(n, null)),
  phrase`stop_value stop @stop
    [at|of] <pct:n> ${LOSS}|[at|of] <pct:n2>`(({ n, n2 }) =>
    stop(Math.abs(n ?? n2), n === undefined ? 'pct' : 'pct_loss'),
  ),
]
