// Prints the flip of every minute of a past session.
// TAPEFOLD_KEY=ftpl_... node history.ts 2026-10-15

import { tableFromIPC } from 'apache-arrow'

const { TAPEFOLD_URL = 'http://127.0.0.1:8080', TAPEFOLD_KEY } = process.env
const answer = await fetch(`${TAPEFOLD_URL}/api/v1/history?sym=SPX&day=${process.argv[2]}`, {
  headers: {
    authorization: `Bearer ${TAPEFOLD_KEY}`,
    accept: 'application/vnd.apache.arrow.stream',
  },
})
if (!answer.ok) throw new Error(await answer.text())
const table = tableFromIPC(new Uint8Array(await answer.arrayBuffer()))
for (const { minute, flip, flip_lo, flip_hi, reason } of table) {
  console.log(minute, flip === null ? reason : `${flip} (${flip_lo} to ${flip_hi})`)
}
