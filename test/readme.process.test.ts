// README and docs/ say what the code does: tables, commands and links are compared with it.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { addressVariable } from '../pipelines/fetch/settings.ts'
import { SOURCES } from '../pipelines/fetch/sources.ts'
import { FORMATS } from '../pipelines/import/formats.ts'
import { GEO_FORMATS } from '../pipelines/import/geoFormats.ts'
import { JOBS } from '../pipelines/upkeep/rows.ts'
import { PREFIX_OF_SCOPE } from '../src/accounts/apiKey.ts'
import { listPlans, PRODUCT_NAMES, PRODUCTS } from '../src/accounts/products.ts'
import { ADDRESS_MINUTE_CALLS } from '../src/archive/area.ts'
import { DATASET_ERRORS } from '../src/archive/errors.ts'
import { ArchiveDays } from '../src/archive/schema.ts'
import { PUBLISHED_DATASETS } from '../src/data/dictionary/dictionary.ts'
import { Ledger, Order } from '../src/orders/schema.ts'
import { readConfig, SETTINGS } from '../src/platform/config.ts'
import { connectionLimits } from '../src/platform/http/connections.ts'
import { DEPRECATIONS } from '../src/platform/http/deprecations.ts'
import { ERRORS } from '../src/platform/http/error.ts'
import { PAGE_LIMIT } from '../src/platform/http/pages.ts'
import {
  ACCOUNT_WAITING_MAX,
  SCHEDULER_WAITING_MAX,
} from '../src/platform/pool/requestScheduler.ts'
import { CONDITIONS } from '../src/positions/catalogue.ts'
import { LEGS_OF_KIND } from '../src/positions/kinds.ts'
import { ACCOUNT_SESSIONS_MAX, PROCESS_SESSIONS_MAX } from '../src/positions/replayLimit.ts'
import { openApiDocument } from '../src/server/docs.ts'
import {
  listAnchors,
  listBlocks,
  listCommands,
  PAGES,
  readPage,
  tableUnder,
} from './support/pages.ts'
import { tapefoldLines } from './support/tapefold.ts'

test('README has no generated table', () => {
  const written = /<!-- \w+: written by[^>]*-->([\s\S]*?)<!-- \w+: end -->/g
  const parts = [...readPage('README.md').matchAll(written)].map(match => match[1]!)
  expect(parts).toHaveLength(1)
  for (const part of parts) expect(part).not.toContain('|')
})

test('the table of formats is what the import knows', () => {
  const geo = GEO_FORMATS.map(({ name, meaning }) => `| \`${name}\` | ${meaning} | geo_records |`)
  expect(tableUnder('docs/formats.md', '| format | what it reads | datasets it fills |')).toEqual(
    FORMATS.map(
      ({ name, meaning, datasets }) =>
        `| \`${name}\` | ${meaning} | ${datasets.map(([dataset]) => dataset).join(', ')} |`,
    ).concat(geo),
  )
})

test('the table of errors is the catalogue, in its order', () => {
  expect(tableUnder('docs/errors.md', '| status | code | again? | meaning |')).toEqual(
    ERRORS.map(
      ({ status, code, isRetryable, meaning }) =>
        `| ${status} | \`${code}\` | ${isRetryable ? 'yes' : 'no'} | ${meaning} |`,
    ),
  )
})

test('the table of errors of the archive is its catalogue, in its order', () => {
  expect(
    tableUnder('docs/errors.md', '| status | code of the archive | again? | meaning |'),
  ).toEqual(
    DATASET_ERRORS.rows.map(
      ({ status, code, isRetryable, meaning }) =>
        `| ${status} | \`${code}\` | ${isRetryable ? 'yes' : 'no'} | ${meaning} |`,
    ),
  )
})

test('the page of the archive has its limits, its files and what is not shared', () => {
  const page = readPage('docs/archive.md')
  expect(page).toContain(`call them ${ADDRESS_MINUTE_CALLS} times a minute together`)
  expect(page).toContain(
    `A key may call ${PRODUCTS.dataset.limits.minuteCallsPerKey} times a minute`,
  )
  const stored = PUBLISHED_DATASETS.filter(({ shared = true }) => !shared).map(({ name }) =>
    code(name),
  )
  expect(page).toContain(`${stored.slice(0, -1).join(', ')} and ${stored.at(-1)} say`)
  const [day] = listBlocks('docs/archive.md', 'json')
  const row = ArchiveDays.shape.days.unwrap().element
  expect(row.safeParse(JSON.parse(day!)).error).toBeUndefined()
  expect(Object.keys(JSON.parse(day!)).toSorted()).toEqual(Object.keys(row.shape).toSorted())
})

