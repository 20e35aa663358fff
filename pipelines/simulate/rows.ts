import { UsageError } from '../../src/core/command.ts'
import {
  command,
  numeric,
  oneOf,
  or,
  type Parse,
  whole,
  wrongValue,
} from '../../src/core/commandRow.ts'
import { shown } from '../../src/core/disk/text.ts'
import { LABEL_KINDS } from './history.ts'
import { DEALER_KINDS } from './inventory.ts'
import { SIDE_WORLDS, type SideWorldName } from './sideWorlds.ts'

/** Commands that simulate sessions. */

const between =
  (low: number, high: number): Parse<number> =>
  (text, option) => {
    const count = Number(text)
    if (/^\d+$/.test(text) && count >= low && count <= high) return count
    throw new UsageError(`${option} must be a whole number from ${low} to ${high}, not ${text}.`)
  }

const among =
  <const Word extends string>(...words: readonly Word[]): Parse<Word> =>
  (text, option) => {
    const word = words.find(known => known === text)
    if (word) return word
    throw new UsageError(`${option} must be one of ${words.join(', ')}, not ${text}.`)
  }

const WORLDS = Object.keys(SIDE_WORLDS) as SideWorldName[]

export const SIMULATE = command({
  line: 'simulate',
  summary: 'write a simulated session and its truth',
  about: `Writes a simulated session, and the truth about its orders, into a new folder.

Dealers hold: ${DEALER_KINDS.slice(0, 5).join(', ')},
${DEALER_KINDS.slice(5).join(', ')}.
Customers trade: ${WORLDS.slice(0, 5).join(', ')},
${WORLDS.slice(5, 10).join(', ')},
${WORLDS.slice(10).join(', ')}.`,
  options: {
    'out FOLDER': 'a new or empty folder (simulated, in the data folder)',
    'day YYYY-MM-DD': 'the session',
    'seed N': 'the same seed gives the same bytes',
    'prints N': 'about how many prints',
    'contracts N': 'about how many contracts are listed',
    'tape KIND': 'calm, busy or noisy',
    'pace N': 'multi-leg prints a second while trading is active (calm 16, busy 90, noisy 50)',
    'dealers KIND': 'what dealers hold',
    'world WORLD': 'how customers trade',
    'conditions ANSWER': 'whether prints have trade conditions',
    'quotes ANSWER': 'whether there are quotes besides those of the prints',
    'uninformative-quotes Q': 'quotes that are 15 minutes late: none, stated or unstated',
    'stamps UNIT': 'precision of the times: us or ms',
    'threads N': 'threads of the engine',
  },
  values: {
    day: '2026-10-15',
    seed: or(between(0, 2 ** 31), '1'),
    prints: or(between(100, 8_000_000), '1000000'),
    contracts: or(between(200, 40_000), '20000'),
    tape: or(among('calm', 'busy', 'noisy'), 'calm'),
    pace: between(1, 1_000),
    dealers: or(among(...DEALER_KINDS), 'flip_below'),
    world: or(among(...WORLDS), 'middle'),
    conditions: or(among('yes', 'no'), 'yes'),
    quotes: or(among('yes', 'no'), 'yes'),
    'uninformative-quotes': or(among('none', 'stated', 'unstated'), 'none'),
    stamps: or(among('us', 'ms'), 'us'),
    threads: or(between(1, 16), '2'),
  },
  work: 'pipelines/simulate/simulate.ts',
})

const SESSIONS_MAX = 2_500

export const HISTORY = command({
  line: 'history',
  summary: 'simulate market minutes of many sessions',
  about: `Simulates the market minutes and large orders of many sessions, without prints, and publishes them
into an empty data folder: for replays of positions, or with --lab for tests of ideas. With --lab
the folder may have other simulated sessions: days that are published stay as they are.`,
  options: {
    'sessions N': 'how many trading days',
    'until DAY': 'the newest of them',
    'labels KIND': 'informative: the index moves far on days with warnings; none: on any day alike',
    'lab KIND': `for LAB, with quotes and fair prices. null: no rule earns anything before costs;
      planted:0.5: selling at 10:00 is worth half a standard deviation more when net gamma is
      above zero than when it is below`,
    'dte N': 'with --lab: the furthest expiry that is quoted, in sessions, 0 to 5 (1)',
    'seed N': 'the same seed gives the same sessions',
  },
  values: {
    sessions: or(whole(1, SESSIONS_MAX, `give 1 to ${SESSIONS_MAX}`), '1000'),
    until: '2026-10-15',
    labels: oneOf(LABEL_KINDS),
    dte: (text, option) => {
      if (/^[0-5]$/.test(text)) return Number(text)
      throw wrongValue(option, shown(text), 'give 0 to 5, such as 1')
    },
    seed: or(numeric(/^\d{1,9}$/, 999_999_999, 'give a whole number, such as 1'), '1'),
  },
  work: 'pipelines/simulate/minuteSessions.ts',
})

export const SAMPLE = command({
  line: 'sample',
  summary: 'make a simulated session that anybody may download',
  about: `Simulates and builds one session, and stores all its datasets, its tape and the truth that only the
simulator knows in sample/ of the data folder. A server sends them below /snapshots/sample/ to
anybody, without a key. It takes a minute, and each run makes the same files.`,
  work: 'pipelines/simulate/sample.ts',
})

/** Part of `demo` in a process of its own; the list of commands has it not. */
export const DEMO_SESSION = command({
  line: 'demosession',
  summary: 'makes the session that the demo serves',
  options: {
    'prints N': 'about how many prints to simulate',
    'without-positions': "without the dealers' positions at the open",
  },
  values: { prints: '250000' },
  work: 'pipelines/simulate/demo.ts',
})
