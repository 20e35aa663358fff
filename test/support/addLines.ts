// A process of its own that adds lines to an account as long as it keeps fewer than there may be.

import { randomBase62 } from '../../src/accounts/apiKey.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'

const [index, accountId, count, most] = process.argv.slice(2) as [string, string, string, string]
const store = await openAccountStore(index)
for (let index = 0; index < Number(count); index++) {
  const id = `l_${randomBase62(12)}`
  const line = { id, kind: 'price', price: 6_000 + index, isMoved: true }
  await store.alerts
    .change({
      accountId,
      atMs: index,
      repeat: null,
      decide: ({ lines }) => {
        if (lines.length >= Number(most)) throw new RangeError('full')
        const ofLevel = { book: null, level: null, offset: null }
        const rest = { direction: 'any', mode: 'once', note: null }
        return { putLine: { ...line, ...ofLevel, ...rest }, response: id }
      },
    })
    .catch(error => {
      if (!(error instanceof RangeError)) throw error
    })
}
await store.close()
