import { openAccountStore } from '../../src/server/accountStore.ts'

// A process of its own that adds accounts, keys and positions, and reports each once it is
// stored.

const [index] = process.argv.slice(2) as [string]
const store = await openAccountStore(index)
for (let index = 0; ; index++) {
  const account = await store.addAccount({ name: 'desk', plan: 'orders', createdAtMs: index })
  process.send?.({ account: account.id })
  const made = { scope: 'orders', name: 'laptop', createdAtMs: index } as const
  const { apiKey } = (await store.addKey({ accountId: account.id, ...made }))!
  process.send?.({ account: account.id, apiKey })
  const id = `p_${account.id.slice(4)}`
  const changed = await store.changePositions({
    accountId: account.id,
    atMs: index,
    repeat: { key: 'once', requestHash: id },
    decide: () => ({ put: { id, body: '{}' }, response: id }),
  })
  process.send?.({ account: account.id, position: changed!.response })
  // the parent is heard between two rounds
  await new Promise(resolve => setImmediate(resolve))
}
