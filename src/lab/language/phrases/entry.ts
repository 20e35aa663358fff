import { formatMinute, minutesAfter } from '../../../core/market/calendar.ts'
import { type Phrase, phrase } from '../phrase.ts'
import { BOUNDS } from '../spec.ts'

const HEAD = '[@entry] [it] [the trade] [time|window] [,]'
const TO = '(and|to|until|till|through|thru|til|–)'
/** Outside of an exit clause, a time is an entry time. */
const isExit = (mode: string) => mode === 'exit' || mode === 'profit' || mode === 'stop'

const window = (from: string, to: string) => ({ k: 'window' as const, v: [from, to] as const })
/** A window for conditions alone; without them no entry time is given. */
const loose = (from: string, to: string) => ({ ...window(from, to), isLoose: true as const })
const { firstEntry, lastDefault } = BOUNDS
/** A window with only one end. */
const half = (end: 'from' | 'to', at: string) => ({
  ...(end === 'from' ? loose(at, lastDefault) : loose(firstEntry, at)),
  half: end,
})
const NEVER = '(not|never|nothing|no (entries|entry|trades|trade|new trades|trading))'

/** Entry times: times, windows and intervals. */
export const ENTRY_PHRASES: readonly Phrase[] = [
  // "10:00-14:00" may also be an entry and an exit
  phrase`window entry >days
    ${HEAD} [only] [any time|anytime] (between|in the window [of|from]) <hour:a> ${TO} <hour:b>|
    ${HEAD} [only] [any time|anytime] from <hour:c> ${TO} <hour:d>|${HEAD} <clock:c> ${TO}
    <hour:d>| ${HEAD} [at] <hour:c> – <hour:d> !(–|fly|butterfly|flies)`(({ a, b, c, d }) =>
    a === undefined ? loose(c, d) : window(a, b),
  ),
  phrase`window_last entry >days
    ${HEAD} [in|during|within|over] [the] ((last|final) (<hours:a>|<minutes:a>|hour) [of] [the]
    [day|session|trading]|power hour) !(that|which)`(({ a }, { mode }) =>
    isExit(mode) ? null : loose(minutesAfter('16:00', -(a ?? 60)), '15:59'),
  ),
  phrase`window_first entry >days
    ${HEAD} [in|during|within|over] [the] (first|opening) (<hours:a>|<minutes:a>|hour) [of] [the]
    [day|session|trading|open]|${HEAD} within (<hours:a>|<minutes:a>) of the (open|bell)`(
    ({ a }, { mode }) => (isExit(mode) ? null : loose(firstEntry, minutesAfter('09:30', a ?? 60))),
  ),
  phrase`morning entry
    in the morning|[during] the morning|mornings`(loose(firstEntry, '12:00')),
  phrase`afternoon entry
    in the afternoon|[during] the afternoon|afternoons`(loose('12:00', '15:59')),
  phrase`window_after entry >days
    ${HEAD} [only] [any time|anytime] (after|from|since|starting [at|from]|beginning [at]|onwards
    from) <hour:a> [on|onward|onwards] [only]|${NEVER} before <hour:a>`(({ a }, { mode }) =>
    isExit(mode) ? null : half('from', a),
  ),
  phrase`window_before entry >days
    ${HEAD} [only] [any time|anytime] before <hour:a> [only]|${NEVER} (after|past) <hour:c>|
    ${HEAD} (until|till|til|through|thru) <hour:b>`(({ a, b, c }, { mode }) => {
    // "above the flip until 3" belongs to the condition
    if (isExit(mode) || (b !== undefined && mode === 'when')) return null
    const made = half('to', a ?? b ?? c)
    return b === undefined ? made : { ...made, isUntil: true }
  }),
  phrase`every entry >days
    [once] (every|each|per|at intervals of) (<minutes:a>|<hours:a>|hour)|hourly`(({ a }) => ({
    k: 'every',
    v: a ?? 60,
  })),
  phrase`every_on_the_hour entry >days
    (every|each) hour on the hour [from|between] <hour:a> ${TO} <hour:b>`(({ a, b }) =>
    a.endsWith(':00') ? [{ k: 'every', v: 60 }, window(a, b)] : null,
  ),
  phrase`every_minute entry >days
    (every|each) (minute|1 minute)`({ k: 'every', v: 1 }),
  phrase`entry_at entry
    ${HEAD} (at|by|exactly at|entry at|is|to|time) [exactly] <hour:t> [sharp|exactly]`(
    ({ t }, { mode }) => (isExit(mode) ? null : { k: 'time', v: t, role: 'entry' }),
  ),
  phrase`entry_wait entry
    [i] (wait|waiting) (until|till|til|for) <hour:t>`(({ t }) => ({
    k: 'time',
    v: t,
    role: 'entry',
  })),
  phrase`entry_several entry
    ${HEAD} at <hour:a> [, [at] <clock:b>] [, [at] <clock>] [,] (and|or) [again|another [one]]
    [at] (<clock:c>|at <hour:d>)| ${HEAD} at <hour:e> [, [at] <hour:f>] [, [at] <hour>] [,]
    (and|or) [again|another [one]] at <hour:g>|${HEAD} at <hour:i> , [at] <hour:j> , [at]
    <hour:k> [,] [and|or] [at] [<hour:l>]| ${HEAD} at <hour:m> , [at] <hour:n> [,] (and|or) [at]
    <hour:o>|${HEAD} at [either] <hour:p> (and|or) [again] [at] <hour:q>`((_, { mode }) =>
    isExit(mode) ? null : { k: 'vague', slot: 'entry time' },
  ),
  // "at 10 out at 3": two times, not a strike ten points out
  phrase`entry_then_out entry
    at <int:n> !(!(out (at|by|before|after|in|when|if)))`(({ n }, { mode }) => {
    const isHour = (n >= 9 && n <= 12) || (n >= 1 && n <= 4)
    if (isExit(mode) || !isHour) return null
    const hour = n < 5 ? n + 12 : n
    return { k: 'time', v: formatMinute(hour * 60), role: 'entry' }
  }),
  phrase`entry_bare entry
    [@entry [,]] <clock:t> [sharp|exactly] [entry|in !(!(,|.|;|and|<clock>))]`(({ t }, { mode }) =>
    isExit(mode) ? null : { k: 'bare_time', v: t },
  ),
  phrase`no_time entry
    #(?:2[4-9]|[3-9]\\d):\\d\\d|\\d\\d?:[6-9]\\d#`({
    k: 'bad',
    reason: 'a time is 09:31 to 15:59',
  }),
  phrase`entry_about entry
    ${HEAD} [at] @about <hour:t> [or so]|${HEAD} at <hour:t> or so`(({ t }, { mode }) =>
    isExit(mode) ? null : { k: 'time', v: t, role: 'entry' },
  ),
  phrase`entry_open entry
    ${HEAD} (at|on|right at) [the] (open|opening|opening bell|start of the day|market open)`({
    k: 'time',
    v: firstEntry,
    role: 'open',
  }),
  phrase`entry_vague entry
    (shortly|right|soon|just) (after|before) [the] (open|close|opening|closing)|(after|
    before|near|towards|around) [the] (open|close) !(at)|early|late [in the day]|later in the
    day|sometime|[at|around|over|during] (lunch|lunchtime|lunch time|the lunch hour)|first thing
    [in the morning]|(early|late|mid) (morning|afternoon)|[in] the early (morning|afternoon)`(
    (_, { mode }) => (isExit(mode) ? null : { k: 'vague', slot: 'entry time' }),
  ),
  phrase`entry_close entry
    (enter|entry|open it) (at|on|into) [the] (close|closing bell)`({
    k: 'vague',
    slot: 'entry time',
  }),
  phrase`entry_at_close entry @core,days,when
    (at|on) [the] (close|closing bell|market close)`({ k: 'vague', slot: 'entry time' }),
  phrase`each_time entry >when
    (each|every) time|as often as it happens|any number of times|repeatedly`({ k: 'each' }),
  phrase`once entry
    once [(a|per|each|every) (day|session)]|[only] one [trade|entry] (a|per|each) (day|
    session)|[only|max|maximum|at most] (1|one) (trade|entry) (a|per|each) (day|session)| at most
    once [a day]`({ k: 'nothing' }),
  phrase`gap_between entry
    [at least|with|min|minimum] [at least] (<minutes:n>|<hours:n>) (apart|between (entries|
    trades)| in between|cooldown|cool down)|[max|maximum|at most|no more than|only] (one|1)
    [trade|entry] (every|per|each) (<minutes:n>|<hours:n>)|(cooldown|cool down) [of]
    (<minutes:n>|<hours:n>)`(({ n }) => ({
    k: 'gap',
    v: n,
  })),
]