const code = (text: string) => `\`${text}\``
const number = (value: number) => value.toLocaleString('en-US')

test('the tables of products and plans, and the limits, are what the code holds to', () => {
  const head = '| product and scope | key begins with | plans | opens |'
  expect(tableUnder('docs/api.md', head)).toEqual(
    PRODUCT_NAMES.map(product => {
      const plans = listPlans(product).map(({ plan }) => code(plan))
      const { opens } = PRODUCTS[product]
      const prefix = code(`${PREFIX_OF_SCOPE[product]}_`)
      return `| ${code(product)} | ${prefix} | ${plans.join(', ')} | ${opens} |`
    }),
  )
  expect(tableUnder('docs/api.md', '| plan | calls a day |')).toEqual(
    listPlans('orders').map(({ plan, dailyCalls }) => `| ${code(plan)} | ${number(dailyCalls!)} |`),
  )
  const waiting = [ACCOUNT_WAITING_MAX, SCHEDULER_WAITING_MAX]
  const replayed = [ACCOUNT_SESSIONS_MAX, PROCESS_SESSIONS_MAX]
  for (const limit of [...waiting, ...replayed, PAGE_LIMIT.atOnce, PAGE_LIMIT.perSecond]) {
    expect(readPage('docs/api.md')).toContain(` ${number(limit)} `)
  }
})

/** A field as the schema has it: its own description, or that of what is optional in it. */
const fieldRow = ([name, field]: [string, unknown]): string => {
  const { meta, unwrap, safeParse } = field as typeof Order.shape.oid & {
    unwrap?: () => { meta: () => { description?: string } }
  }
  const { description } = meta() ?? {}
  const text = description ?? unwrap?.().meta().description
  const mayBeNull = safeParse(null).success ? 'yes' : 'no'
  return `| \`${name}\` | ${mayBeNull} | ${text!.replace(/\s+/g, ' ')} |`
}

test('the tables of fields are the schemas of the responses', () => {
  const page = readPage('docs/api.md')
  const tables = page.split('| field | null | meaning |\n|---|---|---|\n').slice(1)
  const rows = tables.map(text => text.split('\n\n')[0]!.trim().split('\n'))
  const stats = Ledger.shape.stats.unwrap()
  expect(rows).toEqual(
    [Ledger, stats, Order].map(({ shape }) => Object.entries(shape).map(fieldRow)),
  )
})

test('the order that README explains has every field of an order, and no other', () => {
  const [block] = listBlocks('README.md', 'jsonc')
  const order = JSON.parse(block!.replace(/\/\/.*$/gm, ''))
  expect(Order.safeParse(order).error).toBeUndefined()
  expect(Object.keys(order).toSorted()).toEqual(Object.keys(Order.shape).toSorted())
})

test('the table of position kinds is what a position takes', () => {
  expect(tableUnder('docs/positions.md', '| kind | legs, strikes rising |')).toEqual(
    Object.entries(LEGS_OF_KIND).map(
      ([kind, legs]) => `| \`${kind}\` | ${legs.map(leg => `\`${leg}\``).join(', ')} |`,
    ),
  )
})

test('the table of conditions is the catalogue', () => {
  const head = '| id | meaning | unit | on when value is | default | range |'
  expect(tableUnder('docs/positions.md', head)).toEqual(
    CONDITIONS.map(
      ({ id, meaning, unit, on_when, default: start, min, max }) =>
        `| \`${id}\` | ${meaning} | ${unit} | \`${on_when}\` | ${start} | ${min} to ${max} |`,
    ),
  )
})

test('the table of jobs is the schedule', () => {
  expect(tableUnder('docs/operations.md', '| job | cron, UTC | what it does |')).toEqual(
    JOBS.map(job => `| ${job.name} | \`${job.cron}\` | ${job.wakes} |`),
  )
})

