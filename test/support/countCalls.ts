import { openAccountStore } from '../../src/server/accountStore.ts'

// A process of its own that adds calls, one by one, to the count of an account.

const [index, calls, accountId] = process.argv.slice(2) as [string, string, string]
const store = await openAccountStore(index)
for (let index = 0; index < Number(calls); index++) {
  const [total] = await store.countCalls([
    { accountId, product: 'orders', dayEt: '2026-10-14', calls: 1 },
  ])
  process.send?.(total)
}
await store.close()
