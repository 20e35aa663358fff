import { type Phrase, phrase } from '../phrase.ts'
import { WEEKDAYS } from '../spec.ts'

const NOT = `
    (no (trade|trades|trading|entry|entries)|not|no|never|skip|except|excluding|but not|avoid|dont
    trade|do not trade|without|nothing|other than|but|exclude|except for|apart from|minus|drop|
    remove|[but] not (if|when) [it is|its|today is]|(except|skip|avoid|no trade|no trades|dont
    trade|do not trade|stay out|sit out) (if|when) [it is|its|today is]|unless [it is|its|today
    is]|[only] (if|when) ([it is|its|today is] not|it isnt|it is not) [on|a])
  `

/** Days on which it trades. */
export const DAY_PHRASES: readonly Phrase[] = [
  {
    id: 'days_not',
    field: 'days',
    phrase: `[and] ${NOT} [on|for|the] [<days>s:no] <days:v>`.replace(' [<days>s:no]', ''),
    head: 'days',
    make: ({ v }) => ({ k: 'days', v, how: 'not' }),
  },
  phrase`days_add days >days
    (also|add|and also|plus|as well as|include) [on|for|trade] <days:v> [too|as well|also]|[and]
    [on] <days:v> (too|as well|also)`(({ v }) => ({ k: 'days', v: v, how: 'add' })),
  phrase`days days >days
    [only] [trade] [only] [just] [on|every|each|for] [only] <days:v> [only] [alone]`(({ v }) => ({
    k: 'days',
    v,
    how: 'set',
  })),
  phrase`days_letters days >days
    [on] [only] <letters:v> [only]`(({ v }) => ({ k: 'days', v, how: 'set' })),
  phrase`every_day days >days
    (every|each|all) [trading] (day|days|session|sessions|weekday|weekdays) [of the week]|
    daily|weekdays| (every|each) single day|all week|any day|(every|each) morning|(m f|m to f)`({
    k: 'days',
    v: WEEKDAYS,
    how: 'set',
  }),
  phrase`weekend days
    [on] (saturday|saturdays|sunday|sundays|weekend|weekends|the weekend|sat|sun)`({
    k: 'refuse',
    rank: 1,
    reason: 'there is no trading at the weekend',
  }),
]
