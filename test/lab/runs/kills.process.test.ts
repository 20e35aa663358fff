import { expect, test } from 'vitest'
import { killRuns } from '../../support/labKills.ts'

test('after a kill of a server and of an engine each test is spent or refunded once', async () => {
  expect(await killRuns(2, 3)).toMatchObject({ server: 1, engine: 1 })
})
