// Scripts of charting programs: they are downloaded from the site, their syntax is whole, and they
// take the texts of the API apart.

import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { publishLevels } from '../support/levels.ts'
import { findText } from '../support/openapi.ts'
import { listBlocks, readPage } from '../support/pages.ts'

const KIT = 'src/levels/kit'
const read = (name: string) => readFileSync(`${KIT}/${name}`, 'utf8')
const PINE = read('tapefold-levels.pine')
const NINJA = read('TapefoldLevels.cs')

let api: TestApi
let key: string
beforeAll(async () => {
  api = await startTestApi()
  await publishLevels(api.dataFolder, { day: '2026-10-15', has: ['strikes'] })
  api.clock.atMs = Date.parse('2026-10-16T00:30:00Z')
  key = (await api.newKey('live', 'live')).key
})
afterAll(() => api.close())

const levelsText = async (query: string) =>
  findText(await api.call(`/api/v1/levels.txt?${query}`, { key }))

test('the page names every script, and each is downloaded as it is', async () => {
  const page = findText(await api.call('/charts', { key: null }))
  for (const name of readdirSync(KIT)) {
    expect(page).toContain(`href="/charts/${name}"`)
    const { status, headers, body } = await api.call(`/charts/${name}`, { key: null })
    expect([status, body.toString()]).toEqual([200, read(name)])
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
  }
})

/** Text without comments and strings; every bracket that is opened is closed. */
function expectBalanced(text: string): string {
  const bare = text
    .replaceAll(/@"(?:[^"]|"")*"/g, '0')
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '0')
    .replaceAll(/\/\/.*/g, '')
  expect(bare).not.toMatch(/["'`]/)
  const open: string[] = []
  const closes: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
  for (const letter of bare) {
    if ('([{'.includes(letter)) open.push(letter)
    if (letter in closes) expect(open.pop()).toBe(closes[letter])
  }
  expect(open).toEqual([])
  return bare
}

/** Functions of the reference of Pine, version 6, that the script may call. */
const PINE_FUNCTIONS = [
  'indicator',
  'input.text_area',
  'input.string',
  'input.bool',
  'input.color',
  'str.startswith',
  'str.replace_all',
  'str.split',
  'str.tonumber',
  'sides.size',
  'sides.get',
  'parts.size',
  'parts.get',
  'na',
  'line.new',
  'label.new',
  'findColor',
]

test('the indicator of TradingView is whole, and takes apart what levels.txt puts together', async () => {
  expect(PINE.startsWith('//@version=6\n')).toBe(true)
  const bare = expectBalanced(PINE)
  expect([...bare.matchAll(/([a-z][\w.]*)\(/gi)].map(([, name]) => name)).toSatisfy(
    (names: string[]) => names.every(name => PINE_FUNCTIONS.includes(name)),
  )
  let depth = 0
  for (const line of bare.split('\n').filter(each => each.trim() !== '')) {
    const indent = line.length - line.trimStart().length
    expect(indent % 4, line).toBe(0)
    // a block is one step in, after a line that opens one
    expect(indent / 4, line).toBeLessThanOrEqual(depth)
    const opens = /^\s*(if|for) /.test(line) || line.trimEnd().endsWith('=>')
    depth = indent / 4 + (opens ? 1 : 0)
  }
  const separators = [...PINE.matchAll(/str\.split\(.+, "([^"]+)"\)/g)].map(([, one]) => one)
  expect(separators).toEqual(['\\n', ': ', ', '])
  const text = await levelsText('sym=SPX,XSP&g=30')
  const rows = text.split('\n').map(row => row.split(': '))
  expect(rows.map(sides => sides.length)).toEqual([2, 2, 1])
  expect(rows.map(([head]) => head)).toEqual(['$SPX', '$XSP', ''])
  for (const [, list] of rows.slice(0, 2)) {
    const parts = list!.split(', ')
    expect(parts.length % 2).toBe(0)
    for (const [at, part] of parts.entries()) expect(Number.isNaN(Number(part))).toBe(at % 2 === 0)
  }
})

test('the indicator of NinjaTrader is whole, and its pattern reads every row of its file', async () => {
  const bare = expectBalanced(NINJA)
  const code = bare.split('\n').map(line => line.trim())
  for (const line of code.filter(each => each !== '' && !/^(#|using )/.test(each))) {
    const isHead = /^(namespace|public|protected|private|if|for|foreach|try|catch|else)\b/.test(
      line,
    )
    expect(/[;{}\])]$|\($/.test(line) || isHead, line).toBe(true)
  }
  const names = [...NINJA.matchAll(/(?:private|protected override) .*? (\w+)\(/g)].map(
    one => one[1],
  )
  expect(names).toEqual(expect.arrayContaining(['OnStateChange', 'OnBarUpdate', 'DrawRow', 'Add']))
  // the pattern of the script itself, as .NET writes it
  const [, verbatim] = /new Regex\(\s*@"((?:[^"]|"")*)"\)/.exec(NINJA)!
  const row = new RegExp(verbatim!.replaceAll('""', '"'))
  const text = await levelsText('sym=SPX&g=5&style=lines')
  const [day, ...rows] = text.trimEnd().split('\n')
  expect(day).toBe('10/15/2026')
  expect(rows.length).toBeGreaterThan(5)
  for (const line of rows) {
    const [, low, high, opacity, color, label] = row.exec(line)!
    expect(Number(low)).toBeLessThanOrEqual(Number(high))
    expect(Number(opacity)).toBeLessThanOrEqual(100)
    expect(['Gold', 'Green', 'Red', 'Gray', 'Blue']).toContain(color)
    expect(label).toMatch(/^\w/)
  }
})

test('the texts of the page are those of the server, in their form', async () => {
  const sierra = await levelsText('sym=SPX&g=2&style=sierra')
  const shape = (text: string) => text.replaceAll(/\d+(\.\d+)?/g, '0')
  const [shownRows] = listBlocks('docs/charts.md', 'csv')
  for (const line of shownRows!.trimEnd().split('\n')) {
    expect(shape(sierra).split('\n')).toContain(shape(line))
  }
  const study = await levelsText('sym=SPX&g=2&style=thinkscript')
  const [shownStudy] = listBlocks('docs/charts.md', 'thinkscript')
  for (const line of shownStudy!.trimEnd().split('\n')) {
    expect(shape(study).split('\n')).toContain(shape(line))
  }
  expect(readPage('docs/levels.md')).toContain('charts.md')
  const two = await api.call('/api/v1/levels.txt?sym=SPX,XSP&style=sierra', { key })
  expect([two.status, two.json.error.code]).toEqual([400, 'too_many_symbols'])
})
