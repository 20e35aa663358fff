import type { NamedExit } from '../items.ts'
import type { Phrase } from '../phrase.ts'
import { BOUNDS } from '../spec.ts'

const exit = (v: NamedExit) => ({ k: 'exit' as const, v })
const EXITS = ['exit', 'profit', 'stop'] as const
const NEXT = `
  (the next (day|session|morning)|next (day|session|morning)|tomorrow|the day after|the following
  (day|session))
`

const EXIT_WEEKDAY =
  'an exit is so many sessions after the entry, not on a weekday: "exit at 11:00 the next day"'

/** Exit times. */
export const EXIT_TIME_PHRASES: readonly Phrase[] = [
  {
    id: 'exit_next_day',
    field: 'exit',
    phrase: `
      [@exit] [@it] [at|by|on] ${NEXT} [at|by] <hour:t>|[@exit] [@it] [at|by] <hour:t2> [on|of]
      ${NEXT}|[@exit] [@it] [on] ${NEXT} (at|on) [the] (open|opening bell)|[@exit] [@it] (at|
      on) [the] open [on|of] ${NEXT}
    `,
    head: 'exit',
    make: ({ t, t2 }) => exit({ at: t ?? t2 ?? BOUNDS.firstEntry, day: 1 }),
  },
  {
    id: 'exit_day_n',
    field: 'exit',
    phrase: `
      [@exit] [@it] [at|by] <hour:t> [(and|after)] <int:n> (sessions|session|days|day) later|
      [@exit] [@it] <int:n2> (sessions|session|days|day) later at <hour:t2>|[@exit] [@it] after
      <int:n3> (sessions|session|days|day) at <hour:t3>
    `,
    head: 'exit',
    make: ({ t, n, t2, n2, t3, n3 }) => exit({ at: t ?? t2 ?? t3, day: n ?? n2 ?? n3 }),
  },
  {
    id: 'exit_at',
    field: 'exit',
    phrase: `
      (at|by|until|till|no later than|latest at|latest by|to|is|time|around|on|then)
      <hour:t> [at the latest|latest|sharp|whichever comes first|[on] the same day]|
      <clock:t2> [at the latest|
      latest|whichever comes first|[on] the same day]
    `,
    in: EXITS,
    make: ({ t, t2 }) => exit({ at: t ?? t2 }),
  },
  {
    id: 'exit_before',
    field: 'exit',
    phrase: 'before <hour:t>',
    // "take profit at 50% before noon" is a target until noon, not an exit time
    in: ['exit'],
    make: ({ t }) => exit({ at: t }),
  },
  {
    id: 'exit_label',
    field: 'exit',
    phrase: '(exit|exit time|time exit|close|out) , [at] <clock:t>',
    head: 'exit',
    make: ({ t }) => exit({ at: t }),
  },
  {
    id: 'exit_at_hour',
    field: 'exit',
    phrase: `
        [and|then] @exit [@it] (at|by|before|around|on|no later than|latest by|to) <hour:t> [at
        the latest|latest|sharp|[on] the same day]
      `,
    head: 'exit',
    make: ({ t }) => exit({ at: t }),
  },
  {
    id: 'exit_latest',
    field: 'exit',
    phrase: `
      <clock:t> (at the latest|latest|time stop|time exit)|(out|flat|closed|done|be flat|gone) by <hour:t2>|no later
      than <hour:t3>|(time (stop|exit)|time based exit) [at|of|is|to] <hour:t4>|[@it] (hold|
      held|keep|keep it|hold it) (until|till|to|through) <hour:t5>
    `,
    head: 'exit',
    make: ({ t, t2, t3, t4, t5 }) => {
      const at = t ?? t2 ?? t3 ?? t4 ?? t5
      return exit(at === '16:00' ? { close: true } : { at })
    },
  },
  {
    id: 'exit_expiry',
    field: 'exit',
    phrase: `
      [and] [otherwise|else] [@exit|hold|held|keep|let|holding] [@it] [run|ride|go]
      [at|to|until|till|through|
      into|on|for] [the] [cash] (expiry|expiration|settlement|settle|expire [worthless]|expires|cash
      settlement)|let (it|them) expire [worthless]|no (exit|exits|management|exit rules)|(hold|
      held) to
      (expire|the
      end)|cash (settled|settle)|set and forget|[and|just|then] hold [it] !(#\\d#|a|an|until|
      till|to|
      through|for|on|overnight|into|in|it)|unmanaged
    `,
    head: 'exit',
    make: () => exit({ at: 'expiry' }),
  },
  {
    id: 'exit_open',
    field: 'exit',
    phrase: '[and] @exit [@it] (at|on) [the] [next (days|mornings|day)] (open|opening bell)',
    head: 'exit',
    make: () => exit({ at: BOUNDS.firstEntry }),
  },
  {
    id: 'exit_weekday',
    field: 'exit',
    phrase: '[and] @exit [@it] [at <hour>] [on] <days> [at <hour>]',
    head: 'exit',
    make: () => ({ k: 'bad', reason: EXIT_WEEKDAY }),
  },
  {
    id: 'exit_close',
    field: 'exit',
    phrase: `
      (@exit|hold|held|keep|let) [@it] [run|ride] (at|to|until|till|through|into|on|by|before)
      [the] (close|closing bell|end of [the] day|eod|bell|market close)|eod
    `,
    head: 'exit',
    make: () => exit({ close: true }),
  },
  {
    id: 'exit_the_close',
    field: 'exit',
    phrase: `
      [at|by|on|or|to|before] [the] (close|closing bell|end of [the] day|eod|bell|market close)
    `,
    in: EXITS,
    make: () => exit({ close: true }),
  },
  {
    id: 'exit_hold',
    field: 'exit',
    phrase: `
      [and|then|just] ((@exit [@it]|held|keep [@it]) (after|for|in)|hold [@it] [after|for])
      (<minutes:a>|
      <hours:b>) [later|
      after entry]|(@exit [@it]) (<minutes:c>|<hours:d>) (later|after entry|after that|after the
      entry|after entering)|for (<minutes:g>|<hours:h>)|(<minutes:e>|<hours:f>) (later|after
      entry) !(in)
    `,
    head: 'exit',
    // "above the flip for 30 minutes" is not a holding time
    make: ({ a, b, c, d, e, f, g, h }, { mode }) => {
      const lone = g ?? h
      if (lone !== undefined && mode === 'when') return null
      return exit({ hold: a ?? b ?? c ?? d ?? e ?? f ?? lone })
    },
  },
]
