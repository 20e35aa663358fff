import { expect, test } from 'vitest'
import { listPlans } from '../../src/accounts/products.ts'
import { GEO_MINUTE_CALLS } from '../../src/geo/area.ts'
import { GEO_ERRORS } from '../../src/geo/errors.ts'
import { Item } from '../../src/geo/schema.ts'
import { readPage, tableUnder } from '../support/pages.ts'

test('the page of Geo has its errors and its plans', () => {
  expect(tableUnder('docs/geo.md', '| status | again? | meaning |')).toEqual(
    GEO_ERRORS.rows.map(
      ({ status, isRetryable, meaning }) =>
        `| ${status} | ${isRetryable ? 'yes' : 'no'} | ${meaning} |`,
    ),
  )
  expect(tableUnder('docs/geo.md', '| plan | calls a UTC month | keys |')).toEqual(
    listPlans('geo').map(
      ({ plan, monthlyCalls, keysMax }) =>
        `| \`${plan}\` | ${monthlyCalls!.toLocaleString('en-US')} | ${keysMax} |`,
    ),
  )
  expect(readPage('docs/geo.md')).toContain(
    `an address may call ${GEO_MINUTE_CALLS} times a minute`,
  )
  const fields = tableUnder('docs/geo.md', '| field | meaning |').flatMap(row =>
    [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  )
  expect(fields).toEqual(Object.keys(Item.shape))
})
