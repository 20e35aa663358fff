// The list of finished sessions.

import { expect, test } from 'vitest'
import { FRESHNESS_EXAMPLE } from '../../src/platform/http/fields.ts'
import { sessionsPage } from '../../src/site/sessionsPage.ts'

test('simulated sessions of minutes alone are counted, and not listed', () => {
  const nothing = { revision: 'r', grade: 'good', orders: null, open: null, close: null }
  const bare = {
    ...FRESHNESS_EXAMPLE,
    ...nothing,
    flip_close: null,
    simulated: true,
    reason: 'not_kept' as const,
  }
  const days = ['2026-10-13', '2026-10-14'].map(day => ({ ...bare, day }))
  const real = { ...bare, day: '2026-10-12', simulated: false }
  const list = sessionsPage([real, ...days], { page: 1, today: null })
  expect(list).toContain('2 simulated sessions have minutes alone')
  expect(list).toContain('2026-10-12')
  expect(list).not.toMatch(/2026-10-1[34]/)
})
