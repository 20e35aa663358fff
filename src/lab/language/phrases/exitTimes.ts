import type { NamedExit } from '../items.ts'
import { type Phrase, phrase } from '../phrase.ts'
import { BOUNDS } from '../spec.ts'

const exit = (v: NamedExit) => ({ k: 'exit' as const, v })
const NEXT = `
  (the next (day|session|morning)|next (day|session|morning)|tomorrow|the day after|the following
  (day|session))
`

const EXIT_WEEKDAY =
  'an exit is so many sessions after the entry, not on a weekday: "exit at 11:00 the next day"'

/** Exit times. */
export const EXIT_TIME_PHRASES: readonly Phrase[] = [
  phrase`exit_next_day exit >exit
    [@exit] [@it] [at|by|on] ${NEXT} [at|by] <hour:t>|[@exit] [@it] [at|by] <hour:t> [on|of]
    ${NEXT}|[@exit] [@it] [on] ${NEXT} (at|on) [the] (open|opening bell)|[@exit] [@it] (at| on)
    [the] open [on|of] ${NEXT}`(({ t }) => exit({ at: t ?? BOUNDS.firstEntry, day: 1 })),
  phrase`exit_day_n exit >exit
    [@exit] [@it] [at|by] <hour:t> [(and|after)] <int:n> (sessions|session|days|day) later|
    [@exit] [@it] <int:n> (sessions|session|days|day) later at <hour:t>|[@exit] [@it] after
    <int:n> (sessions|session|days|day) at <hour:t>`(({ t, n }) => exit({ at: t, day: n })),
  phrase`exit_at exit @exit,profit,stop
    (at|by|until|till|no later than|latest at|latest by|to|is|time|around|on|then) <hour:t> [at
    the latest|latest|sharp|whichever comes first|[on] the same day]| <clock:t> [at the latest|
    latest|whichever comes first|[on] the same day]`(({ t }) => exit({ at: t })),
  // "take profit at 50% before noon" is a target until noon, not an exit time
  phrase`exit_otherwise exit @exit,profit,stop
    (otherwise|else|if not) [,] (at|by) <hour:t>`(({ t }) => exit({ at: t })),
  phrase`exit_before exit @exit
    before <hour:t>`(({ t }) => exit({ at: t })),
  phrase`exit_label exit >exit
    (exit|exit time|time exit|close|out) , [at] <clock:t>`(({ t }) => exit({ at: t })),
  phrase`exit_at_hour exit >exit
    [and|then] @exit [@it] (at|by|before|around|on|no later than|latest by|to) <hour:t> [at the
    latest|latest|sharp|[on] the same day]`(({ t }) => exit({ at: t })),
  phrase`exit_latest exit >exit
    <clock:t> (at the latest|latest|time stop|time exit|out !(at|by|<clock>|<num>))|(out|flat|closed|done|be flat|gone) by
    <hour:t>|no later than <hour:t>|(time (stop|exit)|time based exit) [at|of|is|to]
    <hour:t>|[@it] (hold| held|keep|keep it|hold it) (until|till|to|through) <hour:t>`(({ t }) => {
    const at = t
    return exit(at === '16:00' ? { close: true } : { at })
  }),
  phrase`exit_expiry exit >exit
    [and] [(otherwise|else|if not) [,]] [i|we|just] [@exit|hold|held|keep|let|holding|leave] [@it]
    [run|ride|go|runs|goes|rides|alone]
    [at|to|until|till|through| into|on|for] [the] [cash|eod]
    (expiry|expiration|exp|settlement|settle|expire [worthless]|[it] expires|cash settlement)|let
    (it|them) expire [worthless]|no (exit|exits|management|exit rules)|(hold| held) to
    (expire|the end)|cash (settled|settle)|set and forget|[and|just|then] hold [it]
    !(#\\d#|a|an|until| till|to| through|for|on|overnight|into|in|it)|unmanaged`(
    exit({ at: 'expiry' }),
  ),
  phrase`exit_open exit >exit
    [and] @exit [@it] (at|on) [the] [next (days|mornings|day)] (open|opening bell)`(
    exit({ at: BOUNDS.firstEntry }),
  ),
  phrase`exit_weekday exit >exit
    [and] @exit [@it] [at <hour>] [on] <days> [at <hour>]`({ k: 'bad', reason: EXIT_WEEKDAY }),
  phrase`exit_close exit >exit
    (@exit|hold|held|keep|let) [@it] [run|ride] (at|to|until|till|through|into|on|by|before)
    [the] (close|closing bell|end of [the] day|eod|bell|market close)|eod`(exit({ close: true })),
  phrase`exit_the_close exit @exit,profit,stop
    [at|by|on|or|to|before] [the] (close|closing bell|end of [the] day|eod|bell|market close)
    !(settlement|expiry|expiration)`(exit({ close: true })),
  // "above the flip for 30 minutes" is not a holding time
  phrase`exit_hold exit >exit
    [and|then|just] ((@exit [@it]|held|keep [@it]) (after|for|in)|hold [@it] [after|for])
    (<minutes:a>| <hours:b>) [later| after entry]|(@exit [@it]) (<minutes:c>|<hours:d>)
    (later|after entry|after that|after the entry|after entering)|for
    (<minutes:g>|<hours:g>)|(<minutes:e>|<hours:f>) (later|after entry) !(in)`(
    ({ a, b, c, d, e, f, g }, { mode }) => {
      const lone = g
      if (lone !== undefined && mode === 'when') return null
      return exit({ hold: a ?? b ?? c ?? d ?? e ?? f ?? lone })
    },
  ),
]
