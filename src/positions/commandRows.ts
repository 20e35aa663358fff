import { group, numeric, or } from '../core/commandRow.ts'
import { dateArgument } from '../core/days.ts'
import { REPLAY_DEFAULT, REPLAY_MAX } from './replayLimit.ts'

export const POSITIONS = group({
  name: 'positions',
  summary: 'judge positions at a minute, or at past entries',
  about: `Judges positions as the API does: those of a JSON file, or those an account keeps. The file holds a
list of positions, or one alone:
{"kind": "strangle", "legs": {"sp": 5950, "sc": 6050}, "entry": "10:30"}`,
  options: {
    'account ACCOUNT': 'the positions that this account keeps, instead of FILE',
    'id ID': 'only this one of them',
    'out FILE': 'writes there instead of to standard output',
  },
  work: 'src/positions/positionsCommand.ts',
  commands: [
    {
      line: 'positions check [FILE]',
      summary: `at one minute: the label, every condition with its value, and how far the flip and the
        walls are from the index and from each short strike`,
      takes: 'one file: positions check p.json',
      options: {
        'day DAY': 'the day (default: today)',
        't T': 'the ET minute (default: its latest)',
      },
      values: { day: dateArgument },
    },
    {
      line: 'positions entries [FILE]',
      summary: 'at the entry minute of the last sessions, with what happened after',
      takes: 'one file: positions entries p.json',
      options: {
        'replay N': `how many sessions, 0 to ${REPLAY_MAX}`,
        'format F': 'json, csv, parquet or arrow, one row a session',
      },
      values: {
        replay: or(
          numeric(/^\d{1,4}$/, REPLAY_MAX, `give 0 to ${REPLAY_MAX}, such as 60`),
          String(REPLAY_DEFAULT),
        ),
        format: 'json',
      },
    },
  ],
})
