// Browsers remember for a year what this header says, and of what names.

import { expect, test } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { startTestApi } from '../../support/api.ts'

const YEAR = 'max-age=31536000'

test.each([
  [{}, YEAR],
  [{ TAPEFOLD_HSTS_SUBDOMAINS: 'off' }, YEAR],
  [{ TAPEFOLD_HSTS_SUBDOMAINS: 'on' }, `${YEAR}; includeSubDomains`],
])(
  'with %j names below the own one are spoken for only where a setting says so',
  async (...row) => {
    const [settings, wanted] = row
    const { coversSubdomains } = readConfig(settings)
    const api = await startTestApi({ coversSubdomains })
    for (const path of ['/', '/health', '/orders/api/day', '/sessions/none']) {
      const { headers } = await api.call(path, { key: null })
      expect([path, headers.get('strict-transport-security')]).toEqual([path, wanted])
    }
    await api.close()
  },
)

test('a setting of another word is refused by its name', () => {
  expect(() => readConfig({ TAPEFOLD_HSTS_SUBDOMAINS: 'yes' })).toThrow(
    'TAPEFOLD_HSTS_SUBDOMAINS is "yes"; give on or off',
  )
})
