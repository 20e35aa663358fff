// Output of the commands that are pipelines: each line is a process.

import { expect, test } from 'vitest'
import { tapefoldLines, tapefoldOnce } from '../support/tapefold.ts'

const COMMANDS = [
  'demo',
  'simulate',
  'history',
  'sample',
  'import',
  'fetch',
  'sources',
  'build',
  'minute',
  'feed',
  'backfill',
  'work',
  'plan',
  'task',
  'schedule',
  'serve',
  'watch',
  'orders',
  'positions',
  'alert',
  'levels',
  'status',
  'lab',
  'mcp',
  'geo',
  'webhook',
  'sql',
  'files',
  'verify',
  'repair',
  'collect',
  'store',
  'accuracy',
  'bench',
  'account',
  'key',
  'credits',
]

test('every command of the help prints its usage for --help', async () => {
  const lines = [['help'], ...COMMANDS.map(command => [command, '--help'])]
  const [help, ...requested] = await tapefoldLines(lines)
  const listed = [...help!.out.matchAll(/^ {2}(\w+)/gm)].map(match => match[1]!)
  expect([...new Set(listed)]).toEqual(COMMANDS)
  expect(help!.code).toBe(0)
  for (const [index, command] of COMMANDS.entries()) {
    expect(requested[index], command).toMatchObject({ code: 0, error: '' })
    expect(requested[index]!.out).toMatch(new RegExp(`^usage: tapefold ${command} `))
  }
})

const MISUNDERSTOOD: [string[], RegExp][] = [
  [['build', '2016-06-04'], /2016-06-04 is not a trading day; give one such as 2026-10-15/],
  [['history', '--lab', 'planted'], /--lab is "planted"; give null, or planted:X with X up to 2,/],
  [['history', '--lab', 'planted:2.1'], /--lab is "planted:2\.1"; give null, or planted:X/],
  [['history', '--lab', 'null', '--dte', '6'], /--dte is "6"; give 0 to 5, such as 1/],
  [['history', '--dte', '1'], /--dte goes with --lab, such as --lab null --dte 1/],
  [['history', '--lab', 'null', '--labels', 'none'], /--labels goes without --lab/],
  [['build', 'tomorrow'], /tomorrow is not a date; give one such as 2026-10-15/],
  [['repair', '../x'], /\.\.\/x is not a date; give one such as 2026-10-15/],
  [['verify', '2016-06'], /2016-06 is not a date; give one such as 2026-10-15/],
  [['backfill', '2016-06-01', 'now'], /now is not a date; give one such as 2026-10-15/],
  [['import', 'prints', 'x', '--day', 'now'], /--day is now, which is not a date; give one/],
  [['positions', 'check', 'x', '--day', '1'], /--day is 1, which is not a date; give one/],
  [['minute', '2026-10-17'], /2026-10-17 is not a trading day; give one such as 2026-10-15/],
  [['feed', '2026-10-17', '--spool', '.'], /2026-10-17 is not a trading day; give one such as/],
  [['feed', '2026-10-15'], /feed needs --spool DIR, --stdin DATASET or both/],
  [['minute', '2026-10-15', '--until', '25:00'], /--until is 25:00; give an ET minute, such as/],
  [['build', '0500-01-06'], /0500-01-06 is not a trading day; give one such as/],
  [['build', '--nope', '2016-06-01'], /Unknown option '--nope'; see "tapefold build --help"/],
  [['build', '2016-06-01', '--min-premium', '-5'], /--min-premium needs a value; see/],
  [['build', '2016-06-01', '--min-premium=-5'], /--min-premium is -5; give whole dollars/],
  [['build', '--data', '--min-premium', '5'], /--data needs a folder/],
  [['verify', '--quick'], /verify takes days/],
  [['repair'], /repair takes days, such as repair 2026-10-15/],
  [['collect', '--grace', '5'], /--grace is 5; give minutes, hours or days from 1m on/],
  [['collect', '2026-10-15'], /Unexpected argument '2026-10-15'/],
  [['files'], /files takes a dataset; give one of "tapefold sql --help", such as orders/],
  [['files', 'gamma'], /gamma is not a published dataset; give one of/],
  [['store'], /store needs one of push, pull, check, rebuild; see/],
  [['store', 'check', '2026-10-15'], /store check takes no days/],
  [['store', 'pull', 'now'], /now is not a date; give one such as 2026-10-15/],
  [['store', 'push', '--kinds', 'all'], /--kinds is all; give of tape, published, live, such as/],
  [['status', 'extra'], /Unexpected argument 'extra'/],
  [['orders', '--asof', '10:37'], /--asof needs its day, such as orders 2026-10-15 --asof/],
  [['orders', '--format', 'xml'], /--format is xml; give json, csv, parquet, arrow/],
  [['simulate', '--tape', 'wild'], /--tape must be one of calm, busy, noisy, not wild/],
  [['accuracy', '--seed', '-1'], /--seed needs a value; see "tapefold accuracy --help"/],
]
const misunderstood = tapefoldOnce(MISUNDERSTOOD)

test.each(MISUNDERSTOOD)(
  '%j is not understood: one sentence, exit code 2',
  async (args, sentence) => {
    const { code, out, error } = await misunderstood(args)
    expect(error).toMatch(sentence)
    expect(error.trimEnd().split('\n')).toHaveLength(1)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  },
)