test('the table of settings is what the configuration reads, with its defaults', () => {
  const text = readFileSync('src/platform/config.ts', 'utf8')
  const settings = [...text.matchAll(/\/\*\* (.+)\. \*\/\n {2}([A-Z_]+):/g)]
  const rows = tableUnder('docs/operations.md', '| variable | default | meaning |')
  expect(rows.map(row => /`(\w+)`/.exec(row)![1])).toEqual(SETTINGS)
  expect(rows.map(row => / \| ([^|]+) \|$/.exec(row)![1])).toEqual(
    settings.map(([, message]) => message),
  )
  const stated = rows.flatMap(row => {
    const [, name, value] = /^\| `(\w+)` \| `([^`]+)` \|/.exec(row) ?? []
    return name === undefined ? [] : [[name, value!]]
  })
  const [given, none] = [Object.fromEntries(stated), {}].map(readConfig)
  expect({ ...given, connections: null }).toEqual({ ...none, connections: null })
  expect(connectionLimits(given!.connections)).toEqual(connectionLimits(none!.connections))
})

test('the changelog has the newest first, and the dates of what will go', () => {
  const dates = listAdditionDates()
  expect(dates).toEqual(dates.toSorted().toReversed())
  const head = '| what | interface | use instead | deprecated | last day, New York |'
  const stated = tableUnder('docs/changelog.md', head).map(row =>
    row.split(' | ').slice(3).join(' | '),
  )
  for (const { date, lastDay } of Object.values(DEPRECATIONS)) {
    expect(stated).toContain(`${date ?? 'not announced'} | ${lastDay} |`)
  }
})

test('every operation has its date from a row of the changelog', () => {
  const paths = Object.values(JSON.parse(JSON.stringify(openApiDocument().paths)) as object)
  const dated = paths.flatMap(path =>
    Object.values(path as Record<string, { description: string }>),
  )
  const pattern = /\n\nAvailable since (\S+)\.$/
  const dates = dated.flatMap(({ description = '' }) => pattern.exec(description)?.[1] ?? [])
  // but for /health, /health/live, /health/ready and /status.json
  expect(dates.length).toBe(dated.length - 4)
  expect(listAdditionDates()).toEqual(expect.arrayContaining(dates))
})

const listAdditionDates = () =>
  tableUnder('docs/changelog.md', '| date | interface | what |').map(row => row.slice(2, 12))

test.each(PAGES)('every link of %s leads somewhere', page => {
  const links = [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)].map(match => match[1]!)
  for (const link of links.filter(one => !/^https?:/.test(one))) {
    const [path, anchor] = link.split('#') as [string, string | undefined]
    const target = path === '' ? page : join(dirname(page), path)
    expect(existsSync(target), `${page}: ${link}`).toBe(true)
    if (anchor !== undefined) expect(listAnchors(target), `${page}: ${link}`).toContain(anchor)
  }
})

test('every page of docs/ is one that README leads to', () => {
  for (const page of PAGES) {
    if (page !== 'README.md') expect(readPage('README.md')).toContain(`(${page}`)
  }
})

test.each(PAGES)('%s names only files that are there', page => {
  const named =
    /`((?:src|pipelines|sql|test|docs|examples)\/[\w./-]+\.\w+|data\/reference\/[\w.]+)`/g
  for (const [, file] of readPage(page).matchAll(named)) {
    // where the page explains how to write one
    if (/example\.(sql|test\.ts)$|^src\/areas\.ts$/.test(file!)) continue
    expect(existsSync(file!), `${page}: ${file}`).toBe(true)
  }
})

test('the page of the sources has each of them, with its keys and its address', () => {
  const page = readPage('docs/sources.md')
  for (const source of SOURCES) {
    expect(page).toContain(`\n## ${source.name}\n`)
    expect(page).toContain(`\`${addressVariable(source)}\``)
    for (const { name, variable } of source.keys) {
      expect(page).toContain(`\`${variable}\``)
      expect(page).toContain(`\`${name}\``)
    }
  }
})

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
let helps: Promise<ReadonlyMap<string, string>> | null = null

/** Help of a command of tapefold: those of all pages are read once, in one process. */
async function findHelp(command: string): Promise<string> {
  helps ??= readHelps()
  const help = (await helps).get(command)
  if (help === undefined) throw new Error(`no ${command}`)
  return help
}

async function readHelps(): Promise<ReadonlyMap<string, string>> {
  const lines = PAGES.flatMap(page => listBlocks(page, 'sh').flatMap(listCommands))
  const named = lines.flatMap(line => tapefoldCommand(parseScript(line)) ?? [])
  const commands = ['help', ...new Set(named.filter(command => command !== 'help'))]
  const ended = await tapefoldLines(
    commands.map(command => (command === 'help' ? [command] : [command, '--help'])),
  )
  return new Map(
    commands.flatMap((command, index) => {
      const { code, out } = ended[index]!
      return code === 0 ? [[command, out] as const] : []
    }),
  )
}

