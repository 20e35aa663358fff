import { test } from 'vitest'
import { isChaos, tell } from '../support/chaos.ts'
import { killSenders } from '../support/senderKills.ts'

const KILLS = isChaos ? 200 : 30

test(`${KILLS} kills of a sender lose no event, and repeat one with its id and bytes`, async () => {
  tell('tried', 'random kills', KILLS)
  await killSenders(KILLS, 11)
  tell('right', 'random kills', KILLS)
})
