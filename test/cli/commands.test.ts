// Rows of the table of commands: what each of them promises, held for all of them.

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMANDS, ENTRIES, findRow } from '../../src/cli/commands.ts'
import { perform } from '../../src/cli/perform.ts'
import { UsageError } from '../../src/core/command.ts'
import { commandHelp, groupHelp } from '../../src/core/commandHelp.ts'
import {
  type Command,
  describeWords,
  nameOf,
  readInput,
  rowsOf,
  wordsOf,
  workOf,
} from '../../src/core/commandRow.ts'

const ROWS = ENTRIES.flatMap(rowsOf).map(row => ({ name: nameOf(row), row }))

/** As many words as a command needs, and no more. */
const words = (row: Command) =>
  wordsOf(row)
    .filter(word => !word.startsWith('['))
    .map(() => 'x')

const refusal = (argv: readonly string[]): string => {
  try {
    const { row, args } = findRow(argv)
    readInput(row, args)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message
  }
  return 'understood'
}

test('each command has a name of its own', () => {
  const names = ROWS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

describe.each(ROWS)('$name', ({ name, row }) => {
  const argv = name.split(' ')
  const see = `; see "tapefold ${argv[0]} --help".`

  test('what does it is there', async () => {
    const [file, work] = workOf(row)
    expect((await import(join('../..', file)))[work]).toBeInstanceOf(Function)
  })

  test('its help has its words and options, and fits a terminal', async () => {
    const help = await commandHelp(row)
    const usage = help.slice(0, help.indexOf('\n\n')).replace(/\s+/g, ' ')
    const named = Object.entries(row.options ?? {}).map(([option, text]) => {
      expect(help.replace(/\s+/g, ' ')).toContain(text.replace(/\s+/g, ' '))
      return option.endsWith('...') ? `[--${option.slice(0, -3)}]...` : `[--${option}]`
    })
    expect(usage).toBe(['usage: tapefold', row.line, ...named, '[--data DIR]'].join(' '))
    expect(help.split('\n').filter(line => line.length > 102)).toEqual([])
    expect(help).toMatch(/[^\n]\n$/)
  })

  test('an option that it does not have is refused', () => {
    expect(refusal([...argv, ...words(row), '--nope'])).toBe(`Unknown option '--nope'${see}`)
  })

  test('a value that is missing is refused', () => {
    for (const key of Object.keys(row.options ?? {})) {
      const [option, takes] = key.split(' ')
      if (takes === undefined) continue
      expect(refusal([...argv, ...words(row), `--${option}`])).toBe(
        `--${option} needs a value${see}`,
      )
    }
    expect(refusal([...argv, ...words(row), '--data'])).toBe(
      '--data needs a folder, such as --data ./data.',
    )
    expect(refusal([...argv, ...words(row), '--data='])).toBe(
      '--data needs a folder, such as --data ./data.',
    )
  })

  test('words that are missing, and one too many, are refused', () => {
    const needed = words(row)
    if (row.takes === undefined) {
      // each word has an example; a field may be any
      const example = describeWords(row).split(`: ${name} `)[1] ?? ''
      const exemplified = wordsOf(row).filter(word => !word.includes('='))
      expect(example.split(' ').filter(Boolean)).toHaveLength(exemplified.length)
    }
    const sentence = `${name} takes ${describeWords(row)}.`
    if (needed.length > 0) expect(refusal([...argv, ...needed.slice(1)])).toBe(sentence)
    if (row.line.includes('...')) return
    const most = wordsOf(row).map(() => 'x')
    expect(refusal([...argv, ...most, 'y'])).toBe(
      most.length > 0 ? sentence : `Unexpected argument 'y'${see}`,
    )
  })
})

const GROUPS = COMMANDS.flatMap(entry => ('commands' in entry ? [entry] : []))

test.each(GROUPS)('the help of $name has all of its commands, with their options', group => {
  const help = groupHelp(group).replace(/\s+/g, ' ')
  for (const { line, summary, options } of rowsOf(group)) {
    expect(help).toContain(`${line} ${summary.replace(/\s+/g, ' ')}`)
    for (const option of Object.keys(options ?? {})) {
      expect(help).toContain(` --${option.split(' ')[0]} `)
    }
  }
  const [first] = group.commands
  expect(refusal([group.name])).toMatch(`${group.name} takes ${nameOf(first!).split(' ')[1]}`)
  expect(refusal([group.name, 'x'])).toMatch(/, not x; see /)
})

/** Values that rows refuse by themselves. */
const WRONG: [string, string][] = [
  ['accuracy --seed -1', '--seed needs a value; see "tapefold accuracy --help".'],
  ['alert events a --after x', '--after is x; give the number of an event, such as 4711.'],
  ['alert events a --day 1', '--day is 1, which is not a date; give one such as 2026-10-15.'],
  ['alert events a --limit 501', '--limit is 501; give 1 to 500, such as 20.'],
  ['alert line fire a l_1', 'alert line takes add, update, arm or remove, not fire; see '],
  ['alert rule arm a r_1', 'alert rule takes add, update or remove, not arm; see '],
  ['build 2026-10-15 --min-premium=-5', '--min-premium is -5; give whole dollars, such as'],
  ['build x --min-premium -5', '--min-premium needs a value; see "tapefold build --help".'],
  ['build --data --min-premium 5', '--data needs a folder, such as --data ./data.'],
  ['demo --history 1001', '--history is "1001"; give 0 to 1000 sessions, such as 250.'],
  ['demo --port web', '--port is web; give a port from 0 to 65535, such as 8080.'],
  ['demo --prints many', '--prints is many; give a whole number of 1000 or more, such as 250000.'],
  ['demo --speed 4000', '--speed is 4000; give 0 to 3600 times real time, such as 60.'],
  ['feed --grace -', '--grace is -; give seconds, such as 3.'],
  ['feed --stdin rates', '--stdin is rates; give one of prints, quotes, spots, futures, '],
  ['fetch fred --max-cost 0.001', '--max-cost is 0.001; give US dollars, such as 5.'],
  ['history --lab null --dte 6', '--dte is "6"; give 0 to 5, such as 1.'],
  ['history --labels all', '--labels is all; give informative, none.'],
  ['history --seed x', '--seed is x; give a whole number, such as 1.'],
  ['history --sessions 2501', '--sessions is 2501; give 1 to 2500.'],
  ['lab trades j --format pdf', '--format is pdf; give json, csv, parquet, arrow.'],
  ['levels x --format xml', '--format is xml; it can be table, csv, json.'],
  ['minute --min-premium 1e5', '--min-premium is 1e5; give whole dollars, such as'],
  ['orders --top 0', '--top is 0; give how many orders to show, such as 15.'],
  ['positions entries p --replay 1001', '--replay is 1001; give 0 to 1000, such as 60.'],
  ['positions check p --day 1', '--day is 1, which is not a date; give one such as 2026-10-15.'],
  ['serve --host=', '--host is empty; give an address: 127.0.0.1.'],
  ['serve --port=', '--port is ; give a port from 0 to 65535, such as 8080.'],
  ['serve --port 65536', '--port is 65536; give a port from 0 to 65535, such as 8080.'],
  ['serve --roles api,api', '--roles is api,api; give api, watch, or both: api,watch.'],
  ['simulate --pace 0', '--pace must be a whole number from 1 to 1000, not 0.'],
  ['simulate --prints 99', '--prints must be a whole number from 100 to 8000000, not 99.'],
  ['simulate --tape wild', '--tape must be one of calm, busy, noisy, not wild.'],
  ['simulate --dealers none', '--dealers must be one of flip_below, '],
  ['simulate --world far', '--world must be one of '],
  ['sql --format xml x', '--format is xml; it can be table, csv, json.'],
  ['store push --kinds all', '--kinds is all; give of tape, published, live, such as published'],
  ['task x --run a/b', '--run is a/b; give letters, digits and hyphens, such as night-7.'],
  [
    'webhook --data listn listen --port x',
    '--port is x; give a port from 0 to 65535, such as 8787.',
  ],
  ['webhook deliveries a --limit 0', '--limit is 0; give 1 to 200, such as 20.'],
  ['webhook listen --fail 100', '--fail is 100; give a status from 200 to 599, such as 500.'],
  ['webhook listen --slow 61', '--slow is 61; give seconds from 0 to 60, such as 4.'],
  ...['0', '65', '1.5', 'two', ''].map((text): [string, string] => [
    `work --workers=${text}`,
    `--workers is ${text}; give a number from 1 to 64, such as 2.`,
  ]),
  ...['0m', '24', '=-1h'].map((text): [string, string] => [
    `collect --inbox-age ${text}`,
    `--inbox-age is ${text}; give minutes, hours or days from 1m on, such as 24h.`,
  ]),
]

test.each(WRONG)('%s is refused', (line, sentence) => {
  expect(refusal(line.split(' '))).toContain(sentence)
})

test.each([
  ['work --workers 64', { workers: 64 }],
  ['work', { workers: undefined, 'refuse-bad-tape': false, data: 'data' }],
  ['collect --grace 90m', { grace: { text: '90m', ms: 5_400_000 } }],
  ['collect --grace 7d --data x', { grace: { text: '7d', ms: 604_800_000 }, data: 'x' }],
  ['schedule --fetch a --fetch b', { fetch: ['a', 'b'] }],
  [
    'store --data x pull 2026-10-15 --kinds live',
    { words: ['2026-10-15'], kinds: ['live'], data: 'x' },
  ],
])('%s is understood', (line, input) => {
  const { row, args } = findRow(line.split(' '))
  expect(readInput(row, args)).toMatchObject(input)
})

/** Refusals of works, which know more than their rows. */
test.each([
  ['build 2016-06-04', '2016-06-04 is not a trading day; give one such as 2026-10-15.'],
  ['build 0500-01-06', '0500-01-06 is not a trading day; give one such as 2026-10-15.'],
  ['verify 2016-06', '2016-06 is not a date; give one such as 2026-10-15.'],
  ['repair ../x', '../x is not a date; give one such as 2026-10-15.'],
  ['backfill 2016-06-01 now', 'now is not a date; give one such as 2026-10-15.'],
  ['backfill 2026-10-14 2026-10-13', '2026-10-14 is after 2026-10-13; give the older date first.'],
  ['plan 1226-10-14 2026-10-13', 'is longer than 30 years; give a shorter range.'],
  [
    'fetch nowhere',
    'nowhere is not a source; give one of cboe-delayed, treasury, fred, thetadata, ',
  ],
  ['fetch treasury 2026-13-01', '2026-13-01 is not a date; give one such as 2026-10-15.'],
  ['fetch treasury 2026-10-15 2026-10-14', '2026-10-14 is before 2026-10-15; give the earlier'],
  ['fetch fred 2026-10-17 --clock 2026-10-16T16:00', '2026-10-17 is in the future; give a day up'],
  ['fetch treasury --follow', 'treasury has no running session to follow; cboe-delayed and '],
  ['fetch thetadata 2026-10-10', 'there is no session from 2026-10-10 to 2026-10-10; give a day'],
  [
    'task sign-2026-10-15',
    'sign-2026-10-15 is not the id of a task; give one of "tapefold plan", ',
  ],
  ['task fold-2026-02-30', '2026-02-30 is not a date; give one such as 2026-10-15.'],
  ['history --lab planted', '--lab is "planted"; give null, or planted:X with X up to 2, such as'],
  ['history --lab planted:2.1', '--lab is "planted:2.1"; give null, or planted:X with X up to 2,'],
  ['history --dte 1', '--dte goes with --lab, such as --lab null --dte 1.'],
  ['history --lab null --labels none', '--labels goes without --lab, which has no days with'],
  ['import cobol x', 'cobol is not a format; see "tapefold import --help".'],
  ['import prints x --day now', '--day is now, which is not a date; give one such as 2026-10-15.'],
  ['minute 2026-10-17', '2026-10-17 is not a trading day; give one such as 2026-10-15.'],
  ['minute 2026-10-15 --until 25:00', '--until is 25:00; give an ET minute, such as 10:37.'],
  ['feed 2026-10-15', 'feed needs --spool DIR, --stdin DATASET or both.'],
  ['feed 2026-10-17 --spool .', '2026-10-17 is not a trading day; give one such as 2026-10-15.'],
  ['files gamma', 'gamma is not a published dataset; give one of "tapefold sql --help", such as'],
  ['files', 'files takes a dataset; give one of "tapefold sql --help", such as orders.'],
  ['store pull now', 'now is not a date; give one such as 2026-10-15.'],
  ['orders --asof 10:37', '--asof needs its day, such as orders 2026-10-15 --asof 10:37.'],
  ['mcp geo', 'mcp takes the name of a server: mcp orders, or mcp lab.'],
])('%s is refused when it is called', async (line, sentence) => {
  await expect(perform(line.split(' '))).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringContaining(sentence),
  })
})
