import { group } from '../core/commandRow.ts'
import { DAYS_MAX } from '../data/geo/weeks.ts'

const AT = { 'at TIME': 'as it was known then, such as 2026-10-15T14:00:00Z; left out, now' }
const WEEK = { 'week W': 'an ISO week, such as 2026-W42' }
const RANGE = {
  ...WEEK,
  'from DAY': 'the first day, such as 2026-10-12',
  'to DAY': 'the last day',
  'country LIST': 'ISO 3166, such as UA,IL',
  'kind KIND': 'event or release',
}

export const GEO = group({
  name: 'geo',
  summary: 'what was reported in the world, by country and week',
  about: 'What was reported in the world, by country and week, as the Geo API answers it.',
  options: { 'out FILE': 'writes there instead of to standard output' },
  work: 'src/geo/geoCommand.ts',
  commands: [
    {
      line: 'geo items',
      summary: 'a page of items, newest day first, of any days',
      options: {
        ...RANGE,
        'limit N': '1 to 1000 (100)',
        'cursor C': 'next_cursor of the page before',
        ...AT,
      },
    },
    {
      line: 'geo csv',
      summary: `all items of ${DAYS_MAX.export} days at most`,
      options: { ...RANGE, ...AT },
    },
    { line: 'geo weeks', summary: 'the weeks of the last 30 days', options: AT },
    {
      line: 'geo countries',
      summary: 'how much was reported of each country in a week',
      options: { ...WEEK, ...AT },
    },
    { line: 'geo health', summary: 'up to when each source is known', options: AT },
    { line: 'geo sources', summary: 'whose records they are, and how to cite them', options: AT },
    {
      line: 'geo webhook save ACCOUNT URL',
      summary: 'where an account is told of new records; the first save prints its secret',
    },
    { line: 'geo webhook test ACCOUNT', summary: 'has a test sent there' },
    { line: 'geo webhook remove ACCOUNT', summary: 'removes the address' },
  ],
})
