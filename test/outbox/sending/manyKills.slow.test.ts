import { test } from 'vitest'
import { isChaos, report } from '../../support/chaos.ts'
import { killSenders } from '../../support/senderKills.ts'

const KILLS = isChaos ? 200 : 30

test(`${KILLS} kills of a sender lose no event, and repeat one with its id and bytes`, async () => {
  report('tried', 'random kills', KILLS)
  await killSenders(KILLS, 11)
  report('right', 'random kills', KILLS)
})
