import { test } from 'vitest'
import { killSenders } from '../../support/senderKills.ts'

test('10 kills of a sender lose no event, and repeat one only with its id and bytes', async () => {
  await killSenders(10, 3)
})
