import type { Phrase } from '../phrase.ts'
import { BOUNDS } from '../spec.ts'

const HEAD = '[@entry] [it] [the trade] [time]'
const TO = '(and|to|until|till|through|thru|til)'
/** Outside of a clause about getting out, a time is when a trade is entered. */
const isExit = (mode: string) => mode === 'exit' || mode === 'profit' || mode === 'stop'

const window = (from: string, to: string) => ({ k: 'window' as const, v: [from, to] as const })
const minutesLater = (minute: string, by: number): string => {
  const at = Number(minute.slice(0, 2)) * 60 + Number(minute.slice(3)) + by
  return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
}

/** When it trades: times, windows and intervals. */
export const ENTRY_PHRASES: readonly Phrase[] = [
  {
    id: 'window',
    field: 'entry',
    phrase: `
      ${HEAD} [only] [any time|anytime] (between|from|in the window) [of] <hour:a> ${TO}
      <hour:b>|${HEAD} <clock:c> ${TO} <hour:d>
    `,
    head: 'days',
    make: ({ a, b, c, d }) => window(a ?? c, b ?? d),
  },
  {
    id: 'window_named',
    field: 'entry',
    phrase: `
      ${HEAD} [in|during|within|over] [the] ((first|opening) (<hours:a>|<minutes:b>|hour)|(last|
      final) (<hours:c>|<minutes:d>|hour)) [of] [the] [day|session|trading|open] !(that|which)
    `,
    head: 'days',
    make: ({ a, b, c, d }, { mode }) => {
      if (isExit(mode)) return null
      const isLast = c !== undefined || d !== undefined
      const count = a ?? b ?? c ?? d ?? 60
      return isLast ? window(minutesLater('16:00', -count), '15:59') : null
    },
  },
  {
    id: 'window_first',
    field: 'entry',
    phrase: `
      ${HEAD} [in|during|within|over] [the] (first|opening) (<hours:a>|<minutes:b>|hour) [of]
      [the] [day|session|trading|open]
    `,
    head: 'days',
    make: ({ a, b }, { mode }) =>
      isExit(mode) ? null : window(BOUNDS.firstEntry, minutesLater('09:30', a ?? b ?? 60)),
  },
  {
    id: 'window_last_hour',
    field: 'entry',
    phrase: `
      ${HEAD} [in|during|within|over] [the] (last|final) hour [of] [the] [day|session|trading]
    `,
    head: 'days',
    make: (_, { mode }) => (isExit(mode) ? null : window('15:00', '15:59')),
  },
  {
    id: 'morning',
    field: 'entry',
    phrase: 'in the morning|[during] the morning|mornings',
    make: () => window(BOUNDS.firstEntry, '12:00'),
  },
  {
    id: 'afternoon',
    field: 'entry',
    phrase: 'in the afternoon|[during] the afternoon|afternoons',
    make: () => window('12:00', '15:59'),
  },
  {
    id: 'window_after',
    field: 'entry',
    phrase: `
      ${HEAD} [any time|anytime] (after|from|since|starting|starting at|beginning at|onwards
      from) <clock:a> [on|onward|onwards]
    `,
    head: 'days',
    make: ({ a }, { mode }) => (isExit(mode) ? null : window(a, BOUNDS.lastDefault)),
  },
  {
    id: 'window_before',
    field: 'entry',
    phrase: `${HEAD} [any time|anytime] (before|until|till) <clock:a>`,
    head: 'days',
    make: ({ a }, { mode }) => (isExit(mode) ? null : window(BOUNDS.firstEntry, a)),
  },
  {
    id: 'every',
    field: 'entry',
    phrase: '[once] (every|each|per|at intervals of) (<minutes:a>|<hours:b>|hour)|hourly',
    head: 'days',
    make: ({ a, b }) => ({ k: 'every', v: a ?? b ?? 60 }),
  },
  {
    id: 'every_minute',
    field: 'entry',
    phrase: '(every|each) (minute|1 minute)',
    head: 'days',
    make: () => ({ k: 'every', v: 1 }),
  },
  {
    id: 'entry_at',
    field: 'entry',
    phrase: `${HEAD} (at|by|exactly at|entry at|is|to|time) [exactly] <hour:t> [sharp|exactly]`,
    make: ({ t }, { mode }) => (isExit(mode) ? null : { k: 'time', v: t, role: 'entry' }),
  },
  {
    id: 'entry_several',
    field: 'entry',
    phrase: `
      ${HEAD} at <hour:a> [, [at] <clock:b>] [,] (and|or) [again] [at] (<clock:c>|at <hour:d>)|
      ${HEAD} at <hour:e> [, [at] <hour:f>] (and|or) [again] at <hour:g>
    `,
    make: (_, { mode }) => (isExit(mode) ? null : { k: 'vague', slot: 'entry time' }),
  },
  {
    id: 'entry_then_out',
    field: 'entry',
    // "at 10 out at 3": two times, not a strike ten points out
    phrase: 'at <int:n> !(!(out (at|by|before|after|in|when|if)))',
    make: ({ n }, { mode }) => {
      const isHour = (n >= 9 && n <= 12) || (n >= 1 && n <= 4)
      if (isExit(mode) || !isHour) return null
      const hour = n < 5 ? n + 12 : n
      return { k: 'time', v: `${String(hour).padStart(2, '0')}:00`, role: 'entry' }
    },
  },
  {
    id: 'entry_bare',
    field: 'entry',
    phrase: '[@entry [,]] <clock:t> [sharp|exactly]',
    make: ({ t }, { mode }) => (isExit(mode) ? null : { k: 'bare_time', v: t }),
  },
  {
    id: 'entry_about',
    field: 'entry',
    phrase: `${HEAD} [at] (around|about|roughly|approximately|near) <clock:t>`,
    make: ({ t }, { mode }) => (isExit(mode) ? null : { k: 'time', v: t, role: 'entry' }),
  },
  {
    id: 'entry_open',
    field: 'entry',
    phrase: `
      ${HEAD} (at|on|right at) [the] (open|opening|opening bell|start of the day|market open)
    `,
    make: () => ({ k: 'time', v: BOUNDS.firstEntry, role: 'open' }),
  },
  {
    id: 'entry_vague',
    field: 'entry',
    phrase: `
        (shortly|right|soon|just) (after|before) [the] (open|close|opening|closing)|(after|
        before|near|towards|around) [the] (open|close) !(at)|early|late [in the day]|later in the
        day|sometime
      `,
    make: () => ({ k: 'vague', slot: 'entry time' }),
  },
  {
    id: 'entry_close',
    field: 'entry',
    phrase: '(enter|entry|open it) (at|on|into) [the] (close|closing bell)',
    make: () => ({ k: 'time', v: BOUNDS.lastEntry, role: 'open' }),
  },
  {
    id: 'entry_at_close',
    field: 'entry',
    phrase: '(at|on) [the] (close|closing bell|market close)',
    in: ['core', 'days', 'when'],
    make: () => ({ k: 'time', v: BOUNDS.lastEntry, role: 'open' }),
  },
  {
    id: 'each_time',
    field: 'entry',
    phrase: '(each|every) time|as often as it happens|any number of times|repeatedly',
    head: 'when',
    make: () => ({ k: 'each' }),
  },
  {
    id: 'once',
    field: 'entry',
    phrase: `
        once [(a|per|each|every) (day|session)]|[only] one [trade|entry] (a|per|each) (day|
        session)|[only|max|maximum|at most] (1|one) (trade|entry) (a|per|each) (day|session)|
        at most once [a day]
      `,
    make: () => ({ k: 'nothing' }),
  },
  {
    id: 'gap_between',
    field: 'entry',
    phrase: '[at least|with] [at least] <minutes:n> (apart|between (entries|trades)|in between)',
    make: ({ n }) => ({ k: 'gap', v: n }),
  },
]
