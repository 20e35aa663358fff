import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FORMATS } from '../pipelines/import/formats.ts'
import { PREFIX_OF_SCOPE } from '../src/accounts/apiKey.ts'
import { PRODUCT_NAMES, PRODUCTS, plansOf } from '../src/accounts/products.ts'
import { SETTINGS } from '../src/config.ts'
import { ERRORS } from '../src/http/error.ts'
import { LEGS_OF_KIND } from '../src/positions/kinds.ts'

const readme = readFileSync('README.md', 'utf8')

/** The rows of the table under a heading row, without the rule below it. */
function tableUnder(head: string): string[] {
  const lines = readme.split('\n')
  const at = lines.indexOf(head)
  expect(at, `README has the table ${head}`).toBeGreaterThan(0)
  const rest = lines.slice(at + 2)
  return rest.slice(
    0,
    rest.findIndex(line => !line.startsWith('|')),
  )
}

test('the table of formats is what the import knows', () => {
  expect(tableUnder('| format | what it reads |')).toEqual(
    FORMATS.map(({ name, meaning }) => `| \`${name}\` | ${meaning} |`),
  )
})

test('the table of errors is the catalogue, in its order', () => {
  expect(tableUnder('| status | code | again? | meaning |')).toEqual(
    ERRORS.map(
      ({ status, code, isRetryable, meaning }) =>
        `| ${status} | \`${code}\` | ${isRetryable ? 'yes' : 'no'} | ${meaning} |`,
    ),
  )
})

test('the table of settings names all of them, in their order', () => {
  const rows = tableUnder('| variable | default | what it says |')
  expect(rows.map(row => row.split('|')[1]!.trim())).toEqual(SETTINGS.map(name => `\`${name}\``))
})

test('the tables of products and plans are what the accounts know', () => {
  const code = (text: string) => `\`${text}\``
  expect(tableUnder('| product and scope | key begins with | plans | for |')).toEqual(
    PRODUCT_NAMES.map(product => {
      const plans = plansOf(product).map(({ plan }) => code(plan))
      const { opens } = PRODUCTS[product]
      const prefix = code(`${PREFIX_OF_SCOPE[product]}_`)
      return `| ${code(product)} | ${prefix} | ${plans.join(', ')} | ${opens} |`
    }),
  )
  expect(tableUnder('| plan | calls a day |')).toEqual(
    plansOf('orders').map(
      ({ plan, dailyCalls }) => `| ${code(plan)} | ${dailyCalls?.toLocaleString('en-US')} |`,
    ),
  )
})

test('the table of position kinds is what a position takes', () => {
  expect(tableUnder('| kind | legs, strikes rising |')).toEqual(
    Object.entries(LEGS_OF_KIND).map(
      ([kind, legs]) => `| \`${kind}\` | ${legs.map(leg => `\`${leg}\``).join(', ')} |`,
    ),
  )
})

test('every command that README shows is one that the help names', () => {
  const help = readFileSync('src/cli.ts', 'utf8')
  const shown = [...readme.matchAll(/npm run tapefold -- (\w+)/g)].map(match => match[1]!)
  for (const command of shown.filter(name => name !== 'help')) {
    expect(help).toMatch(new RegExp(`^ {2}${command} `, 'm'))
  }
})
