// docs/alerts.md and the kinds of orders, compared with the code they speak of.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ENTRY_FIELDS, LIST_ROWS } from '../../src/alerts/catalogue.ts'
import { type AlertField, POINT_DECIMALS } from '../../src/alerts/fields.ts'
import { LINE_FIELDS, LINES_MAX } from '../../src/alerts/lineFields.ts'
import { ONE_SIDED_KINDS, ORDER_KINDS, toAlertKind } from '../../src/alerts/orderKinds.ts'
import { RULE_FIELDS, RULES_MAX } from '../../src/alerts/ruleFields.ts'
import { Alerts } from '../../src/alerts/schema.ts'
import { respondTo } from '../support/alerts.ts'
import { listComplaints, openApi } from '../support/openapi.ts'
import { listBlocks, readPage, tableUnder } from '../support/pages.ts'

const PAGE = 'docs/alerts.md'
const code = (text: unknown) => `\`${text}\``

function formatRange({ type, min, max, values = [] }: AlertField): string {
  if (type === 'yes_no') return '`true`, `false`'
  if (type === 'text') return `${min} to ${max} characters`
  if (min !== undefined) return [`${min} to ${max}`, ...values.map(code)].join(' or ')
  return values === ORDER_KINDS ? 'see below' : values.map(code).join(', ')
}

function formatRow(field: AlertField): string {
  const { name, meaning, unit, isRequired, default: usual } = field
  const shown = Array.isArray(usual) ? usual.map(code).join(', ') : code(usual)
  const defaultText = isRequired ? 'required' : usual === null ? '' : shown
  return `| ${code(name)} | ${meaning} | ${unit ?? ''} | ${defaultText} | ${formatRange(field)} |`
}

test('the table of types is the catalogue', () => {
  expect(tableUnder(PAGE, '| type | it fires when | on by default in |')).toEqual(
    LIST_ROWS.map(({ type, rule, on_in }) => {
      return `| ${code(type)} | ${rule} | ${on_in.map(code).join(', ')} |`
    }),
  )
})

test('the table of parameters is the catalogue', () => {
  const head = '| type | parameter | meaning | unit | default | range |'
  expect(tableUnder(PAGE, head)).toEqual(
    LIST_ROWS.flatMap(({ type, parameters }) =>
      parameters.map(field => `| ${code(type)} ${formatRow(field)}`),
    ),
  )
})

test.each([
  ['an entry', ENTRY_FIELDS],
  ['a line', LINE_FIELDS],
  ['a rule', RULE_FIELDS],
])('the table of fields of %s is the catalogue', (what, fields) => {
  const head = `| field of ${what} | meaning | unit | default | range |`
  expect(tableUnder(PAGE, head)).toEqual(fields.map(formatRow))
})

test('the page names every field of the response, its limits and all kinds of orders', () => {
  const rows = tableUnder(PAGE, '| field | meaning |')
  expect(rows.map(row => /`(\w+)`/.exec(row)![1])).toEqual(Object.keys(Alerts.shape))
  const page = readPage(PAGE)
  expect(page).toContain(`**${LINES_MAX} lines and ${RULES_MAX} rules at most**`)
  expect(POINT_DECIMALS).toBe(2)
  expect(page.replaceAll('\n', ' ')).toContain(
    `The kinds are: ${ORDER_KINDS.map(code).join(', ')}.`,
  )
})

test('the bodies that the page sends are taken', () => {
  const shell = listBlocks(PAGE, 'sh').join('\n')
  const bodies = [...shell.matchAll(/-d '(\{[^']+\})'/g)].map(([, body]) => JSON.parse(body!))
  expect(bodies.map(({ op }) => op)).toEqual(['set', 'add', 'add', 'add'])
  for (const body of bodies) expect(respondTo(body).ok).toBe(true)
})

/** The names that the fold can give an order. */
function foldedKinds(): Set<string> {
  const texts = ['macros/plain_structure', 'macros/four_leg_structures', 'fold/parent_orders'].map(
    file => readFileSync(`sql/${file}.sql`, 'utf8').replace(/^\s*--.*$/gm, ''),
  )
  const structure = texts[2]!.slice(0, texts[2]!.indexOf('as structure'))
  const all = [texts[0]!, texts[1]!, structure.slice(structure.lastIndexOf('case\n'))].join('\n')
  const named = [...all.matchAll(/(?:then|else) *(?:case when [^\n]* then )?'(\w+)'/g)]
  return new Set(named.map(([, name]) => name!))
}

test('rules take every kind of order that there is, those of one side by the plain name', () => {
  const folded = foldedKinds()
  // no order is flat, and prefixes are parts of names
  for (const part of ['flat', 'ratio_']) folded.delete(part)
  // names that are put together
  for (const name of ['calendar', 'diagonal']) {
    expect(folded).toContain(name)
    folded.add(`ratio_${name}`)
  }
  const taken = new Set([...folded].map(toAlertKind))
  expect([...taken].toSorted()).toEqual([...ORDER_KINDS].toSorted())
  // the fold falls back to the same names where it knows no side
  const fallback = readFileSync('sql/fold/parent_orders.sql', 'utf8')
  const pairs = [...fallback.matchAll(/when patterns\.structure = '(\w+)' then '(\w+)'/g)]
  expect(Object.fromEntries(pairs.map(([, one, plain]) => [one, plain]))).toEqual(ONE_SIDED_KINDS)
})

test('the examples of the OpenAPI file match its schemas, and the changes are taken', () => {
  const { get, post } = openApi.paths['/api/alerts']
  for (const [method, operation] of Object.entries({ get, post })) {
    const { example } = operation.responses[200].content['application/json']
    const pointer = `/paths/~1api~1alerts/${method}/responses/200/content/application~1json/schema`
    expect(listComplaints(pointer, example), method).toBe('[]')
  }
  const { examples } = post.requestBody.content['application/json']
  const ofNothing = ['update', 'remove', 'arm', 'test', 'redeliver']
  for (const [name, { value }] of Object.entries<{ value: object }>(examples)) {
    if (!ofNothing.includes(name)) expect(respondTo(value).ok, name).toBe(true)
  }
  expect(Object.keys(examples)).toEqual(['set', 'add_line', 'add_rule', ...ofNothing])
})
