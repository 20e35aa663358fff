import { type Phrase, phrase } from '../phrase.ts'

/** Reasons why a message cannot be a rule, with their trigger words. */
export type RefusalRow = {
  readonly id: string
  /** Rows of a higher rank are reported only when there is none of a lower one. */
  readonly rank: number
  /** `{word}` stands for the trigger word. */
  readonly reason: string
  readonly words: string
}

/** A row as text: its id, rank and reason; below that its words. */
function refusal(text: TemplateStringsArray): RefusalRow {
  const [, id = '', rank, reason = '', words = ''] =
    /^(\S+) (\d) ([^\n]*)\n(.*)$/s.exec(text[0]!) ?? []
  return { id, rank: Number(rank), reason, words }
}

export const REFUSAL_ROWS: readonly RefusalRow[] = [
  refusal`not_in_data 1 {word} is not in the data
    vix|vvix|vix1d|vix 1 d|vix9d|vix 9 d|skew index|skew|news|headline|headlines|fomc|fed|
    (fomc|fed|cpi|ppi|nfp|opex|jobs) (day|days)|cpi|ppi|nfp|payrolls|jobs report|gdp|earnings|
    volume|[option|options] volume|[relative] volume|breadth|tick|tick index|nyse tick|put call
    ratio|open interest|oi|iv rank|ivr|iv percentile|sentiment|fear and greed|fear and greed
    index|twitter|tweet|tweets|trump|treasury yields|treasury yield|yields|bond|bonds| interest
    rates|rates|oil|gold|dollar index|dxy|bitcoin|btc (is|price|gt|lt|up|down|@below_above)|crypto|dark pool|dark pools| short
    interest|advance decline|market internals|internals|vanna|charm|moon|moon phase|
    weather|opex|triple witching|opex day|opex week|holiday|holidays|month end|quarter end| [on]
    [the] (expiration|expiry|monthly|quad witching) (friday|fridays|day|days|week)| economic
    data|data release|economic calendar|powell|elections|election|realized vol| realized
    volatility|historical volatility|vol of vol|term structure|contango| backwardation|[first
    <minutes>] range|initial balance|yesterday|yesterdays (close|high|low|range|move)|prior
    day|previous day| last week|overnight high|overnight low|globex`,
  refusal`indicator 1 no chart indicators
    rsi|macd|sma|ema|[simple|exponential] moving average|moving averages|[<int>] [day] (ma|
    dma)|bollinger|bollinger band|bollinger bands|vwap|stochastic|stochastics|adx|atr|
    fibonacci|fib|fibs|fib level|pivot|pivots|pivot point|pivot points|trendline|trend line|
    trendlines|trend|uptrend|downtrend|candle|candles|candlestick|hammer|doji|engulfing|
    ichimoku|keltner|support|resistance|support and resistance|support level|resistance
    level|double top|double bottom|head and shoulders|golden cross|death cross|oversold|
    overbought|momentum|supertrend|parabolic sar|obv|cci|williams r|heikin ashi|elliott wave|
    breakout|chart pattern|chart patterns|opening range|opening range breakout|orb|inside
    bar|higher high|higher highs|lower low|lower lows|market profile|volume profile|poc| value
    area|standard deviation|standard deviations|sigma|z score`,
  refusal`only_spx 1 only SPX
    aapl|apple|tsla|tesla|nvda|nvidia|msft|microsoft|amzn|amazon|goog|googl|google|meta|
    nflx|netflix|amd|spy|spys|qqq|qqqs|iwm|dia|ndx|rut|xsp|djx|dow|nasdaq|russell|es|nq|rty|
    ym|mes|mnq|es futures|futures|e mini|emini|e minis|tlt|gld|slv|uso|eem|hyg|xlf|smh|arkk|
    gme|amc|pltr|coin|mstr|stock|stocks|share|shares|equity|equities|etf|etfs|forex|fx|
    eurusd|eur usd|single name|single names|dax|ftse|nikkei|stoxx|eurostoxx|vix (calls|puts|
    options|futures|spreads)`,
  refusal`look_ahead 1 looks ahead: {word}
    [@when] [@price|it|the day] (closes|close|ends|finishes|will close|ends up|settles) [the
    day|today] (green|red|higher|lower|up|down|positive|negative|flat|in the money|out of the
    money|above|below|over|under) [<level>|the open|the strike]|[@when] (@price|it|we) [will|
    going to|is going to|is about to|gonna] (go|rally|crash|drop|rise|fall|bounce|reverse)
    [up|down]|[@when] (@price|it) (will|is going to|is about to|gonna|is gonna)|before (it|
    @price) (drops|rises|rallies|falls|crashes|moves|bounces|reverses)|(at|near|off) the
    (high|low|highs|lows|top|bottom) of [the] day|at the (days|daily) (high|low)|the (days|
    daily) (high|low|range)|high of [the] day|low of [the] day|hod|lod|tomorrow (opens|is)
    (up|down|higher|lower|green|red)|@when tomorrow|at the (top|bottom)|(green|red) (close|
    day)|the best (time|moment|price)`,
  refusal`sizing 1 no sizing by past results
    (if|when) (it|that|this|the trade|one) (loses|wins|lost|won) !(<num>|@fell|the|$|half)|
    (twice|double|triple|half|#\\d#) [x|times] [as (many|much)|the] (contracts|lots|size|risk) (after|when|if|following)|
    (double|double up|doubling|doubling down|double down|increase size|add size|reduce size|
    halve the size|halve|size up|size down|bet more|trade bigger|trade smaller) [the] [size]
    [up|down] (after|following|when|if) [a|each|every|i|we] [loss|losing|losses|losing day|
    losing trade|win|winner|wins|winning|lose|loses|losers|loser|last]|martingale|anti
    martingale|kelly|kelly criterion|compound|compounding|after [a|two|three|<int>] [losing|
    winning] (loss|losses|losers|winners|wins|win) [in a row]|after a (losing|winning)
    (trade|day|streak)|[@when] (the|my) (last|previous|prior) (trade|day|one) (won|lost|was a
    winner|was a loser|made money|lost money)|(losing|winning) (streak|week|month|run|spell|day|days|trade|trades)`,
  refusal`account 1 no account money: a rule has contracts, not dollars
    [<num>] [%|percent] of [my|the] (account|portfolio|capital|equity|buying power|net liq|
    balance|bankroll)|my (account|portfolio|capital|buying power|balance|bankroll)|buying
    power|account size|net liq|per trade risk|risk [up to] ($ <num>|<pct>|<money>) [per trade|a
    trade]|[with|using] ($ <num>|<money>) (account|of capital|capital|portfolio)| daily loss
    limit|max daily loss|bankroll|margin`,
  refusal`placing 1 no orders are placed: a rule is tested and watched, nothing more
    place [the|an|my|this] (order|orders|trade|trades) [for me]|(execute|submit|send|fill)
    [the|an|my|this|it|a] [order|orders|trade|trades] [to|at|with] [my|a|the] [broker|ibkr|
    tastytrade|account]|(buy|sell|trade) it for me|auto trade|autotrade|auto execute|connect [to]
    [my] broker|(with|through|via|at|to) [my|the|a] broker|ibkr|interactive brokers|tastytrade|tasty|schwab|
    robinhood|limit order|market order|at the mid|at mid|mid price|at market|work the order|
    paper trade [it]|go live|live trade|execute`,
  refusal`advice 1 no advice: give a rule, and it is tested
    should (i|we)|what (should|would|do) (i|you|we) [do|trade|sell|buy|recommend|suggest|
    think]|(what|which) is the best|(whats|what is) (a|the) (good|best)|recommend [me]
    [something|a trade|a strategy]|suggest [me] [something|a trade|a strategy|a rule]|is (it|
    this|that) [a] good [idea]|do you think|will (it|this) (work|make money)|give me [a| your]
    [good] (trade|strategy|idea|best trade)|tell me what to (do|trade|buy|sell)|best
    strategy|make me rich|make me money|how much (can|will|would) (i|it|we) (make|lose| earn)|any
    ideas|what to trade|financial advice|what do you think`,
  refusal`from_yesterday 1 the change from yesterday's close is not in the data; "up 0.5% from the open" is
    [@when] (@price|we are|it) @is (green|red) [on the day|today]|@when (green|red)|[@when]
    (@price|we are| it|were|was) [@is] (up|down|higher|lower) [by] [<cmp>] [<pct>] (on the
    day|today)`,
  refusal`credit_asked 2 no credit or debit as a condition: give points, a delta or expected moves
    (collect|collecting|bring in|bringing in) [<cmp>|a|about|around] [$] <num>|for [<cmp>|a|
    about|around] [$] <num> [cent|cents] (credit|debit)|(for|at|with) a (credit|debit) of
    [<cmp>|about|around] [$] <num>|for [<cmp>|about|around] $ <num>|[for|at|of] (<num> /
    <num>|<pct>| (a|one) (third|quarter|fifth)) [of] the [spread] (width|wing width)|[@when]
    [the] credit @is <cmp> [$] <num>|(min|minimum) credit [of|is] [$] <num>|$ <num>
    (credit|debit) !(spread|spreads|stop)`,
  refusal`adjusting 2 no {word}: a trade is opened and closed whole, at a time, a profit or a stop
    roll|rolling|rolled|roll (up|down|out|the (put|call) side)|adjust|adjusting|
    adjustment|adjustments|leg in|leg into|legging in|legging into|legging|average down| delta
    hedge|delta hedging|delta hedged|scale in|scaling in|scale out|scaling out|scale|re
    enter|reenter|re entry| take <pct> off [the table]| [and|then] (@exit|sell|buy back|take off|take)
    (<pct>|#0\\.50?#|a third|a quarter|some|part|two thirds) (of it| of the
    (position|trade|contracts)|of them|off [the table])| [and|then] (@exit|sell|buy back|take off) (#0\\.50?#
    (at|when|if)|a third|two thirds|part of it|some of it)`,
  refusal`moving_stop 2 no {word}: a stop stands still, such as "stop at 2x credit"
    trailing [stop|stops|stop loss]|trail|trail (the|my|a) stop|move [the|my] stop|breakeven
    stop|(stop|stops) (to|at) (breakeven|break even)`,
  refusal`exit_on_level 2 an exit is a time, a profit or a stop: "exit at 15:30", "stop at 2x credit"
    [and] (@exit|stop|stop out|sl|stop loss|bail|cut it) [@it] (if|when|once) (@price !(of|
    doubles|triples|reaches|gets to|is worth)|@gamma| <level>| @iv|@gap|[the] delta|(we|we
    are|were) (above|below|over|under|at|cross|crosses)|[a|an| the] @order| there is|[$]
    <money>)|[@exit [@it]] [if|when|once] [the|my|either] (short|long) (strike| strikes|leg)
    [@is] (touched|hit|tested|breached|threatened|challenged|itm|in the money)| (if|when|once)
    [it is|its|it gets] (tested|breached|challenged)`,
  refusal`other_structure 2 {word} is not one of the structures
    calendar|calendars|calendar spread|calendar spreads|diagonal|diagonals|diagonal spread| ratio
    spread|ratio|backspread|back ratio|collar|collars|jade lizard|broken wing butterfly|broken
    wing|bwb|box spread|box|risk reversal|risk reversals|covered call| covered calls|covered
    strangle|cash secured put|csp|wheel|the wheel|double diagonal| christmas
    tree|ladder|zebra|synthetic|condor spread|inverted|naked condor|lottos|lotto`,
  refusal`single_option 3 no single options: {word} alone is not a structure
    (single|naked|outright) [otm|atm|itm] (call|calls|put|puts|option|options)| calls|puts|a
    call|a put|(otm|atm|itm) (call|put|calls|puts) !(spread|
    spreads|vertical|verticals|credit|debit|side)|options|option| <int> [naked|otm|atm|itm]
    (call|calls|put|puts|option|options) !(spread|spreads|vertical| verticals|credit|debit|side)`,
]

/** Refusals as phrases; all words of a row share one phrase. */
export const REFUSAL_PHRASES: readonly Phrase[] = REFUSAL_ROWS.map(({ id, rank, reason, words }) =>
  phrase`refuse_${id} refused
    ${words}`({ k: 'refuse', rank, reason }),
)