type Script = { readonly script: string; readonly rest: string }

/** The script that a line of npm runs, and its words; '' for a line of another tool. */
function parseScript(line: string): Script {
  const command = line.replace(/^[A-Z_]+=\S+ /, '')
  const [, script = '', rest = ''] = /^npm (?:run )?(?:-s )?(\S+)(?: -- )?(.*)$/.exec(command) ?? []
  return { script, rest }
}

/** The command of tapefold that a script runs; null where it runs none. */
function tapefoldCommand({ script, rest }: Script): string | null {
  if (script === 'tapefold') return rest.split(' ')[0]!
  return String(scripts[script]).includes('bin/tapefold') ? script : null
}

/** The text that has to know the words and options of a command; null where there is none. */
async function findKnower(line: string): Promise<string | null> {
  const command = line.replace(/^[A-Z_]+=\S+ /, '')
  if (command === 'npm ci') return ''
  if (command.startsWith('npm ')) {
    const parsed = parseScript(line)
    const { script } = parsed
    expect(scripts, command).toHaveProperty(script)
    const file = String(scripts[script]).match(/node (test\/\S+)/)?.[1]
    if (file) return readFileSync(file, 'utf8').replace(/'?([\w-]+)'?: \{ type/g, '--$1')
    const named = tapefoldCommand(parsed)
    return named === null ? '' : findHelp(named)
  }
  const node = /^npx node (\S+)/.exec(command)?.[1]
  if (node) return readFileSync(node, 'utf8')
  return /^(git clone|cd|curl|duckdb|sh examples|python3 examples|claude mcp add|export [A-Z_]+=) ?/.test(
    command,
  )
    ? ''
    : null
}

const tools = /^(git|cd|curl|duckdb|python3|claude|export) /

test.each(PAGES)(
  'every command of %s is one that there is, with options that it takes',
  async page => {
    for (const command of listBlocks(page, 'sh').flatMap(listCommands)) {
      const knower = await findKnower(command)
      expect(knower, `${page}: ${command}`).not.toBeNull()
      if (tools.test(command)) continue
      const options = command.replace(/"[^"]*"/g, '').match(/ --[a-z][\w-]*/g) ?? []
      for (const option of options) {
        // every command takes it; the command line takes it out before the command sees it
        if (option !== ' --data') expect(knower, `${page}: ${command}`).toContain(option.trim())
      }
    }
  },
)

test.each(PAGES)('every command that the text of %s names is one that there is', async page => {
  const text = readPage(page)
  const help = await findHelp('help')
  for (const [, command] of text.matchAll(/`(?:[A-Z_]+=\S* )?tapefold ([a-z]\w*)/g)) {
    expect(help, `${page}: ${command}`).toMatch(new RegExp(`^ {2}${command} `, 'm'))
  }
  for (const [, script] of text.matchAll(/`npm run (?:-s`|([\w-]+))/g)) {
    if (script !== undefined) expect(scripts, page).toHaveProperty([script])
  }
})

/** Variables that the examples read, which are clients. */
const CLIENT_VARIABLES = [
  ...[
    'TAPEFOLD_KEY',
    'TAPEFOLD_URL',
    'TAPEFOLD_PROGRAM',
    'TAPEFOLD_ACCOUNT',
    'TAPEFOLD_DATA_FOLDER',
  ],
  ...['ORDERS', 'LIVE', 'LAB', 'DATASET'].map(product => `TAPEFOLD_${product}_KEY`),
]

test.each(PAGES)('every setting that %s names is one that there is', page => {
  const names = readPage(page).match(/\b(?:TAPEFOLD_[A-Z_]+|DATABASE_URL)\b/g) ?? []
  const known = [...SETTINGS, ...CLIENT_VARIABLES, ...SOURCES.map(addressVariable)]
  expect(known).toEqual(expect.arrayContaining(names))
})

test('the table of scripts has every script', () => {
  const rows = tableUnder('docs/developing.md', '| script of `npm run` | what it does |')
  const named = rows.flatMap(row => row.split('|')[1]!.match(/[\w:-]+/g))
  expect(named).toEqual(expect.arrayContaining(Object.keys(scripts)))
})
