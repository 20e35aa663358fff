import type { EditSlot } from '../items.ts'
import { type Phrase, phrase } from '../phrase.ts'

/** Parts of a rule that can be dropped, by their names. */
const DROPPED: Readonly<Partial<Record<EditSlot, string>>> = {
  stop: 'stop|stops|stop loss|stop losses|sl|stoploss',
  profit:
    'profit target|profit targets|take profit|target|targets|tp|pt|profit exit|profit taker|profit',
  time_exit: 'time exit|time stop|exit time|early exit|timed exit',
  exit: 'exits|exit|exit rules|all exits',
  days: 'days|day filter|weekdays|day restriction|day of week filter|weekday filter|days filter',
  net_gamma: '[net|dealer] (gamma|gex) [@filter]',
  abs_gap: '[overnight|opening] gap [@filter]',
  spot_minus_flip: 'flip [distance] [@filter]|distance to the flip',
  spot_minus_put_wall: 'put wall [distance] [@filter]',
  call_wall_minus_spot: 'call wall [distance] [@filter]',
  abs_move_from_open: '(expected move|size of the move) @filter|em @filter',
  move_from_open: 'move [from the open] [@filter]',
  atm_iv_change: '(iv|vol|volatility) [@filter]',
  order: 'order [@filter]|order trigger|print [@filter]',
  cross_flip: '(cross|crossing|flip cross) [@filter]',
  when: 'conditions|filters|condition|filter|all conditions|all filters|rules',
  second: 'second (leg|trade|side|part|rule)|other (leg|side)',
}

const drops = (Object.entries(DROPPED) as [EditSlot, string][]).map(
  ([slot, ways]): Phrase =>
    phrase`drop_${slot} ${slot}
    @cut [the|any|that|my|all|a|an|all the|all of the] (${ways}) !(@by|at|<num>|over)|take [the|my]
    (${ways}) (off|out|away)`({
      k: 'drop',
      slot,
    }),
)

const shift = (slot: 'width' | 'strike' | 'entry' | 'exit', way: 'more' | 'less', n: number) => ({
  k: 'shift' as const,
  slot,
  by: way === 'more' ? n : -n,
})

/** Edits of an existing rule. */
export const EDIT_PHRASES: readonly Phrase[] = [
  phrase`undo undo
    [please] (undo|undo that|undo it|undo the last [change|one]|go back|revert|take that
    back|back to the last version|scratch that|never mind that|change it back|put it back|
    previous version)`({ k: 'undo' }),
  ...drops,
  phrase`width_by width
    [make it] <int:n> [@pt] <breadth:way>|<breadth:way> by <int:n> [@pt]`(({ n, way }) =>
    shift('width', way, n),
  ),
  phrase`strike_by strike
    [move it] <int:n> [@pt] <reach:way> [out|away|below|above|in] [from @price|to @price]|<reach:way>
    [out|away] by <int:n> [@pt]|<int:n> more @pt (out|away)`(({ n, way = 'more' }) =>
    shift('strike', way, n),
  ),
  phrase`exit_by exit
    @exit [@it] (<minutes:n>|<hours:n>) <time_way:way>`(({ n, way }) => shift('exit', way, n)),
  phrase`entry_by entry @core,days,when
    [@entry] [it] (<minutes:n>|<hours:n>) <time_way:way>`(({ n, way }) => shift('entry', way, n)),
  phrase`ask_width width
    [make it] [a bit|a little|much|even|slightly] (wider|narrower|tighter wings|thinner) [wings]`({
    k: 'ask',
    slot: 'width',
  }),
  phrase`ask_strike strike
    [move it] [a bit|a little|much|even|slightly] (further|farther|closer|nearer|safer) [out|
    in|away|to @price]`({ k: 'ask', slot: 'strike' }),
  phrase`ask_entry entry
    [@entry] [a bit|a little|much|even|slightly] (later|earlier|sooner)`({
    k: 'ask',
    slot: 'entry',
  }),
  phrase`ask_stop stop
    [a] (tighter|looser|wider|bigger|smaller) (stop|stop loss)|[make] [the] stop [a bit|a little]
    (tighter|looser|wider|bigger|smaller)|add a stop [loss] !(at|of|=|<num>|$)`({
    k: 'ask',
    slot: 'stop',
  }),
  phrase`ask_size qty
    (bigger|smaller|more|fewer|less) (size|contracts)|(bigger|smaller) !(stop)`({
    k: 'ask',
    slot: 'qty',
  }),
  phrase`set_width width
    ${'[change|set|make|move]'} [the] (width|wings) [to|=|at|of] <int:n> [@pt] [wide]`(({ n }) => ({
    k: 'width',
    v: n,
  })),
  phrase`set_entry entry @core,days,when
    [change|set|make|move|shift|push] [the|my] (entry|entry time|start|time|it|trade) [to| at|=]
    <hour:t>`(({ t }) => ({ k: 'time', v: t, role: 'entry' })),
  phrase`set_strike_level strike @core,days,when
    [change|set|make|move|shift|push|put] [the|my] [short|long] (strike|strikes|it) (to|at) [the]
    <level:ref> !(@is|minus|plus)`(({ ref }) => ({
    k: 'strike',
    v: { ref, points: 0, side: 'at' },
  })),
  phrase`set_exit exit >exit
    [change|set|make|move|shift|push] [the|my] (exit|exit time|time exit|time stop) [to|at| =]
    <hour:t>`(({ t }) => ({ k: 'exit', v: { at: t } })),
  phrase`set set
    [and|then|ok|now] [no] (no wait|wait !(until|till|for)|hang on|hold on|scratch that|make (it|that|this|them)|(make|put|keep) !(!([the|my] @part))|change
    (it|that|this) [to]|set (it|that) to| change !(of|in)|set|use|switch [it] to|add [the|a]
    [@filter] [that|,]|
    (loosen|tighten|raise|lower|lift|reduce|increase|decrease|bump|widen|shift|push|bring|trim)
    [up|down|in|out] !(!([the|my] (@part|wings|order|premium|time|size)))|turn it into|lets
    (do|use|try|make it)|try|what about|how about|do it|do|move it [to]|move !(from|is|of|so)|put
    it|i meant|i mean| actually|no i meant|sorry i meant|rather|also make it|go with|go to|go
    !(flat|in|out|away)|update)`({ k: 'set' }),
  phrase`instead set
    instead [of (that|<hour>|[the] <num> [@pt|wide|delta|%])]|in place of that|rather than
    (<hour>|<num> [@pt|wide| delta|%])`({ k: 'instead' }),
  phrase`same_but structure
    [make it|do] [the] same [thing|trade|idea|rule|one|distance] [again] [,] [but|just|only] (with|on|using|for|as|in|of)
    [the] <side:side>`(({ side }) => [{ k: 'set' }, { k: 'side', v: side }]),
  phrase`also when >when
    (also|additionally|as well|too|in addition|on top of that|besides) [@when|require|only if|
    only when]`({ k: 'also' }),
]
