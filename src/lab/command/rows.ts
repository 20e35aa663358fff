import { group, oneOf, or } from '../../core/commandRow.ts'

const BY_ACCOUNT = { 'account ACCOUNT': 'whose ideas and credits they are' }
const TESTS = 'src/lab/command/labTests.ts'

export const LAB = group({
  name: 'lab',
  summary: 'turn an idea in plain words into an exact rule, and test it',
  about: `Turns an idea in plain words into an exact rule and tests it, as the LAB API does; answers JSON.
Such as: tapefold lab read "At 10:00 sell the 10-wide put spread 30 points below spot."`,
  options: { 'out FILE': 'writes there instead of to standard output' },
  work: 'src/lab/command/lab.ts',
  commands: [
    {
      line: 'lab chat "MESSAGE"',
      summary: `begins an idea, or answers and changes one; "yes" takes a rule proposed without its
        unread words`,
      takes:
        'one message in quotes: lab chat "At 10:00 sell the 16 delta strangle." --account acc_…',
      options: { ...BY_ACCOUNT, 'id ID': 'the idea that it answers or changes' },
    },
    {
      line: 'lab read "MESSAGE"',
      summary: 'what the message comes to by itself; keeps nothing',
      takes: 'one message in quotes: lab read "At 10:00 sell the 16 delta strangle."',
    },
    {
      line: 'lab run ID KIND',
      summary: 'tests an idea for a credit: backtest, then quant',
      options: { ...BY_ACCOUNT, 'drop ID': 'takes that one off the conveyor first' },
      work: TESTS,
    },
    {
      line: 'lab result ID KIND',
      summary: 'what the newest test of the kind found',
      options: BY_ACCOUNT,
      work: TESTS,
    },
    {
      line: 'lab trades JOB',
      summary: 'every trade behind it',
      takes: 'a job: lab trades j_4fQ8sK2mZx0T --account acc_4fQ8sK2mZx0T',
      options: { ...BY_ACCOUNT, 'format F': 'json, csv, parquet or arrow' },
      values: { format: or(oneOf(['json', 'csv', 'parquet', 'arrow']), 'json') },
      work: TESTS,
    },
    {
      line: 'lab idea ID ACTION',
      summary: 'desk, drop, delete, open; or set, with --on, --draw or --alert',
      takes: 'an idea and what: lab idea i_4fQ8sK2mZx0T desk',
      options: {
        ...BY_ACCOUNT,
        'on STATE': 'true or false',
        'draw WHAT': 'off, levels or trades',
        'alert CHANNEL': 'off, telegram, email or webhook',
      },
      work: TESTS,
    },
    { line: 'lab state', summary: 'the ideas and credits of an account', options: BY_ACCOUNT },
    { line: 'lab thread ID', summary: 'what was said on an idea', options: BY_ACCOUNT },
    { line: 'lab vocabulary', summary: 'all that the language knows' },
  ],
})

export const CREDITS = group({
  name: 'credits',
  summary: [
    ['credits add ACCOUNT N --ref REF', 'add bought LAB credits, once for each payment'],
    ['credits audit', 'sum up all lines of credits'],
  ],
  work: 'src/lab/creditCommands.ts',
  isHere: true,
  commands: [
    {
      line: 'credits add ACCOUNT N',
      summary: 'adds bought LAB credits, once for each payment',
      takes: 'an account and a number: credits add acc_4fQ8sK2mZx0T 50 --ref inv-2026-118',
      options: { 'ref REF': 'the payment, such as inv-2026-118' },
    },
    { line: 'credits audit', summary: 'sums up all lines of credits' },
  ],
})
